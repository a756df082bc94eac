//! The order of rows that are read.

use std::marker::PhantomData;

/// Where NULL stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// As the database has it: PostgreSQL puts NULL after every value, SQLite and MySQL before.
    Native,
    /// Before every value.
    First,
    /// After every value.
    Last,
}

/// One column to order by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Ordering {
    /// The column.
    pub column: usize,
    /// Largest first.
    pub descending: bool,
    /// Where NULL stands.
    pub nulls: Nulls,
}

impl Ordering {
    /// Smallest first.
    #[must_use]
    pub const fn ascending(column: usize) -> Self {
        Self { column, descending: false, nulls: Nulls::Native }
    }

    /// Largest first.
    #[must_use]
    pub const fn descending(column: usize) -> Self {
        Self { column, descending: true, nulls: Nulls::Native }
    }
}

/// An order by one column of `E`: `Customer::ID.desc()`.
pub struct Order<E> {
    ordering: Ordering,
    marker: PhantomData<fn() -> E>,
}

impl<E> Order<E> {
    pub(crate) fn new(ordering: Ordering) -> Self {
        Self { ordering, marker: PhantomData }
    }

    /// NULL before every value.
    #[must_use]
    pub fn nulls_first(mut self) -> Self {
        self.ordering.nulls = Nulls::First;
        self
    }

    /// NULL after every value.
    #[must_use]
    pub fn nulls_last(mut self) -> Self {
        self.ordering.nulls = Nulls::Last;
        self
    }
}

/// One order, or a tuple of up to four, the most significant first.
pub trait OrderList<E> {
    /// Adds the orders to `out`.
    fn push_to(self, out: &mut Vec<Ordering>);
}

impl<E> OrderList<E> for Order<E> {
    fn push_to(self, out: &mut Vec<Ordering>) {
        out.push(self.ordering);
    }
}

macro_rules! order_list {
    ($($index:tt),+) => {
        impl<E> OrderList<E> for ($(order_list!(@one $index),)+) {
            fn push_to(self, out: &mut Vec<Ordering>) {
                $( out.push(self.$index.ordering); )+
            }
        }
    };
    (@one $index:tt) => { Order<E> };
}

order_list!(0);
order_list!(0, 1);
order_list!(0, 1, 2);
order_list!(0, 1, 2, 3);
