//! The contenders, each in its own file, which says what it stands for.

use crate::contender::Entry;

pub mod arx;
#[cfg(feature = "mysql")]
pub mod mysql;
#[cfg(feature = "sqlite")]
pub mod raw_rusqlite;
#[cfg(feature = "postgres")]
pub mod raw_sqlx;
#[cfg(feature = "postgres")]
pub mod sqlx_query_as;
#[cfg(feature = "sqlx-sqlite")]
pub mod sqlx_sqlite;
#[cfg(feature = "postgres")]
pub mod sqlx_values;

/// All of them; arx first.
pub const ALL: &[&[Entry]] = &[
    arx::ENTRIES,
    #[cfg(feature = "sqlite")]
    raw_rusqlite::ENTRIES,
    #[cfg(feature = "sqlx-sqlite")]
    sqlx_sqlite::ENTRIES,
    #[cfg(feature = "postgres")]
    raw_sqlx::ENTRIES,
    #[cfg(feature = "postgres")]
    sqlx_query_as::ENTRIES,
    #[cfg(feature = "postgres")]
    sqlx_values::ENTRIES,
    #[cfg(feature = "mysql")]
    mysql::raw_sqlx::ENTRIES,
    #[cfg(feature = "mysql")]
    mysql::query_as::ENTRIES,
    #[cfg(feature = "mysql")]
    mysql::values::ENTRIES,
    #[cfg(feature = "mysql")]
    mysql::text_values::ENTRIES,
    #[cfg(feature = "mysql")]
    mysql::per_row::ENTRIES,
];
