//! What a connection does, whoever owns it: commands, control words, and what is known of
//! the protocol's and the transaction's state.
//!
//! Kept apart from `connection` because a joined transaction does the same over a borrow.

use std::sync::Arc;

use arx::connection::{Affected, Collected, Command, Control, Message, RowSink};
use arx::entity::Table;
use arx::error::{Error, ErrorKind, Result};
use arx::plan::{Signature, TableFacts};
use arx::query::RoutineName;
use futures_util::StreamExt as _;
use sqlx::Connection as _;

use crate::error::{Failure, Fault};
use crate::server::{Link, Results, Server};

// What is left of a result after an error in one of its rows is read to its end up to here;
// beyond, a new connection costs less.
const ROWS_WORTH_READING: usize = 10_000;

/// Whether the next byte from the server is the answer to the next byte to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
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
pub enum Phase {
    /// None.
    Idle,
    /// One is open.
    Open,
    /// One is open of which it is not known what was done last.
    Doubtful,
    /// The server has aborted it or rolled it back, or may have: nothing more may run in it.
    Aborted,
}

/// The state of one connection.
pub struct Session<S: Server> {
    /// How its statements are written, as probed.
    pub dialect: Arc<S::Dialect>,
    /// The protocol's state.
    pub step: Step,
    phase: Phase,
    /// The control word whose answer is outstanding.
    sent: Option<Control>,
    /// A savepoint that is gone although the future that ended it was dropped.
    gone: Option<u32>,
}

impl<S: Server> Session<S> {
    pub(crate) fn new(dialect: Arc<S::Dialect>, phase: Phase) -> Self {
        Self { dialect, step: Step::Ready, phase, sent: None, gone: None }
    }

    /// The transaction's state.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Runs one command.
    pub(crate) async fn run(
        &mut self,
        link: &mut Link<S>,
        command: Command<'_>,
        sink: &mut dyn RowSink,
    ) -> Result<Affected> {
        self.check()?;
        let mut outcome = S::send(self, link, &command, sink).await;
        self.settle(&outcome);
        if self.may_send_again(link, &outcome).await? {
            outcome = S::send(self, link, &command, sink).await;
            self.settle(&outcome);
        }
        outcome.map_err(|failure| failure.error.with_operation(command.statement.operation.clone()))
    }

    /// Runs a call and keeps its rows; with the server's messages if they are wanted.
    pub(crate) async fn collect(
        &mut self,
        link: &mut Link<S>,
        command: Command<'_>,
        messages: bool,
    ) -> Result<Collected> {
        self.check()?;
        if messages && S::messages(link).is_none() {
            return Err(Error::unsupported("the driver does not hand on messages; call without `.messages(true)`"));
        }
        let mut outcome = S::call(self, link, &command).await;
        self.settle(&outcome);
        if self.may_send_again(link, &outcome).await? {
            outcome = S::call(self, link, &command).await;
            self.settle(&outcome);
        }
        let sets = outcome.map_err(|failure| failure.error)?;
        let messages = if messages { self.messages(link).await? } else { Vec::new() };
        Ok(Collected::new(sets, messages))
    }

    async fn messages(&mut self, link: &mut Link<S>) -> Result<Vec<Message>> {
        self.step = Step::Busy;
        let outcome = match S::messages(link) {
            Some(messages) => messages.await,
            None => Ok(Vec::new()),
        };
        self.ended(outcome)
    }

    /// Reads how the table makes its keys.
    pub(crate) async fn inspect(&mut self, link: &mut Link<S>, table: &'static Table) -> Result<TableFacts> {
        self.check()?;
        self.prepares();
        let outcome = S::inspect(&self.dialect, link, table).await;
        self.ended(outcome)
    }

    /// Reads the overloads of a routine.
    pub(crate) async fn describe(&mut self, link: &mut Link<S>, routine: RoutineName<'_>) -> Result<Vec<Signature>> {
        self.check()?;
        self.prepares();
        let outcome = S::describe(link, routine).await;
        self.ended(outcome)
    }

    /// Takes note that a statement is going to be prepared and used in one go.
    fn prepares(&mut self) {
        self.step = if S::COUNTS_ANSWERS { Step::Busy } else { Step::Adrift };
    }

    fn ended<T>(&mut self, outcome: Result<T, sqlx::Error>) -> Result<T> {
        let outcome = outcome.map_err(|error| S::failure(None, error));
        self.settle(&outcome);
        outcome.map_err(|failure| failure.error)
    }

    /// Nothing runs on a connection with answers outstanding, nor after its transaction was left in the middle:
    /// outside of it, it would be kept.
    fn check(&self) -> Result<()> {
        match (self.step, self.phase) {
            (Step::Ready, Phase::Idle | Phase::Open) => Ok(()),
            (Step::Ready, Phase::Aborted) => Err(Error::new(
                ErrorKind::TransactionAborted,
                "an earlier error has aborted the transaction; roll it back",
            )),
            (Step::Ready | Step::Busy | Step::Adrift, Phase::Open | Phase::Doubtful | Phase::Aborted) => {
                Err(Error::new(
                    ErrorKind::TransactionAborted,
                    "an earlier call was dropped before it was done; roll the transaction back",
                ))
            }
            _ => Err(Error::new(
                ErrorKind::ConnectionLost,
                "the connection failed earlier, or a call on it was dropped before it was done",
            )),
        }
    }

