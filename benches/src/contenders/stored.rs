//! A row as sqlx reads it for a struct.

use crate::customer::Customer;

#[derive(sqlx::FromRow)]
pub(super) struct Stored {
    id: i64,
    code: String,
    name: Option<String>,
    balance: i64,
}

impl From<Stored> for Customer {
    fn from(Stored { id, code, name, balance }: Stored) -> Self {
        Self { id, code, name, balance }
    }
}
