//! Where connections come from: sqlx's pool, and its options.
//!
//! Kept apart from `connection`, which is about one of them.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use arx::Database;
use arx::error::{Error, ErrorKind, Result};
use arx_sqlx::{Pool, STATEMENTS, ping_idle};
use sqlx::Connection as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions};

use crate::dialect::Mysql;
use crate::settings::Settings;
use crate::{error, probe};

/// How to connect, and how many connections to keep.
#[derive(Clone, Debug)]
pub struct Options {
    connect: MySqlConnectOptions,
    pool: MySqlPoolOptions,
    ping_after: Duration,
}

arx_sqlx::pool_options!(Options);

impl Options {
    /// With sqlx's own connection options: for TLS certificates, sockets and the like.
    #[must_use]
    pub fn new(connect: MySqlConnectOptions) -> Self {
        Self { connect, pool: MySqlPoolOptions::new().max_connections(10), ping_after: Duration::from_secs(5) }
    }

    /// Connects: once to see that it works, then as connections are needed.
    ///
    /// # Errors
    /// As [`connect`](crate::connect).
    pub async fn connect(self) -> Result<Database> {
        let mut link = MySqlConnection::connect_with(&self.connect).await.map_err(error::convert)?;
        Settings::read(&mut link).await?.fix(&mut link).await?;
        let capabilities = probe::probe(&mut link).await?;
        // The answer changes nothing.
        let _ = link.close().await;
        let pool = self.pool();
        pool.own_dialect().learn(capabilities);
        Ok(Database::new(Arc::new(pool)))
    }

    /// The pool without a connection yet; for what wraps one, such as [`arx::connection::Recorded`].
    #[must_use]
    pub fn lazy(self) -> Arc<dyn arx::connection::Pool> {
        Arc::new(self.pool())
    }

    fn pool(self) -> Pool<Mysql> {
        let rest = self.ping_after;
        Pool::new(self.build(), true).keeping(rest)
    }

    /// The pool of sqlx's; nothing is sent yet.
    #[must_use]
    pub fn build(self) -> MySqlPool {
        let pool = ping_idle(self.pool, self.ping_after);
        let pool = pool.after_connect(|link, _| {
            Box::pin(async move {
                let fixed = async { Settings::read(link).await?.fix(link).await };
                fixed.await.map_err(|error| sqlx::Error::Configuration(error.into()))
            })
        });
        pool.connect_lazy_with(self.connect)
    }
}

impl FromStr for Options {
    type Err = Error;

    /// Reads a URL: `mysql://user:password@host:port/database?ssl-mode=REQUIRED`.
    fn from_str(url: &str) -> Result<Self> {
        // The message must not hold the URL, which may hold a password.
        if !url.starts_with("mysql://") && !url.starts_with("mariadb://") {
            return Err(Error::new(ErrorKind::Configuration, "the URL must begin with mysql:// or mariadb://"));
        }
        let options: MySqlConnectOptions = url.parse().map_err(|_: sqlx::Error| {
            Error::new(ErrorKind::Configuration, "the URL cannot be read; it is mysql://user:password@host:port/database?option=value, with special characters of the password as %XX")
        })?;
        let is_set = url.contains("statement-cache-capacity");
        Ok(Self::new(if is_set { options } else { options.statement_cache_capacity(STATEMENTS) }))
    }
}
