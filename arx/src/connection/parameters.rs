//! What is bound to a statement's placeholders: rows that stay where they are, and literals.

use crate::dialect::Statement;
use crate::entity::{ColumnSet, Rows, Table};
use crate::error::{Error, RowFault, RowReason};
use crate::value::{Encoder, Literal};

/// The parameters of one command.
#[derive(Clone, Copy)]
pub struct Parameters<'a> {
    /// The rows, for `Bind::Array` and `Bind::Rows`.
    pub rows: &'a dyn Rows,
    /// The literals, for `Bind::Literal`.
    pub literals: &'a [Literal<'a>],
}

impl Parameters<'static> {
    /// No parameters.
    pub const NONE: Self = Self { rows: &NoRows, literals: &[] };
}

/// One statement and its parameters. A batch in one round trip will be a slice of these.
#[derive(Clone, Copy)]
pub struct Command<'a> {
    /// The statement.
    pub statement: &'a Statement,
    /// Its parameters.
    pub parameters: Parameters<'a>,
}

/// No rows.
pub struct NoRows;

impl Rows for NoRows {
    fn len(&self) -> usize {
        0
    }

    fn write_column(&self, _: usize, _: &mut dyn Encoder) {}

    fn write_row(&self, _: usize, _: &ColumnSet, _: &mut dyn Encoder) {}
}

/// Adds to an encode error where it happened: the column and the row within the command.
#[must_use]
pub fn locate(error: Error, table: Option<&Table>, column: Option<usize>, row: Option<usize>) -> Error {
    let error = match (table, column) {
        (Some(table), Some(column)) => error.with_column(table.label(column)),
        _ => error,
    };
    match row {
        Some(row) => error.with_rows(vec![RowFault::new(row, RowReason::Refused, String::new())]),
        None => error,
    }
}
