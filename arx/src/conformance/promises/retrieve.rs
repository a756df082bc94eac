//! `retrieve`, `retrieve_by_keys`, `retrieve_multiple`, `count`, `exists`, `first` and `select`.

use super::support::{assert_error, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{Entity, ErrorKind, Filter, Record};

cases! {
    retrieves_one_row_or_none: [6] [];
    retrieves_rows_in_the_order_of_their_keys: [1, 3] [];
    a_key_that_repeats_gets_its_row_each_time: [1] [];
    retrieves_by_keys_of_several_columns: [1] [];
    retrieves_by_text_keys: [1, 12] [];
    retrieves_any_number_of_keys_in_one_text: [3, 4] [];
    retrieving_nothing_sends_nothing: [3] [];
    orders_by_several_columns: [4] [];
    null_stands_where_it_is_put: [5] [];
    limits_and_passes_over: [4] [];
    a_limit_that_no_database_takes_is_refused: [13] [];
    counts_and_tells_whether_there_is_a_row: [4] [];
    reads_the_first_row: [4] [];
    reads_the_columns_of_a_projection: [4, 6] [];
    a_projection_without_its_column_is_refused: [13] [];
    reads_ten_thousand_rows_in_one_statement: [3] [];
    reads_inside_a_transaction_what_it_has_written: [2] [];
}

async fn items(context: &Context<'_>, count: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    rows
}

async fn retrieves_one_row_or_none(context: &Context<'_>) {
    let rows = items(context, 5).await;
    let repository = context.repository::<Item>();
    assert_eq!(repository.retrieve(rows[3].id).await.unwrap().as_ref(), Some(&rows[3]));
    context.assert_traffic(1, 1);
    assert_eq!(repository.retrieve(-1).await.unwrap(), None);
    context.assert_traffic(1, 1);
}

async fn retrieves_rows_in_the_order_of_their_keys(context: &Context<'_>) {
    let rows = items(context, 3_000).await;
    let mut wanted: Vec<Option<&Item>> = rows.iter().map(Some).collect();
    wanted.extend([None, None, None]);
    fastrand::Rng::with_seed(6).shuffle(&mut wanted);
    let mut missing = 0;
    let keys: Vec<_> = wanted
        .iter()
        .map(|row| {
            missing -= 1;
            row.map_or(missing, |row| row.id)
        })
        .collect();
    let found = context.repository::<Item>().retrieve_by_keys(&keys).await.unwrap();
    context.assert_traffic(1, 1);
    assert!(found.iter().map(Option::as_ref).eq(wanted));
}

async fn a_key_that_repeats_gets_its_row_each_time(context: &Context<'_>) {
    let rows = items(context, 20).await;
    let places: Vec<usize> = (0..500).map(|n| (n * 7) % 20).collect();
    let mut keys: Vec<_> = places.iter().map(|&place| rows[place].id).collect();
    keys.extend([-1, -1]);
    let found = context.repository::<Item>().retrieve_by_keys(&keys).await.unwrap();
    context.assert_traffic(1, 1);
    assert!(found[..500].iter().zip(places).all(|(found, place)| found.as_ref() == Some(&rows[place])));
    assert_eq!(found[500..], [None, None]);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "cells")]
struct Cell {
    value: Option<i32>,
    #[arx(key)]
    sheet: i64,
    #[arx(key)]
    place: String,
}

async fn retrieves_by_keys_of_several_columns(context: &Context<'_>) {
    context.create_table::<Cell>().await;
    let cells = context.repository::<Cell>();
    let rows: Vec<_> =
        (0..100).map(|n| Cell { value: Some(n), sheet: i64::from(n % 5), place: format!("p{}", n / 5) }).collect();
    cells.create_multiple(&rows).await.unwrap();
    context.log.reset();
    let key = |sheet: i64, place: &str| (sheet, place.to_owned());
    let keys = [key(4, "p1"), key(1, "p4"), key(4, "p4"), key(9, "p1"), key(4, "p1")];
    let found = cells.retrieve_by_keys(&keys).await.unwrap();
    context.assert_traffic(1, 1);
    let values: Vec<_> = found.iter().map(|row| row.as_ref().and_then(|row| row.value)).collect();
    assert_eq!(values, [Some(9), Some(21), Some(24), None, Some(9)]);
    assert_eq!(cells.retrieve(key(2, "p2")).await.unwrap(), Some(rows[12].clone()));
    assert_eq!(cells.retrieve((2, "p".to_owned())).await.unwrap(), None);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "names")]
struct Name {
    #[arx(key)]
    name: String,
    size: i32,
}

