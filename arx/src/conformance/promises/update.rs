//! `update` and `update_multiple`: what is written, and how many rows are matched.

use std::collections::HashMap;

use super::support::{assert_error, named, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::plan::Verb;
use crate::repository::LastWins;
use crate::{Entity, ErrorKind, Field};

cases! {
    updates_one_row: [2, 7] [];
    updates_many_rows_in_one_statement: [2, 3, 10] [];
    a_row_that_does_not_change_is_matched: [7] [];
    updates_only_the_columns_that_are_named: [5] [];
    refuses_columns_that_an_update_does_not_write: [13] [];
    an_update_has_no_default_to_write: [5, 13] [];
    none_is_null_in_every_row: [5] [];
    updates_forty_thousand_rows: [3] [];
    updating_nothing_sends_nothing: [3] [];
    rows_that_are_not_there_are_passed_over: [7] [];
    every_missing_row_is_named: [2, 8] [];
    updating_one_missing_row_is_an_error: [8, 13] [];
    locks_rows_before_it_writes_them: [10] [];
    updates_rows_by_keys_of_several_columns: [3, 7] [];
    updates_inside_a_transaction_and_undoes_only_itself: [2, 8] [];
    a_shuffled_history_of_updates_is_what_is_stored: [2, 4, 7] [];
}

async fn some_items(context: &Context<'_>, count: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    rows
}

async fn all(context: &Context<'_>) -> Vec<Item> {
    context.repository::<Item>().retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap()
}

async fn updates_one_row(context: &Context<'_>) {
    let mut rows = some_items(context, 3).await;
    rows[1] = Item { name: "changed".to_owned(), note: None, amount: -5, ..rows[1].clone() };
    context.repository::<Item>().update(&rows[1]).await.unwrap();
    context.assert_traffic(1, 1);
    assert_eq!(all(context).await, rows);
}

async fn updates_many_rows_in_one_statement(context: &Context<'_>) {
    let mut rows = some_items(context, 1_000).await;
    for row in &mut rows {
        *row = Item { name: format!("changed {}", row.amount), note: None, amount: row.amount * 2, ..row.clone() };
    }
    let mut shuffled = rows.clone();
    fastrand::Rng::with_seed(3).shuffle(&mut shuffled);
    let updated = context.repository::<Item>().update_multiple(&shuffled).await.unwrap();
    context.assert_bulk::<Item>(Verb::Update, 1_000);
    assert_eq!(updated.matched, 1_000);
    assert_eq!(all(context).await, rows);
}

async fn a_row_that_does_not_change_is_matched(context: &Context<'_>) {
    let rows = some_items(context, 100).await;
    let items = context.repository::<Item>();
    for _ in 0..2 {
        assert_eq!(items.update_multiple(&rows).await.unwrap().matched, 100);
        assert_eq!(items.update_multiple(&rows).require_all().await.unwrap().matched, 100);
        assert_eq!(items.update_multiple(&rows[..1]).await.unwrap().matched, 1);
        items.update(&rows[50]).await.unwrap();
    }
    assert_eq!(all(context).await, rows);
}

async fn updates_only_the_columns_that_are_named(context: &Context<'_>) {
    let rows = some_items(context, 10).await;
    let items = context.repository::<Item>();
    let changed: Vec<_> = rows
        .iter()
        .map(|row| Item { name: "n".to_owned(), note: Some("t".to_owned()), amount: 9, ..row.clone() })
        .collect();
    assert_eq!(items.update_multiple(&changed).columns(Item::NOTE).await.unwrap().matched, 10);
    assert!(all(context).await.iter().zip(&rows).all(|(now, row)| (&now.name, now.amount) == (&row.name, row.amount)));
    assert!(all(context).await.iter().all(|now| now.note.as_deref() == Some("t")));
    items.update(&changed[0]).columns((Item::NAME, Item::AMOUNT)).await.unwrap();
    assert_eq!(all(context).await[0], changed[0]);
    assert_eq!(all(context).await[1].name, rows[1].name);
}

async fn refuses_columns_that_an_update_does_not_write(context: &Context<'_>) {
    context.create_table::<Document>().await;
    let documents = context.repository::<Document>();
    let mut row = Document { rank: Field::Set(None), ..Document::new("secret") };
    documents.create(&mut row).await.unwrap();
    context.log.reset();
    let errors = [
        (documents.update(&row).columns(Document::ID).await, "Document.id"),
        (documents.update(&row).columns((Document::TITLE, Document::VERSION)).await, "Document.version"),
        (documents.update(&row).columns(Document::UPDATED).await, "Document.updated"),
        (documents.update_multiple(&[row.clone()]).columns(Document::ID).await.map(|_| ()), "Document.id"),
    ];
    for (error, column) in errors {
        let error = error.unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &["secret"]);
        assert_eq!(error.column(), Some(column));
    }
    context.assert_traffic(0, 0);
    assert_eq!(documents.retrieve(row.id).await.unwrap(), Some(row));
}

