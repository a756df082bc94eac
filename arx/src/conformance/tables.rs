//! The tables that cases share.

use chrono::{DateTime, Utc};

use crate::{Entity, Field};

/// A table with a generated key and a nullable column.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
pub struct Item {
    #[arx(key, generated)]
    pub id: i64,
    pub name: String,
    pub note: Option<String>,
    pub amount: i32,
}

impl Item {
    /// A row that is not stored yet.
    pub fn new(number: i32) -> Self {
        Self {
            id: 0,
            name: format!("item {number}"),
            note: (number % 3 != 0).then(|| format!("note {number}")),
            amount: number,
        }
    }

    /// So many rows.
    pub fn many(count: i32) -> Vec<Self> {
        (0..count).map(Self::new).collect()
    }
}

/// A table with a version, times and a default.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "documents")]
pub struct Document {
    #[arx(key, generated)]
    pub id: i64,
    #[arx(unique)]
    pub title: String,
    #[arx(version)]
    pub version: i32,
    #[arx(created_at)]
    pub created: DateTime<Utc>,
    #[arx(updated_at)]
    pub updated: DateTime<Utc>,
    pub rank: Field<Option<i32>>,
}

impl Document {
    /// A row that is not stored yet, with its rank left to the database.
    pub fn new(title: impl Into<String>) -> Self {
        let title = title.into();
        Self {
            id: 0,
            title,
            version: 0,
            created: DateTime::UNIX_EPOCH,
            updated: DateTime::UNIX_EPOCH,
            rank: Field::Default,
        }
    }
}
