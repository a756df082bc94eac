//! One block: some calls of one case, made up before the clock starts, and checked after it stops.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::case::{Case, Operation};
use crate::contender::{Contender, Found};
use crate::customer::{Customer, customer};
use crate::fixture::Fixture;
use crate::wide::Found as Accounts;

mod check;
pub mod published;
pub mod wide;

use self::check::{created, deleted, inserted, paged, reported, retrieved, rows_of, updated, updated_where};

/// What the calls of a block are given.
pub enum Work {
    /// `create`.
    Create(Vec<Customer>),
    /// `update`.
    Update(Vec<Customer>),
    /// `delete`.
    Delete(Vec<i64>),
    /// `retrieve`.
    Retrieve(Vec<i64>),
    /// `transaction`.
    Transaction(Vec<()>),
    /// `scalars`, the values of each call.
    Scalars(Vec<Vec<i64>>),
    /// `create_multiple`, a batch a call.
    CreateMultiple(Vec<Vec<Customer>>),
    /// `create_multiple_without_keys`.
    CreateMultipleWithoutKeys(Vec<Vec<Customer>>),
    /// `update_multiple`.
    UpdateMultiple(Vec<Vec<Customer>>),
    /// `update_where`, and the balance that each call writes.
    UpdateWhere(Vec<(RangeInclusive<i64>, i64)>),
    /// `delete_multiple`.
    DeleteMultiple(Vec<Vec<i64>>),
    /// `retrieve_by_keys`.
    RetrieveByKeys(Vec<Vec<i64>>),
    /// `retrieve_multiple`.
    RetrieveMultiple(Vec<RangeInclusive<i64>>),
    /// `page`: the number of each call, and the size of all.
    Page(Vec<u64>, u64),
    /// `procedure`.
    Procedure(Vec<RangeInclusive<i64>>),
    /// `function_rows`.
    FunctionRows(Vec<RangeInclusive<i64>>),
    /// `function`.
    Function(Vec<i64>),
    /// One of the published cases.
    Published(published::Work),
    /// Calls on the wide table.
    Wide(wide::Work),
}

/// What the calls have returned.
pub enum Outcome {
    /// Keys, or other numbers, of each call.
    Keys(Vec<Vec<i64>>),
    /// The count of each call.
    Counts(Vec<u64>),
    /// The rows of each call.
    Rows(Vec<Found>),
    /// The total and the rows of each call.
    Pages(Vec<(u64, Found)>),
    /// What each call of a published case has returned.
    Published(Vec<published::Answer>),
    /// The rows of each call, of the wide table.
    Accounts(Vec<Accounts>),
}

impl Outcome {
    /// What the parts of some work have returned, as the whole.
    #[must_use]
    pub fn joined(parts: Vec<Self>) -> Option<Self> {
        parts.into_iter().reduce(|whole, part| match (whole, part) {
            (Self::Keys(mut all), Self::Keys(more)) => {
                all.extend(more);
                Self::Keys(all)
            }
            (Self::Counts(mut all), Self::Counts(more)) => {
                all.extend(more);
                Self::Counts(all)
            }
            (Self::Rows(mut all), Self::Rows(more)) => {
                all.extend(more);
                Self::Rows(all)
            }
            (Self::Pages(mut all), Self::Pages(more)) => {
                all.extend(more);
                Self::Pages(all)
            }
            (Self::Published(mut all), Self::Published(more)) => {
                all.extend(more);
                Self::Published(all)
            }
            (Self::Accounts(mut all), Self::Accounts(more)) => {
                all.extend(more);
                Self::Accounts(all)
            }
            // Parts of one kind of work have one kind of outcome.
            (whole, _) => whole,
        })
    }
}

/// Calls once for each item, and notes how long each call takes; yields what the calls do.
macro_rules! each {
    ($laps:ident, $items:expr, $item:ident => $call:expr) => {{
        let mut outcomes = Vec::with_capacity($items.len());
        for $item in $items {
            let started = Instant::now();
            let outcome = $call.await;
            $laps.push(started.elapsed());
            outcomes.push(outcome?);
        }
        outcomes
    }};
}

use each;

