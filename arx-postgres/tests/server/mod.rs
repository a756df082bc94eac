//! The server that the tests run against.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;

/// How to connect to it; `None` only where its absence is allowed.
///
/// # Panics
/// When there is none: a test that did not run must not look as if it had passed.
pub(crate) fn options() -> Option<PgConnectOptions> {
    match std::env::var("ARX_POSTGRES_URL") {
        Ok(url) => Some(url.parse().expect("ARX_POSTGRES_URL is a connection URL")),
        Err(_) if std::env::var_os("ARX_ALLOW_MISSING_SERVERS").is_some_and(|value| value == "1") => {
            eprintln!("skipped: ARX_POSTGRES_URL is not set");
            None
        }
        Err(_) => panic!(
            "no PostgreSQL server: run `cargo xtask test`, or set ARX_POSTGRES_URL, or allow to skip with ARX_ALLOW_MISSING_SERVERS=1"
        ),
    }
}

/// The server's major version.
pub(crate) async fn version(options: &PgConnectOptions) -> u32 {
    let link = options.connect().await.expect("the server answers");
    link.server_version_num().unwrap_or_default() / 10_000
}
