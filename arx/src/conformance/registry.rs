//! The list of cases, and their runner.

use std::sync::Arc;

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};

use super::{Backend, Context, Requires};
use crate::connection::BoxFuture;

/// One case.
#[derive(Clone, Copy)]
pub struct Case {
    /// The function's name. `case_046_..` shows row 46 of the public reports.
    pub name: &'static str,
    /// The promises it shows, by their number in ARCHITECTURE.md.
    pub promises: &'static [u8],
    /// What it needs of a database.
    pub requires: &'static [Requires],
    /// The case itself.
    pub run: for<'a> fn(&'a Context<'a>) -> BoxFuture<'a, ()>,
}

/// Lists cases: `name: [promises] [requirements];`.
macro_rules! cases {
    ($($name:ident: [$($promise:literal),*] [$($requires:ident),*];)+) => {
        pub(super) const CASES: &[$crate::conformance::Case] = &[$(
            $crate::conformance::Case {
                name: stringify!($name),
                promises: &[$($promise),*],
                requires: &[$($crate::conformance::Requires::$requires),*],
                run: |context| Box::pin($name(context)),
            },
        )+];
    };
}
pub(super) use cases;

/// All cases, in the order of their modules.
#[must_use]
pub fn all_cases() -> Vec<Case> {
    [super::promises::cases(), super::reports::cases()].concat()
}

/// Checks that every promise has a case and that the list of skips is exact.
///
/// # Panics
/// When a promise has no case, or when the list of skips is not exact.
pub fn check_registry(backend: &dyn Backend) {
    let cases = all_cases();
    for promise in 1..=13 {
        assert!(cases.iter().any(|case| case.promises.contains(&promise)), "promise {promise} has no case");
    }
    super::reports::check(&cases);
    let skipped: Vec<_> = cases.iter().filter(|case| !is_met(backend, case)).map(|case| case.name).collect();
    let mut pinned = backend.skips().to_vec();
    let mut found = skipped;
    pinned.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, pinned, "the list of skips in Backend::skips is not exact");
}

fn is_met(backend: &dyn Backend, case: &Case) -> bool {
    case.requires.iter().all(|requires| backend.provides().contains(requires))
}

/// Runs every case against a database, as the `main` of a test without a harness; prints how
/// many ran and which were skipped.
pub fn main(backend: Arc<dyn Backend>) {
    main_of(vec![backend]);
}

/// As [`main`] for several databases, one after the other.
pub fn main_of(backends: Vec<Arc<dyn Backend>>) {
    let arguments = Arguments::from_args();
    let conclusions: Vec<_> = backends.into_iter().map(|backend| run_all(&arguments, backend)).collect();
    if let Some(failed) = conclusions.iter().find(|conclusion| conclusion.has_failed()) {
        failed.exit();
    }
}

fn run_all(arguments: &Arguments, backend: Arc<dyn Backend>) -> Conclusion {
    let mut trials = Vec::new();
    let mut skips = Vec::new();
    let checked = Arc::clone(&backend);
    trials.push(Trial::test("the_registry_is_complete", move || {
        check_registry(&*checked);
        Ok(())
    }));
    for case in all_cases() {
        if !is_met(&*backend, &case) {
            skips.push(case);
        }
        let backend = Arc::clone(&backend);
        let skipped = !is_met(&*backend, &case);
        trials.push(Trial::test(case.name, move || run(&*backend, &case)).with_ignored_flag(skipped));
    }
    let conclusion = libtest_mimic::run(arguments, trials);
    println!("conformance {}: {} cases, {} skips", backend.name(), conclusion.num_passed, skips.len());
    for case in &skips {
        println!("  skip {}: requires {:?}", case.name, case.requires);
    }
    conclusion
}

fn run(backend: &dyn Backend, case: &Case) -> Result<(), Failed> {
    backend.block_on(Box::pin(async move {
        let context = Context::open(backend, case.name).await;
        (case.run)(&context).await;
        context.db.close().await;
        backend.remove(case.name).await.expect("the namespace is removed");
    }));
    Ok(())
}
