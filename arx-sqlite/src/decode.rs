//! Decoding: packed cells become values of the kind that a field asks for.
//!
//! SQLite stores what it is given, whatever the column's declared type: so a value that
//! does not fit the field is an error here, and never read as something near it.

use arx::connection::RowSink;
use arx::error::{Error, Result};
use arx::value::{Decoder, ScalarKind, Value};

use crate::calendar::{parse_date, parse_instant, parse_time, parse_timestamp};
use crate::link::Packed;
use crate::packed::{Cell, Reader};

/// Hands the rows of a batch to the sink, as fast as the sink takes them.
pub(crate) async fn deliver(batch: &Packed, sink: &mut dyn RowSink) -> Result<()> {
    let mut row = Row { cells: Reader::new(&batch.bytes), column: 0, digits: String::new() };
    for _ in 0..batch.rows {
        std::future::poll_fn(|cx| sink.poll_ready(cx)).await;
        sink.row(&mut row)?;
        row.cells.end_row();
        row.column = 0;
    }
    Ok(())
}

/// One row that came back.
struct Row<'a> {
    cells: Reader<'a>,
    column: usize,
    /// The digits of an integer that is read as a decimal or as JSON.
    digits: String,
}

impl Decoder for Row<'_> {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        self.column += 1;
        let Some(cell) = self.cells.next() else {
            return Err(Error::decode("the row has no further column"));
        };
        match (kind, cell) {
            (_, Cell::Null) => Some(Value::Null(kind)),
            (ScalarKind::Text, Cell::Text(text)) => utf8(text).map(Value::Text),
            (ScalarKind::Bytes, Cell::Blob(bytes)) => Some(Value::Bytes(bytes)),
            (ScalarKind::Decimal, Cell::Text(text)) => utf8(text).map(Value::Decimal),
            (ScalarKind::Json, Cell::Text(text)) => utf8(text).map(Value::Json),
            (ScalarKind::Decimal, Cell::Integer(value)) => {
                self.digits = value.to_string();
                Some(Value::Decimal(&self.digits))
            }
            // A column declared JSON has NUMERIC affinity: a document that is a number is stored as one.
            (ScalarKind::Json, Cell::Integer(value)) => {
                self.digits = value.to_string();
                Some(Value::Json(&self.digits))
            }
            (ScalarKind::Json, Cell::Real(value)) if value.is_finite() => {
                self.digits = format!("{value:?}");
                Some(Value::Json(&self.digits))
            }
            (_, Cell::Integer(value)) => integer(kind, value),
            (_, Cell::Real(value)) => real(kind, value),
            (_, Cell::Text(text)) => time(kind, text),
            (ScalarKind::Uuid, Cell::Blob(bytes)) => <[u8; 16]>::try_from(bytes).ok().map(Value::Uuid),
            _ => None,
        }
        .ok_or_else(|| misfit(kind, cell))
    }

    fn position(&self) -> usize {
        self.column
    }
}

fn utf8(text: &[u8]) -> Option<&str> {
    std::str::from_utf8(text).ok()
}

fn integer<'a>(kind: ScalarKind, value: i64) -> Option<Value<'a>> {
    match kind {
        ScalarKind::Bool if matches!(value, 0 | 1) => Some(Value::Bool(value == 1)),
        ScalarKind::I8 => value.try_into().ok().map(Value::I8),
        ScalarKind::I16 => value.try_into().ok().map(Value::I16),
        ScalarKind::I32 => value.try_into().ok().map(Value::I32),
        ScalarKind::I64 => Some(Value::I64(value)),
        ScalarKind::U8 => value.try_into().ok().map(Value::U8),
        ScalarKind::U16 => value.try_into().ok().map(Value::U16),
        ScalarKind::U32 => value.try_into().ok().map(Value::U32),
        ScalarKind::U64 => value.try_into().ok().map(Value::U64),
        ScalarKind::F32 | ScalarKind::F64 => real(kind, exact_float(value)?),
        _ => None,
    }
}

/// The integer as a float, where that loses nothing.
fn exact_float(value: i64) -> Option<f64> {
    let magnitude = value.unsigned_abs();
    let significant = magnitude.checked_shr(magnitude.trailing_zeros()).unwrap_or(0);
    (significant < 1 << 53).then_some(value as f64)
}

fn real<'a>(kind: ScalarKind, value: f64) -> Option<Value<'a>> {
    match kind {
        ScalarKind::F64 => Some(Value::F64(value)),
        ScalarKind::F32 => exact_single(value).map(Value::F32),
        _ => None,
    }
}

/// The float in single precision, where that loses nothing.
fn exact_single(value: f64) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "what was cut off is checked in the next line")]
    let single = value as f32;
    (f64::from(single) == value).then_some(single)
}

fn time<'a>(kind: ScalarKind, text: &[u8]) -> Option<Value<'a>> {
    match kind {
        ScalarKind::Date => parse_date(text).map(Value::Date),
        ScalarKind::Time => parse_time(text).map(Value::Time),
        ScalarKind::Timestamp => parse_timestamp(text).map(Value::Timestamp),
        ScalarKind::Timestamptz => parse_instant(text).map(Value::Timestamptz),
        ScalarKind::Uuid => parse_uuid(text).map(Value::Uuid),
        _ => None,
    }
}

/// 32 hexadecimal digits, with or without the usual four hyphens.
fn parse_uuid(text: &[u8]) -> Option<[u8; 16]> {
    let has_hyphens = text.len() == 36 && [8, 13, 18, 23].iter().all(|&place| text[place] == b'-');
    let mut digits =
        text.iter().copied().enumerate().filter(|(place, _)| !has_hyphens || !matches!(place, 8 | 13 | 18 | 23));
    let mut uuid = [0; 16];
    for byte in &mut uuid {
        let (high, low) = (hexadecimal(digits.next()?.1)?, hexadecimal(digits.next()?.1)?);
        *byte = high << 4 | low;
    }
    digits.next().is_none().then_some(uuid)
}

fn hexadecimal(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// The error for a cell that the field cannot take. It shows the storage class, not the value.
fn misfit(kind: ScalarKind, cell: Cell<'_>) -> Error {
    let class = match cell {
        Cell::Integer(_) => "an INTEGER",
        Cell::Real(_) => "a REAL",
        Cell::Text(_) => "a TEXT",
        _ => "a BLOB",
    };
    let advice = match (kind, cell) {
        (ScalarKind::Decimal, Cell::Real(_)) => "; SQLite made a float of the decimal: declare the column TEXT",
        (ScalarKind::Text, Cell::Integer(_) | Cell::Real(_)) => {
            "; declare the column TEXT, so that SQLite makes no number of it"
        }
        _ => "",
    };
    Error::decode(format!("the row holds {class} that is no {kind:?} or is out of its range{advice}"))
}
