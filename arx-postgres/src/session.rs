//! What a connection does, whoever owns it: commands, control words, and what is known of
//! the protocol's and the transaction's state.
//!
//! Kept apart from `connection` because a joined transaction does the same over a borrow.

use std::future::poll_fn;
use std::sync::Arc;

use arx::connection::{Affected, Begin, Command, Control, RowSink};
use arx::dialect::Dialect;
use arx::entity::Table;
use arx::error::{Error, ErrorKind, Result};
use arx::plan::TableFacts;
use futures_util::StreamExt as _;
use sqlx::postgres::{PgArguments, PgConnection, PgQueryResult, PgRow};
use sqlx::{AssertSqlSafe, Connection as _, Either, Executor as _, SqlSafeStr, SqlStr};

use crate::error::Fault;
use crate::{decode, encode, error, inspect, script};

// What is left of a result after an error in one of its rows is read to its end up to here;
// beyond, a new connection costs less.
const ROWS_WORTH_READING: usize = 10_000;

/// Whether the next byte from the server is the answer to the next byte to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is.
    Ready,
    /// A future was dropped half way: answers are outstanding.
    Busy,
    /// The connection or the protocol failed.
    Broken,
}

/// The transaction, as the server has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// None.
    Idle,
    /// One is open.
    Open,
    /// One is open in which a statement failed.
    Aborted,
}

/// The state of one connection.
pub(crate) struct Session {
    pub(crate) dialect: Arc<dyn Dialect>,
    pub(crate) step: Step,
    pub(crate) phase: Phase,
    /// The control word whose answer is outstanding.
    sent: Option<Control>,
    /// A savepoint that is gone although the future that ended it was dropped.
    gone: Option<u32>,
}

/// Why a command did not end well, and what that says of the connection.
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) fault: Fault,
}

impl Failure {
    fn of(table: Option<&Table>, error: sqlx::Error) -> Self {
        Self { fault: Fault::of(&error), error: error::convert_for(table, error) }
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::of(None, error)
    }
}

impl Session {
    pub(crate) fn new(dialect: Arc<dyn Dialect>, phase: Phase) -> Self {
        Self { dialect, step: Step::Ready, phase, sent: None, gone: None }
    }

    /// Runs one command.
    pub(crate) async fn run(
        &mut self,
        link: &mut PgConnection,
        command: Command<'_>,
        sink: &mut dyn RowSink,
    ) -> Result<Affected> {
        self.check()?;
        let mut outcome = self.send(link, &command, encode::arguments(&command)?, sink).await;
        self.settle(&outcome);
        if self.may_send_again(link, &outcome).await? {
            outcome = self.send(link, &command, encode::arguments(&command)?, sink).await;
            self.settle(&outcome);
        }
        outcome.map_err(|failure| failure.error.with_operation(command.statement.operation.clone()))
    }

    /// Nothing runs on a connection with answers outstanding, nor after its transaction was left in the middle.
    pub(crate) fn check(&self) -> Result<()> {
        match (self.step, self.phase) {
            (Step::Ready, _) => Ok(()),
            (Step::Busy, Phase::Open | Phase::Aborted) => Err(Error::new(
                ErrorKind::TransactionAborted,
                "an earlier call was dropped before it was done; roll the transaction back",
            )),
            _ => Err(Error::new(
                ErrorKind::ConnectionLost,
                "the connection failed earlier, or a call on it was dropped before it was done",
            )),
        }
    }

    /// Sends a command whose arguments could be encoded.
    async fn send(
        &mut self,
        link: &mut PgConnection,
        command: &Command<'_>,
        arguments: PgArguments,
        sink: &mut dyn RowSink,
    ) -> Result<Affected, Failure> {
        let statement = command.statement;
        self.step = Step::Busy;
        let is_bare = statement.table.is_none() && command.parameters.literals.is_empty();
        let mut stream = if is_bare && script::is_several(&statement.text) {
            link.fetch_many(sqlx::raw_sql(AssertSqlSafe(Arc::clone(&statement.text))))
        } else {
            link.fetch_many(sqlx::query_with(text(command), arguments))
        };
        let (mut affected, mut columns) = (0, None);
        loop {
            poll_fn(|cx| sink.poll_ready(cx)).await;
            match stream.next().await {
                None => return Ok(Affected::rows(affected)),
                Some(Ok(Either::Left(done))) => affected += done.rows_affected(),
                Some(Ok(Either::Right(row))) => {
                    if let Err(error) = pass_on(&row, &mut columns, sink) {
                        let worth = if self.phase == Phase::Idle { ROWS_WORTH_READING } else { usize::MAX };
                        return Err(Failure { error, fault: read_on(stream, worth).await });
                    }
                }
                Some(Err(error)) => return Err(Failure::of(statement.table, error)),
            }
        }
    }

