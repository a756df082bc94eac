//! Bytes to values: a row that came back, read by position.
//!
//! Each column's type is looked up once per result; a value is then a match on a number and a
//! slice of the row. Nothing is converted that could lose something.

use arx::error::{Error, Result};
use arx::value::{Decoder, Elements, Encoder, ScalarKind, Value};
use arx_sqlx::{cell, fixed, mismatch, narrowed, text};
use sqlx::postgres::{PgRow, PgTypeInfo, PgTypeKind, PgValueFormat};
use sqlx::{Column as _, Row as _, TypeInfo as _};

use crate::types::{Wire, kind_name, oid};
use crate::{calendar, numeric};

/// What a result's columns are, and what decoding its rows needs again and again.
pub(crate) struct Columns {
    types: Vec<ColumnType>,
    digits: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnType {
    /// A value of this type; types that are sent as text have the number of text.
    Scalar(u32),
    /// An array with elements of this type.
    Array(u32),
}

impl Columns {
    /// The columns of the result that `row` belongs to.
    ///
    /// # Errors
    /// `Unsupported` for rows in text form: those of several statements in one text.
    pub(crate) fn of(row: &PgRow) -> Result<Self> {
        if row.len() > 0 && row.try_get_raw(0).is_ok_and(|value| value.format() == PgValueFormat::Text) {
            return Err(Error::unsupported(
                "a text of several statements cannot return rows; run the one that does by itself",
            ));
        }
        let types = row.columns().iter().map(|column| column_type(column.type_info())).collect();
        Ok(Self { types, digits: String::new() })
    }

    /// A decoder of one row of the result.
    pub(crate) fn decoder<'r>(&'r mut self, row: &'r PgRow) -> RowDecoder<'r> {
        RowDecoder { row, types: &self.types, digits: &mut self.digits, array: None, next: 0 }
    }
}

fn column_type(info: &PgTypeInfo) -> ColumnType {
    let Some(number) = info.oid().map(|oid| oid.0) else { return ColumnType::Scalar(0) };
    match number {
        oid::VARCHAR | oid::NAME | oid::CHAR | oid::UNKNOWN => return ColumnType::Scalar(oid::TEXT),
        // The name that sqlx gives a type it has not looked up; `kind` of such a type is a panic.
        _ if info.name() == "?" => return ColumnType::Scalar(number),
        _ => {}
    }
    match info.kind() {
        PgTypeKind::Enum(_) => ColumnType::Scalar(oid::TEXT),
        PgTypeKind::Domain(inner) => column_type(inner),
        PgTypeKind::Array(element) => match column_type(element) {
            ColumnType::Scalar(element) => ColumnType::Array(element),
            ColumnType::Array(_) => ColumnType::Scalar(number),
        },
        // Sent as text is; it may be installed in any schema.
        _ if is_citext(info.name()) => ColumnType::Scalar(oid::TEXT),
        _ => ColumnType::Scalar(number),
    }
}

fn is_citext(name: &str) -> bool {
    name.rsplit('.').next().is_some_and(|name| name.trim_matches('"').eq_ignore_ascii_case("citext"))
}

/// One row.
pub(crate) struct RowDecoder<'r> {
    row: &'r PgRow,
    types: &'r [ColumnType],
    digits: &'r mut String,
    array: Option<Array<'r>>,
    next: usize,
}

impl RowDecoder<'_> {
    pub(crate) fn starting_at(mut self, column: usize) -> Self {
        self.next = column;
        self
    }
}

impl Decoder for RowDecoder<'_> {
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>> {
        let index = self.next;
        let value = cell(self.row, index, self.types.len())?;
        let column_type = self.types[index];
        self.next += 1;
        let Ok(bytes) = value.as_bytes() else { return Ok(Value::Null(kind)) };
        match (kind, column_type) {
            (ScalarKind::Array(element), ColumnType::Array(number)) => {
                let array = self.array.insert(Array::read(bytes, number, *element)?);
                Ok(Value::Array(array))
            }
            (_, ColumnType::Scalar(number)) => match read(kind, number, bytes, self.digits)? {
                Some(value) => Ok(value),
                None => Err(mismatch(self.row.column(index), &kind_name(kind))),
            },
            _ => Err(mismatch(self.row.column(index), &kind_name(kind))),
        }
    }

    fn position(&self) -> usize {
        self.next
    }
}

