//! What is measured, as data.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::wide;

/// The database that contenders run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Database {
    /// A file of its own for each contender, with a write-ahead log.
    Sqlite,
    /// A schema of its own for each contender, on the server of `ARX_POSTGRES_URL`.
    Postgres,
    /// A database of its own for each contender, on the server of `ARX_MYSQL_URL`.
    Mysql,
    /// The same on the server of `ARX_MARIADB_URL`.
    Mariadb,
}

impl Database {
    /// Every one.
    pub const ALL: &[Self] = &[Self::Sqlite, Self::Postgres, Self::Mysql, Self::Mariadb];

    /// Whether contenders talk to another process.
    #[must_use]
    pub const fn has_server(self) -> bool {
        !matches!(self, Self::Sqlite)
    }
}

/// What is done. The first four are calls for one row each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
pub enum Operation {
    /// Inserts a row, and has its key.
    Create,
    /// Writes a row by its key: all columns.
    Update,
    /// Deletes a row by its key.
    Delete,
    /// Reads a row by its key.
    Retrieve,
    /// Begins a transaction and commits it, with nothing in it.
    Transaction,
    /// Reads single values one after the other, each by a statement of its own.
    Scalars,
    /// Inserts rows, and has their keys in the order of the input.
    CreateMultiple,
    /// Inserts rows, and has how many there were.
    CreateMultipleWithoutKeys,
    /// Writes rows by their keys: all columns; the keys come in no order.
    UpdateMultiple,
    /// Writes one column of the rows in a range of keys, in one statement.
    UpdateWhere,
    /// Deletes rows by their keys, which come in no order.
    DeleteMultiple,
    /// Reads the rows with some keys, which come in no order; has the rows in the order of the keys.
    RetrieveByKeys,
    /// Reads the rows in a range of keys, in the order of their keys.
    RetrieveMultiple,
    /// Reads a page of rows in the order of their keys, and has the number of all rows.
    Page,
    /// Calls a procedure that returns the rows in a range of keys, and their number in an OUT parameter.
    Procedure,
    /// Calls a function that returns the rows in a range of keys.
    FunctionRows,
    /// Calls a function of one key that returns a number.
    Function,
    /// Reads all rows of a table, in any order; of Diesel's own benchmarks, as are the next three.
    PublishedTrivial,
    /// Reads rows by a filter, in a left join with another table.
    PublishedMedium,
    /// Reads rows, then what belongs to them, then what belongs to that; has them as trees.
    PublishedAssociations,
    /// Inserts rows, and has how many there were.
    PublishedInsert,
    /// `create` on the wide table.
    WideCreate,
    /// `retrieve` on the wide table.
    WideRetrieve,
    /// `create_multiple` on the wide table.
    WideCreateMultiple,
    /// `update_multiple` on the wide table.
    WideUpdateMultiple,
    /// `retrieve_multiple` on the wide table.
    WideRetrieveMultiple,
}

impl Operation {
    /// Whether a call is for one row.
    #[must_use]
    pub const fn is_one_row(self) -> bool {
        matches!(self, Self::Create | Self::Update | Self::Delete | Self::Retrieve | Self::Transaction | Self::Function)
            || matches!(self, Self::WideCreate | Self::WideRetrieve)
    }

