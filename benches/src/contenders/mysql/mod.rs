//! Contenders on MySQL and MariaDB alone.

mod keys;
pub(super) mod parts;
pub mod per_row;
pub mod query_as;
pub mod raw_sqlx;
pub mod text_values;
pub mod values;
mod wide;
