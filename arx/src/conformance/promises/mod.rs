//! Cases for what arx promises, by verb and by topic.

mod bad_input;
mod bounded;
mod cancellation;
mod create;
mod create_faults;
mod create_keys;
mod delete;
mod duplicates;
mod filters;
mod keysets;
mod locks;
mod names;
mod pages;
mod plans;
mod predicate_writes;
mod retrieve;
mod routines;
mod routines_rows;
mod sent;
mod streams;
pub(super) mod support;
mod transactions;
mod types;
mod types_documents;
mod types_numbers;
mod types_text;
mod types_time;
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
        routines::CASES,
        routines_rows::CASES,
        filters::CASES,
        pages::CASES,
        keysets::CASES,
        streams::CASES,
        predicate_writes::CASES,
        plans::CASES,
        types_numbers::CASES,
        types_text::CASES,
        types_time::CASES,
        types_documents::CASES,
        transactions::CASES,
        cancellation::CASES,
        locks::CASES,
        bounded::CASES,
        sent::CASES,
        names::CASES,
        bad_input::CASES,
    ]
    .concat()
}
