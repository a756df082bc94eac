//! Transactions, nested by savepoints, and run again where the database asks for it.

use std::future::{Future, IntoFuture};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use futures_util::lock::{Mutex, MutexGuard};

use super::execute::Execute;
use super::raw::{Query, Run};
use super::session::Executor;
use super::{Clock, Database, Repository};
use crate::connection::{
    Affected, Begin, BoxFuture, Collected, Command, Connection, Control, Intent, Isolation, RowSink,
};
use crate::dialect::Dialect;
use crate::entity::{Entity, Record, Table};
use crate::error::{Error, Result};
use crate::plan::{Signature, TableFacts};
use crate::query::{Arguments, Call, RoutineName};

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

struct Shared<'c> {
    connection: Mutex<Box<dyn Connection + 'c>>,
    // The smallest depth that was abandoned; 0 for none.
    abandoned: AtomicU32,
    streams: AtomicBool,
    retryable: AtomicBool,
    ended: AtomicBool,
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

/// A transaction, or a savepoint in one. Rolls back when it is dropped.
///
/// A call whose future is dropped before it is done is undone before the transaction's next
/// statement. Where the database cannot tell any more what the call has done, the next statement
/// is refused with `TransactionAborted` instead, and only a rollback is left.
pub struct Tx<'c> {
    held: Arc<dyn Held + 'c>,
    clock: Arc<dyn Clock>,
    depth: u32,
    open: bool,
}

impl<'c> Tx<'c> {
    /// A transaction over a connection on which one has begun. The `join` functions of the
    /// dialect crates call this.
    #[must_use]
    pub fn over(connection: Box<dyn Connection + 'c>, database: &Database) -> Self {
        let shared = Shared {
            connection: Mutex::new(connection),
            abandoned: AtomicU32::new(0),
            streams: AtomicBool::new(false),
            retryable: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        };
        Self { held: Arc::new(shared), clock: Arc::clone(database.clock()), depth: 0, open: true }
    }

    /// The rows of one table, inside this transaction.
    #[must_use]
    pub fn repository<E: Entity>(&self) -> Repository<'_, E> {
        Repository::new(Executor::Tx(self))
    }

    /// Sets a savepoint; what is returned is a transaction inside this one.
    ///
    /// # Errors
    /// The connection's.
    pub async fn begin(&mut self) -> Result<Tx<'_>> {
        let depth = self.depth + 1;
        let held = Arc::clone(&self.held) as Arc<dyn Held + '_>;
        let mut nested = Tx { held, clock: Arc::clone(&self.clock), depth, open: false };
        let mut connection = self.held.lock().await?;
        // Open before the savepoint is known to be set: a future dropped in between undoes it.
        nested.open = true;
        let set = connection.control(Control::Savepoint(depth)).await;
        nested.open = set.is_ok();
        set.map(|()| nested)
    }

    /// Keeps what was done: of the savepoint, or for good.
    ///
    /// # Errors
    /// `TransactionAborted` when an earlier error has made that impossible, or the database's;
    /// everything is undone then.
    pub async fn commit(mut self) -> Result<()> {
        let control = if self.depth == 0 { Control::Commit } else { Control::Release(self.depth) };
        let done = self.held.lock().await?.control(control).await;
        self.end(done.is_err());
        if done.as_ref().is_err_and(Error::is_retryable) {
            self.held.note_retryable();
        }
        done
    }

    /// Undoes what was done, and waits until it is undone.
    ///
    /// # Errors
    /// The connection's.
    pub async fn rollback(mut self) -> Result<()> {
        let control = if self.depth == 0 { Control::Rollback } else { Control::RollbackTo(self.depth) };
        let done = self.held.lock().await?.control(control).await;
        self.end(done.is_err());
        done
    }

    /// A savepoint that could not be ended is undone before the next statement; a transaction is over in any case.
    fn end(&mut self, failed: bool) {
        self.open = failed && self.depth > 0;
        if self.depth == 0 {
            self.held.note_ended();
        }
    }

    /// Runs hand-written SQL; see [`Database::run`].
    pub fn run<'a>(&'a self, sql: &'a str, arguments: impl Arguments<'a>) -> Run<'a> {
        Run::new(Executor::Tx(self), sql, arguments)
    }

    /// Runs hand-written SQL that returns rows; see [`Database::query`].
    pub fn query<'a, R: Record>(&'a self, sql: &'a str, arguments: impl Arguments<'a>) -> Query<'a, R> {
        Query::new(Executor::Tx(self), sql, arguments)
    }

    /// Calls a stored procedure or function; see [`Database::execute`].
    pub fn execute<'a>(&'a self, call: impl Into<Call<'a>>) -> Execute<'a> {
        Execute::new(Executor::Tx(self), call)
    }

    pub(super) fn held(&self) -> &(dyn Held + 'c) {
        &*self.held
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }
}

