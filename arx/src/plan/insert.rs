//! Plans of inserts: rows in groups of the same defaulted columns, cut into statements.

use super::split::steps;
use super::{GeneratedKeys, Limits, Matching, Output, Shape, Source, Step, TableFacts, Verb};
use crate::entity::{ColumnSet, Rows, Table};
use crate::error::{Error, Result};
use crate::query::{Assignment, Operand};

/// What an insert is to do, for rows that default the same columns.
pub struct InsertPlan<'a> {
    /// The table.
    pub table: &'static Table,
    /// The columns that these rows leave to the database.
    pub defaulted: ColumnSet,
    /// Columns written from literals, in this order: version, creation time, time of the last write.
    pub stamped: &'a [usize],
    /// What is to come back.
    pub output: Output,
    /// Whether a generated key is given by the rows.
    pub given_keys: bool,
}

/// The steps that insert `rows`.
///
/// # Errors
/// `Encode` when a row is over the size that one statement can take.
pub fn insert(limits: &Limits, facts: &TableFacts, plan: &InsertPlan<'_>, rows: &dyn Rows) -> Result<Vec<Step>> {
    let table = plan.table;
    let stamped: ColumnSet = plan.stamped.iter().copied().collect();
    let mut columns = table.insertable;
    if plan.given_keys {
        columns = columns.union(&table.key);
    }
    let columns = columns.without(&plan.defaulted).without(&stamped);
    let (source, matching) = source_and_matching(limits, facts, plan, rows.len())?;
    let mut shape = Shape::new(Verb::Insert, table);
    shape.columns = columns;
    shape.source = source;
    shape.set = plan.stamped.iter().map(|&column| Assignment::new(column, Operand::Literal)).collect();
    let is_reported = matches!(matching, Matching::LastId | Matching::Block { .. }) || !limits.returning;
    shape.output = if is_reported { Output::NOTHING } else { plan.output.clone() };
    shape.matching = matching;
    shape.given_keys = plan.given_keys && !table.generated().intersection(&table.key).is_empty();
    steps(limits, &shape, rows)
}

fn source_and_matching(
    limits: &Limits,
    facts: &TableFacts,
    plan: &InsertPlan<'_>,
    rows: usize,
) -> Result<(Source, Matching)> {
    let source = limits.source(Verb::Insert, rows);
    if plan.output.is_empty() {
        return Ok((source, Matching::Nothing));
    }
    if !limits.returning {
        return Ok((source, reported_keys(facts, plan, rows)?));
    }
    Ok(returned_keys(limits, facts, plan, rows, source))
}

/// How the keys are known where nothing but the first generated key comes back.
fn reported_keys(facts: &TableFacts, plan: &InsertPlan<'_>, rows: usize) -> Result<Matching> {
    if !makes_key(plan) {
        return Ok(Matching::Nothing);
    }
    let key = plan.table.single_key().filter(|&key| plan.table.columns[key].kind.is_integer());
    match (key, &facts.keys) {
        (Some(_), GeneratedKeys::Block { increment }) if rows > 1 => Ok(Matching::Block { increment: *increment }),
        (Some(_), GeneratedKeys::Block { .. } | GeneratedKeys::LastId) => Ok(Matching::LastId),
        _ => Err(Error::unsupported(
            "this database reports no generated key but that of a counter; use .without_keys(), or #[arx(generate = \"..\")]",
        )),
    }
}

/// Whether the database makes a part of the key.
fn makes_key(plan: &InsertPlan<'_>) -> bool {
    !plan.given_keys && !plan.table.generated().intersection(&plan.table.key).is_empty()
}

fn returned_keys(
    limits: &Limits,
    facts: &TableFacts,
    plan: &InsertPlan<'_>,
    rows: usize,
    source: Source,
) -> (Source, Matching) {
    if source == Source::Each {
        let is_last_id = facts.keys == GeneratedKeys::LastId && only_the_generated_key(plan);
        return (source, if is_last_id { Matching::LastId } else { Matching::PerRow });
    }
    if rows == 1 {
        return (source, Matching::PerRow);
    }
    let single = || (limits.source(Verb::Insert, 1), Matching::PerRow);
    if !makes_key(plan) {
        let is_comparable = plan.table.key.iter().all(|column| plan.table.columns[column].kind.is_comparable());
        return if is_comparable { (source, Matching::CarriedKey) } else { single() };
    }
    match &facts.keys {
        GeneratedKeys::Ascending if plan.table.single_key().is_some() => (source, Matching::SortedIdentity),
        GeneratedKeys::Expression(sql) if plan.table.single_key().is_some() => {
            (source, Matching::Ordinal { key: Some(sql.clone()) })
        }
        GeneratedKeys::Block { increment } if only_the_generated_key(plan) => {
            (source, Matching::Block { increment: *increment })
        }
        _ => single(),
    }
}

fn only_the_generated_key(plan: &InsertPlan<'_>) -> bool {
    let key = plan.table.single_key().filter(|&column| plan.table.columns[column].generated);
    key.is_some_and(|key| plan.output.columns() == [key])
}
