//! What an update writes into a column: of the rows that are sent, or of an expression.

use std::marker::PhantomData;

use super::Column;
use crate::value::{Field, IntoLiteral, Literal, Scalar};

/// One assignment of an update's SET list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Assignment {
    /// The column that is written.
    pub column: usize,
    /// What is written into it.
    pub operand: Operand,
}

impl Assignment {
    /// Writes `operand` into the column.
    #[must_use]
    pub const fn new(column: usize, operand: Operand) -> Self {
        Self { column, operand }
    }
}

/// The right side of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operand {
    /// The row source's value of the same column.
    Source,
    /// The next literal.
    Literal,
    /// The column's own value plus one.
    Increment,
    /// The stored value of a column.
    Column(usize),
    /// A column's stored value and the next literal.
    Arithmetic {
        /// The column.
        column: usize,
        /// How they are put together.
        operator: Arithmetic,
    },
}

/// How two numbers are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Added.
    Add,
    /// Subtracted.
    Subtract,
    /// Multiplied.
    Multiply,
}

impl Arithmetic {
    /// The operator, which is the same in every SQL.
    #[must_use]
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Add => " + ",
            Self::Subtract => " - ",
            Self::Multiply => " * ",
        }
    }
}

/// A value that the database computes from what is stored: `Customer::RANK.add(1)`.
pub struct Expression<'a, E, T> {
    operand: Operand,
    literal: Option<Literal<'a>>,
    marker: PhantomData<fn() -> (E, T)>,
}

impl<'a, E, T> Expression<'a, E, T> {
    fn arithmetic(column: usize, operator: Arithmetic, literal: Literal<'a>) -> Self {
        Self { operand: Operand::Arithmetic { column, operator }, literal: Some(literal), marker: PhantomData }
    }
}

impl<E, T: Scalar> Column<E, T> {
    /// The stored value plus this one; NULL stays NULL. A result outside the column's range is an error.
    #[must_use]
    #[allow(clippy::should_implement_trait)] // It yields an expression, not a column.
    pub fn add<'a>(self, value: impl IntoLiteral<'a, T>) -> Expression<'a, E, T> {
        Expression::arithmetic(self.index(), Arithmetic::Add, value.into_literal())
    }

    /// The stored value minus this one; as [`add`](Self::add).
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn sub<'a>(self, value: impl IntoLiteral<'a, T>) -> Expression<'a, E, T> {
        Expression::arithmetic(self.index(), Arithmetic::Subtract, value.into_literal())
    }

    /// The stored value times this one; as [`add`](Self::add).
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn mul<'a>(self, value: impl IntoLiteral<'a, T>) -> Expression<'a, E, T> {
        Expression::arithmetic(self.index(), Arithmetic::Multiply, value.into_literal())
    }
}

/// What a column of type `T` can be set to: a value, another column of the type, or an expression.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written into a column of type `{T}`",
    label = "not a value, column or expression of type `{T}`"
)]
pub trait IntoOperand<'a, E, T> {
    /// The operand, and its literal where it has one.
    fn into_operand(self) -> (Operand, Option<Literal<'a>>);
}

// The same types as `IntoLiteral`; an implementation for all that implement it would clash with expressions.
macro_rules! operands {
    ($([$($generic:tt)*] $type:ty => $column:ty;)+) => {$(
        impl<'a, E, $($generic)*> IntoOperand<'a, E, $column> for $type {
            fn into_operand(self) -> (Operand, Option<Literal<'a>>) {
                (Operand::Literal, Some(IntoLiteral::<$column>::into_literal(self)))
            }
        }
    )+};
}

operands! {
    [T: Scalar] T => T;
    [T: Scalar] T => Option<T>;
    [T: Scalar] T => Field<T>;
    [T: Scalar] &T => T;
    [] &'a str => String;
    [] &'a str => Option<String>;
}

impl<'a, E, T> IntoOperand<'a, E, T> for Expression<'a, E, T> {
    fn into_operand(self) -> (Operand, Option<Literal<'a>>) {
        (self.operand, self.literal)
    }
}

impl<'a, E, T> IntoOperand<'a, E, T> for Column<E, T> {
    fn into_operand(self) -> (Operand, Option<Literal<'a>>) {
        (Operand::Column(self.index()), None)
    }
}
