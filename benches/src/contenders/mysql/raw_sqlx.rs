//! The best hand-written sqlx on MySQL and MariaDB: everything prepared, batches in a closed set of sizes, several
//! statements in one transaction, keys sorted, rows decoded by position without sqlx's check of each cell's type.

use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::{Context, Result};
use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::mysql::{MySqlArguments, MySqlPool, MySqlRow};
use sqlx::{Arguments, Either, Executor};

use super::keys::Keys;
use super::parts::{LARGEST, MOST_CASES, Prepared, add, integer, padded, powers, text, texts, write};
use super::wide;
use crate::case::Database;
use crate::contender::{Contender, Entry, Found, in_order, nothing};
use crate::contenders::list;
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::mysql::pool;
use crate::published::Published;
use crate::wide::Wide;

inventory::submit! {
    Entry { name: "raw_sqlx", databases: &[Database::Mysql, Database::Mariadb], refuses: nothing, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Sqlx::new(pool(place).await?, Keys::of(place))))
}

const UPDATE: &str = "UPDATE bench_customers SET code = ?, name = ?, balance = ? WHERE id = ?";
const UPDATE_RANGE: &str = "UPDATE bench_customers SET balance = ? WHERE id BETWEEN ? AND ?";
const DELETE: &str = "DELETE FROM bench_customers WHERE id = ?";
const SELECT: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id = ?";
const SELECT_PAGE: &str = "SELECT id, code, name, balance, (SELECT COUNT(*) FROM bench_customers)
    FROM bench_customers ORDER BY id LIMIT ? OFFSET ?";
const SELECT_RANGE: &str = "SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN ? AND ? ORDER BY id";

/// The keys of the largest DELETE and of the largest SELECT.
const MOST_KEYS: usize = 1_024;

pub(in crate::contenders) struct Sqlx {
    pub(in crate::contenders) pool: MySqlPool,
    keys: Keys,
    /// Texts for 1, 2, 4, .. rows.
    inserts: Vec<Arc<str>>,
    counted: Vec<Arc<str>>,
    updates: Vec<Arc<str>>,
    deletes: Vec<Arc<str>>,
    selects: Vec<Arc<str>>,
    wide: wide::Sqlx,
}

impl Sqlx {
    fn new(pool: MySqlPool, keys: Keys) -> Self {
        // MariaDB has no prepared VALUES in a join.
        let most_updates = if keys == Keys::First { LARGEST } else { MOST_CASES };
        Self {
            wide: wide::Sqlx::new(pool.clone(), keys),
            pool,
            keys,
            inserts: texts(LARGEST, &|rows| insert(rows, keys.clause())),
            counted: texts(LARGEST, &|rows| insert(rows, "")),
            updates: texts(most_updates, &update),
            deletes: texts(MOST_KEYS, &delete),
            selects: texts(MOST_KEYS, &select),
        }
    }
}

fn insert(rows: usize, clause: &str) -> String {
    let tuples = list("(?, ?, ?)", rows);
    format!("INSERT INTO bench_customers (code, name, balance) VALUES {tuples}{clause}")
}

fn update(rows: usize) -> String {
    if rows > MOST_CASES {
        // The first row's types are those of all.
        let first = "ROW(CAST(? AS SIGNED), CAST(? AS CHAR), CAST(? AS CHAR), CAST(? AS SIGNED))";
        return format!(
            "UPDATE bench_customers AS t JOIN (VALUES {first}, {}) AS s(id, code, name, balance) ON t.id = s.id
            SET t.code = s.code, t.name = s.name, t.balance = s.balance",
            list("ROW(?, ?, ?, ?)", rows - 1)
        );
    }
    let case = vec!["WHEN ? THEN ?"; rows].join(" ");
    format!(
        "UPDATE bench_customers SET code = CASE id {case} END, name = CASE id {case} END, balance = CASE id {case} END
        WHERE id IN ({})",
        list("?", rows)
    )
}

