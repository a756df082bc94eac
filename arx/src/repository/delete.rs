//! `delete`, `delete_entity`, `delete_multiple` and `restore`.

use std::future::IntoFuture;

use super::batch::{EntityRows, KeyRows};
use super::clock::instant;
use super::fault::Suspects;
use super::session::{Batched, Executor, Need, Session, Whole, renumber_all};
use super::update::{Duplicates, LastWins};
use crate::connection::{BoxFuture, Discard, Intent};
use crate::entity::{ColumnSet, Entity, Table};
use crate::error::{Error, Result};
use crate::plan::{KeyBytes, KeyOrder, Limits, Step, UpdatePlan, Verb, delete_keys, delete_versioned, update};
use crate::query::{Comparison, Predicate};
use crate::value::{Literal, ScalarKind, Value};

/// The filter that passes over rows which are marked as deleted. Its literals are added.
pub(super) fn alive(table: &Table, literals: &mut Vec<Literal<'static>>) -> Predicate {
    marked(table, false, literals)
}

fn marked(table: &Table, deleted: bool, literals: &mut Vec<Literal<'static>>) -> Predicate {
    match table.soft_delete {
        None => Predicate::All,
        Some(column) if table.columns[column].kind == ScalarKind::Bool => {
            literals.push(Literal::Plain(Value::Bool(deleted)));
            Predicate::Compare { column, comparison: Comparison::Eq }
        }
        Some(column) => Predicate::IsNull { column, negated: deleted },
    }
}

/// What marks a row as deleted.
pub(super) fn deletion_mark(table: &Table, column: usize, now: i64) -> Result<Literal<'static>> {
    let meta = &table.columns[column];
    if meta.kind == ScalarKind::Bool { Ok(Literal::Plain(Value::Bool(true))) } else { instant(meta, now) }
}

/// A removal by key, or the marking that stands for it.
struct Removal {
    plan: Option<UpdatePlan>,
    literals: Vec<Literal<'static>>,
    /// How many of the literals belong to the SET list.
    stamps: usize,
    versioned: bool,
}

impl Removal {
    fn new<E: Entity>(executor: Executor<'_>, versioned: bool) -> Result<Self> {
        match E::TABLE.soft_delete {
            None => Ok(Self { plan: None, literals: Vec::new(), stamps: 0, versioned }),
            Some(column) => Self::marking::<E>(executor, column, versioned, true),
        }
    }

    /// Sets or clears the mark of rows that do not have it yet, or still have it.
    fn marking<E: Entity>(executor: Executor<'_>, column: usize, versioned: bool, delete: bool) -> Result<Self> {
        let table = E::TABLE;
        let now = executor.clock().now();
        let kind = table.columns[column].kind;
        let mut literals = vec![match (kind, delete) {
            (ScalarKind::Bool, false) => Literal::Plain(Value::Bool(false)),
            (_, false) => Literal::Plain(Value::Null(kind)),
            (_, true) => deletion_mark(table, column, now)?,
        }];
        let mut stamped = vec![column];
        if let Some(updated) = table.updated_at {
            stamped.push(updated);
            literals.push(instant(&table.columns[updated], now)?);
        }
        let stamps = literals.len();
        let filter = marked(table, !delete, &mut literals);
        let plan = UpdatePlan { table, written: ColumnSet::EMPTY, stamped, versioned, all_or_nothing: false, filter };
        Ok(Self { plan: Some(plan), literals, stamps, versioned })
    }

    fn steps<E: Entity>(&self, limits: &Limits, rows: &dyn Batched) -> Result<Vec<Step>> {
        let whole = Whole(rows);
        match &self.plan {
            Some(plan) => update(limits, plan, &whole),
            None if self.versioned => delete_versioned(limits, E::TABLE, &whole),
            None => delete_keys(limits, E::TABLE, &whole),
        }
        .map_err(|error| renumber_all(error, rows))
    }

    async fn run<E: Entity>(&self, session: &mut Session<'_>, rows: &dyn Batched) -> Result<u64> {
        let steps = self.steps::<E>(session.limits(), rows)?;
        session.enter(Need::of(&steps, false)).await?;
        let mut done = Ok(0);
        for step in &steps {
            match session.step(step, rows, &self.literals, &mut Discard).await {
                Ok(affected) => done = done.map(|sum: u64| sum + affected.rows),
                Err(error) => {
                    done = Err(error);
                    break;
                }
            }
        }
        session.leave(done).await
    }
}

