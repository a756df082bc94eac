//! The text of a statement while it is written, and what is bound to its placeholders.

use std::sync::Arc;

use super::lexis::Lexis;
use crate::entity::{ColumnMeta, ColumnSet, Table};
use crate::error::{Error, Result};
use crate::plan::{Shape, Source};

/// What is bound, in the order of the placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bind {
    /// One array: this column of every row.
    Array {
        /// The column.
        column: usize,
    },
    /// These columns of every row, row by row: a placeholder per cell.
    Rows {
        /// The columns.
        columns: ColumnSet,
    },
    /// These columns of so many rows, row by row; rows past the end of the batch are NULL.
    Filled {
        /// The columns.
        columns: ColumnSet,
        /// The rows.
        rows: usize,
    },
    /// Cells of so many rows, row by row: what identifies the row, then others. Past the end of the batch the last
    /// row is identified again, with NULL for the others.
    Keyed {
        /// The columns that come first in each row.
        key: ColumnSet,
        /// The columns after them.
        then: ColumnSet,
        /// The rows.
        rows: usize,
    },
    /// Cells of one row, or NULL past the end of the batch.
    Row {
        /// The columns.
        columns: ColumnSet,
        /// The row.
        row: usize,
    },
    /// These columns of every row, row by row, each followed by some literals.
    Stamped {
        /// The columns.
        columns: ColumnSet,
        /// The first literal.
        first: usize,
        /// How many there are.
        count: usize,
    },
    /// These columns of every row as one JSON array of arrays.
    Json {
        /// The columns.
        columns: ColumnSet,
    },
    /// One literal.
    Literal(usize),
    /// The elements of a list literal, a placeholder each; the last one fills up the rest.
    List {
        /// The literal.
        literal: usize,
        /// The placeholders.
        size: usize,
    },
    /// The elements of a list literal as one JSON array.
    JsonList(usize),
    /// The number of rows, as a 64-bit integer.
    Count,
    /// The row's place in the batch from 1, as a 64-bit integer; with `Source::Each` only.
    Ordinal,
}

/// A finished statement.
#[derive(Debug)]
#[non_exhaustive]
pub struct Statement {
    /// The text.
    pub text: Arc<str>,
    /// What is bound to its placeholders.
    pub binds: Vec<Bind>,
    /// The table it works on; `None` for hand-written SQL.
    pub table: Option<&'static Table>,
    /// How the rows get there.
    pub source: Source,
    /// How many columns come back in each row.
    pub outputs: usize,
    /// The driver reports the generated integer key of each row as a row of one column.
    pub last_id: bool,
    /// The driver reports the first generated key, and makes a row of each: they are so far apart.
    pub block: Option<u64>,
    /// What it does, for messages.
    pub operation: String,
}

impl Statement {
    /// Hand-written SQL, with a literal for each of its placeholders.
    #[must_use]
    pub fn raw(text: &str, literals: usize) -> Self {
        Self {
            text: text.into(),
            binds: (0..literals).map(Bind::Literal).collect(),
            table: None,
            source: Source::Nothing,
            outputs: 0,
            last_id: false,
            block: None,
            operation: "run".to_owned(),
        }
    }

    /// A call of a routine.
    #[must_use]
    pub(super) fn of_call(text: Arc<str>, binds: Vec<Bind>, operation: String) -> Self {
        Self { text, binds, operation, ..Self::raw("", 0) }
    }
}

/// A statement that is being written.
pub struct Sql<'a> {
    text: String,
    binds: Vec<Bind>,
    placeholders: usize,
    literals: usize,
    lists: &'a [Option<usize>],
    lexis: &'a Lexis,
    table: &'static Table,
    qualifier: Option<&'static str>,
    error: Option<Error>,
}

impl<'a> Sql<'a> {
    /// An empty statement on a table.
    #[must_use]
    pub fn new(lexis: &'a Lexis, table: &'static Table) -> Self {
        Self {
            text: String::with_capacity(256),
            binds: Vec::new(),
            placeholders: 0,
            literals: 0,
            lists: &[],
            lexis,
            table,
            qualifier: None,
            error: None,
        }
    }

    /// With the sizes of the lists among the literals.
    #[must_use]
    pub(super) fn with_lists(mut self, lists: &'a [Option<usize>]) -> Self {
        self.lists = lists;
        self
    }

