//! Bytes to values: a row that came back in the binary protocol, read by position.
//!
//! Each column's type is looked up once per result; a value is then a match on it and a slice of the row.
//! Nothing is converted that could lose something.

use arx::error::{Error, Result};
use arx::value::{Decoder, ScalarKind, Value};
use arx_sqlx::{cell, fixed, mismatch, narrowed, text};
use sqlx::mysql::{MySqlRow, MySqlTypeInfo};
use sqlx::{Column as _, Decode, MySql, Row as _, Type, TypeInfo as _};

use crate::calendar;
use crate::types::kind_name;

/// What a result's columns are.
pub(crate) struct Columns(Vec<Family>);

/// Types that are sent alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Tiny { signed: bool },
    Short { signed: bool },
    Long { signed: bool },
    LongLong { signed: bool },
    Bits,
    Float,
    Double,
    Decimal,
    Text,
    Bytes,
    TextOrBytes,
    Json,
    Date,
    Time,
    Timestamp,
    Unknown,
}

impl Columns {
    /// The columns of the result that `row` belongs to.
    pub(crate) fn of(row: &MySqlRow) -> Self {
        Self(row.columns().iter().map(|column| family(column.type_info())).collect())
    }

    /// A decoder of one row of the result, from the column at `first` on.
    pub(crate) fn decoder<'r>(&'r self, row: &'r MySqlRow, first: usize) -> RowDecoder<'r> {
        RowDecoder { row, families: &self.0, next: first }
    }
}

fn family(info: &MySqlTypeInfo) -> Family {
    let (name, signed) = match info.name().strip_suffix(" UNSIGNED") {
        Some(name) => (name, false),
        None => (info.name(), true),
    };
    match name {
        // TINYINT(1), which is signed unless the column says otherwise.
        "BOOLEAN" => Family::Tiny { signed: *info != <u8 as Type<MySql>>::type_info() },
        "TINYINT" => Family::Tiny { signed },
        "SMALLINT" => Family::Short { signed },
        "YEAR" => Family::Short { signed: false },
        "INT" | "MEDIUMINT" => Family::Long { signed },
        "BIGINT" => Family::LongLong { signed },
        "BIT" => Family::Bits,
        "FLOAT" => Family::Float,
        "DOUBLE" => Family::Double,
        "DECIMAL" => Family::Decimal,
        "JSON" => Family::Json,
        "DATE" => Family::Date,
        "TIME" => Family::Time,
        "DATETIME" | "TIMESTAMP" => Family::Timestamp,
        "NULL" | "GEOMETRY" => Family::Unknown,
        // The name of a text with a collation that compares bytes is that of a binary string.
        _ if <str as Type<MySql>>::compatible(info) => Family::Text,
        // Without a collation and without the flag of bytes: MySQL says no more of a procedure's OUT parameters.
        "CHAR" | "VARCHAR" | "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" => Family::TextOrBytes,
        _ => Family::Bytes,
    }
}

/// One row.
pub(crate) struct RowDecoder<'r> {
    row: &'r MySqlRow,
    families: &'r [Family],
    next: usize,
}

impl Decoder for RowDecoder<'_> {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        let index = self.next;
        let value = cell(self.row, index, self.families.len())?;
        let family = self.families[index];
        self.next += 1;
        // Fails for NULL only.
        let Ok(bytes) = <&[u8] as Decode<MySql>>::decode(value) else { return Ok(Value::Null(kind)) };
        match read(kind, family, bytes)? {
            Some(value) => Ok(value),
            None => Err(mismatch(self.row.column(index), kind_name(kind))),
        }
    }

    fn position(&self) -> usize {
        self.next
    }
}

