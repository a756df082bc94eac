//! Keys that occur twice in one batch, for arx or only for the database.

use uuid::Uuid;

use super::support::{assert_error, ignoring_case, named};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::error::RowReason;
use crate::repository::LastWins;
use crate::{Entity, ErrorKind, Field};

cases! {
    equal_keys_of_one_batch_are_named: [2, 9] [];
    the_last_of_equal_keys_is_written: [9] [];
    equal_keys_of_versioned_rows_are_named: [9] [];
    equal_keys_of_a_delete_are_named: [9] [];
    equal_texts_of_one_batch_are_named: [9] [];
    texts_that_only_the_database_takes_as_equal_are_named: [2, 9] [];
    uuids_bytes_and_dates_are_compared_by_arx: [9] [];
}

async fn items(context: &Context<'_>, count: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    rows
}

fn duplicates(error: &crate::Error) -> Vec<(usize, usize)> {
    let pair = |row: &crate::error::RowFault| match row.reason() {
        RowReason::Duplicate { of } => (row.index(), of),
        other => panic!("{other:?}"),
    };
    error.rows().iter().map(pair).collect()
}

async fn equal_keys_of_one_batch_are_named(context: &Context<'_>) {
    let rows = items(context, 10).await;
    let repository = context.repository::<Item>();
    let batch = [9, 2, 5, 2, 7, 9, 2].map(|row: usize| Item { amount: -1, ..rows[row].clone() });
    let error = repository.update_multiple(&batch).await.unwrap_err();
    assert_error(&error, ErrorKind::DuplicateKey, &["note", "item 2"]);
    assert_eq!(duplicates(&error), [(3, 1), (5, 0), (6, 1)]);
    context.assert_traffic(0, 0);
    assert_eq!(repository.count(Item::AMOUNT.eq(-1)).await.unwrap(), 0);
}

async fn the_last_of_equal_keys_is_written(context: &Context<'_>) {
    let rows = items(context, 10).await;
    let repository = context.repository::<Item>();
    let mut batch: Vec<_> =
        [9, 2, 5, 2, 7, 9, 2].iter().zip(100..).map(|(&row, amount)| Item { amount, ..rows[row].clone() }).collect();
    let updated = repository.update_multiple(&mut batch).duplicates(LastWins).await.unwrap();
    assert_eq!(updated.matched, 4);
    context.assert_traffic(1, 1);
    let stored = repository.retrieve_by_keys(&[rows[2].id, rows[5].id, rows[7].id, rows[9].id]).await.unwrap();
    assert_eq!(stored.iter().flatten().map(|row| row.amount).collect::<Vec<_>>(), [106, 102, 104, 105]);
    let updated = repository.update_multiple(&batch).duplicates(LastWins).require_all().await.unwrap();
    assert_eq!(updated.matched, 4);
}

async fn equal_keys_of_versioned_rows_are_named(context: &Context<'_>) {
    context.create_table::<Document>().await;
    let documents = context.repository::<Document>();
    let mut rows = [Document::new("a"), Document::new("b")];
    rows.iter_mut().for_each(|row| row.rank = Field::Set(None));
    documents.create_multiple(&mut rows).await.unwrap();
    let batch = [rows[1].clone(), rows[0].clone(), rows[1].clone()];
    let error = documents.update_multiple(&batch).await.unwrap_err();
    assert_eq!((error.kind(), duplicates(&error)), (ErrorKind::DuplicateKey, vec![(2, 0)]));
    let mut batch = batch;
    batch[2].title = "last".to_owned();
    assert_eq!(documents.update_multiple(&mut batch).duplicates(LastWins).await.unwrap().matched, 2);
    let stored = documents.retrieve(rows[1].id).await.unwrap().unwrap();
    assert_eq!((stored.title.as_str(), stored.version), ("last", 2));
    assert!(batch.iter().all(|row| row.version == 2));
}

async fn equal_keys_of_a_delete_are_named(context: &Context<'_>) {
    let rows = items(context, 5).await;
    let repository = context.repository::<Item>();
    let keys = [rows[3].id, rows[1].id, rows[3].id];
    let error = repository.delete_multiple(&keys).await.unwrap_err();
    assert_eq!((error.kind(), duplicates(&error)), (ErrorKind::DuplicateKey, vec![(2, 0)]));
    context.assert_traffic(0, 0);
    assert_eq!(repository.delete_multiple(&keys).duplicates(LastWins).await.unwrap(), 2);
    assert_eq!(repository.count(()).await.unwrap(), 3);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "words")]
struct Word {
    #[arx(key)]
    code: String,
    meaning: String,
}

fn word(code: &str, meaning: &str) -> Word {
    Word { code: code.to_owned(), meaning: meaning.to_owned() }
}

