//! Diesel on PostgreSQL, by diesel-async.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection, TransactionManager};

use super::schema::bench_customers::dsl::{balance, bench_customers as table, id};
use super::{CHUNK, Stored, Written, and_one, refuses, written};
use crate::case::Database;
use crate::contender::{Contender, Entry, Found, in_order};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::published::Published;
use crate::wide::Wide;

inventory::submit! {
    Entry { name: "diesel", databases: &[Database::Postgres], refuses, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let Place::Postgres { url, schema, .. } = place else { anyhow::bail!("not a place on PostgreSQL") };
    let mut connection = AsyncPgConnection::establish(url).await?;
    let settings =
        format!("SET search_path TO {schema}; SET synchronous_commit TO off; SET application_name TO {schema}");
    connection.batch_execute(&settings).await?;
    Ok(Box::new(Diesel(connection)))
}

pub(in crate::contenders) struct Diesel(pub(in crate::contenders) AsyncPgConnection);

#[async_trait(?Send)]
impl Contender for Diesel {
    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = diesel::insert_into(table).values(Written::from(row)).returning(id);
            keys.push(insert.get_result(&mut self.0).await?);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            matched += diesel::update(table.find(row.id)).set(Written::from(row)).execute(&mut self.0).await?;
        }
        Ok(matched as u64)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for &key in keys {
            deleted += diesel::delete(table.find(key)).execute(&mut self.0).await?;
        }
        Ok(deleted as u64)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Stored> = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(table.find(key).select(Stored::as_select()).first(&mut self.0).await.optional()?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;
        Manager::begin_transaction(&mut self.0).await?;
        Ok(Manager::commit_transaction(&mut self.0).await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let mut sums = Vec::with_capacity(values.len());
        for &value in values {
            sums.push(diesel::select(and_one(value)).get_result(&mut self.0).await?);
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let insert = diesel::insert_into(table).values(written(rows)).returning(id);
        Ok(insert.get_results(&mut self.0).await?)
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        Ok(diesel::insert_into(table).values(written(rows)).execute(&mut self.0).await? as u64)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;
        let mut matched = 0;
        Manager::begin_transaction(&mut self.0).await?;
        for row in rows {
            matched += diesel::update(table.find(row.id)).set(Written::from(row)).execute(&mut self.0).await?;
        }
        Manager::commit_transaction(&mut self.0).await?;
        Ok(matched as u64)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, value: i64) -> Result<u64> {
        let rows = table.filter(id.between(*keys.start(), *keys.end()));
        Ok(diesel::update(rows).set(balance.eq(value)).execute(&mut self.0).await? as u64)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;
        let mut deleted = 0;
        Manager::begin_transaction(&mut self.0).await?;
        for chunk in keys.chunks(CHUNK) {
            deleted += diesel::delete(table.filter(id.eq_any(chunk))).execute(&mut self.0).await?;
        }
        Manager::commit_transaction(&mut self.0).await?;
        Ok(deleted as u64)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(CHUNK) {
            let select = table.filter(id.eq_any(chunk)).select(Stored::as_select());
            found.extend(select.load(&mut self.0).await?.into_iter().map(Customer::from));
        }
        Ok(Box::new(in_order(found, keys)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let select = table.filter(id.between(*keys.start(), *keys.end())).order(id).select(Stored::as_select());
        Ok(Box::new(select.load(&mut self.0).await?))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let (limit, offset) = (size.cast_signed(), ((number - 1) * size).cast_signed());
        let total: i64 = table.count().get_result(&mut self.0).await?;
        let select = table.order(id).limit(limit).offset(offset).select(Stored::as_select());
        Ok((total.cast_unsigned(), Box::new(select.load(&mut self.0).await?)))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
