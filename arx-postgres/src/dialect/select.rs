//! Reads: by filter, by one key, by many.

use arx::dialect::{Sql, iso, no_form};
use arx::error::Result;
use arx::plan::{Lock, Matching, Shape, Source, Verb};

use super::{Postgres, rows, write_matched_any, write_matched_row, write_matched_source};
use crate::source::{Length, ordinal_name, write_unnest};

pub(super) fn write(dialect: &Postgres, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
    let source = rows(shape)?;
    if source == Source::Nothing {
        return iso::write_filtered_select(dialect, sql, shape);
    }
    if shape.verb != Verb::Select || shape.matched != shape.columns {
        return Err(no_form(shape));
    }
    let with_ordinal = match shape.matching {
        Matching::Ordinal { key: None } => true,
        Matching::CarriedKey | Matching::Nothing | Matching::PerRow => false,
        _ => return Err(no_form(shape)),
    };
    match (source, shape.table.single_key()) {
        (Source::Values, _) => {
            // The only row is the first one.
            write_plain(sql, shape, if with_ordinal { ", 1::int8" } else { "" });
            write_matched_row(sql, shape);
        }
        (_, Some(key)) if !with_ordinal => {
            write_plain(sql, shape, "");
            write_matched_any(sql, key);
        }
        _ => write_joined(sql, shape, with_ordinal),
    }
    iso::write_and(dialect, sql, &shape.filter)?;
    iso::write_order(sql, &shape.order);
    iso::write_paging(sql, shape);
    sql.push(if shape.lock == Lock::Update { " FOR UPDATE OF t" } else { "" }).qualify(None);
    Ok(())
}

fn write_plain(sql: &mut Sql<'_>, shape: &Shape, ordinal: &str) {
    sql.qualify(Some("t")).push("SELECT ");
    iso::write_output(sql, &shape.output);
    sql.push(ordinal).push(" FROM ").table().push(" AS t");
}

/// Rows by composite keys, or with the place of the key that found each.
fn write_joined(sql: &mut Sql<'_>, shape: &Shape, with_ordinal: bool) {
    let ordinal = ordinal_name(shape.table);
    sql.qualify(Some("t")).push("SELECT ");
    iso::write_output(sql, &shape.output);
    if with_ordinal {
        sql.push(", s.").push(&ordinal);
    }
    sql.push(" FROM ");
    write_unnest(sql, &shape.columns, Length::Hidden, with_ordinal.then_some(ordinal.as_str()));
    sql.push(" JOIN ").table().push(" AS t ON ");
    write_matched_source(sql, shape);
    sql.qualify(Some("t"));
}