    /// Whether a command has failed only because its cached plan is outdated, which is forgotten then: it failed before
    /// it did anything, so outside a transaction it can be sent again.
    pub(crate) async fn may_send_again<T>(
        &mut self,
        link: &mut PgConnection,
        outcome: &Result<T, Failure>,
    ) -> Result<bool> {
        if !matches!(outcome, Err(failure) if failure.fault == Fault::StalePlan) {
            return Ok(false);
        }
        self.forget(link).await?;
        Ok(self.phase == Phase::Idle)
    }

    /// Takes note of how a command ended.
    pub(crate) fn settle<T>(&mut self, outcome: &Result<T, Failure>) {
        self.note(outcome.as_ref().map_or_else(|failure| failure.fault, |_| Fault::None));
    }

    fn note(&mut self, fault: Fault) {
        self.step = if fault == Fault::Lost { Step::Broken } else { Step::Ready };
        if fault != Fault::None && self.phase == Phase::Open {
            self.phase = Phase::Aborted;
        }
    }

    /// Drops the cached statements of this connection, on both sides.
    async fn forget(&mut self, link: &mut PgConnection) -> Result<()> {
        self.step = Step::Busy;
        let outcome = link.clear_cached_statements().await;
        self.step = if outcome.is_ok() { Step::Ready } else { Step::Broken };
        outcome.map_err(error::convert)
    }

    /// Reads how the table makes its keys.
    pub(crate) async fn inspect(&mut self, link: &mut PgConnection, table: &'static Table) -> Result<TableFacts> {
        self.check()?;
        self.step = Step::Busy;
        let facts = inspect::read(link, table).await.map_err(Failure::from);
        self.settle(&facts);
        facts.map_err(|failure| failure.error)
    }

    /// Begins or ends a transaction or a savepoint.
    pub(crate) async fn control(&mut self, link: &mut PgConnection, control: Control) -> Result<()> {
        if matches!(control, Control::Commit | Control::Rollback | Control::RollbackTo(_)) {
            self.catch_up(link).await?;
        }
        self.check()?;
        self.gone = self.gone.filter(|_| !matches!(control, Control::Savepoint(_)));
        self.sent = Some(control);
        let outcome = self.send_control(link, control).await;
        self.sent = None;
        outcome
    }

    async fn send_control(&mut self, link: &mut PgConnection, control: Control) -> Result<()> {
        match (control, self.phase) {
            (Control::Begin(begin), Phase::Idle) => {
                // Before it is sent: a future dropped from here on may leave one open.
                self.phase = Phase::Open;
                let outcome = self.word(link, owned(begin_words(begin))).await;
                self.phase = if outcome.is_ok() { Phase::Open } else { Phase::Idle };
                outcome
            }
            (Control::Begin(_), _) => Err(Error::invalid_input("a transaction is open already; set a savepoint")),
            (Control::Rollback, Phase::Idle) => Ok(()),
            (_, Phase::Idle) => Err(Error::invalid_input("no transaction is open")),
            (Control::Commit, Phase::Aborted) => {
                self.end(link, "ROLLBACK").await?;
                Err(Error::new(
                    ErrorKind::TransactionAborted,
                    "an earlier error has aborted the transaction; it was rolled back",
                ))
            }
            (Control::Commit, _) => self.end(link, "COMMIT").await,
            (Control::Rollback, _) => self.end(link, "ROLLBACK").await,
            (Control::RollbackTo(depth), _) if self.gone.take() == Some(depth) => Ok(()),
            (Control::RollbackTo(_), _) => {
                self.word(link, owned(control.savepoint())).await?;
                self.phase = Phase::Open;
                Ok(())
            }
            _ => self.word(link, owned(control.savepoint())).await,
        }
    }

