//! The worker: a thread that owns one connection of the driver and serves one link.

use std::sync::Arc;
use std::thread;

use arx::connection::{Begin, Control};
use arx::error::{Error, ErrorKind, Result};
use rusqlite::Connection;

use crate::error;
use crate::execute::{execute, word};
use crate::inspect::inspect;
use crate::link::{End, Inbox, Link, Outcome, Packed, Request};
use crate::open::{self, Role};
use crate::options::Options;
use crate::source::Run;

/// Starts a worker; opening the database is its first request.
pub(crate) fn start(options: Arc<Options>, role: Role) -> Result<Arc<Link>> {
    let link = Link::opening(options.spin);
    let inbox = Inbox(Arc::clone(&link));
    let thread = thread::Builder::new().name("arx-sqlite".to_owned());
    let started = thread.spawn(move || work(&inbox, &options, role));
    started.map_err(|error| {
        Error::new(ErrorKind::ConnectionLost, "no thread could be started for the connection").with_source(error)
    })?;
    Ok(link)
}

fn work(inbox: &Inbox, options: &Options, role: Role) {
    let opened = open::open(options, role, inbox).and_then(|connection| Ok((open::limits(&connection)?, connection)));
    match opened {
        Ok((limits, connection)) => {
            inbox.set_interrupt(connection.get_interrupt_handle());
            inbox.end(1, None, End { result: Ok(Outcome::Opened(Box::new(limits))), clean: true });
            Session {
                connection,
                inbox,
                role,
                transaction: Transaction::None,
                depth: 0,
                is_read_only: false,
                has_begun: false,
                released: None,
            }
            .serve();
        }
        Err(error) => {
            inbox.end(1, None, End { result: Err(error), clean: false });
        }
    }
}

/// Where the connection stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transaction {
    None,
    Open,
    /// SQLite rolled it back when a write failed, and its owner has not ended it yet.
    Lost,
}

struct Session<'a> {
    connection: Connection,
    inbox: &'a Inbox,
    role: Role,
    transaction: Transaction,
    /// How many savepoints are set.
    depth: u32,
    /// The open transaction refuses writes.
    is_read_only: bool,
    /// The last request began a transaction.
    has_begun: bool,
    /// The last request released this savepoint; it is done when the next one shows that it was heard.
    released: Option<u32>,
}

