//! SQLite for [`arx`]: an embedded database, and nothing to install.
//!
//! ```
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
//! let database = arx_sqlite::open(":memory:").await?;
//! database.run("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)", ()).await?;
//! let rows = [Customer { id: 0, name: Some("Ada".into()) }, Customer { id: 0, name: None }];
//! let ids = database.repository::<Customer>().create_multiple(&rows).await?;
//! assert_eq!(ids, [1, 2]);
//! # Ok(())
//! # }
//! ```
//!
//! # Connections
//!
//! A file has one connection that writes and some that read ([`Options::readers`]); each is a thread.
//! Writers wait for their turn in the order in which they come, so that they never see `SQLITE_BUSY`
//! from this process. Every transaction is serializable, whatever isolation level is asked for. A
//! database in memory is one connection.
//!
//! A statement whose future is dropped is stopped: at once outside a transaction and when it only
//! reads, else between two rows. No async runtime is needed.
//!
//! # Types
//!
//! | kind | stored as | declare the column |
//! |---|---|---|
//! | bool | INTEGER 0 or 1 | `INTEGER`, `BOOLEAN` |
//! | integers | INTEGER; `u64` up to 2^63 - 1 | `INTEGER` |
//! | `f32`, `f64` | REAL; no NaN | `REAL` |
//! | decimal | TEXT, its digits | `TEXT` |
//! | text | TEXT | `TEXT` |
//! | bytes | BLOB | `BLOB` |
//! | uuid | BLOB, 16 bytes; text is read too | `BLOB` |
//! | date | TEXT `2024-01-31` | `TEXT`, `DATE` |
//! | time | TEXT `12:34:56.123456` | `TEXT`, `TIME` |
//! | timestamp | TEXT `2024-01-31 12:34:56.123456` | `TEXT`, `DATETIME` |
//! | timestamptz | TEXT `2024-01-31 12:34:56.123456+00:00` | `TEXT`, `DATETIME` |
//! | json | TEXT | `TEXT` |
//! | arrays | not stored; use `#[arx(json)]` | |
//!
//! Declare decimals `TEXT`: SQLite makes floats of them in a column called `DECIMAL` or `NUMERIC`.
//! Filters and orders compare decimals by value, which no index serves; a decimal key is compared as
//! text. Times are written at a fixed width, in the years 0 to 9999, so that their text sorts as they
//! do; times that others wrote in another form are read, but sort by their text. Text may contain NUL.

mod bulk;
mod calendar;
mod collation;
mod connection;
mod decode;
mod dialect;
mod encode;
mod error;
mod execute;
mod inspect;
mod lane;
mod link;
mod open;
mod options;
mod packed;
mod pool;
pub mod procedure;
mod source;
mod spin;
mod worker;

use std::sync::Arc;

use arx::Database;
use arx::error::Result;

pub use options::{Journal, Options, Synchronous};
pub use pool::Pool;

/// Opens a database: `sqlite://path`, `sqlite::memory:`, `:memory:` or a plain path. The file is
/// created if it is not there; see [`Options`] for everything else.
///
/// # Errors
/// `Configuration` for another scheme, or when the file cannot be opened.
pub async fn open(url: &str) -> Result<Database> {
    pool(url).await.map(Database::new)
}

/// The same as [`open`], by the name that the other databases' crates use.
///
/// # Errors
/// As [`open`].
pub async fn connect(url: &str) -> Result<Database> {
    open(url).await
}

/// The pool alone, for what wraps one, such as [`arx::connection::Recorded`].
///
/// # Errors
/// As [`open`].
pub async fn pool(url: &str) -> Result<Arc<dyn arx::connection::Pool>> {
    let pool: Arc<dyn arx::connection::Pool> = Arc::new(Options::parse(url)?.open().await?);
    Ok(pool)
}
