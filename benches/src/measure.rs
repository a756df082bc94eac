//! The measurement: contenders take turns block by block.
//!
//! A trial is four rounds. In a round every contender runs the same block; every other round has the
//! reverse order, and each trial begins with another contender. So what changes slowly (other load,
//! clocks, growing files) falls on all alike, and the ratio of a trial's means is a fair pair.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use futures_util::future::try_join_all;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::allocation::{self, Allocated};
use crate::block::{Outcome, Work};
use crate::case::{CROWDED, Case, Database, MANY, Operation};
use crate::contender::{self, Contender, Entry};
use crate::customer::{Customer, customers};
use crate::fixture::{self, CONNECTIONS, Fixture};
use crate::options::Options;
use crate::pin::Process;
use crate::published::Data;
use crate::statistics::percentile;
use crate::wide::stored;

/// The rounds of a trial.
pub const ROUNDS: usize = 4;

/// The time of one block, in nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Sample {
    /// By the clock on the wall.
    pub wall: f64,
    /// The processor time of this process, all threads.
    pub client: f64,
    /// The processor time of the server's processes.
    pub server: f64,
    /// The time on the wall that 95% of its calls keep below.
    pub p95: f64,
    /// The same of 99%.
    pub p99: f64,
}

impl Sample {
    const NONE: Self = Self { wall: 0.0, client: 0.0, server: 0.0, p95: 0.0, p99: 0.0 };
}

/// What was measured of one contender in one case.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Series {
    /// The contender.
    pub contender: String,
    /// The blocks of each trial.
    pub trials: Vec<[Sample; ROUNDS]>,
    /// What one block allocates.
    pub allocated: Allocated,
    /// Statements and round trips of one block, where they are counted.
    pub statements: Option<(usize, usize)>,
}

/// A contender that took no part in a case.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Absent {
    /// The contender.
    pub contender: String,
    /// Its reason.
    pub reason: String,
}

/// What was measured in one case; arx is the first of the series.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Measured {
    /// Where.
    pub database: Database,
    /// What.
    pub case: Case,
    /// Of whom.
    pub series: Vec<Series>,
    /// The contenders that do not do this.
    pub absent: Vec<Absent>,
}

/// A contender at its place.
struct Stand {
    name: &'static str,
    refuses: fn(&Case) -> Option<&'static str>,
    contender: Box<dyn Contender>,
    /// Whether it does published cases.
    is_published: bool,
    has_wide: bool,
    /// The others on its pool, where many tasks work at once.
    crew: Vec<Box<dyn Contender>>,
    fixture: Box<dyn Fixture>,
    processes: Vec<Process>,
    /// The rows that the table was filled with, and whether they are as they were then.
    filled: Option<(usize, bool)>,
}

/// The contenders of one database, connected.
pub struct Arena {
    database: Database,
    core: Option<usize>,
    /// Whether everything has been on the core so far.
    is_pinned: bool,
    stands: Vec<Stand>,
}

impl Arena {
    /// Opens the contenders of the database that the options want, to be kept to a core.
    ///
    /// # Errors
    /// The first one that cannot be opened.
    pub async fn open(database: Database, core: Option<usize>, options: &Options, folder: &Path) -> Result<Self> {
        let mut stands = Vec::new();
        let names = &options.contender;
        let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        for entry in contender::entries(database).into_iter().filter(|entry| is_wanted(entry.name)) {
            let stand = Stand::open(entry, database, options, folder).await;
            stands.push(stand.with_context(|| format!("opening {} on {database:?}", entry.name))?);
        }
        Ok(Self { database, core, is_pinned: core.is_some(), stands })
    }

    /// The product and its version.
    ///
    /// # Errors
    /// The server's, or there is no contender to ask by.
    pub async fn version(&mut self) -> Result<String> {
        let stand = self.stands.first_mut().context("no contender is on this database")?;
        stand.fixture.version().await
    }

