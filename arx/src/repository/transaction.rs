//! Transactions, nested by savepoints, and run again where the database asks for it.

use std::future::{Future, IntoFuture};
use std::sync::Arc;
use std::time::Duration;

use super::execute::Execute;
use super::held::{Held, Shared};
use super::raw::{Query, Run};
use super::session::Executor;
use super::{Clock, Database, Repository};
use crate::connection::{Begin, BoxFuture, Connection, Control, Intent, Isolation};
use crate::entity::{Entity, Record};
use crate::error::{Error, Result};
use crate::query::{Arguments, Call};

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
        Self { held: Arc::new(Shared::new(connection)), clock: Arc::clone(database.clock()), depth: 0, open: true }
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
