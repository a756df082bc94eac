//! An allocator that counts, on demand, what the whole process asks of it.
//!
//! The runner makes it the global allocator. Outside of [`count`] it costs one relaxed load a call.
//! A reallocation counts as an allocation, and its growth as bytes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use serde::{Deserialize, Serialize};

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// What was allocated.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Allocated {
    /// How many allocations and reallocations.
    pub allocations: u64,
    /// How many bytes they asked for.
    pub bytes: u64,
}

/// Counts what the process allocates while the future runs.
pub async fn count<T>(work: impl Future<Output = T>) -> (T, Allocated) {
    ALLOCATIONS.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    IS_COUNTING.store(true, Relaxed);
    let done = work.await;
    IS_COUNTING.store(false, Relaxed);
    (done, Allocated { allocations: ALLOCATIONS.load(Relaxed), bytes: BYTES.load(Relaxed) })
}

/// The system's allocator, counted.
pub struct Counting;

impl Counting {
    fn note(bytes: usize) {
        if IS_COUNTING.load(Relaxed) {
            ALLOCATIONS.fetch_add(1, Relaxed);
            BYTES.fetch_add(bytes as u64, Relaxed);
        }
    }
}

// SAFETY: every call goes to `System` as it is; counting neither allocates nor touches the memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::note(layout.size());
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::note(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::note(size.saturating_sub(layout.size()));
        // SAFETY: as above; the pointer came from `System`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; the pointer came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
