//! Errors: SQLite's extended result codes become kinds.

use arx::entity::Table;
use arx::error::{Error, ErrorKind, RowFault, RowReason};
use rusqlite::ffi;

/// The error for what the driver reported; `table` is what the statement works on.
pub(crate) fn of(error: rusqlite::Error, table: Option<&Table>) -> Error {
    let (code, message) = match &error {
        rusqlite::Error::SqliteFailure(code, message) => (code.extended_code, message.as_deref()),
        rusqlite::Error::SqlInputError { error, msg, .. } => (error.extended_code, Some(msg.as_str())),
        rusqlite::Error::MultipleStatement => return several(error),
        rusqlite::Error::InvalidParameterCount(..) => return parameters(error),
        _ => (ffi::SQLITE_ERROR, None),
    };
    let (kind, text) = kind(code, message.unwrap_or_default());
    let mapped = Error::new(kind, text);
    let mapped = match message {
        Some(message) if code & 0xff == ffi::SQLITE_CONSTRAINT => constraint(mapped, message, table),
        _ => mapped,
    };
    mapped.with_source(error)
}

/// Names the row, counted within the command, that a constraint or a type refused.
pub(crate) fn at(error: Error, row: usize) -> Error {
    let is_of_the_row = matches!(
        error.kind(),
        ErrorKind::UniqueViolation
            | ErrorKind::ForeignKeyViolation
            | ErrorKind::NotNullViolation
            | ErrorKind::CheckViolation
            | ErrorKind::ValueRejected
            | ErrorKind::Database
    );
    if is_of_the_row { error.with_rows(vec![RowFault::new(row, RowReason::Refused, String::new())]) } else { error }
}

fn several(error: rusqlite::Error) -> Error {
    Error::invalid_input("several statements in one text take no parameters; run them one by one").with_source(error)
}

fn parameters(error: rusqlite::Error) -> Error {
    Error::invalid_input("the statement has another number of placeholders than values were given").with_source(error)
}

fn kind(code: i32, message: &str) -> (ErrorKind, &'static str) {
    match code {
        ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => {
            (ErrorKind::UniqueViolation, "another row has the same key or unique value")
        }
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => {
            (ErrorKind::ForeignKeyViolation, "a row that is referred to is missing, or is still referred to")
        }
        ffi::SQLITE_CONSTRAINT_NOTNULL => (ErrorKind::NotNullViolation, "the column takes no NULL"),
        ffi::SQLITE_CONSTRAINT_CHECK => (ErrorKind::CheckViolation, "a check constraint refused the row"),
        ffi::SQLITE_CONSTRAINT_DATATYPE => {
            (ErrorKind::ValueRejected, "the column of a STRICT table does not take this type")
        }
        _ => primary(code & 0xff, message),
    }
}

fn primary(code: i32, message: &str) -> (ErrorKind, &'static str) {
    match code {
        ffi::SQLITE_BUSY | ffi::SQLITE_LOCKED => (
            ErrorKind::Timeout,
            "another connection holds the database's lock; raise the busy timeout, or make its transactions shorter",
        ),
        ffi::SQLITE_INTERRUPT => (ErrorKind::Timeout, "the statement was interrupted"),
        ffi::SQLITE_READONLY => (ErrorKind::ReadOnly, "the database or the transaction is read-only"),
        ffi::SQLITE_TOOBIG => (ErrorKind::ValueRejected, "a value or the statement is larger than SQLite's limit"),
        ffi::SQLITE_MISMATCH => (ErrorKind::ValueRejected, "the column does not take this type"),
        ffi::SQLITE_RANGE => (ErrorKind::InvalidInput, "the statement has fewer placeholders than values were given"),
        ffi::SQLITE_CANTOPEN => (
            ErrorKind::Configuration,
            "the database file cannot be opened; does its folder exist, and may it be written?",
        ),
        ffi::SQLITE_NOTADB => (ErrorKind::Configuration, "the file is not a SQLite database, or is encrypted"),
        ffi::SQLITE_PERM | ffi::SQLITE_AUTH => (ErrorKind::Authentication, "access to the database is denied"),
        ffi::SQLITE_CORRUPT => (ErrorKind::ConnectionLost, "the database file is damaged"),
        ffi::SQLITE_IOERR => (ErrorKind::ConnectionLost, "the database file cannot be read or written"),
        ffi::SQLITE_ERROR if is_undefined(message) => {
            (ErrorKind::UndefinedObject, "the statement names something that is not there")
        }
        ffi::SQLITE_ERROR if message == "integer overflow" => {
            (ErrorKind::ValueRejected, "a computed value is out of the range of its column")
        }
        ffi::SQLITE_FULL => (ErrorKind::Database, "the disk or the database is full"),
        ffi::SQLITE_CONSTRAINT => (ErrorKind::Database, "a trigger or a constraint refused the row"),
        _ => (ErrorKind::Database, "SQLite refused the statement; its own message is the source of this error"),
    }
}

// SQLITE_ERROR covers most of what can be wrong with a statement; only the message tells what.
fn is_undefined(message: &str) -> bool {
    ["no such table", "no such column", "no such function", "no such index", "no such collation", "unknown database"]
        .iter()
        .any(|start| message.starts_with(start))
        || message.contains(" has no column named ")
}

/// Adds the names that a constraint's message carries: `UNIQUE constraint failed: t.a, t.b`.
fn constraint(error: Error, message: &str, table: Option<&Table>) -> Error {
    let Some((_, names)) = message.split_once(" constraint failed: ") else { return error };
    match error.kind() {
        ErrorKind::CheckViolation => error.with_constraint(names),
        ErrorKind::NotNullViolation => columns(error, names, table),
        ErrorKind::UniqueViolation => match names.strip_prefix("index '").and_then(|name| name.strip_suffix('\'')) {
            Some(index) => error.with_constraint(index),
            None => columns(error, names, table).with_constraint(names),
        },
        _ => error,
    }
}

fn columns(error: Error, names: &str, table: Option<&Table>) -> Error {
    let Some((name, column)) = names.split(", ").next().and_then(|first| first.split_once('.')) else { return error };
    let error = error.with_table(name.to_owned());
    if names.contains(", ") {
        return error;
    }
    let known = table.filter(|table| table.name.eq_ignore_ascii_case(name));
    let place = known.and_then(|table| table.columns.iter().position(|meta| meta.name.eq_ignore_ascii_case(column)));
    match (known, place) {
        (Some(table), Some(place)) => error.with_column(table.label(place)),
        _ => error.with_column(column.to_owned()),
    }
}
