//! Stored procedures and functions: not called by name yet. Until then `SELECT * FROM f($1)` and
//! `CALL p($1)` run as hand-written SQL.

use arx::error::Error;

/// The error for a call of the procedure or function `name`.
#[must_use]
pub fn unsupported(name: &str) -> Error {
    Error::unsupported("arx does not call procedures on PostgreSQL yet; run CALL or SELECT as hand-written SQL")
        .with_operation(format!("call {name}"))
}
