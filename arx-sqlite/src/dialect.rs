//! The dialect: SQLite's words and clauses. Shapes go in, text and binds come out.

use arx::dialect::{Bind, Cache, Dialect, Lexis, Placeholder, Sql, iso, no_form};
use arx::entity::ColumnMeta;
use arx::error::{Error, Result};
use arx::plan::{Buckets, Limits, Matching, Shape, Source, Threshold, Verb};
use arx::query::{Assignment, Operand};
use arx::value::ScalarKind;

use crate::bulk;
use crate::collation::{COLLATE, is_collated};
use crate::encode::no_arrays;
use crate::source::{require_each, write_cell, write_matched};

static LEXIS: Lexis = Lexis {
    placeholder: Placeholder::Numbered("?"),
    for_update: "",
    no_limit: Some("-1"),
    collation: |column| if is_collated(column) { COLLATE } else { "" },
    ..Lexis::ISO
};

const EACH: &[Threshold] = &[Threshold { rows: 0, source: Source::Each }];

/// The limits of a database, of which SQLite told these two.
pub(crate) fn limits(max_parameters: usize, max_bytes: usize) -> Limits {
    Limits {
        max_parameters,
        max_rows: usize::MAX,
        max_bytes,
        values: &[1],
        buckets: Buckets::NONE,
        lists: &[],
        text_lists: &[],
        insert: EACH,
        write: EACH,
        read: EACH,
        ordinal: EACH,
        returning: true,
        guarded_rows: 0,
        listed_texts: false,
        inspect: true,
        aborts: false,
        nan: false,
    }
}

/// SQLite's way to write statements.
pub(crate) struct Sqlite {
    limits: Limits,
    cache: Cache,
}

impl Sqlite {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, cache: Cache::default() }
    }

    fn write_where(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        if shape.source == Source::Nothing {
            return iso::write_where(self, sql, &shape.filter);
        }
        require_each(shape)?;
        write_matched(sql, &shape.matched);
        iso::write_and(self, sql, &shape.filter)
    }
}

impl Dialect for Sqlite {
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
        if is_collated(column) {
            sql.push(COLLATE);
        }
    }

    fn write_in(&self, sql: &mut Sql<'_>, column: usize, negated: bool) -> Result<()> {
        sql.column(column);
        if is_collated(sql.meta(column)) {
            sql.push(COLLATE);
        }
        sql.push(if negated { " NOT IN rarray(" } else { " IN rarray(" }).literal().push(")");
        Ok(())
    }

    fn write_insert(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        if shape.source == Source::Staged {
            return Err(bulk::unsupported(shape));
        }
        require_each(shape)?;
        sql.push("INSERT INTO ").table();
        let stamped = shape.set.iter().map(|assignment| assignment.column);
        let columns: Vec<_> = shape.columns.iter().chain(stamped).collect();
        if columns.is_empty() {
            sql.push(" DEFAULT VALUES");
        } else {
            sql.push(" (").columns(columns).push(") VALUES (").list(shape.columns.iter(), write_cell);
            for (place, assignment) in shape.set.iter().enumerate() {
                if assignment.operand != Operand::Literal {
                    return Err(no_form(shape));
                }
                sql.push(if place == 0 && shape.columns.is_empty() { "" } else { ", " }).literal();
            }
            sql.push(")");
        }
        iso::write_returning(sql, shape);
        Ok(())
    }

    fn write_update(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        sql.push("UPDATE ").table().push(" SET ");
        for (place, assignment) in shape.set.iter().enumerate() {
            sql.push(if place == 0 { "" } else { ", " }).column(assignment.column).push(" = ");
            match assignment.operand {
                Operand::Source => write_cell(sql, assignment.column),
                // What is stored has no collation.
                Operand::Literal => drop(sql.literal()),
                // The versions of a batch have been looked at before they are sent.
                _ if shape.source == Source::Nothing => write_computed(self, sql, assignment)?,
                _ => iso::write_operand(self, sql, assignment)?,
            }
        }
        self.write_where(sql, shape)?;
        iso::write_returning(sql, shape);
        Ok(())
    }

    fn write_delete(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        sql.push("DELETE FROM ").table();
        self.write_where(sql, shape)?;
        iso::write_returning(sql, shape);
        Ok(())
    }

    fn write_select(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        if shape.verb != Verb::Select {
            return if shape.source == Source::Nothing {
                iso::write_filtered_select(self, sql, shape)
            } else {
                Err(no_form(shape))
            };
        }
        sql.push("SELECT ");
        iso::write_output(sql, &shape.output);
        if matches!(shape.matching, Matching::Ordinal { .. }) {
            sql.push(if shape.output.is_empty() { "" } else { ", " }).bind(Bind::Ordinal);
        }
        sql.push(" FROM ").table();
        self.write_where(sql, shape)?;
        iso::write_order(sql, &shape.order);
        iso::write_paging(sql, shape);
        Ok(())
    }
}

/// Writes a computed value. SQLite computes in 64-bit integers and in floats, whatever the column's width: past the
/// range of the field the statement fails, as it does in databases with columns of that width.
fn write_computed(dialect: &Sqlite, sql: &mut Sql<'_>, assignment: &Assignment) -> Result<()> {
    match assignment.operand {
        Operand::Increment | Operand::Arithmetic { .. } => {}
        Operand::Literal => {
            sql.literal();
            return Ok(());
        }
        _ => return iso::write_operand(dialect, sql, assignment),
    }
    let kind = sql.meta(assignment.column).kind;
    let first = sql.literals();
    let value = |sql: &mut Sql<'_>| {
        sql.repeat_literals(first);
        iso::write_operand(dialect, sql, assignment)
    };
    sql.push("CASE WHEN ");
    match range(kind) {
        Some(range) => {
            sql.push("typeof(");
            value(sql)?;
            sql.push(") = 'integer' AND ");
            value(sql)?;
            sql.push(" BETWEEN ").push(range);
        }
        None => {
            let limit = float_limit(kind).ok_or_else(|| {
                Error::unsupported("SQLite would compute decimals as floats; read the rows and write them back")
            })?;
            sql.push("abs(");
            value(sql)?;
            sql.push(") <= ").push(limit);
        }
    }
    sql.push(" OR (");
    value(sql)?;
    sql.push(") IS NULL THEN ");
    value(sql)?;
    // The absolute value of the smallest integer is SQLite's only error in an expression. It has to depend on the
    // row, or SQLite may compute it before.
    sql.push(" ELSE abs(-9223372036854775807 - ((");
    value(sql)?;
    sql.push(") IS NOT NULL)) END");
    Ok(())
}

/// The range of an integer kind, as far as SQLite stores it.
fn range(kind: ScalarKind) -> Option<&'static str> {
    Some(match kind {
        ScalarKind::I8 => "-128 AND 127",
        ScalarKind::I16 => "-32768 AND 32767",
        ScalarKind::I32 => "-2147483648 AND 2147483647",
        ScalarKind::I64 => "-9223372036854775808 AND 9223372036854775807",
        ScalarKind::U8 => "0 AND 255",
        ScalarKind::U16 => "0 AND 65535",
        ScalarKind::U32 => "0 AND 4294967295",
        ScalarKind::U64 => "0 AND 9223372036854775807",
        _ => return None,
    })
}

/// The largest float of a kind.
fn float_limit(kind: ScalarKind) -> Option<&'static str> {
    match kind {
        ScalarKind::F32 => Some("3.4028234663852886e38"),
        ScalarKind::F64 => Some("1.7976931348623157e308"),
        _ => None,
    }
}
