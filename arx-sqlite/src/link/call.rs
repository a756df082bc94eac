//! The async side's end of the link, for one request.

use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use super::{End, Event, Last, Link, Packed, Reply, Request, gone};

/// Chunks of rows that wait for the worker at most.
const CHUNKS: usize = 3;

/// One request that is waited for. Dropping it before its end stops the worker.
pub(crate) struct Call<'a> {
    link: &'a Link,
    id: u64,
    has_ended: bool,
    /// This wait is not, or no longer, a short one.
    has_spun: bool,
}

impl<'a> Call<'a> {
    /// Sends `request`.
    pub(crate) fn new(link: &'a Link, request: Request) -> Self {
        let mut state = link.lock();
        state.newest += 1;
        let id = state.newest;
        state.wanted = id;
        link.has_reply.store(false, Ordering::Relaxed);
        state.requests.push_back((id, request));
        link.wake_worker(state);
        Self { link, id, has_ended: false, has_spun: false }
    }

    /// Waits for the worker to open.
    pub(crate) fn opening(link: &'a Link) -> Self {
        Self { link, id: 1, has_ended: false, has_spun: true }
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

    fn poll(&mut self, cx: &mut Context<'_>, wants_room: bool) -> Poll<Event> {
        if !wants_room && !std::mem::replace(&mut self.has_spun, true) {
            if self.link.caller_spin.is_off() {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            self.link.caller_spin.until(|| self.link.has_reply.load(Ordering::Relaxed));
        }
        let mut state = self.link.lock();
        if wants_room && state.requests.len() < CHUNKS {
            return Poll::Ready(Event::Room);
        }
        if let Some(reply) = state.replies.pop_front() {
            self.link.has_reply.store(!state.replies.is_empty(), Ordering::Relaxed);
            self.has_spun = self.link.caller_spin.is_off();
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
