use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use diesel::prelude::*;

use super::CHUNK;
use super::bench_wide::dsl::{bench_wide as table, id};
use crate::contenders::diesel::on_sqlite::Diesel;
use crate::wide::{Account, Found, Wide};

#[async_trait(?Send)]
impl Wide for Diesel {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let insert = diesel::insert_into(table).values(row).returning(id);
            keys.push(insert.get_result(&mut self.0)?);
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Account> = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(table.find(key).select(Account::as_select()).first(&mut self.0).optional()?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        Ok(self.0.transaction(|connection| {
            let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
            for chunk in rows.chunks(CHUNK) {
                let insert = diesel::insert_into(table).values(chunk).returning(id);
                keys.extend(insert.get_results::<i64>(connection)?);
            }
            QueryResult::Ok(keys)
        })?)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        Ok(self.0.transaction(|connection| {
            let mut matched = 0;
            for row in rows {
                matched += diesel::update(table.find(row.id)).set(row).execute(connection)?;
            }
            QueryResult::Ok(matched as u64)
        })?)
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let select = table.filter(id.between(*keys.start(), *keys.end())).order(id).select(Account::as_select());
        Ok(Box::new(select.load(&mut self.0)?))
    }
}
