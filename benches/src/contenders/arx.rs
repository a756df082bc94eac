//! arx, as its users write it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::Result;
use arx::connection::{Log, Recorded};
use arx::{Function, Procedure, Record};
use async_trait::async_trait;

use crate::case::Database;
use crate::contender::{ARX, Contender, Entry, Found, Rows, nothing};
use crate::customer::Customer;
use crate::fixture::{self, Place};
use crate::published::Published;
use crate::wide::Wide;

mod wide;

inventory::submit! {
    Entry { name: ARX, databases: Database::ALL, refuses: nothing, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let database = match place.server() {
        #[cfg(feature = "sqlite")]
        Database::Sqlite => sqlite(place).await?,
        #[cfg(feature = "postgres")]
        Database::Postgres => postgres(place).await?,
        #[cfg(feature = "mysql")]
        Database::Mysql | Database::Mariadb => mysql(place).await?,
        #[allow(unreachable_patterns)]
        other => anyhow::bail!("{other:?} is not compiled in"),
    };
    Ok(Box::new(Arx::new(database, place.server())))
}

#[cfg(feature = "sqlite")]
async fn sqlite(place: &Place) -> Result<arx::Database> {
    let options = arx_sqlite::Options::new(fixture::sqlite::path(place)?);
    let pool = options.readers(1).synchronous(arx_sqlite::Synchronous::Off).open().await?;
    Ok(pool.into())
}

#[cfg(feature = "postgres")]
async fn postgres(place: &Place) -> Result<arx::Database> {
    let options = arx_postgres::Options::new(fixture::postgres::options(place)?);
    let connections = place.connections();
    Ok(options.min_connections(connections).max_connections(connections).connect().await?)
}

/// In a pool of its own: sessions of an application's would be looked at each time.
#[cfg(feature = "mysql")]
async fn mysql(place: &Place) -> Result<arx::Database> {
    let options = arx_mysql::Options::new(fixture::mysql::options(place)?);
    let connections = place.connections();
    Ok(options.min_connections(connections).max_connections(connections).connect().await?)
}

/// Hand-written SQL has the database's own placeholders.
fn scalar(server: Database) -> &'static str {
    if server == Database::Postgres { "SELECT $1 + 1" } else { "SELECT ? + 1" }
}

#[derive(Record)]
struct Sum {
    value: i64,
}

pub(in crate::contenders) struct Arx {
    pub(in crate::contenders) database: arx::Database,
    /// The statement of `scalars`.
    scalar: &'static str,
    /// The same pool without and with a count of statements.
    plain: arx::Database,
    recorded: arx::Database,
    log: Log,
    pub(in crate::contenders) server: Database,
}

impl Arx {
    fn new(database: arx::Database, server: Database) -> Self {
        let log = Log::default();
        let recorded = Recorded::new(Arc::clone(database.pool()), log.clone());
        let recorded = arx::Database::new(Arc::new(recorded));
        Self { scalar: scalar(server), plain: database.clone(), database, recorded, log, server }
    }

    fn customers(&self) -> arx::Repository<'_, Customer> {
        self.database.repository()
    }
}

/// Rows that may be missing.
struct Flat(Vec<Option<Customer>>);

impl Rows for Flat {
    fn customers(self: Box<Self>) -> Vec<Customer> {
        self.0.into_iter().flatten().collect()
    }
}

#[async_trait(?Send)]
impl Contender for Arx {
    fn share(&self) -> Option<Box<dyn Contender>> {
        Some(Box::new(Self::new(self.plain.clone(), self.server)))
    }

    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            keys.push(self.customers().create(row).await?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        for row in rows {
            self.customers().update(row).await?;
        }
        Ok(rows.len() as u64)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for &key in keys {
            deleted += u64::from(self.customers().delete(key).await?);
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(self.customers().retrieve(key).await?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.database.begin().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for &value in values {
            let rows: Vec<Sum> = self.database.query(self.scalar, (value,)).await?;
            sums.extend(rows.into_iter().map(|sum| sum.value));
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        Ok(self.customers().create_multiple(rows).await?)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        Ok(self.customers().create_multiple(rows).without_keys().await?)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        Ok(self.customers().update_multiple(rows).await?.matched)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let (first, last) = keys.into_inner();
        let filter = Customer::ID.between(first, last);
        Ok(self.customers().update_where(filter).set(Customer::BALANCE, balance).await?)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        Ok(self.customers().delete_multiple(keys).await?)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        Ok(Box::new(Flat(self.customers().retrieve_by_keys(keys).await?)))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let page = self.customers().retrieve_multiple(()).order_by(Customer::ID.asc()).page(number, size).await?;
        Ok((page.total, Box::new(page.items)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let (first, last) = keys.into_inner();
        let filter = Customer::ID.between(first, last);
        Ok(Box::new(self.customers().retrieve_multiple(filter).order_by(Customer::ID.asc()).await?))
    }

    async fn procedure(&mut self, keys: RangeInclusive<i64>) -> Result<(u64, Found)> {
        let call = Procedure::new("bench_report").argument(*keys.start()).argument(*keys.end()).output::<i64>("total");
        let report = self.database.execute(call).await?;
        Ok((report.output::<i64>("total")?.cast_unsigned(), Box::new(report.rows::<Customer>(0)?)))
    }

    async fn function_rows(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let call = Function::new("bench_lines").argument(*keys.start()).argument(*keys.end());
        Ok(Box::new(self.database.execute(call).await?.rows::<Customer>(0)?))
    }

    async fn function(&mut self, keys: &[i64]) -> Result<Vec<i64>> {
        let mut balances = Vec::with_capacity(keys.len());
        for &key in keys {
            balances.push(self.database.execute(Function::new("bench_balance").argument(key)).await?.scalar()?);
        }
        Ok(balances)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }

    fn record(&mut self, is_recording: bool) -> Option<Log> {
        self.database = if is_recording { self.recorded.clone() } else { self.plain.clone() };
        self.log.reset();
        Some(self.log.clone())
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }
}
