//! The row source: SQLite has one, the one-row statement that is run for every row.
//!
//! In process there is no round trip to save, so this is the fastest form and the most
//! exact: each row's key, matched count and error are its own. This module says which
//! parameter of that statement takes which cell of the row.

use std::sync::Arc;

use arx::dialect::{Bind, Sql, Statement, no_form};
use arx::entity::{ColumnSet, Table};
use arx::error::{Error, Result};
use arx::plan::{Shape, Source};

use crate::link::{Last, Packed};

/// A statement and what is bound to it, as it is handed to the worker.
pub(crate) struct Run {
    pub(crate) text: Arc<str>,
    pub(crate) table: Option<&'static Table>,
    pub(crate) layout: Layout,
    pub(crate) last_id: bool,
    /// The literals, in the order of [`Layout::literals`].
    pub(crate) literals: Vec<u8>,
    pub(crate) rows: Packed,
    pub(crate) last: Last,
}

/// Which parameter takes what. Parameters are counted from 1.
#[derive(Default)]
pub(crate) struct Layout {
    /// Run once for every row; else once.
    pub(crate) each: bool,
    /// How many parameters there are.
    pub(crate) parameters: usize,
    /// The columns that each row is asked for.
    pub(crate) columns: ColumnSet,
    /// The parameters of these columns.
    pub(crate) cells: Vec<usize>,
    /// Parameters and the literals bound to them.
    pub(crate) literals: Vec<(usize, usize)>,
    /// The parameter of the row's place.
    pub(crate) ordinal: Option<usize>,
    /// The parameter of the number of rows.
    pub(crate) count: Option<usize>,
}

impl Layout {
    /// The layout of a statement's parameters.
    pub(crate) fn of(statement: &Statement) -> Result<Self> {
        let mut layout = Self { each: statement.source == Source::Each, ..Self::default() };
        let mut cells = Vec::new();
        for bind in &statement.binds {
            match bind {
                Bind::Rows { columns } => cells.extend(columns.iter().map(|column| (column, layout.next()))),
                Bind::Literal(literal) => {
                    let parameter = layout.next();
                    layout.literals.push((parameter, *literal));
                }
                Bind::Ordinal => layout.ordinal = Some(layout.next()),
                Bind::Count => layout.count = Some(layout.next()),
                _ => return Err(Error::unsupported("SQLite takes no arrays as parameters")),
            }
        }
        cells.sort_unstable();
        layout.columns = cells.iter().map(|(column, _)| *column).collect();
        if layout.columns.len() != cells.len() || (!layout.each && !cells.is_empty()) {
            return Err(Error::unsupported("SQLite binds the rows of a statement one by one, and each cell once"));
        }
        layout.cells = cells.into_iter().map(|(_, parameter)| parameter).collect();
        Ok(layout)
    }

    fn next(&mut self) -> usize {
        self.parameters += 1;
        self.parameters
    }
}

/// Fails for a shape whose rows come in another way than one by one.
pub(crate) fn require_each(shape: &Shape) -> Result<()> {
    if shape.source == Source::Each { Ok(()) } else { Err(no_form(shape)) }
}

/// Adds a placeholder for the row's cell of this column.
pub(crate) fn write_cell(sql: &mut Sql<'_>, column: usize) {
    sql.bind(Bind::Rows { columns: ColumnSet::of(column) });
}

/// Adds ` WHERE key = ?`, with a comparison for each of the columns that identify the row.
pub(crate) fn write_matched(sql: &mut Sql<'_>, matched: &ColumnSet) {
    for (place, column) in matched.iter().enumerate() {
        sql.push(if place == 0 { " WHERE " } else { " AND " }).column(column).push(" = ");
        write_cell(sql, column);
    }
}
