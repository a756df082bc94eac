//! A connection of a pool: what arx runs on. Next is the pool that it comes from.

use std::sync::Arc;

use arx::connection::{Affected, BoxFuture, Collected, Command, Connection as _, Control, RowSink};
use arx::dialect::Dialect;
use arx::entity::Table;
use arx::error::{Error, ErrorKind, Result};
use arx::plan::{Signature, TableFacts};
use arx::query::RoutineName;
use sqlx::pool::PoolConnection;
use tokio::runtime::Handle;

use crate::dialect::Mysql;
use crate::probe;
use crate::session::{Phase, Session, Step};
use crate::settings::Settings;

/// A connection that goes back to its pool when it is dropped.
///
/// With a transaction open it is rolled back first; with answers outstanding, because a future
/// was dropped half way, it is closed and nothing more is sent.
pub(crate) struct Connection {
    link: Option<PoolConnection<sqlx::MySql>>,
    session: Session,
    /// It is in a task that rolls it back.
    ending: bool,
}

impl Connection {
    pub(crate) fn new(link: PoolConnection<sqlx::MySql>, dialect: Arc<Mysql>) -> Self {
        Self { link: Some(link), session: Session::new(dialect, Phase::Idle), ending: false }
    }

    /// Looks at the session, which may be the application's, and asks the server what it can do where nobody has.
    ///
    /// # Errors
    /// `Configuration` for a session that cannot be made as arx needs it, and the connection's.
    pub(crate) async fn ready(&mut self, is_own: bool) -> Result<()> {
        let (link, session) = self.parts()?;
        // Dropped in here, the connection is not given back.
        session.step = Step::Adrift;
        let dialect = Arc::clone(&session.dialect);
        let settings = Settings::read(link).await?;
        if !is_own {
            settings.fix(link).await?;
        }
        if !dialect.is_probed() {
            dialect.learn(probe::probe(link).await?);
        }
        dialect.check_increment(settings.increment())?;
        session.step = Step::Ready;
        Ok(())
    }

    fn parts(&mut self) -> Result<(&mut sqlx::MySqlConnection, &mut Session)> {
        match &mut self.link {
            Some(link) => Ok((link, &mut self.session)),
            None => Err(Error::new(ErrorKind::ConnectionLost, "the connection was given back")),
        }
    }
}

impl arx::connection::Connection for Connection {
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
            let (link, session) = self.parts()?;
            session.control(link, control).await
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

impl Drop for Connection {
    fn drop(&mut self) {
        let Some(link) = self.link.take() else { return };
        match (Handle::try_current(), self.session.step, self.session.phase) {
            // sqlx's own drop gives it back, in a task.
            (Ok(_), Step::Ready, Phase::Idle) => drop(link),
            // A runtime that shuts down drops the task at once: that must not spawn another.
            (Ok(runtime), Step::Ready, phase) if !self.ending => {
                let session = Session::new(Arc::clone(&self.session.dialect), phase);
                drop(runtime.spawn(roll_back(Self { link: Some(link), session, ending: true })));
            }
            // Without a runtime there is nobody to send anything, and sqlx's drop would panic. The
            // server rolls back when it sees the connection closed.
            _ => drop(link.detach()),
        }
    }
}

async fn roll_back(mut connection: Connection) {
    // Where it fails the transaction is still open, and the connection is closed.
    let _ = connection.control(Control::Rollback).await;
}
