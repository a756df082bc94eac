//! Pages by number, with the total.

use std::future::IntoFuture;
use std::marker::PhantomData;
use std::task::{Context, Poll};

use super::gather::{Records, Take, lost_rows};
use super::retrieve::Retrieve;
use super::session::Executor;
use crate::connection::{BoxFuture, Discard, Intent, RowSink};
use crate::entity::{Entity, Record};
use crate::error::{Error, Result};
use crate::plan::{Shape, Verb};
use crate::value::{Decoder, Literal, ScalarKind, Value};

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
        self.total.div_ceil(self.size.max(1))
    }
}

/// Reads one page and the total in one round trip when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct ReadPage<'a, E, R> {
    pub(super) retrieve: Retrieve<'a, E, R>,
    number: u64,
    size: u64,
}

impl<'a, E: Entity, R: Record + Send + 'a> ReadPage<'a, E, R> {
    pub(super) fn new(retrieve: Retrieve<'a, E, R>, number: u64, size: u64) -> Self {
        Self { retrieve, number, size }
    }

    /// The shape of the read, and its literals in the order of the text.
    fn into_shape(self) -> Result<(Executor<'a>, Shape, Vec<Literal<'a>>)> {
        if self.number == 0 || self.size == 0 {
            return Err(Error::invalid_input("pages are counted from 1, and a page has at least one row"));
        }
        let before = (self.number - 1).checked_mul(self.size);
        let before = before.ok_or_else(|| Error::invalid_input("there is no page so far behind"))?;
        let output = self.retrieve.output()?;
        self.retrieve.page_of(self.size)?.offset(before).into_shape(Verb::Page, output)
    }

    pub(super) async fn rehearse(self) -> Result<()> {
        let (executor, shape, literals) = self.into_shape()?;
        let mut session = executor.open(Intent::Read).await?;
        session.filtered(shape, &literals, &mut Discard).await.map(drop)
    }

    async fn run(self) -> Result<Page<R>> {
        let (number, size) = (self.number, self.size);
        let (executor, shape, literals) = self.into_shape()?;
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
        Box::pin(async move {
            self.run().await.map_err(|error| error.with_operation(format!("select from {}", E::TABLE.name)))
        })
    }
}

/// Each row begins with the total, and with a truth that is NULL on an empty page.
struct PageSink<R> {
    records: Records<R>,
    items: Vec<R>,
    total: Option<i64>,
}

impl<R: Record + Send> RowSink for PageSink<R> {
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()> {
        let Value::I64(total) = row.next(ScalarKind::I64)? else { return Err(lost_rows()) };
        self.total = Some(total);
        if !row.next(ScalarKind::Bool)?.is_null() {
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
