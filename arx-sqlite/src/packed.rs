//! Cells as bytes: what crosses between the async side and the worker, in both directions.
//!
//! A cell is a tag, named after SQLite's storage classes, and its payload. The cells of a
//! row that comes back end with a mark; rows that go in have a known number of cells.

const NULL: u8 = 0;
const INTEGER: u8 = 1;
const REAL: u8 = 2;
const TEXT: u8 = 3;
const BLOB: u8 = 4;
const LIST: u8 = 5;
const END: u8 = 6;

/// A buffer that has grown beyond this is not kept for reuse.
pub(crate) const KEPT: usize = 256 * 1024;

/// One cell, borrowed from its buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a [u8]),
    Blob(&'a [u8]),
    /// So many cells of a list follow.
    List(u32),
}

pub(crate) fn push_null(out: &mut Vec<u8>) {
    out.push(NULL);
}

pub(crate) fn push_integer(out: &mut Vec<u8>, value: i64) {
    push_word(out, INTEGER, value.to_le_bytes());
}

pub(crate) fn push_real(out: &mut Vec<u8>, value: f64) {
    push_word(out, REAL, value.to_le_bytes());
}

/// Whether the text was short enough to be pushed.
#[must_use]
pub(crate) fn push_text(out: &mut Vec<u8>, text: &[u8]) -> bool {
    push_bytes(out, TEXT, text)
}

/// Whether the bytes were few enough to be pushed.
#[must_use]
pub(crate) fn push_blob(out: &mut Vec<u8>, bytes: &[u8]) -> bool {
    push_bytes(out, BLOB, bytes)
}

/// Announces a list; its cells are pushed next.
pub(crate) fn push_list(out: &mut Vec<u8>, count: u32) {
    out.push(LIST);
    out.extend_from_slice(&count.to_le_bytes());
}

pub(crate) fn push_end(out: &mut Vec<u8>) {
    out.push(END);
}

fn push_word(out: &mut Vec<u8>, tag: u8, word: [u8; 8]) {
    let mut cell = [tag; 9];
    cell[1..].copy_from_slice(&word);
    out.extend_from_slice(&cell);
}

fn push_bytes(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) -> bool {
    let Ok(length) = u32::try_from(bytes.len()) else { return false };
    let [a, b, c, d] = length.to_le_bytes();
    out.reserve(bytes.len() + 5);
    out.extend_from_slice(&[tag, a, b, c, d]);
    out.extend_from_slice(bytes);
    true
}

/// Reads cells from the first to the last.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next cell; `None` at the end of the row or of the buffer.
    pub(crate) fn next(&mut self) -> Option<Cell<'a>> {
        let (&tag, rest) = self.0.split_first()?;
        let (cell, rest) = match tag {
            NULL => (Cell::Null, rest),
            INTEGER => word(rest).map(|(word, rest)| (Cell::Integer(i64::from_le_bytes(word)), rest))?,
            REAL => word(rest).map(|(word, rest)| (Cell::Real(f64::from_le_bytes(word)), rest))?,
            TEXT => bytes(rest).map(|(text, rest)| (Cell::Text(text), rest))?,
            BLOB => bytes(rest).map(|(bytes, rest)| (Cell::Blob(bytes), rest))?,
            LIST => length(rest).map(|(count, rest)| (Cell::List(count), rest))?,
            _ => return None,
        };
        self.0 = rest;
        Some(cell)
    }

    /// Passes over what is left of the row and its mark.
    pub(crate) fn end_row(&mut self) {
        while self.next().is_some() {}
        self.0 = self.0.get(1..).unwrap_or_default();
    }
}

fn word(bytes: &[u8]) -> Option<([u8; 8], &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (*word, rest))
}

fn length(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(length, rest)| (u32::from_le_bytes(*length), rest))
}

fn bytes(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = length(bytes)?;
    rest.split_at_checked(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_was_pushed_row_by_row() {
        let mut bytes = Vec::new();
        push_null(&mut bytes);
        push_integer(&mut bytes, i64::MIN);
        push_real(&mut bytes, -0.5);
        assert!(push_text(&mut bytes, "\u{1F600}\0".as_bytes()) && push_blob(&mut bytes, &[END, 0]));
        push_end(&mut bytes);
        push_list(&mut bytes, 1);
        push_integer(&mut bytes, 7);
        push_end(&mut bytes);

        let mut reader = Reader::new(&bytes);
        let cells: Vec<_> = std::iter::from_fn(|| reader.next()).collect();
        let text = Cell::Text("\u{1F600}\0".as_bytes());
        assert_eq!(cells, [Cell::Null, Cell::Integer(i64::MIN), Cell::Real(-0.5), text, Cell::Blob(&[END, 0])]);
        reader.end_row();
        assert_eq!(reader.next(), Some(Cell::List(1)));
        reader.end_row();
        assert!(reader.0.is_empty());
    }

    #[test]
    fn ends_where_the_bytes_do() {
        let mut bytes = Vec::new();
        assert!(push_text(&mut bytes, b"abc"));
        assert_eq!(Reader::new(&bytes[..6]).next(), None);
        assert_eq!(Reader::new(&bytes[..3]).next(), None);
    }
}
