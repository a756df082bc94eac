//! Batches that fail: nothing of them stays, the row is named, and the connection goes on.

use super::stored;
use crate::conformance::Context;
use crate::conformance::promises::support::ignoring_case;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::error::{RowFault, RowReason};
use crate::{Entity, Error, ErrorKind, Field, LastWins};

cases! {
    case_042_keys_that_only_the_database_takes_for_the_same: [9] [];
    case_044_one_key_twice_in_an_update: [9] [];
    case_079_rows_reported_are_rows_stored: [2] [];
    case_130_the_second_row_exists: [2] [];
    case_141_a_failed_batch_can_be_rolled_back: [2, 13] [];
    case_144_a_failing_row_leaves_no_other: [2] [];
    case_146_a_failed_batch_inside_a_transaction: [2] [];
    case_147_one_key_twice_in_an_insert: [2] [];
    case_154_the_failing_row_of_an_insert_is_found: [2, 8] [];
    case_156_the_failing_row_of_an_update_is_found: [2, 8] [];
}

fn indexes(error: &Error) -> Vec<usize> {
    error.rows().iter().map(RowFault::index).collect()
}

fn reasons(error: &Error) -> Vec<(usize, RowReason)> {
    error.rows().iter().map(|row| (row.index(), row.reason())).collect()
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "t")]
struct Row {
    #[arx(key)]
    id: i32,
    v: i32,
}

fn rows(ids: impl IntoIterator<Item = i32>) -> Vec<Row> {
    ids.into_iter().map(|id| Row { id, v: id * 10 }).collect()
}

async fn all(context: &Context<'_>) -> Vec<Row> {
    context.repository::<Row>().retrieve_multiple(()).order_by(Row::ID.asc()).await.unwrap()
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "codes")]
struct Code {
    #[arx(key)]
    code: String,
    d: i32,
}

// EntityFramework-Plus 743: two keys that differ as texts were one to the database's collation, and the statement
// failed with an error that named neither.
async fn case_042_keys_that_only_the_database_takes_for_the_same(context: &Context<'_>) {
    let clause = ignoring_case(context).await;
    context.create_table_with::<Code>(&[("code", clause)], &[]).await;
    let codes = context.repository::<Code>();
    let row = |code: &str, d| Code { code: code.to_owned(), d };
    codes.create_multiple(&[row("a", 1), row("b", 2), row("c", 3)]).await.unwrap();
    let error = codes.update_multiple(&[row("c", 30), row("B", 20), row("x", 0), row("b", 21)]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateKey, "{error:?}");
    assert_eq!(reasons(&error), [(3, RowReason::Duplicate { of: 1 })]);
    let found = codes.retrieve_by_keys(&["A", "b", "C"].map(str::to_owned)).await.unwrap();
    assert!(found.iter().map(|row| row.as_ref().unwrap().d).eq([1, 2, 3]));
    assert_eq!(codes.update_multiple(&[row("B", 20), row("A", 10)]).await.unwrap().matched, 2);
    let error = codes.create_multiple(&[row("z", 1), row("Z", 2)]).await.unwrap_err();
    assert!(error.is_unique_violation());
    assert_eq!(codes.count(()).await.unwrap(), 3);
}

// EFCore.BulkExtensions 1644: a key that stood twice in an update failed inside the server's MERGE.
async fn case_044_one_key_twice_in_an_update(context: &Context<'_>) {
    context.create_table::<Row>().await;
    let table = context.repository::<Row>();
    table.create_multiple(&rows([5, 6, 7])).await.unwrap();
    let twice =
        [Row { id: 5, v: 1 }, Row { id: 7, v: 2 }, Row { id: 5, v: 3 }, Row { id: 6, v: 4 }, Row { id: 5, v: 5 }];
    context.log.reset();
    let error = table.update_multiple(&twice).await.unwrap_err();
    context.assert_traffic(0, 0);
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert_eq!(reasons(&error), [(2, RowReason::Duplicate { of: 0 }), (4, RowReason::Duplicate { of: 0 })]);
    assert_eq!(all(context).await, rows([5, 6, 7]));
    assert_eq!(table.update_multiple(&twice).duplicates(LastWins).await.unwrap().matched, 3);
    assert!(all(context).await.iter().map(|row| row.v).eq([5, 4, 2]));
    let error = table.delete_multiple(&[6, 5, 6]).await.unwrap_err();
    assert_eq!(reasons(&error), [(2, RowReason::Duplicate { of: 0 })]);
    assert_eq!(table.delete_multiple(&[6, 5, 6]).duplicates(LastWins).await.unwrap(), 2);
}