/// The value of this kind in `bytes`, or `None` where the type is not read as the kind.
fn read(kind: ScalarKind, family: Family, bytes: &[u8]) -> Result<Option<Value<'_>>> {
    let value = match (kind, family) {
        (ScalarKind::Text, Family::Text | Family::TextOrBytes) => Value::Text(text(bytes)?),
        (ScalarKind::I64, Family::LongLong { signed: true }) => Value::I64(i64::from_le_bytes(fixed(bytes)?)),
        (ScalarKind::I32, Family::Long { signed: true }) => Value::I32(i32::from_le_bytes(fixed(bytes)?)),
        (ScalarKind::Bool, _) => return integer(family, bytes)?.map(boolean).transpose(),
        (ScalarKind::I8, _) => return narrow(family, bytes, Value::I8),
        (ScalarKind::I16, _) => return narrow(family, bytes, Value::I16),
        (ScalarKind::I32, _) => return narrow(family, bytes, Value::I32),
        (ScalarKind::I64, _) => return narrow(family, bytes, Value::I64),
        (ScalarKind::U8, _) => return narrow(family, bytes, Value::U8),
        (ScalarKind::U16, _) => return narrow(family, bytes, Value::U16),
        (ScalarKind::U32, _) => return narrow(family, bytes, Value::U32),
        (ScalarKind::U64, _) => return narrow(family, bytes, Value::U64),
        (ScalarKind::F64, Family::Double) => Value::F64(f64::from_le_bytes(fixed(bytes)?)),
        (ScalarKind::F64, Family::Float) => Value::F64(f32::from_le_bytes(fixed(bytes)?).into()),
        (ScalarKind::F32, Family::Float) => Value::F32(f32::from_le_bytes(fixed(bytes)?)),
        (ScalarKind::Decimal, Family::Decimal) => Value::Decimal(text(bytes)?),
        (ScalarKind::Bytes, Family::Bytes | Family::TextOrBytes) => Value::Bytes(bytes),
        (ScalarKind::Uuid, Family::Bytes | Family::TextOrBytes) => Value::Uuid(fixed(bytes)?),
        // MariaDB has a type of its own, which is sent as text.
        (ScalarKind::Uuid, Family::Text) => Value::Uuid(uuid(bytes).ok_or_else(no_uuid)?),
        (ScalarKind::Date, Family::Date) => Value::Date(calendar::decode_date(bytes)?),
        (ScalarKind::Time, Family::Time) => Value::Time(calendar::decode_time(bytes)?),
        (ScalarKind::Timestamp, Family::Timestamp) => Value::Timestamp(calendar::decode_timestamp(bytes)?),
        (ScalarKind::Timestamptz, Family::Timestamp) => Value::Timestamptz(calendar::decode_timestamp(bytes)?),
        (ScalarKind::Json, Family::Json | Family::Text | Family::TextOrBytes) => Value::Json(text(bytes)?),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// An integer of any type that is one.
fn integer(family: Family, bytes: &[u8]) -> Result<Option<i128>> {
    let value = match family {
        Family::Tiny { signed: true } => i8::from_le_bytes(fixed(bytes)?).into(),
        Family::Tiny { signed: false } => u8::from_le_bytes(fixed(bytes)?).into(),
        Family::Short { signed: true } => i16::from_le_bytes(fixed(bytes)?).into(),
        Family::Short { signed: false } => u16::from_le_bytes(fixed(bytes)?).into(),
        Family::Long { signed: true } => i32::from_le_bytes(fixed(bytes)?).into(),
        Family::Long { signed: false } => u32::from_le_bytes(fixed(bytes)?).into(),
        Family::LongLong { signed: true } => i64::from_le_bytes(fixed(bytes)?).into(),
        Family::LongLong { signed: false } => u64::from_le_bytes(fixed(bytes)?).into(),
        Family::Bits => bytes.iter().fold(0, |value, &byte| value << 8 | i128::from(byte)),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

fn boolean(value: i128) -> Result<Value<'static>> {
    match value {
        0 => Ok(Value::Bool(false)),
        1 => Ok(Value::Bool(true)),
        _ => Err(Error::decode("the number is neither 0 nor 1, which a bool is")),
    }
}

fn narrow<'a, T: TryFrom<i128>>(family: Family, bytes: &[u8], value: fn(T) -> Value<'a>) -> Result<Option<Value<'a>>> {
    let Some(integer) = integer(family, bytes)? else { return Ok(None) };
    Ok(Some(value(narrowed(integer)?)))
}

/// The sixteen bytes of `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
fn uuid(text: &[u8]) -> Option<[u8; 16]> {
    let mut digits = text.iter().filter(|&&byte| byte != b'-').map(|&byte| char::from(byte).to_digit(16));
    let mut bytes = [0; 16];
    for byte in &mut bytes {
        let pair = digits.next()?? << 4 | digits.next()??;
        *byte = u8::try_from(pair).ok()?;
    }
    digits.next().is_none().then_some(bytes)
}

fn no_uuid() -> Error {
    Error::decode("the text is no UUID")
}

/// A key that the driver reports instead of a row.
pub(crate) struct ReportedKey {
    key: [u8; 8],
    next: usize,
}

impl ReportedKey {
    pub(crate) fn new(key: u64) -> Self {
        Self { key: key.to_le_bytes(), next: 0 }
    }
}

impl Decoder for ReportedKey {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        self.next += 1;
        let value = match self.next {
            1 => read(kind, Family::LongLong { signed: false }, &self.key)?,
            _ => None,
        };
        value.ok_or_else(|| Error::decode("the database reports one integer key and nothing else"))
    }

    fn position(&self) -> usize {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_uuids_from_text() {
        let bytes = uuid(b"00112233-4455-6677-8899-aabbccddeeff").unwrap();
        assert_eq!((bytes[0], bytes[7], bytes[15]), (0, 0x77, 0xff));
        assert!(uuid(b"00112233-4455-6677-8899-aabbccddeef").is_none());
        assert!(uuid(b"00112233-4455-6677-8899-aabbccddeeff0").is_none());
        assert!(uuid(b"zz112233-4455-6677-8899-aabbccddeeff").is_none());
    }

    #[test]
    fn never_narrows_in_silence() {
        let long = Family::LongLong { signed: false };
        assert!(read(ScalarKind::I64, long, &u64::MAX.to_le_bytes()).is_err());
        assert!(matches!(read(ScalarKind::U64, long, &u64::MAX.to_le_bytes()), Ok(Some(Value::U64(u64::MAX)))));
        assert!(read(ScalarKind::Bool, Family::Tiny { signed: true }, &[2]).is_err());
        assert!(matches!(read(ScalarKind::Bool, Family::Bits, &[1]), Ok(Some(Value::Bool(true)))));
        assert!(matches!(read(ScalarKind::Text, Family::Bytes, b"x"), Ok(None)));
        assert!(matches!(read(ScalarKind::F32, Family::Double, &[0; 8]), Ok(None)));
    }
}
