//! arx: a typed repository for Rust.
//!
//! `#[derive(Entity)]` turns a struct into the metadata of a table. A
//! [`Repository`] of it then writes and reads *sets* of rows, in as few
//! statements and round trips as the database allows. This crate does no IO and knows no product:
//! a [`Database`] comes from a dialect crate (`arx-sqlite`, `arx-postgres`, `arx-mysql`).
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
pub mod repository;

#[cfg(feature = "conformance")]
pub mod conformance;

// Derived code inside this crate names it as every other crate does.
#[cfg(any(test, feature = "conformance"))]
extern crate self as arx;

pub use connection::Isolation;
pub use entity::Key;
pub use error::{Error, ErrorKind, Result};
pub use query::{Column, Filter, Function, Procedure};
pub use repository::{Database, LastWins, Repository, Retry, Tx};
pub use value::{Field, Value};

// Each name is a trait and, with the feature `derive`, the macro that implements it.
#[cfg(feature = "derive")]
pub use arx_derive::{Embedded, Entity, Record, Scalar};
pub use entity::{Embedded, Entity, Record};
pub use value::Scalar;

/// What most programs use: `use arx::prelude::*`.
pub mod prelude {
    pub use crate::{
        Database, Embedded, Entity, Error, ErrorKind, Field, Filter, Function, Isolation, LastWins, Procedure, Record,
        Repository, Retry, Scalar, Tx,
    };
}
