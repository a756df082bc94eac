//! `retrieve_multiple`, `count` and `exists`: reads by filter.

use std::future::IntoFuture;
use std::marker::PhantomData;

use super::cursor::fingerprint;
use super::delete::alive;
use super::gather::{Gather, Keys, Records, lost_rows};
use super::keyset::ReadKeyset;
use super::page::ReadPage;
use super::session::{Executor, Session};
use crate::connection::{BoxFuture, Discard, Intent};
use crate::entity::{ColumnSet, Entity, Record};
use crate::error::{Error, Result};
use crate::plan::{Output, Paging, Shape, Verb, select};
use crate::query::{Filter, OrderList, Ordering, both};
use crate::value::{Literal, ScalarKind, Value};

/// Reads rows by filter when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Retrieve<'a, E, R = E> {
    pub(super) executor: Executor<'a>,
    filter: Filter<'a, E>,
    order: Vec<Ordering>,
    limit: Option<u64>,
    offset: Option<u64>,
    with_deleted: bool,
    marker: PhantomData<fn() -> R>,
}

impl<'a, E: Entity> Retrieve<'a, E> {
    pub(super) fn new(executor: Executor<'a>, filter: Filter<'a, E>) -> Self {
        Self {
            executor,
            filter,
            order: Vec::new(),
            limit: None,
            offset: None,
            with_deleted: false,
            marker: PhantomData,
        }
    }

    /// Reads a page of `size` rows at most, to be continued after its last row. The key is added to the order, so
    /// that no two rows are equal in it.
    ///
    /// The columns of the order must take no NULL: nothing is beyond NULL or equal to it, so that rows would be lost.
    ///
    /// ```
    /// # use arx::{Database, Entity};
    /// # #[derive(Entity)]
    /// # struct Customer { #[arx(key)] id: i64, name: String }
    /// # async fn example(db: Database) -> arx::Result<()> {
    /// let by_name = || db.repository().retrieve_multiple(()).order_by(Customer::NAME.asc());
    /// let first = by_name().keyset(50).await?;
    /// let second = by_name().keyset(50).after(first.next).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn keyset(self, size: u64) -> ReadKeyset<'a, E> {
        ReadKeyset::new(self, size)
    }

    pub(super) fn also(&mut self, filter: Filter<'a, E>) {
        let before = std::mem::replace(&mut self.filter, Filter::all());
        self.filter = before.and(filter);
    }

    /// The order, of columns that a place in it can be told by.
    pub(super) fn keyset_order(&self) -> Result<Vec<Ordering>> {
        for ordering in &self.order {
            let column = &E::TABLE.columns[ordering.column];
            let message = match column.kind {
                _ if column.nullable => "a page by key cannot be ordered by a column that takes NULL",
                ScalarKind::Json | ScalarKind::Array(_) => "a page by key cannot be ordered by JSON or an array",
                _ => continue,
            };
            return Err(Error::invalid_input(message).with_column(E::TABLE.label(ordering.column)));
        }
        Ok(self.order.clone())
    }

    /// What tells this query from others.
    pub(super) fn fingerprint(&self) -> u64 {
        fingerprint(E::TABLE, self.filter.parts(), self.with_deleted, &self.order)
    }

    /// Reads these columns only, as `P`, whose columns are found in the table by name.
    pub fn select<P: Record>(self) -> Retrieve<'a, E, P> {
        let Self { executor, filter, order, limit, offset, with_deleted, .. } = self;
        Retrieve { executor, filter, order, limit, offset, with_deleted, marker: PhantomData }
    }
}

impl<'a, E: Entity, R: Record> Retrieve<'a, E, R> {
    /// Orders by one column, or a tuple of them, the most significant first; called again, it
    /// adds less significant ones.
    pub fn order_by(mut self, order: impl OrderList<E>) -> Self {
        order.push_to(&mut self.order);
        self
    }

    /// Reads at most so many rows.
    pub fn limit(mut self, rows: u64) -> Self {
        self.limit = Some(rows);
        self
    }

    /// Passes over so many rows first.
    pub fn offset(mut self, rows: u64) -> Self {
        self.offset = Some(rows);
        self
    }

