//! Clauses that most databases write alike.

use super::{Dialect, Sql};
use crate::entity::ColumnSet;
use crate::error::{Error, Result};
use crate::plan::{Lock, Matching, Output, Shape, Verb};
use crate::query::{Assignment, Nulls, Operand, Ordering, Predicate};
use crate::value::ScalarKind;

/// Refuses a table with an array column, where there are no arrays.
///
/// # Errors
/// This one, naming the column.
pub fn refuse_arrays(shape: &Shape, error: fn() -> Error) -> Result<()> {
    match shape.table.columns.iter().position(|column| matches!(column.kind, ScalarKind::Array(_))) {
        Some(column) => Err(error().with_column(shape.table.label(column))),
        None => Ok(()),
    }
}

/// Writes a predicate; literals are taken in the order of the walk.
///
/// # Errors
/// What [`Dialect::write_in`] returns.
pub fn write_predicate(dialect: &dyn Dialect, sql: &mut Sql<'_>, predicate: &Predicate) -> Result<()> {
    match predicate {
        Predicate::All => drop(sql.push("1 = 1")),
        Predicate::Compare { column, comparison } => {
            sql.column(*column).push(" ").push(comparison.sql()).push(" ");
            dialect.write_literal(sql, sql.meta(*column));
        }
        Predicate::Between { column, negated } => write_between(dialect, sql, *column, *negated),
        Predicate::In { column, negated } => dialect.write_in(sql, *column, *negated)?,
        Predicate::Like { column, negated } => {
            sql.column(*column).push(if *negated { " NOT LIKE " } else { " LIKE " });
            let escape = sql.lexis().like_escape;
            sql.literal().push(escape);
        }
        Predicate::IsNull { column, negated } => {
            sql.column(*column).push(if *negated { " IS NOT NULL" } else { " IS NULL" });
        }
        Predicate::And(list) => write_joined(dialect, sql, list, " AND ")?,
        Predicate::Or(list) => write_joined(dialect, sql, list, " OR ")?,
        Predicate::Not(inner) => {
            sql.push("NOT (");
            write_predicate(dialect, sql, inner)?;
            sql.push(")");
        }
    }
    Ok(())
}

fn write_between(dialect: &dyn Dialect, sql: &mut Sql<'_>, column: usize, negated: bool) {
    sql.column(column).push(if negated { " NOT BETWEEN " } else { " BETWEEN " });
    dialect.write_literal(sql, sql.meta(column));
    sql.push(" AND ");
    dialect.write_literal(sql, sql.meta(column));
}

fn write_joined(dialect: &dyn Dialect, sql: &mut Sql<'_>, list: &[Predicate], word: &str) -> Result<()> {
    sql.push("(");
    for (place, predicate) in list.iter().enumerate() {
        if place > 0 {
            sql.push(word);
        }
        write_predicate(dialect, sql, predicate)?;
    }
    sql.push(")");
    Ok(())
}

/// Writes ` WHERE ..`, or nothing for a filter that takes every row.
///
/// # Errors
/// As [`write_predicate`].
pub fn write_where(dialect: &dyn Dialect, sql: &mut Sql<'_>, predicate: &Predicate) -> Result<()> {
    if *predicate == Predicate::All {
        return Ok(());
    }
    sql.push(" WHERE ");
    write_predicate(dialect, sql, predicate)
}

/// Writes ` AND ..`, or nothing for a filter that takes every row.
///
/// # Errors
/// As [`write_predicate`].
pub fn write_and(dialect: &dyn Dialect, sql: &mut Sql<'_>, predicate: &Predicate) -> Result<()> {
    if *predicate == Predicate::All {
        return Ok(());
    }
    sql.push(" AND ");
    write_predicate(dialect, sql, predicate)
}

/// Writes ` ORDER BY ..`, or nothing without an order.
pub fn write_order(sql: &mut Sql<'_>, order: &[Ordering]) {
    if order.is_empty() {
        return;
    }
    sql.push(" ORDER BY ").list(order, |sql, ordering| {
        let in_words = sql.lexis().orders_nulls;
        match ordering.nulls {
            Nulls::First if !in_words => drop(sql.column(ordering.column).push(" IS NULL DESC, ")),
            Nulls::Last if !in_words => drop(sql.column(ordering.column).push(" IS NULL, ")),
            _ => {}
        }
        let collation = (sql.lexis().collation)(sql.meta(ordering.column));
        sql.column(ordering.column).push(collation).push(if ordering.descending { " DESC" } else { "" });
        sql.push(match ordering.nulls {
            Nulls::First if in_words => " NULLS FIRST",
            Nulls::Last if in_words => " NULLS LAST",
            _ => "",
        });
    });
}

