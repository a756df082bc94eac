//! A pool that counts what passes through it: for tests that assert on statements, and for programs
//! that print them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Affected, BoxFuture, Collected, Command, Connection, Control, Intent, Pool, RowSink};
use crate::dialect::Dialect;
use crate::entity::Table;
use crate::error::Result;
use crate::plan::{Signature, TableFacts};
use crate::query::RoutineName;

/// How many statements and round trips there were.
#[derive(Clone, Default)]
pub struct Log(Arc<Counts>);

#[derive(Default)]
struct Counts {
    statements: AtomicUsize,
    round_trips: AtomicUsize,
    texts: Mutex<Vec<Arc<str>>>,
}

impl Log {
    /// Statements run since the last [`reset`](Self::reset), without those that bound transactions
    /// and those that read the catalogue.
    #[must_use]
    pub fn statements(&self) -> usize {
        self.0.statements.load(Ordering::SeqCst)
    }

    /// Round trips: statements, and the words that bound transactions.
    #[must_use]
    pub fn round_trips(&self) -> usize {
        self.0.round_trips.load(Ordering::SeqCst)
    }

    /// The statements' texts, in order.
    #[must_use]
    pub fn texts(&self) -> Vec<Arc<str>> {
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts from zero again.
    pub fn reset(&self) {
        self.0.statements.store(0, Ordering::SeqCst);
        self.0.round_trips.store(0, Ordering::SeqCst);
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn statement(&self, text: &Arc<str>) {
        self.0.statements.fetch_add(1, Ordering::SeqCst);
        self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(text));
        self.round_trip();
    }

    fn round_trip(&self) {
        self.0.round_trips.fetch_add(1, Ordering::SeqCst);
    }
}

/// A pool whose connections write to a [`Log`].
///
/// ```
/// # use std::sync::Arc;
/// # use arx::connection::{Log, Recorded};
/// # fn recorded(database: arx::Database) -> arx::Database {
/// let log = Log::default();
/// let database = arx::Database::new(Arc::new(Recorded::new(Arc::clone(database.pool()), log.clone())));
/// assert_eq!(log.statements(), 0);
/// # database
/// # }
/// ```
pub struct Recorded {
    pool: Arc<dyn Pool>,
    log: Log,
}

impl Recorded {
    /// Wraps a pool.
    #[must_use]
    pub fn new(pool: Arc<dyn Pool>, log: Log) -> Self {
        Self { pool, log }
    }
}

impl Pool for Recorded {
    fn acquire(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn Connection>>> {
        Box::pin(async move {
            let connection = RecordedConnection { connection: self.pool.acquire(intent).await?, log: self.log.clone() };
            let connection: Box<dyn Connection> = Box::new(connection);
            Ok(connection)
        })
    }

    fn dialect(&self) -> Arc<dyn Dialect> {
        self.pool.dialect()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.pool.close()
    }
}

struct RecordedConnection {
    connection: Box<dyn Connection>,
    log: Log,
}

impl Connection for RecordedConnection {
    fn dialect(&self) -> &dyn Dialect {
        self.connection.dialect()
    }

    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        self.log.statement(&command.statement.text);
        self.connection.run(command, sink)
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        self.log.round_trip();
        self.connection.control(control)
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        self.connection.inspect(table)
    }

    fn describe<'a>(&'a mut self, routine: RoutineName<'a>) -> BoxFuture<'a, Result<Vec<Signature>>> {
        self.connection.describe(routine)
    }

    fn collect<'a>(&'a mut self, command: Command<'a>, messages: bool) -> BoxFuture<'a, Result<Collected>> {
        self.log.statement(&command.statement.text);
        if messages {
            self.log.round_trip();
        }
        self.connection.collect(command, messages)
    }
}
