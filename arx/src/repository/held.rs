//! A transaction's connection behind its handles, and what dropped ones have left to undo.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use futures_util::lock::{Mutex, MutexGuard};

use crate::connection::{Affected, BoxFuture, Collected, Command, Connection, Control, RowSink};
use crate::dialect::Dialect;
use crate::entity::Table;
use crate::error::{Error, Result};
use crate::plan::{Signature, TableFacts};
use crate::query::RoutineName;

/// A transaction's connection, shared by the handles of its savepoints. A trait so that a
/// handle's lifetime can shrink although the connection sits behind a mutex.
pub(crate) trait Held: Send + Sync {
    /// The connection, after undoing what a dropped handle or call has left.
    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn Connection + '_>>>;

    /// The savepoint of this depth was dropped: undo it before the next statement.
    fn abandon(&self, depth: u32);

    /// A stream holds the connection from now on, or no longer.
    fn note_stream(&self, holds: bool);

    /// A statement has failed in a way that running the transaction again may mend.
    fn note_retryable(&self);

    fn saw_retryable(&self) -> bool;

    /// The transaction has been committed or rolled back by its handle.
    fn note_ended(&self);

    fn has_ended(&self) -> bool;
}

/// The connection and what its handles have left to do.
pub(super) struct Shared<'c> {
    connection: Mutex<Box<dyn Connection + 'c>>,
    // The smallest depth that was abandoned; 0 for none.
    abandoned: AtomicU32,
    streams: AtomicBool,
    retryable: AtomicBool,
    ended: AtomicBool,
}

impl<'c> Shared<'c> {
    pub(super) fn new(connection: Box<dyn Connection + 'c>) -> Self {
        Self {
            connection: Mutex::new(connection),
            abandoned: AtomicU32::new(0),
            retryable: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            streams: AtomicBool::new(false),
        }
    }
}

impl Held for Shared<'_> {
    fn lock(&self) -> BoxFuture<'_, Result<Box<dyn Connection + '_>>> {
        Box::pin(async move {
            let mut connection = match self.connection.try_lock() {
                Some(connection) => connection,
                // Who reads the stream would wait for itself.
                None if self.streams.load(Ordering::Acquire) => return Err(streaming()),
                None => self.connection.lock().await,
            };
            let depth = self.abandoned.load(Ordering::Acquire);
            if depth > 0 {
                connection.control(Control::RollbackTo(depth)).await?;
                self.abandoned.store(0, Ordering::Release);
            }
            let locked: Box<dyn Connection + '_> = Box::new(Locked(connection));
            Ok(locked)
        })
    }

    fn abandon(&self, depth: u32) {
        let smaller = |now: u32| (now == 0 || depth < now).then_some(depth);
        // `Err` only says that a smaller depth is noted already.
        let _ = self.abandoned.fetch_update(Ordering::AcqRel, Ordering::Acquire, smaller);
    }

    fn note_stream(&self, holds: bool) {
        self.streams.store(holds, Ordering::Release);
    }

    fn note_retryable(&self) {
        self.retryable.store(true, Ordering::Release);
    }

    fn saw_retryable(&self) -> bool {
        self.retryable.load(Ordering::Acquire)
    }

    fn note_ended(&self) {
        self.ended.store(true, Ordering::Release);
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }
}

fn streaming() -> Error {
    Error::invalid_input("a stream is being read on the transaction's connection; read it to its end, or drop it first")
}

/// The locked connection of a transaction.
struct Locked<'s, 'c>(MutexGuard<'s, Box<dyn Connection + 'c>>);

impl Connection for Locked<'_, '_> {
    fn dialect(&self) -> &dyn Dialect {
        self.0.dialect()
    }

    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        self.0.run(command, sink)
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        self.0.control(control)
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        self.0.inspect(table)
    }

    fn describe<'a>(&'a mut self, routine: RoutineName<'a>) -> BoxFuture<'a, Result<Vec<Signature>>> {
        self.0.describe(routine)
    }

    fn collect<'a>(&'a mut self, command: Command<'a>, messages: bool) -> BoxFuture<'a, Result<Collected>> {
        self.0.collect(command, messages)
    }
}