    /// Whether it is on the wide table.
    #[must_use]
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::WideCreate | Self::WideCreateMultiple)
            || matches!(self, Self::WideUpdateMultiple | Self::WideRetrieve | Self::WideRetrieveMultiple)
    }

    /// Whether it calls a stored routine.
    #[must_use]
    pub const fn is_call(self) -> bool {
        matches!(self, Self::Procedure | Self::FunctionRows | Self::Function)
    }

    /// Whether the database can do it: SQLite has no routines, PostgreSQL's procedures return no rows, and MySQL's
    /// functions neither.
    #[must_use]
    pub fn is_on(self, database: Database) -> bool {
        match self {
            Self::Procedure => matches!(database, Database::Mysql | Database::Mariadb),
            Self::FunctionRows => database == Database::Postgres,
            Self::Function => database != Database::Sqlite,
            _ => true,
        }
    }

    /// Whether it is one of the published cases, which have their own tables.
    #[must_use]
    pub const fn is_published(self) -> bool {
        matches!(
            self,
            Self::PublishedTrivial | Self::PublishedMedium | Self::PublishedAssociations | Self::PublishedInsert
        )
    }

    /// Whether the table is empty before it.
    #[must_use]
    pub const fn creates(self) -> bool {
        matches!(self, Self::Create | Self::CreateMultiple | Self::CreateMultipleWithoutKeys)
            || matches!(self, Self::WideCreate | Self::WideCreateMultiple)
    }

    /// Whether it leaves other values in the table's rows.
    #[must_use]
    pub const fn changes(self) -> bool {
        matches!(self, Self::Update | Self::UpdateMultiple | Self::UpdateWhere | Self::WideUpdateMultiple)
    }

    /// Whether it leaves the table smaller.
    #[must_use]
    pub const fn deletes(self) -> bool {
        matches!(self, Self::Delete | Self::DeleteMultiple)
    }

    /// The name of the verb.
    #[must_use]
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// One line of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Case {
    /// What is done.
    pub operation: Operation,
    /// The rows of one call.
    pub rows: usize,
    /// The calls of one block.
    pub calls: usize,
    /// The rows of the table before a block.
    pub table: usize,
    /// The tasks that share the calls, at once.
    pub tasks: usize,
}

/// The rows of the table that most cases work on.
pub const FULL: usize = 100_000;

/// The rows of a call that take seconds: contenders that send them one by one, or in one list, do not take part above.
pub const MANY: usize = 10_000;

const fn case(operation: Operation, rows: usize, calls: usize) -> Case {
    let table = if operation.creates() { 0 } else { FULL };
    Case { operation, rows, calls, table, tasks: 1 }
}

const fn page(table: usize) -> Case {
    Case { operation: Operation::Page, rows: 50, calls: 20, table, tasks: 1 }
}

/// With the tables of the published cases, which are as large as a call reads.
const fn published(operation: Operation, rows: usize, calls: usize) -> Case {
    Case { operation, rows, calls, table: 0, tasks: 1 }
}

const fn wide(operation: Operation, rows: usize, calls: usize) -> Case {
    let table = if operation.creates() { 0 } else { wide::FULL };
    Case { operation, rows, calls, table, tasks: 1 }
}

