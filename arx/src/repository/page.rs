//! Pages: by number with the total, and by the key of the last row.

use std::future::IntoFuture;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::gather::{Records, Take, lost_rows};
use super::retrieve::Retrieve;
use crate::connection::{BoxFuture, Intent, RowSink};
use crate::entity::{ColumnSet, Entity, Record};
use crate::error::{Error, Result};
use crate::plan::Verb;
use crate::query::{Filter, Ordering, Predicate};
use crate::value::{Decoder, Encoder, Literal, ScalarKind, Value};

/// One page of rows, and how many there are on all pages.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page<R> {
    /// The rows of the page; none past the last page.
    pub items: Vec<R>,
    /// The rows that the filter takes.
    pub total: u64,
    /// The page's number, from 1.
    pub number: u64,
    /// The most rows a page has.
    pub size: u64,
}

impl<R> Page<R> {
    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> u64 {
        self.total.div_ceil(self.size)
    }
}

/// Reads one page and the total in one round trip when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct ReadPage<'a, E, R> {
    retrieve: Retrieve<'a, E, R>,
    number: u64,
    size: u64,
}

impl<'a, E: Entity, R: Record + Send + 'a> ReadPage<'a, E, R> {
    pub(super) fn new(retrieve: Retrieve<'a, E, R>, number: u64, size: u64) -> Self {
        Self { retrieve, number, size }
    }

    async fn run(self) -> Result<Page<R>> {
        let (number, size) = (self.number, self.size);
        if number == 0 || size == 0 {
            return Err(Error::invalid_input("pages are counted from 1, and a page has at least one row"));
        }
        let before =
            (number - 1).checked_mul(size).ok_or_else(|| Error::invalid_input("there is no page so far behind"))?;
        let output = self.retrieve.output()?;
        let (executor, shape, literals) = self.retrieve.limit(size).offset(before).into_shape(Verb::Page, output)?;
        let mut session = executor.open(Intent::Read).await?;
        let mut sink = PageSink { records: Records::<R>(PhantomData), items: Vec::new(), total: None };
        session.filtered(shape, &literals, &mut sink).await?;
        let total = sink.total.and_then(|total| u64::try_from(total).ok()).ok_or_else(lost_rows)?;
        Ok(Page { items: sink.items, total, number, size })
    }
}

impl<'a, E: Entity, R: Record + Send + 'a> IntoFuture for ReadPage<'a, E, R> {
    type Output = Result<Page<R>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// Each row begins with the total and its number on the page, which is NULL on an empty page.
struct PageSink<R> {
    records: Records<R>,
    items: Vec<R>,
    total: Option<i64>,
}

impl<R: Record + Send> RowSink for PageSink<R> {
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()> {
        let Value::I64(total) = row.next(ScalarKind::I64)? else { return Err(lost_rows()) };
        self.total = Some(total);
        if !row.next(ScalarKind::I64)?.is_null() {
            let item = self.records.take(row).map_err(|error| {
                let column = R::COLUMNS.get(row.position().saturating_sub(3));
                match column {
                    Some(column) => error.with_column(column.field),
                    None => error,
                }
            })?;
            self.items.push(item);
        }
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

/// The place after the last row of a page read by key. It belongs to the query that made it.
#[derive(Clone)]
pub struct Cursor {
    query: u64,
    values: Arc<[Literal<'static>]>,
}

impl std::fmt::Debug for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cursor")
    }
}

/// A page read by key.
#[derive(Debug)]
#[non_exhaustive]
pub struct KeysetPage<E> {
    /// The rows.
    pub items: Vec<E>,
    /// Where the next page begins; `None` when this one was not full.
    pub next: Option<Cursor>,
}

/// Reads a page that begins after the last row of another when it is awaited. The rows before
/// it are not read again, however far behind the page is.
#[must_use = "nothing happens until it is awaited"]
pub struct ReadKeyset<'a, E> {
    retrieve: Retrieve<'a, E>,
    size: u64,
    after: Option<Cursor>,
}

impl<'a, E: Entity> ReadKeyset<'a, E> {
    pub(super) fn new(retrieve: Retrieve<'a, E>, size: u64) -> Self {
        Self { retrieve, size, after: None }
    }

    /// Begins after the page whose [`next`](KeysetPage::next) this is. The query has to be the
    /// same: filter and order.
    pub fn after(mut self, cursor: impl Into<Option<Cursor>>) -> Self {
        self.after = cursor.into();
        self
    }

    async fn run(mut self) -> Result<KeysetPage<E>> {
        if self.size == 0 {
            return Err(Error::invalid_input("a page has at least one row"));
        }
        let order = self.retrieve.keyset_order()?;
        let query = fingerprint::<E>(self.retrieve.predicate(), &order);
        if let Some(cursor) = self.after.take() {
            if cursor.query != query {
                let message = "the cursor belongs to another query; filter and order must be those that made it";
                return Err(Error::invalid_input(message));
            }
            self.retrieve.also(after(&order, &cursor));
        }
        let size = self.size;
        let items: Vec<E> = self.retrieve.limit(size).await?;
        let is_full = u64::try_from(items.len()).is_ok_and(|count| count == size);
        let next = items.last().filter(|_| is_full).map(|last| Cursor { query, values: place(last, &order) });
        Ok(KeysetPage { items, next })
    }
}

impl<'a, E: Entity> IntoFuture for ReadKeyset<'a, E> {
    type Output = Result<KeysetPage<E>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

fn fingerprint<E: Entity>(predicate: &Predicate, order: &[Ordering]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (E::TABLE.schema, E::TABLE.name, predicate, order).hash(&mut hasher);
    hasher.finish()
}

/// `a > x OR (a = x AND (b > y OR ..))`, with `<` for a descending column.
fn after<'a, E>(order: &[Ordering], cursor: &Cursor) -> Filter<'a, E> {
    let mut filter: Option<Filter<'a, E>> = None;
    for (ordering, value) in order.iter().zip(cursor.values.iter()).rev() {
        let beyond = Filter::beyond(*ordering, value);
        filter = Some(match filter {
            None => beyond,
            Some(rest) => beyond.or(Filter::equal(ordering.column, value).and(rest)),
        });
    }
    filter.unwrap_or_else(Filter::all)
}

fn place<E: Entity>(last: &E, order: &[Ordering]) -> Arc<[Literal<'static>]> {
    let mut values = Values(Vec::with_capacity(order.len()));
    order.iter().for_each(|ordering| last.encode_row(&ColumnSet::of(ordering.column), &mut values));
    values.0.into()
}

struct Values(Vec<Literal<'static>>);

impl Encoder for Values {
    fn value(&mut self, value: Value<'_>) {
        self.0.push(Literal::owned(value));
    }

    fn fail(&mut self, error: Error) {
        self.0.push(Literal::Failed(Box::new(error)));
    }
}