    /// The dialect's words.
    #[must_use]
    pub fn lexis(&self) -> &'a Lexis {
        self.lexis
    }

    /// The table's columns.
    #[must_use]
    pub fn meta(&self, column: usize) -> &'static ColumnMeta {
        &self.table.columns[column]
    }

    /// Adds text that is written by arx; never a name or a value.
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds a quoted name. A NUL in it is an error: no database takes one.
    pub fn identifier(&mut self, name: &str) -> &mut Self {
        if let Err(error) = self.lexis.write_identifier(&mut self.text, name) {
            self.error = Some(error);
        }
        self
    }

    /// This name, made longer until no column of the table has it.
    #[must_use]
    pub fn unused_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(&name)) {
            name.push('_');
        }
        name
    }

    /// Adds the table's name, with its schema.
    pub fn table(&mut self) -> &mut Self {
        let table = self.table;
        if let Some(schema) = table.schema {
            self.identifier(schema).push(".");
        }
        self.identifier(table.name)
    }

    /// Sets what stands before the names that [`column`](Self::column) adds, for example `t`.
    pub fn qualify(&mut self, qualifier: Option<&'static str>) -> &mut Self {
        self.qualifier = qualifier;
        self
    }

    /// Adds a column's name, qualified if a qualifier is set.
    pub fn column(&mut self, column: usize) -> &mut Self {
        if let Some(qualifier) = self.qualifier {
            self.push(qualifier).push(".");
        }
        self.identifier(self.table.columns[column].name)
    }

    /// Adds column names with commas between.
    pub fn columns(&mut self, columns: impl IntoIterator<Item = usize>) -> &mut Self {
        self.list(columns, |sql, column| {
            sql.column(column);
        })
    }

    /// Adds what `write` writes for each item, with commas between.
    pub fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) -> &mut Self {
        for (place, item) in items.into_iter().enumerate() {
            if place > 0 {
                self.push(", ");
            }
            write(self, item);
        }
        self
    }

    /// Adds a placeholder for `bind`.
    pub fn bind(&mut self, bind: Bind) -> &mut Self {
        self.binds.push(bind);
        self.placeholder()
    }

    /// Adds a placeholder for the next literal.
    pub fn literal(&mut self) -> &mut Self {
        let literal = self.literals;
        self.literals += 1;
        self.bind(Bind::Literal(literal))
    }

    /// How many placeholders the next literal has, which is a list; `None` where it is one parameter.
    #[must_use]
    pub fn next_list(&self) -> Option<usize> {
        self.lists.get(self.literals).copied().flatten()
    }

    /// Adds so many placeholders for the elements of the next literal, with commas between.
    pub fn list_literal(&mut self, size: usize) -> &mut Self {
        self.binds.extend((size > 0).then_some(Bind::List { literal: self.literals, size }));
        self.literals += 1;
        self.list(0..size, |sql, _| {
            sql.placeholder();
        })
    }

    /// Adds a placeholder for the next literal, a list, as one JSON array.
    pub fn json_list(&mut self) -> &mut Self {
        let literal = self.literals;
        self.literals += 1;
        self.bind(Bind::JsonList(literal))
    }

    /// How many literals have been taken so far.
    #[must_use]
    pub fn literals(&self) -> usize {
        self.literals
    }

    /// Takes the literals from number `first` on once more.
    pub fn repeat_literals(&mut self, first: usize) {
        self.literals = first;
    }

    /// Binds these columns of `rows` rows, and adds `(?, ?), (?, ?)`.
    pub fn values(&mut self, columns: ColumnSet, rows: usize) -> &mut Self {
        self.binds.push(Bind::Rows { columns });
        let width = columns.len();
        self.list(0..rows, |sql, _| {
            sql.push("(").list(0..width, |sql, _| {
                sql.placeholder();
            });
            sql.push(")");
        })
    }

    /// Declares that the cells of `columns` are bound row by row from here on; each is then
    /// written with [`placeholder`](Self::placeholder).
    pub fn bind_rows(&mut self, columns: ColumnSet) -> &mut Self {
        self.binds.push(Bind::Rows { columns });
        self
    }

    /// Declares a bind whose placeholders are then written one by one.
    pub fn declare(&mut self, bind: Bind) -> &mut Self {
        self.binds.push(bind);
        self
    }

    /// Adds a placeholder for a bind that is declared already.
    pub fn placeholder(&mut self) -> &mut Self {
        self.placeholders += 1;
        self.lexis.write_placeholder(&mut self.text, self.placeholders);
        self
    }

    pub(super) fn finish(self, shape: &Shape) -> Result<Statement> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let is_ordinal = matches!(shape.matching, crate::plan::Matching::Ordinal { .. });
        let extra = usize::from(is_ordinal) + if shape.verb == crate::plan::Verb::Page { 2 } else { 0 };
        Ok(Statement {
            text: self.text.into(),
            binds: self.binds,
            table: Some(self.table),
            source: shape.source,
            outputs: shape.output.columns().len() + extra,
            last_id: shape.matching == crate::plan::Matching::LastId,
            block: match shape.matching {
                crate::plan::Matching::Block { increment } => Some(increment),
                _ => None,
            },
            operation: shape.describe(),
        })
    }
}
