//! The worker's end of the link.

use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};

use rusqlite::InterruptHandle;

use super::{End, Last, Link, Packed, Reply, Request, State};

/// Batches of returned rows that wait for the async side at most.
const BATCHES: usize = 8;

/// The worker's end of the link. Dropping it tells the async side.
pub(crate) struct Inbox(pub(crate) Arc<Link>);

impl Inbox {
    pub(crate) fn set_interrupt(&self, handle: InterruptHandle) {
        // A link has one worker and a worker one connection: the cell is empty.
        let _ = self.0.interrupt.set(handle);
    }

    /// Waits for the next request.
    pub(crate) fn receive(&self) -> (u64, Request) {
        self.0.worker_spin.until(|| self.0.has_request.load(Ordering::Relaxed));
        let mut state = self.0.lock();
        loop {
            if let Some((id, request)) = state.requests.pop_front() {
                state.running = if request.may_stop() { id } else { 0 };
                state.may_interrupt = false;
                self.0.halt.store(id != 0 && state.stopped == id, Ordering::Relaxed);
                self.0.has_request.store(!state.requests.is_empty(), Ordering::Relaxed);
                return (id, request);
            }
            state = self.sleep(state);
        }
    }

    /// Lets the running request be interrupted at once instead of between two rows. SQLite rolls back
    /// the whole transaction when it interrupts a write, so that is for reads, and outside of one.
    pub(crate) fn allow_interrupt(&self) {
        let mut state = self.0.lock();
        state.may_interrupt = true;
        if self.is_halted() {
            self.0.halt(&state);
        }
    }

    /// Waits for more rows of the request that runs; `None` when it is to stop.
    pub(crate) fn rows(&self, id: u64) -> Option<(Packed, Last)> {
        let mut state = self.0.lock();
        loop {
            if self.is_halted() || state.wanted != id {
                return None;
            }
            if let Some((_, Request::Rows(rows, last))) = state.requests.pop_front_if(|(of, _)| *of == id) {
                self.0.wake_caller(state);
                return Some((rows, last));
            }
            state = self.sleep(state);
        }
    }

    /// Whether the running request is to stop.
    pub(crate) fn is_halted(&self) -> bool {
        self.0.is_halted()
    }

    /// Hands over a batch of rows, once there is room; whether it was wanted.
    pub(crate) fn reply(&self, id: u64, batch: Packed) -> bool {
        let mut state = self.0.lock();
        loop {
            if self.is_halted() || state.wanted != id {
                return false;
            }
            if state.replies.len() < BATCHES {
                state.replies.push_back(Reply { batch: Some(batch), end: None });
                self.0.wake_caller(state);
                return true;
            }
            state = self.sleep(state);
        }
    }

    /// Ends a request; whether somebody still waited for it.
    pub(crate) fn end(&self, id: u64, batch: Option<Packed>, end: End) -> bool {
        let mut state = self.0.lock();
        (state.running, state.ended) = (0, id);
        state.requests.retain(|(of, _)| *of != id);
        self.0.has_request.store(!state.requests.is_empty(), Ordering::Relaxed);
        if state.wanted != id {
            return false;
        }
        state.replies.push_back(Reply { batch, end: Some(end) });
        self.0.wake_caller(state);
        true
    }

    fn sleep<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        state.is_worker_asleep = true;
        let mut state = self.0.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.is_worker_asleep = false;
        state
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_gone = true;
        self.0.wake_caller(state);
    }
}
