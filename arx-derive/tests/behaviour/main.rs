//! What derived code does: it is run against rows that are kept in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code, missing_docs)]

mod converted;
mod embedded;
mod entity;
mod memory;
mod names;
mod record;
mod scalar;
mod wide;
