//! Inserts: plain lists of rows, whose generated keys are a block that ascends with the rows.

use arx::dialect::{Bind, Dialect, Sql, iso, no_form};
use arx::error::Result;
use arx::plan::{Matching, Shape, Source};
use arx::query::Operand;

use super::{Mysql, rows};

pub(super) fn write(dialect: &Mysql, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    let is_returned = !shape.output.is_empty();
    let is_plain = shape.set.iter().all(|assignment| assignment.operand == Operand::Literal);
    let has_form = match shape.matching {
        Matching::Nothing => !is_returned,
        Matching::LastId => shape.bucket == 1 && !is_returned,
        Matching::Block { .. } => !is_returned,
        Matching::PerRow => shape.bucket == 1 && is_returned,
        Matching::CarriedKey | Matching::SortedIdentity => is_returned,
        _ => false,
    };
    if rows(shape)? != Source::Values || !is_plain || !has_form || is_returned && !dialect.limits().returning {
        return Err(no_form(shape));
    }
    let columns = shape.columns.iter().chain(shape.set.iter().map(|assignment| assignment.column));
    let width = shape.columns.len() + shape.set.len();
    sql.push("INSERT INTO ").table().push(" (").columns(columns).push(") VALUES ");
    match shape.set.len() {
        0 => sql.bind_rows(shape.columns),
        count => sql.declare(Bind::Stamped { columns: shape.columns, first: 0, count }),
    };
    sql.list(0..shape.bucket, |sql, _| {
        sql.push("(").list(0..width, |sql, _| {
            sql.placeholder();
        });
        sql.push(")");
    });
    iso::write_returning(sql, shape);
    Ok(())
}
