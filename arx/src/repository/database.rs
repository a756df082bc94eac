//! A database: a pool, and what every call needs besides.

use std::fmt;
use std::sync::Arc;

use super::execute::Execute;
use super::raw::{Query, Run};
use super::session::Executor;
use super::transaction::{BeginTransaction, Transaction, Tx};
use super::{Clock, Repository, SystemClock};
use crate::connection::Pool;
use crate::entity::{Entity, Record};
use crate::query::{Arguments, Call};

/// A database. Cheap to clone; the dialect was chosen by the constructor that made it.
#[derive(Clone)]
pub struct Database {
    pool: Arc<dyn Pool>,
    clock: Arc<dyn Clock>,
}

impl Database {
    /// A database over a pool; the constructors of the dialect crates call this.
    #[must_use]
    pub fn new(pool: Arc<dyn Pool>) -> Self {
        Self { pool, clock: Arc::new(SystemClock) }
    }

    /// Takes `created_at` and `updated_at` from this clock: a type, or a function that
    /// returns microseconds since 1970-01-01 UTC.
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// The rows of one table.
    #[must_use]
    pub fn repository<E: Entity>(&self) -> Repository<'_, E> {
        Repository::new(Executor::Pool(self))
    }

    /// Begins a transaction that rolls back when it is dropped.
    pub fn begin(&self) -> BeginTransaction<'_> {
        BeginTransaction::new(self)
    }

    /// Runs `body` in a transaction: commits when it returns `Ok`, rolls back otherwise.
    pub fn transaction<F, Fut>(&self, body: F) -> Transaction<'_, F>
    where
        F: FnMut(Tx<'static>) -> Fut,
    {
        Transaction::new(self, body)
    }

    /// Runs hand-written SQL with a placeholder for each of the arguments; yields the number
    /// of rows affected. `()` stands for no arguments.
    ///
    /// Several statements may be one text where they have no arguments. On PostgreSQL they are one transaction, on the
    /// others each is one by itself. What the text leaves in the session (an open transaction, `SET`) the next user of
    /// the connection meets: do such things in a [`Tx`].
    ///
    /// # Errors
    /// The database's; `Unsupported` for a text of several statements that returns rows and, in a transaction on MySQL
    /// and MariaDB, for one that would end the transaction.
    pub fn run<'a>(&'a self, sql: &'a str, arguments: impl Arguments<'a>) -> Run<'a> {
        Run::new(Executor::Pool(self), sql, arguments)
    }

    /// Runs hand-written SQL that returns rows, read by position.
    pub fn query<'a, R: Record>(&'a self, sql: &'a str, arguments: impl Arguments<'a>) -> Query<'a, R> {
        Query::new(Executor::Pool(self), sql, arguments)
    }

    /// Calls a stored procedure or function, in one round trip; yields its result sets, the parameters that come back,
    /// and its messages. Which overload it is and which argument is which parameter is looked up in the catalogue
    /// once for each routine.
    ///
    /// ```no_run
    /// # use arx::prelude::*;
    /// # async fn run(db: Database) -> arx::Result<()> {
    /// let placed = db.execute(Procedure::new("place_order").input("customer", 5_i64).output::<i64>("order_id")).await?;
    /// let order_id = placed.output::<i64>("order_id")?;
    /// let total = db.execute(Function::new("order_total").argument(order_id)).await?.scalar::<f64>()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn execute<'a>(&'a self, call: impl Into<Call<'a>>) -> Execute<'a> {
        Execute::new(Executor::Pool(self), call)
    }

    /// The pool behind the database.
    #[must_use]
    pub fn pool(&self) -> &Arc<dyn Pool> {
        &self.pool
    }

    /// Forgets the statements and what was read from the catalogue: after a migration, and when a routine was replaced
    /// by one whose parameters have another order.
    pub fn forget_tables(&self) {
        self.pool.dialect().cache().forget();
    }

    /// Closes every connection.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    pub(super) fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Database")
    }
}
