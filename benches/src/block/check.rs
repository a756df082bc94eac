//! What the calls of a block have to return, and to leave in the table.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use anyhow::{Result, ensure};

use super::keys_of;
use crate::contender::Found;
use crate::customer::Customer;
use crate::fixture::Fixture;

pub(super) async fn created(batches: &[Vec<Customer>], keys: &[Vec<i64>], fixture: &mut dyn Fixture) -> Result<()> {
    let stored: HashMap<i64, Customer> = fixture.read(None).await?.into_iter().map(|row| (row.id, row)).collect();
    ensure!(stored.len() == batches.iter().map(Vec::len).sum::<usize>(), "the table has {} rows", stored.len());
    ensure!(batches.len() == keys.len(), "keys of {} calls", keys.len());
    for (rows, keys) in batches.iter().zip(keys) {
        ensure!(rows.len() == keys.len(), "{} keys for {} rows", keys.len(), rows.len());
        for (row, key) in rows.iter().zip(keys) {
            let expected = Customer { id: *key, ..row.clone() };
            ensure!(stored.get(key) == Some(&expected), "key {key} does not resolve to {expected:?}");
        }
    }
    Ok(())
}

pub(super) async fn inserted(batches: &[Vec<Customer>], counts: &[u64], fixture: &mut dyn Fixture) -> Result<()> {
    let sizes: Vec<u64> = batches.iter().map(|rows| rows.len() as u64).collect();
    ensure!(sizes == counts, "{counts:?} rows inserted of {sizes:?}");
    let stored = fixture.read(None).await?;
    ensure!(stored.len() == batches.iter().map(Vec::len).sum::<usize>(), "the table has {} rows", stored.len());
    // Codes are unique.
    let stored: HashMap<&str, &Customer> = stored.iter().map(|row| (row.code.as_str(), row)).collect();
    for row in batches.iter().flatten() {
        let found = stored.get(row.code.as_str());
        let is_same = found.is_some_and(|found| found.name == row.name && found.balance == row.balance);
        ensure!(is_same, "{found:?} is stored for {row:?}");
    }
    Ok(())
}

pub(super) async fn updated(batches: &[Vec<Customer>], counts: &[u64], fixture: &mut dyn Fixture) -> Result<()> {
    let sizes: Vec<u64> = batches.iter().map(|rows| rows.len() as u64).collect();
    ensure!(sizes == counts, "{counts:?} rows matched of {sizes:?}");
    // A later batch may have written a row again.
    let expected: HashMap<i64, &Customer> = batches.iter().flatten().map(|row| (row.id, row)).collect();
    let keys: Vec<i64> = expected.keys().copied().collect();
    let stored = fixture.read(Some(&keys)).await?;
    ensure!(stored.len() == keys.len(), "{} rows are there of {}", stored.len(), keys.len());
    for row in &stored {
        ensure!(expected.get(&row.id) == Some(&row), "{row:?} is stored");
    }
    Ok(())
}

pub(super) async fn updated_where(
    calls: &[(RangeInclusive<i64>, i64)],
    counts: &[u64],
    fixture: &mut dyn Fixture,
    table: &[Customer],
) -> Result<()> {
    let sizes: Vec<u64> = calls.iter().map(|(keys, _)| keys.clone().count() as u64).collect();
    ensure!(sizes == counts, "{counts:?} rows matched of {sizes:?}");
    ensure!(fixture.count().await? == table.len(), "the table has {} rows", fixture.count().await?);
    let last = |key: i64| calls.iter().rev().find(|(keys, _)| keys.contains(&key)).map(|(_, balance)| *balance);
    for (keys, _) in calls {
        // The ends and their neighbours: reading all of a large table would take longer than writing it.
        let (first, end) = (*keys.start(), *keys.end());
        let stored = fixture.read(Some(&[first - 1, first, end, end + 1])).await?;
        ensure!(stored.iter().any(|row| row.id == first), "the row with key {first} is gone");
        for row in &stored {
            // A neighbour that no call has written may have any balance but theirs.
            let is_right = match last(row.id) {
                Some(balance) => row.balance == balance,
                None => calls.iter().all(|(_, balance)| row.balance != *balance),
            };
            ensure!(is_right && rows_of(&[row.id], table).all(|before| before.code == row.code), "{row:?} is stored");
        }
    }
    Ok(())
}

pub(super) async fn deleted(
    batches: &[Vec<i64>],
    counts: &[u64],
    fixture: &mut dyn Fixture,
    table: &[Customer],
) -> Result<()> {
    let sizes: Vec<u64> = batches.iter().map(|keys| keys.len() as u64).collect();
    ensure!(sizes == counts, "{counts:?} rows deleted of {sizes:?}");
    let mut keys = batches.concat();
    let left = fixture.read(Some(&keys)).await?.len();
    ensure!(left == 0, "{left} rows are still there");
    let count = fixture.count().await?;
    ensure!(count + keys.len() == table.len(), "the table has {count} rows");
    keys.sort_unstable();
    fixture.restore(&rows_of(&keys, table).cloned().collect::<Vec<_>>()).await
}

pub(super) fn retrieved(calls: &[Vec<i64>], found: Vec<Found>, table: &[Customer]) -> Result<()> {
    ensure!(calls.len() == found.len(), "rows of {} calls", found.len());
    for (keys, found) in calls.iter().zip(found) {
        let found = found.customers();
        ensure!(found.len() == keys.len(), "{} rows of {}", found.len(), keys.len());
        for (row, expected) in found.iter().zip(rows_of(keys, table)) {
            ensure!(row == expected, "{row:?} was read for {expected:?}");
        }
    }
    Ok(())
}

pub(super) fn paged(numbers: &[u64], size: u64, pages: Vec<(u64, Found)>, table: &[Customer]) -> Result<()> {
    ensure!(numbers.len() == pages.len(), "pages of {} calls", pages.len());
    for (number, (total, found)) in numbers.iter().zip(pages) {
        ensure!(usize::try_from(total)? == table.len(), "a total of {total} rows");
        let (before, size) = (usize::try_from((number - 1) * size)?, usize::try_from(size)?);
        let expected = table.iter().skip(before).take(size);
        ensure!(found.customers().iter().eq(expected), "page {number} has other rows");
    }
    Ok(())
}

pub(super) fn reported(ranges: &[RangeInclusive<i64>], reports: Vec<(u64, Found)>, table: &[Customer]) -> Result<()> {
    let sizes: Vec<usize> = ranges.iter().map(|range| range.clone().count()).collect();
    let (totals, found): (Vec<u64>, Vec<Found>) = reports.into_iter().unzip();
    ensure!(
        totals.iter().map(|&total| usize::try_from(total)).eq(sizes.iter().map(|&size| Ok(size))),
        "{totals:?} rows"
    );
    retrieved(&keys_of(ranges), found, table)
}

/// The rows that the table was filled with, by key; keys begin at 1.
pub(super) fn rows_of<'a>(keys: &'a [i64], table: &'a [Customer]) -> impl Iterator<Item = &'a Customer> {
    keys.iter().filter_map(|&key| usize::try_from(key - 1).ok().and_then(|place| table.get(place)))
}
