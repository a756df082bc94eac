//! Pages by key: each begins after the last row of another.

use std::future::IntoFuture;
use std::marker::PhantomData;

use super::cursor::Cursor;
use super::gather::Records;
use super::retrieve::{Retrieve, expected, read_over};
use super::session::Session;
use crate::connection::{BoxFuture, Intent};
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::plan::Verb;
use crate::query::{Comparison, Filter, Ordering};
use crate::value::{Literal, ScalarKind};

/// A page read by key.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeysetPage<E> {
    /// The rows.
    pub items: Vec<E>,
    /// Where the next page begins; `None` when this one was not full. After a full page that was the last one comes
    /// an empty one.
    pub next: Option<Cursor>,
}

/// Reads a page that begins after the last row of another when it is awaited. With an index on the columns of the
/// order, the rows before it are not read again, however far behind the page is.
///
/// Rows that are written or deleted between two pages shift no other row: none is read twice or left out.
#[must_use = "nothing happens until it is awaited"]
pub struct ReadKeyset<'a, E> {
    pub(super) retrieve: Retrieve<'a, E>,
    size: u64,
    after: Option<Cursor>,
}

impl<'a, E: Entity> ReadKeyset<'a, E> {
    pub(super) fn new(retrieve: Retrieve<'a, E>, size: u64) -> Self {
        Self { retrieve, size, after: None }
    }

    /// Begins after the page whose [`next`](KeysetPage::next) this is. The query has to be the
    /// same: filter, values and order.
    pub fn after(mut self, cursor: impl Into<Option<Cursor>>) -> Self {
        self.after = cursor.into();
        self
    }

    /// The read, the fingerprint of its query and its order.
    fn into_retrieve(self) -> Result<(Retrieve<'a, E>, u64, Vec<Ordering>)> {
        if self.size == 0 {
            return Err(Error::invalid_input("a page has at least one row"));
        }
        let mut retrieve = self.retrieve.page_of(self.size)?;
        let order = retrieve.keyset_order()?;
        let query = retrieve.fingerprint();
        if let Some(cursor) = self.after {
            retrieve.also(after(&order, &cursor.values(query, E::TABLE, &order)?));
        }
        Ok((retrieve, query, order))
    }

    async fn run(self) -> Result<KeysetPage<E>> {
        let size = self.size;
        let (retrieve, query, order) = self.into_retrieve()?;
        let output = retrieve.output()?;
        let (executor, shape, literals) = retrieve.into_shape(Verb::Select, output)?;
        let mut session = executor.open(Intent::Read).await?;
        refuse_lists::<E>(&mut session, &order).await?;
        let records = Records::<E>(PhantomData);
        let items = read_over(&mut session, shape, &literals, &records, expected(Some(size))).await?;
        let is_full = u64::try_from(items.len()).is_ok_and(|count| count == size);
        let next = items.last().filter(|_| is_full).map(|last| Cursor::at(last, query, &order)).transpose()?;
        Ok(KeysetPage { items, next })
    }
}

impl<'a, E: Entity> IntoFuture for ReadKeyset<'a, E> {
    type Output = Result<KeysetPage<E>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            self.run().await.map_err(|error| error.with_operation(format!("select from {}", E::TABLE.name)))
        })
    }
}

/// An order by the places of a list cannot be gone on with by comparing texts.
async fn refuse_lists<E: Entity>(session: &mut Session<'_>, order: &[Ordering]) -> Result<()> {
    let is_text = |ordering: &Ordering| E::TABLE.columns[ordering.column].kind == ScalarKind::Text;
    if !session.limits().listed_texts || !order.iter().any(is_text) {
        return Ok(());
    }
    let facts = session.facts(E::TABLE).await?;
    match order.iter().find(|ordering| facts.listed.contains(&ordering.column)) {
        None => Ok(()),
        Some(ordering) => Err(Error::unsupported(
            "an ENUM or SET sorts by its list and compares as text: a page by key cannot be ordered by it",
        )
        .with_column(E::TABLE.label(ordering.column))),
    }
}

/// `a >= x AND (a > x OR (a = x AND (b > y OR ..)))`, with `<` for a descending column. The first comparison says
/// nothing new, but lets an index begin at `x`.
fn after<'a, E>(order: &[Ordering], place: &[Literal<'_>]) -> Filter<'a, E> {
    let compare = |ordering: &Ordering, comparison, value: &Literal<'_>| {
        Filter::compare(ordering.column, comparison, Literal::owned(value.value()))
    };
    let mut filter: Option<Filter<'a, E>> = None;
    for (ordering, value) in order.iter().zip(place).rev() {
        let (beyond, from) = match ordering.descending {
            true => (Comparison::Lt, Comparison::Le),
            false => (Comparison::Gt, Comparison::Ge),
        };
        let strictly = compare(ordering, beyond, value);
        filter = Some(match filter {
            None => strictly,
            Some(rest) => {
                let equal = compare(ordering, Comparison::Eq, value).and(rest);
                compare(ordering, from, value).and(strictly.or(equal))
            }
        });
    }
    filter.unwrap_or_else(Filter::all)
}
