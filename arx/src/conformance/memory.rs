//! A million rows through a stream, in a process that has memory for a few of them.

use futures_util::StreamExt as _;

use crate::connection::Pool;
use crate::{Database, Entity};

/// The rows that are streamed.
const ROWS: i64 = 1_000_000;
/// The most memory that the process may ever have had.
const MOST: u64 = 64 << 20;

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "arx_measurements")]
struct Measurement {
    #[arx(key)]
    id: i64,
    name: String,
    note: Option<String>,
    amount: i32,
}

/// Streams a million rows that the database makes itself, and asserts by the peak of this process's memory that they
/// were never there at once. It has to be the only test of its process. `waiting` counts the server's sessions that
/// wait for this reader, which shows that the server has not gathered the rows either.
///
/// # Panics
/// When the rows are not those that were made, or the memory was not enough.
pub async fn streams_a_million_rows(pool: std::sync::Arc<dyn Pool>, waiting: Option<&str>) {
    let db = Database::new(pool);
    let run = async |sql: &str| db.run(sql, ()).await.unwrap_or_else(|error| panic!("{error:?} in {sql}"));
    run("DROP TABLE IF EXISTS arx_measurements").await;
    let columns = "id BIGINT PRIMARY KEY, name VARCHAR(40) NOT NULL, note VARCHAR(80), amount INT NOT NULL";
    run(&format!("CREATE TABLE arx_measurements ({columns})")).await;
    run(&made_by_the_database()).await;
    let mut rows = db.repository::<Measurement>().retrieve_multiple(()).order_by(Measurement::ID.asc()).stream();
    let mut count = 0;
    while let Some(row) = rows.next().await {
        let row = row.expect("the row is read");
        assert_eq!((row.id, i64::from(row.amount)), (count, count % 1_000));
        count += 1;
        if let Some(sql) = waiting.filter(|_| count == ROWS / 4) {
            assert_waiting(&db, sql).await;
        }
    }
    assert_eq!(count, ROWS);
    drop(rows);
    run("DROP TABLE arx_measurements").await;
    db.close().await;
    if let Some(peak) = peak() {
        println!("{ROWS} rows streamed; the process had {} MiB at most", peak >> 20);
        assert!(peak < MOST, "the process had {} MiB", peak >> 20);
    }
}

/// An insert of all rows in words that every database knows: each digit of the id from a table of ten.
fn made_by_the_database() -> String {
    let digits = (1..10).fold("SELECT 0 AS n".to_owned(), |digits, n| format!("{digits} UNION ALL SELECT {n}"));
    let tables: Vec<_> = ["a", "b", "c", "d", "e", "f"].map(|name| format!("({digits}) {name}")).into();
    let id = "a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n + 100000 * f.n";
    let amount = "a.n + 10 * b.n + 100 * c.n";
    let note = "CASE WHEN a.n < 5 THEN 'a note that about half of the rows have' END";
    format!(
        "INSERT INTO arx_measurements SELECT {id}, 'a name as long as names are', {note}, {amount} FROM {}",
        tables.join(", ")
    )
}

/// Some session of the server waits for the reader to take more rows.
async fn assert_waiting(db: &Database, sql: &str) {
    for _ in 0..100 {
        let found = db.query::<Found>(sql, ()).await.expect("the sessions are read");
        if found.iter().any(|found| found.count > 0) {
            return;
        }
        futures_timer::Delay::new(std::time::Duration::from_millis(20)).await;
    }
    panic!("no session waits for the reader: the server has gathered all rows");
}

#[derive(crate::Record)]
struct Found {
    count: i64,
}

/// The most memory that this process has had, where the system tells it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
