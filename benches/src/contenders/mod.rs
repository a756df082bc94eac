//! The contenders, each in its own file, which says what it stands for.
//!
//! A new one is a file that hands in its `Entry`, and its line here or in the folder of its database.

pub mod arx;

#[cfg(feature = "mysql")]
pub mod mysql;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;

#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"))]
mod stored;

#[cfg(feature = "diesel")]
pub mod diesel;
#[cfg(feature = "mysql-async")]
pub mod mysql_async;
#[cfg(feature = "rbatis")]
pub mod rbatis;
#[cfg(feature = "sea-orm")]
pub mod sea_orm;
#[cfg(feature = "toasty")]
pub mod toasty;
#[cfg(feature = "tokio-postgres")]
pub mod tokio_postgres;

mod published;

/// `item`, so many times, with commas between.
#[cfg(any(feature = "mysql", feature = "sqlite"))]
fn list(item: &str, count: usize) -> String {
    vec![item; count].join(", ")
}
