//! One prepared statement, run for each row, in one transaction: what programs do that know no statement for many
//! rows. Up to 1,000 rows, which takes long enough.

use anyhow::Result;
use async_trait::async_trait;
use sqlx::mysql::MySqlPool;

use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry, Opening};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::mysql::{CONNECTIONS, pool};

/// On both.
pub const ENTRIES: &[Entry] = &[entry(Database::Mysql), entry(Database::Mariadb)];

const fn entry(database: Database) -> Entry {
    Entry { name: "sqlx_per_row", database, measures, open }
}

fn measures(case: &Case) -> bool {
    let is_write =
        matches!(case.operation, Operation::CreateMultiple | Operation::UpdateMultiple | Operation::DeleteMultiple);
    is_write && case.rows <= 1_000
}

fn open(place: &Place) -> Opening<'_> {
    Box::pin(async move {
        let contender: Box<dyn Contender> = Box::new(Sqlx(pool(place, CONNECTIONS).await?));
        Ok(contender)
    })
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
