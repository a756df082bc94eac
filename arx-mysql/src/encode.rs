//! Values to bytes: what a command's rows and literals are on the wire.
//!
//! Bytes go straight from the entities into sqlx's argument buffer, through an argument
//! whose `Encode` writes them and whose `produces` names the type. Next is `connection`.

use std::cell::Cell;

use arx::connection::{Command, locate};
use arx::dialect::Bind;
use arx::entity::{ColumnSet, Rows, Table};
use arx::error::{Error, Result};
use arx::value::{Elements, Encoder, ScalarKind, Value};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::mysql::{MySqlArguments, MySqlTypeInfo};
use sqlx::{Arguments as _, Encode, MySql, Type};

use crate::types::wire;
use crate::{calendar, json};

// A cell is, in most columns, nine bytes or less.
const USUAL_CELL: usize = 9;

/// The arguments of a command, in the order of its placeholders.
///
/// # Errors
/// `Encode`, naming column and row, for a value that MySQL has no form for, and for more than `limit` bytes: a
/// larger packet costs the connection.
pub(crate) fn arguments(command: &Command<'_>, limit: usize) -> Result<MySqlArguments> {
    let size = Cell::new(0);
    let arguments = write(command, &size)?;
    // Two bytes are a type, an eighth of one tells NULL apart, and some are the packet's own.
    let size = size.get() + arguments.len() * 17 / 8 + 64;
    if size > limit {
        let operation = &command.statement.operation;
        let message = format!(
            "the arguments have {size} bytes and the server takes {limit}; raise its max_allowed_packet or send fewer of them"
        );
        return Err(Error::encode(message).with_operation(operation.clone()));
    }
    Ok(arguments)
}

fn write(command: &Command<'_>, size: &Cell<usize>) -> Result<MySqlArguments> {
    let (statement, parameters) = (command.statement, &command.parameters);
    let (table, rows) = (statement.table, parameters.rows);
    let mut arguments = Out { arguments: MySqlArguments::default(), size };
    let cells = cells(command);
    arguments.arguments.reserve(cells, cells * USUAL_CELL);
    for bind in &statement.binds {
        match *bind {
            Bind::Rows { columns } => add_rows(&mut arguments, table, rows, [&columns, &ColumnSet::EMPTY])?,
            Bind::Filled { columns, rows: size } => {
                add_rows(&mut arguments, table, rows, [&columns, &ColumnSet::EMPTY])?;
                add_nulls(&mut arguments, table, &columns, size.saturating_sub(rows.len()))?;
            }
            Bind::Keyed { key, then, rows: size } => {
                add_rows(&mut arguments, table, rows, [&key, &then])?;
                for _ in rows.len()..size {
                    add_row(&mut arguments, table, rows, rows.len().saturating_sub(1), &key)?;
                    add_nulls(&mut arguments, table, &then, 1)?;
                }
            }
            Bind::Row { columns, row } if row < rows.len() => add_row(&mut arguments, table, rows, row, &columns)?,
            Bind::Row { columns, .. } => add_nulls(&mut arguments, table, &columns, 1)?,
            Bind::Stamped { columns, first, count } => {
                for row in 0..rows.len() {
                    add_row(&mut arguments, table, rows, row, &columns)?;
                    (first..first + count).try_for_each(|literal| add_literal(&mut arguments, command, literal))?;
                }
            }
            Bind::Json { columns } => {
                let text = json::rows(rows, &columns);
                let text = text.map_err(|(error, row)| locate(error, table, columns.iter().next(), Some(row)))?;
                add(&mut arguments, Value::Text(&text))?;
            }
            Bind::Literal(place) => add_literal(&mut arguments, command, place)?,
            Bind::List { literal, size } => add_list(&mut arguments, list(command, literal)?, size)?,
            Bind::JsonList(literal) => add(&mut arguments, Value::Text(&json::list(list(command, literal)?)?))?,
            Bind::Count => add(&mut arguments, Value::I64(i64::try_from(rows.len()).unwrap_or(i64::MAX)))?,
            other => return Err(Error::unsupported(format!("a placeholder cannot stand for {other:?} here"))),
        }
    }
    Ok(arguments.arguments)
}

/// Arguments, and how many bytes their values have.
struct Out<'s> {
    arguments: MySqlArguments,
    size: &'s Cell<usize>,
}

