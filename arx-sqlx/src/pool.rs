//! Where connections come from: sqlx's pool.

use std::sync::Arc;
use std::time::Duration;

use arx::connection::{BoxFuture, Connection, Intent};
use arx::dialect::Dialect;
use arx::error::Result;
use sqlx::Connection as _;
use sqlx::pool::PoolOptions;

use crate::connection::Pooled;
use crate::server::Server;

/// The statements that a connection keeps prepared. arx writes a closed set of them, some dozens per table; closing
/// an evicted one costs a round trip, and on MySQL it stalls the next command for 40 ms, for sqlx 0.9.0 leaves
/// Nagle's algorithm on.
pub const STATEMENTS: usize = 500;

/// sqlx's pool as one of arx.
pub struct Pool<S: Server> {
    pool: sqlx::Pool<S::Database>,
    dialect: Arc<S::Dialect>,
    is_own: bool,
}

impl<S: Server> Pool<S> {
    /// A pool; `is_own` says that its connections are set up by the dialect crate's options.
    #[must_use]
    pub fn new(pool: sqlx::Pool<S::Database>, is_own: bool) -> Self {
        Self { pool, dialect: Arc::default(), is_own }
    }

    /// Its dialect.
    #[must_use]
    pub fn own_dialect(&self) -> &S::Dialect {
        &self.dialect
    }

    async fn take(&self) -> Result<Pooled<S>> {
        let link = self.pool.acquire().await.map_err(|error| S::convert(None, error))?;
        let mut connection = Pooled::new(link, Arc::clone(&self.dialect));
        if !S::is_ready(&self.dialect, self.is_own) {
            connection.ready(self.is_own).await?;
        }
        Ok(connection)
    }
}

impl<S: Server> arx::connection::Pool for Pool<S> {
    fn acquire(&self, _: Intent) -> BoxFuture<'_, Result<Box<dyn Connection>>> {
        Box::pin(async move {
            let connection: Box<dyn Connection> = Box::new(self.take().await?);
            Ok(connection)
        })
    }

    fn dialect(&self) -> Arc<dyn Dialect> {
        Arc::clone(&self.dialect) as Arc<dyn Dialect>
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.pool.close())
    }
}

/// Asks only a connection that was idle for so long whether it still works: a ping before each use is a third of the
/// time of a small statement.
#[must_use]
pub fn ping_idle<D: sqlx::Database>(options: PoolOptions<D>, idle: Duration) -> PoolOptions<D> {
    options.test_before_acquire(false).before_acquire(move |link, meta| {
        Box::pin(async move {
            if meta.idle_for >= idle {
                link.ping().await?;
            }
            Ok(true)
        })
    })
}

/// The options that every pool has, as methods of a struct with the fields `pool` and `ping_after`.
#[macro_export]
macro_rules! pool_options {
    ($options:ident) => {
        impl $options {
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
            pub fn acquire_timeout(mut self, timeout: ::std::time::Duration) -> Self {
                self.pool = self.pool.acquire_timeout(timeout);
                self
            }

            /// Asks a connection that was idle for so long whether it still works before it is used; 5 seconds unless
            /// set.
            #[must_use]
            pub fn ping_after(mut self, idle: ::std::time::Duration) -> Self {
                self.ping_after = idle;
                self
            }
        }
    };
}
