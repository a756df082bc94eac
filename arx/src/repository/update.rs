//! `update` and `update_multiple`.

use std::future::IntoFuture;

use super::batch::{Batch, EntityRows, Row};
use super::clock::instant;
use super::delete::alive;
use super::fault::{Attempt, Suspects, find_failing_row};
use super::gather::{Gather, Keys};
use super::session::{Executor, Need, Session, Whole, renumber_all};
use crate::connection::{BoxFuture, Discard, Intent};
use crate::entity::{ColumnSet, Entity, Role, Table};
use crate::error::{Error, Result};
use crate::plan::{KeyBytes, KeyOrder, Lock, Output, Source, Step, UpdatePlan, Verb, update, versions};
use crate::query::ColumnList;
use crate::value::{Literal, Value};

/// What is done with rows of one batch that have the same key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Duplicates {
    /// They are an error that names them.
    #[default]
    Refuse,
    /// The last of them is written.
    LastWins,
}

pub use Duplicates::LastWins;

/// What an update did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Updated {
    /// How many rows were there, changed or not.
    pub matched: u64,
}

/// An update that has not run yet.
pub(super) struct Updating<'a, E> {
    pub(super) executor: Executor<'a>,
    batch: Batch<'a, E>,
    columns: Option<ColumnSet>,
    require_all: bool,
    lock_first: bool,
    duplicates: Duplicates,
    find_failing_row: bool,
}

/// Everything that is decided before a connection is taken.
struct Prepared {
    plan: UpdatePlan,
    order: Option<Vec<u32>>,
    literals: Vec<Literal<'static>>,
    /// How many of the literals belong to the SET list.
    stamps: usize,
    is_comparable: bool,
    now: i64,
}

impl<'a, E: Entity> Updating<'a, E> {
    fn new(executor: Executor<'a>, batch: Batch<'a, E>) -> Self {
        Self {
            executor,
            batch,
            columns: None,
            require_all: false,
            lock_first: false,
            duplicates: Duplicates::Refuse,
            find_failing_row: false,
        }
    }

    fn prepare(&self) -> Result<Prepared> {
        let table = E::TABLE;
        let rows = self.batch.rows();
        let whole = EntityRows::new(rows, None);
        let keys = KeyBytes::of_rows(&Whole(&whole), &table.key)?;
        let order = KeyOrder::sorted(&keys, self.duplicates == LastWins)?.order;
        let written = written_columns(table, self.columns)?;
        if written.is_empty() && table.version.is_none() && table.updated_at.is_none() {
            return Err(Error::invalid_input("the entity has no column that an update writes"));
        }
        refuse_defaults(rows, table, &written)?;
        refuse_last_versions(rows, table)?;
        let now = self.executor.clock().now();
        let mut literals = Vec::new();
        if let Some(column) = table.updated_at {
            literals.push(instant(&table.columns[column], now)?);
        }
        let stamps = literals.len();
        let filter = alive(table, &mut literals);
        let versioned = table.version.is_some();
        let is_comparable = table.key.iter().all(|column| table.columns[column].kind.is_comparable());
        let plan = UpdatePlan {
            table,
            written,
            stamped: table.updated_at.into_iter().collect(),
            versioned,
            all_or_nothing: (versioned || self.require_all) && is_comparable,
            filter,
        };
        Ok(Prepared { plan, order, literals, stamps, is_comparable, now })
    }

    async fn run(mut self) -> Result<Updated> {
        if self.batch.rows().is_empty() {
            return Ok(Updated { matched: 0 });
        }
        let operation = || format!("update {}", E::TABLE.name);
        let prepared = self.prepare().map_err(|error| error.with_operation(operation()))?;
        let mut session = self.executor.open(Intent::Write).await?;
        let matched = self.write(&mut session, &prepared).await?;
        // Of a rehearsal the rows shall show nothing.
        if !session.rehearses() {
            drop(session);
            self.write_back(&prepared)?;
        }
        Ok(Updated { matched })
    }

