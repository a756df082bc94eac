//! PostgreSQL for [`arx`], on sqlx.
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
//! let database = arx_postgres::connect("postgres://localhost/shop").await?;
//! let rows = [Customer { id: 0, name: Some("Ada".into()) }, Customer { id: 0, name: None }];
//! let ids = database.repository::<Customer>().create_multiple(&rows).await?;
//! assert_eq!(ids.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! PostgreSQL 13 and later, on tokio. TLS is rustls (feature `rustls`, on by default) or the system's
//! library (feature `native-tls`), as the URL's `sslmode` asks for.
//!
//! # Statements
//!
//! Many rows travel as one array per column and are taken apart by UNNEST, so that a statement's text
//! does not depend on how many there are: a handful of prepared statements per table serve all batches.
//! An update that must match every row or change none, and reads of many keys, are one statement as well.
//!
//! # Connections
//!
//! [`connect`] makes a pool, which keeps the connection that was used last for the next call: sqlx's way back to a pool
//! costs as much as a small call. [`from_pool`] takes the application's own, and [`join`] works inside a
//! transaction that the application has begun with sqlx. A future may be dropped at any time: an open
//! transaction is rolled back, and a connection with answers outstanding is closed, never used again.
//! From version 14 the server then ends what it is still doing within two seconds ([`connect`] asks it
//! to). Behind PgBouncer, prepared statements need its `max_prepared_statements`.
//!
//! # Types
//!
//! | kind | travels as | fits columns of type |
//! |---|---|---|
//! | bool | bool | `bool` |
//! | `i8`, `u8`, `i16` | int2 | `int2` |
//! | `u16`, `i32` | int4 | `int4`; `int2` is read too |
//! | `u32`, `i64`, `u64` up to 2^63 - 1 | int8 | `int8`; `int2`, `int4` are read too |
//! | `f32`, `f64` | float4, float8 | `float4`, `float8`; `float4` is read as `f64` too |
//! | decimal | numeric, with its scale; no NaN | `numeric` |
//! | text | text; no U+0000 | `text`, `varchar`, `bpchar`, `name`, `citext`, enums |
//! | bytes | bytea | `bytea` |
//! | uuid | uuid | `uuid` |
//! | date, time | date, time | `date`, `time` |
//! | timestamp | timestamp | `timestamp` |
//! | timestamptz | timestamptz, an instant whatever the session's zone | `timestamptz` |
//! | json | jsonb | `jsonb`, `json` |
//! | arrays | arrays of the above, of one dimension | `int4[]` and the like |
//!
//! A type of the database's own is named on the field: `#[arx(type = "mood")]`, or `"sales.mood"` with its
//! schema. Values of such a column travel as text and are cast; the elements' type names an array's.
//! Narrowing is never silent: a column that is read as a smaller type is an error of kind `Decode`.

mod array;
mod bulk;
mod calendar;
mod decode;
mod dialect;
mod encode;
mod error;
mod inspect;
mod numeric;
mod pool;
pub mod procedure;
mod script;
mod connection;
mod source;
mod types;

use std::sync::Arc;

use arx::error::Result;
use arx::{Database, Tx};
use arx_sqlx::{Joined, own_dialect};
use sqlx::postgres::PgPool;

pub use dialect::Postgres;
pub use pool::Options;

/// Connects to `postgres://user:password@host:port/database`; see [`Options`] for everything else.
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
pub fn from_pool(pool: PgPool) -> Database {
    Database::new(wrap(pool))
}

/// The pool alone, for what wraps one, such as [`arx::connection::Recorded`].
#[must_use]
pub fn wrap(pool: PgPool) -> Arc<dyn arx::connection::Pool> {
    Arc::new(arx_sqlx::Pool::<Postgres>::new(pool, true))
}

/// Works inside a transaction that the application has begun with sqlx.
///
/// What is done is behind a savepoint: committing the returned transaction keeps it, for the
/// application's own to commit; dropping it undoes it before the connection's next use.
///
/// ```no_run
/// # use arx::prelude::*;
/// # #[derive(Entity)]
/// # struct Customer { #[arx(key)] id: i64 }
/// # async fn example(pool: sqlx::PgPool, customer: Customer) -> Result<(), Box<dyn std::error::Error>> {
/// let database = arx_postgres::from_pool(pool.clone());
/// let mut transaction = pool.begin().await?;
/// sqlx::query("LOCK TABLE customers").execute(&mut *transaction).await?;
/// let tx = arx_postgres::join(&database, &mut transaction).await?;
/// tx.repository::<Customer>().create(&customer).await?;
/// tx.commit().await?;
/// transaction.commit().await?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// `TransactionAborted` when the transaction has failed already, or another of the database's.
pub async fn join<'c>(
    database: &Database,
    transaction: &'c mut sqlx::Transaction<'_, sqlx::Postgres>,
) -> Result<Tx<'c>> {
    let joined = Joined::<Postgres>::begin(transaction, own_dialect(database)?).await?;
    Ok(Tx::over(Box::new(joined), database))
}
