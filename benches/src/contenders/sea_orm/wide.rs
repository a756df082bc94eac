//! The wide table by SeaORM: lists in statements of 1,000 rows.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use sea_orm::entity::prelude::*;
use sea_orm::{IntoActiveModel, NotSet, QueryOrder, TransactionTrait};

use super::SeaOrm;
use crate::wide::{Account, Found, Wide};

/// The entity, in a module as SeaORM wants it.
mod stored {
    #![allow(missing_docs, unreachable_pub, reason = "the derive makes items without documentation")]

    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "bench_wide")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub code: String,
        pub given_name: String,
        pub family_name: String,
        pub title: Option<String>,
        pub email: Option<String>,
        pub phone: Option<String>,
        pub street: String,
        pub city: String,
        pub country: String,
        pub note: Option<String>,
        pub visits: i32,
        pub balance: i64,
        pub discount: Option<i16>,
        pub score: f64,
        pub is_active: bool,
        pub born: Option<Date>,
        pub created: DateTime,
        pub seen: Option<DateTime>,
        pub token: Vec<u8>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

use stored::{ActiveModel, Column, Entity, Model};

/// Copies the fields, which have the same names.
macro_rules! copied {
    ($from:ident, $to:ident) => {
        $to {
            id: $from.id,
            code: $from.code,
            given_name: $from.given_name,
            family_name: $from.family_name,
            title: $from.title,
            email: $from.email,
            phone: $from.phone,
            street: $from.street,
            city: $from.city,
            country: $from.country,
            note: $from.note,
            visits: $from.visits,
            balance: $from.balance,
            discount: $from.discount,
            score: $from.score,
            is_active: $from.is_active,
            born: $from.born,
            created: $from.created,
            seen: $from.seen,
            token: $from.token,
        }
    };
}

impl From<Model> for Account {
    fn from(model: Model) -> Self {
        copied!(model, Account)
    }
}

fn new(row: &Account) -> ActiveModel {
    ActiveModel { id: NotSet, ..changed(row) }
}

fn changed(row: &Account) -> ActiveModel {
    let row = row.clone();
    copied!(row, Model).into_active_model().reset_all()
}

const CHUNK: usize = 1_000;

#[async_trait(?Send)]
impl Wide for SeaOrm {
    async fn create(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            keys.push(Entity::insert(new(row)).exec(&self.database).await?.last_insert_id);
        }
        Ok(keys)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(Entity::find_by_id(key).one(&self.database).await?);
        }
        Ok(Box::new(found))
    }

    async fn create_multiple(&mut self, rows: &[Account]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        let transaction = self.database.begin().await?;
        for chunk in rows.chunks(CHUNK) {
            let insert = Entity::insert_many(chunk.iter().map(new));
            if self.has_returning {
                keys.extend(insert.exec_with_returning_keys(&transaction).await?);
            } else {
                let first = insert.exec(&transaction).await?.last_insert_id.unwrap_or(0);
                keys.extend((first..).take(chunk.len()));
            }
        }
        transaction.commit().await?;
        Ok(keys)
    }

    async fn update_multiple(&mut self, rows: &[Account]) -> Result<u64> {
        let transaction = self.database.begin().await?;
        for row in rows {
            changed(row).update(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(rows.len() as u64)
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let find = Entity::find().filter(Column::Id.between(*keys.start(), *keys.end())).order_by_asc(Column::Id);
        Ok(Box::new(find.all(&self.database).await?))
    }
}
