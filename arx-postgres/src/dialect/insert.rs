//! Inserts.

use arx::dialect::{Bind, Dialect, Sql, iso, no_form};
use arx::entity::ColumnSet;
use arx::error::Result;
use arx::plan::{Matching, Shape, Source};
use arx::query::Operand;

use super::{Postgres, rows, write_cells};
use crate::source::{Length, ordinal_name, write_cell, write_unnest};

pub(super) fn write(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    if shape.set.iter().any(|assignment| assignment.operand != Operand::Literal) {
        return Err(no_form(shape));
    }
    match (rows(shape)?, &shape.matching) {
        (Source::Values, Matching::PerRow | Matching::Nothing | Matching::CarriedKey) => write_one(dialect, sql, shape),
        (Source::Arrays, Matching::Nothing | Matching::CarriedKey | Matching::SortedIdentity) => {
            write_many(dialect, sql, shape)
        }
        (Source::Arrays, Matching::Ordinal { key: Some(expression) }) => {
            return write_with_keys(dialect, sql, shape, expression);
        }
        _ => return Err(no_form(shape)),
    }
    iso::write_returning(sql, shape);
    Ok(())
}

/// `INSERT INTO "t" ("a", "b")`, with what lets a key that is always generated be given.
fn write_target(sql: &mut Sql<'_>, columns: impl IntoIterator<Item = usize>, shape: &Shape) {
    sql.push("INSERT INTO ").table();
    let mut columns = columns.into_iter().peekable();
    if columns.peek().is_some() {
        sql.push(" (").columns(columns).push(")");
    }
    sql.push(if shape.given_keys { " OVERRIDING SYSTEM VALUE" } else { "" });
}

fn stamped(shape: &Shape) -> impl Iterator<Item = usize> + '_ {
    shape.set.iter().map(|assignment| assignment.column)
}

/// The literals of the stamped columns, after other columns where there are any.
fn write_stamps(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape, follows: bool) {
    sql.push(if follows && !shape.set.is_empty() { ", " } else { "" });
    sql.list(stamped(shape), |sql, column| dialect.write_literal(sql, sql.meta(column)));
}

fn write_one(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) {
    write_target(sql, shape.columns.iter().chain(stamped(shape)), shape);
    if shape.columns.is_empty() && shape.set.is_empty() {
        sql.push(" DEFAULT VALUES");
        return;
    }
    sql.push(" VALUES (");
    if !shape.columns.is_empty() {
        write_cells(sql, shape.columns, ", ", |_, _| {});
    }
    write_stamps(dialect, sql, shape, !shape.columns.is_empty());
    sql.push(")");
}

/// With an order by the ordinal, `nextval` runs above the sort: ascending keys follow the input.
fn write_many(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) {
    write_target(sql, shape.columns.iter().chain(stamped(shape)), shape);
    sql.push(if shape.columns.is_empty() && shape.set.is_empty() { " SELECT" } else { " SELECT " });
    if shape.columns.is_empty() {
        write_stamps(dialect, sql, shape, false);
        sql.push(" FROM generate_series(1, ").bind(Bind::Count).push("::int8)");
        return;
    }
    let ordinal = ordinal_name(shape.table);
    // The source stands after the stamps, and its arrays are bound after them.
    sql.list(shape.columns.iter(), write_cell);
    write_stamps(dialect, sql, shape, true);
    sql.push(" FROM ");
    let is_ordered = shape.matching == Matching::SortedIdentity;
    write_unnest(sql, &shape.columns, Length::Seen, is_ordered.then_some(ordinal.as_str()));
    if is_ordered {
        sql.push(" ORDER BY s.").push(&ordinal);
    }
}

/// Keys that do not ascend are computed beside the ordinal, once, and given to the insert.
fn write_with_keys(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape, expression: &str) -> Result<()> {
    let (Some(key), ordinal) = (shape.table.single_key(), ordinal_name(shape.table)) else {
        return Err(no_form(shape));
    };
    write_keyed_source(sql, shape, key, &ordinal, expression);
    sql.push("), arx_new AS (");
    write_target(sql, std::iter::once(key).chain(shape.columns.iter()).chain(stamped(shape)), shape);
    sql.push(" SELECT ").qualify(Some("s")).columns(std::iter::once(key).chain(shape.columns.iter()));
    write_stamps(dialect, sql, shape, true);
    let returned: ColumnSet = shape.output.columns().into_iter().chain([key]).collect();
    sql.push(" FROM arx_source AS s RETURNING ").qualify(None).columns(returned.iter());
    sql.push(") SELECT ").qualify(Some("n"));
    iso::write_output(sql, &shape.output);
    sql.push(", s.").push(&ordinal).push(" FROM arx_new AS n JOIN arx_source AS s ON ").column(key);
    sql.push(" = ").qualify(Some("s")).column(key).qualify(None);
    Ok(())
}

/// `WITH arx_source AS MATERIALIZED (SELECT s."a", .., <key> AS "id", s.ord FROM UNNEST(..)`, left open.
fn write_keyed_source(sql: &mut Sql<'_>, shape: &Shape, key: usize, ordinal: &str, expression: &str) {
    sql.push("WITH arx_source AS MATERIALIZED (SELECT ");
    for column in shape.columns.iter() {
        write_cell(sql, column);
        sql.push(" AS ").column(column).push(", ");
    }
    sql.push(expression).push(" AS ").column(key).push(", s.").push(ordinal).push(" FROM ");
    if shape.columns.is_empty() {
        sql.push("generate_series(1, ").bind(Bind::Count).push("::int8) AS s(").push(ordinal).push(")");
    } else {
        write_unnest(sql, &shape.columns, Length::Seen, Some(ordinal));
    }
}
