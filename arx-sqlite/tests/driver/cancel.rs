//! Futures that are dropped half way, at every point where they can be.

use std::time::{Duration, Instant};

use arx::connection::{Begin, Control, Intent};
use arx::prelude::*;

use crate::support::{Folder, drop_at, memory, number, run};

#[derive(Entity, Clone, Debug)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

const DDL: &str = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)";
const ENDLESS: &str = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";

fn items() -> Vec<Item> {
    (0..20_000).map(|n| Item { id: 0, name: format!("item {n}") }).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_insert_is_complete_or_undone() {
    let folder = Folder::new();
    let database = Database::from(folder.options().open().await.unwrap());
    database.run(DDL, ()).await.unwrap();
    let rows = items();
    for k in 1.. {
        let done = drop_at(database.repository::<Item>().create_multiple(&rows).into_future(), k).await;
        let stored = database.repository::<Item>().count(()).await.unwrap();
        assert!(stored == 0 || stored == 20_000, "{stored} rows after the {k}th");
        // The writer is clean: a new transaction begins, and commits what it does.
        let tx = database.begin().await.unwrap();
        tx.run("DELETE FROM items", ()).await.unwrap();
        tx.commit().await.unwrap();
        if done.is_some_and(|keys| keys.unwrap().len() == 20_000) {
            assert!(k > 1);
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_survives_a_call_that_was_dropped() {
    let database = memory(DDL).await;
    let rows = items();
    for k in 1.. {
        let tx = database.begin().await.unwrap();
        tx.run("INSERT INTO items VALUES (-1, 'mine')", ()).await.unwrap();
        let done = drop_at(tx.repository::<Item>().create_multiple(&rows).into_future(), k).await;
        tx.run("INSERT INTO items VALUES (-2, 'mine')", ()).await.unwrap();
        tx.commit().await.unwrap();
        let stored = number(&database, "SELECT count(*) FROM items").await;
        assert!(stored == 2 || stored == 20_002, "{stored} rows after the {k}th");
        database.run("DELETE FROM items", ()).await.unwrap();
        if done.is_some() {
            return;
        }
    }
}

#[tokio::test]
async fn a_dropped_begin_leaves_no_transaction() {
    let database = memory(DDL).await;
    for k in 1.. {
        let mut connection = database.pool().acquire(Intent::Write).await.unwrap();
        let begun = drop_at(connection.control(Control::Begin(Begin::default())), k).await;
        let is_begun = begun.is_some();
        if !is_begun {
            // Nobody knows of the transaction: what follows is not part of it.
            std::thread::sleep(Duration::from_millis(u64::try_from(k).unwrap()));
            run(&mut *connection, "INSERT INTO items VALUES (NULL, 'kept')").await.unwrap();
        }
        drop(connection);
        if is_begun {
            assert_eq!(number(&database, "SELECT count(*) FROM items").await, i64::try_from(k).unwrap() - 1);
            return;
        }
    }
}

/// Runs something endless, drops it, and tells how long the next statement took.
async fn stop(connection: &mut dyn arx::connection::Connection, endless: &str) -> Duration {
    assert!(tokio::time::timeout(Duration::from_millis(50), run(connection, endless)).await.is_err());
    let since = Instant::now();
    run(connection, "SELECT 1").await.unwrap();
    since.elapsed()
}

#[tokio::test]
async fn endless_statements_are_interrupted() {
    let database = memory(DDL).await;
    let mut connection = database.pool().acquire(Intent::Write).await.unwrap();
    assert!(stop(&mut *connection, ENDLESS).await < Duration::from_secs(2));
    let insert = format!("INSERT INTO items SELECT NULL, x FROM ({})", ENDLESS.replace("count(*)", "x"));
    assert!(stop(&mut *connection, &insert).await < Duration::from_secs(2));
    assert_eq!(run(&mut *connection, "DELETE FROM items").await.unwrap(), 0);
    // A read inside a transaction is interrupted, and the transaction stays.
    connection.control(Control::Begin(Begin::default())).await.unwrap();
    run(&mut *connection, "INSERT INTO items VALUES (1, 'kept')").await.unwrap();
    assert!(stop(&mut *connection, ENDLESS).await < Duration::from_secs(2));
    connection.control(Control::Commit).await.unwrap();
    // A write inside a transaction is interrupted when the transaction is given up.
    connection.control(Control::Begin(Begin::default())).await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(50), run(&mut *connection, &insert)).await.is_err());
    drop(connection);
    let since = Instant::now();
    assert_eq!(number(&database, "SELECT count(*) FROM items").await, 1);
    assert!(since.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn an_interrupt_does_not_hit_the_next_statement() {
    let database = memory(DDL).await;
    let insert =
        format!("INSERT INTO items SELECT NULL, x FROM ({})", ENDLESS.replace("count(*) FROM c", "x FROM c LIMIT 20"));
    for round in 0..2_000 {
        let mut connection = database.pool().acquire(Intent::Write).await.unwrap();
        drop(drop_at(run(&mut *connection, &insert), 1).await);
        if round % 3 == 0 {
            std::thread::yield_now();
        }
        run(&mut *connection, "SELECT count(*) FROM items").await.unwrap();
        drop(connection);
        database.run("DELETE FROM items", ()).await.unwrap();
    }
}

#[tokio::test]
async fn a_wait_for_a_lock_ends_with_its_future() {
    let folder = Folder::new();
    let database = Database::from(folder.options().busy_timeout(Duration::from_secs(60)).open().await.unwrap());
    database.run(DDL, ()).await.unwrap();
    let other = rusqlite::Connection::open(folder.file("test.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiting = database.run("INSERT INTO items VALUES (1, 'x')", ()).into_future();
    assert!(tokio::time::timeout(Duration::from_millis(50), waiting).await.is_err());
    let begin = database.begin().into_future();
    assert!(tokio::time::timeout(Duration::from_millis(50), begin).await.is_err());
    let since = Instant::now();
    // The writer is free again although the lock is still held.
    assert_eq!(number(&database, "SELECT count(*) FROM items").await, 0);
    assert!(since.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn a_dropped_acquire_gives_its_turn_on() {
    let folder = Folder::new();
    let database = Database::from(folder.options().readers(1).open().await.unwrap());
    database.run(DDL, ()).await.unwrap();
    for k in 1..20 {
        // The first reader is opened by this call: the future may be dropped while its thread starts.
        let _ = drop_at(database.begin().read_only().into_future(), k).await;
        let read = database.begin().read_only().await.unwrap();
        read.run("SELECT 1", ()).await.unwrap();
    }
}
