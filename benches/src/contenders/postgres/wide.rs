//! The wide table on PostgreSQL, for the contenders that are on sqlx.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;
use sqlx::{QueryBuilder, Row};

use super::{query_as, raw_sqlx, values};
use crate::wide::{Account, Found, Wide, columns, give};

const INSERT: &str = concat!(
    "INSERT INTO bench_wide (",
    columns!(),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
    RETURNING id"
);
const INSERT_MULTIPLE: &str = concat!(
    "INSERT INTO bench_wide (",
    columns!(),
    ") SELECT ",
    columns!(),
    " FROM UNNEST($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::int4[], $12::int8[], $13::int2[], $14::float8[], $15::bool[],
    $16::date[], $17::timestamp[], $18::timestamp[], $19::bytea[])
    WITH ORDINALITY AS s(",
    columns!(),
    ", ord) ORDER BY s.ord RETURNING id"
);
// The wrapped parameters hide the arrays' lengths from the planner, which then keeps to the index.
const UPDATE_MULTIPLE: &str = concat!(
    "UPDATE bench_wide AS t SET code = s.code, given_name = s.given_name, family_name = s.family_name, title = s.title,
    email = s.email, phone = s.phone, street = s.street, city = s.city, country = s.country,
    note = s.note, visits = s.visits, balance = s.balance, discount = s.discount, score = s.score,
    is_active = s.is_active, born = s.born, created = s.created, seen = s.seen, token = s.token
    FROM UNNEST((SELECT $1::int8[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::text[]),
    (SELECT $5::text[]), (SELECT $6::text[]), (SELECT $7::text[]), (SELECT $8::text[]),
    (SELECT $9::text[]), (SELECT $10::text[]), (SELECT $11::text[]), (SELECT $12::int4[]),
    (SELECT $13::int8[]), (SELECT $14::int2[]), (SELECT $15::float8[]), (SELECT $16::bool[]),
    (SELECT $17::date[]), (SELECT $18::timestamp[]), (SELECT $19::timestamp[]), (SELECT $20::bytea[]))
    AS s(id, ",
    columns!(),
    ") WHERE t.id = s.id"
);
const SELECT: &str = concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id = $1");
const SELECT_RANGE: &str =
    concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id BETWEEN $1 AND $2 ORDER BY id");

fn account(row: &PgRow) -> sqlx::Result<Account> {
    Ok(Account {
        id: row.try_get_unchecked(0)?,
        code: row.try_get_unchecked(1)?,
        given_name: row.try_get_unchecked(2)?,
        family_name: row.try_get_unchecked(3)?,
        title: row.try_get_unchecked(4)?,
        email: row.try_get_unchecked(5)?,
        phone: row.try_get_unchecked(6)?,
        street: row.try_get_unchecked(7)?,
        city: row.try_get_unchecked(8)?,
        country: row.try_get_unchecked(9)?,
        note: row.try_get_unchecked(10)?,
        visits: row.try_get_unchecked(11)?,
        balance: row.try_get_unchecked(12)?,
        discount: row.try_get_unchecked(13)?,
        score: row.try_get_unchecked(14)?,
        is_active: row.try_get_unchecked(15)?,
        born: row.try_get_unchecked(16)?,
        created: row.try_get_unchecked(17)?,
        seen: row.try_get_unchecked(18)?,
        token: row.try_get_unchecked(19)?,
    })
}

/// One cell of every row.
fn column<'a, T>(rows: &[&'a Account], cell: impl Fn(&'a Account) -> T) -> Vec<T> {
    rows.iter().map(|row| cell(row)).collect()
}

type Prepared<'a> = Query<'a, Postgres, PgArguments>;

fn bind_arrays<'a>(query: Prepared<'a>, rows: &[&'a Account]) -> Prepared<'a> {
    query
        .bind(column(rows, |row| row.code.as_str()))
        .bind(column(rows, |row| row.given_name.as_str()))
        .bind(column(rows, |row| row.family_name.as_str()))
        .bind(column(rows, |row| row.title.as_deref()))
        .bind(column(rows, |row| row.email.as_deref()))
        .bind(column(rows, |row| row.phone.as_deref()))
        .bind(column(rows, |row| row.street.as_str()))
        .bind(column(rows, |row| row.city.as_str()))
        .bind(column(rows, |row| row.country.as_str()))
        .bind(column(rows, |row| row.note.as_deref()))
        .bind(column(rows, |row| row.visits))
        .bind(column(rows, |row| row.balance))
        .bind(column(rows, |row| row.discount))
        .bind(column(rows, |row| row.score))
        .bind(column(rows, |row| row.is_active))
        .bind(column(rows, |row| row.born))
        .bind(column(rows, |row| row.created))
        .bind(column(rows, |row| row.seen))
        .bind(column(rows, |row| row.token.as_slice()))
}

#[async_trait(?Send)]
impl Wide for raw_sqlx::Sqlx {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = give!(sqlx::query(INSERT), bind, row);
            keys.push(insert.fetch_one(&self.0).await?.try_get_unchecked(0)?);
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let row = sqlx::query(SELECT).bind(key).fetch_optional(&self.0).await?;
            found.extend(row.as_ref().map(account).transpose()?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let insert = bind_arrays(sqlx::query(INSERT_MULTIPLE), &rows.iter().collect::<Vec<_>>());
        let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
        let mut returned = insert.fetch(&self.0);
        while let Some(row) = returned.try_next().await? {
            keys.push(row.try_get_unchecked(0)?);
        }
        // The order of RETURNING is not documented; identity keys that ascend with the ordinal are.
        keys.sort_unstable();
        Ok(keys)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        let mut sorted: Vec<&Account> = rows.iter().collect();
        sorted.sort_unstable_by_key(|row| row.id);
        let update = sqlx::query(UPDATE_MULTIPLE).bind(column(&sorted, |row| row.id));
        Ok(bind_arrays(update, &sorted).execute(&self.0).await?.rows_affected())
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let mut rows = sqlx::query(SELECT_RANGE).bind(keys.start()).bind(keys.end()).fetch(&self.0);
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
        let mut transaction = self.0.begin().await?;
        for chunk in rows.chunks(values::CHUNK) {
            let mut insert = QueryBuilder::new(concat!("INSERT INTO bench_wide (", columns!(), ") "));
            insert.push_values(chunk, |mut tuple, row| {
                give!(tuple, push_bind, row);
            });
            insert.push(" RETURNING id");
            keys.extend(insert.build_query_scalar::<i64>().fetch_all(&mut *transaction).await?);
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
