//! Rows as a stream, with a bounded number of them in memory.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;

use super::session::{Executor, Need};
use crate::connection::{BoxFuture, Intent, RowSink};
use crate::entity::{Record, Table};
use crate::error::{Error, Result};
use crate::plan::Shape;
use crate::value::{Decoder, Literal};

// Enough rows to keep the driver busy while the caller handles one; few enough to be small.
const CAPACITY: usize = 256;

/// A stream of rows, made by [`Retrieve::stream`](super::Retrieve::stream). An error is its last item.
///
/// Nothing is sent before it is polled for the first time. From then on it holds a connection until it ends or is
/// dropped: a few hundred rows are in memory at most, and the database waits for the reader. Dropped before its end, it
/// leaves a connection that is clean, or closes it.
///
/// Inside a transaction, no other call of the transaction can be made before it ends or is dropped; one that is made
/// is an error.
#[must_use = "nothing happens until it is polled"]
pub struct Records<'a, R> {
    queue: Arc<Queue<R>>,
    run: Option<BoxFuture<'a, Result<()>>>,
    error: Option<Error>,
}

type Queue<R> = Mutex<VecDeque<R>>;

impl<'a, R: Record + Send + 'a> Records<'a, R> {
    pub(super) fn new(executor: Executor<'a>, planned: Result<(Shape, Vec<Literal<'a>>)>) -> Self {
        let queue = Arc::new(Queue::new(VecDeque::with_capacity(CAPACITY)));
        let mut push = Push { queue: Arc::clone(&queue), table: None, columns: Vec::new() };
        let run = Box::pin(async move {
            let (shape, literals) = planned?;
            push.table = Some(shape.table);
            push.columns = shape.output.columns();
            let mut session = executor.open(Intent::Read).await?;
            session.note_stream();
            session.enter(Need::Stream).await?;
            let done = session.filtered(shape, &literals, &mut push).await;
            session.leave(done).await.map(drop)
        });
        Self { queue, run: Some(run), error: None }
    }
}

impl<R> Records<'_, R> {
    fn pop(&self) -> Option<R> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

impl<R> Stream for Records<'_, R> {
    type Item = Result<R>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(row) = self.pop() {
                return Poll::Ready(Some(Ok(row)));
            }
            let Some(run) = self.run.as_mut() else { return Poll::Ready(self.error.take().map(Err)) };
            match run.as_mut().poll(cx) {
                // The last rows may be in the queue still.
                Poll::Ready(done) => (self.run, self.error) = (None, done.err()),
                Poll::Pending if self.queue.lock().unwrap_or_else(PoisonError::into_inner).is_empty() => {
                    return Poll::Pending;
                }
                Poll::Pending => {}
            }
        }
    }
}

/// Takes rows until the queue is full. It wakes nobody: the stream polls the driver again as
/// soon as the queue has been emptied.
struct Push<R> {
    queue: Arc<Queue<R>>,
    table: Option<&'static Table>,
    columns: Vec<usize>,
}

impl<R: Record + Send> RowSink for Push<R> {
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()> {
        let item = R::decode(row).map_err(|error| {
            let column = self.columns.get(row.position().saturating_sub(1));
            match self.table.zip(column) {
                Some((table, &column)) => error.with_column(table.label(column)),
                None => error,
            }
        })?;
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push_back(item);
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        let is_full = self.queue.lock().unwrap_or_else(PoisonError::into_inner).len() >= CAPACITY;
        if is_full { Poll::Pending } else { Poll::Ready(()) }
    }
}
