//! Cells of a row that came back, as bytes.

use arx::error::{Error, Result};
use sqlx::{Column, ColumnIndex, Database, Row, TypeInfo as _};

/// The cell of this column, of so many that the row has.
///
/// # Errors
/// `Decode` when there are not so many.
#[inline]
pub fn cell<R: Row>(row: &R, index: usize, columns: usize) -> Result<<R::Database as Database>::ValueRef<'_>>
where
    usize: ColumnIndex<R>,
{
    if index >= columns {
        return Err(Error::decode(format!("the row has {columns} columns and the struct more")));
    }
    row.try_get_raw(index).map_err(|error| Error::decode("the row has no such column").with_source(error))
}

/// The error for a column that is not read as what the field needs.
#[must_use]
pub fn mismatch<C: Column>(column: &C, needed: &str) -> Error {
    let name = column.type_info().name().to_lowercase();
    Error::decode(format!("column {} is {name}, the field needs {needed}", column.name()))
}

/// The bytes of a value of fixed size.
///
/// # Errors
/// `Decode` for another number of bytes.
#[inline]
pub fn fixed<const N: usize>(bytes: &[u8]) -> Result<[u8; N]> {
    bytes.try_into().map_err(|_| Error::decode(format!("the server sent {} bytes for a value of {N}", bytes.len())))
}

/// The bytes as text.
///
/// # Errors
/// `Decode` for what is not UTF-8.
#[inline]
pub fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes)
        .map_err(|error| Error::decode("the server sent text that is not UTF-8").with_source(error))
}

/// The integer as one of another width.
///
/// # Errors
/// `Decode` when it does not fit.
#[inline]
pub fn narrowed<T: TryFrom<I>, I>(integer: I) -> Result<T> {
    T::try_from(integer).map_err(|_| Error::decode("the number does not fit the field's type"))
}
