//! The wide table on MySQL and MariaDB, for the contenders that are on sqlx.

use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::{Context, Result};
use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::mysql::{MySqlArguments, MySqlPool, MySqlRow};
use sqlx::{Arguments, QueryBuilder, Row};

use super::keys::Keys;
use super::parts::{LARGEST, MOST_CASES, Prepared, add, bytes, integer, padded, powers, text, texts, write};
use super::{query_as, values};
use crate::contenders::list;
use crate::wide::{Account, Found, Wide, columns, give};

const SELECT: &str = concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id = ?");
const SELECT_RANGE: &str = concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id BETWEEN ? AND ? ORDER BY id");

/// The columns but the key, with the types that their cells are cast to.
const COLUMNS: [(&str, &str); 19] = [
    ("code", "CHAR"),
    ("given_name", "CHAR"),
    ("family_name", "CHAR"),
    ("title", "CHAR"),
    ("email", "CHAR"),
    ("phone", "CHAR"),
    ("street", "CHAR"),
    ("city", "CHAR"),
    ("country", "CHAR"),
    ("note", "CHAR"),
    ("visits", "SIGNED"),
    ("balance", "SIGNED"),
    ("discount", "SIGNED"),
    ("score", "DOUBLE"),
    ("is_active", "SIGNED"),
    ("born", "DATE"),
    ("created", "DATETIME(6)"),
    ("seen", "DATETIME(6)"),
    ("token", "BINARY"),
];

/// How a cell becomes an argument, of each column but the key.
const CELLS: [fn(&mut MySqlArguments, &Account) -> Result<()>; 19] = [
    |arguments, row| add(arguments, row.code.as_str()),
    |arguments, row| add(arguments, row.given_name.as_str()),
    |arguments, row| add(arguments, row.family_name.as_str()),
    |arguments, row| add(arguments, row.title.as_deref()),
    |arguments, row| add(arguments, row.email.as_deref()),
    |arguments, row| add(arguments, row.phone.as_deref()),
    |arguments, row| add(arguments, row.street.as_str()),
    |arguments, row| add(arguments, row.city.as_str()),
    |arguments, row| add(arguments, row.country.as_str()),
    |arguments, row| add(arguments, row.note.as_deref()),
    |arguments, row| add(arguments, row.visits),
    |arguments, row| add(arguments, row.balance),
    |arguments, row| add(arguments, row.discount),
    |arguments, row| add(arguments, row.score),
    |arguments, row| add(arguments, row.is_active),
    |arguments, row| add(arguments, row.born),
    |arguments, row| add(arguments, row.created),
    |arguments, row| add(arguments, row.seen),
    |arguments, row| add(arguments, row.token.as_slice()),
];

/// The wide part of raw_sqlx.
pub(super) struct Sqlx {
    pool: MySqlPool,
    keys: Keys,
    /// Texts for 1, 2, 4, .. rows.
    inserts: Vec<Arc<str>>,
    updates: Vec<Arc<str>>,
}

impl Sqlx {
    pub(super) fn new(pool: MySqlPool, keys: Keys) -> Self {
        // MariaDB has no prepared VALUES in a join.
        let most_updates = if keys == Keys::First { LARGEST } else { MOST_CASES };
        Self {
            pool,
            keys,
            inserts: texts(LARGEST, &|rows| insert(rows, keys.clause())),
            updates: texts(most_updates, &update),
        }
    }

    fn update_statement(&self, rows: &[&Account]) -> Result<Prepared> {
        let (text, size) = padded(&self.updates, rows.len());
        let arguments = if size > MOST_CASES { joined_arguments(rows, size)? } else { case_arguments(rows, size)? };
        Ok((text, arguments))
    }
}

fn insert(rows: usize, clause: &str) -> String {
    let tuple = format!("({})", list("?", COLUMNS.len()));
    format!("INSERT INTO bench_wide ({}) VALUES {}{clause}", columns!(), list(&tuple, rows))
}

fn update(rows: usize) -> String {
    if rows > MOST_CASES {
        // The first row's types are those of all.
        let casts = COLUMNS.map(|(_, cast)| format!("CAST(? AS {cast})")).join(", ");
        return format!(
            "UPDATE bench_wide AS t JOIN (VALUES ROW(CAST(? AS SIGNED), {casts}), {}) AS s(id, {}) ON t.id = s.id
            SET {}",
            list(&format!("ROW({})", list("?", COLUMNS.len() + 1)), rows - 1),
            columns!(),
            COLUMNS.map(|(name, _)| format!("t.{name} = s.{name}")).join(", ")
        );
    }
    let case = vec!["WHEN ? THEN ?"; rows].join(" ");
    let cases = COLUMNS.map(|(name, _)| format!("{name} = CASE id {case} END")).join(", ");
    format!("UPDATE bench_wide SET {cases} WHERE id IN ({})", list("?", rows))
}