    /// Also takes rows that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.with_deleted = true;
        self
    }

    /// Reads the first row, if there is one.
    pub fn first(self) -> First<'a, E, R> {
        let rows = self.limit.unwrap_or(1).min(1);
        First(self.limit(rows))
    }

    /// Counts instead of reading. Order, limit and offset do not count.
    pub fn count(self) -> Count<'a, E> {
        Count(self.bare())
    }

    /// Tells whether there is a row instead of reading it.
    pub fn exists(self) -> Exists<'a, E> {
        Exists(self.bare())
    }

    fn bare(self) -> Retrieve<'a, E> {
        Retrieve {
            executor: self.executor,
            filter: self.filter,
            order: Vec::new(),
            limit: None,
            offset: None,
            with_deleted: self.with_deleted,
            marker: PhantomData,
        }
    }

    /// The columns of `R`: all of the table's for the entity itself, else those of the same names.
    pub(super) fn output(&self) -> Result<Output> {
        output::<E, R>()
    }

    /// Limited to a page of so many rows, in an order in which no two rows are equal.
    pub(super) fn page_of(mut self, size: u64) -> Result<Self> {
        if self.limit.is_some() || self.offset.is_some() {
            return Err(Error::invalid_input(
                "a page has a limit and an offset of its own; leave out those of the read",
            ));
        }
        let mut ordered = ColumnSet::EMPTY;
        self.order.retain(|ordering| {
            let is_new = !ordered.contains(ordering.column);
            ordered.insert(ordering.column);
            is_new
        });
        self.order.extend(E::TABLE.key.without(&ordered).iter().map(Ordering::ascending));
        Ok(self.limit(size))
    }

    /// The shape of the read, and its literals in the order of the text.
    pub(super) fn into_shape(self, verb: Verb, output: Output) -> Result<(Executor<'a>, Shape, Vec<Literal<'a>>)> {
        let (mut predicate, mut literals) = self.filter.into_parts();
        if !self.with_deleted {
            let mut marks = Vec::new();
            let living = alive(E::TABLE, &mut marks);
            literals.extend(marks);
            predicate = both(predicate, living);
        }
        let paging = Paging { order: self.order, limit: self.limit.is_some(), offset: self.offset.is_some() };
        for (rows, name) in [(self.limit, "limit"), (self.offset, "offset")] {
            literals.extend(rows.map(|rows| row_count(rows, name)).transpose()?);
        }
        Ok((self.executor, select(verb, E::TABLE, output, predicate, paging), literals))
    }
}

impl<'a, E: Entity, R: Record + Send + 'a> Retrieve<'a, E, R> {
    /// Reads the page of this number, counted from 1, with `size` rows at most, and the number of rows on all pages,
    /// in one round trip. The key is added to the order, so that pages do not overlap.
    ///
    /// The rows before the page are passed over, which takes longer the further behind it is: see
    /// [`keyset`](Retrieve::keyset).
    ///
    /// ```
    /// # use arx::{Database, Entity};
    /// # #[derive(Entity)]
    /// # struct Customer { #[arx(key)] id: i64, name: String }
    /// # async fn example(db: Database) -> arx::Result<()> {
    /// let customers = db.repository::<Customer>();
    /// let page = customers.retrieve_multiple(()).order_by(Customer::NAME.asc()).page(3, 50).await?;
    /// println!("page {} of {}: {} of {} rows", page.number, page.pages(), page.items.len(), page.total);
    /// # Ok(())
    /// # }
    /// ```
    pub fn page(self, number: u64, size: u64) -> ReadPage<'a, E, R> {
        ReadPage::new(self, number, size)
    }

    /// Reads the rows one after the other, with a bounded number of them in memory.
    ///
    /// ```
    /// # use arx::{Database, Entity};
    /// # #[derive(Entity)]
    /// # struct Customer { #[arx(key)] id: i64, name: String }
    /// use futures_util::StreamExt as _;
    ///
    /// # async fn example(db: Database) -> arx::Result<()> {
    /// let mut rows = db.repository::<Customer>().retrieve_multiple(()).order_by(Customer::ID.asc()).stream();
    /// while let Some(customer) = rows.next().await {
    ///     println!("{}", customer?.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream(self) -> super::Records<'a, R> {
        let executor = self.executor;
        let planned = self.output().and_then(|output| self.into_shape(Verb::Select, output));
        super::Records::new(executor, planned.map(|(_, shape, literals)| (shape, literals)))
    }

    async fn run(self) -> Result<Vec<R>> {
        let output = self.output()?;
        let expected = expected(self.limit);
        let (executor, shape, literals) = self.into_shape(Verb::Select, output)?;
        read(executor, shape, &literals, &Records::<R>(PhantomData), expected).await
    }
}

