//! A block of one of the published cases.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::case::{Case, Operation};
use crate::contender::Contender;
use crate::fixture::Fixture;
use crate::published::{Data, Found, Published, Tree, User, Written, batch};

/// What the calls of a block are given. They are all alike.
#[derive(Clone)]
pub struct Work {
    case: Case,
    /// What each call inserts.
    rows: Vec<User>,
}

/// What a call has returned.
pub enum Answer {
    /// `trivial`.
    Users(Found<User>),
    /// `medium`.
    Written(Found<Written>),
    /// `associations`.
    Trees(Found<Tree>),
    /// `insert`.
    Count(u64),
}

impl Work {
    pub(super) fn plan(case: &Case) -> Self {
        let rows = if case.operation == Operation::PublishedInsert { batch(case.rows) } else { Vec::new() };
        Self { case: *case, rows }
    }

    pub(super) fn split(&self, tasks: usize) -> Vec<Self> {
        let most = self.case.calls.div_ceil(tasks).max(1);
        let calls = (0..self.case.calls).step_by(most).map(|first| most.min(self.case.calls - first));
        calls.map(|calls| Self { case: Case { calls, ..self.case }, ..self.clone() }).collect()
    }

    pub(super) async fn run(&self, contender: &mut dyn Contender, laps: &mut Vec<Duration>) -> Result<Vec<Answer>> {
        let contender = contender.published().context("takes no part")?;
        let mut answers = Vec::with_capacity(self.case.calls);
        for _ in 0..self.case.calls {
            let started = Instant::now();
            let answer = self.call(contender).await;
            laps.push(started.elapsed());
            answers.push(answer?);
        }
        Ok(answers)
    }

    async fn call(&self, contender: &mut dyn Published) -> Result<Answer> {
        Ok(match self.case.operation {
            Operation::PublishedTrivial => Answer::Users(contender.trivial().await?),
            Operation::PublishedMedium => Answer::Written(contender.medium().await?),
            Operation::PublishedAssociations => Answer::Trees(contender.associations().await?),
            Operation::PublishedInsert => Answer::Count(contender.insert(&self.rows).await?),
            other => bail!("{} is not among the published cases", other.name()),
        })
    }

    pub(super) async fn check(&self, answers: Vec<Answer>, fixture: &mut dyn Fixture) -> Result<()> {
        ensure!(answers.len() == self.case.calls, "answers to {} calls", answers.len());
        for answer in answers {
            let data = Data::of(&self.case);
            match answer {
                Answer::Users(found) => same(found, &data.users)?,
                Answer::Written(found) => same(found, &data.written())?,
                Answer::Trees(found) => same(found, &data.trees())?,
                Answer::Count(count) => ensure!(count == self.rows.len() as u64, "{count} rows inserted"),
            }
        }
        if self.case.operation == Operation::PublishedInsert {
            let mut stored = fixture.published().users().await?;
            let rows = self.rows.iter().cycle().take(self.rows.len() * self.case.calls);
            let mut expected: Vec<User> = rows.cloned().collect();
            stored.iter_mut().for_each(|user| user.id = 0);
            stored.sort_unstable();
            expected.sort_unstable();
            ensure!(stored == expected, "the table has {} rows, or other ones", stored.len());
        }
        Ok(())
    }
}

fn same<T: Ord>(found: Found<T>, expected: &[T]) -> Result<()> {
    let mut found = found();
    found.sort_unstable();
    ensure!(found == expected, "{} rows were read for {}, or other ones", found.len(), expected.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        let case = Case { operation: Operation::PublishedInsert, rows: 2, calls: 7, table: 0, tasks: 3 };
        let parts = Work::plan(&case).split(case.tasks);
        assert_eq!(parts.iter().map(|part| part.case.calls).collect::<Vec<_>>(), [3, 3, 1]);
        assert!(parts.iter().all(|part| part.rows.len() == 2));
    }
}
