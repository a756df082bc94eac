//! `.plan()`: what a call would send, found out by running it on a connection that takes notes instead of sending.

use std::fmt;
use std::future::IntoFuture as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::session::Executor;
use super::{
    Count, Create, CreateCounted, CreateMultiple, CreateReturning, Delete, DeleteEntity, DeleteMultiple, DeleteWhere,
    Execute, Exists, First, Query, ReadKeyset, ReadPage, Restore, Retrieve, RetrieveByKeys, RetrieveOne, Run, Update,
    UpdateMultiple, UpdateWhere,
};
use crate::connection::{Affected, BoxFuture, Collected, Command, Connection, Control, RowSink};
use crate::dialect::{Bind, Dialect};
use crate::entity::{Entity, Record, Table};
use crate::error::Result;
use crate::plan::{Measure, Signature, TableFacts};
use crate::query::RoutineName;

/// What a call would send, as its `.plan()` tells; no value is in it.
///
/// The plan is made by the code of the call itself, on a connection of the same database: the server may be asked what
/// it can do and how the table makes its keys, but no statement of the call is sent. Every row is taken to be
/// there, with the version that was sent. What a call does besides when it meets a fault is not in the plan: finding
/// the rows that are missing or stale (`update`, `update_multiple`, `delete_entity`) and the row that was refused
/// (`find_failing_row`). Where a database returns no more of an insert than keys, what is read afterwards is
/// planned for keys that are not known yet.
///
/// ```
/// # use arx::Entity;
/// # #[derive(Entity)]
/// # struct Customer { #[arx(key)] id: i64, name: String }
/// # async fn example(db: arx::Database, rows: Vec<Customer>) -> arx::Result<()> {
/// let plan = db.repository::<Customer>().update_multiple(&rows).plan().await?;
/// println!("{plan}"); // 1 round trip\n1 command, 500 rows, 2 parameters, 13000 bytes: UPDATE ..
/// assert!(plan.round_trips < 10);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The statements, each text once, in the order in which they are first sent.
    pub statements: Vec<PlannedStatement>,
    /// What is opened around them.
    pub scope: PlannedScope,
    /// How often the call waits for the database: for each command, and for each word that bounds the scope.
    pub round_trips: usize,
}

/// One statement of a [`Plan`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedStatement {
    /// Its text.
    pub text: Arc<str>,
    /// In how many commands it is sent, each with a part of the rows.
    pub commands: usize,
    /// The rows or keys in all of them together; none where a filter decides. An embedded database runs the statement
    /// for each of them within one command.
    pub rows: usize,
    /// The parameters in all of them together.
    pub parameters: usize,
    /// The size of the parameters as the planner estimates it to cut a batch: a little over rather than under.
    pub bytes: usize,
}

/// What a call opens around its statements, so that it is done as a whole or not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlannedScope {
    /// Nothing.
    #[default]
    None,
    /// A transaction.
    Transaction,
    /// A savepoint in the transaction that the call is made in.
    Savepoint,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = match self.scope {
            PlannedScope::None => "",
            PlannedScope::Transaction => " in a transaction",
            PlannedScope::Savepoint => " in a savepoint",
        };
        write!(f, "{}{scope}", counted(self.round_trips, "round trip"))?;
        self.statements.iter().try_for_each(|statement| write!(f, "\n{statement}"))
    }
}

impl fmt::Display for PlannedStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts =
            [(self.commands, "command"), (self.rows, "row"), (self.parameters, "parameter"), (self.bytes, "byte")];
        let counts: Vec<_> = counts.into_iter().filter(|(count, _)| *count > 0).collect();
        for (place, (count, word)) in counts.into_iter().enumerate() {
            write!(f, "{}{}", if place > 0 { ", " } else { "" }, counted(count, word))?;
        }
        write!(f, ": {}", self.text)
    }
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// A call that is run to see what it would send.
pub(crate) struct Rehearsal<'a> {
    executor: Executor<'a>,
    plan: Mutex<Plan>,
}

impl<'a> Rehearsal<'a> {
    fn new(executor: Executor<'a>) -> Self {
        Self { executor, plan: Mutex::default() }
    }

    /// Where the call would run.
    pub(super) fn executor(&self) -> Executor<'a> {
        self.executor
    }

    /// The connection, which is asked but not written to.
    pub(super) fn wrap<'c>(&'c self, connection: Box<dyn Connection + 'c>) -> Box<dyn Connection + 'c> {
        Box::new(Rehearsed { connection, plan: &self.plan })
    }

    fn into_plan(self) -> Plan {
        self.plan.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that takes notes instead of sending.
struct Rehearsed<'c> {
    connection: Box<dyn Connection + 'c>,
    plan: &'c Mutex<Plan>,
}

impl Rehearsed<'_> {
    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, command: &Command<'_>) {
        let (parameters, bytes) = measure(command);
        let mut plan = self.plan();
        plan.round_trips += 1;
        let text = &command.statement.text;
        let place = plan.statements.iter().position(|known| known.text == *text).unwrap_or_else(|| {
            let text = Arc::clone(text);
            plan.statements.push(PlannedStatement { text, commands: 0, rows: 0, parameters: 0, bytes: 0 });
            plan.statements.len() - 1
        });
        let statement = &mut plan.statements[place];
        statement.commands += 1;
        statement.rows += command.parameters.rows.len();
        statement.parameters += parameters;
        statement.bytes += bytes;
    }
}

