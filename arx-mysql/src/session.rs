//! What a connection does, whoever owns it: commands, control words, and what is known of
//! the protocol's and the transaction's state.
//!
//! Kept apart from `connection` because a joined transaction does the same over a borrow.

use std::future::poll_fn;
use std::sync::Arc;

use arx::connection::{Affected, Command, Control, RowSink};
use arx::dialect::Statement;
use arx::entity::Table;
use arx::error::{Error, ErrorKind, Result};
use arx::plan::TableFacts;
use futures_util::StreamExt as _;
use sqlx::mysql::{MySqlArguments, MySqlConnection, MySqlQueryResult, MySqlRow};
use sqlx::{AssertSqlSafe, Connection as _, Either, Executor as _, SqlSafeStr, SqlStr, Statement as _};

use crate::decode::{Columns, ReportedKey};
use crate::dialect::Mysql;
use crate::error::Fault;
use crate::{encode, error, inspect, script, words};

// What is left of a result after an error in one of its rows is read to its end up to here;
// beyond, a new connection costs less.
const ROWS_WORTH_READING: usize = 10_000;

/// Whether the next byte from the server is the answer to the next byte to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is.
    Ready,
    /// A future was dropped half way: answers are outstanding, which sqlx reads before it sends again.
    Busy,
    /// A future was dropped where sqlx loses count of the answers: the connection is of no more use.
    Adrift,
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
    /// One is open of which it is not known what was done last.
    Doubtful,
    /// The server has rolled it back by itself, or may have: what runs now would be outside.
    Gone,
}

/// The state of one connection.
pub(crate) struct Session {
    pub(crate) dialect: Arc<Mysql>,
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
    pub(crate) fn new(dialect: Arc<Mysql>, phase: Phase) -> Self {
        Self { dialect, step: Step::Ready, phase, sent: None, gone: None }
    }

    /// Runs one command.
    pub(crate) async fn run(
        &mut self,
        link: &mut MySqlConnection,
        command: Command<'_>,
        sink: &mut dyn RowSink,
    ) -> Result<Affected> {
        self.check()?;
        let mut outcome = self.send(link, &command, sink).await;
        self.settle(&outcome);
        if self.may_send_again(link, &outcome).await? {
            outcome = self.send(link, &command, sink).await;
            self.settle(&outcome);
        }
        outcome.map_err(|failure| failure.error.with_operation(command.statement.operation.clone()))
    }

    /// Nothing runs on a connection with answers outstanding, nor after its transaction was left in the middle:
    /// outside of it, it would be kept.
    pub(crate) fn check(&self) -> Result<()> {
        match (self.step, self.phase) {
            (Step::Ready, Phase::Idle | Phase::Open) => Ok(()),
            (Step::Ready, Phase::Gone) => Err(Error::new(
                ErrorKind::TransactionAborted,
                "an earlier error has aborted the transaction; roll it back",
            )),
            (Step::Ready | Step::Busy | Step::Adrift, Phase::Open | Phase::Doubtful | Phase::Gone) => Err(Error::new(
                ErrorKind::TransactionAborted,
                "an earlier call was dropped before it was done; roll the transaction back",
            )),
            _ => Err(Error::new(
                ErrorKind::ConnectionLost,
                "the connection failed earlier, or a call on it was dropped before it was done",
            )),
        }
    }

    async fn send(
        &mut self,
        link: &mut MySqlConnection,
        command: &Command<'_>,
        sink: &mut dyn RowSink,
    ) -> Result<Affected, Failure> {
        let statement = command.statement;
        let is_bare = statement.table.is_none() && command.parameters.literals.is_empty();
        if is_bare && !script::returns_rows(&statement.text) {
            self.step = Step::Busy;
            let text = AssertSqlSafe(Arc::clone(&statement.text));
            return self.receive(link.fetch_many(sqlx::raw_sql(text)), command, sink, Form::Text).await;
        }
        let limit = self.dialect.capabilities().max_packet;
        let encoded = encode::arguments(command, limit);
        let arguments = encoded.map_err(|error| Failure { error, fault: Fault::None })?;
        if self.phase != Phase::Idle || statement.table.is_none() {
            self.prepare(link, command).await?;
        }
        self.step = Step::Busy;
        let text = AssertSqlSafe(Arc::clone(&statement.text));
        let stream = link.fetch_many(sqlx::query_with::<_, MySqlArguments>(text, arguments));
        self.receive(stream, command, sink, Form::Binary).await
    }

