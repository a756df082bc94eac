use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, TransactionManager};

use super::CHUNK;
use super::bench_wide::dsl::{bench_wide as table, id};
use crate::contenders::diesel::on_postgres::Diesel;
use crate::wide::{Account, Found, Wide};

type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;

#[async_trait(?Send)]
impl Wide for Diesel {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = diesel::insert_into(table).values(row).returning(id);
            keys.push(insert.get_result(&mut self.0).await?);
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Account> = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(table.find(key).select(Account::as_select()).first(&mut self.0).await.optional()?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
        Manager::begin_transaction(&mut self.0).await?;
        for chunk in rows.chunks(CHUNK) {
            let insert = diesel::insert_into(table).values(chunk).returning(id);
            keys.extend(insert.get_results::<i64>(&mut self.0).await?);
        }
        Manager::commit_transaction(&mut self.0).await?;
        Ok(keys)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        let mut matched = 0;
        Manager::begin_transaction(&mut self.0).await?;
        for row in rows {
            matched += diesel::update(table.find(row.id)).set(row).execute(&mut self.0).await?;
        }
        Manager::commit_transaction(&mut self.0).await?;
        Ok(matched as u64)
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let select = table.filter(id.between(*keys.start(), *keys.end())).order(id).select(Account::as_select());
        Ok(Box::new(select.load(&mut self.0).await?))
    }
}