async fn retrieves_by_text_keys(context: &Context<'_>) {
    context.create_table::<Name>().await;
    let names = context.repository::<Name>();
    let texts = ["", " ", "a", "A", "a'b", "a\"b", "a\\b", "a,b", "{a}", "NULL", "null", "ä", "😀", "a\nb", "%", "_"];
    let rows: Vec<_> = texts.iter().zip(0..).map(|(name, size)| Name { name: (*name).to_owned(), size }).collect();
    names.create_multiple(&rows).await.unwrap();
    let mut keys = texts.map(str::to_owned).to_vec();
    keys.reverse();
    keys.push("nothing".to_owned());
    let found = names.retrieve_by_keys(&keys).await.unwrap();
    assert!(found[..texts.len()].iter().flatten().eq(rows.iter().rev()));
    assert_eq!((found.len(), found[texts.len()].as_ref()), (texts.len() + 1, None));
    for row in &rows {
        assert_eq!(names.retrieve(row.name.as_str()).await.unwrap().as_ref(), Some(row));
    }
}

async fn retrieves_any_number_of_keys_in_one_text(context: &Context<'_>) {
    let rows = items(context, 2_000).await;
    let repository = context.repository::<Item>();
    let mut texts = std::collections::HashSet::new();
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..40 {
        let keys: Vec<_> = (0..random.usize(1..2_500)).map(|n| rows[n % 2_000].id).collect();
        let found = repository.retrieve_by_keys(&keys).await.unwrap();
        assert!(found.iter().enumerate().all(|(n, row)| row.as_ref() == Some(&rows[n % 2_000])));
        texts.extend(context.log.texts());
        context.log.reset();
    }
    assert!(texts.len() <= 12, "{} texts", texts.len());
}

async fn retrieving_nothing_sends_nothing(context: &Context<'_>) {
    context.create_table::<Item>().await;
    assert_eq!(context.repository::<Item>().retrieve_by_keys(&[]).await.unwrap(), []);
    context.assert_traffic(0, 0);
}

async fn orders_by_several_columns(context: &Context<'_>) {
    let mut rows = items(context, 30).await;
    let repository = context.repository::<Item>();
    rows.iter_mut().for_each(|row| row.amount %= 3);
    repository.update_multiple(&rows).await.unwrap();
    let found = repository.retrieve_multiple(()).order_by((Item::AMOUNT.desc(), Item::ID.asc())).await.unwrap();
    rows.sort_by_key(|row| (-row.amount, row.id));
    assert_eq!(found, rows);
    let found = repository.retrieve_multiple(()).order_by(Item::AMOUNT.asc()).order_by(Item::ID.desc()).await.unwrap();
    rows.sort_by_key(|row| (row.amount, -row.id));
    assert_eq!(found, rows);
}

async fn null_stands_where_it_is_put(context: &Context<'_>) {
    items(context, 9).await;
    let repository = context.repository::<Item>();
    let is_null = |rows: Vec<Item>| rows.iter().map(|row| row.note.is_none()).collect::<Vec<_>>();
    let first = [true, true, true, false, false, false, false, false, false];
    let last = [false, false, false, false, false, false, true, true, true];
    for (order, expected) in [
        (Item::NOTE.asc().nulls_first(), first),
        (Item::NOTE.asc().nulls_last(), last),
        (Item::NOTE.desc().nulls_first(), first),
        (Item::NOTE.desc().nulls_last(), last),
    ] {
        assert_eq!(is_null(repository.retrieve_multiple(()).order_by(order).await.unwrap()), expected);
    }
}

async fn limits_and_passes_over(context: &Context<'_>) {
    let rows = items(context, 20).await;
    let repository = context.repository::<Item>();
    let read = |limit: Option<u64>, offset: Option<u64>| {
        let mut retrieve = repository.retrieve_multiple(Item::AMOUNT.ge(5)).order_by(Item::ID.asc());
        if let Some(limit) = limit {
            retrieve = retrieve.limit(limit);
        }
        if let Some(offset) = offset {
            retrieve = retrieve.offset(offset);
        }
        retrieve
    };
    assert_eq!(read(Some(3), None).await.unwrap(), rows[5..8]);
    assert_eq!(read(Some(3), Some(4)).await.unwrap(), rows[9..12]);
    assert_eq!(read(None, Some(12)).await.unwrap(), rows[17..]);
    assert_eq!(read(Some(100), Some(14)).await.unwrap(), rows[19..]);
    assert_eq!(read(Some(0), None).await.unwrap(), []);
    assert_eq!(read(Some(5), Some(100)).await.unwrap(), []);
    assert_eq!(read(Some(i64::MAX.unsigned_abs()), Some(0)).await.unwrap(), rows[5..]);
    context.log.reset();
    for limit in 1..20 {
        read(Some(limit), Some(limit)).await.unwrap();
    }
    let texts: std::collections::HashSet<_> = context.log.texts().into_iter().collect();
    assert_eq!(texts.len(), 1);
}

