//! `create` and `create_multiple`.

use std::collections::HashSet;

use super::support::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::plan::Verb;
use crate::{Entity, Field};

cases! {
    creates_one_row_and_yields_its_key: [1] [];
    creates_many_rows_in_one_statement_with_keys_in_input_order: [1, 2, 3] [];
    writes_back_what_the_database_and_arx_have_made: [1, 5] [];
    creating_nothing_sends_nothing: [3] [];
    creates_without_keys_and_counts: [2, 3] [];
    creates_with_the_keys_that_the_rows_carry: [1] [];
    returns_whole_entities_in_input_order: [1, 5] [];
    writes_one_row_back: [1, 5] [];
    stamps_versions_and_times_from_the_clock: [5, 6] [];
    defaults_in_one_batch_follow_their_own_rows: [1, 2, 4, 5] [];
    creates_every_row_whatever_the_size_of_the_batch: [1, 3, 4, 5] [];
    creates_inside_a_transaction: [1, 2] [];
    null_in_the_first_row_keeps_the_type_of_the_column: [4, 5] [];
    leaves_out_what_an_insert_does_not_write: [5] [];
}

async fn creates_one_row_and_yields_its_key(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let first = items.create(&Item::new(1)).await.unwrap();
    let second = items.create(&Item::new(2)).await.unwrap();
    context.assert_traffic(2, 2);
    assert!(second > first);
    let stored = items.retrieve(second).await.unwrap().unwrap();
    assert_eq!(stored, Item { id: second, ..Item::new(2) });
}

async fn creates_many_rows_in_one_statement_with_keys_in_input_order(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let rows: Vec<_> = Item::many(10_000).into_iter().rev().collect();
    let keys = items.create_multiple(&rows).await.unwrap();
    context.assert_bulk::<Item>(Verb::Insert, 10_000);
    let stored = items.retrieve_by_keys(&keys).await.unwrap();
    for (row, (key, stored)) in rows.iter().zip(keys.iter().zip(stored)) {
        assert_eq!(stored.unwrap(), Item { id: *key, ..row.clone() });
    }
}

async fn writes_back_what_the_database_and_arx_have_made(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut rows = vec![Document::new("a"), Document::new("b"), Document::new("c"), Document::new("d")];
    rows[1].rank = Field::Set(None);
    rows[3].rank = Field::Set(Some(9));
    let keys = documents.create_multiple(&mut rows).await.unwrap();
    let ranks: Vec<_> = rows.iter().map(|row| row.rank).collect();
    assert_eq!(ranks, [Field::Set(Some(5)), Field::Set(None), Field::Set(Some(5)), Field::Set(Some(9))]);
    assert_eq!(keys, rows.iter().map(|row| row.id).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.version == 1 && row.created.timestamp_micros() == context.now()));
    let stored: Vec<_> = documents.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
}

async fn creating_nothing_sends_nothing(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    assert_eq!(items.create_multiple(&[]).await.unwrap(), Vec::<i64>::new());
    assert_eq!(items.create_multiple(&[]).without_keys().await.unwrap(), 0);
    assert!(items.create_multiple(&[]).returning().await.unwrap().is_empty());
    assert_eq!(items.create_multiple(&mut []).with_keys().find_failing_row().await.unwrap(), Vec::<i64>::new());
    context.assert_traffic(0, 0);
}

async fn creates_without_keys_and_counts(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let rows = Item::many(3_000);
    assert_eq!(items.create_multiple(&rows).without_keys().await.unwrap(), 3_000);
    context.assert_bulk::<Item>(Verb::Insert, 3_000);
    assert_eq!(items.create_multiple(&rows[..1]).without_keys().await.unwrap(), 1);
    context.assert_traffic(1, 1);
    let mut amounts: Vec<_> =
        items.retrieve_multiple(()).await.unwrap().into_iter().map(|item| Item { id: 0, ..item }).collect();
    amounts.sort_by_key(|item| item.amount);
    assert_eq!(amounts[1..], rows);
}

async fn creates_with_the_keys_that_the_rows_carry(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut rows: Vec<_> = (0..100).map(|number| Item { id: 5_000 - i64::from(number), ..Item::new(number) }).collect();
    let wanted: Vec<i64> = rows.iter().map(|row| row.id).collect();
    assert_eq!(items.create_multiple(&rows[..50]).with_keys().await.unwrap(), wanted[..50]);
    let before = rows.clone();
    assert_eq!(items.create_multiple(&mut rows[50..]).with_keys().await.unwrap(), wanted[50..]);
    assert_eq!(rows, before);
    let stored: Vec<_> = items.retrieve_by_keys(&wanted).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
    let one = Item { id: 77, ..Item::new(1) };
    assert_eq!(items.create(&one).with_keys().await.unwrap(), 77);
    assert_eq!(items.retrieve(77).await.unwrap(), Some(one));
    let counted = [Item { id: 78, ..Item::new(1) }, Item { id: 79, ..Item::new(2) }];
    assert_eq!(items.create_multiple(&counted).with_keys().without_keys().await.unwrap(), 2);
    assert!(items.retrieve(79).await.unwrap().is_some());
}

