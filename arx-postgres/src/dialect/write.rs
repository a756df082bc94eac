//! Updates and deletes.

use arx::dialect::{Bind, Dialect, Sql, iso, no_form};
use arx::error::{Error, Result};
use arx::plan::{Shape, Source};
use arx::query::{Assignment, Operand};
use arx::value::ScalarKind;

use super::{Postgres, rows, write_cells, write_matched_any, write_matched_row, write_matched_source};
use crate::source::{Length, write_cell, write_unnest};

pub(super) fn write_update(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    match rows(shape)? {
        Source::Values => {
            write_one(dialect, sql, shape)?;
            write_matched_row(sql, shape);
            iso::write_and(dialect, sql, &shape.filter)?;
        }
        Source::Arrays => write_many(dialect, sql, shape)?,
        _ if shape.set.iter().any(|set| set.operand == Operand::Source) => return Err(no_form(shape)),
        _ => {
            write_one(dialect, sql, shape)?;
            iso::write_where(dialect, sql, &shape.filter)?;
        }
    }
    iso::write_returning(sql, shape);
    sql.qualify(None);
    Ok(())
}

/// `UPDATE "t" SET "a" = $1, "at" = $2, "version" = "version" + 1`
fn write_one(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    sql.push("UPDATE ").table().push(" SET ");
    let from_rows = shape.set.iter().filter(|set| set.operand == Operand::Source).map(|set| set.column).collect();
    write_cells(sql, from_rows, ", ", |sql, column| {
        sql.column(column).push(" = ");
    });
    let others = shape.set.iter().filter(|set| set.operand != Operand::Source);
    sql.push(if from_rows.is_empty() || from_rows.len() == shape.set.len() { "" } else { ", " });
    for (place, set) in others.enumerate() {
        sql.push(if place == 0 { "" } else { ", " }).column(set.column).push(" = ");
        require_width(sql, set)?;
        iso::write_operand(dialect, sql, set)?;
    }
    Ok(())
}

/// Fails for arithmetic whose result PostgreSQL would not check: it has no integers of this width.
fn require_width(sql: &Sql<'_>, set: &Assignment) -> Result<()> {
    let Operand::Arithmetic { .. } = set.operand else { return Ok(()) };
    match sql.meta(set.column).kind {
        ScalarKind::I8 | ScalarKind::U8 | ScalarKind::U16 | ScalarKind::U32 | ScalarKind::U64 => {
            Err(Error::unsupported(
                "PostgreSQL stores the field in a wider type and would not notice an overflow; use i16, i32 or i64",
            ))
        }
        _ => Ok(()),
    }
}

fn write_many(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    if shape.guarded {
        write_guard(dialect, sql, shape)?;
    }
    sql.push("UPDATE ").table().push(" AS t SET ").list(&shape.set, |sql, set| {
        sql.column(set.column).push(" = ");
        match set.operand {
            Operand::Source => write_cell(sql, set.column),
            Operand::Increment => drop(sql.qualify(Some("t")).column(set.column).qualify(None).push(" + 1")),
            _ if shape.guarded => drop(sql.push("s.").column(set.column)),
            _ => dialect.write_literal(sql, sql.meta(set.column)),
        }
    });
    sql.push(" FROM ");
    if shape.guarded {
        sql.push("arx_source AS s");
    } else {
        write_unnest(sql, &shape.columns, Length::Hidden, None);
    }
    sql.push(" WHERE ");
    write_matched_source(sql, shape);
    sql.qualify(Some("t"));
    if shape.guarded {
        write_hits(sql, shape);
        return Ok(());
    }
    iso::write_and(dialect, sql, &shape.filter)
}

/// The rows that are there, locked in the order of their keys, before the update sees one.
///
/// Literals are taken in the order of the set list and then the filter, which stands here: so
/// those of the set list travel in the source.
fn write_guard(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    sql.push("WITH arx_source AS MATERIALIZED (SELECT s.*");
    for set in shape.set.iter().filter(|set| set.operand == Operand::Literal) {
        sql.push(", ");
        dialect.write_literal(sql, sql.meta(set.column));
        sql.push(" AS ").column(set.column);
    }
    sql.push(" FROM ");
    write_unnest(sql, &shape.columns, Length::Hidden, None);
    sql.push("), arx_hit AS MATERIALIZED (SELECT ").qualify(Some("t")).columns(shape.table.key.iter());
    sql.push(" FROM ").table().push(" AS t, arx_source AS s WHERE ");
    write_matched_source(sql, shape);
    iso::write_and(dialect, sql, &shape.filter)?;
    // As strong as the update's own lock: foreign keys that point here need not wait.
    sql.push(" ORDER BY ").columns(shape.table.key.iter()).push(" FOR NO KEY UPDATE OF t) ").qualify(None);
    Ok(())
}

/// How many rows were hit. Keys that only the database can compare may be equal, and hit one row twice.
fn write_hits(sql: &mut Sql<'_>, shape: &Shape) {
    let is_comparable = shape.table.key.iter().all(|column| shape.table.columns[column].kind.is_comparable());
    let hits = if is_comparable { "arx_hit" } else { "(SELECT DISTINCT * FROM arx_hit) AS h" };
    sql.push(" AND (SELECT count(*) FROM ").push(hits).push(") = ").bind(Bind::Count);
}

pub(super) fn write_delete(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    if shape.guarded {
        return Err(no_form(shape));
    }
    sql.push("DELETE FROM ").table();
    let single = shape.table.single_key().filter(|_| shape.matched.len() == 1);
    match (rows(shape)?, single) {
        (Source::Values, _) => write_matched_row(sql, shape),
        (Source::Arrays, Some(key)) => write_matched_any(sql, key),
        (Source::Arrays, None) => {
            sql.push(" AS t USING ");
            write_unnest(sql, &shape.columns, Length::Hidden, None);
            sql.push(" WHERE ");
            write_matched_source(sql, shape);
            sql.qualify(Some("t"));
        }
        _ => {
            iso::write_where(dialect, sql, &shape.filter)?;
            iso::write_returning(sql, shape);
            return Ok(());
        }
    }
    iso::write_and(dialect, sql, &shape.filter)?;
    iso::write_returning(sql, shape);
    sql.qualify(None);
    Ok(())
}
