//! Gathers returned rows and puts them where their input rows stand.

use std::sync::Arc;
use std::task::{Context, Poll};

use crate::connection::RowSink;
use crate::entity::{ColumnSet, Key, Record, Rows, Table};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{KeyBytes, Matching, Shape};
use crate::value::{Decoder, Literal, ScalarKind, Value};

/// What is made of a returned row.
pub(super) trait Take: Send + Sync {
    type Item: Send;

    fn take(&self, row: &mut dyn Decoder) -> Result<Self::Item>;
}

/// The row as a record.
pub(super) struct Records<R>(pub(super) std::marker::PhantomData<fn() -> R>);

impl<R: Record + Send> Take for Records<R> {
    type Item = R;

    fn take(&self, row: &mut dyn Decoder) -> Result<R> {
        R::decode(row)
    }
}

/// The row as a key.
pub(super) struct Keys<K>(pub(super) std::marker::PhantomData<fn() -> K>);

impl<K: Key> Take for Keys<K> {
    type Item = K;

    fn take(&self, row: &mut dyn Decoder) -> Result<K> {
        K::decode(row)
    }
}

/// The row's values as they are, for columns that differ from group to group.
pub(super) struct Values {
    columns: Arc<[usize]>,
    kinds: Vec<ScalarKind>,
}

impl Values {
    pub(super) fn of(table: &Table, columns: Vec<usize>) -> Self {
        let kinds = columns.iter().map(|&column| table.columns[column].kind).collect();
        Self { columns: columns.into(), kinds }
    }
}

/// The values of some columns of one row.
pub(super) struct Returned {
    pub(super) columns: Arc<[usize]>,
    pub(super) values: Vec<Literal<'static>>,
}

impl Take for Values {
    type Item = Returned;

    fn take(&self, row: &mut dyn Decoder) -> Result<Returned> {
        let values = self.kinds.iter().map(|&kind| row.next(kind).map(Literal::owned)).collect::<Result<_>>()?;
        Ok(Returned { columns: Arc::clone(&self.columns), values })
    }
}

/// A sink that gathers one step's rows.
pub(super) struct Gather<'a, T: Take> {
    take: &'a T,
    table: &'static Table,
    columns: Vec<usize>,
    by_key: bool,
    by_ordinal: bool,
    pub(super) items: Vec<T::Item>,
    pub(super) keys: KeyBytes,
    pub(super) ordinals: Vec<usize>,
}

impl<'a, T: Take> Gather<'a, T> {
    pub(super) fn new(take: &'a T, shape: &Shape, rows: usize) -> Self {
        let by_ordinal = matches!(shape.matching, Matching::Ordinal { .. });
        Self {
            take,
            table: shape.table,
            columns: shape.output.columns(),
            by_key: matches!(shape.matching, Matching::SortedIdentity | Matching::CarriedKey),
            by_ordinal,
            items: Vec::with_capacity(rows),
            keys: KeyBytes::default(),
            ordinals: Vec::with_capacity(if by_ordinal { rows } else { 0 }),
        }
    }

    /// Also gathers the keys of the rows.
    pub(super) fn with_keys(mut self) -> Self {
        self.by_key = true;
        self
    }

    fn decode(&mut self, row: &mut dyn Decoder) -> Result<T::Item> {
        if !self.by_key {
            return self.take.take(row);
        }
        let mut tapped = Tapped { row, columns: &self.columns, key: &self.table.key, keys: &mut self.keys };
        let item = self.take.take(&mut tapped);
        self.keys.end();
        item
    }
}

impl<T: Take> RowSink for Gather<'_, T> {
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()> {
        let item = self.decode(row).map_err(|error| match self.columns.get(row.position().saturating_sub(1)) {
            Some(&column) => error.with_column(self.table.label(column)),
            None => error,
        })?;
        self.items.push(item);
        if self.by_ordinal {
            let Value::I64(ordinal) = row.next(ScalarKind::I64)? else { return Err(lost_rows()) };
            self.ordinals.push(usize::try_from(ordinal - 1).map_err(|_| lost_rows())?);
        }
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}

/// A decoder that copies the key's columns as they pass.
struct Tapped<'a> {
    row: &'a mut dyn Decoder,
    columns: &'a [usize],
    key: &'a ColumnSet,
    keys: &'a mut KeyBytes,
}

impl Decoder for Tapped<'_> {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        let column = self.columns.get(self.row.position()).copied();
        let value = self.row.next(kind)?;
        if column.is_some_and(|column| self.key.contains(column)) {
            crate::value::Encoder::value(self.keys, value);
        }
        Ok(value)
    }

    fn position(&self) -> usize {
        self.row.position()
    }
}

impl<T: Take> Gather<'_, T> {
    /// Hands each item to `put` with the number of its row within the step.
    ///
    /// # Errors
    /// `Database` when not every row has exactly one item: a trigger or a rule has changed
    /// what was inserted.
    pub(super) fn place(self, matching: &Matching, rows: &dyn Rows, mut put: impl FnMut(usize, T::Item)) -> Result<()> {
        if self.items.len() != rows.len() {
            return Err(lost_rows());
        }
        match matching {
            Matching::Ordinal { .. } => {
                self.items.into_iter().zip(self.ordinals).for_each(|(item, row)| put(row, item));
            }
            Matching::SortedIdentity => {
                let order = self.keys.sorted();
                let mut places: Vec<usize> = (0..rows.len()).collect();
                for (place, &arrived) in order.iter().flatten().enumerate() {
                    places[arrived as usize] = place;
                }
                self.items.into_iter().zip(places).for_each(|(item, row)| put(row, item));
            }
            Matching::CarriedKey => {
                let sent = KeyBytes::of_rows(rows, &self.table.key)?;
                let places = sent.places();
                for (arrived, item) in self.items.into_iter().enumerate() {
                    put(*places.get(self.keys.get(arrived)).ok_or_else(lost_rows)?, item);
                }
            }
            _ => self.items.into_iter().enumerate().for_each(|(row, item)| put(row, item)),
        }
        Ok(())
    }
}

pub(super) fn lost_rows() -> Error {
    Error::new(
        ErrorKind::Database,
        "the rows that came back are not those that were sent: a trigger, a rule or a view has changed them; use .without_keys()",
    )
}
