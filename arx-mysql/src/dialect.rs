//! MySQL's words, limits and clauses, and those of MariaDB where a server turns out to have them.
//!
//! Rows travel as placeholders in a closed set of sizes, so that few statements serve all batches. Next is `connection`.

mod insert;
mod select;
mod write;

use std::sync::OnceLock;

use arx::dialect::{Bind, Cache, Dialect, Lexis, Sql, iso, no_form};
use arx::entity::{ColumnMeta, ColumnSet};
use arx::error::{Error, ErrorKind, Result};
use arx::plan::{Buckets, Limits, Shape, Source, Threshold};
use arx::value::ScalarKind;

use crate::bulk;
use crate::encode::no_arrays;
use crate::probe::Capabilities;
use crate::source::write_json_list;

static LEXIS: Lexis = Lexis {
    quote: ('`', '`'),
    no_limit: Some("18446744073709551615"),
    orders_nulls: false,
    // A literal `'\'` means one thing with NO_BACKSLASH_ESCAPES and another without.
    like_escape: " ESCAPE X'5C'",
    ..Lexis::ISO
};

const POWERS: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024];

// Up to here an update names each row's key in a CASE; the time that takes grows with the square.
const MOST_CASES: usize = 64;

// Below, placeholders are faster; above, the optimizer gives up on so long a list.
const JSON_FROM: usize = 1_025;

/// The limits of a server with these capabilities.
fn limits(capabilities: &Capabilities) -> Limits {
    let by_key: &[Threshold] =
        if capabilities.json_table { &[Threshold { rows: JSON_FROM, source: Source::Json }] } else { &[] };
    let by_ordinal: &[Threshold] =
        if capabilities.json_table { &[Threshold { rows: 2, source: Source::Json }] } else { &[] };
    Limits {
        // The count of parameters is a 16-bit number in the protocol.
        max_parameters: 65_535,
        max_rows: 65_536,
        max_bytes: capabilities.max_bytes(),
        // Larger statements gain nothing (measured) and cost the server 4 kB of memory a row. Where an insert
        // returns columns it has a text for keys and one for whole rows of each size: fewer sizes.
        values: if capabilities.returning { &[256, 64, 32, 8, 2, 1] } else { &[256, 128, 64, 32, 16, 8, 4, 2, 1] },
        buckets: Buckets {
            update: if capabilities.values_row { &POWERS[..9] } else { &POWERS[..7] },
            delete: &POWERS,
            read: &[1, 2, 4, 8, 16, 32, 64, 128, 256, 1_024],
            ordinal: &[1, 8, MOST_CASES],
        },
        lists: if capabilities.json_table { &POWERS[..10] } else { LONG_LISTS },
        text_lists: LONG_LISTS,
        insert: &[],
        write: &[],
        read: by_key,
        ordinal: by_ordinal,
        returning: capabilities.returning,
        guarded_rows: 0,
        listed_texts: true,
        inspect: true,
        aborts: false,
        nan: false,
    }
}

/// Where a list cannot be one parameter: texts of JSON_TABLE are compared one by one (40,000 with 10,000 rows for
/// minutes), while the server sorts parameters.
const LONG_LISTS: &[usize] = &[1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_000];

/// The dialect of MySQL 8.0.19 and MariaDB 10.6 and later. Until a server has been asked what it can do, it is
/// taken for one that can do little.
pub struct Mysql {
    probed: OnceLock<(Capabilities, Limits)>,
    least: (Capabilities, Limits),
    cache: Cache,
}

impl Mysql {
    /// The dialect, with an empty cache.
    #[must_use]
    pub fn new() -> Self {
        let least = Capabilities::least();
        Self { probed: OnceLock::new(), least: (least.clone(), limits(&least)), cache: Cache::default() }
    }

    /// The dialect of a server with these capabilities.
    #[must_use]
    pub fn with(capabilities: Capabilities) -> Self {
        let dialect = Self::new();
        dialect.learn(capabilities);
        dialect
    }

    /// Refuses a session whose keys are not as far apart as those of the connection that was asked.
    pub(crate) fn check_increment(&self, increment: Option<u64>) -> Result<()> {
        match self.capabilities().key_block {
            Some(known) if increment != Some(known) => Err(Error::new(
                ErrorKind::Configuration,
                "the sessions of one pool have different settings of auto_increment_increment",
            )),
            _ => Ok(()),
        }
    }

