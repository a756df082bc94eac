//! Plans of reads: by filter, by keys, and of the versions that explain a stale update.

use super::split::steps;
use super::{Limits, Lock, Matching, Output, Shape, Source, Step, Verb};
use crate::entity::{Rows, Table};
use crate::error::Result;
use crate::query::{Ordering, Predicate};
use crate::value::{Elements, Literal, ScalarKind};

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

/// Gives the lists of the filter their sizes in the text, where this database has a parameter for each element.
pub fn size_lists(limits: &Limits, shape: &mut Shape, literals: &[Literal<'_>]) {
    if limits.lists.is_empty() || !literals.iter().any(|literal| literal.list().is_some()) {
        return;
    }
    shape.lists = literals.iter().map(|literal| list_size(limits, literal.list()?)).collect();
}

/// How many placeholders a list has; `None` for one parameter.
fn list_size(limits: &Limits, list: &dyn Elements) -> Option<usize> {
    let is_text = matches!(list.kind(), ScalarKind::Text | ScalarKind::Bytes);
    let sizes = if is_text { limits.text_lists } else { limits.lists };
    if list.is_empty() { Some(0) } else { sizes.iter().copied().find(|&size| size >= list.len()) }
}

/// The steps that read these columns of the rows with these keys; the key is among the columns.
///
/// Keys that only the database can compare, or that repeat, come back with their ordinal;
/// others are found by the key that each row carries.
///
/// # Errors
/// `Encode` when a key is over the size that one statement can take.
pub fn select_keys(
    limits: &Limits,
    table: &'static Table,
    output: Output,
    filter: Predicate,
    by_ordinal: bool,
    keys: &dyn Rows,
) -> Result<Vec<Step>> {
    let mut shape = Shape::new(Verb::Select, table);
    shape.output = output;
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
    shape.source = match shape.matching {
        Matching::Ordinal { .. } => limits.ordinal_source(keys.len()),
        _ => limits.source(shape.verb, keys.len()),
    };
    steps(limits, &shape, keys)
}
