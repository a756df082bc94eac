//! The bulk loader: LOAD DATA is not used. It turns errors into warnings, needs a second
//! connection outside the caller's transaction, and is slower than prepared rows on MariaDB.

use arx::error::Error;
use arx::plan::Shape;

/// The error for a plan that wants rows staged by a loader.
pub(crate) fn unsupported(shape: &Shape) -> Error {
    Error::unsupported("arx does not load rows by LOAD DATA; they are inserted by prepared statements")
        .with_operation(shape.describe())
}
