//! The row that every contender writes and reads.

use arx::prelude::*;

/// The name of the table.
pub const TABLE: &str = "bench_customers";

/// One row. A contender that needs a type of its own makes it from this one, or this one from it.
#[derive(Entity, Clone, Debug, PartialEq, Eq)]
#[arx(table = "bench_customers")]
pub struct Customer {
    /// Made by the database.
    #[arx(key, generated)]
    pub id: i64,
    /// Unique, and never NULL.
    #[arx(unique)]
    pub code: String,
    /// NULL in one row of ten.
    pub name: Option<String>,
    /// Any number.
    pub balance: i64,
}

/// The row with this number, which is its code's too. What else is in it comes from `random`.
#[must_use]
pub fn customer(id: i64, number: u64, random: &mut fastrand::Rng) -> Customer {
    const GIVEN: [&str; 8] = ["Ada", "Barbara", "Claude", "Donald", "Edsger", "Frances", "Grace", "Konrad"];
    const FAMILY: [&str; 6] = ["Lovelace", "Liskov", "Shannon", "Hopper", "van Rossum", "Müller-Lüdenscheidt"];
    let name = match number % 10 {
        0 => None,
        _ => Some(format!("{} {}", GIVEN[random.usize(..GIVEN.len())], FAMILY[random.usize(..FAMILY.len())])),
    };
    Customer { id, code: format!("C-{number:010}"), name, balance: random.i64(-1_000_000..1_000_000) }
}

/// The rows of a full table: keys from 1, codes that the rows of a block never have.
#[must_use]
pub fn customers(count: usize) -> Vec<Customer> {
    let mut random = fastrand::Rng::with_seed(1);
    (1_i64..).zip(1_u64..).take(count).map(|(id, number)| customer(id, number, &mut random)).collect()
}
