//! The typed verbs. A [`Repository`] is a small value over a [`Database`] or a [`Tx`];
//! its methods return builders that run when they are awaited.

mod batch;
mod by_keys;
mod clock;
mod create;
mod cursor;
mod database;
mod delete;
mod execute;
mod fault;
mod gather;
mod held;
mod insertion;
mod keyset;
mod page;
mod plan;
mod predicate;
mod raw;
mod reread;
mod retrieve;
mod session;
mod stream;
mod transaction;
mod update;
mod written;

pub use batch::{Batch, Row};
pub use by_keys::{RetrieveByKeys, RetrieveOne};
pub use clock::{Clock, SystemClock};
pub use create::{Create, CreateCounted, CreateMultiple, CreateReturning};
pub use cursor::Cursor;
pub use database::Database;
pub use delete::{Delete, DeleteEntity, DeleteMultiple, Restore};
pub use execute::{CallResult, Execute};
pub use keyset::{KeysetPage, ReadKeyset};
pub use page::{Page, ReadPage};
pub use plan::{Plan, PlannedScope, PlannedStatement};
pub use predicate::{DeleteWhere, UpdateWhere};
pub use raw::{Query, Run};
pub use retrieve::{Count, Exists, First, Retrieve};
pub use stream::Records;
pub use transaction::{BeginTransaction, Retry, Transaction, Tx};
pub use update::{Duplicates, LastWins, Update, UpdateMultiple, Updated};

use std::marker::PhantomData;

use crate::entity::{Entity, IntoKey};
use crate::query::IntoFilter;
use session::Executor;

/// The rows of one table as values of `E`.
pub struct Repository<'a, E> {
    executor: Executor<'a>,
    marker: PhantomData<fn() -> E>,
}

impl<E> Clone for Repository<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Repository<'_, E> {}

impl<'a, E: Entity> Repository<'a, E> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor, marker: PhantomData }
    }

    /// Inserts one row (also called insert or save); yields its key. A row given by `&mut`
    /// gets its generated key, defaults, version and timestamps written back.
    ///
    /// # Errors
    /// A constraint violation, `Encode`, `Unsupported`, or the connection's.
    pub fn create(&self, row: impl Into<Row<'a, E>>) -> Create<'a, E> {
        Create::new(self.executor, row.into())
    }

    /// Inserts many rows (also called bulk or batch insert) in as few statements as the
    /// database allows; yields their keys in the order of the input. All rows or none.
    ///
    /// # Errors
    /// As [`create`](Self::create); nothing is written then.
    pub fn create_multiple(&self, rows: impl Into<Batch<'a, E>>) -> CreateMultiple<'a, E> {
        CreateMultiple::new(self.executor, rows.into())
    }

    /// Writes one row back by its key, and its version where the entity has one.
    ///
    /// # Errors
    /// `NotFound`, `StaleVersion`, a constraint violation, or the connection's.
    pub fn update(&self, row: impl Into<Row<'a, E>>) -> Update<'a, E> {
        Update::new(self.executor, row.into())
    }

    /// Writes many rows back by their keys, all or none; yields how many were matched.
    /// Rows that are not there are passed over, unless the entity has a version or
    /// [`require_all`](UpdateMultiple::require_all) is set.
    ///
    /// # Errors
    /// `DuplicateKey`, `StaleVersion`, `NotFound`, a constraint violation, or the connection's.
    pub fn update_multiple(&self, rows: impl Into<Batch<'a, E>>) -> UpdateMultiple<'a, E> {
        UpdateMultiple::new(self.executor, rows.into())
    }

    /// Updates the rows that a filter takes, in one statement; yields how many were matched.
    /// Version and time of the last write are kept as by the other updates. A filter that takes
    /// every row is refused unless [`all`](UpdateWhere::all) is called.
    ///
    /// # Errors
    /// `InvalidInput`, a constraint violation, or the connection's.
    pub fn update_where(&self, filter: impl IntoFilter<'a, E>) -> UpdateWhere<'a, E> {
        UpdateWhere::new(self.executor, filter.into_filter())
    }

    /// Deletes the rows that a filter takes, in one statement; yields how many. With
    /// `soft_delete` they are marked instead. A filter that takes every row is refused unless
    /// [`all`](DeleteWhere::all) is called.
    ///
    /// # Errors
    /// `InvalidInput`, a constraint violation, or the connection's.
    pub fn delete_where(&self, filter: impl IntoFilter<'a, E>) -> DeleteWhere<'a, E> {
        DeleteWhere::new(self.executor, filter.into_filter())
    }

    /// Deletes the row with this key; yields whether it was there. With `soft_delete` it is
    /// marked instead.
    ///
    /// # Errors
    /// A constraint violation, or the connection's.
    pub fn delete(&self, key: impl IntoKey<E::Key>) -> Delete<'a, E> {
        Delete::new(self.executor, key.into_key())
    }

    /// Deletes this row by its key and version.
    ///
    /// # Errors
    /// `StaleVersion` or `NotFound`; a constraint violation, or the connection's.
    pub fn delete_entity(&self, row: &'a E) -> DeleteEntity<'a, E> {
        DeleteEntity::new(self.executor, row)
    }

    /// Deletes the rows with these keys, in as few statements as the database allows, all
    /// or none; yields how many were there.
    ///
    /// # Errors
    /// `DuplicateKey`, a constraint violation, or the connection's.
    pub fn delete_multiple(&self, keys: &'a [E::Key]) -> DeleteMultiple<'a, E> {
        DeleteMultiple::new(self.executor, keys)
    }

    /// Brings back a row that `soft_delete` has marked; yields whether there was one.
    ///
    /// # Errors
    /// `Unsupported` for an entity without `soft_delete`.
    pub fn restore(&self, key: impl IntoKey<E::Key>) -> Restore<'a, E> {
        Restore::new(self.executor, key.into_key())
    }

    /// Reads the row with this key (also called find or get), if it is there.
    ///
    /// # Errors
    /// `Decode`, or the connection's.
    pub fn retrieve(&self, key: impl IntoKey<E::Key>) -> RetrieveOne<'a, E> {
        RetrieveOne::new(self.executor, key.into_key())
    }

    /// Reads the rows with these keys; yields them in the order of the keys, `None` for a
    /// key that is not there. A key may repeat.
    ///
    /// # Errors
    /// `Decode`, or the connection's.
    pub fn retrieve_by_keys(&self, keys: &'a [E::Key]) -> RetrieveByKeys<'a, E> {
        RetrieveByKeys::new(self.executor, keys)
    }

    /// Reads the rows that a filter takes; `()` takes all.
    ///
    /// # Errors
    /// `Decode`, `InvalidInput`, or the connection's.
    pub fn retrieve_multiple(&self, filter: impl IntoFilter<'a, E>) -> Retrieve<'a, E> {
        Retrieve::new(self.executor, filter.into_filter())
    }

    /// Counts the rows that a filter takes.
    ///
    /// # Errors
    /// The connection's.
    pub fn count(&self, filter: impl IntoFilter<'a, E>) -> Count<'a, E> {
        self.retrieve_multiple(filter).count()
    }

    /// Tells whether there is a row that a filter takes.
    ///
    /// # Errors
    /// The connection's.
    pub fn exists(&self, filter: impl IntoFilter<'a, E>) -> Exists<'a, E> {
        self.retrieve_multiple(filter).exists()
    }
}
