//! Values: what one cell of a row is, and how it is written and read.
//!
//! A Rust type is a [`Scalar`]: it pushes itself into an [`Encoder`] as a borrowed
//! [`Value`] and is made from one. Nothing is collected on the way: the driver
//! behind the encoder copies the bytes into its own buffer. Next is `entity`.

mod array;
#[cfg(feature = "bigdecimal")]
mod bigdecimal;
pub mod calendar;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "rust_decimal")]
mod decimal;
mod field;
#[cfg(feature = "json")]
mod json;
mod literal;
mod primitive;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "uuid")]
mod uuid;

pub use array::{Element, Elements};
pub use field::Field;
#[cfg(feature = "json")]
pub use json::{decode_json, encode_json};
pub use literal::{IntoList, IntoLiteral, Literal};

use crate::error::{Error, Result};

/// The closed set of kinds a column can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScalarKind {
    /// True or false.
    Bool,
    /// A signed 8-bit integer.
    I8,
    /// A signed 16-bit integer.
    I16,
    /// A signed 32-bit integer.
    I32,
    /// A signed 64-bit integer.
    I64,
    /// An unsigned 8-bit integer.
    U8,
    /// An unsigned 16-bit integer.
    U16,
    /// An unsigned 32-bit integer.
    U32,
    /// An unsigned 64-bit integer.
    U64,
    /// A 32-bit float.
    F32,
    /// A 64-bit float.
    F64,
    /// An exact decimal number.
    Decimal,
    /// Text in UTF-8.
    Text,
    /// A string of bytes.
    Bytes,
    /// A UUID.
    Uuid,
    /// A day of the Gregorian calendar.
    Date,
    /// A time of day, to the microsecond.
    Time,
    /// A date and time without a zone, to the microsecond.
    Timestamp,
    /// An instant, to the microsecond.
    Timestamptz,
    /// A JSON document.
    Json,
    /// An array of one of the other kinds.
    Array(&'static ScalarKind),
}

impl ScalarKind {
    /// Whether its values are integers.
    #[must_use]
    pub const fn is_integer(self) -> bool {
        use ScalarKind as Kind;
        matches!(self, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64)
    }

    /// Whether its values can be added and multiplied.
    #[must_use]
    pub const fn is_number(self) -> bool {
        self.is_integer() || matches!(self, Self::F32 | Self::F64 | Self::Decimal)
    }

    /// Whether equality of two encoded values is equality in every database: not so
    /// for text (collations), decimals (scales), floats and JSON.
    #[must_use]
    pub const fn is_comparable(self) -> bool {
        !matches!(self, Self::Text | Self::Decimal | Self::F32 | Self::F64 | Self::Json | Self::Array(_))
    }
}

