//! How hand-written code gets the keys of a list of rows.

use anyhow::{Context, Result};
use futures_util::TryStreamExt;
use sqlx::mysql::{MySql, MySqlConnection};
use sqlx::{Either, Execute, Executor, Row};

use crate::case::Database;
use crate::fixture::Place;

/// How a server tells the keys of the rows of one INSERT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// MySQL: the first; the others of a plain list of rows follow it, with the default increment of 1.
    First,
    /// MariaDB: RETURNING, whose order is not documented; keys that ascend with the rows are.
    Returned,
}

impl Keys {
    /// As the server of a place tells them.
    pub(super) fn of(place: &Place) -> Self {
        if place.server() == Database::Mariadb { Self::Returned } else { Self::First }
    }

    /// What an INSERT ends with.
    pub(super) fn clause(self) -> &'static str {
        match self {
            Self::First => "",
            Self::Returned => " RETURNING id",
        }
    }

    /// Runs an INSERT of so many rows, and adds their keys.
    pub(super) async fn insert<'q>(
        self,
        link: &mut MySqlConnection,
        insert: impl Execute<'q, MySql> + 'q,
        rows: usize,
        keys: &mut Vec<i64>,
    ) -> Result<()> {
        let before = keys.len();
        let mut answers = link.fetch_many(insert);
        while let Some(answer) = answers.try_next().await? {
            match answer {
                Either::Left(done) if self == Self::First => {
                    let first = i64::try_from(done.last_insert_id())?;
                    keys.extend((first..).take(rows));
                }
                Either::Left(_) => {}
                Either::Right(row) => keys.push(row.try_get_unchecked(0)?),
            }
        }
        let added = keys.get_mut(before..).context("keys were lost")?;
        added.sort_unstable();
        Ok(())
    }
}
