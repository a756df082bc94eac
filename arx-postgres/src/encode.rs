//! Values to bytes: what a command's rows and literals are on the wire.
//!
//! Bytes go straight from the entities into sqlx's argument buffer, through arguments
//! whose `Encode` writes them and whose `produces` names the type. Next is `connection`.

use std::cell::Cell;

use arx::connection::{Command, locate};
use arx::dialect::Bind;
use arx::entity::{ColumnSet, Rows, Table};
use arx::error::{Error, Result};
use arx::value::{Elements, Encoder, Literal, ScalarKind, Value};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgArguments, PgTypeInfo};
use sqlx::{Arguments as _, Encode, Postgres, Type};

use crate::source::Form;
use crate::types::Wire;
use crate::{array, calendar, numeric};

// A cell is a length and, in most columns, eight bytes or less.
const USUAL_CELL: usize = 12;

/// The arguments of a command, in the order of its placeholders.
///
/// # Errors
/// `Encode`, naming column and row, for a value that PostgreSQL has no form for.
pub(crate) fn arguments(command: &Command<'_>) -> Result<PgArguments> {
    let (statement, parameters) = (command.statement, &command.parameters);
    let mut arguments = PgArguments::default();
    arguments.reserve(statement.binds.len(), statement.binds.len() * (parameters.rows.len() + 2) * USUAL_CELL);
    for bind in &statement.binds {
        match *bind {
            Bind::Array { column } => add_column(&mut arguments, statement.table, parameters.rows, column)?,
            Bind::Rows { columns } => add_cells(&mut arguments, statement.table, parameters.rows, &columns)?,
            Bind::Literal(place) => add_literal(&mut arguments, command, place)?,
            Bind::Count => add(&mut arguments, Value::I64(i64::try_from(parameters.rows.len()).unwrap_or(i64::MAX)))?,
            other => return Err(Error::unsupported(format!("a placeholder cannot stand for {other:?} here"))),
        }
    }
    Ok(arguments)
}

fn add(arguments: &mut PgArguments, value: Value<'_>) -> Result<()> {
    arguments.add(Single(value)).map_err(unwrap)
}

fn add_literal(arguments: &mut PgArguments, command: &Command<'_>, place: usize) -> Result<()> {
    let literals = command.parameters.literals;
    let Some(literal) = literals.get(place) else {
        return Err(Error::invalid_input(format!(
            "the statement has more placeholders than the {} arguments given",
            literals.len()
        )));
    };
    let mut cells = Cells::new(arguments);
    literal.encode(&mut cells);
    cells.finish().map_err(|(error, _)| error)
}

fn add_cells(arguments: &mut PgArguments, table: Option<&Table>, rows: &dyn Rows, columns: &ColumnSet) -> Result<()> {
    for row in 0..rows.len() {
        let mut cells = Cells::new(arguments);
        rows.write_row(row, columns, &mut cells);
        cells.finish().map_err(|(error, place)| locate(error, table, columns.iter().nth(place), Some(row)))?;
    }
    Ok(())
}

fn add_column(arguments: &mut PgArguments, table: Option<&Table>, rows: &dyn Rows, column: usize) -> Result<()> {
    let Some(meta) = table.and_then(|table| table.columns.get(column)) else {
        return Err(Error::invalid_input("the statement has rows and no table"));
    };
    let row = Cell::new(0);
    let argument = Column { rows, column, kind: meta.kind, form: Form::of(meta), row: &row };
    arguments.add(argument).map_err(|error| locate(unwrap(error), table, Some(column), Some(row.get())))
}

/// The error that an `Encode` of this module returned.
fn unwrap(error: BoxDynError) -> Error {
    match error.downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => Error::encode("the arguments are too large to send").with_source(other),
    }
}

/// Takes the cells of one row, an argument each.
struct Cells<'a> {
    arguments: &'a mut PgArguments,
    place: usize,
    failed: Option<(Error, usize)>,
}

