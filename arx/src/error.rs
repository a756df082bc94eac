//! The one error type. It comes out of every call; nothing is to its left.
//!
//! A message names the operation and the column, never a value: a row's key is
//! reachable through [`Error::rows`], the driver's own error through `source()`.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

/// The result of every fallible call of arx.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in terms that are the same on every database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A unique or primary key constraint refused a row.
    UniqueViolation,
    /// A foreign key constraint refused a row.
    ForeignKeyViolation,
    /// A column that takes no NULL was given one.
    NotNullViolation,
    /// A check constraint refused a row.
    CheckViolation,
    /// A value is too long, too large or of a form that its column does not take.
    ValueRejected,
    /// Rows were changed by somebody else since they were read.
    StaleVersion,
    /// Rows that had to exist do not.
    NotFound,
    /// Two rows of one batch have the same key.
    DuplicateKey,
    /// The database, or this table of it, cannot do what was asked.
    Unsupported,
    /// A value cannot be written to the database.
    Encode,
    /// A value from the database does not fit the struct's field.
    Decode,
    /// A table, column, function or type that the statement names is not there.
    UndefinedObject,
    /// An argument of the call itself is wrong.
    InvalidInput,
    /// A connection URL or option is wrong.
    Configuration,
    /// The server refused the user or the password.
    Authentication,
    /// A lock, a statement or the wait for a connection took too long.
    Timeout,
    /// The server or the connection to it went away.
    ConnectionLost,
    /// A concurrent transaction made this one impossible; run it again.
    SerializationFailure,
    /// The database broke a deadlock by failing this statement; run it again.
    Deadlock,
    /// An earlier error has aborted the transaction; only a rollback is left.
    TransactionAborted,
    /// A write inside a read-only transaction or on a read-only database.
    ReadOnly,
    /// Any other error of the database; see `source()`.
    Database,
}

/// Why one row of a batch is named by an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowReason {
    /// No row has this key.
    Missing,
    /// The row is there with another version.
    Stale {
        /// The version that was sent.
        expected: i64,
        /// The version that is stored.
        found: i64,
    },
    /// An earlier row of the batch has the same key.
    Duplicate {
        /// The index of the earlier row.
        of: usize,
    },
    /// The value of this row cannot be sent or was refused.
    Refused,
}

/// One row of the input that an error names.
#[derive(Clone, PartialEq, Eq)]
pub struct RowFault {
    index: usize,
    reason: RowReason,
    key: String,
}

impl RowFault {
    /// A fault of the row at `index` of the input; `key` is shown only on request.
    #[must_use]
    pub fn new(index: usize, reason: RowReason, key: String) -> Self {
        Self { index, reason, key }
    }

    /// The row's place in the input, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Why the row is named.
    #[must_use]
    pub fn reason(&self) -> RowReason {
        self.reason
    }

    /// The row's key as text; parts of a composite key are separated by commas.
    /// It is a value from the application's data: log it only where that is allowed.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl fmt::Debug for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowFault").field("index", &self.index).field("reason", &self.reason).finish_non_exhaustive()
    }
}

