//! The words that bound transactions. Kept apart from `session` because they are words only.

use arx::connection::{Begin, Control, Isolation};
use sqlx::{AssertSqlSafe, SqlSafeStr as _, SqlStr};

/// What sets, keeps or undoes a savepoint.
pub(crate) fn savepoint_text(control: Control) -> SqlStr {
    let text = match control {
        Control::Savepoint(depth) => format!("SAVEPOINT arx_{depth}"),
        Control::Release(depth) => format!("RELEASE SAVEPOINT arx_{depth}"),
        Control::RollbackTo(depth) => format!("ROLLBACK TO SAVEPOINT arx_{depth}; RELEASE SAVEPOINT arx_{depth}"),
        _ => String::new(),
    };
    AssertSqlSafe(text).into_sql_str()
}

/// What begins a transaction. The level is set for the next one only; MySQL has no word for it in START itself.
pub(crate) fn begin_text(begin: Begin) -> &'static str {
    match (begin.isolation, begin.read_only) {
        (None, false) => "START TRANSACTION",
        (None, true) => "START TRANSACTION READ ONLY",
        (Some(Isolation::ReadCommitted), false) => "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; START TRANSACTION",
        (Some(Isolation::ReadCommitted), true) => {
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; START TRANSACTION READ ONLY"
        }
        (Some(Isolation::RepeatableRead), false) => {
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION"
        }
        (Some(Isolation::RepeatableRead), true) => {
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION READ ONLY"
        }
        (Some(_), false) => "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION",
        (Some(_), true) => "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION READ ONLY",
    }
}
