//! Typed column constants: `Customer::NAME`.

use std::borrow::Cow;
use std::marker::PhantomData;

use super::filter::{Comparison, Filter, Predicate};
use super::order::{Order, Ordering};
use crate::entity::ColumnSet;
use crate::value::{IntoList, IntoLiteral, Literal, Scalar};

/// A column of entity `E` that holds a `T`. The derive makes one constant per field.
pub struct Column<E, T> {
    index: usize,
    marker: PhantomData<fn() -> (E, T)>,
}

impl<E, T> Clone for Column<E, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, T> Copy for Column<E, T> {}

impl<E, T> Column<E, T> {
    /// The column at this index of the table.
    #[must_use]
    pub const fn new(index: usize) -> Self {
        Self { index, marker: PhantomData }
    }

    /// The column's index in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index
    }

    /// A column of a flattened struct: `Customer::ADDRESS.at(Address::CITY)`.
    #[must_use]
    pub const fn at<U>(self, inner: Column<T, U>) -> Column<E, U> {
        Column::new(self.index + inner.index)
    }

    /// Smallest first.
    #[must_use]
    pub fn asc(self) -> Order<E> {
        Order::new(Ordering::ascending(self.index))
    }

    /// Largest first.
    #[must_use]
    pub fn desc(self) -> Order<E> {
        Order::new(Ordering::descending(self.index))
    }

    /// The column is NULL.
    #[must_use]
    pub fn is_null<'a>(self) -> Filter<'a, E> {
        Filter::bare(Predicate::IsNull { column: self.index, negated: false })
    }

    /// The column is not NULL.
    #[must_use]
    pub fn is_not_null<'a>(self) -> Filter<'a, E> {
        Filter::bare(Predicate::IsNull { column: self.index, negated: true })
    }
}

impl<E, T: Scalar> Column<E, T> {
    /// Equal to the value; for `None`, the column is NULL.
    #[must_use]
    pub fn eq<'a>(self, value: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        self.compare(Comparison::Eq, value.into_literal())
    }

    /// Not equal to the value; for `None`, the column is not NULL. A NULL column is
    /// not equal to any value and not unequal to any: such a row is not found.
    #[must_use]
    pub fn ne<'a>(self, value: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        self.compare(Comparison::Ne, value.into_literal())
    }

    /// Less than the value.
    #[must_use]
    pub fn lt<'a>(self, value: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        self.compare(Comparison::Lt, value.into_literal())
    }

    /// Less than the value, or equal to it.
    #[must_use]
    pub fn le<'a>(self, value: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        self.compare(Comparison::Le, value.into_literal())
    }

    /// Greater than the value.
    #[must_use]
    pub fn gt<'a>(self, value: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        self.compare(Comparison::Gt, value.into_literal())
    }

    /// Greater than the value, or equal to it.
    #[must_use]
    pub fn ge<'a>(self, value: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        self.compare(Comparison::Ge, value.into_literal())
    }

    /// Between the two values, both included.
    #[must_use]
    pub fn between<'a>(self, low: impl IntoLiteral<'a, T>, high: impl IntoLiteral<'a, T>) -> Filter<'a, E> {
        let predicate = Predicate::Between { column: self.index, negated: false };
        Filter::new(predicate, vec![low.into_literal(), high.into_literal()])
    }

    /// Equal to one of the values: a slice, array or vector of them, borrowed. However long
    /// it is, it costs one statement text.
    #[must_use]
    pub fn is_in<'a>(self, values: impl IntoList<'a, T>) -> Filter<'a, E> {
        Filter::new(Predicate::In { column: self.index, negated: false }, vec![values.into_list()])
    }

    /// Equal to none of the values.
    #[must_use]
    pub fn is_not_in<'a>(self, values: impl IntoList<'a, T>) -> Filter<'a, E> {
        Filter::new(Predicate::In { column: self.index, negated: true }, vec![values.into_list()])
    }

    /// Matches the pattern: `%` stands for any text, `_` for one character, `\` makes the
    /// next one plain. Upper and lower case compare as the database's LIKE does: SQLite
    /// ignores the case of ASCII letters, PostgreSQL does not, MySQL follows the collation.
    #[must_use]
    pub fn like<'a>(self, pattern: impl Into<Cow<'a, str>>) -> Filter<'a, E> {
        let predicate = Predicate::Like { column: self.index, negated: false };
        Filter::new(predicate, vec![Literal::Text(pattern.into())])
    }

    /// Does not match the pattern; see [`like`](Self::like).
    #[must_use]
    pub fn not_like<'a>(self, pattern: impl Into<Cow<'a, str>>) -> Filter<'a, E> {
        let predicate = Predicate::Like { column: self.index, negated: true };
        Filter::new(predicate, vec![Literal::Text(pattern.into())])
    }

    /// Begins with the text, in which no character is special. Compares as [`like`](Self::like) does.
    #[must_use]
    pub fn starts_with<'a>(self, text: &str) -> Filter<'a, E> {
        self.like(format!("{}%", escape_pattern(text)))
    }

    /// Ends with the text, in which no character is special. Compares as [`like`](Self::like) does.
    #[must_use]
    pub fn ends_with<'a>(self, text: &str) -> Filter<'a, E> {
        self.like(format!("%{}", escape_pattern(text)))
    }

    /// Contains the text, in which no character is special. Compares as [`like`](Self::like) does.
    #[must_use]
    pub fn contains<'a>(self, text: &str) -> Filter<'a, E> {
        self.like(format!("%{}%", escape_pattern(text)))
    }

    fn compare<'a>(self, comparison: Comparison, literal: Literal<'a>) -> Filter<'a, E> {
        if literal.value().is_null() && !matches!(literal, Literal::Failed(_)) {
            match comparison {
                Comparison::Eq => return self.is_null(),
                Comparison::Ne => return self.is_not_null(),
                _ => {}
            }
        }
        Filter::new(Predicate::Compare { column: self.index, comparison }, vec![literal])
    }
}

/// Escapes what LIKE would take as special.
fn escape_pattern(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The type of a column whose field is stored in another form, by `#[arx(json)]` or `#[arx(with = "..")]`: a
/// `T` as it is would not compare with what is stored. Such a column can be ordered by, tested for
/// NULL and named in `.columns(..)`.
pub struct Converted<T>(PhantomData<fn() -> T>);

/// One column of `E`, or a tuple of up to twelve.
pub trait ColumnList<E> {
    /// The columns as a set.
    fn columns(self) -> ColumnSet;
}

impl<E, T> ColumnList<E> for Column<E, T> {
    fn columns(self) -> ColumnSet {
        ColumnSet::of(self.index)
    }
}

macro_rules! column_list {
    ($($name:ident),+) => {
        impl<Entity, $($name: ColumnList<Entity>),+> ColumnList<Entity> for ($($name,)+) {
            fn columns(self) -> ColumnSet {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                let mut set = ColumnSet::EMPTY;
                $( set = set.union(&$name.columns()); )+
                set
            }
        }
    };
}

column_list!(A);
column_list!(A, B);
column_list!(A, B, C);
column_list!(A, B, C, D);
column_list!(A, B, C, D, E);
column_list!(A, B, C, D, E, F);
column_list!(A, B, C, D, E, F, G);
column_list!(A, B, C, D, E, F, G, H);
column_list!(A, B, C, D, E, F, G, H, I);
column_list!(A, B, C, D, E, F, G, H, I, J);
column_list!(A, B, C, D, E, F, G, H, I, J, K);
column_list!(A, B, C, D, E, F, G, H, I, J, K, L);
