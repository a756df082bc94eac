//! Rows as the caller gives them, and as they are sent.

use std::ops::Range;

use super::session::Batched;
use crate::entity::{ColumnSet, Entity, Key};
use crate::error::Error;
use crate::value::{Encoder, Literal};

/// One row: `&entity`, or `&mut entity` to have what the database made written back.
pub enum Row<'a, E> {
    /// Only read.
    Shared(&'a E),
    /// Written back after success.
    Mutable(&'a mut E),
}

impl<'a, E> From<&'a E> for Row<'a, E> {
    fn from(row: &'a E) -> Self {
        Row::Shared(row)
    }
}

impl<'a, E> From<&'a mut E> for Row<'a, E> {
    fn from(row: &'a mut E) -> Self {
        Row::Mutable(row)
    }
}

/// Many rows: a reference to a slice, array or `Vec`; `&mut` to have what the database made
/// written back.
pub enum Batch<'a, E> {
    /// Only read.
    Shared(&'a [E]),
    /// Written back after success.
    Mutable(&'a mut [E]),
}

impl<E> Batch<'_, E> {
    pub(super) fn rows(&self) -> &[E] {
        match self {
            Batch::Shared(rows) => rows,
            Batch::Mutable(rows) => rows,
        }
    }

    pub(super) fn is_mutable(&self) -> bool {
        matches!(self, Batch::Mutable(_))
    }

    pub(super) fn rows_mut(&mut self) -> &mut [E] {
        match self {
            Batch::Shared(_) => &mut [],
            Batch::Mutable(rows) => rows,
        }
    }
}

impl<'a, E> From<Row<'a, E>> for Batch<'a, E> {
    fn from(row: Row<'a, E>) -> Self {
        match row {
            Row::Shared(row) => Batch::Shared(std::slice::from_ref(row)),
            Row::Mutable(row) => Batch::Mutable(std::slice::from_mut(row)),
        }
    }
}

impl<'a, E> From<&'a [E]> for Batch<'a, E> {
    fn from(rows: &'a [E]) -> Self {
        Batch::Shared(rows)
    }
}

impl<'a, E> From<&'a Vec<E>> for Batch<'a, E> {
    fn from(rows: &'a Vec<E>) -> Self {
        Batch::Shared(rows)
    }
}

impl<'a, E, const N: usize> From<&'a [E; N]> for Batch<'a, E> {
    fn from(rows: &'a [E; N]) -> Self {
        Batch::Shared(rows)
    }
}

impl<'a, E> From<&'a mut [E]> for Batch<'a, E> {
    fn from(rows: &'a mut [E]) -> Self {
        Batch::Mutable(rows)
    }
}

impl<'a, E> From<&'a mut Vec<E>> for Batch<'a, E> {
    fn from(rows: &'a mut Vec<E>) -> Self {
        Batch::Mutable(rows)
    }
}

impl<'a, E, const N: usize> From<&'a mut [E; N]> for Batch<'a, E> {
    fn from(rows: &'a mut [E; N]) -> Self {
        Batch::Mutable(rows)
    }
}

/// Entities in the order in which they are sent. `made` holds values that arx has made for
/// some columns (client-generated keys), a value for each input row.
pub(super) struct EntityRows<'a, E> {
    pub(super) rows: &'a [E],
    pub(super) order: Option<&'a [u32]>,
    pub(super) made: &'a [(usize, Vec<Literal<'static>>)],
}

impl<'a, E> EntityRows<'a, E> {
    pub(super) fn new(rows: &'a [E], order: Option<&'a [u32]>) -> Self {
        Self { rows, order, made: &[] }
    }

    fn made(&self, column: usize) -> Option<&[Literal<'static>]> {
        self.made.iter().find(|(made, _)| *made == column).map(|(_, values)| values.as_slice())
    }
}

impl<E: Entity> Batched for EntityRows<'_, E> {
    fn len(&self) -> usize {
        self.order.map_or(self.rows.len(), <[u32]>::len)
    }

    fn input(&self, row: usize) -> usize {
        self.order.map_or(row, |order| order.get(row).map_or(row, |&row| row as usize))
    }

    fn write_column(&self, rows: Range<usize>, column: usize, out: &mut dyn Encoder) {
        match (self.made(column), self.order) {
            (Some(made), _) => rows.filter_map(|row| made.get(self.input(row))).for_each(|value| value.encode(out)),
            (None, None) => E::encode(self.rows.get(rows).unwrap_or_default(), None, column, out),
            (None, Some(order)) => E::encode(self.rows, Some(order.get(rows).unwrap_or_default()), column, out),
        }
    }

    fn write_row(&self, row: usize, columns: &ColumnSet, out: &mut dyn Encoder) {
        let input = self.input(row);
        let Some(entity) = self.rows.get(input) else {
            return out.fail(Error::encode("the batch has no such row"));
        };
        if self.made.is_empty() {
            return entity.encode_row(columns, out);
        }
        for column in columns.iter() {
            match self.made(column).and_then(|made| made.get(input)) {
                Some(value) => value.encode(out),
                None => entity.encode_row(&ColumnSet::of(column), out),
            }
        }
    }
}

/// Keys in the order in which they are sent; the key's columns are the columns of the batch.
pub(super) struct KeyRows<'a, K> {
    pub(super) keys: &'a [K],
    pub(super) order: Option<&'a [u32]>,
    pub(super) columns: ColumnSet,
}

impl<K: Key> KeyRows<'_, K> {
    fn part(&self, column: usize) -> usize {
        self.columns.iter().position(|key| key == column).unwrap_or(usize::MAX)
    }
}

impl<K: Key> Batched for KeyRows<'_, K> {
    fn len(&self) -> usize {
        self.order.map_or(self.keys.len(), <[u32]>::len)
    }

    fn input(&self, row: usize) -> usize {
        self.order.map_or(row, |order| order.get(row).map_or(row, |&row| row as usize))
    }

    fn write_column(&self, rows: Range<usize>, column: usize, out: &mut dyn Encoder) {
        let part = self.part(column);
        rows.filter_map(|row| self.keys.get(self.input(row))).for_each(|key| key.encode(part, out));
    }

    fn write_row(&self, row: usize, columns: &ColumnSet, out: &mut dyn Encoder) {
        if let Some(key) = self.keys.get(self.input(row)) {
            columns.iter().for_each(|column| key.encode(self.part(column), out));
        }
    }
}