impl Connection for Rehearsed<'_> {
    fn dialect(&self) -> &dyn Dialect {
        self.connection.dialect()
    }

    fn run<'a>(&'a mut self, command: Command<'a>, _: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        self.note(&command);
        let rows = command.parameters.rows.len() as u64;
        Box::pin(async move { Ok(Affected::rows(rows)) })
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        let mut plan = self.plan();
        plan.round_trips += 1;
        match control {
            Control::Begin(_) => plan.scope = PlannedScope::Transaction,
            Control::Savepoint(_) => plan.scope = PlannedScope::Savepoint,
            _ => {}
        }
        Box::pin(async { Ok(()) })
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        self.connection.inspect(table)
    }

    fn describe<'a>(&'a mut self, routine: RoutineName<'a>) -> BoxFuture<'a, Result<Vec<Signature>>> {
        self.connection.describe(routine)
    }

    fn collect<'a>(&'a mut self, command: Command<'a>, messages: bool) -> BoxFuture<'a, Result<Collected>> {
        self.note(&command);
        self.plan().round_trips += usize::from(messages);
        Box::pin(async { Ok(Collected::default()) })
    }
}

/// The number of a command's parameters and their size.
fn measure(command: &Command<'_>) -> (usize, usize) {
    let (rows, literals) = (command.parameters.rows, command.parameters.literals);
    let mut measure = Measure::default();
    let mut parameters = 0;
    for bind in &command.statement.binds {
        let mut columns = |columns, range: std::ops::Range<usize>| {
            range.for_each(|row| rows.write_row(row, columns, &mut measure));
        };
        parameters += match bind {
            Bind::Array { column } => {
                rows.write_column(*column, &mut measure);
                1
            }
            Bind::Json { columns: all } => {
                columns(all, 0..rows.len());
                1
            }
            Bind::Rows { columns: all } => {
                columns(all, 0..rows.len());
                all.len() * rows.len()
            }
            Bind::Stamped { columns: all, first, count } => {
                columns(all, 0..rows.len());
                let stamps = literals.get(*first..first + count).unwrap_or_default();
                (0..rows.len()).for_each(|_| stamps.iter().for_each(|literal| literal.encode(&mut measure)));
                (all.len() + count) * rows.len()
            }
            // What is past the end of the batch is NULL, or the last key once more.
            Bind::Filled { columns: all, rows: size } => {
                columns(all, 0..rows.len());
                all.len() * size
            }
            Bind::Keyed { key, then, rows: size } => {
                columns(&key.union(then), 0..rows.len());
                (key.len() + then.len()) * size
            }
            Bind::Row { columns: all, row } => {
                columns(all, *row..(row + 1).min(rows.len()));
                all.len()
            }
            Bind::Literal(literal) | Bind::JsonList(literal) => {
                literals.get(*literal).iter().for_each(|literal| literal.encode(&mut measure));
                1
            }
            Bind::List { literal, size } => {
                literals.get(*literal).iter().for_each(|literal| literal.encode(&mut measure));
                *size
            }
            Bind::Count => 1,
            Bind::Ordinal => rows.len(),
        };
    }
    (parameters, measure.bytes)
}

/// Gives each builder its `plan`: the way to its executor, and what is run with the one that takes notes.
macro_rules! plans {
    ($([$($generics:tt)*] $builder:ty, $($path:tt).+ => $run:ident;)+) => {$(
        impl<$($generics)*> $builder {
            /// Tells what awaiting it would send, and sends nothing of it; see [`Plan`].
            ///
            /// # Errors
            /// Those of the call that are found before a statement is sent, and those of a connection that cannot be had.
            pub async fn plan(self) -> Result<Plan> {
                let rehearsal = Rehearsal::new(self.$($path).+);
                let mut call = self;
                call.$($path).+ = Executor::Rehearsal(&rehearsal);
                call.$run().await?;
                Ok(rehearsal.into_plan())
            }
        }
    )+};
}

plans! {
    ['a, E: Entity] Create<'a, E>, 0.executor => rehearse;
    ['a, E: Entity] CreateMultiple<'a, E>, 0.executor => rehearse;
    ['a, E: Entity] CreateCounted<'a, E>, 0.executor => rehearse;
    ['a, E: Entity] CreateReturning<'a, E>, 0.executor => rehearse;
    ['a, E: Entity] Update<'a, E>, 0.executor => into_future;
    ['a, E: Entity] UpdateMultiple<'a, E>, 0.executor => into_future;
    ['a, E: Entity] UpdateWhere<'a, E>, writing.executor => into_future;
    ['a, E: Entity] Delete<'a, E>, executor => into_future;
    ['a, E: Entity] DeleteEntity<'a, E>, executor => into_future;
    ['a, E: Entity] DeleteMultiple<'a, E>, executor => into_future;
    ['a, E: Entity] DeleteWhere<'a, E>, 0.executor => into_future;
    ['a, E: Entity] Restore<'a, E>, executor => into_future;
    ['a, E: Entity] RetrieveOne<'a, E>, executor => into_future;
    ['a, E: Entity] RetrieveByKeys<'a, E>, executor => into_future;
    ['a, E: Entity, R: Record + Send + 'a] Retrieve<'a, E, R>, executor => into_future;
    ['a, E: Entity, R: Record + Send + 'a] First<'a, E, R>, 0.executor => into_future;
    ['a, E: Entity] Count<'a, E>, 0.executor => rehearse;
    ['a, E: Entity] Exists<'a, E>, 0.executor => rehearse;
    ['a, E: Entity, R: Record + Send + 'a] ReadPage<'a, E, R>, retrieve.executor => rehearse;
    ['a, E: Entity] ReadKeyset<'a, E>, retrieve.executor => into_future;
    ['a] Execute<'a>, executor => rehearse;
    ['a] Run<'a>, executor => into_future;
    ['a, R: Record + Send + 'a] Query<'a, R>, run.executor => into_future;
}