async fn an_update_has_no_default_to_write(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut rows = [Document::new("a"), Document::new("b"), Document::new("c")];
    documents.create_multiple(&mut rows).await.unwrap();
    let before = rows.clone();
    rows[2].rank = Field::Default;
    rows[0].title = "changed".to_owned();
    context.log.reset();
    let error = documents.update_multiple(&mut rows).await.unwrap_err();
    assert_error(&error, ErrorKind::Encode, &["changed"]);
    assert_eq!((error.column(), named(&error)), (Some("Document.rank"), vec![2]));
    assert_eq!(documents.update(&mut rows[2]).await.unwrap_err().kind(), ErrorKind::Encode);
    context.assert_traffic(0, 0);
    assert_eq!(rows[0].version, before[0].version);
    documents.update_multiple(&mut rows).columns(Document::TITLE).await.unwrap();
    let stored = documents.retrieve(rows[2].id).await.unwrap().unwrap();
    assert_eq!(stored.rank, Field::Set(Some(5)));
    assert_eq!(documents.retrieve(rows[0].id).await.unwrap().unwrap().title, "changed");
}

async fn none_is_null_in_every_row(context: &Context<'_>) {
    let mut rows = some_items(context, 50).await;
    let items = context.repository::<Item>();
    for pattern in 0..3 {
        rows.iter_mut().enumerate().for_each(|(number, row)| {
            row.note = (pattern > 0 && number % 2 == pattern % 2).then(|| format!("note {number}"));
        });
        assert_eq!(items.update_multiple(&rows).await.unwrap().matched, 50);
        assert_eq!(all(context).await, rows);
        assert_eq!(items.update_multiple(&rows).columns(Item::NOTE).await.unwrap().matched, 50);
        assert_eq!(all(context).await, rows);
    }
}

async fn updates_forty_thousand_rows(context: &Context<'_>) {
    let mut rows = some_items(context, 40_000).await;
    rows.iter_mut().for_each(|row| row.amount = -row.amount);
    let updated = context.repository::<Item>().update_multiple(&rows).await.unwrap();
    assert_eq!(updated.matched, 40_000);
    assert!(context.log.statements() <= context.statements::<Item>(Verb::Update, 40_000) + 1);
    assert!(all(context).await == rows);
}

async fn updating_nothing_sends_nothing(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    assert_eq!(items.update_multiple(&[]).await.unwrap().matched, 0);
    assert_eq!(items.update_multiple(&mut []).require_all().lock_first().find_failing_row().await.unwrap().matched, 0);
    context.assert_traffic(0, 0);
}

async fn rows_that_are_not_there_are_passed_over(context: &Context<'_>) {
    let mut rows = some_items(context, 10).await;
    rows[3].id = 1_000_003;
    rows[7].id = 1_000_007;
    rows.iter_mut().for_each(|row| row.amount = 77);
    assert_eq!(context.repository::<Item>().update_multiple(&rows).await.unwrap().matched, 8);
    assert_eq!(all(context).await.iter().filter(|row| row.amount == 77).count(), 8);
    assert_eq!(context.repository::<Item>().update_multiple(&rows[3..4]).await.unwrap().matched, 0);
}

async fn every_missing_row_is_named(context: &Context<'_>) {
    let mut rows = some_items(context, 10).await;
    let before = rows.clone();
    rows[3].id = 1_000_007;
    rows[7].id = 1_000_003;
    rows.iter_mut().for_each(|row| row.amount = 77);
    let sent = rows.clone();
    let error = context.repository::<Item>().update_multiple(&mut rows).require_all().await.unwrap_err();
    // The update, and the read that explains it.
    assert_eq!(context.log.statements(), 2);
    assert_error(&error, ErrorKind::NotFound, &["1000007", "1000003"]);
    assert!(error.is_not_found());
    assert_eq!(named(&error), [3, 7]);
    assert_eq!(error.rows().iter().map(crate::error::RowFault::key).collect::<Vec<_>>(), ["1000007", "1000003"]);
    assert_eq!(rows, sent);
    assert_eq!(all(context).await, before);
}

async fn updating_one_missing_row_is_an_error(context: &Context<'_>) {
    some_items(context, 1).await;
    let missing = Item { id: 1_000_000, ..Item::new(5) };
    let error = context.repository::<Item>().update(&missing).await.unwrap_err();
    assert_error(&error, ErrorKind::NotFound, &["1000000"]);
    assert_eq!((named(&error), error.rows()[0].key()), (vec![0], "1000000"));
    assert!(error.to_string().starts_with("update items: "), "{error}");
    context.assert_usable().await;
}