    /// Prepares a statement by itself. sqlx 0.9.0 does not count the answers to a first use: dropped in there, the
    /// connection is lost. Dropped in the statement that follows, a transaction can go on. Nor does it notice a
    /// wrong number of arguments before it waits for an answer.
    pub(crate) async fn prepare(&mut self, link: &mut MySqlConnection, command: &Command<'_>) -> Result<(), Failure> {
        self.step = Step::Adrift;
        let text = AssertSqlSafe(Arc::clone(&command.statement.text)).into_sql_str();
        let prepared = link.prepare(text).await;
        self.step = Step::Ready;
        let prepared = prepared.map_err(|error| Failure::of(command.statement.table, error))?;
        let given = command.parameters.literals.len();
        let wanted = prepared.parameters().and_then(Either::right).unwrap_or(given);
        if command.statement.table.is_none() && wanted != given {
            let message = format!("the statement has {wanted} placeholders and {given} arguments were given");
            return Err(Failure { error: Error::invalid_input(message), fault: Fault::None });
        }
        Ok(())
    }

    /// Reads what comes back.
    async fn receive(
        &self,
        mut stream: Rows<'_>,
        command: &Command<'_>,
        sink: &mut dyn RowSink,
        form: Form,
    ) -> Result<Affected, Failure> {
        let statement = command.statement;
        let (mut affected, mut returned, mut columns) = (0, 0, None);
        loop {
            poll_fn(|cx| sink.poll_ready(cx)).await;
            match stream.next().await {
                // A result set tells no number of rows.
                None => return Ok(Affected::rows(if affected == 0 { returned } else { affected })),
                Some(Ok(Either::Left(done))) => {
                    affected += done.rows_affected();
                    if let Err(error) = report_keys(statement, command.parameters.rows.len(), &done, sink) {
                        // sqlx counts this answer as read when it is asked for the next one.
                        return Err(Failure { error, fault: read_on(stream, usize::MAX).await });
                    }
                }
                Some(Ok(Either::Right(row))) => {
                    returned += 1;
                    if let Err(error) = pass_on(&row, &mut columns, sink, form) {
                        let worth = if self.phase == Phase::Idle { ROWS_WORTH_READING } else { usize::MAX };
                        return Err(Failure { error, fault: read_on(stream, worth).await });
                    }
                }
                Some(Err(error)) => return Err(Failure::of(statement.table, error)),
            }
        }
    }

    /// Whether a command has failed only because its cached statement is outdated, which is forgotten then: it failed
    /// before it did anything, so outside a transaction it can be sent again.
    pub(crate) async fn may_send_again<T>(
        &mut self,
        link: &mut MySqlConnection,
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
        if fault == Fault::RolledBack && self.phase != Phase::Idle {
            self.phase = Phase::Gone;
        }
    }

    /// Drops the cached statements of this connection, on both sides.
    async fn forget(&mut self, link: &mut MySqlConnection) -> Result<()> {
        self.step = Step::Busy;
        let outcome = link.clear_cached_statements().await;
        self.step = if outcome.is_ok() { Step::Ready } else { Step::Broken };
        outcome.map_err(error::convert)
    }

    /// Reads how the table makes its keys.
    pub(crate) async fn inspect(&mut self, link: &mut MySqlConnection, table: &'static Table) -> Result<TableFacts> {
        self.check()?;
        self.step = Step::Adrift;
        let facts = inspect::read(link, table, self.dialect.capabilities()).await.map_err(Failure::from);
        self.settle(&facts);
        facts.map_err(|failure| failure.error)
    }

    /// Begins or ends a transaction or a savepoint.
    pub(crate) async fn control(&mut self, link: &mut MySqlConnection, control: Control) -> Result<()> {
        if matches!(control, Control::Commit | Control::Rollback | Control::RollbackTo(_)) {
            self.catch_up(link).await?;
        } else {
            self.check()?;
        }
        match (self.step, control) {
            (Step::Ready, _) => {}
            // It is closed instead of given back, and the server rolls back.
            (Step::Adrift, Control::Rollback) => return Ok(()),
            _ => return self.check(),
        }
        self.gone = self.gone.filter(|_| !matches!(control, Control::Savepoint(_)));
        self.sent = Some(control);
        let outcome = self.send_control(link, control).await;
        self.sent = None;
        outcome
    }

