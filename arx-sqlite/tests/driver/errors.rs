//! SQLite's result codes as kinds, with the names that its messages carry.

use std::time::Duration;

use arx::ErrorKind;
use arx::prelude::*;

use crate::support::{Folder, memory};

const DDL: &str = "
    CREATE TABLE owners (id INTEGER PRIMARY KEY);
    CREATE TABLE things (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL UNIQUE,
        size INTEGER CONSTRAINT size_is_positive CHECK (size > 0),
        owner INTEGER REFERENCES owners,
        UNIQUE (size, owner)
    );
    CREATE UNIQUE INDEX things_doubled ON things (size * 2);
    INSERT INTO things VALUES (1, 'secret', 1, NULL);
    CREATE TRIGGER no_thirteen BEFORE INSERT ON things WHEN new.size = 13 BEGIN SELECT RAISE(ABORT, 'unlucky'); END;
";

#[derive(Entity, Clone, Debug)]
#[arx(table = "things")]
struct Thing {
    #[arx(key)]
    id: i64,
    #[arx(column = "code")]
    label: Option<String>,
    size: Option<i64>,
    owner: Option<i64>,
}

fn thing(id: i64, label: Option<&str>, size: i64, owner: Option<i64>) -> Thing {
    Thing { id, label: label.map(str::to_owned), size: Some(size), owner }
}

#[tokio::test]
async fn constraints_have_kinds_names_and_rows() {
    let database = memory(DDL).await;
    let things = database.repository::<Thing>();
    use ErrorKind::{CheckViolation, ForeignKeyViolation, NotNullViolation, UniqueViolation};
    let cases = [
        (thing(1, Some("b"), 2, None), UniqueViolation, Some("things.id"), Some("Thing.id")),
        (thing(2, Some("secret"), 2, None), UniqueViolation, Some("things.code"), Some("Thing.label")),
        (thing(2, Some("b"), 1, None), UniqueViolation, Some("things_doubled"), None),
        (thing(2, None, 2, None), NotNullViolation, None, Some("Thing.label")),
        (thing(2, Some("b"), -1, None), CheckViolation, Some("size_is_positive"), None),
        (thing(2, Some("b"), 2, Some(9)), ForeignKeyViolation, None, None),
        (thing(2, Some("b"), 13, None), ErrorKind::Database, None, None),
    ];
    for (bad, kind, constraint, column) in cases {
        let good: Vec<_> = (10..13).map(|id| thing(id, Some(&format!("t{id}")), id, None)).collect();
        let rows = [&good[..], std::slice::from_ref(&bad)].concat();
        let error = things.create_multiple(&rows).await.unwrap_err();
        assert_eq!((error.kind(), error.constraint(), error.column()), (kind, constraint, column), "{error}");
        assert_eq!(error.rows().first().map(|row| row.index()), Some(3), "{error}");
        assert!(!error.to_string().to_lowercase().contains("secret"), "{error}");
        assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<rusqlite::Error>()));
        assert_eq!(things.count(()).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn other_codes_have_kinds_too() {
    let database = memory("CREATE TABLE strict (n INTEGER) STRICT").await;
    let cases = [
        ("SELECT * FROM missing", ErrorKind::UndefinedObject),
        ("SELECT missing FROM strict", ErrorKind::UndefinedObject),
        ("SELECT \"missing\" FROM strict", ErrorKind::UndefinedObject),
        ("INSERT INTO strict (missing) VALUES (1)", ErrorKind::UndefinedObject),
        ("SELECT missing()", ErrorKind::UndefinedObject),
        ("INSERT INTO strict VALUES ('x')", ErrorKind::ValueRejected),
        ("SELEKT 1", ErrorKind::Database),
        ("SELECT ?", ErrorKind::InvalidInput),
        ("INSERT INTO strict VALUES (zeroblob(1 << 40))", ErrorKind::ValueRejected),
    ];
    for (sql, kind) in cases {
        assert_eq!(database.run(sql, ()).await.unwrap_err().kind(), kind, "{sql}");
    }
    assert_eq!(database.run("SELECT ?", (1_i64, 2_i64)).await.unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!(database.run("SELECT ?; SELECT 1", (1_i64,)).await.unwrap_err().kind(), ErrorKind::InvalidInput);
    let read = database.begin().read_only().await.unwrap();
    assert_eq!(read.run("INSERT INTO strict VALUES (1)", ()).await.unwrap_err().kind(), ErrorKind::ReadOnly);
    read.rollback().await.unwrap();
    assert_eq!(database.run("INSERT INTO strict VALUES (1)", ()).await.unwrap(), 1);
}

#[tokio::test]
async fn files_that_cannot_be_opened() {
    let folder = Folder::new();
    let missing = folder.options().create_if_missing(false).open().await.err().unwrap();
    assert_eq!(missing.kind(), ErrorKind::Configuration);
    std::fs::write(folder.file("test.db"), "this is no database, but text that is long enough to be one").unwrap();
    let text = folder.options().open().await.err().unwrap();
    assert_eq!(text.kind(), ErrorKind::Configuration);
    for url in ["foo:hunter2", "postgres://user:hunter2@host/shop", "mysql:shop"] {
        let error = arx_sqlite::connect(url).await.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(!format!("{error} {error:?}").contains("hunter2"));
    }
}

#[tokio::test]
async fn a_lock_of_another_process_ends_in_a_timeout() {
    let folder = Folder::new();
    let database = Database::from(folder.options().busy_timeout(Duration::from_millis(50)).open().await.unwrap());
    database.run("CREATE TABLE t (n INTEGER)", ()).await.unwrap();
    let other = rusqlite::Connection::open(folder.file("test.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(database.run("INSERT INTO t VALUES (1)", ()).await.unwrap_err().kind(), ErrorKind::Timeout);
    assert_eq!(database.begin().await.err().unwrap().kind(), ErrorKind::Timeout);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(database.run("INSERT INTO t VALUES (1)", ()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_transaction_that_sqlite_rolled_back_says_so() {
    let database = memory("CREATE TABLE t (n INTEGER PRIMARY KEY)").await;
    let tx = database.begin().await.unwrap();
    tx.run("INSERT INTO t VALUES (1)", ()).await.unwrap();
    assert!(tx.run("INSERT OR ROLLBACK INTO t VALUES (1)", ()).await.unwrap_err().is_unique_violation());
    // Without this, the next statement would be written outside any transaction.
    let error = tx.run("INSERT INTO t VALUES (2)", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TransactionAborted);
    assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
    assert_eq!(database.run("INSERT INTO t VALUES (3)", ()).await.unwrap(), 1);
    assert_eq!(crate::support::number(&database, "SELECT sum(n) FROM t").await, 3);
}

#[tokio::test]
async fn a_commit_that_fails_is_rolled_back() {
    let ddl = "CREATE TABLE a (id INTEGER PRIMARY KEY);
        CREATE TABLE b (a INTEGER REFERENCES a DEFERRABLE INITIALLY DEFERRED)";
    let database = memory(ddl).await;
    let tx = database.begin().await.unwrap();
    tx.run("INSERT INTO b VALUES (1)", ()).await.unwrap();
    assert!(tx.commit().await.unwrap_err().is_foreign_key_violation());
    assert_eq!(crate::support::number(&database, "SELECT count(*) FROM b").await, 0);
}
