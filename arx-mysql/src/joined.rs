//! A transaction that the application began with sqlx, used by arx.
//!
//! Kept apart from `connection` because it is borrowed: what arx did must be undone without a
//! chance to wait, and what the application did before must not.

use std::future::poll_fn;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use arx::connection::{Affected, BoxFuture, Collected, Command, Control, RowSink};
use arx::dialect::Dialect;
use arx::entity::Table;
use arx::error::{Error, ErrorKind, Result};
use arx::plan::{Signature, TableFacts};
use arx::query::RoutineName;
use sqlx::{Connection as _, MySql, MySqlConnection, Transaction};

use crate::dialect::Mysql;
use crate::session::{Phase, Session, Step};
use crate::settings::Settings;
use crate::{error, probe};

/// A connection inside a transaction of sqlx's, behind a savepoint of its own.
///
/// Committing it keeps what was done, for the application's transaction to commit; dropping it
/// queues the rollback to the savepoint, which sqlx sends before whatever comes next.
pub(crate) struct Joined<'c> {
    nested: Option<Transaction<'c, MySql>>,
    session: Session,
}

impl<'c> Joined<'c> {
    /// Sets the savepoint, in a session that is as arx needs it.
    pub(crate) async fn begin(link: &'c mut MySqlConnection, dialect: Arc<Mysql>) -> Result<Self> {
        let settings = Settings::read(link).await?;
        settings.check()?;
        let dialect = if dialect.is_probed() { dialect } else { Arc::new(Mysql::with(probe::ask(link).await?)) };
        dialect.check_increment(settings.increment())?;
        // sqlx 0.9.0: a `begin` that is dropped half way rolls back the level above it, here all that the
        // application did, and its commit then returns Ok. Forgotten instead, it leaves a savepoint too many.
        let mut begin = ManuallyDrop::new(Box::pin(link.begin()));
        let nested = poll_fn(|cx| begin.as_mut().poll(cx)).await;
        drop(ManuallyDrop::into_inner(begin));
        let nested = nested.map_err(error::convert)?;
        Ok(Self { nested: Some(nested), session: Session::new(dialect, Phase::Open) })
    }

    fn parts(&mut self) -> Result<(&mut MySqlConnection, &mut Session)> {
        match &mut self.nested {
            Some(nested) => Ok((nested, &mut self.session)),
            None => Err(ended()),
        }
    }

    async fn end(&mut self, control: Control) -> Result<()> {
        let (link, session) = self.parts()?;
        session.catch_up(link).await?;
        let is_kept = control == Control::Commit && session.phase == Phase::Open && session.step == Step::Ready;
        let nested = self.nested.take().ok_or_else(ended)?;
        let outcome = if is_kept { nested.commit().await } else { nested.rollback().await };
        match outcome {
            Ok(()) if !is_kept && control == Control::Commit => Err(Error::new(
                ErrorKind::TransactionAborted,
                "an earlier error has aborted the transaction; what was done since it was joined is undone",
            )),
            outcome => outcome.map_err(error::convert),
        }
    }
}

fn ended() -> Error {
    Error::invalid_input("the joined transaction was committed or rolled back already")
}

impl arx::connection::Connection for Joined<'_> {
    fn dialect(&self) -> &dyn Dialect {
        &*self.session.dialect
    }

    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        Box::pin(async move {
            let (link, session) = self.parts()?;
            session.run(link, command, sink).await
        })
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move {
            match control {
                Control::Commit | Control::Rollback => self.end(control).await,
                control => {
                    let (link, session) = self.parts()?;
                    session.control(link, control).await
                }
            }
        })
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        Box::pin(async move {
            let (link, session) = self.parts()?;
            session.inspect(link, table).await
        })
    }

    fn describe<'a>(&'a mut self, routine: RoutineName<'a>) -> BoxFuture<'a, Result<Vec<Signature>>> {
        Box::pin(async move {
            let (link, session) = self.parts()?;
            session.describe(link, routine).await
        })
    }

    fn collect<'a>(&'a mut self, command: Command<'a>, messages: bool) -> BoxFuture<'a, Result<Collected>> {
        Box::pin(async move {
            let (link, session) = self.parts()?;
            session.collect(link, command, messages).await
        })
    }
}
