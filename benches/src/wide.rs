//! The wide row: twenty columns of the types that tables have, a third of them nullable.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use arx::prelude::*;
use async_trait::async_trait;
use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta};

/// The rows of the table that is updated and read.
pub const FULL: usize = 20_000;

/// One row, for every contender that can read it as it is.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "bench_wide")]
#[cfg_attr(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"), derive(sqlx::FromRow))]
#[cfg_attr(
    feature = "diesel",
    derive(diesel::Queryable, diesel::Selectable, diesel::Insertable, diesel::AsChangeset),
    diesel(table_name = crate::contenders::diesel::wide::bench_wide, treat_none_as_null = true, treat_none_as_default_value = false)
)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Account {
    #[arx(key, generated)]
    #[cfg_attr(feature = "diesel", diesel(skip_insertion))]
    pub id: i64,
    #[arx(unique)]
    pub code: String,
    pub given_name: String,
    pub family_name: String,
    pub title: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub street: String,
    pub city: String,
    pub country: String,
    /// Longer than all others together.
    pub note: Option<String>,
    pub visits: i32,
    pub balance: i64,
    pub discount: Option<i16>,
    pub score: f64,
    pub is_active: bool,
    pub born: Option<NaiveDate>,
    pub created: NaiveDateTime,
    pub seen: Option<NaiveDateTime>,
    pub token: Vec<u8>,
}

/// The columns but the key, as text for `concat!`.
macro_rules! columns {
    () => {
        "code, given_name, family_name, title, email, phone, street, city, country, note, visits, balance, discount, \
         score, is_active, born, created, seen, token"
    };
}

/// Gives the cells but the key to a method of `$target` that takes one and returns the target again.
macro_rules! give {
    ($target:expr, $method:ident, $row:ident) => {
        $target
            .$method($row.code.as_str())
            .$method($row.given_name.as_str())
            .$method($row.family_name.as_str())
            .$method($row.title.as_deref())
            .$method($row.email.as_deref())
            .$method($row.phone.as_deref())
            .$method($row.street.as_str())
            .$method($row.city.as_str())
            .$method($row.country.as_str())
            .$method($row.note.as_deref())
            .$method($row.visits)
            .$method($row.balance)
            .$method($row.discount)
            .$method($row.score)
            .$method($row.is_active)
            .$method($row.born)
            .$method($row.created)
            .$method($row.seen)
            .$method($row.token.as_slice())
    };
}

#[allow(unused_imports, reason = "arx alone needs neither")]
pub(crate) use {columns, give};

/// The row with this number, which is its code's too. What else is in it comes from `random`.
#[must_use]
pub fn account(id: i64, number: u64, random: &mut fastrand::Rng) -> Account {
    const CITIES: [&str; 5] = ["London", "Zürich", "Saint-Rémy-de-Provence", "東京", "Ulm"];
    const WORDS: [&str; 6] = ["called", "about", "the", "invoice", "again", "Rückruf"];
    // Each is NULL in one row of four, and not in the same rows as the next.
    let mut turn = number;
    let mut is_there = || {
        turn += 1;
        !turn.is_multiple_of(4)
    };
    let second = NaiveDateTime::default() + TimeDelta::seconds(random.i64(1_000_000_000..1_800_000_000));
    Account {
        id,
        code: format!("A-{number:010}"),
        given_name: word(3..10, random),
        family_name: word(4..20, random),
        title: is_there().then(|| "Dr.".to_owned()),
        email: is_there().then(|| format!("{}@example.org", word(5..15, random))),
        phone: is_there().then(|| format!("+44 20 {:08}", random.u32(..100_000_000))),
        street: format!("{} Street {}", word(5..12, random), random.u8(1..)),
        city: CITIES[random.usize(..CITIES.len())].to_owned(),
        country: word(2..3, random),
        note: is_there().then(|| (0..40).map(|_| WORDS[random.usize(..WORDS.len())]).collect::<Vec<_>>().join(" ")),
        visits: random.i32(0..1_000),
        balance: random.i64(-1_000_000..1_000_000),
        discount: is_there().then(|| random.i16(-100..100)),
        score: f64::from(random.i32(-1_000_000..1_000_000)) / 1_000.0,
        is_active: random.bool(),
        born: is_there().then(|| NaiveDate::default() + Days::new(random.u64(..12_000))),
        created: second + TimeDelta::microseconds(random.i64(1..1_000_000)),
        seen: is_there().then_some(second),
        token: (0..16).map(|_| random.u8(..)).collect(),
    }
}

fn word(length: std::ops::Range<usize>, random: &mut fastrand::Rng) -> String {
    (0..random.usize(length)).map(|_| random.lowercase()).collect()
}

/// The row of the full table with this key.
#[must_use]
pub fn stored(key: i64) -> Account {
    account(key, key.unsigned_abs(), &mut fastrand::Rng::with_seed(key.unsigned_abs()))
}

/// What a contender has read, in its own type.
pub type Found = Box<dyn Rows>;

/// Rows of any type that can be compared with what was expected; that is not timed.
pub trait Rows {
    /// The rows as all contenders know them.
    fn accounts(self: Box<Self>) -> Vec<Account>;
}

impl<R: Into<Account>> Rows for Vec<R> {
    fn accounts(self: Box<Self>) -> Vec<Account> {
        self.into_iter().map(Into::into).collect()
    }
}

/// What a contender does with the wide table, as [`Contender`](crate::contender::Contender) says of the other one.
#[async_trait(?Send)]
pub trait Wide {
    /// Inserts the rows one by one; yields their keys.
    async fn create(&mut self, _: &[Account]) -> Result<Vec<i64>> {
        bail!("not measured")
    }

    /// Reads the rows one by one.
    async fn retrieve(&mut self, _: &[i64]) -> Result<Found> {
        bail!("not measured")
    }

    /// Inserts the rows, all or none; yields their keys in the order of the rows.
    async fn create_multiple(&mut self, _: &[Account]) -> Result<Vec<i64>> {
        bail!("not measured")
    }

    /// Writes all columns of the rows, all or none; yields how many were there.
    async fn update_multiple(&mut self, _: &[Account]) -> Result<u64> {
        bail!("not measured")
    }

    /// Reads the rows with keys in the range, by ascending key.
    async fn retrieve_multiple(&mut self, _: RangeInclusive<i64>) -> Result<Found> {
        bail!("not measured")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_made_from_their_keys_alone() {
        assert_eq!(stored(7), stored(7));
        assert_ne!(stored(7).token, stored(8).token);
        let nulls = (1..=100).filter(|&key| stored(key).note.is_none()).count();
        assert_eq!(nulls, 25);
    }
}
