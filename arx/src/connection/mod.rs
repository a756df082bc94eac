//! Connections: a driver behind one method.
//!
//! A connection is an executor: planning, SQL, encoding of entities and decoding of rows
//! stay outside it. Next is `repository`.

mod collect;
mod parameters;
mod recorder;
mod sink;

pub use collect::{Collected, Message, ResultSet};
pub use parameters::{Command, NoRows, Parameters, locate};
pub use recorder::{Log, Recorded};
pub use sink::{Discard, RowSink};

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use crate::dialect::Dialect;
use crate::entity::Table;
use crate::error::{Error, Result};
use crate::plan::{Signature, TableFacts};
use crate::query::RoutineName;

/// A future that borrows and can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a command did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Affected {
    /// Rows inserted, matched by an update, deleted, or returned.
    pub rows: u64,
}

impl Affected {
    /// So many rows.
    #[must_use]
    pub const fn rows(rows: u64) -> Self {
        Self { rows }
    }
}

/// What a connection is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Reading only; a database with one writer gives a reader.
    Read,
    /// Writing, or both.
    Write,
}

/// How far transactions are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isolation {
    /// Each statement sees what is committed when it starts.
    ReadCommitted,
    /// Each row that was read stays as it was.
    RepeatableRead,
    /// As if the transactions had run one after the other.
    Serializable,
}

/// How a transaction begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Begin {
    /// The isolation level; `None` for the database's default.
    pub isolation: Option<Isolation>,
    /// Whether writes are refused.
    pub read_only: bool,
}

/// The words that bound a transaction. Savepoints are numbered by their depth from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control {
    /// Begins a transaction.
    Begin(Begin),
    /// Keeps what it did.
    Commit,
    /// Undoes what it did.
    Rollback,
    /// Sets a savepoint.
    Savepoint(u32),
    /// Keeps what was done since the savepoint.
    Release(u32),
    /// Undoes what was done since the savepoint, and forgets it. One that is not set has nothing to
    /// undo, and is no error: a dropped future may have ended it.
    RollbackTo(u32),
}

impl Isolation {
    /// Its name in SQL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadCommitted => "READ COMMITTED",
            Self::RepeatableRead => "REPEATABLE READ",
            Self::Serializable => "SERIALIZABLE",
        }
    }
}

impl Control {
    /// What most databases call a savepoint and its end; empty for other words.
    #[must_use]
    pub fn savepoint(self) -> String {
        match self {
            Self::Savepoint(depth) => format!("SAVEPOINT arx_{depth}"),
            Self::Release(depth) => format!("RELEASE SAVEPOINT arx_{depth}"),
            Self::RollbackTo(depth) => format!("ROLLBACK TO SAVEPOINT arx_{depth}; RELEASE SAVEPOINT arx_{depth}"),
            _ => String::new(),
        }
    }
}

/// One connection to a database.
///
/// Dropping one is always safe: inside a transaction it is rolled back, and a connection
/// whose future was dropped half way is not used again unless it is proven clean.
pub trait Connection: Send {
    /// The dialect, with the limits that were probed for this database.
    fn dialect(&self) -> &dyn Dialect;

    /// Runs one command; rows that come back go to the sink.
    ///
    /// # Errors
    /// The sink's own error, an `Encode` error before anything is sent, or the database's.
    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>>;

    /// Begins or ends a transaction or a savepoint.
    ///
    /// # Errors
    /// The database's; after a failed commit the transaction is rolled back.
    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>>;

    /// Reads from the catalogue how the table makes its keys.
    ///
    /// # Errors
    /// The database's. A table that is not there has `GeneratedKeys::PerRow`.
    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>>;

    /// Reads from the catalogue the overloads of a routine: none when there is no such routine.
    ///
    /// # Errors
    /// `Unsupported` where the database has no routines; the database's.
    fn describe<'a>(&'a mut self, routine: RoutineName<'a>) -> BoxFuture<'a, Result<Vec<Signature>>> {
        let error = Error::unsupported(format!("this database has no stored {}s", routine.kind.name()));
        Box::pin(async move { Err(error) })
    }

    /// Runs a call and keeps what comes back as the driver has it; with the server's messages if they are wanted.
    ///
    /// # Errors
    /// `Unsupported` where the database has no routines or does not hand on messages; otherwise as [`run`](Self::run).
    fn collect<'a>(&'a mut self, command: Command<'a>, messages: bool) -> BoxFuture<'a, Result<Collected>> {
        let _ = (command, messages);
        Box::pin(async { Err(Error::unsupported("this database has no stored routines")) })
    }
}

/// Where connections come from.
pub trait Pool: Send + Sync {
    /// A connection that nobody else uses.
    ///
    /// # Errors
    /// `Timeout` when none is free in time; `Authentication`, `ConnectionLost` and others
    /// from connecting.
    fn acquire(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn Connection>>>;

    /// The dialect, shared with connections that are joined from outside.
    fn dialect(&self) -> Arc<dyn Dialect>;

    /// Closes every connection; those in use when they come back.
    fn close(&self) -> BoxFuture<'_, ()>;
}

impl<C: Connection + ?Sized> Connection for Box<C> {
    fn dialect(&self) -> &dyn Dialect {
        (**self).dialect()
    }

    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        (**self).run(command, sink)
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        (**self).control(control)
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        (**self).inspect(table)
    }

    fn describe<'a>(&'a mut self, routine: RoutineName<'a>) -> BoxFuture<'a, Result<Vec<Signature>>> {
        (**self).describe(routine)
    }

    fn collect<'a>(&'a mut self, command: Command<'a>, messages: bool) -> BoxFuture<'a, Result<Collected>> {
        (**self).collect(command, messages)
    }
}