// MySqlConnector 814: a loader that had turned errors into warnings reported 10,000 rows and had stored none.
async fn case_079_rows_reported_are_rows_stored(context: &Context<'_>) {
    context.create_table_with::<Row>(&[], &["CHECK (v < 99900)"]).await;
    let table = context.repository::<Row>();
    assert_eq!(table.create_multiple(&rows(0..9_000)).without_keys().await.unwrap(), 9_000);
    assert_eq!(table.count(()).await.unwrap(), 9_000);
    let error = table.create_multiple(&rows(9_000..10_000)).without_keys().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CheckViolation);
    assert_eq!(table.count(()).await.unwrap(), 9_000);
    assert_eq!(table.delete_multiple(&(8_000..10_000).collect::<Vec<_>>()).await.unwrap(), 1_000);
    assert_eq!(table.update_multiple(&rows(7_000..9_000)).await.unwrap().matched, 1_000);
}

// pgjdbc 502: of two rows the second existed; the counts claimed that the first was stored, though it was rolled back.
async fn case_130_the_second_row_exists(context: &Context<'_>) {
    context.create_table::<Row>().await;
    let table = context.repository::<Row>();
    table.create(&Row { id: 2, v: 0 }).await.unwrap();
    let two = rows([1, 2]);
    let errors = [
        table.create_multiple(&two).await.unwrap_err(),
        table.create_multiple(&two).without_keys().await.unwrap_err(),
        table.create_multiple(&two).returning().await.unwrap_err(),
        table.create_multiple(&mut two.clone()).await.unwrap_err(),
    ];
    for error in errors {
        assert!(error.is_unique_violation(), "{error:?}");
        assert!(!error.rows().iter().any(|row| row.index() != 1));
    }
    assert_eq!(all(context).await, [Row { id: 2, v: 0 }]);
}

// pgx 1578: after an error in a batch the rollback found the connection busy.
async fn case_141_a_failed_batch_can_be_rolled_back(context: &Context<'_>) {
    context.create_table_with::<Row>(&[], &["CONSTRAINT promo CHECK (v >= 0)"]).await;
    let db = context.another(1).await;
    for round in 0..5 {
        let tx = db.begin().await.unwrap();
        let table = tx.repository::<Row>();
        table.create_multiple(&rows([round * 10, round * 10 + 1])).await.unwrap();
        let bad =
            [Row { id: round * 10 + 2, v: 1 }, Row { id: round * 10 + 3, v: -1 }, Row { id: round * 10 + 4, v: 1 }];
        let error = table.create_multiple(&bad).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::CheckViolation);
        assert!(error.constraint().is_none_or(|name| name == "promo"));
        tx.rollback().await.unwrap();
        assert_eq!(db.repository::<Row>().count(()).await.unwrap(), 0);
    }
    db.repository::<Row>().create_multiple(&rows([1, 2])).await.unwrap();
    assert_eq!(all(context).await, rows([1, 2]));
    db.close().await;
}

// asyncpg 289: of many rows with a failing one in their middle, those before it stayed.
async fn case_144_a_failing_row_leaves_no_other(context: &Context<'_>) {
    context.create_table::<Row>().await;
    let table = context.repository::<Row>();
    table.create(&Row { id: 7, v: 1 }).await.unwrap();
    for place in [0, 1, 500, 998, 999] {
        let mut batch = rows(1_000..2_000);
        batch[place].id = 7;
        assert!(table.create_multiple(&batch).await.unwrap_err().is_unique_violation());
        assert!(table.create_multiple(&batch).without_keys().await.unwrap_err().is_unique_violation());
        assert_eq!(table.count(()).await.unwrap(), 1);
    }
    // Rows that default other columns go in a statement of their own: they are undone as well.
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut batch: Vec<_> = ["a", "b", "c", "a"].into_iter().map(Document::new).collect();
    batch[1].rank = Field::Set(Some(1));
    batch[3].rank = Field::Set(None);
    assert!(documents.create_multiple(&mut batch).await.unwrap_err().is_unique_violation());
    assert!(batch.iter().all(|row| row.id == 0 && row.version == 0));
    assert_eq!(documents.count(()).await.unwrap(), 0);
    batch[3].title = "d".to_owned();
    let keys = documents.create_multiple(&mut batch).await.unwrap();
    let mut changed = batch.clone();
    changed.iter_mut().for_each(|row| row.title = format!("{} new", row.title.replace('c', "a")));
    assert!(documents.update_multiple(&mut changed).await.unwrap_err().is_unique_violation());
    assert!(changed.iter().all(|row| row.version == 1));
    assert_eq!(stored::<Document>(context, &keys).await, batch);
}