/// One value on its way to or from a database, borrowed from where it lives.
///
/// Dates are days since 1970-01-01; times are microseconds since midnight, or since
/// 1970-01-01 00:00:00 (in UTC for `Timestamptz`). Decimals are plain digits with an
/// optional sign and point; JSON is its text.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Value<'a> {
    /// SQL NULL; the kind is the column's.
    Null(ScalarKind),
    /// True or false.
    Bool(bool),
    /// A signed 8-bit integer.
    I8(i8),
    /// A signed 16-bit integer.
    I16(i16),
    /// A signed 32-bit integer.
    I32(i32),
    /// A signed 64-bit integer.
    I64(i64),
    /// An unsigned 8-bit integer.
    U8(u8),
    /// An unsigned 16-bit integer.
    U16(u16),
    /// An unsigned 32-bit integer.
    U32(u32),
    /// An unsigned 64-bit integer.
    U64(u64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// The digits of a decimal, for example `-12.50`.
    Decimal(&'a str),
    /// Text.
    Text(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
    /// The sixteen bytes of a UUID, in the order they are written in.
    Uuid([u8; 16]),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since midnight.
    Time(i64),
    /// Microseconds since 1970-01-01 00:00:00.
    Timestamp(i64),
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    Timestamptz(i64),
    /// The text of a JSON document.
    Json(&'a str),
    /// The elements of an array.
    Array(&'a dyn Elements),
}

/// Where values are pushed to: a driver's buffer, a key, a literal.
///
/// An error is sticky: after [`fail`](Self::fail) the driver sends nothing and
/// reports the first error with the row and the column that it was at.
pub trait Encoder {
    /// Takes the next value.
    fn value(&mut self, value: Value<'_>);

    /// Marks the whole batch as not to be sent.
    fn fail(&mut self, error: Error);
}

/// A row that came back, read from its first column to its last.
pub trait Decoder {
    /// The next column's value as this kind, or `Value::Null`.
    ///
    /// # Errors
    /// `Decode` when the column's type cannot be read as `kind` without loss, or when
    /// the row has no further column.
    fn next(&mut self, kind: ScalarKind) -> Result<Value<'_>>;

    /// How many columns of this row have been read, for messages.
    fn position(&self) -> usize;
}

/// One Rust value in one column.
///
/// Implemented for the types that arx knows; newtypes and enums derive it, and
/// `#[arx(with = "module")]` brings in a type of another crate.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a column",
    label = "not a column type",
    note = "derive `arx::Scalar` for a newtype or an enum, use `#[arx(json)]` to store it as JSON, \
            `#[arx(with = \"module\")]` for a type of another crate, or `#[arx(flatten)]` for a struct that derives `arx::Embedded`"
)]
pub trait Scalar: Sized {
    /// The kind of column this type needs.
    const KIND: ScalarKind;

    /// Whether the type has a form for NULL.
    const NULLABLE: bool = false;

    /// The name of a type of the database's own, for example of an enum.
    const TYPE_NAME: Option<&'static str> = None;

    /// Whether the type can stand for 'as the database has it', as [`Field`] can.
    const DEFAULTABLE: bool = false;

    /// Pushes the value, exactly once.
    fn encode(&self, out: &mut dyn Encoder);

    /// Makes the value from what a [`Decoder`] returned for [`KIND`](Self::KIND).
    ///
    /// # Errors
    /// `Decode` when the value is NULL and the type has no form for it, or when the
    /// type cannot hold it.
    fn decode(value: Value<'_>) -> Result<Self>;

    /// Whether the column is to be left to the database; true only for [`Field::Default`].
    fn is_default(&self) -> bool {
        false
    }
}

impl Value<'_> {
    /// Its kind; of an array the kind of its elements.
    #[must_use]
    pub fn kind(&self) -> ScalarKind {
        match self {
            Value::Null(kind) => *kind,
            Value::Bool(_) => ScalarKind::Bool,
            Value::I8(_) => ScalarKind::I8,
            Value::I16(_) => ScalarKind::I16,
            Value::I32(_) => ScalarKind::I32,
            Value::I64(_) => ScalarKind::I64,
            Value::U8(_) => ScalarKind::U8,
            Value::U16(_) => ScalarKind::U16,
            Value::U32(_) => ScalarKind::U32,
            Value::U64(_) => ScalarKind::U64,
            Value::F32(_) => ScalarKind::F32,
            Value::F64(_) => ScalarKind::F64,
            Value::Decimal(_) => ScalarKind::Decimal,
            Value::Text(_) => ScalarKind::Text,
            Value::Bytes(_) => ScalarKind::Bytes,
            Value::Uuid(_) => ScalarKind::Uuid,
            Value::Date(_) => ScalarKind::Date,
            Value::Time(_) => ScalarKind::Time,
            Value::Timestamp(_) => ScalarKind::Timestamp,
            Value::Timestamptz(_) => ScalarKind::Timestamptz,
            Value::Json(_) => ScalarKind::Json,
            Value::Array(elements) => elements.kind(),
        }
    }

    /// The error for a value that is not of the kind asked for.
    #[must_use]
    pub fn mismatch(&self, expected: ScalarKind) -> Error {
        match self {
            Value::Null(_) => Error::decode("the column is NULL and the field takes none; make it an Option"),
            _ => Error::decode(format!("the value is not of kind {expected:?}")),
        }
    }

    /// Whether this is SQL NULL.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null(_))
    }
}

/// The value as text, for a key that an application asks to see.
impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null(_) => f.write_str("NULL"),
            Value::Bool(value) => value.fmt(f),
            Value::I8(value) => value.fmt(f),
            Value::I16(value) => value.fmt(f),
            Value::I32(value) | Value::Date(value) => value.fmt(f),
            Value::I64(value) | Value::Time(value) | Value::Timestamp(value) | Value::Timestamptz(value) => {
                value.fmt(f)
            }
            Value::U8(value) => value.fmt(f),
            Value::U16(value) => value.fmt(f),
            Value::U32(value) => value.fmt(f),
            Value::U64(value) => value.fmt(f),
            Value::F32(value) => value.fmt(f),
            Value::F64(value) => value.fmt(f),
            Value::Decimal(value) | Value::Text(value) | Value::Json(value) => f.write_str(value),
            Value::Bytes(bytes) => write_hex(f, bytes),
            Value::Uuid(bytes) => write_hex(f, bytes),
            Value::Array(elements) => write!(f, "[{} elements]", elements.len()),
        }
    }
}

fn write_hex(f: &mut std::fmt::Formatter<'_>, bytes: &[u8]) -> std::fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}
