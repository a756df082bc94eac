//! A transaction that the application began with sqlx, used by arx.
//!
//! Kept apart from `connection` because it is borrowed: what arx did must be undone without a
//! chance to wait, and what the application did before must not.

use std::any::Any;
use std::future::poll_fn;
use std::mem::ManuallyDrop;
use std::sync::Arc;

use arx::Database;
use arx::connection::Control;
use arx::dialect::Dialect;
use arx::error::{Error, ErrorKind, Result};
use sqlx::{Connection as _, Transaction};

use crate::connection::over_session;
use crate::server::{Link, Server};
use crate::session::{Phase, Session, Step};

/// A connection inside a transaction of sqlx's, behind a savepoint of its own.
///
/// Committing it keeps what was done, for the application's transaction to commit; dropping it
/// queues the rollback to the savepoint, which sqlx sends before whatever comes next.
pub struct Joined<'c, S: Server> {
    nested: Option<Transaction<'c, S::Database>>,
    session: Session<S>,
}

impl<'c, S: Server> Joined<'c, S> {
    /// Sets the savepoint, in a session that is as arx needs it.
    ///
    /// # Errors
    /// `Configuration` for a session that arx cannot work in, `TransactionAborted` when the transaction has failed
    /// already, or the server's.
    pub async fn begin(link: &'c mut Link<S>, dialect: Arc<S::Dialect>) -> Result<Self> {
        let dialect = S::look(dialect, link).await?;
        // sqlx 0.9.0: a `begin` that is dropped half way rolls back the level above it, here all that the
        // application did, and its commit then returns Ok. Forgotten instead, it leaves a savepoint too many.
        let mut begin = ManuallyDrop::new(Box::pin(link.begin()));
        let nested = poll_fn(|cx| begin.as_mut().poll(cx)).await;
        drop(ManuallyDrop::into_inner(begin));
        let nested = nested.map_err(|error| S::convert(None, error))?;
        Ok(Self { nested: Some(nested), session: Session::new(dialect, Phase::Open) })
    }

    fn parts(&mut self) -> Result<(&mut Link<S>, &mut Session<S>)> {
        match &mut self.nested {
            Some(nested) => Ok((nested, &mut self.session)),
            None => Err(ended()),
        }
    }

    async fn control_word(&mut self, control: Control) -> Result<()> {
        if matches!(control, Control::Commit | Control::Rollback) {
            return self.end(control).await;
        }
        let (link, session) = self.parts()?;
        session.control(link, control).await
    }

    async fn end(&mut self, control: Control) -> Result<()> {
        let (link, session) = self.parts()?;
        session.catch_up(link).await?;
        let is_whole = session.phase() == Phase::Open && session.step == Step::Ready;
        let is_kept = control == Control::Commit && is_whole;
        let nested = self.nested.take().ok_or_else(ended)?;
        let outcome = if is_kept { nested.commit().await } else { nested.rollback().await };
        match outcome {
            Ok(()) if !is_kept && control == Control::Commit => Err(Error::new(
                ErrorKind::TransactionAborted,
                "an earlier error has aborted the transaction; what was done since it was joined is undone",
            )),
            outcome => outcome.map_err(|error| S::convert(None, error)),
        }
    }
}

fn ended() -> Error {
    Error::invalid_input("the joined transaction was committed or rolled back already")
}

over_session!(['c, S: Server] Joined<'c, S>);

/// The dialect of a database, as what it is.
///
/// # Errors
/// `InvalidInput` for a database of another kind.
pub fn own_dialect<D: Dialect>(database: &Database) -> Result<Arc<D>> {
    let dialect: Arc<dyn Any + Send + Sync> = database.pool().dialect();
    dialect.downcast().map_err(|_| Error::invalid_input("the database and the transaction are of two kinds"))
}