// psqlpy 171: a batch that failed inside the caller's transaction took the transaction with it.
async fn case_146_a_failed_batch_inside_a_transaction(context: &Context<'_>) {
    context.create_table_with::<Row>(&[], &["CHECK (v >= 0)"]).await;
    let mut tx = context.db.begin().await.unwrap();
    let table = tx.repository::<Row>();
    table.create_multiple(&rows([1, 2, 3])).await.unwrap();
    assert!(table.create_multiple(&rows([4, 5, 3])).await.unwrap_err().is_unique_violation());
    table.create(&Row { id: 6, v: 6 }).await.unwrap();
    let negative = [Row { id: 1, v: 5 }, Row { id: 2, v: -5 }];
    assert_eq!(table.update_multiple(&negative).await.unwrap_err().kind(), ErrorKind::CheckViolation);
    assert!(table.update_multiple(&rows([1, 9])).require_all().await.unwrap_err().is_not_found());
    assert_eq!(table.delete_multiple(&[2, 9]).await.unwrap(), 1);
    let nested = tx.begin().await.unwrap();
    assert!(nested.repository::<Row>().create_multiple(&rows([7, 7])).await.unwrap_err().is_unique_violation());
    nested.repository::<Row>().create_multiple(&rows([8, 9])).await.unwrap();
    nested.commit().await.unwrap();
    tx.commit().await.unwrap();
    assert!(all(context).await.iter().map(|row| (row.id, row.v)).eq([(1, 10), (3, 30), (6, 6), (8, 80), (9, 90)]));
    // One row needs no savepoint. Where its failure spoils the transaction, a commit says that nothing was kept.
    let tx = context.db.begin().await.unwrap();
    tx.repository::<Row>().create(&Row { id: 20, v: 1 }).await.unwrap();
    assert!(tx.repository::<Row>().create(&Row { id: 1, v: 1 }).await.unwrap_err().is_unique_violation());
    let aborts = context.db.pool().dialect().limits().aborts;
    match tx.commit().await {
        Ok(()) => assert!(!aborts && context.repository::<Row>().retrieve(20).await.unwrap().is_some()),
        Err(error) => {
            assert!(aborts);
            assert_eq!(error.kind(), ErrorKind::TransactionAborted);
            assert_eq!(context.repository::<Row>().retrieve(20).await.unwrap(), None);
        }
    }
    context.assert_usable().await;
}

// cockroach 44706: of `insert 2; insert 2` in one message, the first row stayed.
async fn case_147_one_key_twice_in_an_insert(context: &Context<'_>) {
    context.create_table::<Row>().await;
    let table = context.repository::<Row>();
    for batch in [rows([2, 2]), rows([1, 2, 3, 2]), rows((0..500).chain([499]))] {
        assert!(table.create_multiple(&batch).await.unwrap_err().is_unique_violation());
        assert!(table.create_multiple(&batch).without_keys().await.unwrap_err().is_unique_violation());
        assert_eq!(table.count(()).await.unwrap(), 0);
        let error = table.create_multiple(&batch).find_failing_row().await.unwrap_err();
        assert_eq!(indexes(&error), [batch.len() - 1]);
    }
}

// datajoint-python 747: a failed insert of many rows could not tell which row it was.
async fn case_154_the_failing_row_of_an_insert_is_found(context: &Context<'_>) {
    context.create_table_with::<Row>(&[], &["CHECK (v >= 0)"]).await;
    let table = context.repository::<Row>();
    table.create(&Row { id: 5, v: 1 }).await.unwrap();
    for place in [0, 1, 511, 512, 999] {
        let mut batch = rows(1_000..2_000);
        batch[place].v = -1;
        let error = table.create_multiple(&batch).find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), indexes(&error)), (ErrorKind::CheckViolation, vec![place]));
        batch[place] = Row { id: 5, v: 1 };
        let error = table.create_multiple(&batch).without_keys().find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), indexes(&error)), (ErrorKind::UniqueViolation, vec![place]));
    }
    let tx = context.db.begin().await.unwrap();
    tx.repository::<Row>().create_multiple(&rows([1, 2])).await.unwrap();
    let error = tx.repository::<Row>().create_multiple(&rows([3, 4, 2, 6])).find_failing_row().await.unwrap_err();
    assert_eq!(indexes(&error), [2]);
    tx.commit().await.unwrap();
    assert!(all(context).await.iter().map(|row| row.id).eq([1, 2, 5]));
}

// EntityFramework.Utilities 25: the same wish, to be met by halving the batch.
async fn case_156_the_failing_row_of_an_update_is_found(context: &Context<'_>) {
    context.create_table::<Item>().await;
    context.run("CREATE UNIQUE INDEX unique_amount ON items (amount)").await;
    let items = context.repository::<Item>();
    let mut batch = Item::many(100);
    items.create_multiple(&mut batch).await.unwrap();
    let kept = items.create(&Item::new(5_000)).await.unwrap();
    let before = batch.clone();
    for place in [0, 1, 50, 99] {
        batch.clone_from(&before);
        batch.iter_mut().for_each(|row| row.amount += 1_000);
        batch[place].amount = 5_000;
        let error = items.update_multiple(&batch).find_failing_row().await.unwrap_err();
        assert_eq!((error.kind(), indexes(&error)), (ErrorKind::UniqueViolation, vec![place]));
    }
    assert_eq!(items.retrieve_multiple(Item::ID.ne(kept)).order_by(Item::ID.asc()).await.unwrap(), before);
}
