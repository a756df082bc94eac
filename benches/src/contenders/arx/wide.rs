use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;

use super::Arx;
use crate::wide::{Account, Found, Wide};

impl Arx {
    fn accounts(&self) -> arx::Repository<'_, Account> {
        self.database.repository()
    }
}

#[async_trait(?Send)]
impl Wide for Arx {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            keys.push(self.accounts().create(row).await?);
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(self.accounts().retrieve(key).await?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        Ok(self.accounts().create_multiple(rows).await?)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        Ok(self.accounts().update_multiple(rows).await?.matched)
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let (first, last) = keys.into_inner();
        let filter = Account::ID.between(first, last);
        Ok(Box::new(self.accounts().retrieve_multiple(filter).order_by(Account::ID.asc()).await?))
    }
}
