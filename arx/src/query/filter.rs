//! Filters: a tree of predicates without values, and the values beside it.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};

use crate::value::{Literal, Value};

/// How a column is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Comparison {
    /// The operator, which is the same in every SQL.
    #[must_use]
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Eq => "=",
            Self::Ne => "<>",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}

/// The shape of a filter. Each leaf takes its literals from the list, in the order of a walk
/// from left to right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Predicate {
    /// True for every row.
    All,
    /// The column compared with one literal.
    Compare {
        /// The column.
        column: usize,
        /// How.
        comparison: Comparison,
    },
    /// The column between two literals.
    Between {
        /// The column.
        column: usize,
        /// Outside instead.
        negated: bool,
    },
    /// The column among the elements of one list literal.
    In {
        /// The column.
        column: usize,
        /// Not among them instead.
        negated: bool,
    },
    /// The column like one pattern literal.
    Like {
        /// The column.
        column: usize,
        /// Unlike instead.
        negated: bool,
    },
    /// The column is NULL.
    IsNull {
        /// The column.
        column: usize,
        /// Not NULL instead.
        negated: bool,
    },
    /// All of these.
    And(Vec<Predicate>),
    /// At least one of these.
    Or(Vec<Predicate>),
    /// Not this.
    Not(Box<Predicate>),
}

/// Both predicates hold. The literals of the left come first.
pub(crate) fn both(left: Predicate, right: Predicate) -> Predicate {
    match (left, right) {
        (Predicate::All, predicate) | (predicate, Predicate::All) => predicate,
        (Predicate::And(mut list), predicate) => {
            list.push(predicate);
            Predicate::And(list)
        }
        (left, right) => Predicate::And(vec![left, right]),
    }
}

/// Which rows of `E`. Made by the methods of a [`Column`](super::Column), joined by
/// `and`, `or`, `&`, `|` and `!`.
pub struct Filter<'a, E> {
    predicate: Predicate,
    literals: Vec<Literal<'a>>,
    marker: PhantomData<fn() -> E>,
}

impl<'a, E> Filter<'a, E> {
    pub(crate) fn new(predicate: Predicate, literals: Vec<Literal<'a>>) -> Self {
        Self { predicate, literals, marker: PhantomData }
    }

    pub(crate) fn bare(predicate: Predicate) -> Self {
        Self::new(predicate, Vec::new())
    }

    pub(crate) fn into_parts(self) -> (Predicate, Vec<Literal<'a>>) {
        (self.predicate, self.literals)
    }

    /// Every row.
    #[must_use]
    pub fn all() -> Self {
        Self::bare(Predicate::All)
    }

    /// The column compared with a value that is not NULL.
    pub(crate) fn compare(column: usize, comparison: Comparison, value: Literal<'a>) -> Self {
        Self::new(Predicate::Compare { column, comparison }, vec![value])
    }

    pub(crate) fn parts(&self) -> (&Predicate, &[Literal<'a>]) {
        (&self.predicate, &self.literals)
    }

    /// Whether it can be seen, without a look at the table, that every row is taken: by all, by what is not in an empty
    /// list, by a pattern that everything is like. Which rows are NULL is not asked.
    pub(crate) fn takes_every_row(&self) -> bool {
        taken(&self.predicate, &mut self.literals.iter()) == Taken::Every
    }

    /// Both filters hold.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.literals.extend(other.literals);
        self.predicate = both(self.predicate, other.predicate);
        self
    }

    /// At least one of the filters holds.
    #[must_use]
    pub fn or(mut self, other: Self) -> Self {
        if matches!(self.predicate, Predicate::All) || matches!(other.predicate, Predicate::All) {
            return Self::all();
        }
        self.literals.extend(other.literals);
        self.predicate = match (self.predicate, other.predicate) {
            (Predicate::Or(mut list), predicate) => {
                list.push(predicate);
                Predicate::Or(list)
            }
            (left, right) => Predicate::Or(vec![left, right]),
        };
        self
    }
}

/// What can be said of the rows that a predicate takes, from few to many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    None,
    Some,
    Every,
}

impl Taken {
    fn negated(self, is_negated: bool) -> Self {
        match self {
            Self::None if is_negated => Self::Every,
            Self::Every if is_negated => Self::None,
            taken => taken,
        }
    }
}

fn taken<'l, 'a: 'l>(predicate: &Predicate, literals: &mut impl Iterator<Item = &'l Literal<'a>>) -> Taken {
    match predicate {
        Predicate::All => Taken::Every,
        Predicate::IsNull { .. } => Taken::Some,
        Predicate::Compare { .. } => {
            literals.next();
            Taken::Some
        }
        Predicate::Between { .. } => {
            literals.nth(1);
            Taken::Some
        }
        Predicate::In { negated, .. } => match literals.next().and_then(Literal::list) {
            Some(list) if list.is_empty() => Taken::None.negated(*negated),
            _ => Taken::Some,
        },
        Predicate::Like { negated, .. } => match literals.next().map(Literal::value) {
            Some(Value::Text(pattern)) if !pattern.is_empty() && pattern.bytes().all(|byte| byte == b'%') => {
                Taken::Every.negated(*negated)
            }
            _ => Taken::Some,
        },
        Predicate::And(list) => list.iter().map(|predicate| taken(predicate, literals)).min().unwrap_or(Taken::Every),
        Predicate::Or(list) => list.iter().map(|predicate| taken(predicate, literals)).max().unwrap_or(Taken::None),
        Predicate::Not(inner) => taken(inner, literals).negated(true),
    }
}

impl<E> BitAnd for Filter<'_, E> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.and(other)
    }
}

impl<E> BitOr for Filter<'_, E> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl<E> Not for Filter<'_, E> {
    type Output = Self;

    fn not(mut self) -> Self {
        self.predicate = Predicate::Not(Box::new(self.predicate));
        self
    }
}

// Literals are values: the output shows the shape only.
impl<E> fmt::Debug for Filter<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.predicate, f)
    }
}

/// A filter, or `()` for every row.
pub trait IntoFilter<'a, E> {
    /// The filter.
    fn into_filter(self) -> Filter<'a, E>;
}

impl<'a, E> IntoFilter<'a, E> for Filter<'a, E> {
    fn into_filter(self) -> Filter<'a, E> {
        self
    }
}

impl<'a, E> IntoFilter<'a, E> for () {
    fn into_filter(self) -> Filter<'a, E> {
        Filter::all()
    }
}
