//! Hand-written SQL, with the same encoder and decoder.

use std::future::IntoFuture;
use std::marker::PhantomData;

use super::gather::Records;
use super::session::Executor;
use crate::connection::{BoxFuture, Command, Discard, Intent, NoRows, Parameters, RowSink};
use crate::dialect::Statement;
use crate::entity::Record;
use crate::error::{Error, Result};
use crate::query::Arguments;
use crate::value::{Decoder, Literal};

/// Runs SQL when it is awaited; yields the number of rows affected.
#[must_use = "nothing happens until it is awaited"]
pub struct Run<'a> {
    pub(super) executor: Executor<'a>,
    sql: &'a str,
    literals: Vec<Literal<'a>>,
}

impl<'a> Run<'a> {
    pub(super) fn new(executor: Executor<'a>, sql: &'a str, arguments: impl Arguments<'a>) -> Self {
        Self { executor, sql, literals: arguments.into_literals() }
    }

    async fn send(self, intent: Intent, sink: &mut dyn RowSink) -> Result<u64> {
        // Drivers written in C would end the text there and say nothing of the rest.
        if self.sql.contains('\0') {
            return Err(Error::invalid_input("the SQL has a NUL character").with_operation("run"));
        }
        let statement = Statement::raw(self.sql, self.literals.len());
        let parameters = Parameters { rows: &NoRows, literals: &self.literals };
        let mut session = self.executor.open(intent).await?;
        Ok(session.command(Command { statement: &statement, parameters }, sink).await?.rows)
    }
}

impl<'a> IntoFuture for Run<'a> {
    type Output = Result<u64>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.send(Intent::Write, &mut Discard).await })
    }
}

/// Runs SQL when it is awaited; yields the rows that it returns.
#[must_use = "nothing happens until it is awaited"]
pub struct Query<'a, R> {
    pub(super) run: Run<'a>,
    marker: PhantomData<fn() -> R>,
}

impl<'a, R: Record> Query<'a, R> {
    pub(super) fn new(executor: Executor<'a>, sql: &'a str, arguments: impl Arguments<'a>) -> Self {
        Self { run: Run::new(executor, sql, arguments), marker: PhantomData }
    }
}

impl<'a, R: Record + Send + 'a> IntoFuture for Query<'a, R> {
    type Output = Result<Vec<R>>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let mut rows = RawRows::<R>::with_capacity(0);
            // It may be a write with RETURNING: only a writer can run anything.
            self.run.send(Intent::Write, &mut rows).await?;
            Ok(rows.items)
        })
    }
}

/// Rows read by position.
pub(super) struct RawRows<R> {
    records: Records<R>,
    pub(super) items: Vec<R>,
}

impl<R> RawRows<R> {
    pub(super) fn with_capacity(rows: usize) -> Self {
        Self { records: Records(PhantomData), items: Vec::with_capacity(rows) }
    }
}

impl<R: Record + Send> RowSink for RawRows<R> {
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()> {
        let item = super::gather::Take::take(&self.records, row);
        self.items.push(item.map_err(|error| match R::COLUMNS.get(row.position().saturating_sub(1)) {
            Some(column) => error.with_column(column.field),
            None => error,
        })?);
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<()> {
        std::task::Poll::Ready(())
    }
}
