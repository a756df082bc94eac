//! Where connections come from: sqlx's pool, and its options.
//!
//! Kept apart from `connection`, which is about one of them.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use arx::Database;
use arx::error::{Error, ErrorKind, Result};
use arx_sqlx::{Pool, STATEMENTS, ping_idle};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{Connection as _, Executor as _};

use crate::dialect::Postgres;
use crate::error;

// `FOR UPDATE .. OF` beside CTEs, `pg_partition_tree`, row triggers on partitioned tables.
const OLDEST_SERVER: u32 = 130_000;

// From here on the server can notice during a statement that its client has gone.
const CHECKS_CLIENT: u32 = 140_000;

/// How to connect, and how many connections to keep.
#[derive(Clone, Debug)]
pub struct Options {
    connect: PgConnectOptions,
    pool: PgPoolOptions,
    ping_after: Duration,
}

arx_sqlx::pool_options!(Options);

impl Options {
    /// With sqlx's own connection options: for TLS certificates, sockets and the like.
    #[must_use]
    pub fn new(connect: PgConnectOptions) -> Self {
        Self { connect, pool: PgPoolOptions::new().max_connections(10), ping_after: Duration::from_secs(5) }
    }

    /// The name that the server shows for these connections.
    #[must_use]
    pub fn application_name(mut self, name: &str) -> Self {
        self.connect = self.connect.application_name(name);
        self
    }

    /// Connects: once to see that it works, then as connections are needed.
    ///
    /// # Errors
    /// As [`connect`](crate::connect).
    pub async fn connect(self) -> Result<Database> {
        self.try_out().await?;
        Ok(Database::new(self.lazy()))
    }

    /// The pool without a connection yet; for what wraps one, such as [`arx::connection::Recorded`].
    #[must_use]
    pub fn lazy(self) -> Arc<dyn arx::connection::Pool> {
        let rest = self.ping_after;
        Arc::new(Pool::<Postgres>::new(self.build(), true).keeping(rest))
    }

    /// The pool of sqlx's; nothing is sent yet.
    #[must_use]
    pub fn build(self) -> PgPool {
        let pool = ping_idle(self.pool, self.ping_after);
        let pool = pool.after_connect(|link, _| Box::pin(watch_client(link)));
        pool.connect_lazy_with(self.connect)
    }

    /// Connects once, so that a wrong address or password is an error now, and one that says so.
    async fn try_out(&self) -> Result<()> {
        let link = PgConnection::connect_with(&self.connect).await.map_err(error::convert)?;
        let version = link.server_version_num();
        // The answer changes nothing.
        let _ = link.close().await;
        match version {
            Some(version) if version < OLDEST_SERVER => {
                Err(Error::unsupported(format!("arx needs PostgreSQL {} or later", OLDEST_SERVER / 10_000)))
            }
            _ => Ok(()),
        }
    }
}

/// A statement whose future was dropped then ends soon, with its locks, instead of running on.
async fn watch_client(link: &mut PgConnection) -> Result<(), sqlx::Error> {
    if link.server_version_num().is_some_and(|version| version >= CHECKS_CLIENT) {
        // Refused where the server's system cannot do it; then it is as it always was.
        let _ = link.execute("SET client_connection_check_interval = '2s'").await;
    }
    Ok(())
}

impl FromStr for Options {
    type Err = Error;

    /// Reads a URL: `postgres://user:password@host:port/database?sslmode=require`.
    fn from_str(url: &str) -> Result<Self> {
        // The message must not hold the URL, which may hold a password.
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(Error::new(ErrorKind::Configuration, "the URL must begin with postgres:// or postgresql://"));
        }
        let options: PgConnectOptions = url.parse().map_err(|_: sqlx::Error| {
            Error::new(ErrorKind::Configuration, "the URL cannot be read; it is postgres://user:password@host:port/database?option=value, with special characters of the password as %XX")
        })?;
        let is_set = url.contains("statement-cache-capacity");
        Ok(Self::new(if is_set { options } else { options.statement_cache_capacity(STATEMENTS) }))
    }
}
