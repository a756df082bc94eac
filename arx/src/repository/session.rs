//! One call's hold on a connection, and what makes the call atomic.

use std::sync::Arc;

use super::held::Held;
use super::plan::Rehearsal;
use super::{Clock, Database, Tx};
use crate::connection::{
    Affected, Begin, Collected, Command, Connection, Control, Intent, NoRows, Parameters, RowSink,
};
use crate::dialect::{render, render_call};
use crate::entity::{Rows, Table};
use crate::error::{Error, ErrorKind, Result, RowFault};
use crate::plan::{Invocation, Limits, Shape, Signature, Source, Step, TableFacts, size_lists};
use crate::query::RoutineName;
use crate::value::Literal;

/// Where a call runs.
#[derive(Clone, Copy)]
pub(crate) enum Executor<'a> {
    Pool(&'a Database),
    Tx(&'a Tx<'a>),
    /// Nowhere: what would be sent is noted.
    Rehearsal(&'a Rehearsal<'a>),
}

impl<'a> Executor<'a> {
    pub(super) fn clock(self) -> &'a Arc<dyn Clock> {
        match self {
            Executor::Pool(database) => database.clock(),
            Executor::Tx(tx) => tx.clock(),
            Executor::Rehearsal(rehearsal) => rehearsal.executor().clock(),
        }
    }

    pub(super) async fn open(self, intent: Intent) -> Result<Session<'a>> {
        let (connection, joined) = self.connect(intent).await?;
        let rehearses = matches!(self, Executor::Rehearsal(_));
        Ok(Session { connection, joined, scope: Scope::None, streams: false, rehearses })
    }

    async fn connect(self, intent: Intent) -> Result<(Box<dyn Connection + 'a>, Joined<'a>)> {
        match self {
            Executor::Pool(database) => Ok((database.pool().acquire(intent).await?, None)),
            Executor::Tx(tx) => Ok((tx.held().lock().await?, Some((tx.held(), tx.depth())))),
            Executor::Rehearsal(rehearsal) => {
                let (connection, joined) = Box::pin(rehearsal.executor().connect(intent)).await?;
                Ok((rehearsal.wrap(connection), joined))
            }
        }
    }
}

/// The caller's transaction, and how deep in it a call is.
type Joined<'a> = Option<(&'a dyn Held, u32)>;

/// What has been opened around the statements of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    None,
    Transaction,
    Savepoint(u32),
}

/// A connection for the time of one call.
pub(super) struct Session<'a> {
    connection: Box<dyn Connection + 'a>,
    joined: Joined<'a>,
    scope: Scope,
    /// It is held from one row to the next: who waits for it may be the one who reads the rows.
    streams: bool,
    /// Nothing is sent, and no row comes back.
    rehearses: bool,
}

/// Why a call's statements need something around them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// One statement that changes one row or nothing.
    Nothing,
    /// One statement for several rows: a transaction survives its failure only behind a savepoint
    /// where the database aborts transactions.
    Shield,
    /// One command that runs a statement for every row: all of it or nothing by itself, but inside a
    /// caller's transaction only behind a savepoint.
    Each,
    /// One read that may be dropped before its end: inside a caller's transaction behind a savepoint, so that
    /// the transaction can go on.
    Stream,
    /// Several statements, or one that may have to be undone.
    Undo,
}

impl Need {
    /// What these steps need; `may_undo` when their result decides whether they stay.
    pub(super) fn of<'s>(steps: impl IntoIterator<Item = &'s Step>, may_undo: bool) -> Self {
        let (mut count, mut rows, mut is_each) = (0, 0, false);
        for step in steps {
            count += 1;
            rows += step.rows.len();
            is_each |= step.shape.source == Source::Each;
        }
        match () {
            () if count > 1 || may_undo => Self::Undo,
            () if rows > 1 && is_each => Self::Each,
            () if rows > 1 => Self::Shield,
            () => Self::Nothing,
        }
    }
}

