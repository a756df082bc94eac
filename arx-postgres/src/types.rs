//! How each kind travels: PostgreSQL's type, its array type and its name in a cast.
//!
//! Kept apart from `encode` and `decode` because both directions and the SQL must agree.

use arx::value::ScalarKind;
use sqlx::postgres::PgTypeInfo;
use sqlx::postgres::types::Oid;

/// Type numbers that every PostgreSQL has.
pub(crate) mod oid {
    pub(crate) const BOOL: u32 = 16;
    pub(crate) const BYTEA: u32 = 17;
    pub(crate) const CHAR: u32 = 18;
    pub(crate) const NAME: u32 = 19;
    pub(crate) const INT8: u32 = 20;
    pub(crate) const INT2: u32 = 21;
    pub(crate) const INT4: u32 = 23;
    pub(crate) const TEXT: u32 = 25;
    pub(crate) const JSON: u32 = 114;
    pub(crate) const FLOAT4: u32 = 700;
    pub(crate) const FLOAT8: u32 = 701;
    pub(crate) const UNKNOWN: u32 = 705;
    pub(crate) const BPCHAR: u32 = 1042;
    pub(crate) const VARCHAR: u32 = 1043;
    pub(crate) const DATE: u32 = 1082;
    pub(crate) const TIME: u32 = 1083;
    pub(crate) const TIMESTAMP: u32 = 1114;
    pub(crate) const TIMESTAMPTZ: u32 = 1184;
    pub(crate) const NUMERIC: u32 = 1700;
    pub(crate) const UUID: u32 = 2950;
    pub(crate) const JSONB: u32 = 3802;
}

/// One row of the type table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wire {
    /// The type's number.
    pub(crate) oid: u32,
    /// The number of the array type over it.
    pub(crate) array: u32,
    /// Its name in a cast.
    pub(crate) name: &'static str,
}

const fn wire(oid: u32, array: u32, name: &'static str) -> Wire {
    Wire { oid, array, name }
}

impl Wire {
    /// The type that values of this kind travel as; for an array, that of its elements.
    /// PostgreSQL has no unsigned types: each travels as the next wider signed one, and
    /// 64 bits as int8, in which the upper half does not fit.
    pub(crate) const fn of(kind: ScalarKind) -> Wire {
        match kind {
            ScalarKind::Bool => wire(oid::BOOL, 1000, "bool"),
            ScalarKind::I8 | ScalarKind::U8 | ScalarKind::I16 => wire(oid::INT2, 1005, "int2"),
            ScalarKind::U16 | ScalarKind::I32 => wire(oid::INT4, 1007, "int4"),
            ScalarKind::U32 | ScalarKind::I64 | ScalarKind::U64 => wire(oid::INT8, 1016, "int8"),
            ScalarKind::F32 => wire(oid::FLOAT4, 1021, "float4"),
            ScalarKind::F64 => wire(oid::FLOAT8, 1022, "float8"),
            ScalarKind::Decimal => wire(oid::NUMERIC, 1231, "numeric"),
            ScalarKind::Bytes => wire(oid::BYTEA, 1001, "bytea"),
            ScalarKind::Uuid => wire(oid::UUID, 2951, "uuid"),
            ScalarKind::Date => wire(oid::DATE, 1182, "date"),
            ScalarKind::Time => wire(oid::TIME, 1183, "time"),
            ScalarKind::Timestamp => wire(oid::TIMESTAMP, 1115, "timestamp"),
            ScalarKind::Timestamptz => wire(oid::TIMESTAMPTZ, 1185, "timestamptz"),
            ScalarKind::Json => wire(oid::JSONB, 3807, "jsonb"),
            ScalarKind::Array(element) => match *element {
                ScalarKind::Array(_) => wire(oid::TEXT, 1009, "text"),
                element => Wire::of(element),
            },
            _ => wire(oid::TEXT, 1009, "text"),
        }
    }

    /// The type for sqlx.
    pub(crate) const fn type_info(self) -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(self.oid))
    }

    /// The array type for sqlx.
    pub(crate) const fn array_info(self) -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(self.array))
    }
}

/// The kind whose values are of exactly this type.
pub(crate) const fn kind_of(number: u32) -> Option<ScalarKind> {
    Some(match number {
        oid::BOOL => ScalarKind::Bool,
        oid::INT2 => ScalarKind::I16,
        oid::INT4 => ScalarKind::I32,
        oid::INT8 => ScalarKind::I64,
        oid::FLOAT4 => ScalarKind::F32,
        oid::FLOAT8 => ScalarKind::F64,
        oid::NUMERIC => ScalarKind::Decimal,
        oid::TEXT | oid::VARCHAR | oid::BPCHAR | oid::NAME => ScalarKind::Text,
        oid::BYTEA => ScalarKind::Bytes,
        oid::UUID => ScalarKind::Uuid,
        oid::DATE => ScalarKind::Date,
        oid::TIME => ScalarKind::Time,
        oid::TIMESTAMP => ScalarKind::Timestamp,
        oid::TIMESTAMPTZ => ScalarKind::Timestamptz,
        oid::JSON | oid::JSONB => ScalarKind::Json,
        _ => return None,
    })
}

/// The name of a kind's type, for messages.
pub(crate) fn kind_name(kind: ScalarKind) -> String {
    let name = Wire::of(kind).name;
    if matches!(kind, ScalarKind::Array(_)) { format!("{name}[]") } else { name.to_owned() }
}
