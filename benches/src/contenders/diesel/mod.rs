//! Diesel, as its users write it: the query builder with checked types; many rows updated one by one.

pub(super) mod on_mysql;
pub(super) mod on_postgres;
pub(super) mod on_sqlite;
pub(crate) mod wide;

use diesel::dsl::AsExprOf;
use diesel::prelude::*;
use diesel::sql_types::BigInt;

use crate::case::{Case, MANY, Operation};
use crate::customer::Customer;

use schema::bench_customers;

mod schema {
    diesel::table! {
        bench_customers (id) {
            id -> BigInt,
            code -> Text,
            name -> Nullable<Text>,
            balance -> BigInt,
        }
    }
}

/// A row as Diesel reads it.
#[derive(Queryable, Selectable)]
#[diesel(table_name = bench_customers)]
struct Stored {
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

/// A row as Diesel writes it.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = bench_customers, treat_none_as_null = true)]
struct Written<'a> {
    code: &'a str,
    name: Option<&'a str>,
    balance: i64,
}

impl<'a> From<&'a Customer> for Written<'a> {
    fn from(row: &'a Customer) -> Self {
        Self { code: &row.code, name: row.name.as_deref(), balance: row.balance }
    }
}

fn written(rows: &[Customer]) -> Vec<Written<'_>> {
    rows.iter().map(Written::from).collect()
}

// A number and one, as an expression that Diesel may keep prepared: a literal of SQL it may not.
diesel::postfix_operator!(AndOne, " + 1", BigInt);

fn and_one(value: i64) -> AndOne<AsExprOf<i64, BigInt>> {
    AndOne::new(value.into_sql::<BigInt>())
}

/// The most rows of one statement: placeholders are counted in 16 bits.
const CHUNK: usize = 10_000;

fn refuses(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::UpdateMultiple | Operation::WideUpdateMultiple if case.rows > 1_000 => {
            Some("a statement a row takes too long beyond 1,000 rows")
        }
        Operation::CreateMultiple | Operation::CreateMultipleWithoutKeys if case.rows > MANY => {
            Some("a list is one statement, which takes 65,535 parameters at most")
        }
        _ => None,
    }
}
