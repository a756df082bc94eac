//! sqlx's `query_as` on PostgreSQL: what most of its users write for reads.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use sqlx::postgres::PgPool;

use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry, Found};
use crate::contenders::stored::Stored;
use crate::fixture::Place;
use crate::fixture::postgres::pool;
use crate::published::Published;
use crate::wide::Wide;

inventory::submit! {
    Entry { name: "sqlx_query_as", databases: &[Database::Postgres], refuses, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Sqlx(pool(place).await?)))
}

fn refuses(case: &Case) -> Option<&'static str> {
    let reads = matches!(case.operation, Operation::Retrieve | Operation::RetrieveMultiple)
        || matches!(case.operation, Operation::WideRetrieve | Operation::WideRetrieveMultiple);
    (!reads && !case.operation.is_published()).then_some("`query_as` is for reads; the writes are those of raw_sqlx")
}

pub(in crate::contenders) struct Sqlx(pub(in crate::contenders) PgPool);

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

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