/// For how many rows there shall be room from the start.
pub(super) fn expected(limit: Option<u64>) -> usize {
    usize::try_from(limit.unwrap_or(0)).unwrap_or(0).min(1_024)
}

fn row_count(rows: u64, name: &str) -> Result<Literal<'static>> {
    let rows = i64::try_from(rows);
    rows.map(|rows| Literal::Plain(Value::I64(rows)))
        .map_err(|_| Error::invalid_input(format!("the {name} is above {}, which no database takes", i64::MAX)))
}

fn output<E: Entity, R: Record>() -> Result<Output> {
    let table = E::TABLE;
    if std::ptr::eq(R::COLUMNS, table.columns) {
        return Ok(Output::Columns(table.all()));
    }
    let places = R::COLUMNS.iter().map(|wanted| {
        table.columns.iter().position(|column| column.name == wanted.name).ok_or_else(|| {
            Error::invalid_input(format!("{} has no column for the projection's field {}", table.entity, wanted.field))
        })
    });
    places.collect::<Result<Vec<_>>>().map(Output::List)
}

/// Runs a read by filter.
async fn read<T: super::gather::Take>(
    executor: Executor<'_>,
    shape: Shape,
    literals: &[Literal<'_>],
    take: &T,
    expected: usize,
) -> Result<Vec<T::Item>> {
    let mut session = executor.open(Intent::Read).await?;
    read_over(&mut session, shape, literals, take, expected).await
}

/// Runs a read by filter on a connection.
pub(super) async fn read_over<T: super::gather::Take>(
    session: &mut Session<'_>,
    shape: Shape,
    literals: &[Literal<'_>],
    take: &T,
    expected: usize,
) -> Result<Vec<T::Item>> {
    let mut gather = Gather::new(take, &shape, expected);
    session.filtered(shape, literals, &mut gather).await?;
    Ok(gather.items)
}

impl<'a, E: Entity, R: Record + Send + 'a> IntoFuture for Retrieve<'a, E, R> {
    type Output = Result<Vec<R>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// Reads the first row when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct First<'a, E, R>(pub(super) Retrieve<'a, E, R>);

impl<'a, E: Entity, R: Record + Send + 'a> IntoFuture for First<'a, E, R> {
    type Output = Result<Option<R>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.0.run().await?.pop()) })
    }
}

/// Counts rows when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Count<'a, E>(pub(super) Retrieve<'a, E>);

impl<'a, E: Entity> Count<'a, E> {
    /// Also counts rows that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.0.with_deleted = true;
        self
    }

    pub(super) async fn rehearse(self) -> Result<()> {
        let (executor, shape, literals) = self.0.into_shape(Verb::Count, Output::NOTHING)?;
        let mut session = executor.open(Intent::Read).await?;
        session.filtered(shape, &literals, &mut Discard).await.map(drop)
    }
}

impl<'a, E: Entity> IntoFuture for Count<'a, E> {
    type Output = Result<u64>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (executor, shape, literals) = self.0.into_shape(Verb::Count, Output::NOTHING)?;
            let count = read(executor, shape, &literals, &Keys::<i64>(PhantomData), 1).await?.pop();
            count.and_then(|count| u64::try_from(count).ok()).ok_or_else(lost_rows)
        })
    }
}

/// Tells whether there is a row when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Exists<'a, E>(pub(super) Retrieve<'a, E>);

impl<'a, E: Entity> Exists<'a, E> {
    /// Also takes rows that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.0.with_deleted = true;
        self
    }

    pub(super) async fn rehearse(self) -> Result<()> {
        let (executor, shape, literals) = self.0.into_shape(Verb::Exists, Output::NOTHING)?;
        let mut session = executor.open(Intent::Read).await?;
        session.filtered(shape, &literals, &mut Discard).await.map(drop)
    }
}

impl<'a, E: Entity> IntoFuture for Exists<'a, E> {
    type Output = Result<bool>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let (executor, shape, literals) = self.0.into_shape(Verb::Exists, Output::NOTHING)?;
            read(executor, shape, &literals, &Keys::<bool>(PhantomData), 1).await?.pop().ok_or_else(lost_rows)
        })
    }
}
