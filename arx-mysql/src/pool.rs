//! Where connections come from: sqlx's pool, and its options.
//!
//! Kept apart from `connection`, which is about one of them.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use arx::Database;
use arx::connection::{BoxFuture, Intent};
use arx::dialect::Dialect;
use arx::error::{Error, ErrorKind, Result};
use sqlx::Connection as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool, MySqlPoolOptions};

use crate::connection::Connection;
use crate::dialect::Mysql;
use crate::settings::Settings;
use crate::{error, probe};

// arx writes a closed set of statements, some dozens per table. Closing an evicted one stalls the next
// command for 40 ms, for sqlx 0.9.0 leaves Nagle's algorithm on.
const STATEMENTS: usize = 500;

/// How to connect, and how many connections to keep.
#[derive(Clone, Debug)]
pub struct Options {
    connect: MySqlConnectOptions,
    pool: MySqlPoolOptions,
    ping_after: Duration,
}

impl Options {
    /// With sqlx's own connection options: for TLS certificates, sockets and the like.
    #[must_use]
    pub fn new(connect: MySqlConnectOptions) -> Self {
        Self { connect, pool: MySqlPoolOptions::new().max_connections(10), ping_after: Duration::from_secs(5) }
    }

    /// At most so many connections at once; 10 unless set.
    #[must_use]
    pub fn max_connections(mut self, count: u32) -> Self {
        self.pool = self.pool.max_connections(count);
        self
    }

    /// Keeps so many connections open although nobody uses them; 0 unless set.
    #[must_use]
    pub fn min_connections(mut self, count: u32) -> Self {
        self.pool = self.pool.min_connections(count);
        self
    }

    /// Waits so long for a connection before the call fails with `Timeout`; 30 seconds unless set.
    #[must_use]
    pub fn acquire_timeout(mut self, timeout: Duration) -> Self {
        self.pool = self.pool.acquire_timeout(timeout);
        self
    }

    /// Asks a connection that was idle for so long whether it still works before it is used; 5 seconds unless set.
    #[must_use]
    pub fn ping_after(mut self, idle: Duration) -> Self {
        self.ping_after = idle;
        self
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
        pool.dialect.learn(capabilities);
        Ok(Database::new(Arc::new(pool)))
    }

    /// The pool without a connection yet; for what wraps one, such as [`arx::connection::Recorded`].
    #[must_use]
    pub fn lazy(self) -> Arc<dyn arx::connection::Pool> {
        Arc::new(self.pool())
    }

    fn pool(self) -> Pool {
        Pool { pool: self.build(), dialect: Arc::default(), is_own: true }
    }

    /// The pool of sqlx's; nothing is sent yet.
    #[must_use]
    pub fn build(self) -> MySqlPool {
        let ping_after = self.ping_after;
        // A ping before each use is a third of the time of a small statement.
        let pool = self.pool.test_before_acquire(false).before_acquire(move |link, meta| {
            Box::pin(async move {
                if meta.idle_for >= ping_after {
                    link.ping().await?;
                }
                Ok(true)
            })
        });
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

/// sqlx's pool as one of arx.
pub(crate) struct Pool {
    pool: MySqlPool,
    dialect: Arc<Mysql>,
    /// Its connections are set up by [`Options::build`].
    is_own: bool,
}

impl Pool {
    /// A pool of the application's, whose sessions may be anything.
    pub(crate) fn foreign(pool: MySqlPool) -> Self {
        Self { pool, dialect: Arc::default(), is_own: false }
    }

    async fn take(&self) -> Result<Connection> {
        let link = self.pool.acquire().await.map_err(error::convert)?;
        let mut connection = Connection::new(link, Arc::clone(&self.dialect));
        if self.is_own && self.dialect.is_probed() {
            return Ok(connection);
        }
        connection.ready(self.is_own).await?;
        Ok(connection)
    }
}

impl arx::connection::Pool for Pool {
    fn acquire(&self, _: Intent) -> BoxFuture<'_, Result<Box<dyn arx::connection::Connection>>> {
        Box::pin(async move {
            let connection = self.take().await?;
            Ok(Box::new(connection) as Box<dyn arx::connection::Connection>)
        })
    }

    fn dialect(&self) -> Arc<dyn Dialect> {
        Arc::clone(&self.dialect) as Arc<dyn Dialect>
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.pool.close())
    }
}
