//! Multi-row VALUES on MySQL and MariaDB through sqlx's `QueryBuilder`: what most programs do to insert many
//! rows. 1,000 rows a statement, which is prepared and cached; all in one transaction.

use anyhow::Result;
use async_trait::async_trait;
use sqlx::QueryBuilder;
use sqlx::mysql::MySqlPool;

use super::keys::Keys;
use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::mysql::pool;
use crate::wide::Wide;

pub(super) const CHUNK: usize = 1_000;

inventory::submit! {
    Entry { name: "sqlx_values", databases: &[Database::Mysql, Database::Mariadb], refuses, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Sqlx { pool: pool(place).await?, keys: Keys::of(place) }))
}

fn refuses(case: &Case) -> Option<&'static str> {
    let inserts = matches!(case.operation, Operation::CreateMultiple | Operation::WideCreateMultiple);
    (!inserts).then_some("VALUES is for inserts of many rows")
}

pub(super) struct Sqlx {
    pub(super) pool: MySqlPool,
    pub(super) keys: Keys,
}

#[async_trait(?Send)]
impl Contender for Sqlx {
    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
        let mut transaction = self.pool.begin().await?;
        for chunk in rows.chunks(CHUNK) {
            let mut insert = QueryBuilder::new("INSERT INTO bench_customers (code, name, balance) ");
            insert.push_values(chunk, |mut tuple, row| {
                tuple.push_bind(row.code.as_str()).push_bind(row.name.as_deref()).push_bind(row.balance);
            });
            insert.push(self.keys.clause());
            self.keys.insert(&mut transaction, insert.build(), chunk.len(), &mut keys).await?;
        }
        transaction.commit().await?;
        Ok(keys)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
