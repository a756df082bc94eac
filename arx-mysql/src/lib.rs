//! MySQL and MariaDB for [`arx`], on sqlx.
//!
//! ```no_run
//! use arx::prelude::*;
//!
//! #[derive(Entity)]
//! #[arx(table = "customers")]
//! struct Customer {
//!     #[arx(key, generated)]
//!     id: i64,
//!     name: Option<String>,
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> arx::Result<()> {
//! let database = arx_mysql::connect("mysql://localhost/shop").await?;
//! let rows = [Customer { id: 0, name: Some("Ada".into()) }, Customer { id: 0, name: None }];
//! let ids = database.repository::<Customer>().create_multiple(&rows).await?;
//! assert_eq!(ids.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! MySQL 8.0.19 and later and MariaDB 10.6 and later, on tokio. TLS is rustls (feature `rustls`, on by default) or
//! the system's library (feature `native-tls`), as the URL's `ssl-mode` asks for.
//!
//! # Statements
//!
//! Rows travel as placeholders in a closed set of sizes, so that at most a dozen prepared statements per table and
//! verb serve all batches: inserts in powers of two up to 256 rows, updates and keys filled up to the next power of
//! two with NULL, which equals no key. Thousands of keys are one JSON parameter. Several statements of one call run
//! in a transaction. What a server can do is asked of it, once for each pool; one that does not know a form gets
//! another.
//!
//! A statement stays below `max_allowed_packet` and 65,535 parameters; a row that does not is an `Encode` error that
//! names it. `.lock_first()` keeps updates of the same rows from a deadlock where the server looks the rows up by
//! their keys. Of a table with a few hundred rows it may read all, and lock all that it reads.
//!
//! # Keys
//!
//! MariaDB returns the keys that it makes. MySQL reports the first one: the others follow it where the server was
//! seen to count so, the table is InnoDB's, and no trigger is in the way; elsewhere rows are inserted one by one.
//! Where more than keys is to come back (defaults, `.returning()`), the rows are read in the same transaction.
//!
//! # Connections
//!
//! [`connect`] makes a pool, which keeps the connection that was used last for the next call: sqlx's way back to a pool
//! costs as much as a small call. [`from_pool`] takes the application's own, and [`join`] works inside a
//! transaction that the application has begun with sqlx. A future may be dropped at any time: an open
//! transaction is rolled back, and a connection with answers outstanding is closed, never used again.
//!
//! In a transaction, `run` refuses what would commit it (DDL, `COMMIT`). A routine that commits ends it: what is undone
//! after that answers `TransactionAborted`, and what was done before stays.
//!
//! A session is in UTC, in utf8mb4 and strict: values that do not fit are errors, and so are dates that are none. A
//! key of 0 that is given is 0. Sessions of a pool that the application hands in are looked at each time, which
//! costs a round trip, and set so; they stay so.
//!
//! # Types
//!
//! | kind | travels as | fits columns of type |
//! |---|---|---|
//! | bool | tinyint | `TINYINT(1)`, `BIT(1)`; 0 or 1 of any integer type is read too |
//! | `i8` to `i64`, `u8` to `u64` | integers of their width | every integer type that holds the value |
//! | `f32`, `f64` | float, double; no NaN | `FLOAT`, `DOUBLE`; `FLOAT` is read as `f64` too |
//! | decimal | decimal, with its scale | `DECIMAL` |
//! | text | utf8mb4 | `CHAR`, `VARCHAR`, `TEXT` of every size, `ENUM`, `SET` |
//! | bytes | binary string | `BINARY`, `VARBINARY`, `BLOB` of every size |
//! | uuid | 16 bytes | `BINARY(16)`; MariaDB's `UUID` is read |
//! | date | date | `DATE`, from year 1 to 9999 |
//! | time | time of day | `TIME(6)`; below zero and from 24 hours on is a `Decode` error |
//! | timestamp, timestamptz | datetime in UTC | `DATETIME(6)`, `TIMESTAMP(6)` |
//! | json | text | `JSON` |
//! | arrays | not at all: `Unsupported` | |
//!
//! `Unsupported` besides arrays: keys that the database makes and that are no counter, on MySQL; lists of documents in
//! a filter, and lists of more than 65,000 texts. A decimal has the scale of its column, and MariaDB stores `-0.0`
//! as `0.0`.
//!
//! Narrowing is never silent: a column that is read as a smaller type is an error of kind `Decode`. Columns without
//! `(6)` round to seconds; give it to all dates and times.

mod bulk;
mod calendar;
mod decode;
mod dialect;
mod encode;
mod error;
mod inspect;
mod json;
mod message;
mod pool;
mod probe;
pub mod procedure;
mod script;
mod connection;
mod settings;
mod source;
mod types;

use std::sync::Arc;

use arx::error::Result;
use arx::{Database, Tx};
use arx_sqlx::{Joined, own_dialect};
use sqlx::mysql::MySqlPool;

pub use dialect::Mysql;
pub use pool::Options;
pub use probe::Capabilities;

/// Connects to `mysql://user:password@host:port/database`; see [`Options`] for everything else.
///
/// # Errors
/// `Configuration` for a URL that cannot be read, `Authentication` for a wrong user or password,
/// `UndefinedObject` for a database that is not there, `ConnectionLost` where no server answers.
pub async fn connect(url: &str) -> Result<Database> {
    url.parse::<Options>()?.connect().await
}

/// The database of a pool that the application has.
///
/// For speed, give its connection options a `statement_cache_capacity` of 500 and the pool
/// `test_before_acquire(false)` with a hook that pings what was idle; [`connect`] does both.
#[must_use]
pub fn from_pool(pool: MySqlPool) -> Database {
    Database::new(wrap(pool))
}

/// The pool alone, for what wraps one, such as [`arx::connection::Recorded`].
#[must_use]
pub fn wrap(pool: MySqlPool) -> Arc<dyn arx::connection::Pool> {
    Arc::new(arx_sqlx::Pool::<Mysql>::new(pool, false))
}

/// Works inside a transaction that the application has begun with sqlx.
///
/// What is done is behind a savepoint: committing the returned transaction keeps it, for the
/// application's own to commit; dropping it undoes it before the connection's next use. The session has to be in
/// UTC, in utf8mb4 and strict, with `NO_AUTO_VALUE_ON_ZERO`: it is looked at, and left as it is.
///
/// A call on it that is dropped before it was done may cost the connection: roll the application's transaction back
/// then.
///
/// ```no_run
/// # use arx::prelude::*;
/// # #[derive(Entity)]
/// # struct Customer { #[arx(key)] id: i64 }
/// # async fn example(pool: sqlx::MySqlPool, customer: Customer) -> Result<(), Box<dyn std::error::Error>> {
/// let database = arx_mysql::from_pool(pool.clone());
/// let mut transaction = pool.begin().await?;
/// sqlx::query("SELECT 1 FROM customers FOR UPDATE").execute(&mut *transaction).await?;
/// let tx = arx_mysql::join(&database, &mut transaction).await?;
/// tx.repository::<Customer>().create(&customer).await?;
/// tx.commit().await?;
/// transaction.commit().await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// `Configuration` for another session, `InvalidInput` for a database of another kind, or one of the server's.
pub async fn join<'c>(database: &Database, transaction: &'c mut sqlx::Transaction<'_, sqlx::MySql>) -> Result<Tx<'c>> {
    let joined = Joined::<Mysql>::begin(transaction, own_dialect(database)?).await?;
    Ok(Tx::over(Box::new(joined), database))
}
