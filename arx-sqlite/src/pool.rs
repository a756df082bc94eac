//! The pool: one connection that writes, and some that read.
//!
//! SQLite has one writer at a time. That all writers of a pool wait for one connection,
//! in the order in which they came, is what keeps them from SQLITE_BUSY.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arx::connection::{BoxFuture, Intent};
use arx::dialect::Dialect;
use arx::error::{Error, ErrorKind, Result};
use futures_util::future::{Either, select};

use crate::connection::Connection;
use crate::dialect::Sqlite;
use crate::lane::Lane;
use crate::link::{Call, Link, Outcome, Request};
use crate::open::Role;
use crate::options::Options;
use crate::worker;

/// The connections to one database. Cheap to clone.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

/// What the pool and its connections have in common.
pub(crate) struct Shared {
    options: Arc<Options>,
    pub(crate) dialect: Arc<Sqlite>,
    writer: Lane,
    /// None for a database that belongs to one connection.
    readers: Option<Lane>,
    is_closed: AtomicBool,
}

impl Options {
    /// Opens the database.
    ///
    /// # Errors
    /// `Configuration` when the file cannot be opened; others from SQLite.
    pub async fn open(self) -> Result<Pool> {
        let options = Arc::new(self);
        let writer = worker::start(Arc::clone(&options), Role::Writer)?;
        let Outcome::Opened(limits) = Call::opening(&writer).end().await.result? else {
            return Err(crate::link::gone());
        };
        let readers = (!options.is_transient()).then(|| Lane::new(options.readers));
        let shared = Shared {
            dialect: Arc::new(Sqlite::new(*limits)),
            writer: Lane::new(0),
            readers,
            options,
            is_closed: AtomicBool::new(false),
        };
        shared.writer.release(Some(writer));
        Ok(Pool { shared: Arc::new(shared) })
    }
}

impl Shared {
    fn lane(&self, role: Role) -> &Lane {
        match (role, &self.readers) {
            (Role::Reader, Some(readers)) => readers,
            _ => &self.writer,
        }
    }

    /// Takes back a connection, or the right to one that is lost.
    pub(crate) fn release(&self, role: Role, link: Option<Arc<Link>>) {
        self.lane(role).release(link);
    }

    fn close(&self) -> Vec<Arc<Link>> {
        self.is_closed.store(true, Ordering::Release);
        let readers = self.readers.as_ref().map(Lane::close).unwrap_or_default();
        self.writer.close().into_iter().chain(readers).collect()
    }

    async fn wait(&self, lane: &Lane) -> Result<()> {
        if lane.try_acquire() {
            return Ok(());
        }
        match select(lane.acquire(), futures_timer::Delay::new(self.options.acquire_timeout)).await {
            Either::Left(_) => Ok(()),
            Either::Right(_) => {
                Err(Error::new(ErrorKind::Timeout, "no connection became free in time; are transactions left open?"))
            }
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.close().iter().for_each(|link| link.tell(Request::Close));
    }
}

impl arx::connection::Pool for Pool {
    fn acquire(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn arx::connection::Connection>>> {
        Box::pin(async move {
            let shared = &self.shared;
            let role = if intent == Intent::Read && shared.readers.is_some() { Role::Reader } else { Role::Writer };
            shared.wait(shared.lane(role)).await?;
            // From here on the connection gives back what was acquired, however this ends.
            let mut connection = Connection::new(Arc::clone(shared), role, shared.lane(role).take());
            if shared.is_closed.load(Ordering::Acquire) {
                return Err(Error::new(ErrorKind::ConnectionLost, "the pool is closed"));
            }
            connection.open(&shared.options).await?;
            Ok(Box::new(connection) as Box<dyn arx::connection::Connection>)
        })
    }

    fn dialect(&self) -> Arc<dyn Dialect> {
        Arc::clone(&self.shared.dialect) as Arc<dyn Dialect>
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            for link in self.shared.close() {
                Call::new(&link, Request::Close).end().await;
            }
        })
    }
}

impl From<Pool> for arx::Database {
    fn from(pool: Pool) -> Self {
        Self::new(Arc::new(pool))
    }
}
