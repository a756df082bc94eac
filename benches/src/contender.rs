//! Who is measured.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use arx::connection::Log;
use async_trait::async_trait;
use futures_util::future::LocalBoxFuture;

use crate::case::{Case, Database};
use crate::customer::Customer;
use crate::fixture::Place;
use crate::published::Published;
use crate::wide::Wide;

/// What a contender has read, in its own type.
pub type Found = Box<dyn Rows>;

/// Rows of any type that can be compared with what was expected; that is not timed.
pub trait Rows {
    /// The rows as all contenders know them.
    fn customers(self: Box<Self>) -> Vec<Customer>;
}

impl<R: Into<Customer>> Rows for Vec<R> {
    fn customers(self: Box<Self>) -> Vec<Customer> {
        self.into_iter().map(Into::into).collect()
    }
}

/// One way to do the work, with an open connection or pool.
///
/// The first four methods make one call for each row; the runner gives them one at a time, and times it. What a user
/// would have to prepare for a call is part of the method.
#[async_trait(?Send)]
pub trait Contender {
    /// Inserts the rows one by one; yields their keys.
    async fn create(&mut self, _: &[Customer]) -> Result<Vec<i64>> {
        bail!("not measured")
    }

    /// Writes the rows one by one; yields how many were there.
    async fn update(&mut self, _: &[Customer]) -> Result<u64> {
        bail!("not measured")
    }

    /// Deletes the rows one by one; yields how many were there.
    async fn delete(&mut self, _: &[i64]) -> Result<u64> {
        bail!("not measured")
    }

    /// Reads the rows one by one.
    async fn retrieve(&mut self, _: &[i64]) -> Result<Found> {
        bail!("not measured")
    }

    /// Begins a transaction and commits it.
    async fn transaction(&mut self) -> Result<()> {
        bail!("not measured")
    }

    /// Selects each value plus one by a prepared statement of its own; yields the sums.
    async fn scalars(&mut self, _: &[i64]) -> Result<Vec<i64>> {
        bail!("not measured")
    }

    /// Inserts the rows, all or none; yields their keys in the order of the rows.
    async fn create_multiple(&mut self, _: &[Customer]) -> Result<Vec<i64>> {
        bail!("not measured")
    }

    /// Inserts the rows, all or none; yields how many there were.
    async fn create_multiple_without_keys(&mut self, _: &[Customer]) -> Result<u64> {
        bail!("not measured")
    }

    /// Writes the rows, all or none; yields how many were there.
    async fn update_multiple(&mut self, _: &[Customer]) -> Result<u64> {
        bail!("not measured")
    }

    /// Writes the balance of the rows with keys in the range, in one statement; yields how many there were.
    async fn update_where(&mut self, _keys: RangeInclusive<i64>, _balance: i64) -> Result<u64> {
        bail!("not measured")
    }

    /// Deletes the rows, all or none; yields how many were there.
    async fn delete_multiple(&mut self, _: &[i64]) -> Result<u64> {
        bail!("not measured")
    }

    /// Reads the rows with these keys, which are all there; yields them in the order of the keys.
    async fn retrieve_by_keys(&mut self, _: &[i64]) -> Result<Found> {
        bail!("not measured")
    }

    /// Reads the rows with keys in the range, by ascending key.
    async fn retrieve_multiple(&mut self, _: RangeInclusive<i64>) -> Result<Found> {
        bail!("not measured")
    }

    /// Reads the page of this number, counted from 1, by ascending key; yields the number of all rows, too.
    async fn page(&mut self, _number: u64, _size: u64) -> Result<(u64, Found)> {
        bail!("not measured")
    }

    /// Calls the procedure `bench_report`; yields the number of rows from its OUT parameter, and the rows.
    async fn procedure(&mut self, _keys: RangeInclusive<i64>) -> Result<(u64, Found)> {
        bail!("not measured")
    }

    /// Calls the function `bench_lines`; yields its rows.
    async fn function_rows(&mut self, _keys: RangeInclusive<i64>) -> Result<Found> {
        bail!("not measured")
    }

    /// Calls the function `bench_balance` for each key; yields what it returns.
    async fn function(&mut self, _keys: &[i64]) -> Result<Vec<i64>> {
        bail!("not measured")
    }

    /// The published cases; `None` for a contender that does none of them.
    fn published(&mut self) -> Option<&mut dyn Published> {
        None
    }

    /// The same contender on the wide table; `None` for one that is not measured there.
    fn wide(&mut self) -> Option<&mut dyn Wide> {
        None
    }

    /// The same contender on the same pool, for another task; `None` for one without a pool.
    fn share(&self) -> Option<Box<dyn Contender>> {
        None
    }

    /// Turns the counting of statements on or off; `None` for a contender that has no count.
    fn record(&mut self, _: bool) -> Option<Log> {
        None
    }
}

/// What opening a contender takes: a while.
pub type Opening<'a> = LocalBoxFuture<'a, Result<Box<dyn Contender>>>;

/// A contender that can be opened. Its file hands it in with [`inventory::submit`].
pub struct Entry {
    /// Its name in the table; arx itself is called [`ARX`].
    pub name: &'static str,
    /// Where it runs.
    pub databases: &'static [Database],
    /// Why it takes no part in a case; `None` when it does.
    pub refuses: fn(&Case) -> Option<&'static str>,
    /// Opens it.
    pub open: for<'a> fn(&'a Place) -> Opening<'a>,
}

inventory::collect!(Entry);

/// The name of the contender that the others are compared with.
pub const ARX: &str = "arx";

/// Puts rows into the order of their keys: what is left to do for a database that returns them in any.
#[must_use]
pub fn in_order(rows: Vec<Customer>, keys: &[i64]) -> Vec<Customer> {
    let mut rows: HashMap<i64, Customer> = rows.into_iter().map(|row| (row.id, row)).collect();
    keys.iter().filter_map(|key| rows.remove(key)).collect()
}

/// For a contender that takes part in every case.
#[must_use]
pub fn nothing(_: &Case) -> Option<&'static str> {
    None
}

/// The contenders on a database: arx first, the others by name.
#[must_use]
pub fn entries(database: Database) -> Vec<&'static Entry> {
    let mut entries: Vec<&Entry> = inventory::iter::<Entry>().filter(|e| e.databases.contains(&database)).collect();
    entries.sort_unstable_by_key(|entry| (entry.name != ARX, entry.name));
    entries
}
