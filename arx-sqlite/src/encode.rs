//! Encoding: values become packed cells, in SQLite's storage classes.

use arx::connection::{Command, Parameters, locate};
use arx::dialect::Statement;
use arx::error::{Error, Result};
use arx::value::{Elements, Encoder, Literal, Value};

use crate::calendar::Text;
use crate::link::{Last, Packed};
use crate::packed::{push_blob, push_integer, push_list, push_null, push_real, push_text};
use crate::source::{Layout, Run};

/// The first rows go early, so that the worker starts while the others are encoded.
const FIRST: usize = 16 * 1024;

/// Rows cross in chunks of about this size; one row may be larger.
const CHUNK: usize = 64 * 1024;

/// Packs cells and counts them; the first error stays.
pub(crate) struct Packer<'a> {
    bytes: &'a mut Vec<u8>,
    cells: usize,
    error: Option<(Error, usize)>,
}

impl<'a> Packer<'a> {
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, cells: 0, error: None }
    }

    /// Packs a literal; a list becomes a count and its elements.
    fn literal(&mut self, literal: &Literal<'_>) {
        match literal.list() {
            Some(list) => self.list(list),
            None => literal.encode(self),
        }
    }

    fn list(&mut self, list: &dyn Elements) {
        let Ok(count) = u32::try_from(list.len()) else {
            return self.fail(Error::encode("the list has too many elements"));
        };
        push_list(self.bytes, count);
        let before = self.cells;
        let written = list.write(self);
        if let Err(error) = written {
            self.fail(error);
        }
        if self.cells - before != list.len() {
            self.fail(Error::encode("the list gave another number of elements than it has"));
        }
    }

    fn text(&mut self, text: &[u8]) {
        if !push_text(self.bytes, text) {
            self.fail(too_long());
        }
    }

    fn time(&mut self, text: Option<Text>) {
        match text {
            Some(text) => self.text(text.as_bytes()),
            None => self
                .fail(Error::encode("the time is outside the years 0 to 9999, which SQLite stores as text that sorts")),
        }
    }

    fn real(&mut self, value: f64) {
        if value.is_nan() {
            // sqlite3_bind_double turns NaN into NULL.
            return self.fail(Error::encode("SQLite cannot store NaN; store NULL by an Option"));
        }
        push_real(self.bytes, value);
    }

    fn unsigned(&mut self, value: u64) {
        match i64::try_from(value) {
            Ok(value) => push_integer(self.bytes, value),
            Err(_) => self.fail(Error::encode("the number is above 2^63 - 1, the largest integer of SQLite")),
        }
    }
}

impl Encoder for Packer<'_> {
    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Null(_) => push_null(self.bytes),
            Value::Bool(value) => push_integer(self.bytes, value.into()),
            Value::I8(value) => push_integer(self.bytes, value.into()),
            Value::I16(value) => push_integer(self.bytes, value.into()),
            Value::I32(value) => push_integer(self.bytes, value.into()),
            Value::I64(value) => push_integer(self.bytes, value),
            Value::U8(value) => push_integer(self.bytes, value.into()),
            Value::U16(value) => push_integer(self.bytes, value.into()),
            Value::U32(value) => push_integer(self.bytes, value.into()),
            Value::U64(value) => self.unsigned(value),
            Value::F32(value) => self.real(value.into()),
            Value::F64(value) => self.real(value),
            Value::Decimal(text) | Value::Text(text) | Value::Json(text) => self.text(text.as_bytes()),
            Value::Bytes(bytes) if push_blob(self.bytes, bytes) => {}
            Value::Bytes(_) => self.fail(too_long()),
            Value::Uuid(bytes) if push_blob(self.bytes, &bytes) => {}
            Value::Date(days) => self.time(Text::date(days)),
            Value::Time(micros) => self.time(Text::time(micros)),
            Value::Timestamp(micros) => self.time(Text::timestamp(micros)),
            Value::Timestamptz(micros) => self.time(Text::instant(micros)),
            Value::Array(_) => self.fail(no_arrays()),
            _ => self.fail(Error::unsupported("SQLite has no form for this kind of value")),
        }
        self.cells += 1;
    }

    fn fail(&mut self, error: Error) {
        let at = self.cells;
        self.error.get_or_insert((error, at));
    }
}

/// SQLite has no arrays.
pub(crate) fn no_arrays() -> Error {
    Error::unsupported("SQLite has no arrays; store the vector with #[arx(json)]")
}

fn too_long() -> Error {
    Error::encode("the value is longer than 4 GiB")
}

/// The rows of a command on their way to the worker.
pub(crate) struct Feed<'a> {
    statement: &'a Statement,
    parameters: Parameters<'a>,
    columns: arx::entity::ColumnSet,
    width: usize,
    next: usize,
    end: usize,
}

impl<'a> Feed<'a> {
    /// The start of a command: literals and first rows. `None` when there is nothing to run.
    pub(crate) fn start(command: Command<'a>, mut buffers: [Vec<u8>; 2]) -> Result<Option<(Self, Run)>> {
        let Command { statement, parameters } = command;
        let layout = Layout::of(statement)?;
        let end = if layout.each { parameters.rows.len() } else { 0 };
        if layout.each && end == 0 {
            return Ok(None);
        }
        let [literals, rows] = &mut buffers;
        encode_literals(statement, &layout, &parameters, literals)?;
        let mut feed = Feed { statement, parameters, columns: layout.columns, width: layout.cells.len(), next: 0, end };
        let (rows, last) = feed.fill(std::mem::take(rows), FIRST)?;
        let run = Run {
            text: statement.text.clone(),
            table: statement.table,
            layout,
            last_id: statement.last_id,
            literals: std::mem::take(literals),
            rows,
            last,
        };
        Ok(Some((feed, run)))
    }

    pub(crate) fn is_done(&self) -> bool {
        self.next >= self.end
    }

    /// The next rows, packed into `buffer`.
    pub(crate) fn chunk(&mut self, buffer: Vec<u8>) -> Result<(Packed, Last)> {
        self.fill(buffer, CHUNK)
    }

    fn fill(&mut self, mut bytes: Vec<u8>, size: usize) -> Result<(Packed, Last)> {
        let first = self.next;
        let mut packer = Packer::new(&mut bytes);
        while self.next < self.end && packer.bytes.len() < size {
            packer.cells = 0;
            self.parameters.rows.write_row(self.next, &self.columns, &mut packer);
            if let Some((error, cell)) = packer.error.take() {
                return Err(locate(error, self.statement.table, self.columns.iter().nth(cell), Some(self.next)));
            }
            if packer.cells != self.width {
                let error = Error::encode("the row gave another number of values than it was asked for");
                return Err(locate(error, self.statement.table, None, Some(self.next)));
            }
            self.next += 1;
        }
        Ok((Packed { bytes, rows: self.next - first }, self.is_done()))
    }
}

fn encode_literals(
    statement: &Statement,
    layout: &Layout,
    parameters: &Parameters<'_>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let mut packer = Packer::new(out);
    for (_, literal) in &layout.literals {
        let Some(literal) = parameters.literals.get(*literal) else {
            return Err(Error::invalid_input("the statement has more placeholders than values"));
        };
        packer.literal(literal);
    }
    if layout.count.is_some() {
        packer.unsigned(u64::try_from(parameters.rows.len()).unwrap_or(u64::MAX));
    }
    match packer.error {
        Some((error, _)) => Err(locate(error, statement.table, None, None)),
        None => Ok(()),
    }
}
