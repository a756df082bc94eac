//! One writer, many readers, and how they are waited for.

use std::sync::Arc;
use std::time::Duration;

use arx::ErrorKind;
use arx::connection::{Begin, Command, Control, Intent, Parameters, Pool};
use arx::dialect::Statement;
use arx::prelude::*;
use futures_util::future::poll_immediate;

use crate::support::{Folder, Slow, memory, number, run};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_increments_from_concurrent_tasks() {
    let folder = Folder::new();
    let database = Database::from(folder.options().spin(true).open().await.unwrap());
    database.run("CREATE TABLE counter (n INTEGER); INSERT INTO counter VALUES (0)", ()).await.unwrap();
    let task = |_| {
        let database = database.clone();
        tokio::spawn(async move {
            for _ in 0..50 {
                let tx = database.begin().await.unwrap();
                tx.run("UPDATE counter SET n = n + 1", ()).await.unwrap();
                tx.commit().await.unwrap();
                let read = database.begin().read_only().await.unwrap();
                read.run("SELECT n FROM counter", ()).await.unwrap();
            }
        })
    };
    let tasks: Vec<_> = (0..20).map(task).collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(number(&database, "SELECT n FROM counter").await, 1_000);
}

#[tokio::test]
async fn readers_do_not_wait_for_the_writer() {
    let folder = Folder::new();
    let database = Database::from(folder.options().open().await.unwrap());
    database.run("CREATE TABLE t (n INTEGER)", ()).await.unwrap();
    let tx = database.begin().await.unwrap();
    tx.run("INSERT INTO t VALUES (1)", ()).await.unwrap();
    let reads = (0..4).map(|_| database.begin().read_only().into_future());
    for read in futures_util::future::try_join_all(reads).await.unwrap() {
        assert_eq!(read.query::<crate::support::Number>("SELECT count(*) FROM t", ()).await.unwrap()[0].value, 0);
        assert_eq!(read.run("DELETE FROM t", ()).await.unwrap_err().kind(), ErrorKind::ReadOnly);
    }
    tx.commit().await.unwrap();
    assert_eq!(number(&database, "SELECT count(*) FROM t").await, 1);
}

#[tokio::test]
async fn a_database_in_memory_is_one_connection() {
    let database = memory("CREATE TABLE t (n INTEGER)").await;
    let read = database.begin().read_only().await.unwrap();
    assert_eq!(read.run("INSERT INTO t VALUES (1)", ()).await.unwrap_err().kind(), ErrorKind::ReadOnly);
    drop(read);
    assert_eq!(database.run("INSERT INTO t VALUES (1)", ()).await.unwrap(), 1);
    let temporary = arx_sqlite::open("").await.unwrap();
    temporary.run("CREATE TABLE t (n INTEGER)", ()).await.unwrap();
    assert_eq!(number(&temporary, "SELECT count(*) FROM t").await, 0);
}

#[tokio::test]
async fn a_path_is_a_path() {
    let folder = Folder::new();
    // As a URI this would be a database in memory, another one for each connection.
    let path = folder.file("file:x?mode=memory");
    let pool = arx_sqlite::Options::new(&path).attach("other", folder.file("a#b%20.db")).open().await.unwrap();
    let database = Database::from(pool);
    database.run("CREATE TABLE t (n INTEGER); CREATE TABLE other.u (n INTEGER)", ()).await.unwrap();
    let read = database.begin().read_only().await.unwrap();
    read.run("SELECT * FROM t, u", ()).await.unwrap();
    assert!(path.exists() && folder.file("a#b%20.db").exists());
}

#[tokio::test]
async fn waiting_ends_in_a_timeout_and_keeps_the_order() {
    let options = arx_sqlite::Options::new(":memory:").acquire_timeout(Duration::from_millis(30));
    let pool = options.open().await.unwrap();
    let held = pool.acquire(Intent::Write).await.unwrap();
    assert_eq!(pool.acquire(Intent::Read).await.err().unwrap().kind(), ErrorKind::Timeout);
    let (mut first, mut second) = (pool.acquire(Intent::Write), pool.acquire(Intent::Read));
    assert!(poll_immediate(&mut first).await.is_none());
    assert!(poll_immediate(&mut second).await.is_none());
    drop(held);
    assert!(poll_immediate(&mut second).await.is_none());
    // The first in the queue goes away although its turn has come: the turn is the second's.
    drop(first);
    assert!(second.await.is_ok());
}

#[tokio::test]
async fn a_closed_pool_has_let_go_of_its_file() {
    let folder = Folder::new();
    let pool: Arc<dyn Pool> = Arc::new(folder.options().open().await.unwrap());
    let mut held = pool.acquire(Intent::Read).await.unwrap();
    pool.close().await;
    assert_eq!(pool.acquire(Intent::Write).await.err().unwrap().kind(), ErrorKind::ConnectionLost);
    run(&mut *held, "SELECT 1").await.unwrap();
    drop(held);
    for _ in 0..500 {
        if !folder.file("test.db-wal").exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the write-ahead log is still there");
}

#[tokio::test]
async fn savepoints_nest() {
    let database = memory("CREATE TABLE t (n INTEGER)").await;
    let mut tx = database.begin().await.unwrap();
    tx.run("INSERT INTO t VALUES (1)", ()).await.unwrap();
    let mut outer = tx.begin().await.unwrap();
    outer.run("INSERT INTO t VALUES (2)", ()).await.unwrap();
    let inner = outer.begin().await.unwrap();
    inner.run("INSERT INTO t VALUES (3)", ()).await.unwrap();
    inner.rollback().await.unwrap();
    outer.commit().await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(number(&database, "SELECT sum(n) FROM t").await, 3);
}

#[tokio::test]
async fn what_a_user_left_open_is_rolled_back() {
    let database = memory("CREATE TABLE t (n INTEGER)").await;
    for sql in ["BEGIN; INSERT INTO t VALUES (1)", "SAVEPOINT mine; INSERT INTO t VALUES (1)"] {
        database.run(sql, ()).await.unwrap();
        assert_eq!(number(&database, "SELECT count(*) FROM t").await, 0);
    }
    let mut connection = database.pool().acquire(Intent::Write).await.unwrap();
    connection.control(Control::Begin(Begin::default())).await.unwrap();
    run(&mut *connection, "INSERT INTO t VALUES (1)").await.unwrap();
    drop(connection);
    assert_eq!(number(&database, "SELECT count(*) FROM t").await, 0);
}

#[tokio::test]
async fn a_full_sink_stops_the_worker() {
    let database = memory("CREATE TABLE seen (n INTEGER)").await;
    let mut connection = database.pool().acquire(Intent::Read).await.unwrap();
    let endless = Statement::raw("WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c", 0);
    let mut sink = Slow { rows: 0, room: 5_000 };
    let command = Command { statement: &endless, parameters: Parameters::NONE };
    let running = connection.run(command, &mut sink);
    assert!(tokio::time::timeout(Duration::from_millis(300), running).await.is_err());
    assert_eq!(sink.rows, 5_000);
    // The connection is usable at once: the endless statement was stopped.
    assert_eq!(run(&mut *connection, "SELECT 1").await.unwrap(), 1);
}
