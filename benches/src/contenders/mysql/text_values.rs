//! Multi-row VALUES on MySQL and MariaDB as one text with literals in it: hand-written, without a client library's
//! help, and only as safe as the escaping is. One statement of any size, nothing prepared.

use std::fmt::Write;

use anyhow::Result;
use async_trait::async_trait;
use sqlx::AssertSqlSafe;
use sqlx::mysql::MySqlPool;

use super::keys::Keys;
use crate::case::{Case, Database, Operation};
use crate::contender::{Contender, Entry};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::fixture::mysql::pool;

inventory::submit! {
    Entry { name: "text_values", databases: &[Database::Mysql, Database::Mariadb], refuses, open: |place| Box::pin(open(place)) }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    Ok(Box::new(Text { pool: pool(place).await?, keys: Keys::of(place) }))
}

fn refuses(case: &Case) -> Option<&'static str> {
    (case.operation != Operation::CreateMultiple).then_some("VALUES is for inserts of many rows")
}

struct Text {
    pool: MySqlPool,
    keys: Keys,
}

/// Appends a text in quotes. The session has backslashes as escapes, which is the default.
fn push_text(sql: &mut String, text: &str) {
    sql.push('\'');
    for letter in text.chars() {
        if matches!(letter, '\'' | '\\') {
            sql.push('\\');
        }
        sql.push(letter);
    }
    sql.push('\'');
}

fn insert(rows: &[Customer], keys: Keys) -> Result<String> {
    let mut sql = String::with_capacity(64 + rows.len() * 64);
    sql.push_str("INSERT INTO bench_customers (code, name, balance) VALUES ");
    for (place, row) in rows.iter().enumerate() {
        sql.push_str(if place > 0 { ",(" } else { "(" });
        push_text(&mut sql, &row.code);
        sql.push(',');
        match &row.name {
            Some(name) => push_text(&mut sql, name),
            None => sql.push_str("NULL"),
        }
        write!(sql, ",{})", row.balance)?;
    }
    sql.push_str(keys.clause());
    Ok(sql)
}

#[async_trait(?Send)]
impl Contender for Text {
    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys: Vec<i64> = Vec::with_capacity(rows.len());
        let insert = sqlx::raw_sql(AssertSqlSafe(insert(rows, self.keys)?));
        let mut link = self.pool.acquire().await?;
        // Keys that come back as text are read by sqlx itself.
        self.keys.insert(&mut link, insert, rows.len(), &mut keys).await?;
        Ok(keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_texts() {
        let mut sql = String::new();
        push_text(&mut sql, r"O'Neil \ Ü");
        assert_eq!(sql, r"'O\'Neil \\ Ü'");
    }
}
