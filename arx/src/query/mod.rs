//! Queries: which rows, in which order, how many. Built from typed column constants,
//! kept as a tree without values and a list of literals, so that one text serves all
//! values. Next is `plan`.

mod column;
mod filter;
mod order;
mod set;

pub use column::{Column, ColumnList, Converted};
pub(crate) use filter::both;
pub use filter::{Comparison, Filter, IntoFilter, Predicate};
pub use order::{Nulls, Order, OrderList, Ordering};
pub use set::{Arithmetic, Assignment, Expression, IntoOperand, Operand};
