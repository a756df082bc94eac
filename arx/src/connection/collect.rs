//! What a call brings back: whole result sets, kept as the driver has them until they are decoded.

use std::fmt;

use super::RowSink;
use crate::error::Result;

/// The rows of one result set, as the driver has them.
pub trait ResultSet: Send + Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives every row to the sink, from its column number `first` on.
    ///
    /// # Errors
    /// The sink's own.
    fn replay(&self, first: usize, sink: &mut dyn RowSink) -> Result<()>;
}

/// What a command has brought back.
#[derive(Default)]
#[non_exhaustive]
pub struct Collected {
    /// Its result sets, in order. Parameters that come back are the only row of the last one.
    pub sets: Vec<Box<dyn ResultSet>>,
    /// The server's messages, where they were asked for.
    pub messages: Vec<Message>,
}

impl Collected {
    /// These result sets and messages.
    #[must_use]
    pub fn new(sets: Vec<Box<dyn ResultSet>>, messages: Vec<Message>) -> Self {
        Self { sets, messages }
    }
}

/// A message of the server beside a result: a warning, a note. Its text may hold values of the application's data,
/// so `Debug` shows level and code only.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    level: Box<str>,
    code: u32,
    text: Box<str>,
}

impl Message {
    /// A message of this level and number.
    #[must_use]
    pub fn new(level: impl Into<Box<str>>, code: u32, text: impl Into<Box<str>>) -> Self {
        Self { level: level.into(), code, text: text.into() }
    }

    /// The level, as the server calls it: `Warning`, `Note`.
    #[must_use]
    pub fn level(&self) -> &str {
        &self.level
    }

    /// The server's number of the message.
    #[must_use]
    pub fn code(&self) -> u32 {
        self.code
    }

    /// The text. It may hold values: log it only where that is allowed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("level", &self.level).field("code", &self.code).finish_non_exhaustive()
    }
}
