//! What an update writes into a column.

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
}
