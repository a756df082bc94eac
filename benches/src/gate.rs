//! The gates of `gates.toml`, and whether a measurement keeps them.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::case::{Case, Database, Operation};
use crate::statistics::Estimate;

/// All gates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    time: Vec<Gate>,
    allocations: Vec<Allowance>,
}

/// A ratio that arx must not be above.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gate {
    databases: Vec<Database>,
    operations: Vec<Operation>,
    /// The least rows of a call that it is for.
    rows: usize,
    rival: String,
    limit: f64,
}

/// How far arx may be above the rival in allocations a row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowance {
    databases: Vec<Database>,
    rival: String,
    above: f64,
}

/// What came of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The largest value that passes.
    pub limit: f64,
    /// Whether it was kept.
    pub passes: bool,
}

// From here on, what a call allocates once no longer shows in its rows.
const MANY_ROWS: usize = 1_000;

impl Gates {
    /// Those that are declared.
    ///
    /// # Errors
    /// When the declaration cannot be read.
    pub fn declared() -> Result<Self> {
        toml::from_str(include_str!("../gates.toml")).context("reading gates.toml")
    }

    /// The gate on time: it fails when even the lower end of the interval is above the limit.
    #[must_use]
    pub fn time(&self, database: Database, case: &Case, rival: &str, ratio: Estimate) -> Option<Verdict> {
        let applies = |gate: &&Gate| {
            gate.databases.contains(&database)
                && gate.rival == rival
                && gate.rows <= case.rows
                && case.tasks == 1
                && gate.operations.contains(&case.operation)
        };
        let gate = self.time.iter().find(applies)?;
        Some(Verdict { limit: gate.limit, passes: ratio.low <= gate.limit })
    }

    /// The gate on allocations a row, which are exact up to a tenth: some buffers grow with the batch.
    #[must_use]
    pub fn allocations(
        &self,
        database: Database,
        case: &Case,
        rival: &str,
        (arx, theirs): (f64, f64),
    ) -> Option<Verdict> {
        let applies = |allowance: &&Allowance| allowance.databases.contains(&database) && allowance.rival == rival;
        let limit = theirs + self.allocations.iter().find(applies)?.above;
        (case.rows >= MANY_ROWS).then_some(Verdict { limit, passes: arx <= limit + 0.1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: Case = Case { operation: Operation::UpdateMultiple, rows: 1_000, calls: 1, table: 1_000, tasks: 1 };

    #[test]
    fn a_gate_fails_only_when_the_whole_interval_is_above_it() {
        let gates = Gates::declared().unwrap();
        let verdict = |low, high| {
            let ratio = Estimate { median: f64::midpoint(low, high), low, high };
            gates.time(Database::Mysql, &CASE, "raw_sqlx", ratio).unwrap().passes
        };
        assert!(verdict(1.04, 1.30));
        assert!(!verdict(1.06, 1.08));
    }

    #[test]
    fn gates_are_for_their_rival_and_their_sizes() {
        let gates = Gates::declared().unwrap();
        let ratio = Estimate { median: 9.0, low: 9.0, high: 9.0 };
        assert!(gates.time(Database::Mysql, &CASE, "text_values", ratio).is_none());
        assert!(gates.time(Database::Mysql, &Case { rows: 99, ..CASE }, "raw_sqlx", ratio).is_none());
        assert!(gates.allocations(Database::Sqlite, &Case { rows: 100, ..CASE }, "raw_rusqlite", (9.0, 1.0)).is_none());
        assert!(!gates.allocations(Database::Sqlite, &CASE, "raw_rusqlite", (2.2, 1.0)).unwrap().passes);
    }
}
