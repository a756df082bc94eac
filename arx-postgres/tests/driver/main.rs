//! What only this driver can get wrong: its types, its connections, its joined transactions.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod cancelled;
mod catalogue;
mod connecting;
mod counted;
mod joined;
mod raw;
mod types;

#[path = "../server/mod.rs"]
mod server;

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use arx::Database;
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};

/// A schema of its own, and pools that see it first.
pub(crate) struct Fixture {
    pub(crate) options: PgConnectOptions,
    pub(crate) pool: PgPool,
    pub(crate) db: Database,
}

impl Fixture {
    /// With a pool of so many connections; `None` where no server is needed.
    pub(crate) async fn new(schema: &str, connections: u32) -> Option<Self> {
        let options = server::options()?;
        let sql = format!("DROP SCHEMA IF EXISTS \"{schema}\" CASCADE; CREATE SCHEMA \"{schema}\"");
        options.connect().await.unwrap().execute(AssertSqlSafe(sql)).await.unwrap();
        let options = options.options([("search_path", schema)]).statement_cache_capacity(500);
        let pool = arx_postgres::Options::new(options.clone()).max_connections(connections).build();
        Some(Self { options, db: arx_postgres::from_pool(pool.clone()), pool })
    }

    pub(crate) async fn run(&self, sql: &str) {
        self.db.run(sql, ()).await.unwrap();
    }

    /// One value, read by sqlx on a connection beside the pool.
    pub(crate) async fn value<T>(&self, sql: &'static str) -> T
    where
        T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
    {
        let mut link = self.options.connect().await.unwrap();
        sqlx::query_scalar(sql).fetch_one(&mut link).await.unwrap()
    }
}

/// Drops a future when it is pending for the `left`-th time; yields its output if it is done before.
pub(crate) struct DropAt<F> {
    future: Option<Pin<Box<F>>>,
    left: usize,
}

impl<F: Future> DropAt<F> {
    pub(crate) fn new(left: usize, future: F) -> Self {
        Self { future: Some(Box::pin(future)), left }
    }
}

impl<F: Future> Future for DropAt<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.future else { return Poll::Ready(None) };
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(Some(output));
        }
        self.left -= 1;
        if self.left > 0 {
            return Poll::Pending;
        }
        self.future = None;
        Poll::Ready(None)
    }
}