    /// Takes over what a server can do. The first answer stays: the servers of one pool are alike.
    pub(crate) fn learn(&self, capabilities: Capabilities) {
        let limits = limits(&capabilities);
        // `Err` only says that another connection was faster.
        let _ = self.probed.set((capabilities, limits));
    }

    /// Whether a server has been asked.
    pub(crate) fn is_probed(&self) -> bool {
        self.probed.get().is_some()
    }

    /// What the server can do.
    pub(crate) fn capabilities(&self) -> &Capabilities {
        &self.probed.get().unwrap_or(&self.least).0
    }
}

impl Default for Mysql {
    fn default() -> Self {
        Self::new()
    }
}

impl Dialect for Mysql {
    fn lexis(&self) -> &Lexis {
        &LEXIS
    }

    fn limits(&self) -> &Limits {
        &self.probed.get().unwrap_or(&self.least).1
    }

    fn cache(&self) -> &Cache {
        &self.cache
    }

    fn write_literal(&self, sql: &mut Sql<'_>, column: &ColumnMeta) {
        match column.kind {
            // As text it would be compared with documents as a JSON string.
            ScalarKind::Json if self.capabilities().native_json => {
                sql.push("CAST(").literal().push(" AS JSON)");
            }
            _ => drop(sql.literal()),
        }
    }

    fn write_in(&self, sql: &mut Sql<'_>, column: usize, negated: bool) -> Result<()> {
        let kind = sql.meta(column).kind;
        if matches!(kind, ScalarKind::Array(_) | ScalarKind::Json) {
            return Err(Error::unsupported("a list of JSON documents cannot be sent; compare them one by one"));
        }
        match sql.next_list() {
            // Nothing is equal to one of none.
            Some(0) => {
                sql.list_literal(0).push(if negated { "1 = 1" } else { "1 = 0" });
            }
            Some(size) => {
                sql.column(column).push(if negated { " NOT IN (" } else { " IN (" }).list_literal(size).push(")");
            }
            None if self.capabilities().json_table && !matches!(kind, ScalarKind::Text | ScalarKind::Bytes) => {
                sql.column(column).push(if negated { " NOT IN (" } else { " IN (" });
                write_json_list(sql, kind, self.capabilities().native_json);
                sql.push(")");
            }
            None => {
                return Err(Error::unsupported(
                    "the list is too long for one statement on this database; send it in parts",
                ));
            }
        }
        Ok(())
    }

    fn write_insert(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        insert::write(self, sql, shape)
    }

    fn write_update(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        write::write_update(self, sql, shape)
    }

    fn write_delete(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        write::write_delete(self, sql, shape)
    }

    fn write_select(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()> {
        iso::refuse_arrays(shape, no_arrays)?;
        select::write(self, sql, shape)
    }
}

/// How the rows come; an error where there is no form for it.
fn rows(shape: &Shape) -> Result<Source> {
    match shape.source {
        Source::Values if shape.bucket > 0 => Ok(Source::Values),
        Source::Json if shape.verb == arx::plan::Verb::Select => Ok(Source::Json),
        Source::Nothing => Ok(Source::Nothing),
        Source::Staged => Err(bulk::unsupported(shape)),
        _ => Err(no_form(shape)),
    }
}

/// Writes which rows of a source of placeholders: `` `id` = ? AND `version` = ?``, `` `id` IN (?, ?)`` or
/// `` (`a`, `b`) IN ((?, ?), (?, ?))``.
fn write_matched(sql: &mut Sql<'_>, matched: &ColumnSet, rows: usize) {
    if rows == 1 {
        sql.bind_rows(*matched);
        for (place, column) in matched.iter().enumerate() {
            sql.push(if place > 0 { " AND " } else { "" }).column(column).push(" = ").placeholder();
        }
        return;
    }
    sql.declare(Bind::Keyed { key: *matched, then: ColumnSet::EMPTY, rows });
    let (open, close) = if matched.len() > 1 { ("(", ")") } else { ("", "") };
    sql.push(open).columns(matched.iter()).push(close).push(" IN (").list(0..rows, |sql, _| {
        sql.push(open).list(matched.iter(), |sql, _| {
            sql.placeholder();
        });
        sql.push(close);
    });
    sql.push(")");
}
