//! Why arx is slower where it is: looked into by hand, and kept as data in `losses.toml`.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Pair;
use crate::case::{Database, Operation};

/// What is known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Losses {
    #[serde(default)]
    loss: Vec<Loss>,
}

/// One reason; an empty list is everything.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Loss {
    databases: Vec<Database>,
    operations: Vec<Operation>,
    rivals: Vec<String>,
    /// The most rows of a call that it is for.
    rows: Option<usize>,
    why: String,
}

impl Losses {
    /// Those that are known.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn known() -> Result<Self> {
        toml::from_str(include_str!("../../losses.toml")).context("reading losses.toml")
    }

    /// Why arx is slower than this rival.
    pub(super) fn reason(&self, pair: &Pair) -> Option<&str> {
        fn has<T: PartialEq>(list: &[T], item: &T) -> bool {
            list.is_empty() || list.contains(item)
        }
        let applies = |loss: &&Loss| {
            has(&loss.databases, &pair.database)
                && has(&loss.operations, &pair.case.operation)
                && has(&loss.rivals, &pair.rival)
                && loss.rows.is_none_or(|rows| pair.case.rows <= rows)
        };
        self.loss.iter().find(applies).map(|loss| loss.why.as_str())
    }
}