async fn returns_whole_entities_in_input_order(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut rows: Vec<_> = (0..500).rev().map(|number| Document::new(format!("title {number}"))).collect();
    rows.iter_mut().step_by(2).for_each(|row| row.rank = Field::Set(None));
    let full = documents.create_multiple(&rows).returning().await.unwrap();
    assert_eq!(full.len(), 500);
    for (number, (sent, full)) in rows.iter().zip(&full).enumerate() {
        let rank = Field::Set((number % 2 != 0).then_some(5));
        assert_eq!((&full.title, full.version, full.rank), (&sent.title, 1, rank));
    }
    let keys: Vec<_> = full.iter().map(|row| row.id).collect();
    let stored: Vec<_> = documents.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, full);
    let one = documents.create_multiple(&[Document::new("one")]).returning().await.unwrap();
    assert_eq!(documents.retrieve(one[0].id).await.unwrap().as_ref(), one.first());
}

async fn writes_one_row_back(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut row = Document::new("a");
    let key = documents.create(&mut row).await.unwrap();
    let (statements, trips) = if context.returns() { (1, 1) } else { (2, 4) };
    context.assert_traffic(statements, trips);
    assert_eq!((row.id, row.version, row.rank), (key, 1, Field::Set(Some(5))));
    assert_eq!((row.created.timestamp_micros(), row.updated), (context.now(), row.created));
    assert_eq!(documents.retrieve(key).await.unwrap(), Some(row));
    let shared = Document::new("b");
    documents.create(&shared).await.unwrap();
    assert_eq!(shared, Document::new("b"));
}

async fn stamps_versions_and_times_from_the_clock(context: &Context<'_>) {
    context.create_table::<Document>().await;
    let documents = context.repository::<Document>();
    // What the row carries in these columns is not sent.
    let stale = Document { version: 77, ..Document::new("a") };
    let first = documents.create(&stale).await.unwrap();
    context.advance(1);
    let second = documents.create_multiple(&[Document::new("b"), Document::new("c")]).await.unwrap();
    let first = documents.retrieve(first).await.unwrap().unwrap();
    let second = documents.retrieve(second[1]).await.unwrap().unwrap();
    assert_eq!((first.version, second.version), (1, 1));
    assert_eq!(first.created.timestamp_micros() + 1, context.now());
    assert_eq!(second.created.timestamp_micros(), context.now());
    assert_eq!((first.updated, second.updated), (first.created, second.created));
}

/// Two columns that may be left to the database: four patterns.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "settings")]
struct Setting {
    #[arx(key, generated)]
    id: i64,
    name: String,
    level: Field<i32>,
    label: Field<Option<String>>,
}

async fn defaults_in_one_batch_follow_their_own_rows(context: &Context<'_>) {
    context.create_table_with::<Setting>(&[("level", "DEFAULT 7"), ("label", "DEFAULT 'plain'")], &[]).await;
    let settings = context.repository::<Setting>();
    let row = |number: i32| Setting {
        id: 0,
        name: format!("n{number}"),
        level: if number % 2 == 0 { Field::Default } else { Field::Set(number) },
        label: match number % 4 {
            0 | 1 => Field::Default,
            2 => Field::Set(None),
            _ => Field::Set(Some(format!("l{number}"))),
        },
    };
    let mut rows: Vec<_> = (0..400).map(row).collect();
    let keys = settings.create_multiple(&mut rows).await.unwrap();
    // The statements of each of the four patterns, in one transaction.
    let read = if context.returns() { 0 } else { context.statements::<Setting>(Verb::Select, 100) };
    // Rows of the fourth have all their values.
    let statements = 4 * context.statements::<Setting>(Verb::Insert, 100) + 3 * read;
    context.assert_traffic(statements, statements + 2);
    for (number, row) in (0..400).zip(&rows) {
        assert_eq!(row.name, format!("n{number}"));
        assert_eq!(row.level, Field::Set(if number % 2 == 0 { 7 } else { number }));
        let label = match number % 4 {
            0 | 1 => Some("plain".to_owned()),
            2 => None,
            _ => Some(format!("l{number}")),
        };
        assert_eq!(row.label, Field::Set(label));
    }
    let stored: Vec<_> = settings.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
    let all_defaulted = [row(0), row(4), row(8)];
    let full = settings.create_multiple(&all_defaulted).returning().await.unwrap();
    assert!(full.iter().all(|row| row.level == Field::Set(7)));
}

