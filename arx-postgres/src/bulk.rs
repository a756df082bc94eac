//! The bulk loader: binary COPY is not written yet. The arrays of `source` are the fastest
//! form up to some ten thousand rows; beyond, COPY will take half the time.

use arx::error::Error;
use arx::plan::Shape;

/// The error for a plan that wants rows staged by a loader.
pub(crate) fn unsupported(shape: &Shape) -> Error {
    Error::unsupported("arx does not load rows by COPY yet; they are inserted from arrays")
        .with_operation(shape.describe())
}
