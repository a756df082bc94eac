//! What cases of several topics need.

use std::error::Error as _;
use std::future::{Future, poll_fn};
use std::task::Poll;
use std::time::Duration;

use crate::conformance::Context;
use crate::entity::Entity;
use crate::{Database, Error, ErrorKind};

/// Polls a future until it completes, or drops it at its `pending`-th `Pending`, counted from 1.
/// The wake-ups in between are those of the driver.
pub(super) async fn drop_at<F: Future>(future: F, pending: usize) -> Option<F::Output> {
    let mut future = Box::pin(future);
    let mut seen = 0;
    poll_fn(move |cx| match future.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => {
            seen += 1;
            if seen == pending { Poll::Ready(None) } else { Poll::Pending }
        }
    })
    .await
}

/// The future's output, unless it hangs.
pub(super) async fn within<T>(seconds: u64, what: &str, future: impl Future<Output = T>) -> T {
    let late = futures_timer::Delay::new(Duration::from_secs(seconds));
    match futures_util::future::select(Box::pin(future), late).await {
        futures_util::future::Either::Left((output, _)) => output,
        futures_util::future::Either::Right(_) => panic!("{what} took more than {seconds} s"),
    }
}

/// Lets time pass.
pub(super) async fn pause(millis: u64) {
    futures_timer::Delay::new(Duration::from_millis(millis)).await;
}

/// Asserts an error's kind, and that no form of its text shows one of these values.
#[track_caller]
pub(super) fn assert_error(error: &Error, kind: ErrorKind, secrets: &[&str]) {
    assert_eq!(error.kind(), kind, "{error:?}: {:?}", error.source());
    let texts = [format!("{error}"), format!("{error:?}"), format!("{error:#?}"), format!("{:?}", error.rows())];
    for secret in secrets {
        assert!(texts.iter().all(|text| !text.contains(secret)), "the error shows a value: {texts:?}");
    }
}

/// The places in the input of the rows that an error names.
pub(super) fn named(error: &Error) -> Vec<usize> {
    error.rows().iter().map(crate::error::RowFault::index).collect()
}

/// How many rows are stored, marked or not.
pub(super) async fn stored<E: Entity>(db: &Database) -> u64 {
    db.repository::<E>().count(()).with_deleted().await.unwrap()
}

/// Compiles only for what can move between threads, as a task of a runtime does.
pub(super) fn sendable<T: Send>(value: T) -> T {
    value
}

/// The clause that makes a text column of this database take texts that differ in case as equal.
pub(in crate::conformance) async fn ignoring_case(context: &Context<'_>) -> &'static str {
    const CLAUSES: [(&str, &str); 3] = [
        ("", "COLLATE NOCASE"),
        ("", "COLLATE utf8mb4_general_ci"),
        (
            "CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
            "COLLATE ignoring_case",
        ),
    ];
    for (before, clause) in CLAUSES {
        let made = before.is_empty() || context.db.run(before, ()).await.is_ok();
        let probe = format!("CREATE TABLE case_probe (code VARCHAR(20) {clause})");
        if made && context.db.run(&probe, ()).await.is_ok() {
            return clause;
        }
    }
    panic!("no collation of this database ignores case");
}
