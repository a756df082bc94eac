//! Cases for faults that other libraries shipped. A case carries the number of its report in its
//! name (`case_046_..`); a report without a case is listed in [`ELSEWHERE`] with the reason.

use super::Case;

/// The numbers of all reports.
pub const REPORTS: &[u16] = &[];

/// Reports that no case of this suite shows, and why.
pub const ELSEWHERE: &[(u16, &str)] = &[];

/// The cases of this module.
pub(super) fn cases() -> Vec<Case> {
    Vec::new()
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
