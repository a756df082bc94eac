//! What `created_at` and `updated_at` are set from.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::entity::ColumnMeta;
use crate::error::{Error, Result};
use crate::value::{Literal, ScalarKind, Value};

/// A clock; a test can bring its own, see [`Database::with_clock`](super::Database::with_clock).
pub trait Clock: Send + Sync {
    /// Microseconds since 1970-01-01 00:00:00 UTC.
    fn now(&self) -> i64;
}

/// The system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }
}

impl<F: Fn() -> i64 + Send + Sync> Clock for F {
    fn now(&self) -> i64 {
        self()
    }
}

/// The instant as a literal of the column's kind.
pub(super) fn instant(column: &ColumnMeta, now: i64) -> Result<Literal<'static>> {
    match column.kind {
        ScalarKind::Timestamptz => Ok(Literal::Plain(Value::Timestamptz(now))),
        ScalarKind::Timestamp => Ok(Literal::Plain(Value::Timestamp(now))),
        _ => Err(Error::unsupported("created_at, updated_at and soft_delete need a timestamp type")
            .with_column(column.field)),
    }
}