impl<'a> Cells<'a> {
    fn new(arguments: &'a mut PgArguments) -> Self {
        Self { arguments, place: 0, failed: None }
    }

    fn finish(self) -> Result<(), (Error, usize)> {
        self.failed.map_or(Ok(()), Err)
    }
}

impl Encoder for Cells<'_> {
    fn value(&mut self, value: Value<'_>) {
        if self.failed.is_none()
            && let Err(error) = add(self.arguments, value)
        {
            self.fail(error);
        }
        self.place += 1;
    }

    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert((error, self.place));
    }
}

/// One value as one argument.
struct Single<'a>(Value<'a>);

impl Type<Postgres> for Single<'_> {
    fn type_info() -> PgTypeInfo {
        Wire::of(ScalarKind::Text).type_info()
    }
}

impl<'q> Encode<'q, Postgres> for Single<'_> {
    fn encode_by_ref(&self, out: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        match self.0 {
            Value::Null(_) => return Ok(IsNull::Yes),
            Value::Array(elements) => write_array(elements, out)?,
            value => write_value(value, out)?,
        }
        Ok(IsNull::No)
    }

    fn produces(&self) -> Option<PgTypeInfo> {
        let wire = Wire::of(self.0.kind());
        let is_array = matches!(self.0, Value::Array(_) | Value::Null(ScalarKind::Array(_)));
        Some(if is_array { wire.array_info() } else { wire.type_info() })
    }
}

/// One column of every row as one array.
struct Column<'a> {
    rows: &'a dyn Rows,
    column: usize,
    kind: ScalarKind,
    form: Form,
    /// The row at which an error was met.
    row: &'a Cell<usize>,
}

impl Type<Postgres> for Column<'_> {
    fn type_info() -> PgTypeInfo {
        Wire::of(ScalarKind::Text).array_info()
    }
}

impl<'q> Encode<'q, Postgres> for Column<'_> {
    fn encode_by_ref(&self, out: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let wire = self.form.wire(self.kind);
        let mut writer = ArrayWriter::begin(out, wire, self.form);
        self.rows.write_column(self.column, &mut writer);
        self.row.set(writer.failed.as_ref().map_or(writer.count, |(_, row)| *row));
        // UNNEST would fill a shorter array up with NULL.
        writer.finish(self.rows.len())?;
        Ok(IsNull::No)
    }

    fn produces(&self) -> Option<PgTypeInfo> {
        Some(self.form.wire(self.kind).array_info())
    }
}

fn write_array(elements: &dyn Elements, out: &mut Vec<u8>) -> Result<()> {
    let mut writer = ArrayWriter::begin(out, Wire::of(elements.kind()), Form::Plain);
    elements.write(&mut writer)?;
    writer.finish(elements.len())
}

/// An array of one dimension: its header, then a length and the bytes of each element.
struct ArrayWriter<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    form: Form,
    count: usize,
    has_null: bool,
    failed: Option<(Error, usize)>,
}

impl<'a> ArrayWriter<'a> {
    fn begin(out: &'a mut Vec<u8>, wire: Wire, form: Form) -> Self {
        let start = out.len();
        // Dimensions, flags, element type, then length and lower bound of the dimension.
        for field in [1, 0, wire.oid, 0, 1] {
            out.extend(field.to_be_bytes());
        }
        Self { out, start, form, count: 0, has_null: false, failed: None }
    }

    fn finish(self, expected: usize) -> Result<()> {
        if let Some((error, _)) = self.failed {
            return Err(error);
        }
        if self.count != expected {
            return Err(Error::encode(format!("a column has {} values for {expected} rows", self.count)));
        }
        if self.count == 0 {
            // An empty array has no dimension.
            self.out.truncate(self.start + 12);
            patch(self.out, self.start, 0);
            return Ok(());
        }
        let count = u32::try_from(self.count).map_err(|_| Error::encode("an array has too many elements"))?;
        patch(self.out, self.start + 4, u32::from(self.has_null));
        patch(self.out, self.start + 12, count);
        Ok(())
    }
}

