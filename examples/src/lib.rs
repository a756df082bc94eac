//! What the examples share: a database chosen on the command line.

use arx::prelude::*;

/// The value after `--name` on the command line.
#[must_use]
pub fn argument(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

/// Opens the database at the URL: `sqlite:..` or `postgres:..`.
///
/// # Errors
/// `Configuration` for another scheme, or what opening it returns.
pub async fn open(url: &str) -> Result<Database, Error> {
    match url.split(':').next() {
        Some("sqlite") => arx_sqlite::connect(url).await,
        Some("postgres" | "postgresql") => arx_postgres::connect(url).await,
        _ => Err(Error::new(ErrorKind::Configuration, "the URL must begin with sqlite: or postgres:")),
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
