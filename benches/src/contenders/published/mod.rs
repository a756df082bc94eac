//! What contenders do in the published cases, each in a file of its own.

mod arx;

#[cfg(feature = "mysql")]
mod raw_mysql;
#[cfg(feature = "postgres")]
mod raw_postgres;
#[cfg(feature = "sqlite")]
mod raw_sqlite;

#[cfg(feature = "diesel")]
mod diesel;
#[cfg(feature = "mysql-async")]
mod mysql_async;
#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"))]
mod query_as;
#[cfg(feature = "rbatis")]
mod rbatis;
#[cfg(feature = "sea-orm")]
mod sea_orm;
#[cfg(feature = "tokio-postgres")]
pub(super) mod tokio_postgres;

#[cfg(any(feature = "mysql", feature = "postgres", feature = "sqlite"))]
const USERS: &str = "SELECT id, name, hair_color FROM users";
