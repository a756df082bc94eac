//! `retrieve` and `retrieve_by_keys`.

use std::future::IntoFuture;
use std::marker::PhantomData;

use super::batch::KeyRows;
use super::delete::alive;
use super::gather::{Gather, Records, lost_rows};
use super::session::{Executor, Session, Whole, renumber_all};
use crate::connection::{BoxFuture, Intent};
use crate::entity::Entity;
use crate::error::Result;
use crate::plan::{KeyBytes, KeyOrder, Matching, Output, Step, select_keys};
use crate::query::Predicate;
use crate::value::Literal;

/// Reads rows by key, in the order of the keys.
async fn by_keys<E: Entity>(executor: Executor<'_>, keys: &[E::Key], with_deleted: bool) -> Result<Vec<Option<E>>> {
    let table = E::TABLE;
    let mut found: Vec<Option<E>> = Vec::new();
    found.resize_with(keys.len(), || None);
    if keys.is_empty() {
        return Ok(found);
    }
    let bytes = KeyBytes::of_keys(keys)?;
    // A key that repeats needs its row twice, and only the database can compare some kinds.
    let is_comparable = table.key.iter().all(|column| table.columns[column].kind.is_comparable());
    let by_ordinal = keys.len() > 1 && (!is_comparable || KeyOrder::sorted(&bytes, false).is_err());
    let (mut session, rows, steps, literals) = planned::<E>(executor, keys, with_deleted, by_ordinal).await?;
    for step in &steps {
        let records = Records::<E>(PhantomData);
        let mut gather = Gather::new(&records, &step.shape, step.rows.len());
        session.step(step, &rows, &literals, &mut gather).await?;
        let places = match step.shape.matching {
            Matching::Ordinal { .. } => {
                gather.ordinals.iter().map(|ordinal| step.rows.start + ordinal).collect::<Vec<_>>()
            }
            Matching::PerRow => vec![0; gather.items.len()],
            _ => {
                let known = bytes.places();
                let place = |row| known.get(gather.keys.get(row)).copied().ok_or_else(lost_rows);
                (0..gather.items.len()).map(place).collect::<Result<Vec<_>>>()?
            }
        };
        for (place, item) in places.into_iter().zip(gather.items) {
            *found.get_mut(place).ok_or_else(lost_rows)? = Some(item);
        }
    }
    Ok(found)
}

/// Reads one row by key.
async fn by_key<E: Entity>(executor: Executor<'_>, key: &E::Key, with_deleted: bool) -> Result<Option<E>> {
    let keys = std::slice::from_ref(key);
    // A key that cannot be one is refused as others are.
    KeyBytes::of_keys(keys)?;
    let (mut session, rows, steps, literals) = planned::<E>(executor, keys, with_deleted, false).await?;
    let mut found = None;
    for step in &steps {
        let records = Records::<E>(PhantomData);
        let mut gather = Gather::new(&records, &step.shape, 1);
        session.step(step, &rows, &literals, &mut gather).await?;
        found = gather.items.pop();
    }
    Ok(found)
}

type Planned<'a, 'k, E> = (Session<'a>, KeyRows<'k, <E as Entity>::Key>, Vec<Step>, Vec<Literal<'static>>);

/// A connection, and what to send over it.
async fn planned<'a, 'k, E: Entity>(
    executor: Executor<'a>,
    keys: &'k [E::Key],
    with_deleted: bool,
    by_ordinal: bool,
) -> Result<Planned<'a, 'k, E>> {
    let table = E::TABLE;
    let mut literals = Vec::new();
    let filter = if with_deleted { Predicate::All } else { alive(table, &mut literals) };
    let rows = KeyRows { keys, order: None, columns: table.key };
    let session = executor.open(Intent::Read).await?;
    let steps = select_keys(session.limits(), table, Output::Columns(table.all()), filter, by_ordinal, &Whole(&rows));
    let steps = steps.map_err(|error| renumber_all(error, &rows))?;
    Ok((session, rows, steps, literals))
}

/// Reads one row by key when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct RetrieveOne<'a, E: Entity> {
    pub(super) executor: Executor<'a>,
    key: E::Key,
    with_deleted: bool,
}

impl<'a, E: Entity> RetrieveOne<'a, E> {
    pub(super) fn new(executor: Executor<'a>, key: E::Key) -> Self {
        Self { executor, key, with_deleted: false }
    }

    /// Also takes a row that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.with_deleted = true;
        self
    }
}

impl<'a, E: Entity> IntoFuture for RetrieveOne<'a, E> {
    type Output = Result<Option<E>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { by_key::<E>(self.executor, &self.key, self.with_deleted).await })
    }
}

/// Reads rows by key when it is awaited; yields them in the order of the keys.
#[must_use = "nothing happens until it is awaited"]
pub struct RetrieveByKeys<'a, E: Entity> {
    pub(super) executor: Executor<'a>,
    keys: &'a [E::Key],
    with_deleted: bool,
}

impl<'a, E: Entity> RetrieveByKeys<'a, E> {
    pub(super) fn new(executor: Executor<'a>, keys: &'a [E::Key]) -> Self {
        Self { executor, keys, with_deleted: false }
    }

    /// Also takes rows that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.with_deleted = true;
        self
    }
}

impl<'a, E: Entity> IntoFuture for RetrieveByKeys<'a, E> {
    type Output = Result<Vec<Option<E>>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { by_keys::<E>(self.executor, self.keys, self.with_deleted).await })
    }
}
