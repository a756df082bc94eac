//! The best hand-written sqlx on PostgreSQL: one-row calls prepared, batches as arrays for UNNEST
//! with keys sorted, rows decoded by position without sqlx's check of each cell's type.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::Row;
use sqlx::postgres::{PgPool, PgRow};

use crate::case::Database;
use crate::contender::{Contender, Entry, Found, in_order, nothing};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::postgres::pool;
use crate::published::Published;
use crate::wide::Wide;

inventory::submit! {
    Entry { name: "raw_sqlx", databases: &[Database::Postgres], refuses: nothing, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Sqlx(pool(place).await?)))
}

const INSERT: &str = "INSERT INTO bench_customers (code, name, balance) VALUES ($1, $2, $3) RETURNING id";
const INSERT_MULTIPLE: &str = "INSERT INTO bench_customers (code, name, balance)
    SELECT s.code, s.name, s.balance
    FROM UNNEST($1::text[], $2::text[], $3::int8[]) WITH ORDINALITY AS s(code, name, balance, ord)
    ORDER BY s.ord RETURNING id";
const INSERT_COUNTED: &str = "INSERT INTO bench_customers (code, name, balance)
    SELECT * FROM UNNEST($1::text[], $2::text[], $3::int8[])";
const UPDATE: &str = "UPDATE bench_customers SET code = $2, name = $3, balance = $4 WHERE id = $1";
// The wrapped parameters hide the arrays' lengths from the planner, which then keeps to the index.
const UPDATE_MULTIPLE: &str = "UPDATE bench_customers AS t SET code = s.code, name = s.name, balance = s.balance
    FROM UNNEST((SELECT $1::int8[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::int8[]))
    AS s(id, code, name, balance) WHERE t.id = s.id";
const UPDATE_RANGE: &str = "UPDATE bench_customers SET balance = $1 WHERE id BETWEEN $2 AND $3";
const DELETE: &str = "DELETE FROM bench_customers WHERE id = $1";
const DELETE_MULTIPLE: &str = "DELETE FROM bench_customers WHERE id = ANY($1)";
const SELECT: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id = $1";
const SELECT_KEYS: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id = ANY($1)";
const SELECT_PAGE: &str = "SELECT id, code, name, balance, (SELECT count(*) FROM bench_customers)
    FROM bench_customers ORDER BY id LIMIT $1 OFFSET $2";
const SELECT_RANGE: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN $1 AND $2 ORDER BY id";

pub(in crate::contenders) struct Sqlx(pub(in crate::contenders) PgPool);

fn customer(row: &PgRow) -> sqlx::Result<Customer> {
    Ok(Customer {
        id: row.try_get_unchecked(0)?,
        code: row.try_get_unchecked(1)?,
        name: row.try_get_unchecked(2)?,
        balance: row.try_get_unchecked(3)?,
    })
}

#[async_trait(?Send)]
impl Contender for Sqlx {
    fn share(&self) -> Option<Box<dyn Contender>> {
        Some(Box::new(Self(self.0.clone())))
    }

    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = sqlx::query(INSERT).bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance);
            keys.push(insert.fetch_one(&self.0).await?.try_get_unchecked(0)?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            let update = sqlx::query(UPDATE).bind(row.id).bind(row.code.as_str());
            let update = update.bind(row.name.as_deref()).bind(row.balance);
            matched += update.execute(&self.0).await?.rows_affected();
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            deleted += sqlx::query(DELETE).bind(key).execute(&self.0).await?.rows_affected();
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let row = sqlx::query(SELECT).bind(key).fetch_optional(&self.0).await?;
            found.extend(row.as_ref().map(customer).transpose()?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.0.begin().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(sqlx::query("SELECT $1 + 1").bind(value).fetch_one(&self.0).await?.try_get_unchecked(0)?);
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let insert = sqlx::query(INSERT_MULTIPLE)
            .bind(rows.iter().map(|row| row.code.as_str()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.name.as_deref()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.balance).collect::<Vec<_>>());
        let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
        let mut returned = insert.fetch(&self.0);
        while let Some(row) = returned.try_next().await? {
            keys.push(row.try_get_unchecked(0)?);
        }
        // The order of RETURNING is not documented; identity keys that ascend with the ordinal are.
        keys.sort_unstable();
        Ok(keys)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        let insert = sqlx::query(INSERT_COUNTED)
            .bind(rows.iter().map(|row| row.code.as_str()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.name.as_deref()).collect::<Vec<_>>())
            .bind(rows.iter().map(|row| row.balance).collect::<Vec<_>>());
        Ok(insert.execute(&self.0).await?.rows_affected())
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut sorted: Vec<&Customer> = rows.iter().collect();
        sorted.sort_unstable_by_key(|row| row.id);
        let update = sqlx::query(UPDATE_MULTIPLE)
            .bind(sorted.iter().map(|row| row.id).collect::<Vec<_>>())
            .bind(sorted.iter().map(|row| row.code.as_str()).collect::<Vec<_>>())
            .bind(sorted.iter().map(|row| row.name.as_deref()).collect::<Vec<_>>())
            .bind(sorted.iter().map(|row| row.balance).collect::<Vec<_>>());
        Ok(update.execute(&self.0).await?.rows_affected())
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let update = sqlx::query(UPDATE_RANGE).bind(balance).bind(keys.start()).bind(keys.end());
        Ok(update.execute(&self.0).await?.rows_affected())
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut sorted = keys.to_vec();
        sorted.sort_unstable();
        Ok(sqlx::query(DELETE_MULTIPLE).bind(sorted).execute(&self.0).await?.rows_affected())
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let mut rows = sqlx::query(SELECT_KEYS).bind(keys).fetch(&self.0);
        let mut found = Vec::with_capacity(keys.len());
        while let Some(row) = rows.try_next().await? {
            found.push(customer(&row)?);
        }
        Ok(Box::new(in_order(found, keys)))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let (limit, offset) = (size.cast_signed(), ((number - 1) * size).cast_signed());
        let rows = sqlx::query(SELECT_PAGE).bind(limit).bind(offset).fetch_all(&self.0).await?;
        let total: i64 = rows.first().map_or(Ok(0), |row| row.try_get_unchecked(4))?;
        Ok((total.cast_unsigned(), Box::new(rows.iter().map(customer).collect::<sqlx::Result<Vec<_>>>()?)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut rows = sqlx::query(SELECT_RANGE).bind(keys.start()).bind(keys.end()).fetch(&self.0);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.push(customer(&row)?);
        }
        Ok(Box::new(found))
    }

    async fn function_rows(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut rows =
            sqlx::query("SELECT * FROM bench_lines($1, $2)").bind(keys.start()).bind(keys.end()).fetch(&self.0);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.push(customer(&row)?);
        }
        Ok(Box::new(found))
    }

    async fn function(&mut self, keys: &[i64]) -> Result<Vec<i64>> {
        let mut balances = Vec::with_capacity(keys.len());
        for key in keys {
            let row = sqlx::query("SELECT bench_balance($1)").bind(key).fetch_one(&self.0).await?;
            balances.push(row.try_get_unchecked(0)?);
        }
        Ok(balances)
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
