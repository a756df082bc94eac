//! arx: a typed repository.
//!
//! The modules are listed in the order in which data walks through them; each uses
//! only those before it.

pub mod error;
pub mod value;
pub mod entity;
pub mod query;
pub mod plan;
pub mod dialect;
pub mod connection;

#[cfg(feature = "derive")]
pub use arx_derive::{Embedded, Entity, Record, Scalar};
