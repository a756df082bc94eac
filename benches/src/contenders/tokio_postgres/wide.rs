use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use futures_util::future::try_join_all;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

use super::Postgres;
use crate::wide::{Account, Found, Wide, columns};

pub(super) struct Statements {
    insert: Statement,
    update: Statement,
    select: Statement,
    select_range: Statement,
}

impl Statements {
    pub(super) async fn prepare(client: &Client) -> Result<Self> {
        let insert = concat!(
            "INSERT INTO bench_wide (",
            columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
            RETURNING id"
        );
        let update = "UPDATE bench_wide SET code = $1, given_name = $2, family_name = $3, title = $4, email = $5, phone = $6, street = $7,
            city = $8, country = $9, note = $10, visits = $11, balance = $12, discount = $13, score = $14,
            is_active = $15, born = $16, created = $17, seen = $18, token = $19 WHERE id = $20";
        let select = concat!("SELECT id, ", columns!(), " FROM bench_wide WHERE id");
        Ok(Self {
            insert: client.prepare(insert).await?,
            update: client.prepare(update).await?,
            select: client.prepare(&format!("{select} = $1")).await?,
            select_range: client.prepare(&format!("{select} BETWEEN $1 AND $2 ORDER BY id")).await?,
        })
    }
}

/// The cells of a row but the key, and the key.
fn cells(row: &Account) -> [&(dyn ToSql + Sync); 20] {
    [
        &row.code,
        &row.given_name,
        &row.family_name,
        &row.title,
        &row.email,
        &row.phone,
        &row.street,
        &row.city,
        &row.country,
        &row.note,
        &row.visits,
        &row.balance,
        &row.discount,
        &row.score,
        &row.is_active,
        &row.born,
        &row.created,
        &row.seen,
        &row.token,
        &row.id,
    ]
}

/// How many cells there are but the key.
const OTHERS: usize = 19;

fn account(row: &Row) -> Result<Account> {
    Ok(Account {
        id: row.try_get(0)?,
        code: row.try_get(1)?,
        given_name: row.try_get(2)?,
        family_name: row.try_get(3)?,
        title: row.try_get(4)?,
        email: row.try_get(5)?,
        phone: row.try_get(6)?,
        street: row.try_get(7)?,
        city: row.try_get(8)?,
        country: row.try_get(9)?,
        note: row.try_get(10)?,
        visits: row.try_get(11)?,
        balance: row.try_get(12)?,
        discount: row.try_get(13)?,
        score: row.try_get(14)?,
        is_active: row.try_get(15)?,
        born: row.try_get(16)?,
        created: row.try_get(17)?,
        seen: row.try_get(18)?,
        token: row.try_get(19)?,
    })
}

#[async_trait(?Send)]
impl Wide for Postgres {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = &self.statements.wide.insert;
            keys.push(self.client.query_one(insert, &cells(row)[..OTHERS]).await?.try_get(0)?);
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let row = self.client.query_opt(&self.statements.wide.select, &[key]).await?;
            found.extend(row.as_ref().map(account).transpose()?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let (transaction, insert) = (self.client.transaction().await?, &self.statements.wide.insert);
        let link = &transaction;
        let inserts = rows
            .iter()
            .map(|row| async move { link.query_one(insert, &cells(row)[..OTHERS]).await?.try_get::<_, i64>(0) });
        let keys = try_join_all(inserts).await?;
        transaction.commit().await?;
        Ok(keys)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        let (transaction, update) = (self.client.transaction().await?, &self.statements.wide.update);
        let link = &transaction;
        let updates = rows.iter().map(|row| async move { link.execute(update, &cells(row)).await });
        let matched = try_join_all(updates).await?;
        transaction.commit().await?;
        Ok(matched.iter().sum())
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let rows = self.client.query(&self.statements.wide.select_range, &[keys.start(), keys.end()]).await?;
        Ok(Box::new(rows.iter().map(account).collect::<Result<Vec<_>>>()?))
    }
}