impl Session<'_> {
    /// Whether nothing is sent, so that no row comes back.
    pub(super) fn rehearses(&self) -> bool {
        self.rehearses
    }

    pub(super) fn limits(&self) -> &Limits {
        self.connection.dialect().limits()
    }

    pub(super) fn can_lock(&self) -> bool {
        !self.connection.dialect().lexis().for_update.is_empty()
    }

    /// Says that the connection is held for as long as the caller likes.
    pub(super) fn note_stream(&mut self) {
        if let Some((held, _)) = self.joined {
            held.note_stream(true);
            self.streams = true;
        }
    }

    /// What the catalogue says of the table; asked once for each table.
    pub(super) async fn facts(&mut self, table: &'static Table) -> Result<Arc<TableFacts>> {
        if let Some(facts) = self.connection.dialect().cache().facts(table) {
            return Ok(facts);
        }
        let facts = Arc::new(self.connection.inspect(table).await?);
        self.connection.dialect().cache().remember(table, Arc::clone(&facts));
        Ok(facts)
    }

    /// The overloads of a routine; asked for once.
    pub(super) async fn signatures(&mut self, routine: RoutineName<'_>) -> Result<Arc<[Signature]>> {
        if let Some(signatures) = self.connection.dialect().cache().signatures(routine) {
            return Ok(signatures);
        }
        let found: Arc<[Signature]> = self.connection.describe(routine).await?.into();
        if !found.is_empty() {
            self.connection.dialect().cache().remember_routine(routine, Arc::clone(&found));
        }
        Ok(found)
    }

    /// Calls a routine.
    pub(super) async fn call(
        &mut self,
        invocation: &Invocation<'_>,
        literals: &[Literal<'_>],
        messages: bool,
    ) -> Result<Collected> {
        let statement = render_call(self.connection.dialect(), invocation)?;
        let command = Command { statement: &statement, parameters: Parameters { rows: &NoRows, literals } };
        let done = self.connection.collect(command, messages).await;
        done.map_err(|error| {
            // It may have been replaced by one with other parameters.
            if matches!(error.kind(), ErrorKind::UndefinedObject | ErrorKind::InvalidInput) {
                self.connection.dialect().cache().forget_routine(invocation.routine);
            }
            self.note(error)
        })
    }

    /// Opens a transaction or a savepoint, where there has to be one.
    pub(super) async fn enter(&mut self, need: Need) -> Result<()> {
        let scope = match (&self.joined, need) {
            (_, Need::Nothing) | (None, Need::Shield | Need::Each | Need::Stream) => return Ok(()),
            (None, Need::Undo) => Scope::Transaction,
            (Some(_), Need::Shield) if !self.limits().aborts => return Ok(()),
            (Some((_, depth)), _) => Scope::Savepoint(depth + 1),
        };
        let control = match scope {
            Scope::Savepoint(depth) => Control::Savepoint(depth),
            _ => Control::Begin(Begin::default()),
        };
        self.scope = scope;
        let begun = self.connection.control(control).await;
        if begun.is_err() {
            self.scope = Scope::None;
        }
        begun
    }

    /// Keeps what was done in the scope when `outcome` is `Ok`, and undoes it otherwise.
    pub(super) async fn leave<T>(&mut self, outcome: Result<T>) -> Result<T> {
        match outcome {
            Ok(value) => {
                let control = match self.scope {
                    Scope::None => return Ok(value),
                    Scope::Transaction => Control::Commit,
                    Scope::Savepoint(depth) => Control::Release(depth),
                };
                let kept = self.connection.control(control).await;
                self.scope = Scope::None;
                kept.map(|()| value)
            }
            Err(error) => {
                let error = match self.undo().await {
                    Err(undone) => undone.with_source(error),
                    Ok(()) => error,
                };
                Err(self.note(error))
            }
        }
    }

    /// Undoes what was done in the scope. A failure to do so leaves a connection that is
    /// closed instead of being used again; the first error is the one to report.
    ///
    /// # Errors
    /// `TransactionAborted` where a statement has ended the caller's transaction, so that something stays.
    pub(super) async fn undo(&mut self) -> Result<()> {
        let control = match self.scope {
            Scope::None => return Ok(()),
            Scope::Transaction => Control::Rollback,
            Scope::Savepoint(depth) => Control::RollbackTo(depth),
        };
        let undone = self.connection.control(control).await;
        self.scope = Scope::None;
        if let (Err(_), Some((held, depth))) = (&undone, self.joined) {
            held.abandon(depth + 1);
        }
        match undone {
            Err(error) if error.kind() == ErrorKind::TransactionAborted => Err(error),
            _ => Ok(()),
        }
    }

    /// Runs one step; a row that an error names is renumbered to its place in the input.
    pub(super) async fn step(
        &mut self,
        step: &Step,
        rows: &dyn Batched,
        literals: &[Literal<'_>],
        sink: &mut dyn RowSink,
    ) -> Result<Affected> {
        let piece = Piece { rows, start: step.rows.start, len: step.rows.len() };
        let statement = render(self.connection.dialect(), &step.shape)?;
        let parameters = Parameters { rows: &piece, literals };
        let done = self.connection.run(Command { statement: &statement, parameters }, sink).await;
        done.map_err(|error| {
            if error.kind() == ErrorKind::UndefinedObject {
                self.connection.dialect().cache().forget();
            }
            self.note(renumber(error, &piece).with_operation(statement.operation.clone()))
        })
    }

    /// Runs a statement on the rows that a filter takes.
    pub(super) async fn filtered(
        &mut self,
        mut shape: Shape,
        literals: &[Literal<'_>],
        sink: &mut dyn RowSink,
    ) -> Result<Affected> {
        size_lists(self.limits(), &mut shape, literals);
        let statement = render(self.connection.dialect(), &shape)?;
        self.command(Command { statement: &statement, parameters: Parameters { rows: &NoRows, literals } }, sink).await
    }

    /// Runs a command as it is.
    pub(super) async fn command(&mut self, command: Command<'_>, sink: &mut dyn RowSink) -> Result<Affected> {
        let done = self.connection.run(command, sink).await;
        done.map_err(|error| self.note(error.with_operation(command.statement.operation.clone())))
    }

    /// Tells a transaction's owner that running it again may help.
    fn note(&self, error: Error) -> Error {
        if let Some((held, _)) = self.joined.filter(|_| error.is_retryable()) {
            held.note_retryable();
        }
        error
    }
}

impl Drop for Session<'_> {
    // Reached with a scope only when the call's future is dropped: what the call has done inside
    // a caller's transaction is undone before the next statement. Without a caller's transaction
    // the connection's own drop rolls back.
    fn drop(&mut self) {
        let Some((held, _)) = self.joined.filter(|_| !self.rehearses) else { return };
        if let Scope::Savepoint(depth) = self.scope {
            held.abandon(depth);
        }
        if self.streams {
            held.note_stream(false);
        }
    }
}

/// Rows that know their places in the input, and can be sent in pieces.
pub(super) trait Batched: Send + Sync {
    fn len(&self) -> usize;

    /// The place in the input of the row that is sent as number `row`.
    fn input(&self, row: usize) -> usize;

    fn write_column(&self, rows: std::ops::Range<usize>, column: usize, out: &mut dyn crate::value::Encoder);

    fn write_row(&self, row: usize, columns: &crate::entity::ColumnSet, out: &mut dyn crate::value::Encoder);
}

/// The rows of one step.
struct Piece<'a> {
    rows: &'a dyn Batched,
    start: usize,
    len: usize,
}

