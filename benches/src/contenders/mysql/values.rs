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
use crate::fixture::mysql::{CONNECTIONS, pool};

const CHUNK: usize = 1_000;

/// On both.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "sqlx_values",
        database: Database::Mysql,
        measures,
        open: |place| Box::pin(async move { Ok(Sqlx::boxed(pool(place, CONNECTIONS).await?, Keys::First)) }),
    },
    Entry {
        name: "sqlx_values",
        database: Database::Mariadb,
        measures,
        open: |place| Box::pin(async move { Ok(Sqlx::boxed(pool(place, CONNECTIONS).await?, Keys::Returned)) }),
    },
];

fn measures(case: &Case) -> bool {
    case.operation == Operation::CreateMultiple
}

struct Sqlx {
    pool: MySqlPool,
    keys: Keys,
}

impl Sqlx {
    fn boxed(pool: MySqlPool, keys: Keys) -> Box<dyn Contender> {
        Box::new(Self { pool, keys })
    }
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
}
