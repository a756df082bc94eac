//! Error numbers to kinds. The server's message may hold values: it stays in `source()`, and only names that it
//! has in quotes are taken from it.

use arx::entity::Table;
use arx::error::{Error, ErrorKind};
use arx_sqlx::{Fault, driver_error};
use sqlx::mysql::MySqlDatabaseError;

use crate::message;

/// What an error says of the connection it came over.
pub(crate) fn fault(error: &sqlx::Error) -> Fault {
    let Some(error) = server_error(error) else { return Fault::Lost };
    match error.number() {
        // Shut down, packets out of order or too large, killed, timed out: the server closes the connection.
        1053 | 1077 | 1152..=1161 | 1184 | 1927 | 4031 => Fault::Lost,
        // Lock wait timeout (all of it where innodb_rollback_on_timeout is on), full lock table, deadlock,
        // changed since the snapshot (MariaDB), refused by the other servers of a group.
        1020 | 1180 | 1205 | 1206 | 1213 | 1613 | 1614 | 3101 => Fault::RolledBack,
        // Has to be prepared again, or is not known (any more), as behind a proxy.
        1243 | 1615 => Fault::StalePlan,
        _ if error.code() == Some("08S01") => Fault::Lost,
        _ => Fault::Refused,
    }
}

fn server_error(error: &sqlx::Error) -> Option<&MySqlDatabaseError> {
    error.as_database_error().and_then(|error| error.try_downcast_ref::<MySqlDatabaseError>())
}

/// The server's number of the error; `None` for one of the driver.
pub(crate) fn number(error: &sqlx::Error) -> Option<u16> {
    server_error(error).map(MySqlDatabaseError::number)
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
    driver_error(error, "ssl-mode")
}

fn from_server(known: Option<&Table>, error: sqlx::Error) -> Error {
    let Some(server) = server_error(&error) else {
        return Error::new(ErrorKind::Database, "the database reported an error");
    };
    let number = server.number();
    let (kind, message) = classify(number);
    let mut converted = Error::new(kind, format!("{message} (error {number})"));
    let names = message::names(number, server.message());
    let is_of_table = names.constraint.is_some() || names.column.is_some();
    if let Some(table) = known.filter(|_| is_of_table) {
        converted = converted.with_table(table.name);
    }
    if let Some(column) = names.column {
        converted =
            converted.with_column(known.and_then(|known| known.label_of(column)).unwrap_or_else(|| column.to_owned()));
    }
    if let Some(constraint) = names.constraint {
        converted = converted.with_constraint(constraint);
    }
    // What waited for a lock too long may get it next time.
    if number == 1205 {
        converted = converted.retryable();
    }
    converted.with_source(error)
}

/// The kind and the message of a number.
fn classify(number: u16) -> (ErrorKind, &'static str) {
    use ErrorKind as Kind;
    match number {
        1022 | 1062 | 1169 | 1557 | 1586 => (Kind::UniqueViolation, "a row with this key is there already"),
        1216 | 1217 | 1451 | 1452 | 1761 | 1762 => (Kind::ForeignKeyViolation, "a foreign key is not satisfied"),
        1048 | 1263 | 1364 => (Kind::NotNullViolation, "a column that takes no NULL was given none"),
        3819 | 4025 => (Kind::CheckViolation, "a check constraint refused a row"),
        1264 | 1265 | 1292 | 1366 | 1406 | 1411 | 1416 | 1690 | 3140..=3145 | 3155 | 3156 | 4038 => {
            (Kind::ValueRejected, "a value does not fit its column")
        }
        1020 | 3101 => (Kind::SerializationFailure, "a concurrent transaction made this one impossible; run it again"),
        1213 | 1614 => (Kind::Deadlock, "the database broke a deadlock; run the transaction again"),
        1205 => (Kind::Timeout, "a lock was not free in time; run the transaction again"),
        3572 => (Kind::Timeout, "a lock was not free"),
        1317 | 1907 | 1969 | 3024 => (Kind::Timeout, "the statement was cancelled or took too long"),
        1290 | 1792 | 1836 | 3100 => (Kind::ReadOnly, "the transaction or the database is read-only"),
        1045 | 1044 | 1130 | 1251 | 1275 | 1524 | 1698 | 1820 | 3118 | 3159 | 3878 => {
            (Kind::Authentication, "the server refused the user or the password")
        }
        1049 | 1051 | 1054 | 1072 | 1109 | 1146 | 1176 | 1305 | 1360 => {
            (Kind::UndefinedObject, "a table, column, function or type that the statement names is not there")
        }
        1040 | 1203 | 1226 => (Kind::ConnectionLost, "the server has no more connections to give"),
        1053 | 1077 | 1152 | 1154..=1161 | 1184 | 1927 | 4031 => (Kind::ConnectionLost, "the server ended the session"),
        1153 => (Kind::ConnectionLost, "the statement is larger than the server's max_allowed_packet"),
        1461 => (Kind::Database, "the server holds no more prepared statements; raise max_prepared_stmt_count"),
        1318 | 1414 => (Kind::InvalidInput, "the routine has other parameters now; call it again"),
        1235 | 1295 | 1178 => (Kind::Unsupported, "the database cannot do this"),
        1243 | 1615 => (
            Kind::Database,
            "a prepared statement is no longer valid, for its table was changed; run the transaction again",
        ),
        _ => (Kind::Database, "the database reported an error"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_numbers_that_programs_react_to() {
        for (number, kind) in [
            (1062, ErrorKind::UniqueViolation),
            (1452, ErrorKind::ForeignKeyViolation),
            (1048, ErrorKind::NotNullViolation),
            (4025, ErrorKind::CheckViolation),
            (1406, ErrorKind::ValueRejected),
            (1213, ErrorKind::Deadlock),
            (1205, ErrorKind::Timeout),
            (1045, ErrorKind::Authentication),
            (1146, ErrorKind::UndefinedObject),
            (1792, ErrorKind::ReadOnly),
            (9_999, ErrorKind::Database),
        ] {
            assert_eq!(classify(number).0, kind, "{number}");
        }
    }
}
