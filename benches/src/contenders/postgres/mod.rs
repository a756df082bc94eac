//! Contenders on PostgreSQL alone.

pub mod query_as;
pub mod raw_sqlx;
pub mod values;
mod wide;
