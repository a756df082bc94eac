//! Waiting for a connection: first come, first served, on any async runtime.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::link::{Link, Request};

/// Connections of one purpose: some idle, some in use, the others not yet opened.
pub(crate) struct Lane {
    state: Mutex<State>,
}

struct State {
    /// Connections that may be taken now, whether they are open or not.
    free: usize,
    idle: Vec<Arc<Link>>,
    newest: u64,
    waiting: VecDeque<(u64, Waker)>,
    granted: Vec<u64>,
    is_closed: bool,
}

impl Lane {
    pub(crate) fn new(size: usize) -> Self {
        let state = State {
            free: size,
            idle: Vec::new(),
            newest: 0,
            waiting: VecDeque::new(),
            granted: Vec::new(),
            is_closed: false,
        };
        Self { state: Mutex::new(state) }
    }

    /// Waits for the right to one connection.
    pub(crate) fn acquire(&self) -> Acquire<'_> {
        Acquire { lane: self, ticket: None }
    }

    /// Takes the right to one connection, if that needs no waiting.
    pub(crate) fn try_acquire(&self) -> bool {
        let mut state = self.lock();
        let is_free = state.free > 0;
        state.free -= usize::from(is_free);
        is_free
    }

    /// An open connection, if one is idle; the one used last, whose pages are warm.
    pub(crate) fn take(&self) -> Option<Arc<Link>> {
        let mut state = self.lock();
        std::iter::from_fn(|| state.idle.pop()).find(|link| !link.is_gone())
    }

    /// Gives back a connection, or with `None` the right to one.
    pub(crate) fn release(&self, link: Option<Arc<Link>>) {
        let mut state = self.lock();
        match link {
            Some(link) if state.is_closed => link.tell(Request::Close),
            Some(link) => state.idle.push(link),
            None => {}
        }
        state.grant();
    }

    /// Closes what is idle now and what comes back later; gives the idle ones.
    pub(crate) fn close(&self) -> Vec<Arc<Link>> {
        let mut state = self.lock();
        state.is_closed = true;
        std::mem::take(&mut state.idle)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Gives one right to the first who waits, or keeps it.
    fn grant(&mut self) {
        match self.waiting.pop_front() {
            Some((ticket, waker)) => {
                self.granted.push(ticket);
                waker.wake();
            }
            None => self.free += 1,
        }
    }
}

/// The wait for a connection. Dropping it gives up the place in the queue.
pub(crate) struct Acquire<'a> {
    lane: &'a Lane,
    ticket: Option<u64>,
}

impl Future for Acquire<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lane.lock();
        let Some(ticket) = self.ticket else {
            if state.free > 0 {
                state.free -= 1;
                return Poll::Ready(());
            }
            state.newest += 1;
            let ticket = state.newest;
            state.waiting.push_back((ticket, cx.waker().clone()));
            drop(state);
            self.ticket = Some(ticket);
            return Poll::Pending;
        };
        if let Some(place) = state.granted.iter().position(|granted| *granted == ticket) {
            state.granted.swap_remove(place);
            drop(state);
            self.ticket = None;
            return Poll::Ready(());
        }
        if let Some((_, waker)) = state.waiting.iter_mut().find(|(waiting, _)| *waiting == ticket) {
            waker.clone_from(cx.waker());
        }
        Poll::Pending
    }
}

impl Drop for Acquire<'_> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut state = self.lane.lock();
        state.waiting.retain(|(waiting, _)| *waiting != ticket);
        if let Some(place) = state.granted.iter().position(|granted| *granted == ticket) {
            state.granted.swap_remove(place);
            state.grant();
        }
    }
}
