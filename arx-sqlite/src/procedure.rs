//! Stored procedures: SQLite has none, and its functions live in the program that uses it.

use arx::error::Error;

/// The error for a call of the procedure or function `name`.
#[must_use]
pub fn unsupported(name: &str) -> Error {
    Error::unsupported("SQLite has no stored procedures; run the statements in a transaction")
        .with_operation(format!("call {name}"))
}
