//! Cases for what arx promises, by verb and by topic.

mod create;
mod create_faults;
mod create_keys;
mod delete;
mod duplicates;
mod filters;
mod retrieve;
pub(super) mod support;
mod transactions;
mod update;
mod versions;

use super::Case;

/// The cases of this module.
pub(super) fn cases() -> Vec<Case> {
    [
        create::CASES,
        create_keys::CASES,
        create_faults::CASES,
        update::CASES,
        versions::CASES,
        duplicates::CASES,
        delete::CASES,
        retrieve::CASES,
        filters::CASES,
        transactions::CASES,
    ]
    .concat()
}
