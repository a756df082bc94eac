//! The bulk loader: SQLite has none. The prepared one-row statement inside one transaction
//! is as near to the storage as its interface goes; see `source`.

use arx::error::Error;
use arx::plan::Shape;

/// The error for a plan that wants rows staged by a loader.
pub(crate) fn unsupported(shape: &Shape) -> Error {
    Error::unsupported("SQLite has no native loader; rows are inserted by the prepared statement")
        .with_operation(shape.describe())
}
