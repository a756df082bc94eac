//! An allocator that counts, on demand, what the whole process asks of it.
//!
//! The runner makes it the global allocator. Outside of [`count`] it costs one relaxed load a call.
//! A reallocation counts as an allocation, and its growth as bytes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

/// What was allocated.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Allocated {
    /// How many allocations and reallocations.
    pub allocations: u64,
    /// How many bytes they asked for.
    pub bytes: u64,
    /// How many bytes were in use at most, beyond those that were in use before.
    pub peak: u64,
}

/// Counts what the process allocates while the future runs.
pub async fn count<T>(work: impl Future<Output = T>) -> (T, Allocated) {
    ALLOCATIONS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    IS_COUNTING.store(true, Relaxed);
    let done = work.await;
    IS_COUNTING.store(false, Relaxed);
    let peak = u64::try_from(PEAK.load(Relaxed)).unwrap_or(0);
    (done, Allocated { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed), peak })
}

/// The system's allocator, counted.
pub struct Counting;

impl Counting {
    /// `before` is what a reallocation begins with.
    fn note(before: usize, after: usize) {
        if !IS_COUNTING.load(Relaxed) {
            return;
        }
        let growth = after as i128 - before as i128;
        let growth = i64::try_from(growth).unwrap_or(0);
        let live = LIVE.fetch_add(growth, Relaxed) + growth;
        PEAK.fetch_max(live, Relaxed);
        if after > 0 {
            ALLOCATIONS.fetch_add(1, Relaxed);
            BYTES.fetch_add(u64::try_from(growth).unwrap_or(0), Relaxed);
        }
    }
}

// SAFETY: every call goes to `System` as it is; counting neither allocates nor touches the memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::note(0, layout.size());
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::note(0, layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::note(layout.size(), size);
        // SAFETY: as above; the pointer came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Self::note(layout.size(), 0);
        // SAFETY: as above; the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
