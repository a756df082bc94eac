//! The keys of a batch as bytes that sort as the keys do: for duplicates, for the order in
//! which rows are sent, and for finding the input row of a key that comes back.

use std::collections::HashMap;

use crate::entity::{ColumnSet, Key, Rows};
use crate::error::{Error, ErrorKind, Result, RowFault, RowReason};
use crate::value::{Encoder, Value};

/// Keys in one buffer, each a slice of it. Integers, uuids, bytes, dates and text sort as
/// their values do; equal slices are equal keys.
#[derive(Default)]
pub struct KeyBytes {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    error: Option<Error>,
}

impl KeyBytes {
    /// The keys of these rows.
    ///
    /// # Errors
    /// `Encode` when a part of a key is NULL, NaN or has no form.
    pub fn of_rows(rows: &dyn Rows, key: &ColumnSet) -> Result<Self> {
        let mut keys =
            Self { bytes: Vec::with_capacity(rows.len() * 9), ends: Vec::with_capacity(rows.len()), error: None };
        for row in 0..rows.len() {
            rows.write_row(row, key, &mut keys);
            keys.end();
        }
        keys.finish()
    }

    /// These keys.
    ///
    /// # Errors
    /// As [`of_rows`](Self::of_rows).
    pub fn of_keys<K: Key>(source: &[K]) -> Result<Self> {
        let mut keys = Self::default();
        for key in source {
            (0..K::KINDS.len()).for_each(|part| key.encode(part, &mut keys));
            keys.end();
        }
        keys.finish()
    }

    /// How many keys there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The key at this index; empty past the end.
    #[must_use]
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends.get(index - 1).copied().unwrap_or_default() };
        let end = self.ends.get(index).copied().unwrap_or_default();
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Adds the keys of another buffer after those of this one.
    pub fn append(&mut self, other: &Self) {
        let base = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|end| base + end));
    }

    /// The index of each key.
    #[must_use]
    pub fn places(&self) -> HashMap<&[u8], usize> {
        (0..self.len()).map(|index| (self.get(index), index)).collect()
    }

    /// The indexes in ascending order of the keys; `None` when they ascend already.
    #[must_use]
    pub fn sorted(&self) -> Option<Vec<u32>> {
        if (1..self.len()).all(|index| self.get(index - 1) <= self.get(index)) {
            return None;
        }
        // Nearly every key is one integer: sorting numbers takes a third of the time of sorting slices.
        if let Some(mut numbers) = self.numbers() {
            numbers.sort_unstable();
            return Some(numbers.into_iter().map(|(_, index)| index).collect());
        }
        let mut order: Vec<u32> = (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).collect();
        order.sort_by(|&a, &b| self.get(a as usize).cmp(self.get(b as usize)));
        Some(order)
    }

    /// The keys as numbers that sort as they do, each with its index, where all have eight bytes.
    fn numbers(&self) -> Option<Vec<(u64, u32)>> {
        let (keys, rest) = self.bytes.as_chunks::<8>();
        let are_even = rest.is_empty() && self.ends.iter().zip(1..).all(|(&end, count)| end == count * 8);
        are_even.then(|| keys.iter().map(|key| u64::from_be_bytes(*key)).zip(0..).collect())
    }

    /// Ends one key: what is pushed next belongs to the following one.
    pub fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }

    fn finish(mut self) -> Result<Self> {
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// Zero bytes are escaped and end with a terminator, so that a shorter text sorts first
    /// and one part of a composite key cannot run into the next.
    fn push_text(&mut self, text: &[u8]) {
        for &byte in text {
            self.bytes.push(byte);
            if byte == 0 {
                self.bytes.push(0xff);
            }
        }
        self.bytes.extend([0, 0]);
    }

    fn push_signed(&mut self, value: i64) {
        // The sign bit is turned over: negative numbers sort first.
        self.bytes.extend((value.cast_unsigned() ^ (1 << 63)).to_be_bytes());
    }
}

impl Encoder for KeyBytes {
    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Bool(value) => self.bytes.push(u8::from(value)),
            Value::I8(value) => self.push_signed(value.into()),
            Value::I16(value) => self.push_signed(value.into()),
            Value::I32(value) | Value::Date(value) => self.push_signed(value.into()),
            Value::I64(value) | Value::Time(value) | Value::Timestamp(value) | Value::Timestamptz(value) => {
                self.push_signed(value);
            }
            Value::U8(value) => self.bytes.extend(u64::from(value).to_be_bytes()),
            Value::U16(value) => self.bytes.extend(u64::from(value).to_be_bytes()),
            Value::U32(value) => self.bytes.extend(u64::from(value).to_be_bytes()),
            Value::U64(value) => self.bytes.extend(value.to_be_bytes()),
            Value::Uuid(value) => self.bytes.extend(value),
            Value::Bytes(value) => self.push_text(value),
            Value::Text(value) | Value::Decimal(value) | Value::Json(value) => self.push_text(value.as_bytes()),
            Value::Null(_) => {
                self.fail(Error::encode("a part of the key is NULL; such a row cannot be named by its key"))
            }
            Value::F32(_) | Value::F64(_) | Value::Array(_) => {
                self.fail(Error::unsupported("floats and arrays cannot be keys"));
            }
        }
    }

    fn fail(&mut self, error: Error) {
        // The keys before this one have ended, so their number is the place of the row.
        let row = RowFault::new(self.ends.len(), RowReason::Refused, String::new());
        self.error.get_or_insert_with(|| error.with_rows(vec![row]));
    }
}

