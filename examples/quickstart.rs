//! Writes rows with their keys back, updates, retrieves and deletes them; prints for each step
//! the rows, the statements and the time.
//!
//! `cargo run --release --example quickstart -- [--database URL] [--rows N]`

use std::sync::Arc;
use std::time::Instant;

use arx::connection::{Log, Recorded};
use arx::prelude::*;
use arx_examples::{argument, generated_key, open};

#[derive(Entity, Clone, Debug)]
#[arx(table = "quickstart_customers")]
struct Customer {
    #[arx(key, generated)]
    id: i64,
    code: String,
    name: Option<String>,
    balance: i64,
}

fn customer(number: i64) -> Customer {
    let name = (number % 10 != 0).then(|| format!("Customer {number}"));
    Customer { id: 0, code: format!("C{number:06}"), name, balance: number }
}

/// Prints what a step did: rows, statements, time.
struct Report {
    log: Log,
    started: Instant,
}

impl Report {
    fn step(&mut self, name: &str, rows: u64) {
        let millis = self.started.elapsed().as_secs_f64() * 1_000.0;
        println!("{name:<32} {rows:>8} rows {:>4} statements {millis:>10.1} ms", self.log.statements());
        self.log.reset();
        self.started = Instant::now();
    }
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let url = argument("--database").unwrap_or_else(|| "sqlite::memory:".to_owned());
    let count = argument("--rows").and_then(|rows| rows.parse().ok()).unwrap_or(100_000);
    let log = Log::default();
    let opened = open(&url).await?;
    let db = Database::new(Arc::new(Recorded::new(Arc::clone(opened.pool()), log.clone())));

    let key = generated_key(&url);
    db.run("DROP TABLE IF EXISTS quickstart_customers", ()).await?;
    let columns = format!("id {key}, code VARCHAR(20) NOT NULL UNIQUE, name TEXT, balance BIGINT NOT NULL");
    db.run(&format!("CREATE TABLE quickstart_customers ({columns})"), ()).await?;
    log.reset();

    let customers = db.repository::<Customer>();
    let mut rows: Vec<_> = (0..count).map(customer).collect();
    let mut report = Report { log, started: Instant::now() };

    let ids = customers.create_multiple(&mut rows).await?;
    report.step("create_multiple, keys back", ids.len() as u64);

    rows.iter_mut().for_each(|row| row.balance += 1);
    let done = customers.update_multiple(&rows).columns(Customer::BALANCE).await?;
    report.step("update_multiple, one column", done.matched);

    let found = customers.retrieve_multiple(Customer::NAME.is_null()).order_by(Customer::ID.asc()).await?;
    report.step("retrieve_multiple by filter", found.len() as u64);

    let all = customers.retrieve_by_keys(&ids).await?;
    let kept = all.iter().flatten().zip(&rows).filter(|(stored, row)| stored.balance == row.balance).count();
    report.step("retrieve_by_keys, in key order", kept as u64);

    let deleted = customers.delete_multiple(&ids).await?;
    report.step("delete_multiple", deleted);

    db.run("DROP TABLE quickstart_customers", ()).await?;
    Ok(())
}
