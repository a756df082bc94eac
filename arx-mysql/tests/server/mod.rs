//! The servers that the tests run against.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use sqlx::mysql::MySqlConnectOptions;
use sqlx::{ConnectOptions as _, Row as _};

/// One server.
#[derive(Clone)]
pub(crate) struct Server {
    /// `mysql` or `mariadb`.
    pub(crate) name: &'static str,
    pub(crate) options: MySqlConnectOptions,
}

impl Server {
    /// What belongs to this server.
    pub(crate) fn pick<T>(&self, mysql: T, mariadb: T) -> T {
        if self.name == "mariadb" { mariadb } else { mysql }
    }
}

/// The servers whose URLs the environment has; none only where that is allowed.
///
/// # Panics
/// When there is none: a test that did not run must not look as if it had passed.
pub(crate) fn servers() -> Vec<Server> {
    let mut servers = Vec::new();
    for (name, variable) in [("mysql", "ARX_MYSQL_URL"), ("mariadb", "ARX_MARIADB_URL")] {
        servers.extend(given(name, variable));
    }
    let may_be_missing = std::env::var_os("ARX_ALLOW_MISSING_SERVERS").is_some_and(|value| value == "1");
    assert!(
        !servers.is_empty() || may_be_missing,
        "no MySQL server: run `cargo xtask test`, or set ARX_MYSQL_URL or ARX_MARIADB_URL, or allow to skip with ARX_ALLOW_MISSING_SERVERS=1"
    );
    servers
}

/// A further MySQL, which hands keys out in another way.
pub(crate) fn with_lock_mode_1() -> Option<Server> {
    given("mysql", "ARX_MYSQL_LOCK1_URL")
}

/// The server whose URL this variable holds.
fn given(name: &'static str, variable: &str) -> Option<Server> {
    let Ok(url) = std::env::var(variable) else {
        eprintln!("skipped: {variable} is not set");
        return None;
    };
    let options = url.parse().unwrap_or_else(|_| panic!("{variable} is a connection URL"));
    Some(Server { name, options })
}

/// The server's version, for example `9.7.4`.
pub(crate) async fn version(options: &MySqlConnectOptions) -> String {
    let mut link = options.connect().await.expect("the server answers");
    let row = sqlx::query("SELECT VERSION()").fetch_one(&mut link).await.expect("the server has a version");
    let version: String = row.get(0);
    version.split('-').next().unwrap_or_default().to_owned()
}
