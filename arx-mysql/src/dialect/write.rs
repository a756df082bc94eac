//! Updates and deletes.

use arx::dialect::{Bind, Dialect, Sql, iso, no_form};
use arx::entity::ColumnSet;
use arx::error::{Error, Result};
use arx::plan::{Shape, Source};
use arx::query::{Assignment, Operand};
use arx::value::ScalarKind;

use super::{MOST_CASES, Mysql, rows, write_matched};
use crate::source::{write_cell, write_values};

pub(super) fn write_update(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    if !shape.output.is_empty() || shape.guarded {
        return Err(no_form(shape));
    }
    match rows(shape)? {
        Source::Values if shape.bucket == 1 => {
            write_set(dialect, sql, shape)?;
            sql.push(" WHERE ");
            write_matched(sql, &shape.matched, 1);
            iso::write_and(dialect, sql, &shape.filter)
        }
        Source::Values if is_joined(dialect, sql, shape) => write_joined(dialect, sql, shape),
        Source::Values => write_cases(dialect, sql, shape),
        Source::Nothing => {
            write_set(dialect, sql, shape)?;
            iso::write_where(dialect, sql, &shape.filter)
        }
        _ => Err(no_form(shape)),
    }
}

/// Whether the rows are joined: many of them, and no key is text, for the collation of a list's column may not
/// mix with the table's.
fn is_joined(dialect: &Mysql, sql: &Sql<'_>, shape: &Shape) -> bool {
    let is_text = |column: usize| matches!(sql.meta(column).kind, ScalarKind::Text | ScalarKind::Json);
    dialect.capabilities().values_row && shape.bucket > MOST_CASES && !shape.matched.iter().any(is_text)
}

/// `` UPDATE `t` SET `a` = ?, `at` = ?, `version` = `version` + 1``, of one row or by filter.
///
/// The assignments are done one after the other, so each stands before those that change what it reads.
fn write_set(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    sql.push("UPDATE ").table().push(" SET ");
    let first = sql.literals();
    let mut literals = 0;
    let mut numbered = Vec::with_capacity(shape.set.len());
    for set in &shape.set {
        numbered.push((set, literals));
        literals += usize::from(matches!(set.operand, Operand::Literal | Operand::Arithmetic { .. }));
    }
    for (place, (set, literal)) in in_order(numbered)?.into_iter().enumerate() {
        sql.push(if place > 0 { ", " } else { "" }).column(set.column).push(" = ");
        sql.repeat_literals(first + literal);
        match set.operand {
            Operand::Source => drop(sql.bind(Bind::Rows { columns: ColumnSet::of(set.column) })),
            _ => iso::write_operand(dialect, sql, set)?,
        }
    }
    sql.repeat_literals(first + literals);
    Ok(())
}

/// The assignments, none after one that changes a column which it reads.
fn in_order(mut rest: Vec<(&Assignment, usize)>) -> Result<Vec<(&Assignment, usize)>> {
    let mut done = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let is_free = |(set, _): &(&Assignment, usize)| !rest.iter().any(|(other, _)| reads(other, set.column));
        let place = rest.iter().position(is_free).ok_or_else(|| {
            Error::unsupported("columns that are set from each other cannot be set in one statement on this database")
        })?;
        done.push(rest.remove(place));
    }
    Ok(done)
}

/// Whether an assignment of another column reads this one.
fn reads(set: &Assignment, column: usize) -> bool {
    let read = match set.operand {
        Operand::Column(read) | Operand::Arithmetic { column: read, .. } => read,
        _ => return false,
    };
    read == column && set.column != column
}

/// `` UPDATE `t` SET `a` = CASE `id` WHEN ? THEN ? .. END, .. WHERE `id` IN (..)``
fn write_cases(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    sql.push("UPDATE ").table().push(" SET ");
    for (place, set) in shape.set.iter().enumerate() {
        sql.push(if place > 0 { ", " } else { "" }).column(set.column).push(" = ");
        match set.operand {
            Operand::Source => write_case(sql, shape, set.column),
            _ => iso::write_operand(dialect, sql, set)?,
        }
    }
    sql.push(" WHERE ");
    write_matched(sql, &shape.matched, shape.bucket);
    iso::write_and(dialect, sql, &shape.filter)
}

fn write_case(sql: &mut Sql<'_>, shape: &Shape, column: usize) {
    let (key, kind) = (shape.table.key, sql.meta(column).kind);
    sql.declare(Bind::Keyed { key, then: ColumnSet::of(column), rows: shape.bucket }).push("CASE");
    if let Some(key) = shape.table.single_key() {
        sql.push(" ").column(key);
    }
    for row in 0..shape.bucket {
        sql.push(" WHEN ");
        for (place, part) in key.iter().enumerate() {
            if key.len() > 1 {
                sql.push(if place > 0 { " AND " } else { "" }).column(part).push(" = ");
            }
            sql.placeholder();
        }
        sql.push(" THEN ");
        write_cell(sql, kind, row == 0);
    }
    sql.push(" END");
}

/// `` UPDATE `t` AS t JOIN (VALUES ROW(..), ..) AS s(..) ON .. SET t.`a` = s.`a`, ..``
fn write_joined(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    sql.push("UPDATE ").table().push(" AS t JOIN ");
    write_values(sql, &shape.columns, shape.bucket);
    sql.push(" ON ").qualify(Some("t"));
    for (place, column) in shape.matched.iter().enumerate() {
        sql.push(if place > 0 { " AND " } else { "" }).column(column).push(" = s.");
        let name = sql.meta(column).name;
        sql.identifier(name);
    }
    sql.push(" SET ");
    for (place, set) in shape.set.iter().enumerate() {
        sql.push(if place > 0 { ", " } else { "" }).column(set.column).push(" = ");
        match set.operand {
            Operand::Source => {
                let name = sql.meta(set.column).name;
                sql.push("s.").identifier(name);
            }
            _ => iso::write_operand(dialect, sql, set)?,
        }
    }
    iso::write_where(dialect, sql, &shape.filter)?;
    sql.qualify(None);
    Ok(())
}

pub(super) fn write_delete(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    if shape.guarded || !shape.output.is_empty() && !dialect.limits().returning {
        return Err(no_form(shape));
    }
    sql.push("DELETE FROM ").table();
    match rows(shape)? {
        Source::Values => {
            sql.push(" WHERE ");
            write_matched(sql, &shape.matched, shape.bucket);
            iso::write_and(dialect, sql, &shape.filter)?;
        }
        Source::Nothing => iso::write_where(dialect, sql, &shape.filter)?,
        _ => return Err(no_form(shape)),
    }
    iso::write_returning(sql, shape);
    Ok(())
}