impl Drop for Tx<'_> {
    // The outermost handle needs nothing here: its connection rolls back when it is dropped.
    fn drop(&mut self) {
        if self.open && self.depth > 0 {
            self.held.abandon(self.depth);
        }
    }
}

/// Begins a transaction when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct BeginTransaction<'a> {
    database: &'a Database,
    begin: Begin,
}

impl<'a> BeginTransaction<'a> {
    pub(super) fn new(database: &'a Database) -> Self {
        Self { database, begin: Begin::default() }
    }

    /// At this isolation level.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.begin.isolation = Some(isolation);
        self
    }

    /// Refusing writes.
    pub fn read_only(mut self) -> Self {
        self.begin.read_only = true;
        self
    }

    async fn open(self) -> Result<Tx<'static>> {
        let intent = if self.begin.read_only { Intent::Read } else { Intent::Write };
        let mut connection = self.database.pool().acquire(intent).await?;
        connection.control(Control::Begin(self.begin)).await?;
        Ok(Tx::over(connection, self.database))
    }
}

impl<'a> IntoFuture for BeginTransaction<'a> {
    type Output = Result<Tx<'static>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.open())
    }
}

/// How often a transaction is run again, and how long to wait before.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    times: u32,
    first: Duration,
    longest: Duration,
}

impl Retry {
    /// At most `times` more, after a serialization failure or a deadlock. The wait grows from
    /// 10 ms to 1 s, each time a random part of it.
    #[must_use]
    pub const fn serialization(times: u32) -> Self {
        Self { times, first: Duration::from_millis(10), longest: Duration::from_secs(1) }
    }

    /// The longest wait before the first repetition, doubled for each further one up to `longest`.
    #[must_use]
    pub const fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first = first;
        self.longest = longest;
        self
    }

    /// A random part of the longest wait before repetition `attempt`, counted from 0.
    fn wait(&self, attempt: u32) -> Duration {
        let most = self.first.saturating_mul(1_u32.checked_shl(attempt).unwrap_or(u32::MAX)).min(self.longest);
        most.mul_f64(fastrand::f64())
    }
}

/// Runs a closure in a transaction when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Transaction<'a, F> {
    database: &'a Database,
    begin: Begin,
    retry: Retry,
    body: F,
}

impl<'a, F> Transaction<'a, F> {
    pub(super) fn new(database: &'a Database, body: F) -> Self {
        Self { database, begin: Begin::default(), retry: Retry::serialization(0), body }
    }

    /// At this isolation level.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.begin.isolation = Some(isolation);
        self
    }

    /// Refusing writes.
    pub fn read_only(mut self) -> Self {
        self.begin.read_only = true;
        self
    }

    /// Runs the closure again after a serialization failure or a deadlock. It has to be able
    /// to run more than once: what it does outside the database is done again too.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }
}

impl<'a, F, Fut, T, X> IntoFuture for Transaction<'a, F>
where
    F: FnMut(Tx<'static>) -> Fut + Send + 'a,
    Fut: Future<Output = Result<T, X>> + Send + 'a,
    T: Send + 'a,
    X: From<Error> + Send + 'a,
{
    type Output = Result<T, X>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move {
            let mut attempt = 0;
            loop {
                let tx = BeginTransaction { database: self.database, begin: self.begin }.open().await?;
                let held = Arc::clone(&tx.held);
                let done = finish((self.body)(tx).await, &*held).await;
                if done.is_ok() || attempt >= self.retry.times || !held.saw_retryable() {
                    return done;
                }
                drop(held);
                futures_timer::Delay::new(self.retry.wait(attempt)).await;
                attempt += 1;
            }
        })
    }
}

/// Commits after `Ok`, rolls back after `Err`, unless the body has ended the transaction itself.
async fn finish<T, X: From<Error>>(outcome: Result<T, X>, held: &dyn Held) -> Result<T, X> {
    if held.has_ended() {
        return outcome;
    }
    let mut connection = held.lock().await?;
    match outcome {
        Ok(value) => match connection.control(Control::Commit).await {
            Ok(()) => Ok(value),
            Err(error) => {
                if error.is_retryable() {
                    held.note_retryable();
                }
                Err(error.into())
            }
        },
        Err(error) => {
            // The body's error is the one to report; a connection that cannot roll back is closed.
            let _ = connection.control(Control::Rollback).await;
            Err(error)
        }
    }
}
