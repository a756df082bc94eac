//! What the databases of [`arx`] that stand on sqlx share: the state of a session, connections of a pool, and
//! transactions that an application has begun itself.
//!
//! A dialect crate implements [`Server`]: what differs. Applications use `arx-postgres` or `arx-mysql`.

mod connection;
mod error;
mod joined;
mod kept;
mod pool;
mod row;
mod server;
mod session;

pub use connection::Pooled;
pub use error::{Failure, Fault, driver_error};
pub use joined::{Joined, own_dialect};
pub use pool::{Pool, STATEMENTS, ping_idle};
pub use row::{cell, fixed, mismatch, narrowed, text};
pub use server::{Link, Results, Server};
pub use session::{Phase, Session, Step};
