//! sqlx on SQLite: one-row calls, and `query_as` for reads, as its users write them.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry, Found};
use crate::contenders::stored::Stored;
use crate::customer::Customer;
use crate::fixture::{Place, sqlite::path};
use crate::published::Published;
use crate::wide::Wide;

inventory::submit! {
    Entry { name: "sqlx_sqlite", databases: &[Database::Sqlite], refuses, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Sqlx(pool(place).await?)))
}

fn refuses(case: &Case) -> Option<&'static str> {
    let reads =
        matches!(case.operation, Operation::Scalars | Operation::RetrieveMultiple | Operation::WideRetrieveMultiple);
    let does = case.operation.is_one_row() || reads || case.operation.is_published();
    (!does).then_some("sqlx has nothing for many rows; see raw_rusqlite")
}

pub(in crate::contenders) async fn pool(place: &Place) -> Result<SqlitePool> {
    let options = SqliteConnectOptions::new()
        .filename(path(place)?)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Off)
        .foreign_keys(true);
    let pool =
        SqlitePoolOptions::new().max_connections(1).test_before_acquire(false).idle_timeout(None).max_lifetime(None);
    Ok(pool.connect_with(options).await?)
}

pub(in crate::contenders) struct Sqlx(pub(in crate::contenders) SqlitePool);

#[async_trait(?Send)]
impl Contender for Sqlx {
    fn share(&self) -> Option<Box<dyn Contender>> {
        Some(Box::new(Self(self.0.clone())))
    }

    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = sqlx::query("INSERT INTO bench_customers (code, name, balance) VALUES (?, ?, ?)");
            let insert = insert.bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance);
            keys.push(insert.execute(&self.0).await?.last_insert_rowid());
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            let update = sqlx::query("UPDATE bench_customers SET code = ?, name = ?, balance = ? WHERE id = ?");
            let update = update.bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance).bind(row.id);
            matched += update.execute(&self.0).await?.rows_affected();
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            let delete = sqlx::query("DELETE FROM bench_customers WHERE id = ?").bind(key);
            deleted += delete.execute(&self.0).await?.rows_affected();
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Stored> = Vec::with_capacity(keys.len());
        for key in keys {
            let select = "SELECT id, code, name, balance FROM bench_customers WHERE id = ?";
            found.extend(sqlx::query_as::<_, Stored>(select).bind(key).fetch_optional(&self.0).await?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.0.begin().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(sqlx::query_scalar("SELECT ? + 1").bind(value).fetch_one(&self.0).await?);
        }
        Ok(sums)
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let select = "SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN ? AND ? ORDER BY id";
        let select = sqlx::query_as::<_, Stored>(select).bind(keys.start()).bind(keys.end());
        Ok(Box::new(select.fetch_all(&self.0).await?))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