fn add_row(arguments: &mut MySqlArguments, row: &Account) -> Result<()> {
    CELLS.iter().try_for_each(|add_cell| add_cell(arguments, row))
}

fn insert_arguments(rows: &[Account]) -> Result<MySqlArguments> {
    let mut arguments = MySqlArguments::default();
    arguments.reserve(rows.len() * COLUMNS.len(), rows.len() * 512);
    rows.iter().try_for_each(|row| add_row(&mut arguments, row))?;
    Ok(arguments)
}

fn joined_arguments(rows: &[&Account], size: usize) -> Result<MySqlArguments> {
    let last = *rows.last().context("no rows")?;
    let mut arguments = MySqlArguments::default();
    arguments.reserve(size * (COLUMNS.len() + 1), size * 512);
    for row in rows {
        add(&mut arguments, row.id)?;
        add_row(&mut arguments, row)?;
    }
    for _ in rows.len()..size {
        // No row has this key.
        add(&mut arguments, 0_i64)?;
        add_row(&mut arguments, last)?;
    }
    Ok(arguments)
}

fn case_arguments(rows: &[&Account], size: usize) -> Result<MySqlArguments> {
    let last = *rows.last().context("no rows")?;
    let filled = || rows.iter().copied().chain(std::iter::repeat(last)).take(size);
    let mut arguments = MySqlArguments::default();
    arguments.reserve(size * (2 * COLUMNS.len() + 1), size * 768);
    for add_cell in CELLS {
        for row in filled() {
            add(&mut arguments, row.id)?;
            add_cell(&mut arguments, row)?;
        }
    }
    filled().try_for_each(|row| add(&mut arguments, row.id))?;
    Ok(arguments)
}

fn account(row: &MySqlRow) -> Result<Account> {
    let needed = |column| text(row, column)?.context("NULL");
    Ok(Account {
        id: integer(row, 0)?,
        code: needed(1)?,
        given_name: needed(2)?,
        family_name: needed(3)?,
        title: text(row, 4)?,
        email: text(row, 5)?,
        phone: text(row, 6)?,
        street: needed(7)?,
        city: needed(8)?,
        country: needed(9)?,
        note: text(row, 10)?,
        visits: i32::from_le_bytes(bytes(row, 11)?.context("NULL")?.try_into()?),
        balance: integer(row, 12)?,
        discount: bytes(row, 13)?.map(|bytes| anyhow::Ok(i16::from_le_bytes(bytes.try_into()?))).transpose()?,
        score: row.try_get_unchecked(14)?,
        is_active: row.try_get_unchecked(15)?,
        born: row.try_get_unchecked(16)?,
        created: row.try_get_unchecked(17)?,
        seen: row.try_get_unchecked(18)?,
        token: bytes(row, 19)?.context("NULL")?.to_vec(),
    })
}

#[async_trait(?Send)]
impl Wide for Sqlx {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let (text, _) = padded(&self.inserts, 1);
            let insert = sqlx::query_with(text, insert_arguments(std::slice::from_ref(row))?);
            self.keys.insert(&mut *self.pool.acquire().await?, insert, 1, &mut keys).await?;
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let row = sqlx::query(SELECT).bind(key).fetch_optional(&self.pool).await?;
            found.extend(row.as_ref().map(account).transpose()?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
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

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        let mut sorted: Vec<&Account> = rows.iter().collect();
        sorted.sort_unstable_by_key(|row| row.id);
        let chunks = sorted.chunks(1 << (self.updates.len() - 1));
        write(&self.pool, chunks.map(|chunk| self.update_statement(chunk))).await
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut rows = sqlx::query(SELECT_RANGE).bind(keys.start()).bind(keys.end()).fetch(&self.pool);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.push(account(&row)?);
        }
        Ok(Box::new(found))
    }
}

#[async_trait(?Send)]
impl Wide for values::Sqlx {
    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
        let mut transaction = self.pool.begin().await?;
        for chunk in rows.chunks(values::CHUNK) {
            let mut insert = QueryBuilder::new(concat!("INSERT INTO bench_wide (", columns!(), ") "));
            insert.push_values(chunk, |mut tuple, row| {
                give!(tuple, push_bind, row);
            });
            insert.push(self.keys.clause());
            self.keys.insert(&mut transaction, insert.build(), chunk.len(), &mut keys).await?;
        }
        transaction.commit().await?;
        Ok(keys)
    }
}

#[async_trait(?Send)]
impl Wide for query_as::Sqlx {
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
