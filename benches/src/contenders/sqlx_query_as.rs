//! sqlx's `query_as` on PostgreSQL: what most of its users write for reads.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use sqlx::postgres::PgPool;

use crate::case::{Database, Operation};
use crate::contender::{Contender, Entry, Found};
use crate::customer::Customer;
use crate::fixture::postgres::{CONNECTIONS, pool};

/// On PostgreSQL.
pub const ENTRIES: &[Entry] = &[Entry {
    name: "sqlx_query_as",
    database: Database::Postgres,
    measures: |case| matches!(case.operation, Operation::Retrieve | Operation::RetrieveMultiple),
    open: |place| {
        Box::pin(async move {
            let contender: Box<dyn Contender> = Box::new(Sqlx(pool(place, CONNECTIONS).await?));
            Ok(contender)
        })
    },
}];

#[derive(sqlx::FromRow)]
struct Stored {
    id: i64,
    code: String,
    name: Option<String>,
    balance: i64,
}

impl From<Stored> for Customer {
    fn from(Stored { id, code, name, balance }: Stored) -> Self {
        Self { id, code, name, balance }
    }
}

struct Sqlx(PgPool);

#[async_trait(?Send)]
impl Contender for Sqlx {
    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found: Vec<Stored> = Vec::with_capacity(keys.len());
        for key in keys {
            let select = "SELECT id, code, name, balance FROM bench_customers WHERE id = $1";
            found.extend(sqlx::query_as::<_, Stored>(select).bind(key).fetch_optional(&self.0).await?);
        }
        Ok(Box::new(found))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let select = "SELECT id, code, name, balance FROM bench_customers WHERE id BETWEEN $1 AND $2 ORDER BY id";
        let select = sqlx::query_as::<_, Stored>(select).bind(keys.start()).bind(keys.end());
        Ok(Box::new(select.fetch_all(&self.0).await?))
    }
}
