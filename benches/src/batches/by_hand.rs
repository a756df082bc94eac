//! Multi-row VALUES by hand: prepared statements of any number of rows, their texts made once.

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Result;
use async_trait::async_trait;

use crate::case::Database;
use crate::customer::Customer;
use crate::fixture::Place;

/// The columns of a row.
const CELLS: usize = 3;

/// Hand-written inserts.
#[async_trait(?Send)]
pub(super) trait ByHand {
    /// The rows for which a statement has parameters.
    fn most_rows(&self) -> usize;

    /// Inserts the rows in one transaction, so many a statement.
    async fn insert(&mut self, rows: &[Customer], size: usize) -> Result<()>;
}

/// Connects to the place.
pub(super) async fn open(place: &Place) -> Result<Box<dyn ByHand>> {
    Ok(match place.server() {
        #[cfg(feature = "sqlite")]
        Database::Sqlite => Box::new(sqlite::open(place)?),
        #[cfg(feature = "postgres")]
        Database::Postgres => {
            Box::new(Postgres { pool: crate::fixture::postgres::pool(place).await?, texts: Texts::new(true) })
        }
        #[cfg(feature = "mysql")]
        Database::Mysql | Database::Mariadb => {
            Box::new(Mysql { pool: crate::fixture::mysql::pool(place).await?, texts: Texts::new(false) })
        }
        #[allow(unreachable_patterns)]
        other => anyhow::bail!("{other:?} is not compiled in"),
    })
}

/// The statements by their number of rows.
struct Texts {
    is_numbered: bool,
    known: HashMap<usize, Arc<str>>,
}

impl Texts {
    fn new(is_numbered: bool) -> Self {
        Self { is_numbered, known: HashMap::new() }
    }

    fn of(&mut self, rows: usize) -> Arc<str> {
        let is_numbered = self.is_numbered;
        let text = self.known.entry(rows).or_insert_with(|| text(rows, is_numbered).into());
        Arc::clone(text)
    }
}

fn text(rows: usize, is_numbered: bool) -> String {
    let cell = |number: usize| if is_numbered { format!("${number}") } else { "?".to_owned() };
    let row = |row: usize| {
        let cells: Vec<String> = (1..=CELLS).map(|column| cell(row * CELLS + column)).collect();
        format!("({})", cells.join(", "))
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!("INSERT INTO bench_customers (code, name, balance) VALUES {}", rows.join(", "))
}

/// Both of sqlx's drivers that are measured count parameters in 16 bits.
#[cfg(any(feature = "mysql", feature = "postgres"))]
macro_rules! by_sqlx {
    ($name:ident, $pool:ty) => {
        struct $name {
            pool: $pool,
            texts: Texts,
        }

        #[async_trait(?Send)]
        impl ByHand for $name {
            fn most_rows(&self) -> usize {
                usize::from(u16::MAX) / CELLS
            }

            async fn insert(&mut self, rows: &[Customer], size: usize) -> Result<()> {
                let mut transaction = self.pool.begin().await?;
                for chunk in rows.chunks(size) {
                    let mut insert = sqlx::query(sqlx::AssertSqlSafe(self.texts.of(chunk.len())));
                    for row in chunk {
                        insert = insert.bind(row.code.as_str()).bind(row.name.as_deref()).bind(row.balance);
                    }
                    insert.execute(&mut *transaction).await?;
                }
                Ok(transaction.commit().await?)
            }
        }
    };
}

#[cfg(feature = "postgres")]
by_sqlx!(Postgres, sqlx::PgPool);
#[cfg(feature = "mysql")]
by_sqlx!(Mysql, sqlx::MySqlPool);

#[cfg(feature = "sqlite")]
mod sqlite {
    use rusqlite::{Connection, ToSql, TransactionBehavior, params_from_iter};

    use super::{ByHand, CELLS, Customer, Place, Result, Texts, async_trait};
    use crate::fixture::sqlite::{PRAGMAS, path};

    struct Rusqlite {
        connection: Connection,
        texts: Texts,
    }

    pub(super) fn open(place: &Place) -> Result<impl ByHand + use<>> {
        let connection = Connection::open(path(place)?)?;
        connection.execute_batch(PRAGMAS)?;
        connection.set_prepared_statement_cache_capacity(100);
        Ok(Rusqlite { connection, texts: Texts::new(false) })
    }

    #[async_trait(?Send)]
    impl ByHand for Rusqlite {
        // SQLite is compiled with 32,766 parameters.
        fn most_rows(&self) -> usize {
            32_766 / CELLS
        }

        async fn insert(&mut self, rows: &[Customer], size: usize) -> Result<()> {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for chunk in rows.chunks(size) {
                let cells = chunk.iter().flat_map(|row| [&row.code as &dyn ToSql, &row.name, &row.balance]);
                transaction.prepare_cached(&self.texts.of(chunk.len()))?.execute(params_from_iter(cells))?;
            }
            Ok(transaction.commit()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_placeholders() {
        assert!(text(2, true).ends_with("VALUES ($1, $2, $3), ($4, $5, $6)"));
        assert!(text(1, false).ends_with("VALUES (?, ?, ?)"));
    }
}
