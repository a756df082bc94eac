//! Plans of deletes by key.

use super::split::steps;
use super::{Limits, Shape, Step, Verb};
use crate::entity::{ColumnSet, Rows, Table};
use crate::error::Result;

/// The steps that delete the rows with these keys.
///
/// # Errors
/// `Encode` when a key is over the size that one statement can take.
pub fn delete_keys(limits: &Limits, table: &'static Table, keys: &dyn Rows) -> Result<Vec<Step>> {
    delete(limits, table, table.key, keys)
}

/// The steps that delete the rows with these keys and versions.
///
/// # Errors
/// As [`delete_keys`].
pub fn delete_versioned(limits: &Limits, table: &'static Table, rows: &dyn Rows) -> Result<Vec<Step>> {
    delete(limits, table, table.version.map_or(table.key, |version| table.key.with(version)), rows)
}

fn delete(limits: &Limits, table: &'static Table, matched: ColumnSet, rows: &dyn Rows) -> Result<Vec<Step>> {
    let mut shape = Shape::new(Verb::Delete, table);
    shape.matched = matched;
    shape.columns = matched;
    shape.source = limits.source(Verb::Delete, rows.len());
    steps(limits, &shape, rows)
}
