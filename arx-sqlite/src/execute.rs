//! Running a statement, on the worker's side: parameters are bound from packed cells, and
//! what comes back is packed again.

use std::rc::Rc;

use arx::error::{Error, ErrorKind, Result};
use rusqlite::fallible_iterator::FallibleIterator as _;
use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Batch, Connection, Statement};

use crate::error;
use crate::link::{Inbox, Packed};
use crate::packed::{Cell, Reader, push_blob, push_end, push_integer, push_null, push_real, push_text};
use crate::source::{Layout, Run};

/// Rows come back in batches of so many, or of about so many bytes. The first are smaller, so
/// that they are decoded while the others are read.
const FIRST_ROWS: usize = 250;
const BATCH_ROWS: usize = 1_000;
const BATCH_BYTES: usize = 64 * 1024;

/// Runs a statement to its end, or until nobody wants it any more. What comes back are the
/// number of rows and the last of them.
pub(crate) fn execute(connection: &Connection, inbox: &Inbox, id: u64, run: Run) -> (Result<u64>, Option<Packed>) {
    let (table, last_id) = (run.table, run.last_id);
    let mut execution = Execution { connection, inbox, id, table, last_id, out: Packed::default(), full: FIRST_ROWS };
    let is_script = table.is_none() && run.layout.parameters == 0 && has_several_statements(&run.text);
    let rows = if is_script { execution.script(&run.text) } else { execution.command(run) };
    let batch = (execution.out.rows > 0 && rows.is_ok()).then_some(execution.out);
    (rows, batch)
}

/// A semicolon before the end; one inside a string only costs the statement its place in the cache.
fn has_several_statements(text: &str) -> bool {
    text.trim_end().trim_end_matches(';').contains(';')
}

struct Execution<'a> {
    connection: &'a Connection,
    inbox: &'a Inbox,
    id: u64,
    table: Option<&'static arx::entity::Table>,
    last_id: bool,
    out: Packed,
    /// How many rows make a batch now.
    full: usize,
}

impl Execution<'_> {
    fn command(&mut self, mut run: Run) -> Result<u64> {
        let mut statement = self.connection.prepare_cached(&run.text).map_err(|error| self.error(error))?;
        let given = run.layout.parameters;
        if statement.parameter_count() != given {
            return Err(self.error(rusqlite::Error::InvalidParameterCount(given, statement.parameter_count())));
        }
        bind_literals(&mut statement, &run).map_err(|error| self.error(error))?;
        self.inbox.0.give_back(std::mem::take(&mut run.literals));
        if run.layout.each { self.each(&mut statement, run) } else { self.once(&mut statement) }
    }

    /// Several statements without parameters, one after the other.
    fn script(&mut self, text: &str) -> Result<u64> {
        let mut statements = Batch::new(self.connection, text);
        let mut rows = 0;
        while let Some(mut statement) = statements.next().map_err(|error| self.error(error))? {
            if self.inbox.is_halted() {
                break;
            }
            if statement.parameter_count() > 0 {
                return Err(self.error(rusqlite::Error::InvalidParameterCount(0, statement.parameter_count())));
            }
            rows += self.once(&mut statement)?;
        }
        Ok(rows)
    }

    /// All rows of a batch are written or none. Inside a transaction its owner sees to that.
    fn each(&mut self, statement: &mut Statement<'_>, run: Run) -> Result<u64> {
        let step = self.prepare(statement);
        let is_single = run.last && run.rows.rows <= 1;
        if is_single || step.is_read_only || !self.connection.is_autocommit() {
            return self.rows(statement, step, run).map(|(affected, _)| affected);
        }
        self.word("BEGIN IMMEDIATE")?;
        let written = self.rows(statement, step, run);
        let ended = match written {
            Ok((_, true)) => self.word("COMMIT"),
            _ => Ok(()),
        };
        if !self.connection.is_autocommit() {
            self.word("ROLLBACK")?;
        }
        ended.and(written.map(|(affected, _)| affected))
    }

    /// Runs the statement for every row; whether it got to the last of them.
    fn rows(&mut self, statement: &mut Statement<'_>, step: Step, run: Run) -> Result<(u64, bool)> {
        let (mut chunk, mut last) = (run.rows, run.last);
        let (mut row, mut affected) = (0, 0);
        loop {
            let mut cells = Reader::new(&chunk.bytes);
            for _ in 0..chunk.rows {
                if self.inbox.is_halted() {
                    return Ok((affected, false));
                }
                let bound = bind_row(statement, &run.layout, row, &mut cells);
                let stepped = bound.map_err(|error| self.error(error)).and_then(|()| self.step(statement, step));
                affected += stepped.map_err(|error| error::at(error, row))?;
                row += 1;
            }
            self.inbox.0.give_back(chunk.bytes);
            if last {
                return Ok((affected, true));
            }
            match self.inbox.rows(self.id) {
                Some(next) => (chunk, last) = next,
                None => return Ok((affected, false)),
            }
        }
    }

    fn once(&mut self, statement: &mut Statement<'_>) -> Result<u64> {
        let step = self.prepare(statement);
        let before = self.connection.total_changes();
        let rows = self.step(statement, step)?;
        // sqlite3_changes keeps the count of an earlier statement when this one is no DML.
        let is_unchanged = !step.is_read_only && self.connection.total_changes() == before;
        Ok(if is_unchanged { 0 } else { rows })
    }

    fn prepare(&self, statement: &Statement<'_>) -> Step {
        let step = Step { returns_rows: statement.column_count() > 0, is_read_only: statement.readonly() };
        if step.is_read_only {
            self.inbox.allow_interrupt();
        }
        step
    }

    /// Runs the statement once with what is bound.
    fn step(&mut self, statement: &mut Statement<'_>, step: Step) -> Result<u64> {
        if step.returns_rows {
            let returned = self.returned(statement)?;
            return Ok(if step.is_read_only { returned } else { self.connection.changes() });
        }
        statement.raw_execute().map_err(|error| self.error(error))?;
        let changed = if step.is_read_only { 0 } else { self.connection.changes() };
        if self.last_id {
            self.push_last_id(changed)?;
        }
        Ok(changed)
    }

    fn push_last_id(&mut self, changed: u64) -> Result<()> {
        if changed == 0 {
            return Err(Error::new(ErrorKind::Database, "a trigger ignored the row, so that it has no key"));
        }
        self.prepare_batch();
        push_integer(&mut self.out.bytes, self.connection.last_insert_rowid());
        self.end_row();
        Ok(())
    }

    fn returned(&mut self, statement: &mut Statement<'_>) -> Result<u64> {
        let (mut returned, mut columns) = (0, 0);
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(|error| error::of(error, self.table))? {
            if returned == 0 {
                columns = row.as_ref().column_count();
            }
            self.prepare_batch();
            for column in 0..columns {
                let value = row.get_ref(column).map_err(|error| self.error(error))?;
                push(&mut self.out.bytes, value)?;
            }
            returned += 1;
            if !self.end_row() {
                break;
            }
        }
        Ok(returned)
    }

    fn prepare_batch(&mut self) {
        if self.out.bytes.capacity() == 0 {
            self.out.bytes = self.inbox.0.buffer();
        }
    }

    /// Ends a row that comes back; whether more of them are wanted.
    fn end_row(&mut self) -> bool {
        push_end(&mut self.out.bytes);
        self.out.rows += 1;
        if self.out.rows >= self.full || self.out.bytes.len() >= BATCH_BYTES {
            self.full = BATCH_ROWS.min(self.full * 2);
            return self.inbox.reply(self.id, std::mem::take(&mut self.out));
        }
        !self.inbox.is_halted()
    }

    fn word(&self, text: &str) -> Result<()> {
        word(self.connection, text).map_err(|error| self.error(error))
    }

    fn error(&self, error: rusqlite::Error) -> Error {
        error::of(error, self.table)
    }
}