impl Encoder for ArrayWriter<'_> {
    fn value(&mut self, value: Value<'_>) {
        if self.failed.is_some() {
            return;
        }
        if value.is_null() {
            self.has_null = true;
            self.out.extend((-1_i32).to_be_bytes());
        } else if let Err(error) = write_element(value, self.form, self.out) {
            self.fail(error);
            return;
        }
        self.count += 1;
    }

    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert((error, self.count));
    }
}

fn write_element(value: Value<'_>, form: Form, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    out.extend([0; 4]);
    match (form, value) {
        (Form::Literals, Value::Array(elements)) => array::write_literal(elements, out)?,
        (_, value) => write_value(value, out)?,
    }
    let length = i32::try_from(out.len() - start - 4).map_err(|_| Error::encode("the value is over 2 GiB"))?;
    patch(out, start, length.cast_unsigned());
    Ok(())
}

fn patch(out: &mut [u8], start: usize, value: u32) {
    if let Some(place) = out.get_mut(start..start + 4) {
        place.copy_from_slice(&value.to_be_bytes());
    }
}

/// Appends the bytes of a value that is no NULL, without a length.
fn write_value(value: Value<'_>, out: &mut Vec<u8>) -> Result<()> {
    match value {
        Value::Bool(value) => out.push(u8::from(value)),
        Value::I8(value) => out.extend(i16::from(value).to_be_bytes()),
        Value::U8(value) => out.extend(i16::from(value).to_be_bytes()),
        Value::I16(value) => out.extend(value.to_be_bytes()),
        Value::U16(value) => out.extend(i32::from(value).to_be_bytes()),
        Value::I32(value) => out.extend(value.to_be_bytes()),
        Value::U32(value) => out.extend(i64::from(value).to_be_bytes()),
        Value::I64(value) => out.extend(value.to_be_bytes()),
        Value::U64(value) => out.extend(signed(value)?.to_be_bytes()),
        Value::F32(value) => out.extend(value.to_be_bytes()),
        Value::F64(value) => out.extend(value.to_be_bytes()),
        Value::Decimal(digits) => numeric::encode(digits, out)?,
        Value::Text(text) => write_text(text, out)?,
        Value::Bytes(bytes) => out.extend_from_slice(bytes),
        Value::Uuid(bytes) => out.extend(bytes),
        Value::Date(days) => out.extend(calendar::days_to_wire(days).ok_or_else(too_far)?.to_be_bytes()),
        Value::Time(micros) => out.extend(micros.to_be_bytes()),
        Value::Timestamp(micros) | Value::Timestamptz(micros) => {
            out.extend(calendar::micros_to_wire(micros).ok_or_else(too_far)?.to_be_bytes());
        }
        Value::Json(text) => {
            // The version of jsonb's binary form.
            out.push(1);
            write_text(text, out)?;
        }
        _ => return Err(Error::unsupported("arrays of arrays cannot be stored")),
    }
    Ok(())
}

fn write_text(text: &str, out: &mut Vec<u8>) -> Result<()> {
    if text.as_bytes().contains(&0) {
        return Err(nul_character());
    }
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

fn signed(value: u64) -> Result<i64> {
    i64::try_from(value).map_err(|_| {
        Error::encode("the number is over 9223372036854775807, the largest of int8; store it as a decimal")
    })
}

fn too_far() -> Error {
    Error::encode("the date is too far away for PostgreSQL")
}

/// PostgreSQL has no text with U+0000, whatever the column's type.
pub(crate) fn nul_character() -> Error {
    Error::encode("PostgreSQL stores no text with the character U+0000; remove it, or store bytes")
}

/// The name of the type that a literal travels as.
pub(crate) fn literal_type(literal: &Literal<'_>) -> String {
    let value = literal.value();
    let brackets = if matches!(value, Value::Array(_)) { "[]" } else { "" };
    format!("{}{brackets}", Wire::of(value.kind()).name)
}
