//! Where a connection's async side and its worker thread meet.
//!
//! Requests go in and replies come out through two bounded queues under one lock: one side
//! is polled, the other blocks. A hand-made pair instead of two channels, because dropping
//! a future must empty both and stop the running statement in one step.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use arx::connection::Control;
use arx::entity::Table;
use arx::error::{Error, Result};
use arx::plan::{Limits, TableFacts};
use rusqlite::InterruptHandle;

use crate::packed::KEPT;
use crate::source::Run;

/// Chunks of rows that wait for the worker at most.
const CHUNKS: usize = 3;

/// Batches of returned rows that wait for the async side at most.
const BATCHES: usize = 3;

/// Buffers that are kept for reuse.
const SPARE: usize = 8;

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
    /// Whether the request may be skipped or interrupted when nobody waits for it any more.
    /// Not so for the words that end a transaction: what follows them relies on them.
    fn may_stop(&self) -> bool {
        matches!(self, Self::Run(_) | Self::Rows(..) | Self::Inspect(_) | Self::Control(Control::Begin(_)))
    }
}

/// What came of a request.
pub(crate) enum Outcome {
    Opened(Limits),
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
#[derive(Default)]
pub(crate) struct Link {
    state: Mutex<State>,
    work: Condvar,
    halt: AtomicBool,
    interrupt: OnceLock<InterruptHandle>,
}

impl Link {
    /// A link whose worker is opening; that is its first request, and `1` its number.
    pub(crate) fn opening() -> Arc<Self> {
        let link = Self::default();
        {
            let mut state = link.lock();
            (state.newest, state.wanted) = (1, 1);
        }
        Arc::new(link)
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

    fn wake_worker(&self, mut state: MutexGuard<'_, State>) {
        let is_asleep = std::mem::take(&mut state.is_worker_asleep);
        drop(state);
        if is_asleep {
            self.work.notify_one();
        }
    }
}

/// One request that is waited for. Dropping it before its end stops the worker.
pub(crate) struct Call<'a> {
    link: &'a Link,
    id: u64,
    has_ended: bool,
}

impl<'a> Call<'a> {
    /// Sends `request`.
    pub(crate) fn new(link: &'a Link, request: Request) -> Self {
        let mut state = link.lock();
        state.newest += 1;
        let id = state.newest;
        state.wanted = id;
        state.requests.push_back((id, request));
        link.wake_worker(state);
        Self { link, id, has_ended: false }
    }

    /// Waits for the worker to open.
    pub(crate) fn opening(link: &'a Link) -> Self {
        Self { link, id: 1, has_ended: false }
    }

    /// Sends more rows for this request.
    pub(crate) fn rows(&self, rows: Packed, last: Last) {
        let mut state = self.link.lock();
        if state.ended != self.id {
            state.requests.push_back((self.id, Request::Rows(rows, last)));
        }
        self.link.wake_worker(state);
    }

    /// Asks the worker to end this request early; its end is still waited for.
    pub(crate) fn stop(&self) {
        let mut state = self.link.lock();
        state.stopped = self.id;
        if state.running == self.id {
            self.link.halt.store(true, Ordering::Relaxed);
        }
        self.link.wake_worker(state);
    }

    /// The next event. `wants_room` asks for [`Event::Room`] too.
    pub(crate) async fn event(&mut self, wants_room: bool) -> Event {
        let event = std::future::poll_fn(|cx| self.poll(cx, wants_room)).await;
        self.has_ended = match &event {
            Event::Reply(reply) => reply.end.is_some(),
            Event::Room => false,
            Event::Gone => true,
        };
        event
    }

    /// The end of a request that returns no rows.
    pub(crate) async fn end(mut self) -> End {
        loop {
            match self.event(false).await {
                Event::Reply(Reply { end: Some(end), .. }) => return end,
                Event::Gone => return End { result: Err(gone()), clean: false },
                Event::Reply(_) | Event::Room => {}
            }
        }
    }

    fn poll(&self, cx: &mut Context<'_>, wants_room: bool) -> Poll<Event> {
        let mut state = self.link.lock();
        if wants_room && state.requests.len() < CHUNKS {
            return Poll::Ready(Event::Room);
        }
        if let Some(reply) = state.replies.pop_front() {
            self.link.wake_worker(state);
            return Poll::Ready(Event::Reply(reply));
        }
        if state.is_gone {
            return Poll::Ready(Event::Gone);
        }
        if !state.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            state.waker = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut state = self.link.lock();
        let id = self.id;
        state.wanted = 0;
        state.waker = None;
        state.replies.clear();
        if state.ended == id {
            state.requests.push_back((0, Request::Unheard));
        }
        state.requests.retain(|(of, request)| *of != id || !request.may_stop());
        if state.running == id {
            self.link.halt(&state);
        }
        self.link.wake_worker(state);
    }
}

/// The worker's end of the link. Dropping it tells the async side.
pub(crate) struct Inbox(pub(crate) Arc<Link>);

impl Inbox {
    pub(crate) fn set_interrupt(&self, handle: InterruptHandle) {
        // A link has one worker and a worker one connection: the cell is empty.
        let _ = self.0.interrupt.set(handle);
    }

    /// Waits for the next request.
    pub(crate) fn receive(&self) -> (u64, Request) {
        let mut state = self.0.lock();
        loop {
            if let Some((id, request)) = state.requests.pop_front() {
                state.running = if request.may_stop() { id } else { 0 };
                state.may_interrupt = false;
                self.0.halt.store(state.stopped == id, Ordering::Relaxed);
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
                let waker = state.waker.take();
                drop(state);
                waker.map(Waker::wake).unwrap_or_default();
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
                let waker = state.waker.take();
                drop(state);
                waker.map(Waker::wake).unwrap_or_default();
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
        if state.wanted != id {
            return false;
        }
        state.replies.push_back(Reply { batch, end: Some(end) });
        let waker = state.waker.take();
        drop(state);
        waker.map(Waker::wake).unwrap_or_default();
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
        let waker = state.waker.take();
        drop(state);
        waker.map(Waker::wake).unwrap_or_default();
    }
}

/// The error for a connection whose worker has ended.
pub(crate) fn gone() -> Error {
    Error::new(arx::error::ErrorKind::ConnectionLost, "the connection's worker thread has ended")
}
