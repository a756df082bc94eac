//! The rows of a batch as a row source: one array parameter per column, taken apart by UNNEST.
//!
//! A shape's columns go in, `UNNEST(..) AS s(..)` comes out, and the casts that its cells
//! need where they are used. Next is `dialect`.

use arx::dialect::{Bind, Sql};
use arx::entity::{ColumnMeta, ColumnSet, Table};
use arx::value::ScalarKind;

use crate::types::Wire;

/// How the values of a column stand in an array parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As values of their type.
    Plain,
    /// As the texts of array literals: UNNEST would take arrays of arrays apart to the last element.
    Literals,
}

impl Form {
    /// The form of this column.
    pub(crate) fn of(column: &ColumnMeta) -> Self {
        if matches!(column.kind, ScalarKind::Array(_)) { Self::Literals } else { Self::Plain }
    }

    /// The element type of the array parameter.
    pub(crate) fn wire(self, kind: ScalarKind) -> Wire {
        match self {
            Self::Plain => Wire::of(kind),
            Self::Literals => Wire::of(ScalarKind::Text),
        }
    }
}

/// Whether the planner may see how long the arrays are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// It may: nothing is joined with the rows.
    Seen,
    /// It may not. With a length it prices a join as if each row met a whole table, and takes a hash
    /// join over a sequential scan where an index was there (PostgreSQL 15 and 18, up to 4.9x).
    Hidden,
}

/// Writes `UNNEST($1::int8[], ..) AS s("id", ..)`, with the ordinal as the last column where it has a name.
pub(crate) fn write_unnest(sql: &mut Sql<'_>, columns: &ColumnSet, length: Length, ordinal: Option<&str>) {
    sql.push("UNNEST(").list(columns.iter(), |sql, column| {
        let meta = sql.meta(column);
        let name = Form::of(meta).wire(meta.kind).name;
        sql.push(if length == Length::Hidden { "(SELECT " } else { "" });
        sql.bind(Bind::Array { column }).push("::").push(name).push("[]");
        sql.push(if length == Length::Hidden { ")" } else { "" });
    });
    sql.push(if ordinal.is_some() { ") WITH ORDINALITY AS s(" } else { ") AS s(" });
    sql.qualify(None).columns(columns.iter());
    if let Some(ordinal) = ordinal {
        sql.push(", ").push(ordinal);
    }
    sql.push(")");
}

/// Writes `s."id"`, cast to the column's type where the array parameter had another.
pub(crate) fn write_cell(sql: &mut Sql<'_>, column: usize) {
    let meta = sql.meta(column);
    sql.push("s.").identifier(meta.name);
    match (Form::of(meta), meta.type_name) {
        (Form::Literals, None) => drop(sql.push("::").push(Wire::of(meta.kind).name).push("[]")),
        (Form::Literals, Some(name)) => {
            write_type(sql.push("::"), name);
            sql.push("[]");
        }
        (Form::Plain, Some(_)) => write_own_type(sql, meta),
        (Form::Plain, None) => {}
    }
}

/// Writes a placeholder's cast to a type of the database's own, by way of text, which every
/// type reads; nothing for a column without such a type.
pub(crate) fn write_own_type(sql: &mut Sql<'_>, column: &ColumnMeta) {
    let Some(name) = column.type_name else { return };
    let brackets = if matches!(column.kind, ScalarKind::Array(_)) { "[]" } else { "" };
    sql.push("::text").push(brackets).push("::");
    write_type(sql, name);
    sql.push(brackets);
}

/// Writes the name of a type, quoted, with its schema before a point. An array is named by its elements.
pub(crate) fn write_type(sql: &mut Sql<'_>, name: &str) {
    let name = name.strip_suffix("[]").unwrap_or(name);
    for (place, part) in name.split('.').enumerate() {
        sql.push(if place > 0 { "." } else { "" }).identifier(part);
    }
}

/// A name for the ordinal that no column of the table has.
pub(crate) fn ordinal_name(table: &Table) -> String {
    let mut name = "ord".to_owned();
    while table.columns.iter().any(|column| column.name == name) {
        name.push('_');
    }
    name
}
