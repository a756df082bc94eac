//! An encoder and a decoder over cells that are kept in memory.

use arx::entity::{ColumnSet, Entity, Record};
use arx::error::{Error, Result};
use arx::value::{Decoder, Encoder, Scalar, ScalarKind, Value};

/// One value that was pushed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    Null(ScalarKind),
    Bool(bool),
    Number(ScalarKind, i64),
    Text(String),
    Json(String),
    Uuid([u8; 16]),
    Many(Vec<Cell>),
}

/// A text.
pub(crate) fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

/// A 64-bit number.
pub(crate) fn number(number: i64) -> Cell {
    Cell::Number(ScalarKind::I64, number)
}

/// A 32-bit number.
pub(crate) fn small(number: i64) -> Cell {
    Cell::Number(ScalarKind::I32, number)
}

impl Cell {
    fn of(value: Value<'_>) -> Self {
        match value {
            Value::Null(kind) => Self::Null(kind),
            Value::Bool(value) => Self::Bool(value),
            Value::I16(value) => Self::Number(ScalarKind::I16, value.into()),
            Value::I32(value) => Self::Number(ScalarKind::I32, value.into()),
            Value::I64(value) => Self::Number(ScalarKind::I64, value),
            Value::U8(value) => Self::Number(ScalarKind::U8, value.into()),
            Value::Text(value) => Self::Text(value.to_owned()),
            Value::Json(value) => Self::Json(value.to_owned()),
            Value::Uuid(value) => Self::Uuid(value),
            Value::Array(elements) => {
                let mut sink = Sink::default();
                elements.write(&mut sink).unwrap();
                Self::Many(sink.done())
            }
            _ => unreachable!("the tests push no other kind"),
        }
    }

    /// The value that a driver would hand out.
    pub(crate) fn value(&self) -> Value<'_> {
        match self {
            Self::Null(kind) => Value::Null(*kind),
            Self::Bool(value) => Value::Bool(*value),
            Self::Number(ScalarKind::I16, value) => Value::I16((*value).try_into().unwrap()),
            Self::Number(ScalarKind::I32, value) => Value::I32((*value).try_into().unwrap()),
            Self::Number(ScalarKind::U8, value) => Value::U8((*value).try_into().unwrap()),
            Self::Number(_, value) => Value::I64(*value),
            Self::Text(value) => Value::Text(value),
            Self::Json(value) => Value::Json(value),
            Self::Uuid(value) => Value::Uuid(*value),
            Self::Many(_) => unreachable!("the tests read no arrays"),
        }
    }
}

/// Keeps what is pushed.
#[derive(Default)]
pub(crate) struct Sink {
    cells: Vec<Cell>,
    error: Option<Error>,
}

impl Sink {
    /// The cells, none of which failed.
    pub(crate) fn done(self) -> Vec<Cell> {
        assert!(self.error.is_none(), "{:?}", self.error);
        self.cells
    }

    /// The first error.
    pub(crate) fn error(self) -> Error {
        self.error.expect("an error")
    }
}

impl Encoder for Sink {
    fn value(&mut self, value: Value<'_>) {
        self.cells.push(Cell::of(value));
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

/// A row that came back, and the kinds it was asked for.
pub(crate) struct Row {
    cells: Vec<Cell>,
    asked: Vec<ScalarKind>,
}

impl Decoder for Row {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        self.asked.push(kind);
        let cell = self.cells.get(self.asked.len() - 1).ok_or_else(|| Error::decode("the row has ended"))?;
        Ok(cell.value())
    }

    fn position(&self) -> usize {
        self.asked.len()
    }
}

/// Reads a whole row, each column by the kind that the record says.
pub(crate) fn read<R: Record>(cells: &[Cell]) -> Result<R> {
    let mut row = Row { cells: cells.to_vec(), asked: Vec::new() };
    let record = R::decode(&mut row)?;
    assert_eq!(row.asked, R::COLUMNS.iter().map(|column| column.kind).collect::<Vec<_>>());
    Ok(record)
}

/// All columns of a row, in both ways of writing, which must agree.
pub(crate) fn write<E: Entity>(row: &E) -> Vec<Cell> {
    let cells = write_some(row, &E::TABLE.all());
    let columns = 0..E::TABLE.columns.len();
    assert_eq!(cells, columns.flat_map(|column| write_column(std::slice::from_ref(row), column)).collect::<Vec<_>>());
    cells
}

/// Some columns of a row.
pub(crate) fn write_some<E: Entity>(row: &E, columns: &ColumnSet) -> Vec<Cell> {
    let mut sink = Sink::default();
    row.encode_row(columns, &mut sink);
    sink.done()
}

/// One column of many rows.
pub(crate) fn write_column<E: Entity>(rows: &[E], column: usize) -> Vec<Cell> {
    let mut sink = Sink::default();
    E::encode(rows, None, column, &mut sink);
    sink.done()
}

/// One value.
pub(crate) fn write_value<T: Scalar>(value: &T) -> Cell {
    let mut sink = Sink::default();
    value.encode(&mut sink);
    sink.done().remove(0)
}

/// The names of a record's columns.
pub(crate) fn names<R: Record>() -> Vec<&'static str> {
    R::COLUMNS.iter().map(|column| column.name).collect()
}