impl Rows for Piece<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn write_column(&self, column: usize, out: &mut dyn crate::value::Encoder) {
        self.rows.write_column(self.start..self.start + self.len, column, out);
    }

    fn write_row(&self, row: usize, columns: &crate::entity::ColumnSet, out: &mut dyn crate::value::Encoder) {
        self.rows.write_row(self.start + row, columns, out);
    }
}

/// The rows of a step.
pub(super) fn piece<'a>(rows: &'a dyn Batched, range: &std::ops::Range<usize>) -> impl Rows + 'a {
    Piece { rows, start: range.start, len: range.len() }
}

/// All of a batch, as the planner sees it.
pub(super) struct Whole<'a>(pub(super) &'a dyn Batched);

impl Rows for Whole<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn write_column(&self, column: usize, out: &mut dyn crate::value::Encoder) {
        self.0.write_column(0..self.0.len(), column, out);
    }

    fn write_row(&self, row: usize, columns: &crate::entity::ColumnSet, out: &mut dyn crate::value::Encoder) {
        self.0.write_row(row, columns, out);
    }
}

fn renumber(error: Error, piece: &Piece<'_>) -> Error {
    if error.rows().is_empty() {
        return error;
    }
    let place = |row: &RowFault| piece.rows.input(piece.start + row.index());
    let rows = error.rows().iter().map(|row| RowFault::new(place(row), row.reason(), row.key().to_owned())).collect();
    error.with_rows(rows)
}

/// As `renumber`, for errors of the planner, which sees the whole batch.
pub(super) fn renumber_all(error: Error, rows: &dyn Batched) -> Error {
    renumber(error, &Piece { rows, start: 0, len: rows.len() })
}