impl Work {
    /// Makes up the work of a block. The same seed makes the same work, for all contenders.
    #[must_use]
    pub fn plan(case: &Case, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        match case.operation {
            Operation::Create => Self::Create(new_rows(case.calls, &mut random)),
            Operation::Update => Self::Update(changed(&distinct(case, case.calls, &mut random), &mut random)),
            Operation::Delete => Self::Delete(distinct(case, case.calls, &mut random)),
            Operation::Retrieve => Self::Retrieve(distinct(case, case.calls, &mut random)),
            Operation::Transaction => Self::Transaction(vec![(); case.calls]),
            Operation::Scalars => {
                let values = |random: &mut fastrand::Rng| (0..case.rows).map(|_| random.i64(..1_000_000)).collect();
                Self::Scalars((0..case.calls).map(|_| values(&mut random)).collect())
            }
            Operation::CreateMultiple => {
                Self::CreateMultiple(batches(&new_rows(case.calls * case.rows, &mut random), case.rows))
            }
            Operation::CreateMultipleWithoutKeys => {
                let rows = new_rows(case.calls * case.rows, &mut random);
                Self::CreateMultipleWithoutKeys(batches(&rows, case.rows))
            }
            Operation::UpdateMultiple => Self::UpdateMultiple(
                (0..case.calls).map(|_| changed(&distinct(case, case.rows, &mut random), &mut random)).collect(),
            ),
            Operation::UpdateWhere => {
                let balance = |random: &mut fastrand::Rng| random.i64(-1_000_000..1_000_000);
                Self::UpdateWhere((0..case.calls).map(|_| (range(case, &mut random), balance(&mut random))).collect())
            }
            Operation::DeleteMultiple => {
                Self::DeleteMultiple(batches(&distinct(case, case.calls * case.rows, &mut random), case.rows))
            }
            Operation::RetrieveByKeys => {
                Self::RetrieveByKeys((0..case.calls).map(|_| distinct(case, case.rows, &mut random)).collect())
            }
            Operation::Page => {
                let pages = (case.table / case.rows).max(1) as u64;
                Self::Page((0..case.calls).map(|_| random.u64(1..=pages)).collect(), case.rows as u64)
            }
            Operation::RetrieveMultiple => Self::RetrieveMultiple(ranges(case, &mut random)),
            Operation::Procedure => Self::Procedure(ranges(case, &mut random)),
            Operation::FunctionRows => Self::FunctionRows(ranges(case, &mut random)),
            Operation::Function => Self::Function(distinct(case, case.calls, &mut random)),
            Operation::PublishedTrivial
            | Operation::PublishedMedium
            | Operation::PublishedAssociations
            | Operation::PublishedInsert => Self::Published(published::Work::plan(case)),
            Operation::WideCreate
            | Operation::WideRetrieve
            | Operation::WideCreateMultiple
            | Operation::WideUpdateMultiple
            | Operation::WideRetrieveMultiple => Self::Wide(wide::Work::plan(case, &mut random)),
        }
    }

    /// The work in so many parts, for as many tasks.
    #[must_use]
    pub fn split(&self, tasks: usize) -> Vec<Self> {
        macro_rules! parts {
            ($items:expr, $part:expr) => {
                $items.chunks($items.len().div_ceil(tasks).max(1)).map(|part| $part(part.to_vec())).collect()
            };
        }
        match self {
            Self::Create(items) => parts!(items, Self::Create),
            Self::Update(items) => parts!(items, Self::Update),
            Self::Delete(items) => parts!(items, Self::Delete),
            Self::Retrieve(items) => parts!(items, Self::Retrieve),
            Self::Transaction(items) => parts!(items, Self::Transaction),
            Self::Scalars(items) => parts!(items, Self::Scalars),
            Self::CreateMultiple(items) => parts!(items, Self::CreateMultiple),
            Self::CreateMultipleWithoutKeys(items) => parts!(items, Self::CreateMultipleWithoutKeys),
            Self::UpdateMultiple(items) => parts!(items, Self::UpdateMultiple),
            Self::UpdateWhere(items) => parts!(items, Self::UpdateWhere),
            Self::DeleteMultiple(items) => parts!(items, Self::DeleteMultiple),
            Self::RetrieveByKeys(items) => parts!(items, Self::RetrieveByKeys),
            Self::RetrieveMultiple(items) => parts!(items, Self::RetrieveMultiple),
            Self::Page(items, size) => parts!(items, |items| Self::Page(items, *size)),
            Self::Procedure(items) => parts!(items, Self::Procedure),
            Self::FunctionRows(items) => parts!(items, Self::FunctionRows),
            Self::Function(items) => parts!(items, Self::Function),
            Self::Published(work) => work.split(tasks).into_iter().map(Self::Published).collect(),
            Self::Wide(work) => work.split(tasks).into_iter().map(Self::Wide).collect(),
        }
    }

