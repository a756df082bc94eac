//! A connection of a pool: what arx runs on. Next is the pool that it comes from.

use std::sync::Arc;
use std::time::Instant;

use arx::connection::{Connection as _, Control};
use arx::error::{Error, ErrorKind, Result};
use sqlx::pool::PoolConnection;
use tokio::runtime::Handle;

use crate::kept::Kept;
use crate::server::{Link, Server};
use crate::session::{Phase, Session, Step};

/// A connection that goes back to its pool when it is dropped.
///
/// With a transaction open it is rolled back first; with answers outstanding, because a future
/// was dropped half way, it is closed and nothing more is sent.
pub struct Pooled<S: Server> {
    link: Option<PoolConnection<S::Database>>,
    session: Session<S>,
    /// It is in a task that rolls it back.
    ending: bool,
    /// Where it may be kept for the next call, and since when it is out of the pool.
    kept: Option<(Arc<Kept<S::Database>>, Instant)>,
}

impl<S: Server> Pooled<S> {
    pub(crate) fn new(link: PoolConnection<S::Database>, dialect: Arc<S::Dialect>) -> Self {
        Self { link: Some(link), session: Session::new(dialect, Phase::Idle), ending: false, kept: None }
    }

    /// It may be kept for the next call; it is out of the pool since `out`.
    pub(crate) fn keep(mut self, kept: &Arc<Kept<S::Database>>, out: Instant) -> Self {
        self.kept = Some((Arc::clone(kept), out));
        self
    }

    /// Makes sure that its session is as arx needs it.
    pub(crate) async fn ready(&mut self, is_own: bool) -> Result<()> {
        let (link, session) = self.parts()?;
        // Dropped in here, the connection is not given back.
        session.step = Step::Adrift;
        S::ready(&session.dialect, link, is_own).await?;
        session.step = Step::Ready;
        Ok(())
    }

    fn parts(&mut self) -> Result<(&mut Link<S>, &mut Session<S>)> {
        match &mut self.link {
            Some(link) => Ok((link, &mut self.session)),
            None => Err(Error::new(ErrorKind::ConnectionLost, "the connection was given back")),
        }
    }

    async fn control_word(&mut self, control: Control) -> Result<()> {
        let (link, session) = self.parts()?;
        session.control(link, control).await
    }
}

impl<S: Server> Drop for Pooled<S> {
    fn drop(&mut self) {
        let Some(link) = self.link.take() else { return };
        match (Handle::try_current(), self.session.step, self.session.phase()) {
            // sqlx's own drop gives it back, in a task.
            (Ok(_), Step::Ready, Phase::Idle) => match self.kept.take() {
                Some((kept, out)) => kept.put(link, out),
                None => drop(link),
            },
            // A runtime that shuts down drops the task at once: that must not spawn another.
            (Ok(runtime), Step::Ready, phase) if !self.ending => {
                let session = Session::new(Arc::clone(&self.session.dialect), phase);
                drop(runtime.spawn(roll_back(Self { link: Some(link), session, ending: true, kept: None })));
            }
            // Without a runtime there is nobody to send anything, and sqlx's drop would panic. The
            // server rolls back when it sees the connection closed.
            _ => drop(link.detach()),
        }
    }
}

async fn roll_back<S: Server>(mut connection: Pooled<S>) {
    // Where it fails the transaction is still open, and the connection is closed.
    let _ = connection.control(Control::Rollback).await;
}

/// What a pooled and a joined connection do alike: pass each call on to the session, with the link it is over.
macro_rules! over_session {
    ([$($generics:tt)*] $connection:ty) => {
        impl<$($generics)*> arx::connection::Connection for $connection {
            fn dialect(&self) -> &dyn arx::dialect::Dialect {
                &*self.session.dialect
            }

            fn run<'a>(
                &'a mut self,
                command: arx::connection::Command<'a>,
                sink: &'a mut dyn arx::connection::RowSink,
            ) -> arx::connection::BoxFuture<'a, arx::Result<arx::connection::Affected>> {
                Box::pin(async move {
                    let (link, session) = self.parts()?;
                    session.run(link, command, sink).await
                })
            }

            fn control(&mut self, control: arx::connection::Control) -> arx::connection::BoxFuture<'_, arx::Result<()>> {
                Box::pin(self.control_word(control))
            }

            fn inspect(
                &mut self,
                table: &'static arx::entity::Table,
            ) -> arx::connection::BoxFuture<'_, arx::Result<arx::plan::TableFacts>> {
                Box::pin(async move {
                    let (link, session) = self.parts()?;
                    session.inspect(link, table).await
                })
            }

            fn describe<'a>(
                &'a mut self,
                routine: arx::query::RoutineName<'a>,
            ) -> arx::connection::BoxFuture<'a, arx::Result<Vec<arx::plan::Signature>>> {
                Box::pin(async move {
                    let (link, session) = self.parts()?;
                    session.describe(link, routine).await
                })
            }

            fn collect<'a>(
                &'a mut self,
                command: arx::connection::Command<'a>,
                messages: bool,
            ) -> arx::connection::BoxFuture<'a, arx::Result<arx::connection::Collected>> {
                Box::pin(async move {
                    let (link, session) = self.parts()?;
                    session.collect(link, command, messages).await
                })
            }
        }
    };
}
pub(crate) use over_session;

over_session!([S: Server] Pooled<S>);
