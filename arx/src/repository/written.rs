//! What arx itself writes into a batch: versions, times, and keys that it makes.

use super::batch::EntityRows;
use super::clock::instant;
use crate::entity::{ColumnSet, Entity, Key};
use crate::error::Result;
use crate::value::{Decoder, Encoder, Literal, ScalarKind, Value};

/// The values that arx makes for one batch.
pub(super) struct Written {
    /// The columns that have one value for all rows.
    pub(super) stamped: Vec<usize>,
    /// Their values.
    pub(super) literals: Vec<Literal<'static>>,
    /// The columns that have a value for each row.
    pub(super) made: Vec<(usize, Vec<Literal<'static>>)>,
}

impl Written {
    /// Version, times, and keys that the client makes unless the rows carry them.
    pub(super) fn new<E: Entity>(now: i64, rows: usize, given_keys: bool) -> Result<Self> {
        let table = E::TABLE;
        let mut written = Self { stamped: Vec::new(), literals: Vec::new(), made: Vec::new() };
        for column in [table.version, table.created_at, table.updated_at].into_iter().flatten() {
            let meta = &table.columns[column];
            written.stamped.push(column);
            written.literals.push(match Some(column) == table.version {
                true => integer(meta.kind, 1),
                false => instant(meta, now)?,
            });
        }
        let generates = |column: &usize| table.columns[*column].generate && !given_keys;
        for column in table.key.iter().filter(generates) {
            let mut values = Made(Vec::with_capacity(rows));
            (0..rows).for_each(|_| E::generate(column, &mut values));
            written.made.push((column, values.0));
        }
        Ok(written)
    }

    /// The key of a row whose key the database does not make.
    pub(super) fn key_of<E: Entity>(&self, entity: &E, row: usize) -> Result<E::Key> {
        if self.made.is_empty() {
            return Ok(entity.key());
        }
        let key = EntityRows { rows: std::slice::from_ref(entity), order: None, made: &[] };
        let mut parts = Parts { literals: Vec::new(), next: 0 };
        for column in E::TABLE.key.iter() {
            match self.made.iter().find(|(made, _)| *made == column).and_then(|(_, values)| values.get(row)) {
                Some(value) => value.encode(&mut parts),
                None => super::session::Batched::write_row(&key, 0, &ColumnSet::of(column), &mut parts),
            }
        }
        E::Key::decode(&mut parts)
    }
}

fn integer(kind: ScalarKind, value: u8) -> Literal<'static> {
    Literal::Plain(match kind {
        ScalarKind::I8 => Value::I8(value.cast_signed()),
        ScalarKind::I16 => Value::I16(value.into()),
        ScalarKind::I32 => Value::I32(value.into()),
        ScalarKind::U8 => Value::U8(value),
        ScalarKind::U16 => Value::U16(value.into()),
        ScalarKind::U32 => Value::U32(value.into()),
        ScalarKind::U64 => Value::U64(value.into()),
        _ => Value::I64(value.into()),
    })
}

/// Gathers the values that arx makes for one column.
struct Made(Vec<Literal<'static>>);

impl Encoder for Made {
    fn value(&mut self, value: Value<'_>) {
        self.0.push(Literal::owned(value));
    }

    fn fail(&mut self, error: crate::error::Error) {
        self.0.push(Literal::Failed(Box::new(error)));
    }
}

/// The parts of a key, written and then read.
struct Parts {
    literals: Vec<Literal<'static>>,
    next: usize,
}

impl Encoder for Parts {
    fn value(&mut self, value: Value<'_>) {
        self.literals.push(Literal::owned(value));
    }

    fn fail(&mut self, error: crate::error::Error) {
        self.literals.push(Literal::Failed(Box::new(error)));
    }
}

impl Decoder for Parts {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        self.next += 1;
        Ok(self.literals.get(self.next - 1).map_or(Value::Null(kind), Literal::value))
    }

    fn position(&self) -> usize {
        self.next
    }
}
