//! Queries: which rows, in which order, how many. Built from typed column constants,
//! kept as a tree without values and a list of literals, so that one text serves all
//! values. Next is `plan`.

mod argument;
mod call;
mod column;
mod filter;
mod order;
mod set;

pub use argument::{Argument, Arguments};
pub use call::{Call, CallArgument, Function, Mode, Procedure, RoutineKind, RoutineName};
pub use column::{Column, ColumnList, Converted};
pub(crate) use filter::both;
pub use filter::{Comparison, Filter, IntoFilter, Predicate};
pub use order::{Nulls, Order, OrderList, Ordering};
pub use set::{Arithmetic, Assignment, Expression, IntoOperand, Operand};
