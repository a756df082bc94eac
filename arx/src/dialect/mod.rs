//! Dialects: from a [`Shape`] to a [`Statement`].
//!
//! A dialect is words and limits first, whole clauses second. What most SQL databases
//! write alike is in [`iso`]; a dialect calls it, or writes its own. Next is `connection`.

mod cache;
mod call;
pub mod iso;
mod lexis;
pub mod scan;
mod sql;

pub use cache::Cache;
pub use call::render_call;
pub use lexis::{Lexis, Placeholder};
pub use sql::{Bind, Sql, Statement};

use crate::entity::ColumnMeta;
use crate::error::{Error, Result};
use crate::plan::{Limits, Shape, Verb};

/// One database's way to write statements. A crate finds its own dialect again behind [`Any`](std::any::Any).
pub trait Dialect: std::any::Any + Send + Sync {
    /// Its words.
    fn lexis(&self) -> &Lexis;

    /// Its limits, as probed.
    fn limits(&self) -> &Limits;

    /// The statements and table facts that are known already.
    fn cache(&self) -> &Cache;

    /// Writes a placeholder for the next literal, which is of the column's kind.
    fn write_literal(&self, sql: &mut Sql<'_>, column: &ColumnMeta);

    /// Writes that `column` is among the elements of the next literal, which is a list.
    ///
    /// # Errors
    /// `Unsupported` when a list of this kind cannot be sent.
    fn write_in(&self, sql: &mut Sql<'_>, column: usize, negated: bool) -> Result<()>;

    /// Writes an insert.
    ///
    /// # Errors
    /// `Unsupported` when the dialect has no form for the shape.
    fn write_insert(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()>;

    /// Writes an update.
    ///
    /// # Errors
    /// `Unsupported` when the dialect has no form for the shape.
    fn write_update(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()>;

    /// Writes a delete.
    ///
    /// # Errors
    /// `Unsupported` when the dialect has no form for the shape.
    fn write_delete(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()>;

    /// Writes a read of rows, a count or an existence test.
    ///
    /// # Errors
    /// `Unsupported` when the dialect has no form for the shape.
    fn write_select(&self, sql: &mut Sql<'_>, shape: &Shape) -> Result<()>;
}

/// The statement of this shape, from the cache or freshly written.
///
/// # Errors
/// `Unsupported` when the dialect has no form for the shape; `InvalidInput` for an
/// identifier that cannot be quoted.
pub fn render(dialect: &dyn Dialect, shape: &Shape) -> Result<std::sync::Arc<Statement>> {
    dialect.cache().statement(shape, || write(dialect, shape))
}

fn write(dialect: &dyn Dialect, shape: &Shape) -> Result<Statement> {
    let mut sql = Sql::new(dialect.lexis(), shape.table).with_lists(&shape.lists);
    match shape.verb {
        Verb::Insert => dialect.write_insert(&mut sql, shape),
        Verb::Update => dialect.write_update(&mut sql, shape),
        Verb::Delete => dialect.write_delete(&mut sql, shape),
        Verb::Select | Verb::Count | Verb::Exists | Verb::Page => dialect.write_select(&mut sql, shape),
    }
    .and_then(|()| sql.finish(shape))
    .map_err(|error| error.with_operation(shape.describe()))
}

/// The error for a shape that a dialect has no form for.
#[must_use]
pub fn no_form(shape: &Shape) -> Error {
    Error::unsupported(format!(
        "this database has no statement for rows as {:?} matched by {:?}",
        shape.source, shape.matching
    ))
}