/// About how many arguments there will be.
fn cells(command: &Command<'_>) -> usize {
    let rows = command.parameters.rows.len();
    let cells = command.statement.binds.iter().map(|bind| match bind {
        Bind::Rows { columns } => columns.len() * rows,
        Bind::Stamped { columns, count, .. } => (columns.len() + count) * rows,
        Bind::Filled { columns, rows } => columns.len() * rows,
        Bind::Keyed { key, then, rows } => (key.len() + then.len()) * rows,
        Bind::List { size, .. } => *size,
        _ => 1,
    });
    cells.sum()
}

fn add(arguments: &mut Out<'_>, value: Value<'_>) -> Result<()> {
    let kind = Some(value.kind()).filter(|_| !matches!(value, Value::Array(_)));
    let wire = kind.and_then(wire).ok_or_else(no_arrays)?;
    let Out { arguments, size } = arguments;
    arguments.add(Single { value, wire, size }).map_err(unwrap)
}

fn list<'a>(command: &Command<'a>, place: usize) -> Result<&'a dyn Elements> {
    let literal = command.parameters.literals.get(place);
    match literal.map(|literal| (literal, literal.list())) {
        Some((_, Some(list))) => Ok(list),
        Some((literal, None)) => {
            let mut failed = Cells::new(None);
            literal.encode(&mut failed);
            Err(failed
                .finish()
                .err()
                .map_or_else(|| Error::invalid_input("the argument is no list"), |(error, _)| error))
        }
        None => Err(Error::invalid_input("the statement has more lists than arguments")),
    }
}

fn add_literal(arguments: &mut Out<'_>, command: &Command<'_>, place: usize) -> Result<()> {
    let literals = command.parameters.literals;
    let Some(literal) = literals.get(place) else {
        return Err(Error::invalid_input(format!(
            "the statement has more placeholders than the {} arguments given",
            literals.len()
        )));
    };
    let mut cells = Cells::new(Some(arguments));
    literal.encode(&mut cells);
    cells.finish().map_err(|(error, _)| error)
}

/// The elements, and the last one again until there are so many.
fn add_list(arguments: &mut Out<'_>, list: &dyn Elements, size: usize) -> Result<()> {
    let mut cells = Cells::new(Some(arguments));
    cells.fill = size.saturating_sub(list.len());
    cells.last = list.len();
    list.write(&mut cells)?;
    cells.finish().map_err(|(error, _)| error)
}

fn add_rows(
    arguments: &mut Out<'_>,
    table: Option<&Table>,
    rows: &dyn Rows,
    [first, then]: [&ColumnSet; 2],
) -> Result<()> {
    let is_double = !then.is_empty();
    for row in 0..rows.len() {
        let mut cells = Cells::new(Some(&mut *arguments));
        rows.write_row(row, first, &mut cells);
        if is_double {
            rows.write_row(row, then, &mut cells);
        }
        cells.finish().map_err(|(error, place)| {
            let column = first.iter().chain(then.iter()).nth(place);
            locate(error, table, column, Some(row))
        })?;
    }
    Ok(())
}

fn add_row(
    arguments: &mut Out<'_>,
    table: Option<&Table>,
    rows: &dyn Rows,
    row: usize,
    columns: &ColumnSet,
) -> Result<()> {
    let mut cells = Cells::new(Some(arguments));
    rows.write_row(row, columns, &mut cells);
    cells.finish().map_err(|(error, place)| locate(error, table, columns.iter().nth(place), Some(row)))
}

/// Rows of nothing but NULL, which no key is equal to.
fn add_nulls(arguments: &mut Out<'_>, table: Option<&Table>, columns: &ColumnSet, rows: usize) -> Result<()> {
    let Some(table) = table else { return Err(Error::invalid_input("the statement has rows and no table")) };
    let kinds: Vec<ScalarKind> = columns.iter().map(|column| table.columns[column].kind).collect();
    (0..rows).flat_map(|_| &kinds).try_for_each(|&kind| add(arguments, Value::Null(kind)))
}

/// The error that an `Encode` of this module returned.
fn unwrap(error: BoxDynError) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => Error::encode("the arguments are too large to send").with_source(other),
    }
}

/// Takes cells, an argument each.
struct Cells<'a, 's> {
    arguments: Option<&'a mut Out<'s>>,
    place: usize,
    /// The number of the value that is taken more than once, and how often more.
    last: usize,
    fill: usize,
    failed: Option<(Error, usize)>,
}

impl<'a, 's> Cells<'a, 's> {
    fn new(arguments: Option<&'a mut Out<'s>>) -> Self {
        Self { arguments, place: 0, last: 0, fill: 0, failed: None }
    }

