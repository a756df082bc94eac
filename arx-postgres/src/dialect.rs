//! PostgreSQL's words, limits and clauses.
//!
//! Rows travel as one array per column, so no text depends on how many there are; one row is
//! written plainly. Next is `connection`.

mod insert;
mod select;
mod write;

use arx::dialect::{Bind, Cache, Dialect, Lexis, Placeholder, Sql, no_form};
use arx::entity::ColumnMeta;
use arx::error::Result;
use arx::plan::{Buckets, Limits, Shape, Source, Threshold};
use arx::value::ScalarKind;

use crate::bulk;
use crate::source::{self, write_own_type};
use crate::types::Wire;

static LEXIS: Lexis = Lexis {
    placeholder: Placeholder::Numbered("$"),
    // Backslash escapes in LIKE by itself; `ESCAPE '\'` is a syntax error where
    // standard_conforming_strings is off.
    like_escape: "",
    ..Lexis::ISO
};

const ARRAYS_FROM_TWO: &[Threshold] =
    &[Threshold { rows: 1, source: Source::Values }, Threshold { rows: 2, source: Source::Arrays }];

fn limits() -> Limits {
    Limits {
        // The count of parameters is a 16-bit number in the protocol.
        max_parameters: 65_535,
        // More rows in a statement gain nothing (measured) and cost memory on both sides.
        max_rows: 65_536,
        // A field may have 1 GiB, and sqlx and the server copy the parameters twice each.
        max_bytes: 64 << 20,
        values: &[1],
        buckets: Buckets::NONE,
        lists: &[],
        text_lists: &[],
        insert: ARRAYS_FROM_TWO,
        write: ARRAYS_FROM_TWO,
        read: ARRAYS_FROM_TWO,
        ordinal: ARRAYS_FROM_TWO,
        returning: true,
        // 0.9 of BEGIN, UPDATE and COMMIT at 10 rows, 1.3 at 100 and 1.4 at 1,000 (measured on loopback).
        guarded_rows: 32,
        listed_texts: false,
        inspect: true,
        aborts: true,
        nan: true,
    }
}

/// The dialect of PostgreSQL 13 and later.
pub struct Postgres {
    limits: Limits,
    cache: Cache,
}

impl Postgres {
    /// The dialect, with an empty cache.
    #[must_use]
    pub fn new() -> Self {
        Self { limits: limits(), cache: Cache::default() }
    }
}

impl Default for Postgres {
    fn default() -> Self {
        Self::new()
    }
}

impl Dialect for Postgres {
    fn lexis(&self) -> &Lexis {
        &LEXIS
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn write_literal(&self, sql: &mut Sql<'_>, column: &ColumnMeta) {
        sql.literal();
        write_own_type(sql, column);
    }

    fn write_in(&self, sql: &mut Sql<'_>, column: usize, negated: bool) -> Result<()> {
        let meta = sql.meta(column);
        if matches!(meta.kind, ScalarKind::Array(_)) {
            return Err(arx::error::Error::unsupported("a list of arrays cannot be sent; compare them one by one"));
        }
        sql.column(column).push(if negated { " <> ALL(" } else { " = ANY(" }).literal();
        write_list_cast(sql, meta);
        sql.push(")");
        Ok(())
    }

    fn write_insert(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        insert::write(self, sql, shape)
    }

    fn write_update(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        write::write_update(self, sql, shape)
    }

    fn write_delete(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        write::write_delete(self, sql, shape)
    }

    fn write_select(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        select::write(self, sql, shape)
    }
}

/// The cast of a list of the column's values.
fn write_list_cast(sql: &mut Sql<'_>, column: &ColumnMeta) {
    match column.type_name {
        Some(name) => {
            source::write_type(sql.push("::text[]::"), name);
            sql.push("[]");
        }
        None => drop(sql.push("::").push(Wire::of(column.kind).name).push("[]")),
    }
}

/// Declares one row's cells of these columns, in ascending order, and lets `write` put each placeholder in its place.
fn write_cells(
    sql: &mut Sql<'_>,
    columns: arx::entity::ColumnSet,
    separator: &str,
    mut write: impl FnMut(&mut Sql<'_>, usize),
) {
    sql.bind_rows(columns);
    for (place, column) in columns.iter().enumerate() {
        sql.push(if place > 0 { separator } else { "" });
        write(sql, column);
        sql.placeholder();
        let meta = sql.meta(column);
        write_own_type(sql, meta);
    }
}

/// Writes ` WHERE` and which row: `"id" = $1 AND "version" = $2`.
fn write_matched_row(sql: &mut Sql<'_>, shape: &Shape) {
    sql.push(" WHERE ");
    write_cells(sql, shape.matched, " AND ", |sql, column| {
        sql.column(column).push(" = ");
    });
}

/// Writes ` WHERE "id" = ANY($1::int8[])`.
fn write_matched_any(sql: &mut Sql<'_>, key: usize) {
    let meta = sql.meta(key);
    sql.push(" WHERE ").column(key).push(" = ANY(").bind(Bind::Array { column: key });
    write_list_cast(sql, meta);
    sql.push(")");
}

/// Writes `t."id" = s."id" AND ..` for the columns that match a row.
fn write_matched_source(sql: &mut Sql<'_>, shape: &Shape) {
    for (place, column) in shape.matched.iter().enumerate() {
        sql.push(if place > 0 { " AND " } else { "" }).push("t.");
        let name = sql.meta(column).name;
        sql.identifier(name).push(" = ");
        source::write_cell(sql, column);
    }
}

/// Whether these rows come as arrays, or as the one row that a text can have.
fn rows(shape: &Shape) -> Result<Source> {
    match shape.source {
        Source::Values if shape.bucket == 1 => Ok(Source::Values),
        Source::Arrays => Ok(Source::Arrays),
        Source::Nothing => Ok(Source::Nothing),
        Source::Staged => Err(bulk::unsupported(shape)),
        _ => Err(no_form(shape)),
    }
}
