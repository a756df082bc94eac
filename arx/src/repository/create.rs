//! `create` and `create_multiple`.

use std::future::IntoFuture;

use super::batch::{Batch, Row};
use super::gather::lost_rows;
use super::insertion::{Insertion, Want};
use super::session::Executor;
use crate::connection::BoxFuture;
use crate::entity::Entity;
use crate::error::Result;

/// Inserts one row when it is awaited; yields its key.
#[must_use = "nothing happens until it is awaited"]
pub struct Create<'a, E>(pub(super) Insertion<'a, E>);

impl<'a, E: Entity> Create<'a, E> {
    pub(super) fn new(executor: Executor<'a>, row: Row<'a, E>) -> Self {
        Self(Insertion::new(executor, row.into()))
    }

    pub(super) async fn rehearse(self) -> Result<()> {
        self.0.rehearse(Want::Keys).await
    }

    /// Writes the key that the row carries, where one would be generated otherwise. On a database
    /// with sequences, the sequence does not learn of it.
    pub fn with_keys(mut self) -> Self {
        self.0.given_keys = true;
        self
    }
}

impl<'a, E: Entity> IntoFuture for Create<'a, E> {
    type Output = Result<E::Key>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { self.0.keys().await?.pop().ok_or_else(lost_rows) })
    }
}

macro_rules! many {
    ($($(#[$doc:meta])* $name:ident => $output:ty, $run:ident, $want:ident;)+) => {$(
        $(#[$doc])*
        #[must_use = "nothing happens until it is awaited"]
        pub struct $name<'a, E>(pub(super) Insertion<'a, E>);

        impl<'a, E: Entity> $name<'a, E> {
            /// Writes the keys that the rows carry, where they would be generated otherwise. On a
            /// database with sequences, the sequence does not learn of them.
            pub fn with_keys(mut self) -> Self {
                self.0.given_keys = true;
                self
            }

            /// After a constraint violation, finds the row that was refused, by inserting ever
            /// smaller parts of the batch and undoing each; the error then names the row.
            pub fn find_failing_row(mut self) -> Self {
                self.0.find_failing_row = true;
                self
            }

            pub(super) async fn rehearse(self) -> Result<()> {
                self.0.rehearse(Want::$want).await
            }
        }

        impl<'a, E: Entity> IntoFuture for $name<'a, E> {
            type Output = Result<$output>;
            type IntoFuture = BoxFuture<'a, Self::Output>;

            fn into_future(self) -> Self::IntoFuture {
                Box::pin(self.0.$run())
            }
        }
    )+};
}

many! {
    /// Inserts rows when it is awaited; yields their keys in the order of the input.
    CreateMultiple => Vec<E::Key>, keys, Keys;
    /// Inserts rows when it is awaited; yields how many.
    CreateCounted => u64, count, Count;
    /// Inserts rows when it is awaited; yields them as the database has stored them, in the
    /// order of the input.
    CreateReturning => Vec<E>, entities, Entities;
}

impl<'a, E: Entity> CreateMultiple<'a, E> {
    pub(super) fn new(executor: Executor<'a>, batch: Batch<'a, E>) -> Self {
        Self(Insertion::new(executor, batch))
    }

    /// Asks for no keys: yields a count, and leaves the database free to load faster.
    pub fn without_keys(self) -> CreateCounted<'a, E> {
        CreateCounted(self.0)
    }

    /// Asks for whole entities, with what the database has made of defaults.
    pub fn returning(self) -> CreateReturning<'a, E> {
        CreateReturning(self.0)
    }
}
