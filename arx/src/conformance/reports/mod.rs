//! Cases for faults that other libraries shipped. A case carries the number of its report in its
//! name (`case_046_..`); a report without a case is listed in [`ELSEWHERE`] with the reason.
//!
//! A comment above each case names the public report and what went wrong there.

mod keys;
mod limits;
mod nulls;
mod own_types;
mod text;
mod triggers;
mod values;

use super::{Case, Context};
use crate::entity::Entity;

/// The numbers of all reports.
pub const REPORTS: &[u16] = &[];

/// Reports that no case of this suite shows, and why.
pub const ELSEWHERE: &[(u16, &str)] = &[];

/// The cases of this module.
pub(super) fn cases() -> Vec<Case> {
    [keys::CASES, limits::CASES, nulls::CASES, own_types::CASES, text::CASES, triggers::CASES, values::CASES].concat()
}

/// Checks that each report has a case or a reason, and not both.
pub(super) fn check(cases: &[Case]) {
    for report in REPORTS {
        let prefix = format!("case_{report:03}_");
        let has_case = cases.iter().any(|case| case.name.starts_with(&prefix));
        let has_reason = ELSEWHERE.iter().any(|(number, _)| number == report);
        assert!(has_case != has_reason, "report {report} needs either a case or a reason");
    }
}

/// The rows with these keys, in their order; each has to be there.
async fn stored<E: Entity>(context: &Context<'_>, keys: &[E::Key]) -> Vec<E> {
    let rows = context.repository::<E>().retrieve_by_keys(keys).await.unwrap();
    let rows: Option<Vec<_>> = rows.into_iter().collect();
    rows.expect("every key names a row")
}
