//! `update_where` and `delete_where`: writes by filter, one statement each.

use std::future::IntoFuture;

use super::clock::instant;
use super::delete::{alive, deletion_mark};
use super::session::{Executor, Need};
use crate::connection::{BoxFuture, Discard, Intent};
use crate::entity::{Entity, Role, Table};
use crate::error::{Error, Result};
use crate::plan::{Shape, Verb};
use crate::query::{Assignment, Column, Filter, IntoOperand, Operand, both};
use crate::value::Literal;

/// A write by filter that has not run yet.
pub(super) struct Writing<'a, E> {
    pub(super) executor: Executor<'a>,
    filter: Filter<'a, E>,
    set: Vec<Assignment>,
    literals: Vec<Literal<'a>>,
    all: bool,
}

impl<'a, E: Entity> Writing<'a, E> {
    fn new(executor: Executor<'a>, filter: Filter<'a, E>) -> Self {
        Self { executor, filter, set: Vec::new(), literals: Vec::new(), all: false }
    }

    /// Adds what every write of this entity does: its time, its version.
    fn stamp(&mut self) -> Result<()> {
        if let Some(column) = E::TABLE.updated_at {
            self.literals.push(instant(&E::TABLE.columns[column], self.executor.clock().now())?);
            self.set.push(Assignment::new(column, Operand::Literal));
        }
        self.set.extend(E::TABLE.version.map(|column| Assignment::new(column, Operand::Increment)));
        Ok(())
    }

    async fn run(self, verb: Verb) -> Result<u64> {
        let mut shape = Shape::new(verb, E::TABLE);
        if !self.all && self.filter.takes_every_row() {
            let message = "the filter takes every row of the table; call .all() where that is meant";
            return Err(Error::invalid_input(message).with_operation(shape.describe()));
        }
        let (predicate, literals) = self.filter.into_parts();
        let mut marks = Vec::new();
        shape.filter = both(predicate, alive(E::TABLE, &mut marks));
        shape.set = self.set;
        let literals: Vec<_> = self.literals.into_iter().chain(literals).chain(marks).collect();
        let mut session = self.executor.open(Intent::Write).await?;
        session.enter(Need::Shield).await?;
        let done = session.filtered(shape, &literals, &mut Discard).await;
        session.leave(done).await.map(|affected| affected.rows)
    }
}

/// Updates the rows that a filter takes when it is awaited; yields how many were matched.
#[must_use = "nothing happens until it is awaited"]
pub struct UpdateWhere<'a, E> {
    pub(super) writing: Writing<'a, E>,
    error: Option<Error>,
}

impl<'a, E: Entity> UpdateWhere<'a, E> {
    pub(super) fn new(executor: Executor<'a>, filter: Filter<'a, E>) -> Self {
        Self { writing: Writing::new(executor, filter), error: None }
    }

    /// Writes a value, another column's value, or an expression into a column; every right side sees the row as it was.
    ///
    /// ```
    /// # use arx::{Database, Entity};
    /// # #[derive(Entity)]
    /// # struct Customer { #[arx(key)] id: i64, code: String, rank: i32, best_rank: i32 }
    /// # async fn example(db: Database) -> arx::Result<()> {
    /// let customers = db.repository::<Customer>();
    /// let matched = customers
    ///     .update_where(Customer::CODE.starts_with("A"))
    ///     .set(Customer::BEST_RANK, Customer::RANK)
    ///     .set(Customer::RANK, Customer::RANK.add(1))
    ///     .await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn set<T>(mut self, column: Column<E, T>, value: impl IntoOperand<'a, E, T>) -> Self {
        let meta = &E::TABLE.columns[column.index()];
        let is_repeated = self.writing.set.iter().any(|assignment| assignment.column == column.index());
        if !matches!(meta.role, Role::Plain | Role::CreatedAt | Role::SoftDelete) || meta.generated || is_repeated {
            let message = match is_repeated {
                true => "the column is set twice; leave one of them out",
                false => "the column is kept by arx or the database; it cannot be set",
            };
            self.error.get_or_insert(Error::invalid_input(message).with_column(E::TABLE.label(column.index())));
            return self;
        }
        let (operand, literal) = value.into_operand();
        if let Some(read) = unfit(&operand, E::TABLE) {
            let error = Error::invalid_input("only numbers can be added, subtracted and multiplied");
            self.error.get_or_insert(error.with_column(E::TABLE.label(read)));
            return self;
        }
        self.writing.set.push(Assignment::new(column.index(), operand));
        self.writing.literals.extend(literal);
        self
    }

    /// Means every row of the table, where the filter takes all.
    pub fn all(mut self) -> Self {
        self.writing.all = true;
        self
    }

    async fn run(mut self) -> Result<u64> {
        let operation = |error: Error| error.with_operation(format!("update {}", E::TABLE.name));
        if let Some(error) = self.error {
            return Err(operation(error));
        }
        if self.writing.set.is_empty() {
            return Err(operation(Error::invalid_input("nothing is set; call .set(column, value)")));
        }
        self.writing.stamp()?;
        self.writing.run(Verb::Update).await
    }
}

/// The column that is computed with although it has no numbers.
fn unfit(operand: &Operand, table: &Table) -> Option<usize> {
    match operand {
        Operand::Arithmetic { column, .. } => Some(*column).filter(|&column| !table.columns[column].kind.is_number()),
        _ => None,
    }
}

impl<'a, E: Entity> IntoFuture for UpdateWhere<'a, E> {
    type Output = Result<u64>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// Deletes the rows that a filter takes when it is awaited; yields how many.
#[must_use = "nothing happens until it is awaited"]
pub struct DeleteWhere<'a, E>(pub(super) Writing<'a, E>);

impl<'a, E: Entity> DeleteWhere<'a, E> {
    pub(super) fn new(executor: Executor<'a>, filter: Filter<'a, E>) -> Self {
        Self(Writing::new(executor, filter))
    }

    /// Means every row of the table, where the filter takes all.
    pub fn all(mut self) -> Self {
        self.0.all = true;
        self
    }

    async fn run(mut self) -> Result<u64> {
        let Some(column) = E::TABLE.soft_delete else { return self.0.run(Verb::Delete).await };
        self.0.literals.push(deletion_mark(E::TABLE, column, self.0.executor.clock().now())?);
        self.0.set.push(Assignment::new(column, Operand::Literal));
        self.0.stamp()?;
        self.0.run(Verb::Update).await
    }
}

impl<'a, E: Entity> IntoFuture for DeleteWhere<'a, E> {
    type Output = Result<u64>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}
