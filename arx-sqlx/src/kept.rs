//! The connection that was used last, ready for the next call.
//!
//! sqlx gives a connection back in a task of its own, which asks the server whether it is alive: for a call of one row,
//! as much work as the call. So a pool that nobody else takes connections from keeps one out, and gives it back when
//! somebody waits for one, when it has rested, and now and then, so that the pool's own limits apply to it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Database;
use sqlx::pool::PoolConnection;
use tokio::runtime::Handle;

// sqlx looks at the age of a connection when it is given back.
const LONGEST: Duration = Duration::from_secs(60);

/// A place for one connection.
pub(crate) struct Kept<D: Database> {
    place: Mutex<Option<Rested<D>>>,
    /// How many calls wait for the pool: while there is one, nothing is kept from it.
    waiting: AtomicUsize,
    /// After so long a rest the pool asks whether a connection still works.
    rest: Duration,
}

/// A connection that was kept.
struct Rested<D: Database> {
    link: PoolConnection<D>,
    /// Since when the pool has not seen it.
    out: Instant,
    /// Since when nobody uses it.
    idle: Instant,
}

impl<D: Database> Kept<D> {
    pub(crate) fn new(rest: Duration) -> Self {
        Self { place: Mutex::new(None), waiting: AtomicUsize::new(0), rest }
    }

    /// The connection, and since when it is out of the pool.
    pub(crate) fn take(&self) -> Option<(PoolConnection<D>, Instant)> {
        let rested = self.place().take()?;
        if rested.idle.elapsed() >= self.rest {
            // The pool asks whether it still works.
            give_back(rested.link);
            return None;
        }
        Some((rested.link, rested.out))
    }

    /// Keeps a connection that is out of the pool since `out`, or gives it back.
    pub(crate) fn put(&self, link: PoolConnection<D>, out: Instant) {
        let idle = Instant::now();
        let mut place = self.place();
        if place.is_some() || self.is_waited_for() || idle.duration_since(out) >= LONGEST {
            drop(place);
            return give_back(link);
        }
        *place = Some(Rested { link, out, idle });
    }

    /// Says that a call waits for the pool, until what is returned is dropped. A connection that is kept by then is
    /// given back.
    pub(crate) fn wait(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        // After the count is up: whoever comes later to put one in sees that it is waited for.
        self.clear();
        Waiting(&self.waiting)
    }

    /// Keeps nothing from now on.
    pub(crate) fn close(&self) {
        std::mem::forget(self.wait());
    }

    fn clear(&self) {
        let kept = self.place().take();
        if let Some(rested) = kept {
            give_back(rested.link);
        }
    }

    fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    fn place(&self) -> MutexGuard<'_, Option<Rested<D>>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<D: Database> Drop for Kept<D> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// A call that waits.
pub(crate) struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Gives a connection back to its pool, or closes it where there is no runtime to do that in.
pub(crate) fn give_back<D: Database>(link: PoolConnection<D>) {
    match Handle::try_current() {
        Ok(_) => drop(link),
        Err(_) => drop(link.detach()),
    }
}