/// What a statement is like; asked once, not for every row.
#[derive(Clone, Copy)]
struct Step {
    returns_rows: bool,
    is_read_only: bool,
}

/// Runs one of the words that bound transactions.
pub(crate) fn word(connection: &Connection, text: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(text)?.raw_execute().map(drop)
}

fn bind_row(
    statement: &mut Statement<'_>,
    layout: &Layout,
    row: usize,
    cells: &mut Reader<'_>,
) -> rusqlite::Result<()> {
    for &parameter in &layout.cells {
        bind(statement, parameter, cells)?;
    }
    match layout.ordinal {
        Some(parameter) => statement.raw_bind_parameter(parameter, i64::try_from(row + 1).unwrap_or(i64::MAX)),
        None => Ok(()),
    }
}

fn bind_literals(statement: &mut Statement<'_>, run: &Run) -> rusqlite::Result<()> {
    let mut cells = Reader::new(&run.literals);
    let literals = run.layout.literals.iter().map(|(parameter, _)| *parameter);
    literals.chain(run.layout.count).try_for_each(|parameter| bind(statement, parameter, &mut cells))
}

fn bind(statement: &mut Statement<'_>, parameter: usize, cells: &mut Reader<'_>) -> rusqlite::Result<()> {
    match cells.next() {
        Some(Cell::List(count)) => statement.raw_bind_parameter(parameter, list(cells, count)),
        Some(cell) => statement.raw_bind_parameter(parameter, Bound(cell)),
        None => Err(rusqlite::Error::InvalidQuery),
    }
}

/// A list as `rarray` takes it.
fn list(cells: &mut Reader<'_>, count: u32) -> Rc<Vec<Value>> {
    Rc::new((0..count).map_while(|_| cells.next()).map(owned).collect())
}

fn owned(cell: Cell<'_>) -> Value {
    match cell {
        Cell::Null | Cell::List(_) => Value::Null,
        Cell::Integer(value) => Value::Integer(value),
        Cell::Real(value) => Value::Real(value),
        Cell::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        Cell::Blob(bytes) => Value::Blob(bytes.to_vec()),
    }
}

struct Bound<'a>(Cell<'a>);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(value_ref(self.0)))
    }
}

fn value_ref(cell: Cell<'_>) -> ValueRef<'_> {
    match cell {
        Cell::Null | Cell::List(_) => ValueRef::Null,
        Cell::Integer(value) => ValueRef::Integer(value),
        Cell::Real(value) => ValueRef::Real(value),
        Cell::Text(text) => ValueRef::Text(text),
        Cell::Blob(bytes) => ValueRef::Blob(bytes),
    }
}

fn push(out: &mut Vec<u8>, value: ValueRef<'_>) -> Result<()> {
    let fits = match value {
        ValueRef::Null => {
            push_null(out);
            true
        }
        ValueRef::Integer(value) => {
            push_integer(out, value);
            true
        }
        ValueRef::Real(value) => {
            push_real(out, value);
            true
        }
        ValueRef::Text(text) => push_text(out, text),
        ValueRef::Blob(bytes) => push_blob(out, bytes),
    };
    if fits { Ok(()) } else { Err(Error::decode("a value of the row is longer than 4 GiB")) }
}
