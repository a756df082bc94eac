//! What an error says of the connection it came over, and the errors of the driver itself.

use arx::error::{Error, ErrorKind};

/// What an error says of the connection it came over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The server refused the statement; the connection is in step.
    Refused,
    /// As `Refused`, and the server has rolled the transaction back, or may have.
    RolledBack,
    /// As `Refused`, for a cached statement that is no longer valid.
    StalePlan,
    /// The connection is lost, or out of step.
    Lost,
}

/// Why a command did not end well, and what that says of the connection.
#[derive(Debug)]
pub struct Failure {
    /// The error.
    pub error: Error,
    /// What it says of the connection.
    pub fault: Fault,
}

impl Failure {
    /// An error of arx, found before anything was sent or after everything was read.
    #[must_use]
    pub fn harmless(error: Error) -> Self {
        Self { error, fault: Fault::None }
    }
}

/// The kind and the message of an error that does not come from the server. `tls` is the option that says how
/// connections are encrypted.
#[must_use]
pub fn driver_error(error: sqlx::Error, tls: &str) -> Error {
    let (kind, message) = match &error {
        sqlx::Error::Configuration(_) => (ErrorKind::Configuration, "the connection URL or an option is wrong"),
        sqlx::Error::PoolTimedOut => (
            ErrorKind::Timeout,
            "no connection became free in time; raise max_connections or acquire_timeout, or hold connections for less long",
        ),
        sqlx::Error::PoolClosed => (ErrorKind::ConnectionLost, "the database was closed"),
        sqlx::Error::Io(io) if io.kind() == std::io::ErrorKind::ConnectionRefused => {
            (ErrorKind::ConnectionLost, "no server accepts connections there")
        }
        sqlx::Error::Io(_) => (ErrorKind::ConnectionLost, "the connection to the server was lost"),
        sqlx::Error::Tls(_) => {
            let message = format!("no encrypted connection could be made; see {tls} and the server's certificate");
            return Error::new(ErrorKind::ConnectionLost, message).with_source(error);
        }
        sqlx::Error::Encode(_) => (ErrorKind::Encode, "the arguments cannot be sent"),
        sqlx::Error::TypeNotFound { .. } => {
            (ErrorKind::UndefinedObject, "a type that the statement names is not there")
        }
        sqlx::Error::Protocol(_) => (ErrorKind::ConnectionLost, "the server sent what the driver does not understand"),
        _ => (ErrorKind::Database, "the driver reported an error"),
    };
    Error::new(kind, message).with_source(error)
}