async fn by_keys<E: Entity>(executor: Executor<'_>, keys: &[E::Key], removal: Removal, last_wins: bool) -> Result<u64> {
    if keys.is_empty() {
        return Ok(0);
    }
    let operation = |error: Error| error.with_operation(format!("delete from {}", E::TABLE.name));
    // One key too: with NULL in it, it would equal no row, and the delete would say that there was none.
    let bytes = KeyBytes::of_keys(keys).map_err(operation)?;
    let order = KeyOrder::sorted(&bytes, last_wins).map_err(operation)?.order;
    let rows = KeyRows { keys, order: order.as_deref(), columns: E::TABLE.key };
    let mut session = executor.open(Intent::Write).await?;
    removal.run::<E>(&mut session, &rows).await
}

/// Deletes one row by key when it is awaited; yields whether it was there.
#[must_use = "nothing happens until it is awaited"]
pub struct Delete<'a, E: Entity> {
    pub(super) executor: Executor<'a>,
    key: E::Key,
}

impl<'a, E: Entity> Delete<'a, E> {
    pub(super) fn new(executor: Executor<'a>, key: E::Key) -> Self {
        Self { executor, key }
    }
}

impl<'a, E: Entity> IntoFuture for Delete<'a, E> {
    type Output = Result<bool>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let removal = Removal::new::<E>(self.executor, false)?;
            let keys = std::slice::from_ref(&self.key);
            Ok(by_keys::<E>(self.executor, keys, removal, false).await? > 0)
        })
    }
}

/// Deletes rows by key when it is awaited; yields how many were there.
#[must_use = "nothing happens until it is awaited"]
pub struct DeleteMultiple<'a, E: Entity> {
    pub(super) executor: Executor<'a>,
    keys: &'a [E::Key],
    duplicates: Duplicates,
}

impl<'a, E: Entity> DeleteMultiple<'a, E> {
    pub(super) fn new(executor: Executor<'a>, keys: &'a [E::Key]) -> Self {
        Self { executor, keys, duplicates: Duplicates::Refuse }
    }

    /// What to do with keys that repeat: `LastWins` takes them once.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.duplicates = duplicates;
        self
    }
}

impl<'a, E: Entity> IntoFuture for DeleteMultiple<'a, E> {
    type Output = Result<u64>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let removal = Removal::new::<E>(self.executor, false)?;
            by_keys::<E>(self.executor, self.keys, removal, self.duplicates == LastWins).await
        })
    }
}

/// Deletes one row by key and version when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct DeleteEntity<'a, E> {
    pub(super) executor: Executor<'a>,
    row: &'a E,
}

impl<'a, E: Entity> DeleteEntity<'a, E> {
    pub(super) fn new(executor: Executor<'a>, row: &'a E) -> Self {
        Self { executor, row }
    }
}

impl<'a, E: Entity> IntoFuture for DeleteEntity<'a, E> {
    type Output = Result<()>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let versioned = E::TABLE.version.is_some();
            let removal = Removal::new::<E>(self.executor, versioned)?;
            let rows = EntityRows::new(std::slice::from_ref(self.row), None);
            KeyBytes::of_rows(&Whole(&rows), &E::TABLE.key)
                .map_err(|error| error.with_operation(format!("delete from {}", E::TABLE.name)))?;
            let mut session = self.executor.open(Intent::Write).await?;
            if removal.run::<E>(&mut session, &rows).await? > 0 {
                return Ok(());
            }
            let filter = removal.plan.as_ref().map_or(Predicate::All, |plan| plan.filter.clone());
            let literals = &removal.literals[removal.stamps..];
            let suspects = Suspects { verb: Verb::Delete, rows: &rows, versioned, filter: &filter, literals };
            Err(suspects.examine::<E>(&mut session).await)
        })
    }
}

/// Brings back one row when it is awaited; yields whether there was one to bring back.
#[must_use = "nothing happens until it is awaited"]
pub struct Restore<'a, E: Entity> {
    pub(super) executor: Executor<'a>,
    key: E::Key,
}

impl<'a, E: Entity> Restore<'a, E> {
    pub(super) fn new(executor: Executor<'a>, key: E::Key) -> Self {
        Self { executor, key }
    }
}

impl<'a, E: Entity> IntoFuture for Restore<'a, E> {
    type Output = Result<bool>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let column = E::TABLE.soft_delete.ok_or_else(|| {
                Error::unsupported(format!(
                    "{} has no #[arx(soft_delete)] field, so nothing can be restored",
                    E::TABLE.entity
                ))
            })?;
            let removal = Removal::marking::<E>(self.executor, column, false, false)?;
            let keys = std::slice::from_ref(&self.key);
            Ok(by_keys::<E>(self.executor, keys, removal, false).await? > 0)
        })
    }
}
