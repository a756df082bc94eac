//! Hand-written SQL, read as far as it takes to see where a statement ends. A dialect knows its own strings and comments;
//! what is here, databases write alike.

/// What stands at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// White space or a comment.
    Blank,
    /// The end of a statement.
    End,
    /// A word, a string, a name or a sign.
    Other,
}

/// Whether a byte is a part of a word.
#[must_use]
pub const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// The length of the word at the start of a text, or of a single sign.
#[must_use]
pub fn word(text: &[u8]) -> usize {
    text.iter().position(|&byte| !is_word(byte)).unwrap_or(text.len()).max(1)
}

/// The length of the string or name that the text begins with, in these quotes. A doubled quote ends it and begins
/// another, which does as well; a backslash may take the next byte into it.
#[must_use]
pub fn quoted(text: &[u8], quote: u8, backslash: bool) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += if backslash && byte == b'\\' { 2 } else { 1 };
        if byte == quote {
            return at;
        }
    }
    text.len()
}
