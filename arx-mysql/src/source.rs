//! The rows of a batch as a row source: placeholders that the first row gives types to, or one JSON parameter.
//!
//! A shape's columns go in, `(VALUES ROW(..)) AS s(..)` or `JSON_TABLE(..) AS s` comes out. Next is `dialect`.

use arx::dialect::{Bind, Sql};
use arx::entity::ColumnSet;
use arx::value::ScalarKind;

use crate::types::cast;

/// Writes the placeholder of a cell in a list of rows, with a type of its own.
///
/// MySQL plans a statement afresh when a placeholder without one is given another type than before, and takes NULL
/// for text then (9.7): with NULLs in ever other rows that is each time. Text needs a type in the first row only;
/// MariaDB 10.11 drops the microseconds of a list that begins with an untyped NULL.
pub(crate) fn write_cell(sql: &mut Sql<'_>, kind: ScalarKind, first: bool) {
    if first || cast(kind) != "CHAR" {
        sql.push("CAST(").placeholder().push(" AS ").push(cast(kind)).push(")");
    } else {
        sql.placeholder();
    }
}

/// Writes `(VALUES ROW(CAST(? AS SIGNED), ..), ROW(..)) AS s(..)`.
pub(crate) fn write_values(sql: &mut Sql<'_>, columns: &ColumnSet, rows: usize) {
    sql.declare(Bind::Filled { columns: *columns, rows });
    sql.push("(VALUES ").list(0..rows, |sql, row| {
        sql.push("ROW(").list(columns.iter(), |sql, column| write_cell(sql, sql.meta(column).kind, row == 0));
        sql.push(")");
    });
    sql.push(") AS s(").qualify(None).columns(columns.iter()).push(")");
}

/// How JSON_TABLE reads a kind, and what makes the value of it.
struct JsonColumn {
    type_name: &'static str,
    before: &'static str,
    after: &'static str,
}

fn json_column(kind: ScalarKind, native_json: bool) -> JsonColumn {
    let plain = |type_name| JsonColumn { type_name, before: "", after: "" };
    match kind {
        ScalarKind::Bool | ScalarKind::I8 | ScalarKind::I16 | ScalarKind::I32 | ScalarKind::I64 => plain("BIGINT"),
        ScalarKind::U8 | ScalarKind::U16 | ScalarKind::U32 | ScalarKind::U64 => plain("BIGINT UNSIGNED"),
        ScalarKind::F32 | ScalarKind::F64 => plain("DOUBLE"),
        ScalarKind::Decimal | ScalarKind::Date | ScalarKind::Time => plain(cast(kind)),
        ScalarKind::Timestamp | ScalarKind::Timestamptz => plain(cast(kind)),
        ScalarKind::Bytes | ScalarKind::Uuid => JsonColumn { type_name: "LONGTEXT", before: "UNHEX(", after: ")" },
        // A text column of JSON_TABLE has a collation of its own, which may not mix with the table's;
        // JSON_UNQUOTE yields text whose collation gives way, as that of a parameter does.
        _ if native_json => JsonColumn { type_name: "JSON", before: "JSON_UNQUOTE(", after: ")" },
        // MariaDB: JSON is text there, and null is its text.
        _ => JsonColumn { type_name: "JSON", before: "JSON_UNQUOTE(NULLIF(", after: ", 'null'))" },
    }
}

/// Writes `JSON_TABLE(?, '$[*]' COLUMNS (o FOR ORDINALITY, k0 BIGINT PATH '$[0]' ERROR ON ERROR, ..)) AS s`.
pub(crate) fn write_json_rows(sql: &mut Sql<'_>, columns: &ColumnSet, native_json: bool) {
    sql.push("JSON_TABLE(").bind(Bind::Json { columns: *columns }).push(", '$[*]' COLUMNS (o FOR ORDINALITY");
    for (place, column) in columns.iter().enumerate() {
        let place = place.to_string();
        let type_name = json_column(sql.meta(column).kind, native_json).type_name;
        sql.push(", k").push(&place).push(" ").push(type_name);
        sql.push(" PATH '$[").push(&place).push("]' ERROR ON ERROR");
    }
    sql.push(")) AS s");
}

/// Writes the value of the column that stands at `place` among those of [`write_json_rows`].
pub(crate) fn write_json_cell(sql: &mut Sql<'_>, column: usize, place: usize, native_json: bool) {
    let JsonColumn { before, after, .. } = json_column(sql.meta(column).kind, native_json);
    sql.push(before).push("s.k").push(&place.to_string()).push(after);
}

/// Writes a subquery that yields the elements of the next literal, a list of values of this kind.
pub(crate) fn write_json_list(sql: &mut Sql<'_>, kind: ScalarKind, native_json: bool) {
    let JsonColumn { type_name, before, after } = json_column(kind, native_json);
    sql.push("SELECT ").push(before).push("j.v").push(after).push(" FROM JSON_TABLE(").json_list();
    sql.push(", '$[*]' COLUMNS (v ").push(type_name).push(" PATH '$' ERROR ON ERROR)) AS j");
}
