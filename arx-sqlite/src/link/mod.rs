//! Where a connection's async side and its worker thread meet.
//!
//! Requests go in and replies come out through two bounded queues under one lock: one side
//! is polled, the other blocks. A hand-made pair instead of two channels, because dropping
//! a future must empty both and stop the running statement in one step.

mod call;
mod inbox;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Waker;

use arx::connection::Control;
use arx::entity::Table;
use arx::error::{Error, Result};
use arx::plan::{Limits, TableFacts};
use rusqlite::InterruptHandle;

pub(crate) use call::Call;
pub(crate) use inbox::Inbox;

use crate::packed::KEPT;
use crate::source::Run;
use crate::spin::Spin;

/// Buffers that are kept for reuse.
const SPARE: usize = 12;

/// Rows as packed cells.
#[derive(Default)]
pub(crate) struct Packed {
    pub(crate) bytes: Vec<u8>,
    pub(crate) rows: usize,
}

/// What the worker is asked to do.
pub(crate) enum Request {
    /// Run one statement. More rows may follow.
    Run(Box<Run>),
    /// More rows for the statement that runs.
    Rows(Packed, Last),
    Control(Control),
    Inspect(&'static Table),
    /// The last request ended when nobody waited any more.
    Unheard,
    /// Undo whatever a previous user left open.
    Reset,
    Close,
}

/// Whether these are the last rows of the command.
pub(crate) type Last = bool;

impl Request {
    /// Whether the request may be skipped or stopped when nobody waits for it any more. Not so
    /// for the other words that bound transactions: what follows them relies on them.
    fn may_stop(&self) -> bool {
        match self {
            Self::Control(control) => matches!(control, Control::Begin(_) | Control::Release(_)),
            _ => matches!(self, Self::Run(_) | Self::Rows(..) | Self::Inspect(_)),
        }
    }
}

/// What came of a request.
pub(crate) enum Outcome {
    Opened(Box<Limits>),
    Rows(u64),
    Facts(TableFacts),
    Done,
}

/// The end of a request.
pub(crate) struct End {
    pub(crate) result: Result<Outcome>,
    /// Nothing is left open on the connection.
    pub(crate) clean: bool,
}

/// A batch of rows, the end of the request, or both at once.
pub(crate) struct Reply {
    pub(crate) batch: Option<Packed>,
    pub(crate) end: Option<End>,
}

/// What the async side waits for.
pub(crate) enum Event {
    Reply(Reply),
    /// More rows can be sent.
    Room,
    /// The worker has ended.
    Gone,
}

#[derive(Default)]
struct State {
    /// The number of the newest request.
    newest: u64,
    /// The request whose replies somebody waits for.
    wanted: u64,
    /// The request that runs and may be stopped, and whether at once: see [`Inbox::allow_interrupt`].
    running: u64,
    may_interrupt: bool,
    /// The last request that was told to stop, and the last that ended.
    stopped: u64,
    ended: u64,
    requests: VecDeque<(u64, Request)>,
    replies: VecDeque<Reply>,
    waker: Option<Waker>,
    is_worker_asleep: bool,
    is_gone: bool,
    spare: Vec<Vec<u8>>,
}

/// The meeting place.
pub(crate) struct Link {
    state: Mutex<State>,
    work: Condvar,
    halt: AtomicBool,
    /// Whether there is something in the queues: for looking without the lock.
    has_request: AtomicBool,
    has_reply: AtomicBool,
    worker_spin: Spin,
    caller_spin: Spin,
    interrupt: OnceLock<InterruptHandle>,
}

impl Link {
    /// A link whose worker is opening; that is its first request, and `1` its number.
    pub(crate) fn opening(spins: bool) -> Arc<Self> {
        let spin = |longest| Spin::new(if spins { longest } else { 0 });
        Arc::new(Self {
            state: Mutex::new(State { newest: 1, wanted: 1, ..State::default() }),
            work: Condvar::new(),
            halt: AtomicBool::new(false),
            has_request: AtomicBool::new(false),
            has_reply: AtomicBool::new(false),
            worker_spin: spin(50),
            // Shorter, because others may wait for the caller's thread.
            caller_spin: spin(40),
            interrupt: OnceLock::new(),
        })
    }

    /// Sends a request that nobody waits for.
    pub(crate) fn tell(&self, request: Request) {
        let mut state = self.lock();
        state.newest += 1;
        let id = state.newest;
        state.requests.push_back((id, request));
        self.wake_worker(state);
    }

    /// Whether the running request is to stop.
    pub(crate) fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.lock().is_gone
    }

    /// A buffer for reuse.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        self.lock().spare.pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, mut buffer: Vec<u8>) {
        if buffer.capacity() == 0 || buffer.capacity() > KEPT {
            return;
        }
        buffer.clear();
        let mut state = self.lock();
        if state.spare.len() < SPARE {
            state.spare.push(buffer);
        }
    }

    /// Ends what a user has left open, on behalf of the next one.
    pub(crate) fn reset(&self) {
        let mut state = self.lock();
        state.requests.push_back((0, Request::Reset));
        if state.running != 0 {
            // The transaction is given up as a whole: nothing is worth waiting for.
            state.may_interrupt = true;
            self.halt(&state);
        }
        self.wake_worker(state);
    }

    /// Stops the running request. Under the lock, so that no interrupt comes late and hits the next one.
    fn halt(&self, state: &State) {
        self.halt.store(true, Ordering::Relaxed);
        if let Some(handle) = self.interrupt.get().filter(|_| state.may_interrupt) {
            handle.interrupt();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes who waits for a reply.
    fn wake_caller(&self, mut state: MutexGuard<'_, State>) {
        self.has_reply.store(!state.replies.is_empty() || state.is_gone, Ordering::Relaxed);
        let waker = state.waker.take();
        drop(state);
        waker.map(Waker::wake).unwrap_or_default();
    }

    fn wake_worker(&self, mut state: MutexGuard<'_, State>) {
        self.has_request.store(!state.requests.is_empty(), Ordering::Relaxed);
        let is_asleep = std::mem::take(&mut state.is_worker_asleep);
        drop(state);
        if is_asleep {
            self.work.notify_one();
        }
    }
}

/// The error for a connection whose worker has ended.
pub(crate) fn gone() -> Error {
    Error::new(arx::error::ErrorKind::ConnectionLost, "the connection's worker thread has ended")
}