impl Session<'_> {
    fn serve(mut self) {
        loop {
            let (id, request) = self.inbox.receive();
            if matches!(request, Request::Unheard) {
                self.unheard();
                continue;
            }
            self.has_begun = false;
            self.finish_release();
            match request {
                Request::Run(run) => self.run(id, *run),
                Request::Control(control) => self.serve_control(id, control),
                Request::Inspect(table) => {
                    self.inbox.allow_interrupt();
                    let facts = inspect(&self.connection, table).map(Outcome::Facts);
                    self.end(id, facts.map_err(|error| error::of(error, Some(table))), None);
                }
                Request::Reset => drop(self.reset()),
                Request::Close => return,
                // Rows of a statement that has failed; the other has been served above.
                Request::Rows(..) | Request::Unheard => {}
            }
        }
    }

    fn run(&mut self, id: u64, run: Run) {
        if self.transaction == Transaction::Lost {
            return self.end(id, Err(aborted()), None);
        }
        if self.transaction == Transaction::None {
            self.inbox.allow_interrupt();
        }
        let (rows, batch) = execute(&self.connection, self.inbox, id, run);
        if self.transaction == Transaction::Open && self.connection.is_autocommit() {
            self.transaction = Transaction::Lost;
        }
        self.end(id, rows.map(Outcome::Rows), batch);
    }

    fn serve_control(&mut self, id: u64, control: Control) {
        let result = self.control(control).map(|()| Outcome::Done);
        self.has_begun = matches!(control, Control::Begin(_)) && result.is_ok();
        self.end(id, result, None);
    }

    fn control(&mut self, control: Control) -> Result<()> {
        match (control, self.transaction) {
            (Control::Begin(begin), Transaction::None) => self.begin(begin),
            (Control::Begin(_), _) => Err(Error::invalid_input("a transaction is open already; nest by a savepoint")),
            (Control::Rollback, _) => self.reset(),
            (_, Transaction::None) => Err(Error::invalid_input("no transaction is open")),
            (Control::Commit, Transaction::Lost) => self.reset().and(Err(aborted())),
            (_, Transaction::Lost) => Err(aborted()),
            (Control::Commit, Transaction::Open) => self.commit(),
            (Control::Savepoint(depth), _) => self.savepoint(depth),
            (Control::Release(depth), _) if depth > self.depth => {
                Err(Error::invalid_input("there is no such savepoint"))
            }
            (Control::Release(depth), _) => {
                self.released = Some(depth);
                Ok(())
            }
            (Control::RollbackTo(depth), _) => self.rollback_to(depth),
            _ => Err(Error::unsupported("SQLite has no such word for a transaction")),
        }
    }

    // A deferred transaction that reads and then writes fails at once when another has written
    // since, whatever the busy timeout: so a writer takes the lock as it begins.
    fn begin(&mut self, begin: Begin) -> Result<()> {
        let is_reader = self.role == Role::Reader;
        if begin.read_only && !is_reader {
            self.query_only(true)?;
            self.is_read_only = true;
        }
        let begun = self.word(if begin.read_only || is_reader { "BEGIN" } else { "BEGIN IMMEDIATE" });
        match begun {
            Ok(()) => self.transaction = Transaction::Open,
            Err(_) => self.reset()?,
        }
        begun
    }

    fn commit(&mut self) -> Result<()> {
        let committed = self.word("COMMIT");
        self.reset().and(committed)
    }

    fn savepoint(&mut self, depth: u32) -> Result<()> {
        self.word(&format!("SAVEPOINT arx_{depth}"))?;
        self.depth = depth;
        Ok(())
    }

    fn release(&mut self, depth: u32) -> Result<()> {
        self.word(&format!("RELEASE arx_{depth}"))?;
        self.depth = depth.saturating_sub(1);
        Ok(())
    }

    /// Releases the savepoint whose owner has heard of it: a call that is dropped before is undone.
    fn finish_release(&mut self) {
        let Some(depth) = self.released.take() else { return };
        if self.release(depth).is_err() {
            // Nothing but a connection that is out of order gets here.
            drop(self.reset());
            self.transaction = Transaction::Lost;
        }
    }

    fn rollback_to(&mut self, depth: u32) -> Result<()> {
        if depth > self.depth {
            // Undone already, by a call that was dropped before it heard of that.
            return Ok(());
        }
        self.word(&format!("ROLLBACK TO arx_{depth}"))?;
        self.release(depth)
    }

    /// Rolls back what is open, if anything is.
    fn reset(&mut self) -> Result<()> {
        self.transaction = Transaction::None;
        self.depth = 0;
        let rolled_back = if self.connection.is_autocommit() { Ok(()) } else { self.word("ROLLBACK") };
        if std::mem::take(&mut self.is_read_only) {
            self.query_only(false)?;
        }
        rolled_back
    }

    /// The last request's end was not heard. A transaction that nobody knows of is not left open.
    fn unheard(&mut self) {
        self.released = None;
        if std::mem::take(&mut self.has_begun) {
            // What cannot be rolled back now is rolled back when the connection is closed.
            drop(self.reset());
        }
    }

    fn end(&mut self, id: u64, result: Result<Outcome>, batch: Option<Packed>) {
        let end = End { result, clean: self.is_clean() };
        if !self.inbox.end(id, batch, end) {
            self.unheard();
        }
    }

    fn is_clean(&self) -> bool {
        self.transaction == Transaction::None && !self.is_read_only && self.connection.is_autocommit()
    }

    fn word(&self, text: &str) -> Result<()> {
        word(&self.connection, text).map_err(|error| error::of(error, None))
    }

    fn query_only(&self, is_on: bool) -> Result<()> {
        self.connection.pragma_update(None, "query_only", is_on).map_err(|error| error::of(error, None))
    }
}

fn aborted() -> Error {
    Error::new(
        ErrorKind::TransactionAborted,
        "SQLite has rolled the transaction back after an earlier error; only a rollback is left",
    )
}