    async fn send_control(&mut self, link: &mut MySqlConnection, control: Control) -> Result<()> {
        match (control, self.phase) {
            (Control::Begin(begin), Phase::Idle) => {
                // Before it is sent: a future dropped from here on may leave one open.
                self.phase = Phase::Open;
                let outcome = self.word(link, words::begin(begin)).await;
                self.phase = if outcome.is_ok() { Phase::Open } else { Phase::Idle };
                outcome
            }
            (Control::Begin(_), _) => Err(Error::invalid_input("a transaction is open already; set a savepoint")),
            (Control::Rollback, Phase::Idle) => Ok(()),
            (_, Phase::Idle) => Err(Error::invalid_input("no transaction is open")),
            (Control::Commit, Phase::Doubtful | Phase::Gone) => {
                self.end(link, "ROLLBACK").await?;
                Err(Error::new(
                    ErrorKind::TransactionAborted,
                    "an earlier error has aborted the transaction; it was rolled back",
                ))
            }
            (Control::Commit, _) => self.end(link, "COMMIT").await,
            (Control::Rollback, _) => self.end(link, "ROLLBACK").await,
            (Control::RollbackTo(depth), _) if self.gone.take() == Some(depth) => Ok(()),
            (Control::RollbackTo(_), _) => match self.word(link, words::savepoint(control)).await {
                // The server has undone more than that: nothing but a rollback is left.
                Err(error) if error.kind() == ErrorKind::UndefinedObject && self.phase == Phase::Gone => Ok(()),
                outcome => outcome.map(|()| self.phase = Phase::Open),
            },
            _ => self.word(link, words::savepoint(control)).await,
        }
    }

    /// Ends the transaction.
    async fn end(&mut self, link: &mut MySqlConnection, word: &'static str) -> Result<()> {
        let outcome = self.word(link, word.into_sql_str()).await;
        if self.step == Step::Ready && outcome.is_ok() {
            self.phase = Phase::Idle;
        }
        outcome
    }

    /// Sends words without parameters in one round trip.
    async fn word(&mut self, link: &mut MySqlConnection, text: SqlStr) -> Result<()> {
        self.step = Step::Busy;
        let outcome = sqlx::raw_sql(text).execute(link).await;
        let outcome = outcome.map(|_| Affected::default()).map_err(Failure::from);
        self.settle(&outcome);
        outcome.map(|_| ()).map_err(|failure| failure.error)
    }

    /// Reads the answers that a dropped future has left, so that what it did can be undone.
    pub(crate) async fn catch_up(&mut self, link: &mut MySqlConnection) -> Result<()> {
        if self.step != Step::Busy {
            return Ok(());
        }
        let mut refused = false;
        while self.step == Step::Busy {
            // An error among the answers ends a ping early: the next one reads on.
            match link.ping().await {
                Ok(()) => self.step = Step::Ready,
                Err(error) => match Fault::of(&error) {
                    Fault::Lost => {
                        self.step = Step::Broken;
                        return Err(error::convert(error));
                    }
                    Fault::RolledBack => (refused, self.phase) = (true, Phase::Gone),
                    _ => refused = true,
                },
            }
        }
        match self.sent.take() {
            Some(Control::Release(depth)) if !refused => self.gone = Some(depth),
            Some(Control::RollbackTo(depth)) if !refused => (self.gone, self.phase) = (Some(depth), Phase::Open),
            Some(Control::Savepoint(_)) if !refused => {}
            // Whether a dropped statement was done is not known.
            _ if self.phase == Phase::Open => self.phase = Phase::Doubtful,
            _ => {}
        }
        Ok(())
    }
}

/// Hands on the keys that the server reports instead of rows.
fn report_keys(statement: &Statement, rows: usize, done: &MySqlQueryResult, sink: &mut dyn RowSink) -> Result<()> {
    let Some(increment) = statement.block.or(statement.last_id.then_some(1)) else { return Ok(()) };
    let first = done.last_insert_id();
    // A trigger, a view or a default has made the key; or some rows were passed over.
    if first == 0 || done.rows_affected() != rows as u64 {
        return Err(Error::unsupported(
            "the server did not report the keys that it made: a trigger, a view or a default has made them; use .without_keys()",
        ));
    }
    (0..rows as u64).try_for_each(|row| sink.row(&mut ReportedKey::new(first + row * increment)))
}

/// How rows are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Of a prepared statement.
    Binary,
    /// Of a text, which may be several statements. Not read.
    Text,
}

fn pass_on(row: &MySqlRow, columns: &mut Option<Columns>, sink: &mut dyn RowSink, form: Form) -> Result<()> {
    if form == Form::Text {
        return Err(Error::unsupported(
            "a text of several statements cannot return rows; run the one that does by itself",
        ));
    };
    sink.row(&mut columns.get_or_insert_with(|| Columns::of(row)).decoder(row))
}

type Rows<'a> = futures_core::stream::BoxStream<'a, Result<Either<MySqlQueryResult, MySqlRow>, sqlx::Error>>;

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
