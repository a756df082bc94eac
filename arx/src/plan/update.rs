//! Plans of updates.

use super::split::steps;
use super::{Limits, Shape, Step, Verb};
use crate::entity::{ColumnSet, Rows, Table};
use crate::error::Result;
use crate::query::{Assignment, Operand, Predicate};

/// What an update of many rows by key is to do.
pub struct UpdatePlan {
    /// The table.
    pub table: &'static Table,
    /// The columns that are written from the rows.
    pub written: ColumnSet,
    /// Columns written from literals, in this order.
    pub stamped: Vec<usize>,
    /// Whether the rows' versions must be the stored ones.
    pub versioned: bool,
    /// Whether every row must be matched for any to change.
    pub all_or_nothing: bool,
    /// Which rows may be matched besides.
    pub filter: Predicate,
}

/// The steps that update `rows`, which are in the order of their keys, each key once.
///
/// # Errors
/// `Encode` when a row is over the size that one statement can take.
pub fn update(limits: &Limits, plan: &UpdatePlan, rows: &dyn Rows) -> Result<Vec<Step>> {
    let table = plan.table;
    let version = table.version.filter(|_| plan.versioned);
    let mut shape = Shape::new(Verb::Update, table);
    shape.matched = version.map_or(table.key, |column| table.key.with(column));
    shape.columns = shape.matched.union(&plan.written);
    shape.source = limits.source(Verb::Update, rows.len());
    shape.set = assignments(plan);
    shape.filter = plan.filter.clone();
    let mut steps = steps(limits, &shape, rows)?;
    if let [only] = steps.as_mut_slice() {
        // One row is all or nothing by itself; several statements need a transaction in any case.
        only.shape.guarded = plan.all_or_nothing && (2..=limits.guarded_rows).contains(&rows.len());
    }
    Ok(steps)
}

fn assignments(plan: &UpdatePlan) -> Vec<Assignment> {
    let mut set: Vec<_> = plan.written.iter().map(|column| Assignment::new(column, Operand::Source)).collect();
    set.extend(plan.stamped.iter().map(|&column| Assignment::new(column, Operand::Literal)));
    set.extend(plan.table.version.map(|column| Assignment::new(column, Operand::Increment)));
    set
}