    /// Makes the calls: this is what is timed. `laps` takes the time of each call.
    ///
    /// # Errors
    /// The contender's.
    pub async fn run(&self, contender: &mut dyn Contender, laps: &mut Vec<Duration>) -> Result<Outcome> {
        Ok(match self {
            Self::Create(rows) => Outcome::Keys(each!(laps, rows.chunks(1), row => contender.create(row))),
            Self::Update(rows) => Outcome::Counts(each!(laps, rows.chunks(1), row => contender.update(row))),
            Self::Delete(keys) => Outcome::Counts(each!(laps, keys.chunks(1), key => contender.delete(key))),
            Self::Retrieve(keys) => Outcome::Rows(each!(laps, keys.chunks(1), key => contender.retrieve(key))),
            Self::Transaction(calls) => {
                Outcome::Counts(each!(laps, calls, _call => async { contender.transaction().await.map(|()| 1) }))
            }
            Self::Scalars(calls) => Outcome::Keys(each!(laps, calls, values => contender.scalars(values))),
            Self::CreateMultiple(batches) => {
                Outcome::Keys(each!(laps, batches, rows => contender.create_multiple(rows)))
            }
            Self::CreateMultipleWithoutKeys(batches) => {
                Outcome::Counts(each!(laps, batches, rows => contender.create_multiple_without_keys(rows)))
            }
            Self::UpdateMultiple(batches) => {
                Outcome::Counts(each!(laps, batches, rows => contender.update_multiple(rows)))
            }
            Self::UpdateWhere(calls) => {
                Outcome::Counts(each!(laps, calls, call => contender.update_where(call.0.clone(), call.1)))
            }
            Self::DeleteMultiple(batches) => {
                Outcome::Counts(each!(laps, batches, keys => contender.delete_multiple(keys)))
            }
            Self::RetrieveByKeys(batches) => {
                Outcome::Rows(each!(laps, batches, keys => contender.retrieve_by_keys(keys)))
            }
            Self::RetrieveMultiple(ranges) => {
                Outcome::Rows(each!(laps, ranges, range => contender.retrieve_multiple(range.clone())))
            }
            Self::Page(numbers, size) => Outcome::Pages(each!(laps, numbers, number => contender.page(*number, *size))),
            Self::Procedure(ranges) => Outcome::Pages(each!(laps, ranges, range => contender.procedure(range.clone()))),
            Self::FunctionRows(ranges) => {
                Outcome::Rows(each!(laps, ranges, range => contender.function_rows(range.clone())))
            }
            Self::Function(keys) => Outcome::Keys(each!(laps, keys.chunks(1), key => contender.function(key))),
            Self::Published(work) => Outcome::Published(work.run(contender, laps).await?),
            Self::Wide(work) => work.run(contender.wide().context("not on the wide table")?, laps).await?,
        })
    }

