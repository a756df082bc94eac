//! How many statements there are, and that there are none for nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::stored;
use crate::Field;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};

cases! {
    case_150_batches_of_every_size_share_few_statements: [4] [];
    case_152_thousands_of_writes_share_few_statements: [4] [];
    case_157_nothing_is_written_by_no_statement: [3] [];
    case_159_nothing_is_read_by_no_statement: [3] [];
}

/// At most so many statements may be prepared for a table and a verb, after any history.
const DOZEN: usize = 12;

/// The texts since the last look, of the verb that has most of them.
fn texts(context: &Context<'_>) -> usize {
    let texts: BTreeSet<_> = context.log.texts().into_iter().collect();
    context.log.reset();
    let mut verbs = BTreeMap::<_, usize>::new();
    for text in &texts {
        *verbs.entry(text.split_whitespace().next()).or_default() += 1;
    }
    verbs.into_values().max().unwrap_or_default()
}

/// Every size up to 64, and some up to 1,000.
fn sizes() -> impl Iterator<Item = usize> {
    (1..=64).chain((65..1_000).step_by(37)).chain([127, 128, 129, 255, 256, 257, 999, 1_000])
}

// myxql 109: batches of 1 to 1,000 rows left 1,000 prepared statements on each connection.
async fn case_150_batches_of_every_size_share_few_statements(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let rows = Item::many(1_000);
    let (mut total, mut keys) = (0, Vec::new());
    for size in sizes() {
        keys = items.create_multiple(&rows[..size]).await.unwrap();
        assert_eq!(keys.len(), size);
        total += size;
    }
    assert!(texts(context) <= DOZEN);
    assert_eq!(items.count(()).await.unwrap(), total as u64);
    assert!(stored::<Item>(context, &keys).await.iter().map(|row| row.amount).eq(0..1_000));
    context.log.reset();
    for size in sizes() {
        let mut batch = rows[..size].to_vec();
        // Another pattern of NULL each time.
        batch.iter_mut().zip(0..).for_each(|(row, place)| row.note = (place % size < size / 2).then(String::new));
        items.create_multiple(&batch).without_keys().await.unwrap();
    }
    assert!(texts(context) <= DOZEN);
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    for size in sizes() {
        let mut batch: Vec<_> = (0..size).map(|place| Document::new(format!("{size} {place}"))).collect();
        // One text for the rows with a default and one for those without, wherever they stand.
        batch.iter_mut().step_by(size % 5 + 1).for_each(|row| row.rank = Field::Set(None));
        documents.create_multiple(&mut batch).await.unwrap();
    }
    assert!(texts(context) <= 2 * DOZEN);
}

// mono 3395: updates of rows in ever other numbers and patterns left more than 9,000 statements on a connection.
async fn case_152_thousands_of_writes_share_few_statements(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut rows = Item::many(1_000);
    let keys = items.create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    for size in sizes() {
        let batch = &mut rows[1_000 - size..];
        batch.iter_mut().zip(0..).for_each(|(row, place)| row.note = (place % 3 == size % 3).then(|| size.to_string()));
        assert_eq!(items.update_multiple(&*batch).await.unwrap().matched, size as u64);
    }
    assert!(texts(context) <= DOZEN);
    assert_eq!(stored::<Item>(context, &keys).await, rows);
    context.log.reset();
    for size in sizes() {
        let found = items.retrieve_by_keys(&keys[..size]).await.unwrap();
        assert!(found.iter().all(Option::is_some));
        assert!(items.retrieve_by_keys(&[keys[0]; 3]).await.unwrap().iter().all(Option::is_some));
    }
    assert!(texts(context) <= DOZEN);
    for size in sizes() {
        assert_eq!(items.retrieve_multiple(Item::ID.is_in(&keys[..size])).await.unwrap().len(), size);
    }
    assert!(texts(context) <= context.list_texts());
    for number in 0..100 {
        items
            .retrieve_multiple(Item::AMOUNT.eq(number) & Item::NAME.ne("x"))
            .limit(5)
            .offset(number.unsigned_abs().into())
            .await
            .unwrap();
    }
    assert_eq!(texts(context), 1);
    let mut rest = &keys[..];
    for size in sizes().take(40) {
        let (some, others) = rest.split_at(size);
        assert_eq!(items.delete_multiple(some).await.unwrap(), size as u64);
        rest = others;
    }
    assert!(texts(context) <= DOZEN);
    assert_eq!(items.count(()).await.unwrap(), rest.len() as u64);
}

// orchid-orm 260: `insertMany([])` was an INSERT that ended after VALUES.
async fn case_157_nothing_is_written_by_no_statement(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let none: Vec<Item> = Vec::new();
    assert!(items.create_multiple(&none).await.unwrap().is_empty());
    assert_eq!(items.create_multiple(&none).without_keys().await.unwrap(), 0);
    assert!(items.create_multiple(&none).returning().find_failing_row().await.unwrap().is_empty());
    assert!(items.create_multiple(&none).with_keys().await.unwrap().is_empty());
    assert!(items.create_multiple(&mut Vec::new()).await.unwrap().is_empty());
    assert_eq!(items.update_multiple(&none).await.unwrap().matched, 0);
    assert_eq!(items.update_multiple(&none).require_all().lock_first().await.unwrap().matched, 0);
    assert_eq!(items.delete_multiple(&[]).await.unwrap(), 0);
    context.assert_traffic(0, 0);
    let tx = context.db.begin().await.unwrap();
    assert!(tx.repository::<Item>().create_multiple(&none).await.unwrap().is_empty());
    assert_eq!(tx.repository::<Item>().delete_multiple(&[]).await.unwrap(), 0);
    tx.commit().await.unwrap();
    context.assert_traffic(0, 2);
}

// Loris 8857: a list of no values was `IN ()`, which is no SQL.
async fn case_159_nothing_is_read_by_no_statement(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    items.create_multiple(&Item::many(4)).await.unwrap();
    context.log.reset();
    assert!(items.retrieve_by_keys(&[]).await.unwrap().is_empty());
    assert!(items.retrieve_by_keys(&[]).with_deleted().await.unwrap().is_empty());
    context.assert_traffic(0, 0);
    // A filter is a part of a larger one, so it is sent; of no values none is equal, and all are not.
    let none: [&str; 0] = [];
    assert!(items.retrieve_multiple(Item::NAME.is_in(&none)).await.unwrap().is_empty());
    assert_eq!(items.count(Item::NAME.is_in(&none) | Item::AMOUNT.eq(3)).await.unwrap(), 1);
    assert_eq!(items.count(Item::NAME.is_not_in(&none)).await.unwrap(), 4);
    assert_eq!(items.count(Item::NOTE.is_not_in(&none)).await.unwrap(), 4);
    assert!(!items.exists(Item::ID.is_in(&Vec::new())).await.unwrap());
    assert!(items.exists(!Item::ID.is_in(&[])).await.unwrap());
}
