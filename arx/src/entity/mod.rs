//! Entities: which columns a struct has, and how its rows are written and read.
//!
//! Everything here is derived: tables are constants, and encoding is calls. A batch
//! reaches a driver as `&dyn Rows`, so drivers compile once. Next is `query`.

mod columns;
mod derived;
mod key;
mod rows;
mod table;

pub use columns::ColumnSet;
pub use derived::{decode_option, encode_option};
pub use key::{IntoKey, Key};
pub use rows::{Rows, each};
pub use table::{ColumnMeta, Role, Table, columns, key_columns, total};

use crate::error::Result;
use crate::value::{Decoder, Encoder, Value};

/// Anything that can be read from a row: an entity, or a projection of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a row",
    note = "derive `arx::Record` for a projection, `arx::Entity` for a table's row, or `arx::Embedded` for a part of one"
)]
pub trait Record: Sized {
    /// The columns, in the order in which [`decode`](Self::decode) reads them.
    const COLUMNS: &'static [ColumnMeta];

    /// Reads one row, by position.
    ///
    /// # Errors
    /// `Decode` when a column's value does not fit its field.
    fn decode(row: &mut dyn Decoder) -> Result<Self>;
}

/// A struct whose fields are columns of the entity that it is flattened into.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    note = "derive `arx::Embedded` for a struct that is used with `#[arx(flatten)]`"
)]
pub trait Embedded: Record {
    /// Pushes the value of the column at this index of `COLUMNS`.
    fn encode(&self, column: usize, out: &mut dyn Encoder);

    /// Pushes those columns that are in the set of the entity's columns; the first one is `base` there.
    fn encode_row(&self, base: usize, columns: &ColumnSet, out: &mut dyn Encoder) {
        for column in (0..Self::COLUMNS.len()).filter(|column| columns.contains(base + column)) {
            self.encode(column, out);
        }
    }

    /// Takes over a value that the database returned for this column.
    ///
    /// # Errors
    /// `Decode` when the value does not fit the field.
    fn accept(&mut self, column: usize, value: Value<'_>) -> Result<()>;

    /// Adds to `out`, moved by `base`, the columns that are left to the database.
    fn defaults(&self, base: usize, out: &mut ColumnSet);
}

/// A struct that is a row of a table. Derive it.
#[diagnostic::on_unimplemented(message = "`{Self}` is not an entity", note = "derive `arx::Entity` for it")]
pub trait Entity: Record + Send + Sync + 'static {
    /// The key: the key field's type, or a tuple of them in the order of the fields.
    type Key: Key;

    /// The table.
    const TABLE: &'static Table;

    /// This row's key.
    fn key(&self) -> Self::Key;

    /// Pushes one column of many rows: those at `order`, or all as they stand.
    fn encode(rows: &[Self], order: Option<&[u32]>, column: usize, out: &mut dyn Encoder);

    /// Pushes some columns of this row, in ascending order of the columns.
    fn encode_row(&self, columns: &ColumnSet, out: &mut dyn Encoder);

    /// Takes over a value for a column: a generated key, a default, a version.
    ///
    /// # Errors
    /// `Decode` when the value does not fit the field.
    fn accept(&mut self, column: usize, value: Value<'_>) -> Result<()>;

    /// The columns that this row leaves to the database (`Field::Default`).
    fn defaults(&self) -> ColumnSet;

    /// Makes a new value for a key column with `#[arx(generate = "..")]` and pushes it.
    fn generate(column: usize, out: &mut dyn Encoder);
}