fn delete(rows: usize) -> String {
    format!("DELETE FROM bench_customers WHERE id IN ({})", list("?", rows))
}

fn select(rows: usize) -> String {
    format!("SELECT id, code, name, balance FROM bench_customers WHERE id IN ({})", list("?", rows))
}

fn insert_arguments(rows: &[Customer]) -> Result<MySqlArguments> {
    let mut arguments = MySqlArguments::default();
    arguments.reserve(rows.len() * 3, rows.len() * 48);
    for row in rows {
        add(&mut arguments, row.code.as_str())?;
        add(&mut arguments, row.name.as_deref())?;
        add(&mut arguments, row.balance)?;
    }
    Ok(arguments)
}

fn joined_arguments(rows: &[&Customer], size: usize) -> Result<MySqlArguments> {
    let mut arguments = MySqlArguments::default();
    arguments.reserve(size * 4, size * 56);
    for row in rows {
        add(&mut arguments, row.id)?;
        add(&mut arguments, row.code.as_str())?;
        add(&mut arguments, row.name.as_deref())?;
        add(&mut arguments, row.balance)?;
    }
    for _ in rows.len()..size {
        // No row has this key.
        add(&mut arguments, 0_i64)?;
        add(&mut arguments, "")?;
        add(&mut arguments, None::<&str>)?;
        add(&mut arguments, 0_i64)?;
    }
    Ok(arguments)
}

fn case_arguments(rows: &[&Customer], size: usize) -> Result<MySqlArguments> {
    let last = *rows.last().context("no rows")?;
    let filled = || rows.iter().copied().chain(std::iter::repeat(last)).take(size);
    let mut arguments = MySqlArguments::default();
    arguments.reserve(size * 7, size * 80);
    for row in filled() {
        add(&mut arguments, row.id)?;
        add(&mut arguments, row.code.as_str())?;
    }
    for row in filled() {
        add(&mut arguments, row.id)?;
        add(&mut arguments, row.name.as_deref())?;
    }
    for row in filled() {
        add(&mut arguments, row.id)?;
        add(&mut arguments, row.balance)?;
    }
    for row in filled() {
        add(&mut arguments, row.id)?;
    }
    Ok(arguments)
}

fn customer(row: &MySqlRow) -> Result<Customer> {
    let code = text(row, 1)?.context("NULL")?;
    Ok(Customer { id: integer(row, 0)?, code, name: text(row, 2)?, balance: integer(row, 3)? })
}