    /// Checks what the calls have returned and what they have left in the table, and makes the
    /// table whole again. `table` holds the rows that it was filled with.
    ///
    /// # Errors
    /// When anything is not as it has to be: the sample does not count then.
    pub async fn check(&self, outcome: Outcome, fixture: &mut dyn Fixture, table: &[Customer]) -> Result<()> {
        match (self, outcome) {
            (Self::Create(rows), Outcome::Keys(keys)) => created(&batches(rows, 1), &keys, fixture).await,
            (Self::CreateMultiple(batches), Outcome::Keys(keys)) => created(batches, &keys, fixture).await,
            (Self::CreateMultipleWithoutKeys(batches), Outcome::Counts(counts)) => {
                inserted(batches, &counts, fixture).await
            }
            (Self::Update(rows), Outcome::Counts(counts)) => updated(&batches(rows, 1), &counts, fixture).await,
            (Self::UpdateMultiple(batches), Outcome::Counts(counts)) => updated(batches, &counts, fixture).await,
            (Self::UpdateWhere(calls), Outcome::Counts(counts)) => updated_where(calls, &counts, fixture, table).await,
            (Self::Delete(keys), Outcome::Counts(counts)) => deleted(&batches(keys, 1), &counts, fixture, table).await,
            (Self::DeleteMultiple(batches), Outcome::Counts(counts)) => deleted(batches, &counts, fixture, table).await,
            (Self::Retrieve(keys), Outcome::Rows(found)) => retrieved(&batches(keys, 1), found, table),
            (Self::RetrieveByKeys(batches), Outcome::Rows(found)) => retrieved(batches, found, table),
            (Self::Transaction(_), Outcome::Counts(_)) => Ok(()),
            (Self::Scalars(calls), Outcome::Keys(sums)) => {
                let expected: Vec<Vec<i64>> =
                    calls.iter().map(|values| values.iter().map(|value| value + 1).collect()).collect();
                ensure!(sums == expected, "a value plus one is another");
                Ok(())
            }
            (Self::Page(numbers, size), Outcome::Pages(pages)) => paged(numbers, *size, pages, table),
            (Self::RetrieveMultiple(ranges) | Self::FunctionRows(ranges), Outcome::Rows(found)) => {
                retrieved(&keys_of(ranges), found, table)
            }
            (Self::Procedure(ranges), Outcome::Pages(pages)) => reported(ranges, pages, table),
            (Self::Function(keys), Outcome::Keys(balances)) => {
                let expected: Vec<Vec<i64>> = rows_of(keys, table).map(|row| vec![row.balance]).collect();
                ensure!(balances == expected, "the function returned other balances");
                Ok(())
            }
            (Self::Published(work), Outcome::Published(answers)) => work.check(answers, fixture).await,
            (Self::Wide(work), outcome) => work.check(outcome, fixture.wide()).await,
            _ => anyhow::bail!("the outcome is of another operation"),
        }
    }
}

fn new_rows(count: usize, random: &mut fastrand::Rng) -> Vec<Customer> {
    (1..=count as u64).map(|number| customer(0, number, random)).collect()
}

/// Rows of the table with these keys and other values.
fn changed(keys: &[i64], random: &mut fastrand::Rng) -> Vec<Customer> {
    keys.iter().map(|&key| customer(key, key.unsigned_abs(), random)).collect()
}

/// So many keys of the table, in no order.
fn distinct(case: &Case, count: usize, random: &mut fastrand::Rng) -> Vec<i64> {
    random.choose_multiple(1..=case.table as u64, count).into_iter().map(u64::cast_signed).collect()
}

fn range(case: &Case, random: &mut fastrand::Rng) -> RangeInclusive<i64> {
    let first = random.u64(1..=(case.table.saturating_sub(case.rows) + 1) as u64).cast_signed();
    first..=first + (case.rows as u64).cast_signed() - 1
}

fn ranges(case: &Case, random: &mut fastrand::Rng) -> Vec<RangeInclusive<i64>> {
    (0..case.calls).map(|_| range(case, random)).collect()
}

fn keys_of(ranges: &[RangeInclusive<i64>]) -> Vec<Vec<i64>> {
    ranges.iter().map(|range| range.clone().collect()).collect()
}

fn batches<T: Clone>(items: &[T], size: usize) -> Vec<Vec<T>> {
    items.chunks(size).map(<[T]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        let case = Case { operation: Operation::CreateMultiple, rows: 2, calls: 7, table: 0, tasks: 3 };
        let parts = Work::plan(&case, 1).split(case.tasks);
        let calls: Vec<usize> = parts
            .iter()
            .map(|part| match part {
                Work::CreateMultiple(batches) => batches.len(),
                _ => 0,
            })
            .collect();
        assert_eq!(calls, [3, 3, 1]);
        let whole = Outcome::joined(vec![Outcome::Counts(vec![1, 2]), Outcome::Counts(vec![3])]);
        assert!(matches!(whole, Some(Outcome::Counts(counts)) if counts == [1, 2, 3]));
    }

    #[test]
    fn all_contenders_are_given_the_same() {
        let case = Case { operation: Operation::Delete, rows: 1, calls: 5, table: 100, tasks: 1 };
        let keys = |seed| match Work::plan(&case, seed) {
            Work::Delete(keys) => keys,
            _ => Vec::new(),
        };
        assert_eq!(keys(7), keys(7));
        assert_eq!(keys(7).len(), 5);
        assert_ne!(keys(7), keys(8));
    }
}
