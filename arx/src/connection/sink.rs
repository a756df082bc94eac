//! Where rows go that come back.

use std::task::{Context, Poll};

use crate::error::Result;
use crate::value::Decoder;

/// Takes the rows of a command, in the order in which the database sends them.
pub trait RowSink: Send {
    /// Takes one row.
    ///
    /// # Errors
    /// `Decode`; the driver then stops and returns the error.
    fn row(&mut self, row: &mut dyn Decoder) -> Result<()>;

    /// Whether there is room for another row. A full sink stops the driver.
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()>;
}

/// Drops every row.
pub struct Discard;

impl RowSink for Discard {
    fn row(&mut self, _: &mut dyn Decoder) -> Result<()> {
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        Poll::Ready(())
    }
}
