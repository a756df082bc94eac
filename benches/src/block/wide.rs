//! The calls of a block on the wide table.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::{Outcome, batches, distinct, each, keys_of, ranges};
use crate::case::{Case, Operation};
use crate::fixture::wide::Wide as Fixture;
use crate::wide::{Account, Found, Wide, account, stored};

/// What the calls of a block are given.
pub enum Work {
    /// `create`.
    Create(Vec<Account>),
    /// `retrieve`.
    Retrieve(Vec<i64>),
    /// `create_multiple`, a batch a call.
    CreateMultiple(Vec<Vec<Account>>),
    /// `update_multiple`.
    UpdateMultiple(Vec<Vec<Account>>),
    /// `retrieve_multiple`.
    RetrieveMultiple(Vec<RangeInclusive<i64>>),
}

impl Work {
    /// Makes up the work of a block.
    pub(super) fn plan(case: &Case, random: &mut fastrand::Rng) -> Self {
        match case.operation {
            Operation::WideCreate => Self::Create(new_rows(case.calls, random)),
            Operation::WideRetrieve => Self::Retrieve(distinct(case, case.calls, random)),
            Operation::WideCreateMultiple => {
                Self::CreateMultiple(batches(&new_rows(case.calls * case.rows, random), case.rows))
            }
            Operation::WideUpdateMultiple => {
                Self::UpdateMultiple((0..case.calls).map(|_| changed(case, random)).collect())
            }
            _ => Self::RetrieveMultiple(ranges(case, random)),
        }
    }

    /// The work in so many parts.
    pub(super) fn split(&self, tasks: usize) -> Vec<Self> {
        fn parts<T: Clone>(items: &[T], tasks: usize, part: fn(Vec<T>) -> Work) -> Vec<Work> {
            batches(items, items.len().div_ceil(tasks).max(1)).into_iter().map(part).collect()
        }
        match self {
            Self::Create(rows) => parts(rows, tasks, Self::Create),
            Self::Retrieve(keys) => parts(keys, tasks, Self::Retrieve),
            Self::CreateMultiple(batches) => parts(batches, tasks, Self::CreateMultiple),
            Self::UpdateMultiple(batches) => parts(batches, tasks, Self::UpdateMultiple),
            Self::RetrieveMultiple(ranges) => parts(ranges, tasks, Self::RetrieveMultiple),
        }
    }

    /// Makes the calls.
    pub(super) async fn run(&self, contender: &mut dyn Wide, laps: &mut Vec<Duration>) -> Result<Outcome> {
        Ok(match self {
            Self::Create(rows) => Outcome::Keys(each!(laps, rows.chunks(1), row => contender.create(row))),
            Self::Retrieve(keys) => Outcome::Accounts(each!(laps, keys.chunks(1), key => contender.retrieve(key))),
            Self::CreateMultiple(batches) => {
                Outcome::Keys(each!(laps, batches, rows => contender.create_multiple(rows)))
            }
            Self::UpdateMultiple(batches) => {
                Outcome::Counts(each!(laps, batches, rows => contender.update_multiple(rows)))
            }
            Self::RetrieveMultiple(ranges) => {
                Outcome::Accounts(each!(laps, ranges, range => contender.retrieve_multiple(range.clone())))
            }
        })
    }

    /// Checks what the calls have returned and what they have left in the table.
    pub(super) async fn check(&self, outcome: Outcome, fixture: &mut dyn Fixture) -> Result<()> {
        match (self, outcome) {
            (Self::Create(rows), Outcome::Keys(keys)) => created(&batches(rows, 1), &keys, fixture).await,
            (Self::CreateMultiple(batches), Outcome::Keys(keys)) => created(batches, &keys, fixture).await,
            (Self::UpdateMultiple(batches), Outcome::Counts(counts)) => updated(batches, &counts, fixture).await,
            (Self::Retrieve(keys), Outcome::Accounts(found)) => retrieved(&batches(keys, 1), found),
            (Self::RetrieveMultiple(ranges), Outcome::Accounts(found)) => retrieved(&keys_of(ranges), found),
            _ => anyhow::bail!("the outcome is of another operation"),
        }
    }
}

fn new_rows(count: usize, random: &mut fastrand::Rng) -> Vec<Account> {
    (1..=count as u64).map(|number| account(0, number, random)).collect()
}

/// Rows of the table, in no order and with other values.
fn changed(case: &Case, random: &mut fastrand::Rng) -> Vec<Account> {
    let keys = distinct(case, case.rows, random);
    // Other numbers move the NULLs; the codes stay.
    let change = |key: i64| Account { code: stored(key).code, ..account(key, random.u64(..1_000_000), random) };
    keys.into_iter().map(change).collect()
}

async fn created(batches: &[Vec<Account>], keys: &[Vec<i64>], fixture: &mut dyn Fixture) -> Result<()> {
    let stored: HashMap<i64, Account> = fixture.read(None).await?.into_iter().map(|row| (row.id, row)).collect();
    ensure!(stored.len() == batches.iter().map(Vec::len).sum::<usize>(), "the table has {} rows", stored.len());
    ensure!(batches.len() == keys.len(), "keys of {} calls", keys.len());
    for (rows, keys) in batches.iter().zip(keys) {
        ensure!(rows.len() == keys.len(), "{} keys for {} rows", keys.len(), rows.len());
        for (row, key) in rows.iter().zip(keys) {
            let expected = Account { id: *key, ..row.clone() };
            let found = stored.get(key);
            ensure!(found == Some(&expected), "key {key} resolves to {found:?}, not to {expected:?}");
        }
    }
    Ok(())
}

async fn updated(batches: &[Vec<Account>], counts: &[u64], fixture: &mut dyn Fixture) -> Result<()> {
    let sizes: Vec<u64> = batches.iter().map(|rows| rows.len() as u64).collect();
    ensure!(sizes == counts, "{counts:?} rows matched of {sizes:?}");
    // A later batch may have written a row again.
    let expected: HashMap<i64, &Account> = batches.iter().flatten().map(|row| (row.id, row)).collect();
    let keys: Vec<i64> = expected.keys().copied().collect();
    let stored = fixture.read(Some(&keys)).await?;
    ensure!(stored.len() == keys.len(), "{} rows are there of {}", stored.len(), keys.len());
    for row in &stored {
        ensure!(expected.get(&row.id) == Some(&row), "{row:?} is stored for {:?}", expected.get(&row.id));
    }
    Ok(())
}

fn retrieved(calls: &[Vec<i64>], found: Vec<Found>) -> Result<()> {
    ensure!(calls.len() == found.len(), "rows of {} calls", found.len());
    for (keys, found) in calls.iter().zip(found) {
        let found = found.accounts();
        ensure!(found.len() == keys.len(), "{} rows of {}", found.len(), keys.len());
        for (row, key) in found.iter().zip(keys) {
            ensure!(*row == stored(*key), "{row:?} was read for {:?}", stored(*key));
        }
    }
    Ok(())
}