    /// Whether everything that was measured was on one core.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.is_pinned
    }

    /// Measures one case.
    ///
    /// # Errors
    /// The first block that fails or leaves a wrong result.
    pub async fn measure(&mut self, case: &Case, trials: usize) -> Result<Measured> {
        let table = customers(case.table);
        let absent = self.stands.iter().filter_map(|stand| {
            let reason = stand.refuses(case)?;
            Some(Absent { contender: stand.name.to_owned(), reason: reason.to_owned() })
        });
        let absent = absent.collect();
        let mut stands: Vec<&mut Stand> =
            self.stands.iter_mut().filter(|stand| stand.refuses(case).is_none()).collect();
        let mut series = Vec::with_capacity(stands.len());
        for stand in &mut stands {
            stand.gather(case);
            stand.fill(case, &table).await?;
            stand.warm_up(case, &table, trials).await.with_context(|| format!("warming up {}", stand.name))?;
            self.is_pinned &= stand.find_processes(self.core).await?;
            let (allocated, statements) = stand.counts(case, &table).await.with_context(|| stand.name)?;
            series.push(Series { contender: stand.name.to_owned(), trials: Vec::new(), allocated, statements });
        }
        for trial in 0..trials {
            let samples = run_trial(&mut stands, case, trial, &table).await?;
            series.iter_mut().zip(samples).for_each(|(series, samples)| series.trials.push(samples));
        }
        Ok(Measured { database: self.database, case: *case, series, absent })
    }
}

/// One trial: the blocks of each contender.
async fn run_trial(
    stands: &mut [&mut Stand],
    case: &Case,
    trial: usize,
    table: &[Customer],
) -> Result<Vec<[Sample; ROUNDS]>> {
    let count = stands.len();
    let mut samples = vec![[Sample::NONE; ROUNDS]; count];
    let seeds = (0..ROUNDS).map(|round| (ROUNDS * (trial + 1) + round) as u64);
    for (round, seed) in seeds.enumerate() {
        let work = Work::plan(case, 1_000 + seed);
        for turn in 0..count {
            let turn = if round % 2 == 0 { turn } else { count - 1 - turn };
            let place = (trial + turn) % count;
            let stand = &mut stands[place];
            let sample = stand.block(case, &work, table).await;
            samples[place][round] = sample.with_context(|| format!("{}, trial {trial}", stand.name))?;
        }
    }
    Ok(samples)
}

impl Stand {
    async fn open(entry: &Entry, database: Database, options: &Options, folder: &Path) -> Result<Self> {
        let delay = Duration::from_millis(options.latency);
        let connections = if options.tasks.is_some() { CROWDED } else { CONNECTIONS };
        let (place, mut fixture) = fixture::open(database, entry.name, connections, folder).await?;
        // Some contenders prepare their statements when they are opened.
        fixture.published().fill(&Data::default()).await?;
        fixture.wide().fill(&[]).await?;
        let mut contender = (entry.open)(&place.delayed(delay)?).await?;
        Ok(Self {
            name: entry.name,
            refuses: entry.refuses,
            is_published: contender.published().is_some(),
            has_wide: contender.wide().is_some(),
            contender,
            crew: Vec::new(),
            fixture,
            processes: Vec::new(),
            filled: None,
        })
    }

