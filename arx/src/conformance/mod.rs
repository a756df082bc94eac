//! The suite of cases that every dialect has to pass.
//!
//! A case is a plain async function in one of the modules below, listed once in its module's
//! table. It asserts results *and* how many statements and round trips they took. A dialect
//! crate implements [`Backend`] in its `tests/conformance.rs` and calls [`main`].
//!
//! This is test code: it panics when a database does not do what arx promises.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::too_many_lines, missing_docs)]
// Keys are given by reference on purpose.
#![allow(clippy::needless_borrows_for_generic_args, clippy::type_complexity)]

mod context;
mod memory;
mod promises;
mod registry;
mod reports;
pub mod tables;

pub use context::{Context, START};
pub use memory::streams_a_million_rows;
pub use registry::{Case, all_cases, check_registry, main, main_of};
pub use reports::{ELSEWHERE, REPORTS};

use std::sync::Arc;

use crate::connection::{BoxFuture, Pool};
use crate::entity::ColumnMeta;
use crate::error::Result;

/// What a case needs that not every database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requires {
    /// Array columns.
    Arrays,
    /// Floats that are NaN or infinite.
    Nan,
    /// Floats that tell -0.0 from 0.0.
    NegativeZero,
    /// Text with U+0000.
    NulText,
    /// Decimals that keep the zeros at their end.
    Scale,
    /// Several writers at a time, with row locks.
    RowLocks,
    /// Isolation levels below serializable.
    Isolation,
    /// Schemas, or attached databases.
    Schemas,
    /// Native enum types.
    Enums,
    /// Keys with a default that the database computes, other than an ascending integer.
    DefaultKeys,
    /// Columns that take only integers of their own width.
    SizedIntegers,
    /// Snapshots that refuse a write over a newer row, and let readers block no writer.
    Conflicts,
    /// Triggers that write to their own table.
    OwnTriggers,
    /// Statement counts kept by the server itself.
    ServerCounts,
    /// Stored procedures and functions.
    Routines,
    /// Several routines of one name, defaults of parameters, functions that return rows.
    Overloads,
    /// Procedures that return result sets, and messages beside them.
    ResultSets,
    /// No stored procedure or function.
    NoRoutines,
}

/// How a namespace is opened.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The number of connections at most (for writing).
    pub connections: u32,
}

/// A database under test.
pub trait Backend: Send + Sync {
    /// The name in the summary, for example `sqlite` or `postgres 15`.
    fn name(&self) -> String;

    /// What it has of what cases may require.
    fn provides(&self) -> &'static [Requires];

    /// The exact list of cases that are skipped for what they require.
    fn skips(&self) -> &'static [&'static str];

    /// Runs a case to its end, in the runtime that the driver needs.
    fn block_on(&self, case: BoxFuture<'_, ()>);

    /// A pool on the empty namespace (database, schema) of this case: created by the first
    /// call for the name, joined by further ones.
    fn open<'a>(&'a self, case: &'a str, options: Open) -> BoxFuture<'a, Result<Arc<dyn Pool>>>;

    /// Removes the namespace.
    fn remove<'a>(&'a self, case: &'a str) -> BoxFuture<'a, Result<()>>;

    /// The SQL type of a column that holds this column's values, without constraints.
    fn column_type(&self, column: &ColumnMeta) -> String;

    /// The SQL type with what follows it, for example `DEFAULT 'x'`, where that makes a difference to the type.
    fn extended_type(&self, column: &ColumnMeta, extra: &str) -> String {
        format!("{} {extra}", self.column_type(column))
    }

    /// The statements that make a trigger `beside`, which runs these statements for each row.
    fn trigger(&self, when: &str, table: &str, body: &str) -> Vec<String>;

    /// The statement that makes a routine: `head` is `PROCEDURE p(IN a bigint, OUT b text)` or
    /// `FUNCTION f(a bigint) RETURNS text`, `body` a list of statements.
    fn routine(&self, head: &str, body: &str) -> String {
        format!("CREATE {head} BEGIN {body} END")
    }

    /// The SQL type and clause of a key column whose values the database makes, with `PRIMARY KEY`.
    fn generated_key(&self, column: &ColumnMeta) -> String;

    /// How an identifier is quoted.
    fn quote(&self, name: &str) -> String;
}
