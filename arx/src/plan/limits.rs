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

/// The closed sets of sizes of `Values` sources that may have more rows than the batch: those beyond its
/// end are NULL, which is equal to no key. Each ascends from 1; an empty one stands for exact sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buckets {
    /// Of updates.
    pub update: &'static [usize],
    /// Of deletes.
    pub delete: &'static [usize],
    /// Of reads whose rows carry their keys.
    pub read: &'static [usize],
    /// Of reads whose rows carry the ordinal of their key.
    pub ordinal: &'static [usize],
}

impl Buckets {
    /// Exact sizes.
    pub const NONE: Self = Self { update: &[], delete: &[], read: &[], ordinal: &[] };
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
    /// The numbers of rows that the `Values` source of a write or a read by key is filled up to.
    pub buckets: Buckets,
    /// The numbers of elements that a list of a filter is filled up to, ascending; a longer list is one
    /// parameter. Empty where every list is one.
    pub lists: &'static [usize],
    /// The same for lists of texts and bytes.
    pub text_lists: &'static [usize],
    /// The sources of inserts, by ascending rows.
    pub insert: &'static [Threshold],
    /// The sources of updates and deletes, by ascending rows.
    pub write: &'static [Threshold],
    /// The sources of reads by keys, by ascending rows.
    pub read: &'static [Threshold],
    /// The sources of reads whose rows carry the ordinals of their keys, by ascending rows.
    pub ordinal: &'static [Threshold],
    /// An insert can return columns of the rows that it has inserted.
    pub returning: bool,
    /// Up to so many rows, a guarded statement that checks all of them before it changes one is
    /// cheaper than a transaction around a plain one; 0 where there is no such statement.
    pub guarded_rows: usize,
    /// Generated keys are known only after the table has been inspected.
    pub inspect: bool,
    /// Texts may be of a type that sorts otherwise than it compares, see [`TableFacts::listed`].
    pub listed_texts: bool,
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
            Verb::Select | Verb::Count | Verb::Exists | Verb::Page => self.read,
        };
        chosen(thresholds, rows)
    }

    /// The source for a read of `rows` whose ordinals come back.
    #[must_use]
    pub fn ordinal_source(&self, rows: usize) -> Source {
        chosen(self.ordinal, rows)
    }
}

fn chosen(thresholds: &[Threshold], rows: usize) -> Source {
    thresholds.iter().rev().find(|threshold| threshold.rows <= rows).map_or(Source::Values, |found| found.source)
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
    /// Columns whose values sort by their place in a list, and yet compare as texts: `ENUM` and `SET`.
    pub listed: Vec<usize>,
}

impl TableFacts {
    /// A table with keys made in this way.
    #[must_use]
    pub const fn new(keys: GeneratedKeys) -> Self {
        Self { keys, listed: Vec::new() }
    }
}
