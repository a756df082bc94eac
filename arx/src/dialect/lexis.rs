//! The words of a dialect: quotes, placeholders, and what stands around an order or a pattern.

use crate::entity::ColumnMeta;
use crate::error::{Error, Result};

/// How a placeholder looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholder {
    /// `?` each time.
    Question,
    /// This text and a number from 1.
    Numbered(&'static str),
}

/// The words of a dialect.
#[derive(Clone, Copy, Debug)]
pub struct Lexis {
    /// What stands before and after an identifier; the latter is doubled inside.
    pub quote: (char, char),
    /// How a placeholder looks.
    pub placeholder: Placeholder,
    /// What ends a statement that locks the rows it reads; empty where reading cannot lock.
    pub for_update: &'static str,
    /// The limit that means none, for a dialect that takes no offset without a limit.
    pub no_limit: Option<&'static str>,
    /// Whether an order says in words where NULL stands.
    pub orders_nulls: bool,
    /// What follows a column that is ordered by, where its values do not sort by themselves.
    pub collation: fn(&ColumnMeta) -> &'static str,
    /// What follows a pattern of LIKE, so that `\` escapes in it.
    pub like_escape: &'static str,
}

impl Lexis {
    /// The words of standard SQL.
    pub const ISO: Self = Self {
        quote: ('"', '"'),
        placeholder: Placeholder::Question,
        for_update: " FOR UPDATE",
        no_limit: None,
        orders_nulls: true,
        collation: |_| "",
        like_escape: r" ESCAPE '\'",
    };

    /// Writes a quoted name. An empty one, or one with a NUL, is an error: no database takes it.
    ///
    /// # Errors
    /// `InvalidInput`.
    pub fn write_identifier(&self, text: &mut String, name: &str) -> Result<()> {
        if name.is_empty() || name.contains('\0') {
            return Err(Error::invalid_input("a name is empty or has a NUL character"));
        }
        let (open, close) = self.quote;
        text.push(open);
        for character in name.chars() {
            text.push(character);
            if character == close {
                text.push(close);
            }
        }
        text.push(close);
        Ok(())
    }

    /// Writes placeholder number `number`, counted from 1.
    pub fn write_placeholder(&self, text: &mut String, number: usize) {
        match self.placeholder {
            Placeholder::Question => text.push('?'),
            Placeholder::Numbered(prefix) => {
                text.push_str(prefix);
                text.push_str(&number.to_string());
            }
        }
    }
}