async fn equal_texts_of_one_batch_are_named(context: &Context<'_>) {
    context.create_table::<Word>().await;
    let words = context.repository::<Word>();
    words.create_multiple(&[word("a", ""), word("b", ""), word("c", "")]).await.unwrap();
    let batch = [word("b", "1"), word("a", "2"), word("b", "3")];
    let error = words.update_multiple(&batch).await.unwrap_err();
    assert_eq!((error.kind(), duplicates(&error)), (ErrorKind::DuplicateKey, vec![(2, 0)]));
    assert_eq!(words.update_multiple(&batch).duplicates(LastWins).await.unwrap().matched, 2);
    assert_eq!(words.retrieve("b").await.unwrap(), Some(word("b", "3")));
    // Fewer matched than sent: arx asks whether two of them were one, and they were not.
    assert_eq!(words.update_multiple(&[word("a", "4"), word("missing", "5")]).await.unwrap().matched, 1);
    assert_eq!(words.retrieve("a").await.unwrap(), Some(word("a", "4")));
    assert_eq!(words.delete_multiple(&["a".to_owned(), "missing".to_owned()]).await.unwrap(), 1);
}

async fn texts_that_only_the_database_takes_as_equal_are_named(context: &Context<'_>) {
    let clause = ignoring_case(context).await;
    context.create_table_with::<Word>(&[("code", clause)], &[]).await;
    let words = context.repository::<Word>();
    words.create_multiple(&[word("alpha", "0"), word("beta", "0"), word("gamma", "0")]).await.unwrap();
    let batch = [word("beta", "secret"), word("ALPHA", "secret"), word("Beta", "secret"), word("Gamma", "secret")];
    for require_all in [false, true] {
        let update = words.update_multiple(&batch);
        let error = if require_all { update.require_all().await } else { update.await }.unwrap_err();
        assert_error(&error, ErrorKind::DuplicateKey, &["secret"]);
        assert_eq!(duplicates(&error), [(2, 0)]);
        assert_eq!(words.count(Word::MEANING.eq("secret")).await.unwrap(), 0);
    }
    assert_eq!(words.update_multiple(&batch[..2]).require_all().await.unwrap().matched, 2);
    assert_eq!(words.count(Word::MEANING.eq("secret")).await.unwrap(), 2);
    // Reads and deletes by these keys find the rows that the database takes as theirs.
    let keys = ["BETA", "nothing", "beta", "aLPHA"].map(str::to_owned);
    let found = words.retrieve_by_keys(&keys).await.unwrap();
    let codes: Vec<_> = found.iter().map(|row| row.as_ref().map(|row| row.code.as_str())).collect();
    assert_eq!(codes, [Some("beta"), None, Some("beta"), Some("alpha")]);
    assert_eq!(words.retrieve("GAMMA").await.unwrap().unwrap().code, "gamma");
    assert_eq!(words.delete_multiple(&["ALPHA".to_owned(), "Beta".to_owned()]).await.unwrap(), 2);
}

macro_rules! keyed {
    ($($name:ident $type:ty;)+) => {$(
        #[derive(Entity, Clone, Debug, PartialEq)]
        struct $name {
            #[arx(key)]
            id: $type,
            place: i32,
        }
    )+};
}

keyed! {
    ByUuid Uuid;
    ByBytes Vec<u8>;
    ByDate chrono::NaiveDate;
    ByFlag bool;
}

macro_rules! check_keys {
    ($context:ident, $name:ident, $keys:expr) => {{
        $context.create_table::<$name>().await;
        let repository = $context.repository::<$name>();
        let keys = $keys;
        let mut rows: Vec<_> = keys.iter().cloned().zip(0..).map(|(id, place)| $name { id, place }).collect();
        assert_eq!(repository.create_multiple(&rows).await.unwrap(), keys);
        rows.reverse();
        rows.iter_mut().for_each(|row| row.place += 100);
        assert_eq!(repository.update_multiple(&rows).require_all().await.unwrap().matched, keys.len() as u64);
        let stored = repository.retrieve_by_keys(&keys).await.unwrap();
        assert!(stored.into_iter().flatten().eq(rows.iter().rev().cloned()));
        let twice = [rows[0].clone(), rows[1].clone(), rows[0].clone()];
        $context.log.reset();
        let error = repository.update_multiple(&twice).await.unwrap_err();
        assert_eq!((error.kind(), duplicates(&error)), (ErrorKind::DuplicateKey, vec![(2, 0)]));
        assert_eq!(named(&error), [2]);
        $context.assert_traffic(0, 0);
        let repeated = [keys[1].clone(), keys[0].clone(), keys[1].clone()];
        let found = repository.retrieve_by_keys(&repeated).await.unwrap();
        assert!(found.iter().zip(&repeated).all(|(row, key)| row.as_ref().unwrap().id == *key));
        assert_eq!(repository.delete_multiple(&keys).await.unwrap(), keys.len() as u64);
    }};
}

async fn uuids_bytes_and_dates_are_compared_by_arx(context: &Context<'_>) {
    let date = |text: &str| text.parse::<chrono::NaiveDate>().unwrap();
    check_keys!(context, ByUuid, [3_u128, 1, u128::MAX, 0].map(Uuid::from_u128));
    check_keys!(context, ByBytes, [&b"b"[..], b"", b"\0", b"\0\xff", b"\xff"].map(<[u8]>::to_vec));
    check_keys!(context, ByDate, ["2024-02-29", "1969-12-31", "0001-01-01"].map(date));
    check_keys!(context, ByFlag, [true, false]);
}