    /// Ends the transaction. After a failed COMMIT the server has rolled it back.
    async fn end(&mut self, link: &mut PgConnection, word: &'static str) -> Result<()> {
        let outcome = self.word(link, word.into_sql_str()).await;
        if self.step == Step::Ready {
            self.phase = Phase::Idle;
        }
        outcome
    }

    /// Sends words without parameters in one round trip.
    async fn word(&mut self, link: &mut PgConnection, text: SqlStr) -> Result<()> {
        self.step = Step::Busy;
        let outcome = sqlx::raw_sql(text).execute(link).await;
        let outcome = outcome.map(|_| Affected::default()).map_err(Failure::from);
        self.settle(&outcome);
        outcome.map(|_| ()).map_err(|failure| failure.error)
    }

    /// Reads the answers that a dropped future has left, so that what it did can be undone.
    pub(crate) async fn catch_up(&mut self, link: &mut PgConnection) -> Result<()> {
        if self.step != Step::Busy {
            return Ok(());
        }
        let mut refused = false;
        while self.step == Step::Busy {
            // An error among the answers ends a ping early: the next one reads on.
            match link.ping().await {
                Ok(()) => self.step = Step::Ready,
                Err(error) if Fault::of(&error) != Fault::Lost => refused = true,
                Err(error) => {
                    self.step = Step::Broken;
                    return Err(error::convert(error));
                }
            }
        }
        match self.sent.take() {
            Some(Control::Release(depth)) if !refused => self.gone = Some(depth),
            Some(Control::RollbackTo(depth)) if !refused => (self.gone, self.phase) = (Some(depth), Phase::Open),
            Some(Control::Savepoint(_)) if !refused => {}
            // Whether a dropped statement was done is not known.
            _ if self.phase == Phase::Open => self.phase = Phase::Aborted,
            _ => {}
        }
        Ok(())
    }
}

fn owned(text: String) -> SqlStr {
    AssertSqlSafe(text).into_sql_str()
}

/// The text of a command. sqlx keeps statements by their text alone, and the types of hand-written
/// SQL's arguments are the caller's: they have to be in the text.
pub(crate) fn text(command: &Command<'_>) -> SqlStr {
    let text = Arc::clone(&command.statement.text);
    if command.statement.table.is_some() || command.parameters.literals.is_empty() {
        return AssertSqlSafe(text).into_sql_str();
    }
    let mut typed = String::from("/*");
    for literal in command.parameters.literals {
        typed.push(' ');
        typed.push_str(&encode::literal_type(literal));
    }
    typed.push_str(" */ ");
    typed.push_str(&text);
    owned(typed)
}

fn pass_on(row: &PgRow, columns: &mut Option<decode::Columns>, sink: &mut dyn RowSink) -> Result<()> {
    let columns = match columns {
        Some(columns) => columns,
        None => columns.insert(decode::Columns::of(row)?),
    };
    sink.row(&mut columns.decoder(row))
}

type Rows<'a> = futures_core::stream::BoxStream<'a, Result<Either<PgQueryResult, PgRow>, sqlx::Error>>;

/// Reads the rest of a result, so that the connection can be used on; gives what else went wrong.
async fn read_on(mut rest: Rows<'_>, worth: usize) -> Fault {
    for _ in 0..worth {
        match rest.next().await {
            None => return Fault::None,
            Some(Ok(_)) => {}
            Some(Err(error)) => return Fault::of(&error),
        }
    }
    Fault::Lost
}

fn begin_words(begin: Begin) -> String {
    let read_only = if begin.read_only { " READ ONLY" } else { "" };
    match begin.isolation {
        Some(level) if begin.read_only => format!("BEGIN ISOLATION LEVEL {},{read_only}", level.name()),
        Some(level) => format!("BEGIN ISOLATION LEVEL {}", level.name()),
        None => format!("BEGIN{read_only}"),
    }
}
