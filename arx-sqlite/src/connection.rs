//! The connection: the async side of one worker.

use std::sync::Arc;

use arx::connection::{Affected, BoxFuture, Command, Control, RowSink};
use arx::dialect::Dialect;
use arx::entity::Table;
use arx::error::{Error, Result};
use arx::plan::TableFacts;

use crate::decode::deliver;
use crate::encode::Feed;
use crate::link::{Call, End, Event, Link, Outcome, Request, gone};
use crate::open::Role;
use crate::options::Options;
use crate::pool::Shared;
use crate::worker;

/// A connection that somebody uses. Dropping it gives it back.
pub(crate) struct Connection {
    shared: Arc<Shared>,
    role: Role,
    link: Option<Arc<Link>>,
    /// The worker has told that nothing is left open since the last request.
    is_clean: bool,
}

impl Connection {
    pub(crate) fn new(shared: Arc<Shared>, role: Role, link: Option<Arc<Link>>) -> Self {
        Self { shared, role, link, is_clean: true }
    }

    /// Starts a worker, unless there is one.
    pub(crate) async fn open(&mut self, options: &Arc<Options>) -> Result<()> {
        if self.link.is_some() {
            return Ok(());
        }
        let link = self.link.insert(worker::start(Arc::clone(options), self.role)?);
        Call::opening(link).end().await.result.map(drop)
    }

    fn link(&self) -> Result<&Link> {
        self.link.as_deref().ok_or_else(gone)
    }

    async fn request(&mut self, request: Request) -> Result<Outcome> {
        self.is_clean = false;
        let end = Call::new(self.link()?, request).end().await;
        self.is_clean = end.clean;
        end.result
    }

    async fn execute(&mut self, command: Command<'_>, sink: &mut dyn RowSink) -> Result<u64> {
        let link = self.link.as_deref().ok_or_else(gone)?;
        let Some((mut feed, run)) = Feed::start(command, [link.buffer(), link.buffer()])? else {
            return Ok(0);
        };
        self.is_clean = false;
        let call = Call::new(link, Request::Run(Box::new(run)));
        let end = exchange(call, link, &mut feed, sink).await;
        self.is_clean = end.clean;
        match end.result? {
            Outcome::Rows(rows) => Ok(rows),
            _ => Err(gone()),
        }
    }
}

/// Sends rows while there is room, takes what comes back, and waits for the end. The first
/// error of this side stops the worker.
async fn exchange(mut call: Call<'_>, link: &Link, feed: &mut Feed<'_>, sink: &mut dyn RowSink) -> End {
    let mut failure: Option<Error> = None;
    loop {
        let failed = match call.event(failure.is_none() && !feed.is_done()).await {
            Event::Room => feed.chunk(link.buffer()).map(|(rows, last)| call.rows(rows, last)),
            Event::Reply(reply) => {
                let delivered = match &reply.batch {
                    Some(batch) if failure.is_none() => deliver(batch, sink).await,
                    _ => Ok(()),
                };
                link.give_back(reply.batch.map(|batch| batch.bytes).unwrap_or_default());
                if let Some(end) = reply.end {
                    return match failure.or(delivered.err()) {
                        Some(error) => End { result: Err(error), ..end },
                        None => end,
                    };
                }
                delivered
            }
            Event::Gone => return End { result: Err(gone()), clean: false },
        };
        if let Err(error) = failed {
            failure.get_or_insert(error);
            call.stop();
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let link = self.link.take().filter(|link| !link.is_gone());
        if let Some(link) = link.as_ref().filter(|_| !self.is_clean) {
            // Requests are served in order: the next user's come after this one.
            link.reset();
        }
        self.shared.release(self.role, link);
    }
}

impl arx::connection::Connection for Connection {
    fn dialect(&self) -> &dyn Dialect {
        &*self.shared.dialect
    }

    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        Box::pin(async move {
            let done = self.execute(command, sink).await;
            done.map(Affected::rows).map_err(|error| error.with_operation(command.statement.operation.clone()))
        })
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move { self.request(Request::Control(control)).await.map(drop) })
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        Box::pin(async move {
            match self.request(Request::Inspect(table)).await? {
                Outcome::Facts(facts) => Ok(facts),
                _ => Err(gone()),
            }
        })
    }
}