/// Everything that a run without arguments measures.
pub const MATRIX: &[Case] = &[
    case(Operation::Create, 1, 200),
    case(Operation::Update, 1, 200),
    case(Operation::Delete, 1, 200),
    case(Operation::Retrieve, 1, 200),
    case(Operation::Transaction, 1, 100),
    case(Operation::Scalars, 16, 20),
    case(Operation::CreateMultiple, 100, 20),
    case(Operation::CreateMultiple, 1_000, 6),
    case(Operation::CreateMultiple, 10_000, 2),
    case(Operation::CreateMultiple, 100_000, 1),
    case(Operation::CreateMultipleWithoutKeys, 1_000, 6),
    case(Operation::CreateMultipleWithoutKeys, 10_000, 2),
    case(Operation::CreateMultipleWithoutKeys, 100_000, 1),
    case(Operation::UpdateMultiple, 100, 10),
    case(Operation::UpdateMultiple, 1_000, 4),
    case(Operation::UpdateMultiple, 10_000, 1),
    case(Operation::UpdateMultiple, 100_000, 1),
    case(Operation::UpdateWhere, 1_000, 4),
    case(Operation::DeleteMultiple, 100, 10),
    case(Operation::DeleteMultiple, 1_000, 4),
    case(Operation::DeleteMultiple, 10_000, 1),
    case(Operation::RetrieveByKeys, 100, 20),
    case(Operation::RetrieveByKeys, 1_000, 10),
    case(Operation::RetrieveByKeys, 10_000, 2),
    case(Operation::RetrieveMultiple, 1_000, 20),
    case(Operation::RetrieveMultiple, 10_000, 4),
    case(Operation::RetrieveMultiple, 100_000, 1),
    page(100),
    page(10_000),
    page(100_000),
    case(Operation::Procedure, 1, 100),
    case(Operation::Procedure, 1_000, 10),
    case(Operation::FunctionRows, 1, 100),
    case(Operation::FunctionRows, 1_000, 10),
    case(Operation::Function, 1, 100),
    published(Operation::PublishedTrivial, 1, 200),
    published(Operation::PublishedTrivial, 10, 200),
    published(Operation::PublishedTrivial, 100, 100),
    published(Operation::PublishedTrivial, 1_000, 20),
    published(Operation::PublishedTrivial, 10_000, 4),
    published(Operation::PublishedMedium, 1, 200),
    published(Operation::PublishedMedium, 10, 200),
    published(Operation::PublishedMedium, 100, 100),
    published(Operation::PublishedMedium, 1_000, 20),
    published(Operation::PublishedMedium, 10_000, 4),
    // They are 9 on SQLite and 100 on servers there.
    published(Operation::PublishedAssociations, 9, 20),
    published(Operation::PublishedAssociations, 100, 2),
    published(Operation::PublishedInsert, 1, 200),
    published(Operation::PublishedInsert, 10, 100),
    published(Operation::PublishedInsert, 25, 80),
    published(Operation::PublishedInsert, 50, 60),
    published(Operation::PublishedInsert, 100, 40),
    wide(Operation::WideCreate, 1, 200),
    wide(Operation::WideRetrieve, 1, 200),
    wide(Operation::WideCreateMultiple, 100, 20),
    wide(Operation::WideCreateMultiple, 1_000, 4),
    wide(Operation::WideCreateMultiple, 10_000, 1),
    wide(Operation::WideUpdateMultiple, 100, 10),
    wide(Operation::WideUpdateMultiple, 1_000, 2),
    wide(Operation::WideUpdateMultiple, 10_000, 1),
    wide(Operation::WideRetrieveMultiple, 100, 50),
    wide(Operation::WideRetrieveMultiple, 1_000, 10),
    wide(Operation::WideRetrieveMultiple, 10_000, 2),
];

fn growth(table: usize) -> [Case; 4] {
    let case = |operation, rows, calls| Case { operation, rows, calls, table, tasks: 1 };
    [
        case(Operation::Update, 1, 50),
        case(Operation::UpdateMultiple, 1_000, 2),
        case(Operation::UpdateWhere, table / 100, 1),
        case(Operation::UpdateWhere, table, 1),
    ]
}

/// What an update costs in tables of this many rows: whether that follows the rows that match, or the table.
#[must_use]
pub fn growing(tables: &[usize]) -> Vec<Case> {
    tables.iter().flat_map(|&table| growth(table)).collect()
}

/// What many tasks do at once, on a pool of [`CROWDED`] connections.
#[must_use]
pub fn crowd(tasks: usize) -> Vec<Case> {
    let case = |operation: Operation, rows, calls| Case { calls: calls * tasks, tasks, ..case(operation, rows, 1) };
    vec![
        case(Operation::Create, 1, 8),
        case(Operation::Update, 1, 8),
        case(Operation::Retrieve, 1, 16),
        case(Operation::CreateMultiple, 100, 1),
        case(Operation::RetrieveMultiple, 100, 4),
    ]
}

/// The connections of a pool that many tasks share.
pub const CROWDED: u32 = 8;

impl Case {
    /// The same case with small sizes, to see that it works.
    #[must_use]
    pub fn quick(self) -> Self {
        Self { rows: self.rows.min(100), calls: self.calls.min(2), table: self.table.min(1_000), ..self }
    }
}
