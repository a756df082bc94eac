//! What "fast" means: DESIGN.md's table, as data.

use serde::Serialize;

use crate::case::{Case, Database, Operation};
use crate::statistics::Estimate;

/// A ratio that arx must not be above.
struct Gate {
    database: Database,
    operations: &'static [Operation],
    /// The least rows of a call that it is for.
    rows: usize,
    rival: &'static str,
    limit: f64,
}

/// How far arx may be above the rival in allocations a row; from 1,000 rows on, where what a call
/// allocates once no longer shows.
struct Allowance {
    database: Database,
    rival: &'static str,
    above: f64,
}

use Operation::{Create, CreateMultiple, Delete, DeleteMultiple, Retrieve, RetrieveMultiple, Update, UpdateMultiple};

const ONE_ROW: &[Operation] = &[Create, Update, Delete, Retrieve];
const WRITES: &[Operation] = &[CreateMultiple, UpdateMultiple, DeleteMultiple];
const READS: &[Operation] = &[RetrieveMultiple];

const fn gate(
    database: Database,
    operations: &'static [Operation],
    rows: usize,
    rival: &'static str,
    limit: f64,
) -> Gate {
    Gate { database, operations, rows, rival, limit }
}

const GATES: &[Gate] = &[
    gate(Database::Postgres, ONE_ROW, 1, "raw_sqlx", 1.05),
    gate(Database::Postgres, WRITES, 100, "raw_sqlx", 1.05),
    gate(Database::Postgres, &[CreateMultiple], 10_000, "sqlx_values", 0.90),
    gate(Database::Postgres, READS, 1_000, "raw_sqlx", 1.00),
    gate(Database::Postgres, READS, 1_000, "sqlx_query_as", 0.75),
    gate(Database::Sqlite, ONE_ROW, 1, "sqlx_sqlite", 0.50),
    gate(Database::Sqlite, WRITES, 100, "raw_rusqlite", 1.30),
    gate(Database::Sqlite, READS, 1_000, "raw_rusqlite", 1.50),
    gate(Database::Sqlite, READS, 1_000, "sqlx_sqlite", 0.33),
    gate(Database::Mysql, ONE_ROW, 1, "raw_sqlx", 1.05),
    gate(Database::Mysql, WRITES, 100, "raw_sqlx", 1.05),
    gate(Database::Mysql, &[CreateMultiple], 10_000, "text_values", 0.75),
    gate(Database::Mysql, &[CreateMultiple], 10_000, "sqlx_values", 0.75),
    gate(Database::Mysql, READS, 1_000, "raw_sqlx", 1.00),
    gate(Database::Mysql, READS, 1_000, "sqlx_query_as", 0.90),
    gate(Database::Mysql, &[CreateMultiple], 1_000, "sqlx_per_row", 1.0 / 6.0),
    gate(Database::Mysql, &[UpdateMultiple], 1_000, "sqlx_per_row", 0.25),
    gate(Database::Mariadb, ONE_ROW, 1, "raw_sqlx", 1.05),
    gate(Database::Mariadb, WRITES, 100, "raw_sqlx", 1.05),
    gate(Database::Mariadb, &[CreateMultiple], 10_000, "text_values", 0.70),
    gate(Database::Mariadb, &[CreateMultiple], 10_000, "sqlx_values", 0.70),
    gate(Database::Mariadb, READS, 1_000, "raw_sqlx", 1.00),
    gate(Database::Mariadb, READS, 1_000, "sqlx_query_as", 0.90),
    gate(Database::Mariadb, &[CreateMultiple], 1_000, "sqlx_per_row", 1.0 / 6.0),
    gate(Database::Mariadb, &[UpdateMultiple], 1_000, "sqlx_per_row", 0.25),
];

const ALLOWANCES: &[Allowance] = &[
    Allowance { database: Database::Postgres, rival: "raw_sqlx", above: 0.0 },
    Allowance { database: Database::Sqlite, rival: "raw_rusqlite", above: 1.0 },
    Allowance { database: Database::Mysql, rival: "raw_sqlx", above: 0.0 },
    Allowance { database: Database::Mariadb, rival: "raw_sqlx", above: 0.0 },
];

/// What came of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The largest value that passes.
    pub limit: f64,
    /// Whether it was kept.
    pub passes: bool,
}

/// The gate on time: it fails when even the lower end of the interval is above the limit.
#[must_use]
pub fn time(database: Database, case: &Case, rival: &str, ratio: Estimate) -> Option<Verdict> {
    let applies = |gate: &&Gate| {
        gate.database == database
            && gate.rival == rival
            && gate.rows <= case.rows
            && gate.operations.contains(&case.operation)
    };
    GATES.iter().find(applies).map(|gate| Verdict { limit: gate.limit, passes: ratio.low <= gate.limit })
}

/// The gate on allocations a row, which are exact up to a tenth: some buffers grow with the batch.
#[must_use]
pub fn allocations(database: Database, case: &Case, rival: &str, (arx, theirs): (f64, f64)) -> Option<Verdict> {
    let allowance = ALLOWANCES.iter().find(|allowance| allowance.database == database && allowance.rival == rival)?;
    let limit = theirs + allowance.above;
    (case.rows >= 1_000).then_some(Verdict { limit, passes: arx <= limit + 0.1 })
}
