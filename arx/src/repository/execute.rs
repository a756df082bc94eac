//! Calls of stored procedures and functions.

use std::future::IntoFuture;
use std::task::{Context, Poll};

use super::raw::RawRows;
use super::session::{Executor, Need};
use crate::connection::{BoxFuture, Collected, Intent, Message, ResultSet, RowSink};
use crate::entity::Record;
use crate::error::{Error, Result};
use crate::plan::{self, CallOutput};
use crate::query::{Call, RoutineName};
use crate::value::{Decoder, Scalar};

/// Calls a procedure or a function when it is awaited.
#[must_use = "nothing happens until it is awaited"]
pub struct Execute<'a> {
    pub(super) executor: Executor<'a>,
    call: Call<'a>,
}

impl<'a> Execute<'a> {
    pub(super) fn new(executor: Executor<'a>, call: impl Into<Call<'a>>) -> Self {
        Self { executor, call: call.into() }
    }

    async fn run(self) -> Result<CallResult> {
        let operation = operation(self.call.routine);
        let outcome = self.send().await.and_then(|(collected, outputs)| CallResult::of(&operation, collected, outputs));
        outcome.map_err(|error| error.with_operation(operation))
    }

    pub(super) async fn rehearse(self) -> Result<()> {
        let operation = operation(self.call.routine);
        self.send().await.map(drop).map_err(|error| error.with_operation(operation))
    }

    async fn send(self) -> Result<(Collected, Vec<CallOutput>)> {
        let Call { routine, arguments, mut literals, messages, atomic } = self.call;
        let mut session = self.executor.open(Intent::Write).await?;
        let signatures = session.signatures(routine).await?;
        let invocation = plan::call(routine, &arguments, &signatures, &mut literals)?;
        session.enter(if atomic { Need::Undo } else { Need::Nothing }).await?;
        let outcome = session.call(&invocation, &literals, messages).await;
        session.leave(outcome.map(|collected| (collected, invocation.outputs()))).await
    }
}

fn operation(routine: RoutineName<'_>) -> String {
    format!("call {}", routine.name)
}

impl<'a> IntoFuture for Execute<'a> {
    type Output = Result<CallResult>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// What a call brought back. Values are decoded when they are asked for.
pub struct CallResult {
    operation: String,
    sets: Vec<Box<dyn ResultSet>>,
    outputs: Vec<CallOutput>,
    values: Option<Box<dyn ResultSet>>,
    messages: Vec<Message>,
}

impl CallResult {
    fn of(operation: &str, mut collected: Collected, outputs: Vec<CallOutput>) -> Result<Self> {
        let values = if outputs.is_empty() { None } else { collected.sets.pop() };
        if values.as_ref().is_some_and(|values| values.len() != 1) || values.is_some() == outputs.is_empty() {
            return Err(Error::decode("the parameters that come back are not where they should be"));
        }
        let (sets, messages) = (collected.sets, collected.messages);
        Ok(Self { operation: operation.to_owned(), sets, outputs, values, messages })
    }

    /// How many result sets there are.
    #[must_use]
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// The rows of a result set, counted from 0, read by position.
    ///
    /// # Errors
    /// `InvalidInput` when there are not so many sets; `Decode` when a column does not fit its field.
    pub fn rows<R: Record + Send>(&self, set: usize) -> Result<Vec<R>> {
        let found = self.sets.get(set).ok_or_else(|| {
            let message = format!("there is no result set {set}: the call returned {}", self.sets.len());
            Error::invalid_input(message).with_operation(self.operation.clone())
        })?;
        let mut sink = RawRows::<R>::with_capacity(found.len());
        found.replay(0, &mut sink).map_err(|error| error.with_operation(self.operation.clone()))?;
        Ok(sink.items)
    }

    /// The only value: the first column of the only row of the only result set.
    ///
    /// # Errors
    /// `InvalidInput` when there is not one row; `Decode` when the value does not fit.
    pub fn scalar<T: Scalar + Send>(&self) -> Result<T> {
        match self.sets.as_slice() {
            [only] if only.len() == 1 => self.value(&**only, 0),
            _ => Err(Error::invalid_input("the call did not return exactly one row; use `rows`")
                .with_operation(self.operation.clone())),
        }
    }

    /// What came back in the parameter of this name.
    ///
    /// # Errors
    /// `InvalidInput` when the call did not ask for such a parameter; `Decode` when the value does not fit.
    pub fn output<T: Scalar + Send>(&self, name: &str) -> Result<T> {
        let names = self.outputs.iter().map(|output| output.name.as_deref().filter(|_| output.wanted));
        let place = plan::find_name(name, names).ok_or_else(|| {
            let message = format!("the call did not ask for a parameter {name}; add `.output(\"{name}\")`");
            Error::invalid_input(message).with_operation(self.operation.clone())
        })?;
        self.nth_value(place).map_err(|error| error.with_column(name.to_owned()))
    }

    /// What came back in a parameter by position: the first one that the call asked for is 0.
    ///
    /// # Errors
    /// `InvalidInput` when the call did not ask for so many; `Decode` when the value does not fit.
    pub fn output_at<T: Scalar + Send>(&self, position: usize) -> Result<T> {
        let mut wanted = self.outputs.iter().enumerate().filter(|(_, output)| output.wanted);
        let place = wanted.nth(position).map(|(place, _)| place).ok_or_else(|| {
            Error::invalid_input(format!("the call did not ask for {} parameters to come back", position + 1))
                .with_operation(self.operation.clone())
        })?;
        self.nth_value(place)
    }

    /// The server's messages, where the call asked for them.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    fn nth_value<T: Scalar + Send>(&self, place: usize) -> Result<T> {
        match &self.values {
            Some(values) => self.value(&**values, place),
            None => Err(Error::invalid_input("nothing came back").with_operation(self.operation.clone())),
        }
    }

    fn value<T: Scalar + Send>(&self, set: &dyn ResultSet, column: usize) -> Result<T> {
        let mut sink = Cell(None);
        let replayed = set.replay(column, &mut sink);
        replayed
            .and_then(|()| sink.0.ok_or_else(|| Error::decode("the row is missing")))
            .map_err(|error| error.with_operation(self.operation.clone()))
    }
}

impl std::fmt::Debug for CallResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallResult")
            .field("sets", &self.sets.len())
            .field("messages", &self.messages)
            .finish_non_exhaustive()
    }
}

/// Keeps the next value of a row.
struct Cell<T>(Option<T>);

impl<T: Scalar + Send> RowSink for Cell<T> {
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()> {
        self.0 = Some(T::decode(row.next(T::KIND)?)?);
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}
