//! A set of columns of one table.

use std::fmt;

const WORDS: usize = 16;

/// A set of up to 1,024 columns by their index in the table. Copied, never allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ColumnSet([u64; WORDS]);

impl ColumnSet {
    /// The number of columns an entity may have.
    pub const CAPACITY: usize = WORDS * 64;

    /// No column.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// The first `count` columns.
    #[must_use]
    pub const fn first(count: usize) -> Self {
        let mut set = Self::EMPTY;
        let mut column = 0;
        while column < count {
            set = set.with(column);
            column += 1;
        }
        set
    }

    /// One column.
    #[must_use]
    pub const fn of(column: usize) -> Self {
        Self::EMPTY.with(column)
    }

    /// This set and one more column.
    #[must_use]
    pub const fn with(mut self, column: usize) -> Self {
        assert!(column < Self::CAPACITY, "an entity has at most 1,024 columns");
        self.0[column / 64] |= 1 << (column % 64);
        self
    }

    /// Adds a column.
    pub const fn insert(&mut self, column: usize) {
        *self = self.with(column);
    }

    /// Whether the column is in the set.
    #[must_use]
    pub const fn contains(&self, column: usize) -> bool {
        column < Self::CAPACITY && self.0[column / 64] & (1 << (column % 64)) != 0
    }

    /// The columns of both sets together.
    #[must_use]
    pub const fn union(mut self, other: &Self) -> Self {
        let mut word = 0;
        while word < WORDS {
            self.0[word] |= other.0[word];
            word += 1;
        }
        self
    }

    /// The columns of this set that are not in the other.
    #[must_use]
    pub const fn without(mut self, other: &Self) -> Self {
        let mut word = 0;
        while word < WORDS {
            self.0[word] &= !other.0[word];
            word += 1;
        }
        self
    }

    /// The columns that are in both sets.
    #[must_use]
    pub const fn intersection(mut self, other: &Self) -> Self {
        let mut word = 0;
        while word < WORDS {
            self.0[word] &= other.0[word];
            word += 1;
        }
        self
    }

    /// How many columns there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        let mut count = 0;
        let mut word = 0;
        while word < WORDS {
            count += self.0[word].count_ones() as usize;
            word += 1;
        }
        count
    }

    /// Whether there is no column.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0 == Self::EMPTY.0
    }

    /// The columns in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| Bits(word).map(move |bit| index * 64 + bit))
    }
}

/// The set bits of one word, lowest first.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let bit = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            bit
        })
    }
}

impl FromIterator<usize> for ColumnSet {
    fn from_iter<I: IntoIterator<Item = usize>>(columns: I) -> Self {
        columns.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Debug for ColumnSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_its_columns_in_ascending_order_across_words() {
        let set: ColumnSet = [1_023, 64, 0, 63].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 1_023]);
        assert_eq!(set.len(), 4);
        assert!(set.contains(63) && !set.contains(65) && !set.contains(5_000));
    }

    #[test]
    fn subtracts_and_intersects() {
        let set = ColumnSet::first(70).without(&ColumnSet::first(65));
        assert_eq!(set.iter().collect::<Vec<_>>(), [65, 66, 67, 68, 69]);
        assert_eq!(set.intersection(&ColumnSet::of(66)), ColumnSet::of(66));
    }
}