async fn creates_every_row_whatever_the_size_of_the_batch(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut random = fastrand::Rng::with_seed(1);
    let mut texts = HashSet::new();
    let sizes = (0..25).map(|_| random.i32(1..2_000)).chain([1, 2, 3, 255, 256, 257, 2_000]).collect::<Vec<_>>();
    for size in sizes {
        let mut rows = Item::many(size);
        rows.iter_mut().for_each(|row| row.note = random.bool().then(|| format!("{}", random.u64(..))));
        random.shuffle(&mut rows);
        let before = stored::<Item>(&context.db).await;
        context.log.reset();
        let keys = items.create_multiple(&rows).await.unwrap();
        texts.extend(context.log.texts());
        assert_eq!(stored::<Item>(&context.db).await, before + u64::try_from(size).unwrap());
        assert!(keys.windows(2).all(|pair| pair[0] != pair[1]) && keys.len() == rows.len());
        let stored = items.retrieve_by_keys(&keys).await.unwrap();
        for (row, (key, stored)) in rows.iter().zip(keys.iter().zip(stored)) {
            assert_eq!(stored.as_ref(), Some(&Item { id: *key, ..row.clone() }));
        }
    }
    assert!(texts.len() <= 12, "{} texts", texts.len());
}

async fn creates_inside_a_transaction(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let tx = context.db.begin().await.unwrap();
    let items = tx.repository::<Item>();
    context.log.reset();
    let one = items.create(&Item::new(0)).await.unwrap();
    context.assert_traffic(1, 1);
    let rows = Item::many(100);
    let keys = items.create_multiple(&rows).await.unwrap();
    // A savepoint, where many rows may have to be undone or a failure aborts the transaction.
    let statements = context.statements::<Item>(Verb::Insert, 100);
    let is_shielded = context.is_in_process() || context.db.pool().dialect().limits().aborts || statements > 1;
    context.assert_traffic(statements, if is_shielded { statements + 2 } else { 1 });
    let stored: Vec<_> = items.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert!(stored.iter().zip(&rows).all(|(stored, row)| stored.name == row.name) && stored.len() == 100);
    tx.commit().await.unwrap();
    assert!(context.repository::<Item>().retrieve(one).await.unwrap().is_some());
    assert_eq!(context.repository::<Item>().count(()).await.unwrap(), 101);
}

async fn null_in_the_first_row_keeps_the_type_of_the_column(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    for null_at in 0..4 {
        let mut rows = Item::many(4);
        rows.iter_mut().enumerate().for_each(|(row, item)| item.note = (row != null_at).then(|| "x".to_owned()));
        let full = items.create_multiple(&rows).returning().await.unwrap();
        assert!(full.iter().zip(&rows).all(|(full, row)| full.note == row.note));
    }
    let mut nulls = Item::many(4);
    nulls.iter_mut().for_each(|row| row.note = None);
    let full = items.create_multiple(&nulls).returning().await.unwrap();
    assert!(full.iter().all(|row| row.note.is_none()));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "partly")]
struct Partly {
    #[arx(key, generated)]
    id: i64,
    #[arx(skip_insert)]
    counter: Option<i32>,
    #[arx(skip_update)]
    origin: String,
    #[arx(skip)]
    cached: i32,
    name: String,
}

async fn leaves_out_what_an_insert_does_not_write(context: &Context<'_>) {
    context.create_table_with::<Partly>(&[("counter", "DEFAULT 3")], &[]).await;
    let repository = context.repository::<Partly>();
    let row =
        |name: &str| Partly { id: 0, counter: Some(99), origin: "here".to_owned(), cached: 5, name: name.to_owned() };
    let full = repository.create_multiple(&[row("a"), row("b")]).returning().await.unwrap();
    assert!(full.iter().all(|row| (row.counter, row.cached) == (Some(3), 0)));
    let changed = Partly { counter: Some(4), origin: "there".to_owned(), ..full[1].clone() };
    repository.update(&changed).await.unwrap();
    let stored = repository.retrieve(changed.id).await.unwrap().unwrap();
    assert_eq!((stored.counter, stored.origin.as_str()), (Some(4), "here"));
}
