//! Plans: what is to happen to which columns of which rows, in how many statements.
//!
//! In come a table, limits and the batch's keys; out come [`Step`]s, which carry no SQL
//! and no values. Next is `dialect`, which turns a step's [`Shape`] into a statement.

mod call;
mod delete;
mod insert;
mod keys;
mod limits;
mod select;
mod split;
mod update;

pub(crate) use call::find_name;
pub use call::{CallOutput, Invocation, Parameter, Passed, Signature, call};
pub use delete::{delete_keys, delete_versioned};
pub use insert::{InsertPlan, insert};
pub(crate) use keys::duplicates;
pub use keys::{KeyBytes, KeyOrder};
pub use limits::{Buckets, GeneratedKeys, Limits, TableFacts, Threshold};
pub use select::{Paging, select, select_keys, size_lists, versions};
pub(crate) use split::Measure;
pub use split::{Sizes, statements};
pub use update::{UpdatePlan, update};

use std::ops::Range;

use crate::entity::{ColumnSet, Table};
use crate::query::{Assignment, Ordering, Predicate};

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verb {
    /// Inserts rows.
    Insert,
    /// Updates rows.
    Update,
    /// Deletes rows.
    Delete,
    /// Reads rows.
    Select,
    /// Counts rows: one row of one 64-bit integer.
    Count,
    /// Tells whether there is a row: one row of one boolean.
    Exists,
    /// Reads a page: each row begins with the total, and with a truth that is NULL in the only
    /// row of an empty page.
    Page,
}

impl Verb {
    /// The operation in an error's message, for example `insert into`.
    #[must_use]
    pub const fn operation(self) -> &'static str {
        match self {
            Self::Insert => "insert into",
            Self::Update => "update",
            Self::Delete => "delete from",
            Self::Select | Self::Count | Self::Exists | Self::Page => "select from",
        }
    }
}

/// How returned rows find the input row they belong to. Never by arrival.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matching {
    /// Nothing comes back, or it is not matched to input rows.
    Nothing,
    /// Each row comes back with the ordinal of its input row, from 1, as its last column.
    /// For an insert, `key` is the SQL of the key's default, computed beside the ordinal.
    Ordinal {
        /// The default expression of the generated key, as the database reports it.
        key: Option<Box<str>>,
    },
    /// Each row comes back with its key, which the input row carries too.
    CarriedKey,
    /// Generated keys ascend in the order of the input: sorted, they are in its order.
    SortedIdentity,
    /// The keys are one block from the first, `increment` apart.
    Block {
        /// The distance of two keys.
        increment: u64,
    },
    /// Each input row has a command of its own, and what it returns is its own.
    PerRow,
    /// As `PerRow`, with the generated integer key reported by the driver instead of a returned row.
    LastId,
}

/// How the rows of a batch reach the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// There are no rows: a filter decides.
    Nothing,
    /// One parameter per cell, in a fixed number of rows.
    Values,
    /// One array parameter per column.
    Arrays,
    /// All rows in one JSON parameter.
    Json,
    /// Rows loaded into a staging table first.
    Staged,
    /// The one-row statement for every row, in one command, in process. Outside a transaction the
    /// command has one of its own: all rows or none.
    Each,
}

/// Whether rows that are read are locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Lock {
    /// Not locked.
    None,
    /// Locked for an update by this transaction.
    Update,
}

/// The columns that come back, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Output {
    /// These, in ascending order.
    Columns(ColumnSet),
    /// These, in this order.
    List(Vec<usize>),
}

impl Output {
    /// No column.
    pub const NOTHING: Self = Self::Columns(ColumnSet::EMPTY);

    /// The columns in the order in which they come back.
    #[must_use]
    pub fn columns(&self) -> Vec<usize> {
        match self {
            Self::Columns(set) => set.iter().collect(),
            Self::List(list) => list.clone(),
        }
    }

    /// Whether nothing comes back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Columns(set) => set.is_empty(),
            Self::List(list) => list.is_empty(),
        }
    }
}

/// Everything that decides a statement's text. Statements are cached by its equality.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Shape {
    /// What happens.
    pub verb: Verb,
    /// The table.
    pub table: &'static Table,
    /// The columns that the row source carries.
    pub columns: ColumnSet,
    /// The source's columns that identify a row: the key, and the version where it is checked.
    pub matched: ColumnSet,
    /// How the rows get there.
    pub source: Source,
    /// With `Source::Values`, how many rows the text has: as many as there are, or more, which are NULL.
    pub bucket: usize,
    /// What is written: from the source, from literals, or counted up.
    pub set: Vec<Assignment>,
    /// What comes back.
    pub output: Output,
    /// How it is matched with the input.
    pub matching: Matching,
    /// Change nothing unless every row of the source is matched.
    pub guarded: bool,
    /// A key that the database generates is given by the caller instead.
    pub given_keys: bool,
    /// Which rows, besides those of the source.
    pub filter: Predicate,
    /// For each literal, how many elements the text has for it where it is a list, 0 for an empty one and `None`
    /// for one parameter; empty where every list is one parameter.
    pub lists: Vec<Option<usize>>,
    /// In which order rows are read.
    pub order: Vec<Ordering>,
    /// Whether a literal limits how many are read.
    pub limit: bool,
    /// Whether a literal says how many to pass over.
    pub offset: bool,
    /// Whether the rows are locked.
    pub lock: Lock,
}

impl Shape {
    /// A shape of this verb on this table, with nothing else.
    #[must_use]
    pub fn new(verb: Verb, table: &'static Table) -> Self {
        Self {
            verb,
            table,
            columns: ColumnSet::EMPTY,
            matched: ColumnSet::EMPTY,
            source: Source::Nothing,
            bucket: 0,
            set: Vec::new(),
            output: Output::NOTHING,
            matching: Matching::Nothing,
            guarded: false,
            given_keys: false,
            filter: Predicate::All,
            lists: Vec::new(),
            order: Vec::new(),
            limit: false,
            offset: false,
            lock: Lock::None,
        }
    }

    /// What the statement does, for messages: `insert into customers`.
    #[must_use]
    pub fn describe(&self) -> String {
        format!("{} {}", self.verb.operation(), self.table.name)
    }
}

/// One statement for some rows of the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The statement.
    pub shape: Shape,
    /// The rows, counted in the order in which the batch is sent.
    pub rows: Range<usize>,
}
