//! The contenders, each in its own file, which says what it stands for.
//!
//! A new one is a file that hands in its `Entry`, and its line here or in the folder of its database.

pub mod arx;

#[cfg(feature = "mysql")]
pub mod mysql;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;
