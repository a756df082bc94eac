//! Reads: by filter, by one key, by many.

use arx::dialect::{Bind, Sql, iso, no_form};
use arx::error::Result;
use arx::plan::{Lock, Matching, Shape, Source, Verb};

use super::{Mysql, rows, write_matched};
use crate::source::{write_json_cell, write_json_rows};

pub(super) fn write(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    let source = rows(shape)?;
    if source == Source::Nothing {
        return iso::write_filtered_select(dialect, sql, shape);
    }
    if shape.verb != Verb::Select || shape.matched != shape.columns || shape.limit || shape.offset {
        return Err(no_form(shape));
    }
    let with_ordinal = match shape.matching {
        Matching::Ordinal { key: None } => true,
        Matching::CarriedKey | Matching::Nothing | Matching::PerRow => false,
        _ => return Err(no_form(shape)),
    };
    match source {
        Source::Json => write_joined(dialect, sql, shape, with_ordinal),
        _ if with_ordinal => write_one_by_one(dialect, sql, shape),
        _ => {
            write_columns(sql, shape);
            sql.push(" FROM ").table().push(" AS t WHERE ");
            write_matched(sql, &shape.matched, shape.bucket);
            write_end(dialect, sql, shape)
        }
    }
}

fn write_columns(sql: &mut Sql<'_>, shape: &Shape) {
    sql.push("SELECT ").qualify(Some("t"));
    iso::write_output(sql, &shape.output);
}

/// The filter, the order and the lock.
fn write_end(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    iso::write_and(dialect, sql, &shape.filter)?;
    iso::write_order(sql, &shape.order);
    let words = if dialect.capabilities().locks_tables { " FOR UPDATE OF t" } else { " FOR UPDATE" };
    sql.push(if shape.lock == Lock::Update { words } else { "" }).qualify(None);
    Ok(())
}

/// The rows joined with the keys, which are one parameter.
fn write_joined(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape, with_ordinal: bool) -> Result<()> {
    let native_json = dialect.capabilities().native_json;
    write_columns(sql, shape);
    sql.push(if with_ordinal { ", s.o FROM " } else { " FROM " });
    write_json_rows(sql, &shape.columns, native_json);
    sql.push(" JOIN ").table().push(" AS t ON ");
    for (place, column) in shape.matched.iter().enumerate() {
        sql.push(if place > 0 { " AND " } else { "" }).column(column).push(" = ");
        write_json_cell(sql, column, place, native_json);
    }
    write_end(dialect, sql, shape)
}

/// A read for each key, with its ordinal in the text: where keys cannot be one parameter. The keys are sorted,
/// so the rows are locked in their order.
fn write_one_by_one(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    let literals = sql.literals();
    let (open, close) = if shape.bucket > 1 { ("(", ")") } else { ("", "") };
    for row in 0..shape.bucket {
        sql.push(if row > 0 { " UNION ALL " } else { "" }).push(open).repeat_literals(literals);
        write_columns(sql, shape);
        sql.push(", ").push(&(row + 1).to_string()).push(" FROM ").table().push(" AS t WHERE ");
        sql.declare(Bind::Row { columns: shape.matched, row });
        for (place, column) in shape.matched.iter().enumerate() {
            sql.push(if place > 0 { " AND " } else { "" }).column(column).push(" = ").placeholder();
        }
        write_end(dialect, sql, shape)?;
        sql.push(close);
    }
    Ok(())
}
