//! How each kind travels: the type of its parameters, and its name in a cast.
//!
//! Kept apart from `encode` and `decode` because both directions and the SQL must agree.

use arx::value::ScalarKind;
use sqlx::mysql::MySqlTypeInfo;
use sqlx::types::Decimal;
use sqlx::types::chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use sqlx::{MySql, Type};

/// The type that values of this kind are sent as; `None` for arrays, which MySQL does not have.
pub(crate) fn wire(kind: ScalarKind) -> Option<MySqlTypeInfo> {
    Some(match kind {
        // Signed, as its cast is: MySQL plans a statement afresh where the signs differ.
        ScalarKind::Bool => <i8 as Type<MySql>>::type_info(),
        ScalarKind::I8 => <i8 as Type<MySql>>::type_info(),
        ScalarKind::I16 => <i16 as Type<MySql>>::type_info(),
        ScalarKind::I32 => <i32 as Type<MySql>>::type_info(),
        ScalarKind::I64 => <i64 as Type<MySql>>::type_info(),
        ScalarKind::U8 => <u8 as Type<MySql>>::type_info(),
        ScalarKind::U16 => <u16 as Type<MySql>>::type_info(),
        ScalarKind::U32 => <u32 as Type<MySql>>::type_info(),
        ScalarKind::U64 => <u64 as Type<MySql>>::type_info(),
        ScalarKind::F32 => <f32 as Type<MySql>>::type_info(),
        ScalarKind::F64 => <f64 as Type<MySql>>::type_info(),
        // As text it would be compared as a float.
        ScalarKind::Decimal => <Decimal as Type<MySql>>::type_info(),
        ScalarKind::Bytes | ScalarKind::Uuid => <[u8] as Type<MySql>>::type_info(),
        ScalarKind::Date => <NaiveDate as Type<MySql>>::type_info(),
        ScalarKind::Time => <NaiveTime as Type<MySql>>::type_info(),
        ScalarKind::Timestamp | ScalarKind::Timestamptz => <NaiveDateTime as Type<MySql>>::type_info(),
        ScalarKind::Array(_) => return None,
        _ => <str as Type<MySql>>::type_info(),
    })
}

/// The type of a kind in `CAST(? AS ..)`.
pub(crate) const fn cast(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::Bool | ScalarKind::I8 | ScalarKind::I16 | ScalarKind::I32 | ScalarKind::I64 => "SIGNED",
        ScalarKind::U8 | ScalarKind::U16 | ScalarKind::U32 | ScalarKind::U64 => "UNSIGNED",
        ScalarKind::F32 | ScalarKind::F64 => "DOUBLE",
        // The most that the type has: 65 digits, 30 of them behind the point.
        ScalarKind::Decimal => "DECIMAL(65, 30)",
        ScalarKind::Bytes | ScalarKind::Uuid => "BINARY",
        ScalarKind::Date => "DATE",
        ScalarKind::Time => "TIME(6)",
        ScalarKind::Timestamp | ScalarKind::Timestamptz => "DATETIME(6)",
        _ => "CHAR",
    }
}

/// The name of a kind's column type, for messages.
pub(crate) const fn kind_name(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::Bool => "tinyint(1) or bit(1)",
        ScalarKind::I8 => "tinyint",
        ScalarKind::I16 => "smallint",
        ScalarKind::I32 => "int",
        ScalarKind::I64 => "bigint",
        ScalarKind::U8 => "tinyint unsigned",
        ScalarKind::U16 => "smallint unsigned",
        ScalarKind::U32 => "int unsigned",
        ScalarKind::U64 => "bigint unsigned",
        ScalarKind::F32 => "float",
        ScalarKind::F64 => "double",
        ScalarKind::Decimal => "decimal",
        ScalarKind::Bytes => "a binary string",
        ScalarKind::Uuid => "binary(16)",
        ScalarKind::Date => "date",
        ScalarKind::Time => "time",
        ScalarKind::Timestamp | ScalarKind::Timestamptz => "datetime or timestamp",
        ScalarKind::Json => "json",
        ScalarKind::Array(_) => "an array, which MySQL does not have",
        _ => "a character string",
    }
}