    async fn write(&self, session: &mut Session<'_>, prepared: &Prepared) -> Result<u64> {
        let batch = EntityRows::new(self.batch.rows(), prepared.order.as_deref());
        let steps = self.plan(session, prepared, &batch)?;
        let is_guarded = steps.iter().all(|step| step.shape.guarded);
        let demands_all = prepared.plan.versioned || self.require_all;
        let sent = super::session::Batched::len(&batch);
        let may_undo = sent > 1 && !is_guarded && (demands_all || !prepared.is_comparable);
        session.enter(Need::of(&steps, may_undo || self.lock_first)).await?;
        let done = self.steps(session, prepared, &batch, &steps).await;
        let done = match done {
            Ok(matched) if demands_all && matched < sent as u64 => {
                session.undo().await?;
                return Err(prepared.suspects(&batch).examine::<E>(session).await);
            }
            Ok(matched) if !prepared.is_comparable && sent > 1 && matched < sent as u64 => {
                prepared.suspects(&batch).examine_duplicates::<E>(session).await.map(|()| matched)
            }
            done => done,
        };
        match session.leave(done).await {
            Err(error) if self.find_failing_row => {
                let rows = self.batch.rows().len();
                Err(find_failing_row(session, error, rows, &Probe { updating: self, prepared }).await)
            }
            done => done,
        }
    }

    fn plan(&self, session: &Session<'_>, prepared: &Prepared, batch: &EntityRows<'_, E>) -> Result<Vec<Step>> {
        let mut steps =
            update(session.limits(), &prepared.plan, &Whole(batch)).map_err(|error| renumber_all(error, batch))?;
        let rows = super::session::Batched::len(batch);
        // One command per row cannot count a stored row that two keys mean once: it returns the stored keys instead.
        if !prepared.is_comparable && rows > 1 && session.limits().source(Verb::Update, rows) == Source::Each {
            steps.iter_mut().for_each(|step| step.shape.output = Output::Columns(E::TABLE.key));
        }
        Ok(steps)
    }

    async fn steps(
        &self,
        session: &mut Session<'_>,
        prepared: &Prepared,
        batch: &EntityRows<'_, E>,
        steps: &[Step],
    ) -> Result<u64> {
        if self.lock_first && session.can_lock() {
            let locks =
                versions(session.limits(), E::TABLE, Lock::Update, prepared.plan.filter.clone(), &Whole(batch))?;
            for step in &locks {
                session.step(step, batch, &prepared.literals[prepared.stamps..], &mut Discard).await?;
            }
        }
        let mut matched = 0;
        for step in steps {
            if step.shape.output.is_empty() {
                matched += session.step(step, batch, &prepared.literals, &mut Discard).await?.rows;
                continue;
            }
            let keys = Keys::<E::Key>(std::marker::PhantomData);
            let mut gather = Gather::new(&keys, &step.shape, step.rows.len()).with_keys();
            let affected = session.step(step, batch, &prepared.literals, &mut gather).await?;
            matched += if session.rehearses() { affected.rows } else { gather.keys.places().len() as u64 };
        }
        Ok(matched)
    }

    fn write_back(&mut self, prepared: &Prepared) -> Result<()> {
        let table = E::TABLE;
        for row in self.batch.rows_mut() {
            if let Some(column) = table.updated_at {
                row.accept(column, instant(&table.columns[column], prepared.now)?.value())?;
            }
            if let Some(column) = table.version {
                row.accept(column, next_version(row, column)?)?;
            }
        }
        Ok(())
    }
}

impl Prepared {
    fn suspects<'s, E: Entity>(&'s self, batch: &'s EntityRows<'_, E>) -> Suspects<'s> {
        Suspects {
            verb: Verb::Update,
            rows: batch,
            versioned: self.plan.versioned,
            filter: &self.plan.filter,
            literals: &self.literals[self.stamps..],
        }
    }
}

/// An update of the first rows only; the caller undoes it.
struct Probe<'p, 'a, E> {
    updating: &'p Updating<'a, E>,
    prepared: &'p Prepared,
}

impl<E: Entity> Attempt for Probe<'_, '_, E> {
    fn attempt<'s>(&'s self, session: &'s mut Session<'_>, count: usize) -> BoxFuture<'s, Result<()>> {
        Box::pin(async move {
            let first = |row: &u32| (*row as usize) < count;
            let order = self.prepared.order.as_ref();
            let order: Option<Vec<u32>> = order.map(|order| order.iter().copied().filter(first).collect());
            let rows = self.updating.batch.rows().get(..count).unwrap_or_default();
            let batch = EntityRows::new(rows, order.as_deref());
            let steps = self.updating.plan(session, self.prepared, &batch)?;
            self.updating.steps(session, self.prepared, &batch, &steps).await.map(|_| ())
        })
    }
}