async fn locks_rows_before_it_writes_them(context: &Context<'_>) {
    let mut rows = some_items(context, 200).await;
    rows.reverse();
    rows.iter_mut().for_each(|row| row.amount += 1);
    let updated = context.repository::<Item>().update_multiple(&rows).lock_first().await.unwrap();
    assert_eq!(updated.matched, 200);
    let can_lock = !context.db.pool().dialect().lexis().for_update.is_empty();
    if can_lock {
        assert!(context.log.texts()[0].contains("ORDER BY"), "{}", context.log.texts()[0]);
        let statements = context.statements::<Item>(Verb::Update, 200) + 1;
        context.assert_traffic(statements, statements + 2);
    } else {
        context.assert_traffic(1, 3);
    }
    rows.reverse();
    assert_eq!(all(context).await, rows);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "stock")]
struct Stock {
    count: i32,
    #[arx(key)]
    place: i64,
    #[arx(key)]
    part: String,
}

async fn updates_rows_by_keys_of_several_columns(context: &Context<'_>) {
    context.create_table::<Stock>().await;
    let stock = context.repository::<Stock>();
    let rows =
        (0..300).map(|number| Stock { count: number, place: i64::from(number % 3), part: format!("p{}", number / 3) });
    let mut rows: Vec<_> = rows.collect();
    stock.create_multiple(&rows).await.unwrap();
    context.log.reset();
    rows.iter_mut().for_each(|row| row.count *= 10);
    assert_eq!(stock.update_multiple(&rows).await.unwrap().matched, 300);
    // Only the database can tell whether two of the texts are equal: then the update is undone.
    let statements = context.statements::<Stock>(Verb::Update, 300);
    context.assert_traffic(statements, statements + 2);
    let keys: Vec<_> = rows.iter().map(|row| (row.place, row.part.clone())).collect();
    let found: Vec<_> = stock.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(found, rows);
    rows[1].part = "missing".to_owned();
    rows[2].count = -1;
    let error = stock.update_multiple(&rows).require_all().await.unwrap_err();
    assert_error(&error, ErrorKind::NotFound, &["missing,"]);
    assert_eq!((named(&error), error.rows()[0].key()), (vec![1], "1, missing"));
    assert_eq!(stock.retrieve((2, "p0".to_owned())).await.unwrap().unwrap().count, 20);
    let twice = [rows[5].clone(), rows[6].clone(), rows[5].clone()];
    assert_eq!(stock.update_multiple(&twice).await.unwrap_err().kind(), ErrorKind::DuplicateKey);
    assert_eq!(stock.update_multiple(&twice).duplicates(LastWins).await.unwrap().matched, 2);
}

async fn updates_inside_a_transaction_and_undoes_only_itself(context: &Context<'_>) {
    let mut rows = some_items(context, 10).await;
    let alone = context.another(1).await;
    let tx = alone.begin().await.unwrap();
    let items = tx.repository::<Item>();
    rows[0].amount = 100;
    items.update(&rows[0]).await.unwrap();
    let mut bad = rows.clone();
    bad[9].id = 1_000_000;
    bad.iter_mut().for_each(|row| row.amount = 55);
    let error = items.update_multiple(&bad).require_all().await.unwrap_err();
    assert_eq!((error.kind(), named(&error)), (ErrorKind::NotFound, vec![9]));
    rows[1].amount = 200;
    assert_eq!(items.update_multiple(&rows[1..3]).await.unwrap().matched, 2);
    tx.commit().await.unwrap();
    assert_eq!(all(context).await, rows);
    assert_eq!(stored::<Item>(&alone).await, 10);
}

async fn a_shuffled_history_of_updates_is_what_is_stored(context: &Context<'_>) {
    let rows = some_items(context, 500).await;
    let items = context.repository::<Item>();
    let mut model: HashMap<i64, Item> = rows.iter().map(|row| (row.id, row.clone())).collect();
    let mut random = fastrand::Rng::with_seed(4);
    let mut texts = std::collections::HashSet::new();
    for round in 0..40 {
        let count = random.usize(1..500);
        let mut batch: Vec<_> = model.values().cloned().collect();
        random.shuffle(&mut batch);
        batch.truncate(count);
        for row in &mut batch {
            row.amount = random.i32(..);
            row.note = random.bool().then(|| format!("{round}"));
        }
        context.log.reset();
        let updated = items.update_multiple(&batch).await.unwrap();
        texts.extend(context.log.texts());
        assert_eq!(updated.matched, count as u64);
        model.extend(batch.into_iter().map(|row| (row.id, row)));
    }
    assert!(texts.len() <= 12, "{} texts", texts.len());
    assert!(all(context).await.iter().all(|row| model[&row.id] == *row));
}