/// In which order the rows of a batch are sent.
#[derive(Debug, Default)]
pub struct KeyOrder {
    /// The input indexes in the order in which they are sent; `None` for the input's own order.
    pub order: Option<Vec<u32>>,
}

impl KeyOrder {
    /// Sorted by key, each key once.
    ///
    /// # Errors
    /// `DuplicateKey`, naming every row whose key an earlier row has, unless `last_wins`;
    /// then the last row of each key is sent.
    pub fn sorted(keys: &KeyBytes, last_wins: bool) -> Result<Self> {
        let order = keys.sorted();
        let at = |place: usize| order.as_ref().map_or(place, |order| order[place] as usize);
        let is_repeated = |place: &usize| keys.get(at(place - 1)) == keys.get(at(*place));
        if !(1..keys.len()).any(|place| is_repeated(&place)) {
            return Ok(Self { order });
        }
        if last_wins {
            // The sort is stable, so the last of equal keys is the last of the input.
            let last = (1..=keys.len()).filter(|place| *place == keys.len() || !is_repeated(place));
            return Ok(Self { order: Some(last.filter_map(|place| u32::try_from(at(place - 1)).ok()).collect()) });
        }
        let mut first = 0;
        let mut rows = Vec::new();
        for place in 1..keys.len() {
            if is_repeated(&place) {
                rows.push(RowFault::new(at(place), RowReason::Duplicate { of: at(first) }, String::new()));
            } else {
                first = place;
            }
        }
        rows.sort_by_key(RowFault::index);
        Err(duplicates(rows))
    }
}

/// The error for rows with the key of an earlier row.
pub(crate) fn duplicates(rows: Vec<RowFault>) -> Error {
    Error::new(
        ErrorKind::DuplicateKey,
        "two rows of the batch have the same key; use .duplicates(LastWins) to keep the last of them",
    )
    .with_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(keys: &[i64]) -> Vec<u32> {
        let keys = KeyBytes::of_keys(keys).unwrap();
        KeyOrder::sorted(&keys, true)
            .unwrap()
            .order
            .unwrap_or_else(|| (0..u32::try_from(keys.len()).unwrap()).collect())
    }

    #[test]
    fn sorts_negative_numbers_before_positive_ones() {
        assert_eq!(sorted(&[5, -1, 0, i64::MIN, i64::MAX]), [3, 1, 2, 0, 4]);
    }

    #[test]
    fn keeps_the_last_of_equal_keys() {
        assert_eq!(sorted(&[2, 1, 2, 1, 3]), [3, 2, 4]);
        assert_eq!(sorted(&[7, 7, 7]), [2]);
    }

    #[test]
    fn names_every_row_that_repeats_a_key() {
        let keys = KeyBytes::of_keys(&[2_i64, 1, 2, 1, 2]).unwrap();
        let error = KeyOrder::sorted(&keys, false).unwrap_err();
        let rows: Vec<_> = error.rows().iter().map(|row| (row.index(), row.reason())).collect();
        let duplicate = |of| RowReason::Duplicate { of };
        assert_eq!(rows, [(2, duplicate(0)), (3, duplicate(1)), (4, duplicate(0))]);
    }

    #[test]
    fn names_the_row_whose_key_is_no_key() {
        let mut keys = KeyBytes::default();
        for value in [Value::I32(1), Value::Null(crate::value::ScalarKind::I32), Value::I32(3)] {
            keys.value(value);
            keys.end();
        }
        let error = keys.finish().err().unwrap();
        assert_eq!(error.rows().iter().map(RowFault::index).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn tells_parts_of_composite_keys_apart() {
        let keys = KeyBytes::of_keys(&[("a".to_owned(), "bc".to_owned()), ("ab".to_owned(), "c".to_owned())]).unwrap();
        assert_ne!(keys.get(0), keys.get(1));
        assert!(keys.get(0) < keys.get(1));
        let zeros = KeyBytes::of_keys(&[("a\0".to_owned(), String::new()), ("a".to_owned(), "\0".to_owned())]).unwrap();
        assert_ne!(zeros.get(0), zeros.get(1));
    }
}