/// The value of this kind in `bytes`, or `None` where the type is not read as the kind.
///
/// The answer does not outlive `digits`, in which a decimal's text is made.
fn read<'a>(kind: ScalarKind, number: u32, bytes: &'a [u8], digits: &'a mut String) -> Result<Option<Value<'a>>> {
    let value = match (kind, number) {
        (ScalarKind::Text, oid::TEXT) => Value::Text(text(bytes)?),
        // What fills a char(n) up is not a part of the value, and goes when it is compared as text.
        (ScalarKind::Text, oid::BPCHAR) => Value::Text(text(bytes)?.trim_end_matches(' ')),
        (ScalarKind::I64, _) => return integer(number, bytes, oid::INT8).map(|value| value.map(Value::I64)),
        (ScalarKind::I32, _) => return narrow(number, bytes, oid::INT4, Value::I32),
        (ScalarKind::I16, _) => return narrow(number, bytes, oid::INT2, Value::I16),
        (ScalarKind::Bool, oid::BOOL) => Value::Bool(fixed::<1>(bytes)? != [0]),
        (ScalarKind::F64, oid::FLOAT8) => Value::F64(f64::from_be_bytes(fixed(bytes)?)),
        (ScalarKind::F64, oid::FLOAT4) => Value::F64(f32::from_be_bytes(fixed(bytes)?).into()),
        (ScalarKind::F32, oid::FLOAT4) => Value::F32(f32::from_be_bytes(fixed(bytes)?)),
        (ScalarKind::Decimal, oid::NUMERIC) => {
            numeric::decode(bytes, digits)?;
            Value::Decimal(digits)
        }
        (ScalarKind::Bytes, oid::BYTEA) => Value::Bytes(bytes),
        (ScalarKind::Uuid, oid::UUID) => Value::Uuid(fixed(bytes)?),
        (ScalarKind::Date, oid::DATE) => {
            Value::Date(calendar::days_from_wire(i32::from_be_bytes(fixed(bytes)?)).ok_or_else(too_far)?)
        }
        (ScalarKind::Time, oid::TIME) => Value::Time(i64::from_be_bytes(fixed(bytes)?)),
        (ScalarKind::Timestamp, oid::TIMESTAMP) => Value::Timestamp(micros(bytes)?),
        (ScalarKind::Timestamptz, oid::TIMESTAMPTZ) => Value::Timestamptz(micros(bytes)?),
        (ScalarKind::Json, oid::JSON) => Value::Json(text(bytes)?),
        (ScalarKind::Json, oid::JSONB) => Value::Json(text(jsonb(bytes)?)?),
        (ScalarKind::I8, _) => return narrow(number, bytes, oid::INT2, Value::I8),
        (ScalarKind::U8, _) => return narrow(number, bytes, oid::INT2, Value::U8),
        (ScalarKind::U16, _) => return narrow(number, bytes, oid::INT4, Value::U16),
        (ScalarKind::U32, _) => return narrow(number, bytes, oid::INT8, Value::U32),
        (ScalarKind::U64, _) => return narrow(number, bytes, oid::INT8, Value::U64),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

/// An integer of a type that is not wider than `widest`.
fn integer(number: u32, bytes: &[u8], widest: u32) -> Result<Option<i64>> {
    let value = match number {
        oid::INT8 if widest == oid::INT8 => i64::from_be_bytes(fixed(bytes)?),
        oid::INT4 if widest != oid::INT2 => i32::from_be_bytes(fixed(bytes)?).into(),
        oid::INT2 => i16::from_be_bytes(fixed(bytes)?).into(),
        _ => return Ok(None),
    };
    Ok(Some(value))
}

fn narrow<'a, T: TryFrom<i64>>(
    number: u32,
    bytes: &[u8],
    widest: u32,
    value: fn(T) -> Value<'a>,
) -> Result<Option<Value<'a>>> {
    let Some(integer) = integer(number, bytes, widest)? else { return Ok(None) };
    Ok(Some(value(narrowed(integer)?)))
}

fn micros(bytes: &[u8]) -> Result<i64> {
    calendar::micros_from_wire(i64::from_be_bytes(fixed(bytes)?)).ok_or_else(too_far)
}

fn jsonb(bytes: &[u8]) -> Result<&[u8]> {
    match bytes {
        [1, json @ ..] => Ok(json),
        _ => Err(Error::decode("the server sent jsonb of an unknown version")),
    }
}

fn too_far() -> Error {
    Error::decode("the date is too far away to be counted")
}

/// An array of one dimension that came back.
struct Array<'r> {
    elements: &'r [u8],
    count: usize,
    number: u32,
    kind: ScalarKind,
}

impl<'r> Array<'r> {
    fn read(bytes: &'r [u8], number: u32, kind: ScalarKind) -> Result<Self> {
        let (fields, _) = bytes.as_chunks::<4>();
        let field = |index: usize| fields.get(index).map(|field| u32::from_be_bytes(*field)).ok_or_else(malformed);
        match field(0)? {
            0 => Ok(Self { elements: &[], count: 0, number, kind }),
            1 => {
                let count = usize::try_from(field(3)?).map_err(|_| malformed())?;
                Ok(Self { elements: bytes.get(20..).ok_or_else(malformed)?, count, number, kind })
            }
            dimensions => Err(Error::decode(format!("the array has {dimensions} dimensions; only one is read"))),
        }
    }
}

impl Elements for Array<'_> {
    fn kind(&self) -> ScalarKind {
        self.kind
    }

    fn len(&self) -> usize {
        self.count
    }

    fn write(&self, out: &mut dyn Encoder) -> Result<()> {
        let mut rest = self.elements;
        let mut digits = String::new();
        for _ in 0..self.count {
            let (length, after) = rest.split_first_chunk::<4>().ok_or_else(malformed)?;
            let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
                out.value(Value::Null(self.kind));
                rest = after;
                continue;
            };
            let (bytes, after) = after.split_at_checked(length).ok_or_else(malformed)?;
            rest = after;
            let value = read(self.kind, self.number, bytes, &mut digits)?;
            out.value(value.ok_or_else(|| wrong_element(self.number, self.kind))?);
        }
        Ok(())
    }
}

fn wrong_element(number: u32, kind: ScalarKind) -> Error {
    Error::decode(format!("the array's elements are of type number {number}, the field needs {}", Wire::of(kind).name))
}

fn malformed() -> Error {
    Error::decode("the server sent a malformed array")
}
