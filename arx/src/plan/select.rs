//! Plans of reads: by filter, by keys, and of the versions that explain a stale update.

use super::split::split;
use super::update::finish;
use super::{Limits, Lock, Matching, Output, Shape, Source, Step, Verb};
use crate::entity::{Rows, Table};
use crate::error::Result;
use crate::query::{Ordering, Predicate};

/// Order, limit and offset of a read.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    /// The order, the most significant column first.
    pub order: Vec<Ordering>,
    /// Whether there is a limit.
    pub limit: bool,
    /// Whether there is an offset.
    pub offset: bool,
}

/// The shape of a read by filter.
#[must_use]
pub fn select(verb: Verb, table: &'static Table, output: Output, filter: Predicate, paging: Paging) -> Shape {
    let mut shape = Shape::new(verb, table);
    shape.output = output;
    shape.filter = filter;
    shape.order = paging.order;
    shape.limit = paging.limit;
    shape.offset = paging.offset;
    shape
}

/// The steps that read the rows with these keys.
///
/// Keys that only the database can compare, or that repeat, come back with their ordinal;
/// others are found by the key that each row carries.
///
/// # Errors
/// `Encode` when a key is over the size that one statement can take.
pub fn select_keys(
    limits: &Limits,
    table: &'static Table,
    filter: Predicate,
    by_ordinal: bool,
    keys: &dyn Rows,
) -> Result<Vec<Step>> {
    let mut shape = Shape::new(Verb::Select, table);
    shape.output = Output::Columns(table.all());
    shape.filter = filter;
    let each = limits.source(Verb::Select, keys.len()) == Source::Each;
    shape.matching = match keys.len() {
        1 => Matching::PerRow,
        _ if by_ordinal || each => Matching::Ordinal { key: None },
        _ => Matching::CarriedKey,
    };
    by_keys(limits, shape, keys)
}

/// The steps that read key, version and ordinal of the rows with these keys, in the order
/// of the keys, locked if asked for.
///
/// # Errors
/// As [`select_keys`].
pub fn versions(
    limits: &Limits,
    table: &'static Table,
    lock: Lock,
    filter: Predicate,
    keys: &dyn Rows,
) -> Result<Vec<Step>> {
    let mut shape = Shape::new(Verb::Select, table);
    shape.output = Output::Columns(table.version.map_or(table.key, |version| table.key.with(version)));
    shape.matching = Matching::Ordinal { key: None };
    shape.order = table.key.iter().map(Ordering::ascending).collect();
    shape.lock = lock;
    shape.filter = filter;
    by_keys(limits, shape, keys)
}

fn by_keys(limits: &Limits, mut shape: Shape, keys: &dyn Rows) -> Result<Vec<Step>> {
    shape.matched = shape.table.key;
    shape.columns = shape.table.key;
    shape.source = limits.source(shape.verb, keys.len());
    let pieces = split(limits, shape.table, &shape.columns, shape.source, keys)?;
    Ok(pieces.into_iter().map(|rows| finish(&shape, rows)).collect())
}