    /// Why it takes no part in a case.
    fn refuses(&self, case: &Case) -> Option<&'static str> {
        if case.tasks > 1 && self.contender.share().is_none() {
            return Some("has one connection, or blocks: nothing that tasks could share");
        }
        if case.operation.is_call() && ![contender::ARX, "raw_sqlx"].contains(&self.name) {
            return Some("has no calls of routines: they are hand-written SQL, as raw_sqlx's");
        }
        if case.operation.is_wide() && !self.has_wide {
            return Some("not measured on the wide table");
        }
        let refused = (self.refuses)(case);
        if case.operation.is_published() && !self.is_published {
            return refused.or(Some("has not been written for the published cases"));
        }
        refused
    }

    /// Makes a contender for each task but the first.
    fn gather(&mut self, case: &Case) {
        self.crew = (1..case.tasks).filter_map(|_| self.contender.share()).collect();
    }

    /// Does the work: alone, or in as many tasks as the case has.
    async fn run(&mut self, case: &Case, work: &Work, laps: &mut Vec<Duration>) -> Result<Outcome> {
        if case.tasks <= 1 {
            return work.run(&mut *self.contender, laps).await;
        }
        let parts = work.split(case.tasks);
        let crew = std::iter::once(&mut self.contender).chain(&mut self.crew);
        let tasks = parts.iter().zip(crew).map(async |(part, contender)| {
            let mut laps = Vec::new();
            let outcome = part.run(&mut **contender, &mut laps).await?;
            anyhow::Ok((outcome, laps))
        });
        let (outcomes, times): (Vec<_>, Vec<_>) = try_join_all(tasks).await?.into_iter().unzip();
        laps.extend(times.into_iter().flatten());
        Outcome::joined(outcomes).context("no work")
    }

    /// Fills the table, unless it is as the case needs it: that takes minutes for the largest.
    async fn fill(&mut self, case: &Case, table: &[Customer]) -> Result<()> {
        if case.operation.is_published() {
            return self.fixture.published().fill(&Data::of(case)).await;
        }
        if case.operation.is_wide() {
            let rows: Vec<_> = (1..).take(case.table).map(stored).collect();
            return self.fixture.wide().fill(&rows).await;
        }
        let is_ready = self
            .filled
            .is_some_and(|(rows, is_same)| rows == table.len() && rows > 0 && (is_same || case.operation.changes()));
        if !is_ready {
            self.fixture.fill(table).await?;
        }
        // Rows that were deleted are put back, but at the end of the table's file.
        let leaves = !case.operation.changes() && !case.operation.creates() && !case.operation.deletes();
        self.filled = Some((table.len(), leaves));
        Ok(())
    }

    async fn prepare(&mut self, case: &Case) -> Result<()> {
        if case.operation.is_wide() {
            let fixture = self.fixture.wide();
            if case.operation.creates() {
                fixture.clear().await?;
            }
            return fixture.tidy().await;
        }
        if case.operation.creates() {
            self.fixture.clear().await?;
        }
        if case.operation == Operation::PublishedInsert {
            self.fixture.published().clear().await?;
        }
        self.fixture.tidy().await
    }

    /// Runs blocks that do not count until every connection has its statements planned: PostgreSQL
    /// settles for a plan after five executions.
    async fn warm_up(&mut self, case: &Case, table: &[Customer], trials: usize) -> Result<()> {
        let calls: usize = match trials {
            0..=2 => 1,
            _ if case.rows > MANY => 2,
            _ => 12,
        };
        for round in 0..calls.div_ceil(case.calls) {
            self.block(case, &Work::plan(case, round as u64), table).await?;
        }
        Ok(())
    }

    /// Finds the server's ends of the connections, which are all open by now, and keeps them to the
    /// core; whether that worked.
    async fn find_processes(&mut self, core: Option<usize>) -> Result<bool> {
        let found = self.fixture.processes().await?;
        let is_seen = found.is_some();
        self.processes = found.unwrap_or_default();
        Ok(is_seen && core.is_some_and(|core| self.processes.iter().all(|process| process.pin(core))))
    }

    /// One block: made ready, timed, checked.
    async fn block(&mut self, case: &Case, work: &Work, table: &[Customer]) -> Result<Sample> {
        self.prepare(case).await?;
        let mut laps = Vec::with_capacity(case.calls);
        let (client, server, started) = (client_time(), self.server_time(), Instant::now());
        let outcome = self.run(case, work, &mut laps).await?;
        let wall = started.elapsed().as_nanos() as f64;
        let (client, server) = (client_time() - client, self.server_time() - server);
        let laps: Vec<f64> = laps.iter().map(|lap| lap.as_nanos() as f64).collect();
        let sample = Sample { wall, client, server, p95: percentile(&laps, 95), p99: percentile(&laps, 99) };
        work.check(outcome, &mut *self.fixture, table).await?;
        Ok(sample)
    }

    fn server_time(&self) -> f64 {
        self.processes.iter().map(|process| process.time()).sum()
    }

    /// What a block allocates, and how many statements it runs: each in a block of its own, and
    /// neither in one that is timed.
    async fn counts(&mut self, case: &Case, table: &[Customer]) -> Result<(Allocated, Option<(usize, usize)>)> {
        let work = Work::plan(case, 500);
        let mut laps = Vec::with_capacity(2 * case.calls);
        self.prepare(case).await?;
        let (outcome, allocated) = allocation::count(self.run(case, &work, &mut laps)).await;
        work.check(outcome?, &mut *self.fixture, table).await?;
        self.prepare(case).await?;
        let Some(log) = self.contender.record(true) else { return Ok((allocated, None)) };
        let outcome = work.run(&mut *self.contender, &mut laps).await;
        let statements = (log.statements(), log.round_trips());
        self.contender.record(false);
        work.check(outcome?, &mut *self.fixture, table).await?;
        Ok((allocated, Some(statements)))
    }
}

fn client_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
