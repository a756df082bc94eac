//! Hand-written SQL, results that do not fit, and statements that outlive their tables.

use arx::prelude::*;

use super::Fixture;

#[derive(Record, Debug, PartialEq)]
struct Number {
    number: i64,
}

#[derive(Record, Debug, PartialEq)]
struct Text {
    text: String,
}

async fn number<'a>(fixture: &'a Fixture, sql: &'a str, arguments: impl arx::query::Arguments<'a>) -> i64 {
    fixture.db.query::<Number>(sql, arguments).await.unwrap()[0].number
}

#[tokio::test]
async fn one_text_takes_arguments_of_several_types() {
    let Some(fixture) = Fixture::new("driver_raw_types", 1).await else { return };
    let sql = "SELECT ($1 + 1)::int8 -- the next";
    assert_eq!(number(&fixture, sql, (41_i32,)).await, 42);
    assert_eq!(number(&fixture, sql, (41_i64,)).await, 42);
    assert_eq!(number(&fixture, sql, (41_i16,)).await, 42);
    assert_eq!(number(&fixture, sql, (41.4_f64,)).await, 42);
    assert_eq!(number(&fixture, sql, (41_i32,)).await, 42);
    assert_eq!(number(&fixture, "SELECT cardinality($1)::int8", (vec![Some(1_i32), None],)).await, 2);
}

#[tokio::test]
async fn a_text_may_be_several_statements() {
    let Some(fixture) = Fixture::new("driver_raw_script", 1).await else { return };
    fixture.run("CREATE TABLE a (v text); CREATE TABLE b (v text); INSERT INTO a VALUES (';'), ('2')").await;
    assert_eq!(number(&fixture, "SELECT count(*) FROM a WHERE v = ';'", ()).await, 1);
    let tx = fixture.db.begin().await.unwrap();
    tx.run("INSERT INTO a VALUES ('3'); INSERT INTO b VALUES ('4')", ()).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(number(&fixture, "SELECT count(*) FROM a", ()).await, 2);
    let error = fixture.db.query::<Number>("SELECT 1::int8; SELECT 2::int8", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(number(&fixture, "SELECT 3::int8", ()).await, 3);
}

#[tokio::test]
async fn too_few_arguments_are_an_error_of_the_call() {
    let Some(fixture) = Fixture::new("driver_raw_arguments", 1).await else { return };
    let error = fixture.db.query::<Number>("SELECT $1::int8", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error:?}");
    assert_eq!(number(&fixture, "SELECT 3::int8", ()).await, 3);
}

#[tokio::test]
async fn a_row_that_does_not_fit_leaves_the_connection_usable() {
    let Some(fixture) = Fixture::new("driver_raw_misfit", 1).await else { return };
    let backend = "SELECT pg_backend_pid()::int8";
    let before = number(&fixture, backend, ()).await;
    let error = fixture.db.query::<Text>("SELECT generate_series(1, 5000)", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("int4") && error.to_string().contains("text"), "{error}");
    assert_eq!(number(&fixture, backend, ()).await, before);
    // A result too long to be read to its end costs the connection instead.
    fixture.db.query::<Text>("SELECT generate_series(1, 3000000)", ()).await.unwrap_err();
    assert_ne!(number(&fixture, backend, ()).await, before);
    let tx = fixture.db.begin().await.unwrap();
    tx.query::<Text>("SELECT generate_series(1, 50000)", ()).await.unwrap_err();
    assert_eq!(tx.query::<Number>("SELECT 5::int8", ()).await.unwrap()[0].number, 5);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn statements_outlive_a_change_of_their_table() {
    let Some(fixture) = Fixture::new("driver_raw_stale", 1).await else { return };
    fixture.run("CREATE TABLE t (v int8); INSERT INTO t VALUES (7)").await;
    let sql = "SELECT * FROM t";
    assert_eq!(number(&fixture, sql, ()).await, 7);
    fixture.run("ALTER TABLE t ADD COLUMN w text").await;
    assert_eq!(number(&fixture, sql, ()).await, 7);
    fixture.run("ALTER TABLE t DROP COLUMN w").await;
    let tx = fixture.db.begin().await.unwrap();
    let error = tx.query::<Number>(sql, ()).await.unwrap_err();
    assert!(error.to_string().contains("table was changed"), "{error}");
    tx.rollback().await.unwrap();
    let tx = fixture.db.begin().await.unwrap();
    assert_eq!(tx.query::<Number>(sql, ()).await.unwrap()[0].number, 7);
    tx.commit().await.unwrap();
    fixture.run("DEALLOCATE ALL").await;
    assert_eq!(number(&fixture, sql, ()).await, 7);
}

#[tokio::test]
async fn the_end_of_an_aborted_transaction_is_an_error() {
    let Some(fixture) = Fixture::new("driver_raw_aborted", 1).await else { return };
    fixture.run("CREATE TABLE t (v int8)").await;
    let tx = fixture.db.begin().await.unwrap();
    tx.run("INSERT INTO t VALUES (1)", ()).await.unwrap();
    tx.run("INSERT INTO t VALUES (1 / 0)", ()).await.unwrap_err();
    assert_eq!(tx.run("INSERT INTO t VALUES (2)", ()).await.unwrap_err().kind(), ErrorKind::TransactionAborted);
    assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
    assert_eq!(number(&fixture, "SELECT count(*) FROM t", ()).await, 0);
}

#[tokio::test]
async fn transactions_begin_as_they_were_asked_to() {
    let Some(fixture) = Fixture::new("driver_raw_begin", 1).await else { return };
    let shown = async |tx: &Tx<'_>, name: &str| {
        tx.query::<Text>(&format!("SELECT current_setting('{name}')"), ()).await.unwrap()[0].text.clone()
    };
    for (isolation, name) in [
        (Isolation::ReadCommitted, "read committed"),
        (Isolation::RepeatableRead, "repeatable read"),
        (Isolation::Serializable, "serializable"),
    ] {
        let tx = fixture.db.begin().isolation(isolation).await.unwrap();
        assert_eq!(shown(&tx, "transaction_isolation").await, name);
        assert_eq!(shown(&tx, "transaction_read_only").await, "off");
        tx.commit().await.unwrap();
        let tx = fixture.db.begin().isolation(isolation).read_only().await.unwrap();
        assert_eq!(shown(&tx, "transaction_isolation").await, name);
        assert_eq!(tx.run("CREATE TABLE t (v int8)", ()).await.unwrap_err().kind(), ErrorKind::ReadOnly);
    }
}
