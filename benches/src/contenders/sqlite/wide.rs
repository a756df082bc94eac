//! The wide table on SQLite.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use rusqlite::OptionalExtension;

use super::raw_rusqlite::Rusqlite;
use crate::fixture::wide::sqlite::{account, cells};
use crate::wide::{Account, Found, Wide, columns};

const INSERT: &str = concat!(
    "INSERT INTO bench_wide (",
    columns!(),
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)"
);
const UPDATE: &str = "UPDATE bench_wide SET code = ?1, given_name = ?2, family_name = ?3, title = ?4, email = ?5, phone = ?6, street = ?7,
    city = ?8, country = ?9, note = ?10, visits = ?11, balance = ?12, discount = ?13, score = ?14,
    is_active = ?15, born = ?16, created = ?17, seen = ?18, token = ?19 WHERE id = ?20";
const SELECT: &str = concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id = ?1");
const SELECT_RANGE: &str =
    concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id BETWEEN ?1 AND ?2 ORDER BY id");

#[async_trait(?Send)]
impl Wide for Rusqlite {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            self.0.prepare_cached(INSERT)?.execute(cells!(row))?;
            keys.push(self.0.last_insert_rowid());
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(self.0.prepare_cached(SELECT)?.query_row([key], account).optional()?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        self.all(INSERT, rows.iter(), |insert, row| {
            keys.push(insert.insert(cells!(row))?);
            Ok(())
        })?;
        Ok(keys)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        let mut sorted: Vec<&Account> = rows.iter().collect();
        sorted.sort_unstable_by_key(|row| row.id);
        let mut matched = 0;
        self.all(UPDATE, sorted.into_iter(), |update, row| {
            matched += update.execute(cells!(row, row.id))?;
            Ok(())
        })?;
        Ok(matched as u64)
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut statement = self.0.prepare_cached(SELECT_RANGE)?;
        let rows = statement.query_map([keys.start(), keys.end()], account)?;
        Ok(Box::new(rows.collect::<rusqlite::Result<Vec<_>>>()?))
    }
}

#[cfg(feature = "sqlx-sqlite")]
#[async_trait(?Send)]
impl Wide for super::sqlx::Sqlx {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = crate::wide::give!(sqlx::query(INSERT), bind, row);
            keys.push(insert.execute(&self.0).await?.last_insert_rowid());
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Account> = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(sqlx::query_as(SELECT).bind(key).fetch_optional(&self.0).await?);
        }
        Ok(Box::new(found))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let select = sqlx::query_as::<_, Account>(SELECT_RANGE).bind(keys.start()).bind(keys.end());
        Ok(Box::new(select.fetch_all(&self.0).await?))
    }
}
