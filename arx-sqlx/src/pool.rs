//! Where connections come from: sqlx's pool.

use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arx::connection::{BoxFuture, Connection, Intent};
use arx::dialect::Dialect;
use arx::error::Result;
use sqlx::Connection as _;
use sqlx::pool::PoolOptions;

use crate::connection::Pooled;
use crate::kept::Kept;
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
    kept: Option<Arc<Kept<S::Database>>>,
}

impl<S: Server> Pool<S> {
    /// A pool; `is_own` says that its connections are set up by the dialect crate's options.
    #[must_use]
    pub fn new(pool: sqlx::Pool<S::Database>, is_own: bool) -> Self {
        Self { pool, dialect: Arc::default(), is_own, kept: None }
    }

    /// Keeps the connection that was used last for the next call, unless it rests for so long or somebody waits for one.
    /// Only for a pool that nobody else takes connections from: they would not see it.
    #[must_use]
    pub fn keeping(mut self, rest: Duration) -> Self {
        self.kept = Some(Arc::new(Kept::new(rest)));
        self
    }

    /// Its dialect.
    #[must_use]
    pub fn own_dialect(&self) -> &S::Dialect {
        &self.dialect
    }

    /// The connection that was kept, where there is nothing else to do.
    fn resume(&self) -> Option<Pooled<S>> {
        let kept = self.kept.as_ref().filter(|_| S::is_ready(&self.dialect, self.is_own))?;
        let (link, out) = kept.take()?;
        Some(Pooled::new(link, Arc::clone(&self.dialect)).keep(kept, out))
    }

    async fn take(&self) -> Result<Pooled<S>> {
        let waiting = self.kept.as_ref().map(|kept| kept.wait());
        let link = self.pool.acquire().await.map_err(|error| S::convert(None, error))?;
        drop(waiting);
        let mut connection = Pooled::new(link, Arc::clone(&self.dialect));
        if let Some(kept) = &self.kept {
            connection = connection.keep(kept, Instant::now());
        }
        if !S::is_ready(&self.dialect, self.is_own) {
            connection.ready(self.is_own).await?;
        }
        Ok(connection)
    }
}

impl<S: Server> arx::connection::Pool for Pool<S> {
    fn acquire(&self, _: Intent) -> BoxFuture<'_, Result<Box<dyn Connection>>> {
        if let Some(connection) = self.resume() {
            let connection: Box<dyn Connection> = Box::new(connection);
            return Box::pin(ready(Ok(connection)));
        }
        Box::pin(async move {
            let connection: Box<dyn Connection> = Box::new(self.take().await?);
            Ok(connection)
        })
    }

    fn dialect(&self) -> Arc<dyn Dialect> {
        Arc::clone(&self.dialect) as Arc<dyn Dialect>
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.kept.iter().for_each(|kept| kept.close());
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
