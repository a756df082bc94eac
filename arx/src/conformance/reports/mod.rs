//! Cases for faults that other libraries shipped. A case carries the number of its report in its
//! name (`case_046_..`); a report without a case is listed in [`ELSEWHERE`] with the reason.
//!
//! A comment above each case names the public report and what went wrong there.

mod cancel;
mod columns;
mod failures;
mod keys;
mod limits;
mod locks;
mod names;
mod nulls;
mod own_types;
mod routines;
mod statements;
mod text;
mod triggers;
mod values;
mod versions;

use super::{Case, Context};
use crate::entity::Entity;

/// The numbers of all reports.
pub const REPORTS: &[u16] = &[
    1, 3, 5, 7, 8, 10, 12, 13, 14, 16, 18, 20, 21, 22, 24, 26, 28, 30, 32, 34, 36, 37, 38, 39, 41, 42, 44, 46, 48, 50,
    52, 54, 56, 57, 58, 59, 61, 63, 65, 66, 68, 70, 72, 73, 75, 76, 77, 79, 80, 81, 82, 84, 85, 87, 89, 90, 92, 93, 94,
    95, 97, 99, 101, 104, 105, 106, 108, 109, 110, 112, 113, 115, 116, 118, 119, 120, 122, 123, 124, 126, 127, 130,
    131, 133, 134, 136, 138, 140, 141, 142, 143, 144, 146, 147, 148, 150, 152, 154, 156, 157, 159, 160, 162, 164, 165,
    167, 168, 169, 170, 171,
];

/// Reports that no case of this suite shows, and why.
pub const ELSEWHERE: &[(u16, &str)] = &[
    (24, "upsert is not there yet"),
    (37, "upsert is not there yet"),
    (39, "upsert is not there yet"),
    (41, "upsert is not there yet"),
    (46, "upsert is not there yet"),
    (48, "upsert is not there yet"),
    (50, "upsert is not there yet"),
    (52, "upsert is not there yet"),
    (54, "upsert is not there yet"),
    (56, "upsert is not there yet"),
    (57, "upsert is not there yet"),
    (58, "upsert is not there yet"),
    (59, "sync, which deletes what is missing, is not there yet"),
    (113, "staging tables beside collations of the server: comes with arx-mssql"),
    (134, "locks that escalate to a table lock: comes with arx-mssql"),
    (143, "several commands in one round trip are not there yet"),
    (164, "upsert is not there yet"),
    (165, "only Citus: its old versions refuse the join with a list of values"),
    (167, "upsert is not there yet"),
    (168, "only Vitess: its sharding refuses a delete with a join"),
    (170, "the native loader is not there yet"),
    (171, "only Aurora DSQL: its limit of rows in a transaction"),
];

/// The cases of this module.
pub(super) fn cases() -> Vec<Case> {
    [
        cancel::CASES,
        columns::CASES,
        failures::CASES,
        keys::CASES,
        limits::CASES,
        locks::CASES,
        names::CASES,
        nulls::CASES,
        own_types::CASES,
        routines::CASES,
        statements::CASES,
        text::CASES,
        triggers::CASES,
        values::CASES,
        versions::CASES,
    ]
    .concat()
}

/// Checks that each report has a case or a reason, and not both, and that there is nothing else.
pub(super) fn check(cases: &[Case]) {
    let numbers = cases.iter().filter_map(|case| case.name.strip_prefix("case_")?.get(..3)?.parse().ok());
    let shown: Vec<u16> = numbers.collect();
    for report in REPORTS {
        let has_reason = ELSEWHERE.iter().any(|(number, _)| number == report);
        assert!(shown.contains(report) != has_reason, "report {report} needs either a case or a reason");
    }
    for number in shown.iter().chain(ELSEWHERE.iter().map(|(number, _)| number)) {
        assert!(REPORTS.contains(number), "{number} is not the number of a report");
    }
}

/// The rows with these keys, in their order; each has to be there.
async fn stored<E: Entity>(context: &Context<'_>, keys: &[E::Key]) -> Vec<E> {
    let rows = context.repository::<E>().retrieve_by_keys(keys).await.unwrap();
    let rows: Option<Vec<_>> = rows.into_iter().collect();
    rows.expect("every key names a row")
}