/// The columns that are written from the rows: those named, or all that an update may write.
fn written_columns(table: &'static Table, named: Option<ColumnSet>) -> Result<ColumnSet> {
    let stamped = table.updated_at.map_or(ColumnSet::EMPTY, ColumnSet::of);
    let Some(named) = named else { return Ok(table.updatable.without(&stamped)) };
    let is_data =
        |column: &usize| matches!(table.columns[*column].role, Role::Plain | Role::CreatedAt | Role::SoftDelete);
    if let Some(column) = named.iter().find(|column| !is_data(column) || table.columns[*column].generated) {
        return Err(Error::invalid_input("this column is not written by an update; leave it out of .columns(..)")
            .with_column(table.label(column)));
    }
    Ok(named)
}

/// An update has no DEFAULT: a column that it writes must be set.
fn refuse_defaults<E: Entity>(rows: &[E], table: &Table, written: &ColumnSet) -> Result<()> {
    if table.defaultable.intersection(written).is_empty() {
        return Ok(());
    }
    for (index, row) in rows.iter().enumerate() {
        if let Some(column) = row.defaults().intersection(written).iter().next() {
            let error = Error::encode(
                "Field::Default cannot be written by an update; set it, or name the other columns in .columns(..)",
            );
            return Err(crate::connection::locate(error, Some(table), Some(column), Some(index)));
        }
    }
    Ok(())
}

/// Not every database refuses a version that its column's field could not be read back from.
fn refuse_last_versions<E: Entity>(rows: &[E], table: &Table) -> Result<()> {
    let Some(column) = table.version else { return Ok(()) };
    for (index, row) in rows.iter().enumerate() {
        next_version(row, column)
            .map_err(|error| crate::connection::locate(error, Some(table), Some(column), Some(index)))?;
    }
    Ok(())
}

fn next_version<E: Entity>(row: &E, column: usize) -> Result<Value<'static>> {
    let mut version = Version(Ok(Value::I64(0)));
    row.encode_row(&ColumnSet::of(column), &mut version);
    version.0
}

/// The row's version plus one.
struct Version(Result<Value<'static>>);

impl crate::value::Encoder for Version {
    fn value(&mut self, value: Value<'_>) {
        let next = match value {
            Value::I16(version) => version.checked_add(1).map(Value::I16),
            Value::I32(version) => version.checked_add(1).map(Value::I32),
            Value::I64(version) => version.checked_add(1).map(Value::I64),
            _ => None,
        };
        self.0 = next.ok_or_else(|| Error::encode("the version is at the end of its type; use a wider integer"));
    }

    fn fail(&mut self, error: Error) {
        self.0 = Err(error);
    }
}

/// Writes one row back when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Update<'a, E>(pub(super) Updating<'a, E>);

impl<'a, E: Entity> Update<'a, E> {
    pub(super) fn new(executor: Executor<'a>, row: Row<'a, E>) -> Self {
        let mut updating = Updating::new(executor, row.into());
        updating.require_all = true;
        Self(updating)
    }

    /// Writes these columns only: one column constant, or a tuple of them.
    pub fn columns(mut self, columns: impl ColumnList<E>) -> Self {
        self.0.columns = Some(columns.columns());
        self
    }
}

impl<'a, E: Entity> IntoFuture for Update<'a, E> {
    type Output = Result<()>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.0.run().await.map(|_| ()) })
    }
}

/// Writes rows back when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct UpdateMultiple<'a, E>(pub(super) Updating<'a, E>);

impl<'a, E: Entity> UpdateMultiple<'a, E> {
    pub(super) fn new(executor: Executor<'a>, batch: Batch<'a, E>) -> Self {
        Self(Updating::new(executor, batch))
    }

    /// Writes these columns only: one column constant, or a tuple of them.
    pub fn columns(mut self, columns: impl ColumnList<E>) -> Self {
        self.0.columns = Some(columns.columns());
        self
    }

    /// Refuses to write any row unless all of them are there.
    pub fn require_all(mut self) -> Self {
        self.0.require_all = true;
        self
    }

    /// What to do with rows that have the same key.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.0.duplicates = duplicates;
        self
    }

    /// Locks the rows in the order of their keys before any is written, so that two such
    /// calls cannot deadlock. A round trip more.
    pub fn lock_first(mut self) -> Self {
        self.0.lock_first = true;
        self
    }

    /// After a constraint violation, finds the row that was refused, by writing ever smaller
    /// parts of the batch and undoing each; the error then names the row.
    pub fn find_failing_row(mut self) -> Self {
        self.0.find_failing_row = true;
        self
    }
}

impl<'a, E: Entity> IntoFuture for UpdateMultiple<'a, E> {
    type Output = Result<Updated>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.0.run())
    }
}