    fn finish(self) -> Result<(), (Error, usize)> {
        self.failed.map_or(Ok(()), Err)
    }
}

impl Encoder for Cells<'_, '_> {
    fn value(&mut self, value: Value<'_>) {
        self.place += 1;
        let times = if self.place == self.last { 1 + self.fill } else { 1 };
        for _ in 0..times {
            let Some(arguments) = self.arguments.as_deref_mut().filter(|_| self.failed.is_none()) else { return };
            if let Err(error) = add(arguments, value) {
                self.failed = Some((error, self.place - 1));
            }
        }
    }

    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert((error, self.place));
    }
}

/// One value as one argument.
struct Single<'a> {
    value: Value<'a>,
    wire: MySqlTypeInfo,
    /// The bytes of all values so far.
    size: &'a Cell<usize>,
}

impl Type<MySql> for Single<'_> {
    fn type_info() -> MySqlTypeInfo {
        <str as Type<MySql>>::type_info()
    }
}

impl<'q> Encode<'q, MySql> for Single<'_> {
    fn encode_by_ref(&self, out: &mut Vec<u8>) -> Result<IsNull, BoxDynError> {
        if self.value.is_null() {
            return Ok(IsNull::Yes);
        }
        write_value(self.value, out)?;
        self.size.set(out.len());
        Ok(IsNull::No)
    }

    // Of the value's kind, NULL too: a statement whose types change from call to call is planned afresh each time.
    fn produces(&self) -> Option<MySqlTypeInfo> {
        Some(self.wire.clone())
    }
}

fn write_value(value: Value<'_>, out: &mut Vec<u8>) -> Result<()> {
    match value {
        Value::Bool(value) => out.push(u8::from(value)),
        Value::I8(value) => out.extend(value.to_le_bytes()),
        Value::U8(value) => out.push(value),
        Value::I16(value) => out.extend(value.to_le_bytes()),
        Value::U16(value) => out.extend(value.to_le_bytes()),
        Value::I32(value) => out.extend(value.to_le_bytes()),
        Value::U32(value) => out.extend(value.to_le_bytes()),
        Value::I64(value) => out.extend(value.to_le_bytes()),
        Value::U64(value) => out.extend(value.to_le_bytes()),
        Value::F32(value) if value.is_finite() => out.extend(value.to_le_bytes()),
        Value::F64(value) if value.is_finite() => out.extend(value.to_le_bytes()),
        Value::F32(_) | Value::F64(_) => return Err(no_nan()),
        Value::Decimal(text) | Value::Text(text) | Value::Json(text) => write_bytes(text.as_bytes(), out),
        Value::Bytes(bytes) => write_bytes(bytes, out),
        Value::Uuid(bytes) => write_bytes(&bytes, out),
        Value::Date(days) => calendar::encode_date(days, out)?,
        Value::Time(micros) => calendar::encode_time(micros, out)?,
        Value::Timestamp(micros) | Value::Timestamptz(micros) => calendar::encode_timestamp(micros, out)?,
        _ => return Err(no_arrays()),
    }
    Ok(())
}

/// Bytes with their length before them, in one to nine bytes.
fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let length = bytes.len() as u64;
    let [a, b, c, ..] = length.to_le_bytes();
    match length {
        0..=0xfa => out.push(a),
        0xfb..=0xffff => out.extend([0xfc, a, b]),
        0x1_0000..=0xff_ffff => out.extend([0xfd, a, b, c]),
        _ => {
            out.push(0xfe);
            out.extend(length.to_le_bytes());
        }
    }
    out.extend_from_slice(bytes);
}

/// MySQL has no arrays.
pub(crate) fn no_arrays() -> Error {
    Error::unsupported("MySQL has no arrays; store the vector with #[arx(json)]")
}

/// MySQL has no NaN.
pub(crate) fn no_nan() -> Error {
    Error::encode("MySQL stores no NaN and no infinity; use an Option for what has no value")
}

#[cfg(test)]
mod tests {
    use super::write_bytes;

    #[test]
    fn writes_lengths_of_every_size() {
        for (length, header) in [(0, 1), (250, 1), (251, 3), (65_535, 3), (65_536, 4), (16_777_215, 4), (16_777_216, 9)]
        {
            let mut out = Vec::new();
            write_bytes(&vec![7; length], &mut out);
            assert_eq!(out.len(), header + length, "{length}");
        }
    }
}
