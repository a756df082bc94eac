//! Waiting a little without sleeping.
//!
//! Waking a thread takes 3 to 30 µs, longer than most statements for one row. So both ends of
//! a link look again for a while before they sleep, as long as that pays.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// After one wait in vain so many are skipped: with the other end on the same processor,
/// or with statements that take longer, none of them would pay.
const SKIPPED: u32 = 64;

pub(crate) struct Spin {
    longest: Duration,
    skip: AtomicU32,
}

impl Spin {
    /// For so many microseconds at most.
    pub(crate) const fn new(longest: u64) -> Self {
        Self { longest: Duration::from_micros(longest), skip: AtomicU32::new(0) }
    }

    pub(crate) fn is_off(&self) -> bool {
        self.longest.is_zero()
    }

    /// Waits until `is_over`, or until waiting has become too long.
    pub(crate) fn until(&self, is_over: impl Fn() -> bool) {
        let skip = self.skip.load(Ordering::Relaxed);
        if skip > 0 {
            return self.skip.store(skip - 1, Ordering::Relaxed);
        }
        let since = Instant::now();
        while since.elapsed() < self.longest {
            for _ in 0..16 {
                if is_over() {
                    return;
                }
                spin_loop();
            }
        }
        self.skip.store(SKIPPED, Ordering::Relaxed);
    }
}
