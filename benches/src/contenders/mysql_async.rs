//! mysql_async on MySQL and MariaDB by its own idioms: statements prepared once, `exec_batch` for many rows, which is
//! one round trip a row on MySQL and MariaDB's bulk protocol there.
//!
//! `exec_batch` yields no keys and no counts: it reports what it was given, and the check of the table shows the rest.

use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use async_trait::async_trait;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Opts, OptsBuilder, TxOpts};

use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry, Found, Rows, in_order};
use crate::contenders::list;
use crate::customer::Customer;
use crate::fixture::Place;
use crate::published::Published;

inventory::submit! {
    Entry {
        name: "mysql_async",
        databases: &[Database::Mysql, Database::Mariadb],
        refuses,
        open: |place| Box::pin(open(place)),
    }
}

fn refuses(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::CreateMultiple => Some("`exec_batch` yields no keys"),
        operation if operation.is_published() => None,
        _ if case.rows > 1_000 && !matches!(case.operation, Operation::RetrieveMultiple) => {
            Some("a round trip a row takes too long beyond 1,000 rows")
        }
        _ => None,
    }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let Place::Mysql { url, database, .. } = place else { anyhow::bail!("not a place on MySQL") };
    let options = OptsBuilder::from_opts(Opts::from_url(url)?).db_name(Some(database)).client_found_rows(true);
    Ok(Box::new(Mysql(Conn::new(options.stmt_cache_size(500)).await?)))
}

const INSERT: &str = "INSERT INTO bench_customers (code, name, balance) VALUES (?, ?, ?)";
const UPDATE: &str = "UPDATE bench_customers SET code = ?, name = ?, balance = ? WHERE id = ?";
const UPDATE_RANGE: &str = "UPDATE bench_customers SET balance = ? WHERE id BETWEEN ? AND ?";
const DELETE: &str = "DELETE FROM bench_customers WHERE id = ?";
const SELECT: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id = ?";
const SELECT_RANGE: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN ? AND ? ORDER BY id";
const SELECT_PAGE: &str = "SELECT id, code, name, balance FROM bench_customers ORDER BY id LIMIT ? OFFSET ?";

pub(in crate::contenders) struct Mysql(pub(in crate::contenders) Conn);

type Stored = (i64, String, Option<String>, i64);

/// Rows as the driver makes them: tuples.
struct Tuples(Vec<Stored>);

impl Rows for Tuples {
    fn customers(self: Box<Self>) -> Vec<Customer> {
        self.0.into_iter().map(customer).collect()
    }
}

fn customer((id, code, name, balance): Stored) -> Customer {
    Customer { id, code, name, balance }
}

#[async_trait(?Send)]
impl Contender for Mysql {
    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            self.0.exec_drop(INSERT, (&row.code, &row.name, row.balance)).await?;
            keys.push(i64::try_from(self.0.last_insert_id().unwrap_or(0))?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            self.0.exec_drop(UPDATE, (&row.code, &row.name, row.balance, row.id)).await?;
            matched += self.0.affected_rows();
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            self.0.exec_drop(DELETE, (key,)).await?;
            deleted += self.0.affected_rows();
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Stored> = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(self.0.exec_first(SELECT, (key,)).await?);
        }
        Ok(Box::new(Tuples(found)))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.0.start_transaction(TxOpts::default()).await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(self.0.exec_first("SELECT ? + 1", (value,)).await?.context("no row")?);
        }
        Ok(sums)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut transaction = self.0.start_transaction(TxOpts::default()).await?;
        let cells = rows.iter().map(|row| (&row.code, &row.name, row.balance));
        transaction.exec_batch(INSERT, cells).await?;
        transaction.commit().await?;
        Ok(rows.len() as u64)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut transaction = self.0.start_transaction(TxOpts::default()).await?;
        let cells = rows.iter().map(|row| (&row.code, &row.name, row.balance, row.id));
        transaction.exec_batch(UPDATE, cells).await?;
        transaction.commit().await?;
        Ok(rows.len() as u64)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        self.0.exec_drop(UPDATE_RANGE, (balance, keys.start(), keys.end())).await?;
        Ok(self.0.affected_rows())
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut transaction = self.0.start_transaction(TxOpts::default()).await?;
        transaction.exec_batch(DELETE, keys.iter().map(|key| (key,))).await?;
        transaction.commit().await?;
        Ok(keys.len() as u64)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let keyed = "SELECT id, code, name, balance FROM bench_customers WHERE id IN";
        let select = format!("{keyed} ({})", list("?", keys.len()));
        let rows = self.0.exec_map(select, keys.to_vec(), customer).await?;
        Ok(Box::new(in_order(rows, keys)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let rows: Vec<Stored> = self.0.exec(SELECT_RANGE, keys.into_inner()).await?;
        Ok(Box::new(Tuples(rows)))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let rows: Vec<Stored> = self.0.exec(SELECT_PAGE, (size, (number - 1) * size)).await?;
        let total: Option<u64> = self.0.exec_first("SELECT COUNT(*) FROM bench_customers", ()).await?;
        Ok((total.unwrap_or(0), Box::new(Tuples(rows))))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }
}
