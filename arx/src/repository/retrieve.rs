//! `retrieve`, `retrieve_by_keys`, `retrieve_multiple`, `count` and `exists`.

use std::future::IntoFuture;
use std::marker::PhantomData;

use super::batch::KeyRows;
use super::delete::alive;
use super::gather::{Gather, Keys, Records, lost_rows};
use super::page::{ReadKeyset, ReadPage};
use super::session::{Executor, Whole, renumber_all};
use crate::connection::{BoxFuture, Intent};
use crate::entity::{ColumnSet, Entity, Record};
use crate::error::{Error, Result};
use crate::plan::{KeyBytes, KeyOrder, Matching, Output, Paging, Shape, Verb, select, select_keys};
use crate::query::{Filter, OrderList, Ordering, Predicate, both};
use crate::value::{Literal, Value};

/// Reads rows by filter when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Retrieve<'a, E, R = E> {
    executor: Executor<'a>,
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

    /// Reads a page of `size` rows at most, to be continued after its last row. The order is
    /// made unique by the key; its columns take no NULL.
    pub fn keyset(self, size: u64) -> ReadKeyset<'a, E> {
        ReadKeyset::new(self, size)
    }

    pub(super) fn predicate(&self) -> &Predicate {
        self.filter.predicate()
    }

    pub(super) fn also(&mut self, filter: Filter<'a, E>) {
        let before = std::mem::replace(&mut self.filter, Filter::all());
        self.filter = before.and(filter);
    }

    /// Completes the order by the key, so that no two rows are equal in it.
    pub(super) fn keyset_order(&mut self) -> Result<Vec<Ordering>> {
        let ordered: ColumnSet = self.order.iter().map(|ordering| ordering.column).collect();
        self.order.extend(E::TABLE.key.without(&ordered).iter().map(Ordering::ascending));
        match self.order.iter().find(|ordering| E::TABLE.columns[ordering.column].nullable) {
            Some(ordering) => Err(Error::invalid_input("a page by key cannot be ordered by a column that takes NULL")
                .with_column(E::TABLE.label(ordering.column))),
            None => Ok(self.order.clone()),
        }
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
    /// Reads the page of this number, counted from 1, with `size` rows at most, and the number
    /// of rows on all pages, in one round trip. Order the rows, or pages may overlap.
    pub fn page(self, number: u64, size: u64) -> ReadPage<'a, E, R> {
        ReadPage::new(self, number, size)
    }

    /// Reads the rows one after the other, with a bounded number of them in memory. The stream
    /// holds a connection until it ends or is dropped.
    pub fn stream(self) -> super::Records<'a, R> {
        let executor = self.executor;
        let planned = self.output().and_then(|output| self.into_shape(Verb::Select, output));
        super::Records::new(executor, planned.map(|(_, shape, literals)| (shape, literals)))
    }

    async fn run(self) -> Result<Vec<R>> {
        let output = self.output()?;
        let expected = usize::try_from(self.limit.unwrap_or(0)).unwrap_or(0).min(1_024);
        let (executor, shape, literals) = self.into_shape(Verb::Select, output)?;
        read(executor, shape, &literals, &Records::<R>(PhantomData), expected).await
    }
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
pub struct First<'a, E, R>(Retrieve<'a, E, R>);

impl<'a, E: Entity, R: Record + Send + 'a> IntoFuture for First<'a, E, R> {
    type Output = Result<Option<R>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.0.run().await?.pop()) })
    }
}

/// Counts rows when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Count<'a, E>(Retrieve<'a, E>);

impl<'a, E: Entity> Count<'a, E> {
    /// Also counts rows that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.0.with_deleted = true;
        self
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
pub struct Exists<'a, E>(Retrieve<'a, E>);

impl<'a, E: Entity> Exists<'a, E> {
    /// Also takes rows that `soft_delete` has marked.
    pub fn with_deleted(mut self) -> Self {
        self.0.with_deleted = true;
        self
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
    let mut literals = Vec::new();
    let filter = if with_deleted { Predicate::All } else { alive(table, &mut literals) };
    let rows = KeyRows { keys, order: None, columns: table.key };
    let mut session = executor.open(Intent::Read).await?;
    let steps = select_keys(session.limits(), table, Output::Columns(table.all()), filter, by_ordinal, &Whole(&rows));
    for step in &steps.map_err(|error| renumber_all(error, &rows))? {
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

/// Reads one row by key when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct RetrieveOne<'a, E: Entity> {
    executor: Executor<'a>,
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
        Box::pin(async move {
            let keys = std::slice::from_ref(&self.key);
            Ok(by_keys::<E>(self.executor, keys, self.with_deleted).await?.pop().flatten())
        })
    }
}

/// Reads rows by key when it is awaited; yields them in the order of the keys.
#[must_use = "nothing happens until it is awaited"]
pub struct RetrieveByKeys<'a, E: Entity> {
    executor: Executor<'a>,
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
