//! What a database can take, as plain data.

use super::{Source, Verb};

/// From this many rows on, a verb uses this source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The smallest batch.
    pub rows: usize,
    /// Its source.
    pub source: Source,
}

/// The limits and preferences of one database, built from what was probed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Parameters in one statement.
    pub max_parameters: usize,
    /// Rows in one statement, whatever the source.
    pub max_rows: usize,
    /// Bytes of parameters in one statement.
    pub max_bytes: usize,
    /// The numbers of rows that a `Values` source may have, largest first, ending in 1.
    pub values: &'static [usize],
    /// The sources of inserts, by ascending rows.
    pub insert: &'static [Threshold],
    /// The sources of updates and deletes, by ascending rows.
    pub write: &'static [Threshold],
    /// The sources of reads by keys, by ascending rows.
    pub read: &'static [Threshold],
    /// Up to so many rows, a guarded statement that checks all of them before it changes one is
    /// cheaper than a transaction around a plain one; 0 where there is no such statement.
    pub guarded_rows: usize,
    /// Generated keys are known only after the table has been inspected.
    pub inspect: bool,
    /// A statement that fails makes the whole transaction unusable.
    pub aborts: bool,
    /// Floats may be NaN or infinite.
    pub nan: bool,
}

impl Limits {
    /// The source for a batch of `rows`.
    #[must_use]
    pub fn source(&self, verb: Verb, rows: usize) -> Source {
        let thresholds = match verb {
            Verb::Insert => self.insert,
            Verb::Update | Verb::Delete => self.write,
            Verb::Select | Verb::Count | Verb::Exists => self.read,
        };
        thresholds.iter().rev().find(|threshold| threshold.rows <= rows).map_or(Source::Values, |found| found.source)
    }
}

/// How a table makes its generated keys, as its catalogue tells.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeneratedKeys {
    /// They ascend in the order in which rows are inserted.
    Ascending,
    /// The driver reports the key of each row that it inserts.
    LastId,
    /// Each is computed by this SQL expression, in no order.
    Expression(Box<str>),
    /// One statement's keys are a block from the first, this far apart.
    Block {
        /// The distance of two keys.
        increment: u64,
    },
    /// Nothing is known: only a row inserted by itself is sure of its key.
    PerRow,
}

/// What was read from the catalogue about one table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableFacts {
    /// How its keys are made.
    pub keys: GeneratedKeys,
}

impl TableFacts {
    /// A table with keys made in this way.
    #[must_use]
    pub const fn new(keys: GeneratedKeys) -> Self {
        Self { keys }
    }
}