#[async_trait(?Send)]
impl Contender for Sqlx {
    fn share(&self) -> Option<Box<dyn Contender>> {
        Some(Box::new(Self::new(self.pool.clone(), self.keys)))
    }

    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        let sql = "INSERT INTO bench_customers (code, name, balance) VALUES (?, ?, ?)";
        for row in rows {
            let insert = sqlx::query(sql).bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance);
            keys.push(i64::try_from(insert.execute(&self.pool).await?.last_insert_id())?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            let update = sqlx::query(UPDATE).bind(row.code.as_str()).bind(row.name.as_deref());
            matched += update.bind(row.balance).bind(row.id).execute(&self.pool).await?.rows_affected();
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            deleted += sqlx::query(DELETE).bind(key).execute(&self.pool).await?.rows_affected();
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let row = sqlx::query(SELECT).bind(key).fetch_optional(&self.pool).await?;
            found.extend(row.as_ref().map(customer).transpose()?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.pool.begin().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(integer(&sqlx::query("SELECT ? + 1").bind(value).fetch_one(&self.pool).await?, 0)?);
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        let mut transaction = self.pool.begin().await?;
        for chunk in powers(rows) {
            let (text, _) = padded(&self.inserts, chunk.len());
            let insert = sqlx::query_with(text, insert_arguments(chunk)?);
            self.keys.insert(&mut transaction, insert, chunk.len(), &mut keys).await?;
        }
        transaction.commit().await?;
        Ok(keys)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        let chunks: Vec<&[Customer]> = powers(rows).collect();
        let statements =
            chunks.iter().map(|chunk| Ok((padded(&self.counted, chunk.len()).0, insert_arguments(chunk)?)));
        write(&self.pool, statements).await
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut sorted: Vec<&Customer> = rows.iter().collect();
        sorted.sort_unstable_by_key(|row| row.id);
        write(&self.pool, sorted.chunks(1 << (self.updates.len() - 1)).map(|chunk| self.update_statement(chunk))).await
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let update = sqlx::query(UPDATE_RANGE).bind(balance).bind(keys.start()).bind(keys.end());
        Ok(update.execute(&self.pool).await?.rows_affected())
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut sorted = keys.to_vec();
        sorted.sort_unstable();
        write(&self.pool, sorted.chunks(MOST_KEYS).map(|chunk| Self::keyed_statement(&self.deletes, chunk))).await
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        let mut link = self.pool.acquire().await?;
        for chunk in keys.chunks(MOST_KEYS) {
            let (text, arguments) = Self::keyed_statement(&self.selects, chunk)?;
            let mut rows = sqlx::query_with(text, arguments).fetch(&mut *link);
            while let Some(row) = rows.try_next().await? {
                found.push(customer(&row)?);
            }
        }
        Ok(Box::new(in_order(found, keys)))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let rows = sqlx::query(SELECT_PAGE).bind(size).bind((number - 1) * size).fetch_all(&self.pool).await?;
        let total = rows.first().map_or(Ok(0), |row| integer(row, 4))?;
        Ok((total.cast_unsigned(), Box::new(rows.iter().map(customer).collect::<Result<Vec<_>>>()?)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut rows = sqlx::query(SELECT_RANGE).bind(keys.start()).bind(keys.end()).fetch(&self.pool);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.push(customer(&row)?);
        }
        Ok(Box::new(found))
    }

    async fn procedure(&mut self, keys: RangeInclusive<i64>) -> Result<(u64, Found)> {
        let call = sqlx::query("CALL bench_report(?, ?, ?)").bind(keys.start()).bind(keys.end()).bind(None::<i64>);
        let mut answer = (&self.pool).fetch_many(call);
        let (mut found, mut total, mut sets) = (Vec::new(), 0, 0);
        while let Some(next) = answer.try_next().await? {
            match next {
                Either::Left(_) => sets += 1,
                Either::Right(row) if sets == 0 => found.push(customer(&row)?),
                Either::Right(row) => total = integer(&row, 0)?,
            }
        }
        Ok((total.cast_unsigned(), Box::new(found)))
    }

    async fn function(&mut self, keys: &[i64]) -> Result<Vec<i64>> {
        let mut balances = Vec::with_capacity(keys.len());
        for key in keys {
            let row = sqlx::query("SELECT bench_balance(?)").bind(key).fetch_one(&self.pool).await?;
            balances.push(integer(&row, 0)?);
        }
        Ok(balances)
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(&mut self.wide)
    }
}

impl Sqlx {
    fn update_statement(&self, rows: &[&Customer]) -> Result<Prepared> {
        let (text, size) = padded(&self.updates, rows.len());
        let arguments = if size > MOST_CASES { joined_arguments(rows, size)? } else { case_arguments(rows, size)? };
        Ok((text, arguments))
    }

    /// A statement for some keys and the last one again until there are enough.
    fn keyed_statement(texts: &[Arc<str>], keys: &[i64]) -> Result<Prepared> {
        let (text, size) = padded(texts, keys.len());
        let last = *keys.last().context("no keys")?;
        let mut arguments = MySqlArguments::default();
        arguments.reserve(size, size * 8);
        for key in keys.iter().copied().chain(std::iter::repeat(last)).take(size) {
            add(&mut arguments, key)?;
        }
        Ok((text, arguments))
    }
}
