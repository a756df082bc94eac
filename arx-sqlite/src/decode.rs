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

#[cfg(test)]
mod tests {
    use arx::value::{Encoder as _, Scalar};

    use super::*;
    use crate::encode::Packer;
    use crate::packed::{push_blob, push_integer, push_null, push_real, push_text};

    fn row(bytes: &[u8]) -> Row<'_> {
        Row { cells: Reader::new(bytes), column: 0, digits: String::new() }
    }

    fn there_and_back<T: Scalar + PartialEq + std::fmt::Debug>(value: T) {
        let mut bytes = Vec::new();
        value.encode(&mut Packer::new(&mut bytes));
        assert_eq!(T::decode(row(&bytes).next(T::KIND).unwrap()).unwrap(), value);
    }

    fn read<T: Scalar>(push: impl FnOnce(&mut Vec<u8>)) -> Result<T> {
        let mut bytes = Vec::new();
        push(&mut bytes);
        row(&bytes).next(T::KIND).and_then(T::decode)
    }

    #[test]
    fn values_come_back_as_they_went() {
        there_and_back(true);
        there_and_back((i8::MIN, i16::MAX, i32::MIN).0);
        there_and_back(i64::MIN);
        there_and_back(u32::MAX);
        there_and_back(i64::MAX.cast_unsigned());
        there_and_back(f32::MIN_POSITIVE);
        there_and_back(f64::NEG_INFINITY);
        there_and_back("a\0\u{10FFFF}".to_owned());
        there_and_back(vec![0_u8, 255]);
        there_and_back(None::<String>);
        there_and_back(uuid::Uuid::max());
        there_and_back("0.000000000000000000000000001".parse::<rust_decimal::Decimal>().unwrap());
        there_and_back(chrono::NaiveDate::from_ymd_opt(9_999, 12, 31).unwrap());
        there_and_back(chrono::DateTime::from_timestamp_micros(-1).unwrap());
        there_and_back(serde_json::json!([null, {"a": 1.5}]));
    }

    #[test]
    fn integers_are_read_where_they_fit() {
        assert!(read::<bool>(|out| push_integer(out, 2)).is_err());
        assert!(read::<u8>(|out| push_integer(out, 256)).is_err());
        assert!(read::<u64>(|out| push_integer(out, -1)).is_err());
        assert!(read::<i16>(|out| push_integer(out, -32_768)).is_ok());
        assert_eq!(read::<f64>(|out| push_integer(out, 1 << 62)).unwrap(), 4_611_686_018_427_387_904.0);
        assert_eq!(read::<f64>(|out| push_integer(out, 0)).unwrap(), 0.0);
        assert!(read::<f64>(|out| push_integer(out, (1 << 53) + 1)).is_err());
        assert_eq!(read::<rust_decimal::Decimal>(|out| push_integer(out, -7)).unwrap().to_string(), "-7");
    }

    #[test]
    fn floats_are_read_where_they_are_exact() {
        assert_eq!(read::<f32>(|out| push_real(out, 0.5)).unwrap(), 0.5);
        assert!(read::<f32>(|out| push_real(out, 0.1)).is_err());
        assert!(read::<f32>(|out| push_real(out, 1.0e300)).is_err());
        assert!(read::<i64>(|out| push_real(out, 1.0)).is_err());
        assert_eq!(read::<serde_json::Value>(|out| push_real(out, 1.0e300)).unwrap(), serde_json::json!(1.0e300));
    }

    #[test]
    fn uuids_are_read_from_bytes_and_text() {
        let expected = uuid::Uuid::from_u128(0xABCD);
        for text in ["00000000-0000-0000-0000-00000000ABCD", "0000000000000000000000000000abcd"] {
            assert_eq!(read::<uuid::Uuid>(|out| assert!(push_text(out, text.as_bytes()))).unwrap(), expected);
        }
        for text in ["", "00000000-0000-0000-0000-00000000ABC", "0000000-00000-0000-0000-00000000ABCD", "g"] {
            assert!(read::<uuid::Uuid>(|out| assert!(push_text(out, text.as_bytes()))).is_err(), "{text}");
        }
        assert!(read::<uuid::Uuid>(|out| assert!(push_blob(out, &[0; 15]))).is_err());
    }

    #[test]
    fn misfits_name_the_class_and_no_value() {
        let error = read::<String>(|out| push_integer(out, 12_345)).unwrap_err().to_string();
        assert!(error.contains("INTEGER") && !error.contains("12345"), "{error}");
        assert!(read::<String>(|out| assert!(push_text(out, &[0xff]))).is_err());
        assert!(read::<String>(push_null).unwrap_err().to_string().contains("Option"));
        assert!(read::<i64>(|_| ()).is_err());
        assert!(read::<Vec<u8>>(|out| assert!(push_text(out, b"x"))).is_err());
        let mut bytes = Vec::new();
        Packer::new(&mut bytes).value(Value::Array(&NoElements));
        assert!(bytes.is_empty());
    }

    struct NoElements;

    impl arx::value::Elements for NoElements {
        fn kind(&self) -> ScalarKind {
            ScalarKind::I64
        }

        fn len(&self) -> usize {
            0
        }

        fn write(&self, _: &mut dyn arx::value::Encoder) -> Result<()> {
            Ok(())
        }
    }
}
