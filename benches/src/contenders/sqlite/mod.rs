//! Contenders on SQLite alone.

pub mod raw_rusqlite;
#[cfg(feature = "sqlx-sqlite")]
pub mod sqlx;
mod wide;
