//! What is made of the samples: pairs of arx and a rival, a table for people, JSON for programs.

mod batches;
mod chart;
mod document;
mod json;
mod losses;
mod markdown;
mod page;
mod publish;
mod verify;

use serde::Serialize;

pub use batches::batches;
pub use json::{Recorded, Run, newest, read, write};
pub use markdown::table;
pub use publish::publish;
pub use verify::verify;

use crate::case::{Case, Database};
use crate::contender::ARX;
use crate::gate::{Gates, Verdict};
use crate::measure::{Measured, ROUNDS, Sample, Series};
use crate::options::Judge;
use crate::statistics::{Estimate, estimate, mean, median};

/// arx beside one rival in one case.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// Where.
    pub database: Database,
    /// What.
    pub case: Case,
    /// Beside whom.
    pub rival: String,
    /// The rival's median time of a call in nanoseconds: for orientation only.
    pub rival_call: f64,
    /// Time of arx by that of the rival: the median of the trials.
    pub ratio: Estimate,
    /// The same of the processor time, client and server.
    pub cpu_ratio: Estimate,
    /// The same of the client's alone.
    pub client_ratio: Estimate,
    /// Time that 95% of the calls keep below, by that of the rival.
    pub p95_ratio: Estimate,
    /// The same of 99%.
    pub p99_ratio: Estimate,
    /// Allocations a row: arx, the rival.
    pub allocations: (f64, f64),
    /// Bytes allocated a row: arx, the rival.
    pub bytes: (f64, f64),
    /// Statements and round trips that arx needs for a call.
    pub statements: Option<(f64, f64)>,
    /// The gate on time, where there is one.
    pub time: Option<Verdict>,
    /// The gate on allocations.
    pub memory: Option<Verdict>,
}

impl Pair {
    /// Whether a gate was missed.
    #[must_use]
    pub fn misses(&self) -> bool {
        [self.time, self.memory].into_iter().flatten().any(|verdict| !verdict.passes)
    }
}

/// arx beside each of the others. Without a judge there are no verdicts.
#[must_use]
pub fn pairs(measured: &Measured, gates: &Gates, judge: Option<Judge>) -> Vec<Pair> {
    let Some((arx, rivals)) = measured.series.split_first().filter(|(first, _)| first.contender == ARX) else {
        return Vec::new();
    };
    rivals.iter().map(|rival| pair(measured, arx, rival, judge.map(|judge| (gates, judge)))).collect()
}

type Blocks = [Sample; ROUNDS];

fn pair(measured: &Measured, arx: &Series, rival: &Series, gates: Option<(&Gates, Judge)>) -> Pair {
    let case = &measured.case;
    let ratios = |time: fn(&Sample) -> f64| {
        let ratio = |(arx, rival): (&Blocks, &Blocks)| mean(&arx.map(|b| time(&b))) / mean(&rival.map(|b| time(&b)));
        estimate(&arx.trials.iter().zip(&rival.trials).map(ratio).collect::<Vec<_>>())
    };
    let (ratio, cpu_ratio) = (ratios(|sample| sample.wall), ratios(|sample| sample.client + sample.server));
    let rows = (case.calls * case.rows) as f64;
    let allocations = (arx.allocated.allocations as f64 / rows, rival.allocated.allocations as f64 / rows);
    let calls = rival.trials.iter().map(|blocks| mean(&blocks.map(|block| block.wall)) / case.calls as f64);
    let (database, name) = (measured.database, rival.contender.as_str());
    let per_call = |count: usize| count as f64 / case.calls as f64;
    Pair {
        database,
        case: *case,
        rival: name.to_owned(),
        rival_call: median(&calls.collect::<Vec<_>>()),
        ratio,
        cpu_ratio,
        client_ratio: ratios(|sample| sample.client),
        p95_ratio: ratios(|sample| sample.p95),
        p99_ratio: ratios(|sample| sample.p99),
        allocations,
        bytes: (arx.allocated.bytes as f64 / rows, rival.allocated.bytes as f64 / rows),
        statements: arx.statements.map(|(statements, trips)| (per_call(statements), per_call(trips))),
        time: gates.and_then(|(gates, judge)| {
            gates.time(database, case, name, if judge == Judge::Cpu { cpu_ratio } else { ratio })
        }),
        memory: gates.and_then(|(gates, _)| gates.allocations(database, case, name, allocations)),
    }
}
