//! tokio-postgres by its own idioms: statements prepared once, a batch pipelined row by row in one transaction, COPY
//! where no keys are asked for.

use std::ops::RangeInclusive;
use std::pin::pin;

use anyhow::Result;
use async_trait::async_trait;
use futures_util::future::try_join_all;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Config, NoTls, Row, Statement};

use crate::case::Database;
use crate::contender::{Contender, Entry, Found, in_order, nothing};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::published::Published;
use crate::wide::Wide;

mod wide;

inventory::submit! {
    Entry {
        name: "tokio_postgres",
        databases: &[Database::Postgres],
        refuses: nothing,
        open: |place| Box::pin(open(place)),
    }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let Place::Postgres { url, schema, .. } = place else { anyhow::bail!("not a place on PostgreSQL") };
    let mut config: Config = url.parse()?;
    config.application_name(schema);
    config.options(format!("-c search_path={schema} -c synchronous_commit=off"));
    let (client, connection) = config.connect(NoTls).await?;
    // An error on the connection is one of the call that meets it, too.
    tokio::spawn(async move { drop(connection.await) });
    let published = super::published::tokio_postgres::Statements::prepare(&client).await?;
    Ok(Box::new(Postgres { statements: Statements::prepare(&client).await?, client, published }))
}

pub(in crate::contenders) struct Postgres {
    pub(in crate::contenders) client: Client,
    statements: Statements,
    pub(in crate::contenders) published: super::published::tokio_postgres::Statements,
}

struct Statements {
    insert: Statement,
    update: Statement,
    update_range: Statement,
    delete: Statement,
    delete_keys: Statement,
    select: Statement,
    select_keys: Statement,
    select_range: Statement,
    select_page: Statement,
    select_sum: Statement,
    wide: wide::Statements,
}

impl Statements {
    async fn prepare(client: &Client) -> Result<Self> {
        let select = "SELECT id, code, name, balance FROM bench_customers WHERE";
        let insert = "INSERT INTO bench_customers (code, name, balance) VALUES ($1, $2, $3) RETURNING id";
        let update = "UPDATE bench_customers SET code = $2, name = $3, balance = $4 WHERE id = $1";
        let range = "UPDATE bench_customers SET balance = $1 WHERE id BETWEEN $2 AND $3";
        let page = "SELECT id, code, name, balance, (SELECT count(*) FROM bench_customers)
            FROM bench_customers ORDER BY id LIMIT $1 OFFSET $2";
        Ok(Self {
            insert: client.prepare(insert).await?,
            update: client.prepare(update).await?,
            update_range: client.prepare(range).await?,
            delete: client.prepare("DELETE FROM bench_customers WHERE id = $1").await?,
            delete_keys: client.prepare("DELETE FROM bench_customers WHERE id = ANY($1)").await?,
            select: client.prepare(&format!("{select} id = $1")).await?,
            select_keys: client.prepare(&format!("{select} id = ANY($1)")).await?,
            select_range: client.prepare(&format!("{select} id BETWEEN $1 AND $2 ORDER BY id")).await?,
            select_page: client.prepare(page).await?,
            select_sum: client.prepare("SELECT $1::int8 + 1").await?,
            wide: wide::Statements::prepare(client).await?,
        })
    }
}

fn customer(row: &Row) -> Result<Customer> {
    Ok(Customer { id: row.try_get(0)?, code: row.try_get(1)?, name: row.try_get(2)?, balance: row.try_get(3)? })
}

fn customers(rows: &[Row]) -> Result<Vec<Customer>> {
    rows.iter().map(customer).collect()
}

#[async_trait(?Send)]
impl Contender for Postgres {
    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = &self.statements.insert;
            keys.push(self.client.query_one(insert, &[&row.code, &row.name, &row.balance]).await?.try_get(0)?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            let update = &self.statements.update;
            matched += self.client.execute(update, &[&row.id, &row.code, &row.name, &row.balance]).await?;
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for key in keys {
            deleted += self.client.execute(&self.statements.delete, &[key]).await?;
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            let row = self.client.query_opt(&self.statements.select, &[key]).await?;
            found.extend(row.as_ref().map(customer).transpose()?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.client.transaction().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for value in values {
            sums.push(self.client.query_one(&self.statements.select_sum, &[value]).await?.try_get(0)?);
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let (transaction, insert) = (self.client.transaction().await?, &self.statements.insert);
        let link = &transaction;
        let inserts = rows.iter().map(|row| async move {
            link.query_one(insert, &[&row.code, &row.name, &row.balance]).await?.try_get::<_, i64>(0)
        });
        let keys = try_join_all(inserts).await?;
        transaction.commit().await?;
        Ok(keys)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        let copy = "COPY bench_customers (code, name, balance) FROM STDIN BINARY";
        let sink = self.client.copy_in(copy).await?;
        let mut writer = pin!(BinaryCopyInWriter::new(sink, &[Type::TEXT, Type::TEXT, Type::INT8]));
        for row in rows {
            writer.as_mut().write(&[&row.code, &row.name, &row.balance]).await?;
        }
        Ok(writer.finish().await?)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let (transaction, update) = (self.client.transaction().await?, &self.statements.update);
        let link = &transaction;
        let updates = rows
            .iter()
            .map(|row| async move { link.execute(update, &[&row.id, &row.code, &row.name, &row.balance]).await });
        let matched = try_join_all(updates).await?;
        transaction.commit().await?;
        Ok(matched.iter().sum())
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let update = &self.statements.update_range;
        Ok(self.client.execute(update, &[&balance, keys.start(), keys.end()]).await?)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        Ok(self.client.execute(&self.statements.delete_keys, &[&keys]).await?)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let rows = self.client.query(&self.statements.select_keys, &[&keys]).await?;
        Ok(Box::new(in_order(customers(&rows)?, keys)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let rows = self.client.query(&self.statements.select_range, &[keys.start(), keys.end()]).await?;
        Ok(Box::new(customers(&rows)?))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let (limit, offset) = (size.cast_signed(), ((number - 1) * size).cast_signed());
        let rows = self.client.query(&self.statements.select_page, &[&limit, &offset]).await?;
        let total: i64 = rows.first().map_or(Ok(0), |row| row.try_get(4))?;
        Ok((total.cast_unsigned(), Box::new(customers(&rows)?)))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
