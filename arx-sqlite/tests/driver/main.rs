//! What the conformance suite cannot see: storage classes, cancellation, the pool, SQLite's errors.

#![allow(clippy::unwrap_used, clippy::panic)]

mod cancel;
mod errors;
mod keys;
mod pool;
mod support;
mod values;
