//! The words that bound transactions. Kept apart from `session` because they are words only.

use arx::connection::{Begin, Control};
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

/// What sets, keeps or undoes a savepoint.
pub(crate) fn savepoint(control: Control) -> SqlStr {
    AssertSqlSafe(control.savepoint()).into_sql_str()
}

/// What begins a transaction. The level is set for the next one only; MySQL has no word for it in START itself.
pub(crate) fn begin(begin: Begin) -> SqlStr {
    let start = if begin.read_only { "START TRANSACTION READ ONLY" } else { "START TRANSACTION" };
    match begin.isolation {
        None => start.into_sql_str(),
        Some(level) => {
            AssertSqlSafe(format!("SET TRANSACTION ISOLATION LEVEL {}; {start}", level.name())).into_sql_str()
        }
    }
}
