//! What only this driver can get wrong: its types, its sessions, its keys, its joined transactions. Each test runs
//! on every server there is.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod bad_input;
mod errors;
mod joined;
mod keys;
mod raw;
mod sessions;
mod statements;
mod stress;
mod types;

#[path = "../server/mod.rs"]
mod server;

use std::future::Future;

use arx::Database;
use server::Server;
use sqlx::mysql::{MySqlConnectOptions, MySqlPool};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};

/// A database of its own on one server.
pub(crate) struct Fixture {
    pub(crate) server: Server,
    pub(crate) options: MySqlConnectOptions,
    pub(crate) pool: MySqlPool,
    pub(crate) db: Database,
}

impl Fixture {
    async fn new(server: Server, name: &str) -> Self {
        let sql = format!("DROP DATABASE IF EXISTS `{name}`; CREATE DATABASE `{name}`");
        let mut admin = server.options.connect().await.unwrap();
        admin.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
        let options = server.options.clone().database(name).statement_cache_capacity(500);
        let own = arx_mysql::Options::new(options.clone()).max_connections(4);
        Self { server, pool: own.clone().build(), db: own.connect().await.unwrap(), options }
    }

    /// Whether it is MariaDB.
    pub(crate) fn is_mariadb(&self) -> bool {
        self.server.pick(false, true)
    }

    pub(crate) async fn run(&self, sql: &str) {
        self.db.run(sql, ()).await.unwrap();
    }

    /// Text, read by sqlx on a connection beside the pool.
    pub(crate) async fn text(&self, sql: &'static str) -> String {
        let mut link = self.options.connect().await.unwrap();
        sqlx::query_scalar(sql).fetch_one(&mut link).await.unwrap()
    }
}

/// Runs a test on each server, in a database of this name.
pub(crate) fn on_each<F, Fut>(name: &str, test: F)
where
    F: Fn(Fixture) -> Fut,
    Fut: Future<Output = ()>,
{
    for server in server::servers() {
        run(server, name, &test);
    }
}

/// Runs a test on this server, in a database of this name.
pub(crate) fn run<Fut: Future<Output = ()>>(server: Server, name: &str, test: impl Fn(Fixture) -> Fut) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { test(Fixture::new(server, &format!("driver_{name}")).await).await });
}