/// An error of arx. Its message and its `Debug` output carry no value of a row.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    operation: Option<Cow<'static, str>>,
    table: Option<Cow<'static, str>>,
    column: Option<Cow<'static, str>>,
    constraint: Option<String>,
    rows: Vec<RowFault>,
    retryable: bool,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of this kind; `message` says what happened and what to do next.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            operation: None,
            table: None,
            column: None,
            constraint: None,
            rows: Vec::new(),
            retryable: false,
            source: None,
        }))
    }

    /// The database or the table cannot do this.
    #[must_use]
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }

    /// A value cannot be written.
    #[must_use]
    pub fn encode(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Encode, message)
    }

    /// A value cannot be read.
    #[must_use]
    pub fn decode(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Decode, message)
    }

    /// An argument of the call is wrong.
    #[must_use]
    pub fn invalid_input(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::InvalidInput, message)
    }

    /// Keeps the driver's error as the source.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Names the operation, for example `insert into users`; the first name given stays.
    #[must_use]
    pub fn with_operation(mut self, operation: impl Into<Cow<'static, str>>) -> Self {
        self.0.operation.get_or_insert_with(|| operation.into());
        self
    }

    /// Names the table that the database reported.
    #[must_use]
    pub fn with_table(mut self, table: impl Into<Cow<'static, str>>) -> Self {
        self.0.table = Some(table.into());
        self
    }

    /// Names the column, as `Entity.field` where it is known; the first name given stays.
    #[must_use]
    pub fn with_column(mut self, column: impl Into<Cow<'static, str>>) -> Self {
        self.0.column.get_or_insert_with(|| column.into());
        self
    }

    /// Names the constraint that the database reported.
    #[must_use]
    pub fn with_constraint(mut self, constraint: impl Into<String>) -> Self {
        self.0.constraint = Some(constraint.into());
        self
    }

    /// Names rows of the input.
    #[must_use]
    pub fn with_rows(mut self, rows: Vec<RowFault>) -> Self {
        self.0.rows = rows;
        self
    }

    /// Says that the same transaction may succeed when it is run again, where the kind alone does not say so.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.0.retryable = true;
        self
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The table that the database named.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        self.0.table.as_deref()
    }

    /// The column, as `Entity.field` where arx knows it, else as the database named it.
    #[must_use]
    pub fn column(&self) -> Option<&str> {
        self.0.column.as_deref()
    }

    /// The constraint that was violated, where the database names it.
    #[must_use]
    pub fn constraint(&self) -> Option<&str> {
        self.0.constraint.as_deref()
    }

    /// The rows of the input that are at fault, in the order of the input.
    #[must_use]
    pub fn rows(&self) -> &[RowFault] {
        &self.0.rows
    }

    /// A unique or primary key constraint refused a row.
    #[must_use]
    pub fn is_unique_violation(&self) -> bool {
        self.kind() == ErrorKind::UniqueViolation
    }

    /// A foreign key constraint refused a row.
    #[must_use]
    pub fn is_foreign_key_violation(&self) -> bool {
        self.kind() == ErrorKind::ForeignKeyViolation
    }

    /// Rows were changed by somebody else since they were read.
    #[must_use]
    pub fn is_stale_version(&self) -> bool {
        self.kind() == ErrorKind::StaleVersion
    }

    /// Rows that had to exist do not.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.kind() == ErrorKind::NotFound
    }

    /// The same transaction may succeed when it is run again from its start.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retryable || matches!(self.kind(), ErrorKind::SerializationFailure | ErrorKind::Deadlock)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = &self.0;
        if let Some(operation) = &inner.operation {
            write!(f, "{operation}: ")?;
        }
        f.write_str(&inner.message)?;
        if let Some(constraint) = &inner.constraint {
            write!(f, " (constraint {constraint})")?;
        }
        if let Some(column) = &inner.column {
            write!(f, " ({column})")?;
        }
        write_rows(f, &inner.rows)
    }
}

/// Names at most the first five rows; all of them are in [`Error::rows`].
fn write_rows(f: &mut fmt::Formatter<'_>, rows: &[RowFault]) -> fmt::Result {
    const SHOWN: usize = 5;
    for (place, row) in rows.iter().take(SHOWN).enumerate() {
        f.write_str(if place == 0 { "; row " } else { ", row " })?;
        write!(f, "{}", row.index)?;
        match row.reason {
            RowReason::Missing => f.write_str(" is missing")?,
            RowReason::Stale { expected, found } => write!(f, " has version {found}, not {expected}")?,
            RowReason::Duplicate { of } => write!(f, " has the key of row {of}")?,
            RowReason::Refused => {}
        }
    }
    if rows.len() > SHOWN { write!(f, " and {} more", rows.len() - SHOWN) } else { Ok(()) }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}