    /// Whether a command has failed only because its cached statement is outdated, which is forgotten then: it failed
    /// before it did anything, so outside a transaction it can be sent again.
    async fn may_send_again<T>(&mut self, link: &mut Link<S>, outcome: &Result<T, Failure>) -> Result<bool> {
        if !matches!(outcome, Err(failure) if failure.fault == Fault::StalePlan) {
            return Ok(false);
        }
        self.step = Step::Busy;
        let forgotten = link.clear_cached_statements().await;
        self.step = if forgotten.is_ok() { Step::Ready } else { Step::Broken };
        forgotten.map_err(|error| S::convert(None, error))?;
        Ok(self.phase == Phase::Idle)
    }

    /// Takes note of how a command ended.
    fn settle<T>(&mut self, outcome: &Result<T, Failure>) {
        let fault = outcome.as_ref().map_or_else(|failure| failure.fault, |_| Fault::None);
        self.step = if fault == Fault::Lost { Step::Broken } else { Step::Ready };
        let aborts = fault == Fault::RolledBack || S::ERRORS_ABORT && fault != Fault::None;
        if aborts && self.phase != Phase::Idle {
            self.phase = Phase::Aborted;
        }
    }

    /// Reads the rest of a result after an error in one of its rows, so that the connection can be used on; gives
    /// what else went wrong.
    pub async fn read_on(&self, mut rest: Results<'_, S::Database>) -> Fault {
        let worth = if self.phase == Phase::Idle { ROWS_WORTH_READING } else { usize::MAX };
        for _ in 0..worth {
            match rest.next().await {
                None => return Fault::None,
                Some(Ok(_)) => {}
                Some(Err(error)) => return S::fault(&error),
            }
        }
        Fault::Lost
    }

    /// Begins or ends a transaction or a savepoint.
    pub(crate) async fn control(&mut self, link: &mut Link<S>, control: Control) -> Result<()> {
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

    async fn send_control(&mut self, link: &mut Link<S>, control: Control) -> Result<()> {
        match (control, self.phase) {
            (Control::Begin(begin), Phase::Idle) => {
                // Before it is sent: a future dropped from here on may leave one open.
                self.phase = Phase::Open;
                let outcome = self.word(link, S::begin_words(begin)).await;
                self.phase = if outcome.is_ok() { Phase::Open } else { Phase::Idle };
                outcome
            }
            (Control::Begin(_), _) => Err(Error::invalid_input("a transaction is open already; set a savepoint")),
            (Control::Rollback, Phase::Idle) => Ok(()),
            (_, Phase::Idle) => Err(Error::invalid_input("no transaction is open")),
            (Control::Commit, Phase::Doubtful | Phase::Aborted) => {
                self.end(link, "ROLLBACK").await?;
                Err(Error::new(
                    ErrorKind::TransactionAborted,
                    "an earlier error has aborted the transaction; it was rolled back",
                ))
            }
            (Control::Commit, _) => self.end(link, "COMMIT").await,
            (Control::Rollback, _) => self.end(link, "ROLLBACK").await,
            (Control::RollbackTo(depth), _) if self.gone.take() == Some(depth) => Ok(()),
            (Control::RollbackTo(_), _) => match self.word(link, control.savepoint()).await {
                // The server has undone more than that: nothing but a rollback is left.
                Err(error) if error.kind() == ErrorKind::UndefinedObject && self.phase == Phase::Aborted => Ok(()),
                outcome => self.still_open(outcome).map(|()| self.phase = Phase::Open),
            },
            _ => {
                let outcome = self.word(link, control.savepoint()).await;
                self.still_open(outcome)
            }
        }
    }

    /// A savepoint that is not there any more tells that the transaction is over.
    fn still_open(&mut self, outcome: Result<()>) -> Result<()> {
        outcome.map_err(|error| {
            if error.kind() != ErrorKind::UndefinedObject {
                return error;
            }
            self.phase = Phase::Aborted;
            let message =
                "a statement of the transaction has committed it, a routine perhaps: what it did before is kept";
            Error::new(ErrorKind::TransactionAborted, message).with_source(error)
        })
    }

    /// Ends the transaction. Where errors abort it, a failed COMMIT has rolled it back.
    async fn end(&mut self, link: &mut Link<S>, word: &str) -> Result<()> {
        let outcome = self.word(link, word.to_owned()).await;
        if self.step == Step::Ready && (outcome.is_ok() || S::ERRORS_ABORT) {
            self.phase = Phase::Idle;
        }
        outcome
    }

    async fn word(&mut self, link: &mut Link<S>, words: String) -> Result<()> {
        self.step = Step::Busy;
        let outcome = S::word(link, words).await;
        self.ended(outcome)
    }

    /// Reads the answers that a dropped future has left, so that what it did can be undone.
    pub(crate) async fn catch_up(&mut self, link: &mut Link<S>) -> Result<()> {
        if self.step != Step::Busy {
            return Ok(());
        }
        let mut refused = false;
        while self.step == Step::Busy {
            // An error among the answers ends a ping early: the next one reads on.
            match link.ping().await {
                Ok(()) => self.step = Step::Ready,
                Err(error) => match S::fault(&error) {
                    Fault::Lost => {
                        self.step = Step::Broken;
                        return Err(S::convert(None, error));
                    }
                    Fault::RolledBack => (refused, self.phase) = (true, Phase::Aborted),
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