/// Writes ` LIMIT ? OFFSET ?`, as far as the shape has them.
pub fn write_paging(sql: &mut Sql<'_>, shape: &Shape) {
    if shape.limit {
        sql.push(" LIMIT ").literal();
    } else if let Some(no_limit) = sql.lexis().no_limit.filter(|_| shape.offset) {
        sql.push(" LIMIT ").push(no_limit);
    }
    if shape.offset {
        sql.push(" OFFSET ").literal();
    }
}

/// Writes the right side of an assignment that does not come from the row source; stored values are
/// named with the qualifier that is set.
///
/// # Errors
/// `Unsupported` for the row source's own value, which each dialect writes in its way.
pub fn write_operand(dialect: &dyn Dialect, sql: &mut Sql<'_>, assignment: &Assignment) -> Result<()> {
    match assignment.operand {
        Operand::Source => return Err(Error::unsupported("this statement has no rows to take a value from")),
        Operand::Literal => dialect.write_literal(sql, sql.meta(assignment.column)),
        Operand::Increment => drop(sql.column(assignment.column).push(" + 1")),
        Operand::Column(column) => drop(sql.column(column)),
        Operand::Arithmetic { column, operator } => {
            sql.column(column).push(operator.sql());
            dialect.write_literal(sql, sql.meta(column));
        }
    }
    Ok(())
}

/// Writes what comes back, with commas between.
pub fn write_output(sql: &mut Sql<'_>, output: &Output) {
    sql.columns(output.columns());
}

/// Writes ` RETURNING ..`, or nothing where nothing comes back.
pub fn write_returning(sql: &mut Sql<'_>, shape: &Shape) {
    if !shape.output.is_empty() && shape.matching != Matching::LastId {
        sql.push(" RETURNING ");
        write_output(sql, &shape.output);
    }
}

/// Writes a read by filter: rows, a page, a count or an existence test.
///
/// # Errors
/// As [`write_predicate`].
pub fn write_filtered_select(dialect: &dyn Dialect, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    match shape.verb {
        Verb::Page => return write_page(dialect, sql, shape),
        Verb::Count => drop(sql.push("SELECT COUNT(*) FROM ").table()),
        Verb::Exists => drop(sql.push("SELECT EXISTS (SELECT 1 FROM ").table()),
        _ => {
            sql.push("SELECT ");
            write_output(sql, &shape.output);
            sql.push(" FROM ").table();
        }
    }
    write_where(dialect, sql, &shape.filter)?;
    write_order(sql, &shape.order);
    write_paging(sql, shape);
    if shape.verb == Verb::Exists {
        sql.push(")");
    }
    write_lock(sql, shape);
    Ok(())
}

/// Writes a page and its total in one statement:
///
/// ```sql
/// SELECT c.n, p."arx_row", p."id" FROM (SELECT COUNT(*) AS n FROM ..) c LEFT JOIN
///     (SELECT TRUE AS "arx_row", "id" FROM .. ORDER BY .. LIMIT ? OFFSET ?) p ON 1 = 1 ORDER BY p."id"
/// ```
///
/// The total is joined from the left, so that it comes back for an empty page too. The page is cut out before it is
/// joined, so that an index can serve its order; no join keeps an order, so the page is sorted once more.
fn write_page(dialect: &dyn Dialect, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    let marker = sql.unused_name("arx_row");
    sql.push("SELECT c.n, p.").identifier(&marker).push(", ").qualify(Some("p"));
    write_output(sql, &shape.output);
    sql.qualify(None).push(" FROM (SELECT COUNT(*) AS n FROM ").table();
    let literals = sql.literals();
    write_where(dialect, sql, &shape.filter)?;
    sql.push(") c LEFT JOIN (SELECT TRUE AS ").identifier(&marker).push(", ");
    let ordered = shape.order.iter().map(|ordering| ordering.column);
    let columns: ColumnSet = shape.output.columns().into_iter().chain(ordered).collect();
    sql.columns(columns.iter()).push(" FROM ").table().repeat_literals(literals);
    write_where(dialect, sql, &shape.filter)?;
    write_order(sql, &shape.order);
    write_paging(sql, shape);
    sql.push(") p ON 1 = 1").qualify(Some("p"));
    write_order(sql, &shape.order);
    sql.qualify(None);
    Ok(())
}

/// Writes what locks the rows that are read.
pub fn write_lock(sql: &mut Sql<'_>, shape: &Shape) {
    if shape.lock == Lock::Update {
        let words = sql.lexis().for_update;
        sql.push(words);
    }
}
