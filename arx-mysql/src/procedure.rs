//! Stored procedures and functions: not called by name yet. Until then `SELECT f(?)` and `CALL p(?)` run as
//! hand-written SQL.

use arx::error::Error;

/// The error for a call of the procedure or function `name`.
#[must_use]
pub fn unsupported(name: &str) -> Error {
    Error::unsupported("arx does not call procedures on MySQL yet; run CALL or SELECT as hand-written SQL")
        .with_operation(format!("call {name}"))
}
