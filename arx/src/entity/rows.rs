//! A batch of rows with its entity type erased: what a driver sees.

use super::ColumnSet;
use crate::value::Encoder;

/// The rows of one statement. Columns are those of the table.
pub trait Rows: Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pushes one column of all rows, exactly [`len`](Self::len) values.
    fn write_column(&self, column: usize, out: &mut dyn Encoder);

    /// Pushes some columns of one row, in ascending order of the columns.
    fn write_row(&self, row: usize, columns: &ColumnSet, out: &mut dyn Encoder);
}

/// Calls `write` for the rows at `order`, or for all as they stand. What derived code calls.
pub fn each<'a, E>(rows: &'a [E], order: Option<&[u32]>, mut write: impl FnMut(&'a E)) {
    match order {
        None => rows.iter().for_each(write),
        // An index outside the rows cannot come from the planner; `get` keeps that from being a panic.
        Some(order) => order.iter().filter_map(|&row| rows.get(row as usize)).for_each(&mut write),
    }
}
