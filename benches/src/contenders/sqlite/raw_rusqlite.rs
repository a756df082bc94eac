//! The best hand-written rusqlite, blocking: one prepared statement for every row of a batch, in one
//! transaction, keys sorted. What it cannot do is wait for a lock without holding its thread.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::case::Database;
use crate::contender::{Contender, Entry, Found, nothing};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::sqlite::{PRAGMAS, path};
use crate::published::Published;
use crate::wide::Wide;

inventory::submit! {
    Entry { name: "raw_rusqlite", databases: &[Database::Sqlite], refuses: nothing, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let connection = Connection::open(path(place)?)?;
    connection.execute_batch(PRAGMAS)?;
    Ok(Box::new(Rusqlite(connection)))
}

const INSERT: &str = "INSERT INTO bench_customers (code, name, balance) VALUES (?1, ?2, ?3)";
const UPDATE: &str = "UPDATE bench_customers SET code = ?2, name = ?3, balance = ?4 WHERE id = ?1";
const UPDATE_RANGE: &str = "UPDATE bench_customers SET balance = ?1 WHERE id BETWEEN ?2 AND ?3";
const DELETE: &str = "DELETE FROM bench_customers WHERE id = ?1";
const SELECT: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id = ?1";
const SELECT_PAGE: &str = "SELECT id, code, name, balance, (SELECT count(*) FROM bench_customers)
    FROM bench_customers ORDER BY id LIMIT ?1 OFFSET ?2";
const SELECT_RANGE: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN ?1 AND ?2 ORDER BY id";

pub(in crate::contenders) struct Rusqlite(pub(in crate::contenders) Connection);

impl Rusqlite {
    /// Runs `each` for every item inside one transaction.
    pub(super) fn all<T>(
        &mut self,
        sql: &str,
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(&mut rusqlite::CachedStatement<'_>, T) -> rusqlite::Result<()>,
    ) -> Result<()> {
        let transaction = self.0.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut statement = transaction.prepare_cached(sql)?;
            for item in items {
                each(&mut statement, item)?;
            }
        }
        Ok(transaction.commit()?)
    }
}

fn customer(row: &Row<'_>) -> rusqlite::Result<Customer> {
    Ok(Customer { id: row.get(0)?, code: row.get(1)?, name: row.get(2)?, balance: row.get(3)? })
}

#[async_trait(?Send)]
impl Contender for Rusqlite {
    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            self.0.prepare_cached(INSERT)?.execute(params![row.code, row.name, row.balance])?;
            keys.push(self.0.last_insert_rowid());
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            matched += self.0.prepare_cached(UPDATE)?.execute(params![row.id, row.code, row.name, row.balance])?;
        }
        Ok(matched as u64)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            deleted += self.0.prepare_cached(DELETE)?.execute([key])?;
        }
        Ok(deleted as u64)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(self.0.prepare_cached(SELECT)?.query_row([key], customer).optional()?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.0.transaction_with_behavior(TransactionBehavior::Immediate)?.commit()?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(self.0.prepare_cached("SELECT ?1 + 1")?.query_row([value], |row| row.get(0))?);
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        self.all(INSERT, rows.iter(), |insert, row| {
            // `insert` is `execute`, then the connection's last rowid.
            keys.push(insert.insert(params![row.code, row.name, row.balance])?);
            Ok(())
        })?;
        Ok(keys)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut inserted = 0;
        self.all(INSERT, rows.iter(), |insert, row| {
            inserted += insert.execute(params![row.code, row.name, row.balance])?;
            Ok(())
        })?;
        Ok(inserted as u64)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut sorted: Vec<&Customer> = rows.iter().collect();
        sorted.sort_unstable_by_key(|row| row.id);
        let mut matched = 0;
        self.all(UPDATE, sorted.into_iter(), |update, row| {
            matched += update.execute(params![row.id, row.code, row.name, row.balance])?;
            Ok(())
        })?;
        Ok(matched as u64)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let mut update = self.0.prepare_cached(UPDATE_RANGE)?;
        Ok(update.execute([balance, *keys.start(), *keys.end()])? as u64)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut sorted = keys.to_vec();
        sorted.sort_unstable();
        let mut deleted = 0;
        self.all(DELETE, sorted.into_iter(), |delete, key| {
            deleted += delete.execute([key])?;
            Ok(())
        })?;
        Ok(deleted as u64)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let mut statement = self.0.prepare_cached(SELECT)?;
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.push(statement.query_row([key], customer)?);
        }
        Ok(Box::new(found))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let mut statement = self.0.prepare_cached(SELECT_PAGE)?;
        let mut rows = statement.query([size.cast_signed(), ((number - 1) * size).cast_signed()])?;
        let (mut total, mut found) = (0_i64, Vec::new());
        while let Some(row) = rows.next()? {
            total = row.get(4)?;
            found.push(customer(row)?);
        }
        Ok((total.cast_unsigned(), Box::new(found)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut statement = self.0.prepare_cached(SELECT_RANGE)?;
        let rows = statement.query_map([keys.start(), keys.end()], customer)?;
        Ok(Box::new(rows.collect::<rusqlite::Result<Vec<_>>>()?))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
