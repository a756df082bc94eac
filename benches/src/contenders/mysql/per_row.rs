//! One prepared statement, run for each row, in one transaction: what programs do that know no statement for many
//! rows. Up to 1,000 rows, which takes long enough.

use anyhow::Result;
use async_trait::async_trait;
use sqlx::mysql::MySqlPool;

use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::mysql::pool;

inventory::submit! {
    Entry { name: "sqlx_per_row", databases: &[Database::Mysql, Database::Mariadb], refuses, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Sqlx(pool(place).await?)))
}

fn refuses(case: &Case) -> Option<&'static str> {
    let writes = [Operation::CreateMultiple, Operation::UpdateMultiple, Operation::DeleteMultiple];
    match case {
        case if !writes.contains(&case.operation) => Some("for writes of many rows; one row is raw_sqlx's work"),
        case if case.rows > 1_000 => Some("takes too long beyond 1,000 rows"),
        _ => None,
    }
}

struct Sqlx(MySqlPool);

#[async_trait(?Send)]
impl Contender for Sqlx {
    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        let mut transaction = self.0.begin().await?;
        for row in rows {
            let insert = sqlx::query("INSERT INTO bench_customers (code, name, balance) VALUES (?, ?, ?)");
            let insert = insert.bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance);
            keys.push(i64::try_from(insert.execute(&mut *transaction).await?.last_insert_id())?);
        }
        transaction.commit().await?;
        Ok(keys)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        let mut transaction = self.0.begin().await?;
        for row in rows {
            let update = sqlx::query("UPDATE bench_customers SET code = ?, name = ?, balance = ? WHERE id = ?");
            let update = update.bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance).bind(row.id);
            matched += update.execute(&mut *transaction).await?.rows_affected();
        }
        transaction.commit().await?;
        Ok(matched)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        let mut transaction = self.0.begin().await?;
        for key in keys {
            let delete = sqlx::query("DELETE FROM bench_customers WHERE id = ?").bind(key);
            deleted += delete.execute(&mut *transaction).await?.rows_affected();
        }
        transaction.commit().await?;
        Ok(deleted)
    }
}