async fn a_limit_that_no_database_takes_is_refused(context: &Context<'_>) {
    items(context, 1).await;
    let repository = context.repository::<Item>();
    let over = i64::MAX.unsigned_abs() + 1;
    for error in [
        repository.retrieve_multiple(()).limit(over).await.unwrap_err(),
        repository.retrieve_multiple(()).limit(u64::MAX).await.unwrap_err(),
        repository.retrieve_multiple(()).offset(over).await.unwrap_err(),
        repository.retrieve_multiple(()).limit(1).offset(u64::MAX).await.unwrap_err(),
    ] {
        assert_error(&error, ErrorKind::InvalidInput, &[]);
    }
    context.assert_traffic(0, 0);
    assert_eq!(repository.retrieve_multiple(()).limit(over - 1).await.unwrap().len(), 1);
}

async fn counts_and_tells_whether_there_is_a_row(context: &Context<'_>) {
    items(context, 30).await;
    let repository = context.repository::<Item>();
    assert_eq!(repository.count(()).await.unwrap(), 30);
    context.assert_traffic(1, 1);
    assert_eq!(repository.count(Item::NOTE.is_null()).await.unwrap(), 10);
    assert_eq!(repository.retrieve_multiple(Item::AMOUNT.lt(7)).limit(2).offset(1).count().await.unwrap(), 7);
    assert!(repository.exists(()).await.unwrap());
    context.log.reset();
    assert!(!repository.exists(Item::AMOUNT.gt(100)).await.unwrap());
    context.assert_traffic(1, 1);
    assert!(repository.retrieve_multiple(Item::AMOUNT.eq(29)).exists().await.unwrap());
    assert!(!repository.exists(!Filter::all()).await.unwrap());
    assert_eq!(repository.count(!Filter::all()).await.unwrap(), 0);
}

async fn reads_the_first_row(context: &Context<'_>) {
    let rows = items(context, 10).await;
    let repository = context.repository::<Item>();
    let last = repository.retrieve_multiple(()).order_by(Item::ID.desc()).first().await.unwrap();
    context.assert_traffic(1, 1);
    assert_eq!(repository.retrieve_multiple(()).limit(0).first().await.unwrap(), None);
    assert_eq!(last.as_ref(), rows.last());
    let third = repository.retrieve_multiple(()).order_by(Item::ID.asc()).offset(2).first().await.unwrap();
    assert_eq!(third.as_ref(), Some(&rows[2]));
    assert_eq!(repository.retrieve_multiple(Item::AMOUNT.lt(0)).first().await.unwrap(), None);
}

#[derive(Record, Debug, PartialEq)]
struct Summary {
    amount: i32,
    #[arx(column = "name")]
    title: String,
}

async fn reads_the_columns_of_a_projection(context: &Context<'_>) {
    let rows = items(context, 10).await;
    let repository = context.repository::<Item>();
    let found: Vec<Summary> =
        repository.retrieve_multiple(Item::AMOUNT.ge(7)).order_by(Item::ID.desc()).select().await.unwrap();
    let expected: Vec<_> =
        rows[7..].iter().rev().map(|row| Summary { amount: row.amount, title: row.name.clone() }).collect();
    assert_eq!(found, expected);
    let texts = context.log.texts();
    assert!(!texts[0].contains(&context.backend.quote("note")), "{}", texts[0]);
    let first = repository.retrieve_multiple(()).select::<Summary>().order_by(Item::ID.asc()).first().await.unwrap();
    assert_eq!(first.unwrap().title, "item 0");
    assert_eq!(repository.retrieve_multiple(()).select::<Summary>().count().await.unwrap(), 10);
}

#[derive(Record, Debug, PartialEq)]
struct Wrong {
    amount: i32,
    price: i32,
}

async fn a_projection_without_its_column_is_refused(context: &Context<'_>) {
    items(context, 1).await;
    let error = context.repository::<Item>().retrieve_multiple(()).select::<Wrong>().await.unwrap_err();
    assert_error(&error, ErrorKind::InvalidInput, &[]);
    let text = error.to_string();
    assert!(text.contains("price") && text.contains("Item"), "{text}");
    context.assert_traffic(0, 0);
}

async fn reads_ten_thousand_rows_in_one_statement(context: &Context<'_>) {
    let rows = items(context, 10_000).await;
    let found = context.repository::<Item>().retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap();
    context.assert_traffic(1, 1);
    assert!(found == rows);
}

async fn reads_inside_a_transaction_what_it_has_written(context: &Context<'_>) {
    let rows = items(context, 3).await;
    let tx = context.db.begin().await.unwrap();
    let inside = tx.repository::<Item>();
    let key = inside.create(&Item::new(9)).await.unwrap();
    assert!(inside.delete(rows[0].id).await.unwrap());
    assert_eq!(inside.retrieve(key).await.unwrap().unwrap().amount, 9);
    assert_eq!(inside.retrieve_by_keys(&[rows[0].id, key]).await.unwrap()[0], None);
    assert_eq!(inside.count(()).await.unwrap(), 3);
    assert_eq!(context.repository::<Item>().retrieve(key).await.unwrap(), None);
    assert!(context.repository::<Item>().retrieve(rows[0].id).await.unwrap().is_some());
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 3);
}
