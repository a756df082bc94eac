//! Many writers at once: each key belongs to the row that it is given for, in every way in which a server hands
//! keys out.

use std::collections::HashMap;

use arx::{Database, Entity};
use sqlx::mysql::{MySqlConnection, MySqlPool, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, Executor as _};

use crate::server::{self, Server};
use crate::{Fixture, run};

const WRITERS: i64 = 4;

// With two servers and two increments more than 40,000 rows.
const BATCHES: [i64; 12] = [256, 3, 100, 700, 17, 64, 1, 255, 512, 999, 2, 31];

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: u64,
    place: i64,
}

/// The servers with their lock modes: in 2 the keys of statements that run at the same time are interleaved.
fn servers() -> Vec<(Server, u64)> {
    let mut servers: Vec<_> = server::servers().into_iter().map(|server| (server, 2)).collect();
    servers.extend(server::with_lock_mode_1().map(|server| (server, 1)));
    servers
}

/// A pool whose sessions count in steps of `increment`.
fn counting(fixture: &Fixture, increment: u64) -> MySqlPool {
    let options = MySqlPoolOptions::new().max_connections(4).after_connect(move |link, _| {
        let set = format!("SET auto_increment_increment = {increment}");
        Box::pin(async move { link.execute(sqlx::raw_sql(AssertSqlSafe(set))).await.map(drop) })
    });
    options.connect_lazy_with(fixture.options.clone())
}

async fn number(link: impl sqlx::MySqlExecutor<'_>, sql: &'static str) -> u64 {
    sqlx::query_scalar::<_, u64>(sql).fetch_one(link).await.unwrap()
}

/// Writes batches; yields how many keys are those of other rows.
async fn write(db: Database, writer: i64) -> usize {
    let mut wrong = 0;
    let mut next = writer * 1_000_000;
    for size in BATCHES {
        let rows: Vec<_> = (next..next + size).map(|place| Item { id: 0, place }).collect();
        next += size;
        let keys = db.repository::<Item>().create_multiple(&rows).await.unwrap();
        let found = db.repository::<Item>().retrieve_by_keys(&keys).await.unwrap();
        wrong += found
            .iter()
            .zip(&rows)
            .filter(|(found, row)| found.as_ref().map(|row| row.place) != Some(row.place))
            .count();
    }
    wrong
}

#[test]
fn no_writer_gets_the_keys_of_another() {
    for (server, mode) in servers() {
        let may_differ = server.name == "mariadb";
        run(server, "stress", async |fixture| {
            fixture
                .run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place BIGINT NOT NULL)")
                .await;
            for increment in [1, 5] {
                let pool = counting(&fixture, increment);
                let lock_mode = number(&pool, "SELECT CAST(@@innodb_autoinc_lock_mode AS UNSIGNED)").await;
                assert!(lock_mode == mode || may_differ, "{lock_mode}");
                assert_eq!(number(&pool, "SELECT CAST(@@auto_increment_increment AS UNSIGNED)").await, increment);
                let db = arx_mysql::from_pool(pool);
                let writers: Vec<_> = (0..WRITERS).map(|writer| tokio::spawn(write(db.clone(), writer))).collect();
                for writer in writers {
                    assert_eq!(writer.await.unwrap(), 0, "wrong keys with an increment of {increment}");
                }
                let count = WRITERS * BATCHES.iter().sum::<i64>();
                assert_eq!(db.repository::<Item>().count(()).await.unwrap(), count.unsigned_abs());
                fixture.run("TRUNCATE TABLE items").await;
            }
        });
    }
}

/// Copies 500 rows and takes their keys for a block from the one that is reported; yields the key of each place.
async fn copy(link: &mut MySqlConnection, first: i64) -> Vec<(i64, u64)> {
    let sql = "INSERT INTO items (place) SELECT ? + n FROM numbers ORDER BY n";
    let key = sqlx::query(sql).bind(first).execute(link).await.unwrap().last_insert_id();
    (first..first + 500).zip(key..).collect()
}

/// How many keys of such copies by four writers are those of other rows.
async fn copied_wrong(fixture: &Fixture) -> usize {
    let pool = counting(fixture, 1);
    let writer = async |writer: i64| {
        let mut link = pool.acquire().await.unwrap();
        let mut keys = Vec::new();
        for round in 0..20 {
            keys.extend(copy(&mut link, writer * 1_000_000 + round * 500).await);
        }
        keys
    };
    let (a, b, c, d) = tokio::join!(writer(0), writer(1), writer(2), writer(3));
    let stored: HashMap<i64, u64> =
        sqlx::query_as("SELECT place, id FROM items").fetch_all(&pool).await.unwrap().into_iter().collect();
    assert_eq!(stored.len(), 40_000);
    [a, b, c, d].iter().flatten().filter(|(place, key)| stored[place] != *key).count()
}

/// What the test above would see if arx took every insert's keys for a block.
#[test]
fn keys_that_are_no_block_are_found_out() {
    for (server, mode) in servers() {
        if server.name == "mariadb" {
            continue;
        }
        run(server, "control", async |fixture| {
            fixture
                .run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place BIGINT NOT NULL)")
                .await;
            fixture.run("CREATE TABLE numbers (n BIGINT PRIMARY KEY)").await;
            let numbers: Vec<_> = (0..500).map(|n| format!("({n})")).collect();
            fixture.run(&format!("INSERT INTO numbers VALUES {}", numbers.join(", "))).await;
            let wrong = copied_wrong(&fixture).await;
            assert_eq!(wrong > 0, mode == 2, "{wrong} wrong keys in lock mode {mode}");
        });
    }
}
