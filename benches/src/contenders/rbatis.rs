//! rbatis, as its users write it: the methods of `crud!`, and SQL where they end. It updates many rows one by one.
//!
//! Not on SQLite, whose driver needs another version of SQLite's library.

use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use async_trait::async_trait;
use rbatis::RBatis;
use rbs::value;
use serde::{Deserialize, Serialize};

use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry, Found, in_order};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::published::Published;

inventory::submit! {
    Entry {
        name: "rbatis",
        databases: &[Database::Postgres],
        refuses: refuses_on_postgres,
        open: |place| Box::pin(open(place)),
    }
}

inventory::submit! {
    Entry {
        name: "rbatis",
        databases: &[Database::Mysql, Database::Mariadb],
        refuses,
        open: |place| Box::pin(open(place)),
    }
}

fn refuses(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::UpdateMultiple if case.rows > 1_000 => Some("a statement a row takes too long beyond 1,000 rows"),
        Operation::CreateMultiple => Some("`insert_batch` yields no keys but one"),
        _ => None,
    }
}

fn refuses_on_postgres(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::Create => Some("`insert` yields no key on PostgreSQL"),
        _ => refuses(case),
    }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let rbatis = RBatis::new();
    match place {
        Place::Postgres { url, .. } => rbatis.init(rbdc_pg::PgDriver {}, url)?,
        Place::Mysql { url, database, .. } => {
            let (server, _) = url.rsplit_once('/').context("the URL names no database")?;
            rbatis.init(rbdc_mysql::MysqlDriver {}, &format!("{server}/{database}?ssl-mode=DISABLED"))?;
        }
        Place::Sqlite(_) => anyhow::bail!("not on SQLite"),
    }
    rbatis.get_pool()?.set_max_open_conns(1).await;
    if let Place::Postgres { schema, .. } = place {
        for setting in [format!("search_path TO {schema}"), format!("application_name TO {schema}")] {
            rbatis.exec(&format!("SET {setting}"), Vec::new()).await?;
        }
        rbatis.exec("SET synchronous_commit TO off", Vec::new()).await?;
    }
    Ok(Box::new(Rbatis { rbatis, place: place.server() }))
}

/// A row as rbatis reads and writes it; a column that is NULL is left out of an INSERT.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Stored {
    id: Option<i64>,
    code: String,
    name: Option<String>,
    balance: i64,
}

rbatis::crud!(Stored {}, "bench_customers");

impl From<&Customer> for Stored {
    fn from(row: &Customer) -> Self {
        Self { id: None, code: row.code.clone(), name: row.name.clone(), balance: row.balance }
    }
}

impl From<Stored> for Customer {
    fn from(Stored { id, code, name, balance }: Stored) -> Self {
        Self { id: id.unwrap_or(0), code, name, balance }
    }
}

/// The most rows of one statement.
pub(in crate::contenders) const CHUNK: usize = 1_000;

pub(in crate::contenders) struct Rbatis {
    pub(in crate::contenders) rbatis: RBatis,
    place: Database,
}

impl Rbatis {
    /// Placeholders as the database has them.
    pub(in crate::contenders) fn sql(&self, text: &str) -> String {
        if self.place == Database::Postgres {
            return (1..=3).fold(text.to_owned(), |text, place| text.replacen('?', &format!("${place}"), 1));
        }
        text.to_owned()
    }
}

/// Writes all columns; by itself rbatis passes over those that are NULL.
async fn update(link: &dyn rbatis::executor::Executor, row: &Customer) -> Result<u64> {
    let condition = value! { "id": row.id, "column": ["code", "name", "balance"] };
    Ok(Stored::update_by_map(link, &Stored::from(row), condition).await?.rows_affected)
}

#[async_trait(?Send)]
impl Contender for Rbatis {
    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let done = Stored::insert(&self.rbatis, &Stored::from(row)).await?;
            keys.push(done.last_insert_id.as_i64().context("no key")?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            matched += update(&self.rbatis, row).await?;
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            deleted += Stored::delete_by_map(&self.rbatis, value! { "id": key }).await?.rows_affected;
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(Stored::select_by_map(&self.rbatis, value! { "id": key }).await?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.rbatis.acquire_begin().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let sql = self.sql("SELECT ? + 1");
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(self.rbatis.exec_decode(&sql, vec![value!(value)]).await?);
        }
        Ok(sums)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        let rows: Vec<Stored> = rows.iter().map(Stored::from).collect();
        let transaction = self.rbatis.acquire_begin().await?;
        let done = Stored::insert_batch(&transaction, &rows, CHUNK as u64).await?;
        transaction.commit().await?;
        Ok(done.rows_affected)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        let transaction = self.rbatis.acquire_begin().await?;
        for row in rows {
            matched += update(&transaction, row).await?;
        }
        transaction.commit().await?;
        Ok(matched)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let sql = self.sql("UPDATE bench_customers SET balance = ? WHERE id BETWEEN ? AND ?");
        let arguments = vec![value!(balance), value!(keys.start()), value!(keys.end())];
        Ok(self.rbatis.exec(&sql, arguments).await?.rows_affected)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        let transaction = self.rbatis.acquire_begin().await?;
        for chunk in keys.chunks(CHUNK) {
            deleted += Stored::delete_by_map(&transaction, value! { "id": chunk }).await?.rows_affected;
        }
        transaction.commit().await?;
        Ok(deleted)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(CHUNK) {
            let rows = Stored::select_by_map(&self.rbatis, value! { "id": chunk }).await?;
            found.extend(rows.into_iter().map(Customer::from));
        }
        Ok(Box::new(in_order(found, keys)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let sql = self.sql("SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN ? AND ? ORDER BY id");
        let rows: Vec<Stored> = self.rbatis.exec_decode(&sql, vec![value!(keys.start()), value!(keys.end())]).await?;
        Ok(Box::new(rows))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let (limit, offset) = (size.cast_signed(), ((number - 1) * size).cast_signed());
        let sql = self.sql("SELECT id, code, name, balance FROM bench_customers ORDER BY id LIMIT ? OFFSET ?");
        let rows: Vec<Stored> = self.rbatis.exec_decode(&sql, vec![value!(limit), value!(offset)]).await?;
        let count = "SELECT COUNT(*) FROM bench_customers";
        let total: i64 = self.rbatis.exec_decode(count, Vec::new()).await?;
        Ok((total.cast_unsigned(), Box::new(rows)))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }
}
