//! SQLSTATE codes to kinds. The server's message may hold values: it stays in `source()`.

use arx::entity::Table;
use arx::error::{Error, ErrorKind};
use arx_sqlx::{Fault, driver_error};
use sqlx::postgres::{PgDatabaseError, PgSeverity};

/// What an error says of the connection it came over.
pub(crate) fn fault(error: &sqlx::Error) -> Fault {
    match server_error(error) {
        Some(error) if is_stale_plan(error) => Fault::StalePlan,
        // FATAL and PANIC end the session.
        Some(error) if error.severity() == PgSeverity::Error => Fault::Refused,
        _ => Fault::Lost,
    }
}

/// The message is translated by the server; the routine that raised it is not. A statement may be gone
/// altogether after DISCARD ALL, or behind a pooler that does not keep sessions.
fn is_stale_plan(error: &PgDatabaseError) -> bool {
    (error.code() == "0A000" && error.routine() == Some("RevalidateCachedQuery")) || error.code() == "26000"
}

fn server_error(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
}

/// An error of sqlx as one of arx.
pub(crate) fn convert(error: sqlx::Error) -> Error {
    convert_for(None, error)
}

/// An error of a statement on `table`, whose columns are named by their fields.
pub(crate) fn convert_for(table: Option<&Table>, error: sqlx::Error) -> Error {
    if server_error(&error).is_some() {
        return from_server(table, error);
    }
    driver_error(error, "sslmode")
}

fn from_server(known: Option<&Table>, error: sqlx::Error) -> Error {
    let Some(server) = server_error(&error) else {
        return Error::new(ErrorKind::Database, "the database reported an error");
    };
    let (kind, message) = if is_stale_plan(server) { STALE_PLAN } else { classify(server.code()) };
    let mut converted = Error::new(kind, format!("{message} (SQLSTATE {})", server.code()));
    if let Some(table) = server.table() {
        converted = converted.with_table(table.to_owned());
    }
    if let Some(column) = server.column() {
        converted = converted.with_column(column_name(known, server.table(), column));
    }
    if let Some(constraint) = server.constraint() {
        converted = converted.with_constraint(constraint);
    }
    converted.with_source(error)
}

/// `Entity.field` for a column of the statement's own table, else the name as the server has it.
fn column_name(known: Option<&Table>, table: Option<&str>, column: &str) -> String {
    let known = known.filter(|known| table == Some(known.name));
    known.and_then(|known| known.label_of(column)).unwrap_or_else(|| column.to_owned())
}

const STALE_PLAN: (ErrorKind, &str) = (
    ErrorKind::Database,
    "a prepared statement is no longer valid, for its table was changed; run the transaction again",
);

/// The kind and the message of a code, most exact first.
fn classify(code: &str) -> (ErrorKind, &'static str) {
    use ErrorKind as Kind;
    match code {
        "23505" => (Kind::UniqueViolation, "a row with this key is there already"),
        "23503" => (Kind::ForeignKeyViolation, "a foreign key is not satisfied"),
        "23502" => (Kind::NotNullViolation, "a column that takes no NULL was given one"),
        "23514" | "23P01" => (Kind::CheckViolation, "a check or exclusion constraint refused a row"),
        "22001" | "22003" | "22007" | "22008" | "22021" | "22P02" | "22P05" | "22030" | "22032" => {
            (Kind::ValueRejected, "a value does not fit its column")
        }
        "40001" => (Kind::SerializationFailure, "a concurrent transaction made this one impossible; run it again"),
        "40P01" => (Kind::Deadlock, "the database broke a deadlock; run the transaction again"),
        "55P03" => (Kind::Timeout, "a lock was not free in time"),
        "57014" => (Kind::Timeout, "the statement was cancelled or took too long"),
        "25P01" => (Kind::TransactionAborted, "a statement of the transaction has ended it"),
        "25P02" => (Kind::TransactionAborted, "an earlier error has aborted the transaction; roll it back"),
        "25P03" | "25P04" => (Kind::ConnectionLost, "the server ended a transaction that lasted too long"),
        "25006" => (Kind::ReadOnly, "the transaction or the database is read-only"),
        "42P01" | "42703" | "42883" | "42704" | "3F000" | "3D000" => {
            (Kind::UndefinedObject, "a table, column, function or type that the statement names is not there")
        }
        "42725" => (Kind::InvalidInput, "several routines fit; give the arguments the types of one of them"),
        "428C9" => (Kind::Unsupported, "a column that is always generated was given a value"),
        "0A000" => (Kind::Unsupported, "the database cannot do this"),
        "08P01" => (Kind::InvalidInput, "the statement's placeholders and the arguments do not match"),
        "53300" => (Kind::ConnectionLost, "the server has no more connections to give"),
        _ => classify_by_class(code),
    }
}

fn classify_by_class(code: &str) -> (ErrorKind, &'static str) {
    match code.get(..2).unwrap_or_default() {
        "08" => (ErrorKind::ConnectionLost, "the connection to the server was lost"),
        "28" => (ErrorKind::Authentication, "the server refused the user or the password"),
        "23" => (ErrorKind::CheckViolation, "a constraint refused a row"),
        "57" => (ErrorKind::ConnectionLost, "the server ended the session"),
        "53" => (ErrorKind::Database, "the server has run out of a resource"),
        _ => (ErrorKind::Database, "the database reported an error"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_codes_that_programs_react_to() {
        for (code, kind) in [
            ("23505", ErrorKind::UniqueViolation),
            ("23P01", ErrorKind::CheckViolation),
            ("22P02", ErrorKind::ValueRejected),
            ("40001", ErrorKind::SerializationFailure),
            ("40P01", ErrorKind::Deadlock),
            ("57014", ErrorKind::Timeout),
            ("57P01", ErrorKind::ConnectionLost),
            ("08006", ErrorKind::ConnectionLost),
            ("28P01", ErrorKind::Authentication),
            ("3D000", ErrorKind::UndefinedObject),
            ("XX000", ErrorKind::Database),
            ("", ErrorKind::Database),
        ] {
            assert_eq!(classify(code).0, kind, "{code}");
        }
    }
}
