//! Transactions that the application began with sqlx.

use arx::prelude::*;

use super::{DropAt, Fixture};

#[derive(Entity, Clone, Debug)]
#[arx(table = "notes")]
struct Note {
    #[arx(key)]
    id: i64,
    text: String,
}

const TABLE: &str = "CREATE TABLE notes (id int8 PRIMARY KEY, text text NOT NULL)";
const COUNT: &str = "SELECT count(*) FROM notes";

fn note(id: i64) -> Note {
    Note { id, text: "x".repeat(usize::try_from(id).unwrap_or_default() * 10) }
}

async fn insert(transaction: &mut sqlx::Transaction<'_, sqlx::Postgres>, id: i64) {
    sqlx::query("INSERT INTO notes VALUES ($1, 'by sqlx')").bind(id).execute(&mut **transaction).await.unwrap();
}

#[tokio::test]
async fn what_is_committed_is_kept_and_what_is_dropped_is_undone() {
    let Some(fixture) = Fixture::new("driver_joined", 1).await else { return };
    fixture.run(TABLE).await;
    let mut transaction = fixture.pool.begin().await.unwrap();
    insert(&mut transaction, 1).await;
    let tx = arx_postgres::join(&fixture.db, &mut transaction).await.unwrap();
    tx.repository::<Note>().create_multiple(&[note(2), note(3)]).await.unwrap();
    tx.commit().await.unwrap();
    let tx = arx_postgres::join(&fixture.db, &mut transaction).await.unwrap();
    tx.repository::<Note>().create(&note(4)).await.unwrap();
    drop(tx);
    let mut tx = arx_postgres::join(&fixture.db, &mut transaction).await.unwrap();
    let nested = tx.begin().await.unwrap();
    nested.repository::<Note>().create(&note(5)).await.unwrap();
    nested.rollback().await.unwrap();
    tx.repository::<Note>().create(&note(6)).await.unwrap();
    tx.commit().await.unwrap();
    insert(&mut transaction, 7).await;
    transaction.commit().await.unwrap();
    let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(&fixture.pool).await.unwrap();
    assert_eq!(ids, [1, 2, 3, 6, 7]);
}

#[tokio::test]
async fn an_error_undoes_what_was_done_since_joining() {
    let Some(fixture) = Fixture::new("driver_joined_error", 1).await else { return };
    fixture.run(TABLE).await;
    let mut transaction = fixture.pool.begin().await.unwrap();
    insert(&mut transaction, 1).await;
    let tx = arx_postgres::join(&fixture.db, &mut transaction).await.unwrap();
    tx.repository::<Note>().create(&note(2)).await.unwrap();
    assert!(tx.run("INSERT INTO notes VALUES (1, 'again')", ()).await.unwrap_err().is_unique_violation());
    assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
    insert(&mut transaction, 3).await;
    transaction.commit().await.unwrap();
    assert_eq!(fixture.value::<i64>(COUNT).await, 2);
}

#[tokio::test]
async fn joining_an_aborted_transaction_is_an_error() {
    let Some(fixture) = Fixture::new("driver_joined_aborted", 1).await else { return };
    let mut transaction = fixture.pool.begin().await.unwrap();
    sqlx::query("SELECT 1 / 0").execute(&mut *transaction).await.unwrap_err();
    let error = arx_postgres::join(&fixture.db, &mut transaction).await.err().unwrap();
    assert_eq!(error.kind(), ErrorKind::TransactionAborted);
}

/// Whatever is dropped, what the application did before and does after is there when it commits.
#[tokio::test]
async fn a_dropped_future_undoes_no_more_than_what_was_joined() {
    let Some(fixture) = Fixture::new("driver_joined_dropped", 1).await else { return };
    fixture.run(TABLE).await;
    for k in 1.. {
        let mut transaction = fixture.pool.begin().await.unwrap();
        insert(&mut transaction, 1).await;
        let work = async {
            let tx = arx_postgres::join(&fixture.db, &mut transaction).await?;
            tx.repository::<Note>().create_multiple(&(10..60).map(note).collect::<Vec<_>>()).await?;
            tx.repository::<Note>().create(&note(60)).await?;
            tx.rollback().await
        };
        let done = DropAt::new(k, work).await;
        insert(&mut transaction, 2).await;
        transaction.commit().await.unwrap();
        let ids: Vec<i64> =
            sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(&fixture.pool).await.unwrap();
        assert_eq!(ids, [1, 2], "dropped at {k}");
        fixture.run("DELETE FROM notes").await;
        if let Some(done) = done {
            return done.unwrap();
        }
    }
}
