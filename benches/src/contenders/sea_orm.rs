//! SeaORM, as its users write it: active models, `insert_many`, a paginator. It updates many rows one by one.

use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use async_trait::async_trait;
use sea_orm::entity::prelude::*;
use sea_orm::{
    DatabaseConnection, DbBackend, QueryOrder, Set, SqlxMySqlConnector, SqlxPostgresConnector, SqlxSqliteConnector,
    Statement, TransactionTrait, Unchanged,
};

use crate::case::{Case, Database, MANY, Operation};
use crate::contender::{Contender, Entry as Candidate, Found, in_order};
use crate::customer::Customer;
use crate::fixture::{Place, mysql, postgres};
use crate::published::Published;
use crate::wide::Wide;

mod wide;

inventory::submit! {
    Candidate { name: "sea_orm", databases: Database::ALL, refuses, open: |place| Box::pin(open(place)) }
}

fn refuses(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::UpdateMultiple | Operation::WideUpdateMultiple if case.rows > 1_000 => {
            Some("a statement a row takes too long beyond 1,000 rows")
        }
        Operation::CreateMultiple | Operation::CreateMultipleWithoutKeys if case.rows > MANY => {
            Some("a list is one statement, which takes 65,535 parameters at most")
        }
        _ => None,
    }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let has_returning = matches!(place.server(), Database::Sqlite | Database::Postgres);
    let database = match place.server() {
        Database::Sqlite => SqlxSqliteConnector::from_sqlx_sqlite_pool(super::sqlite::sqlx::pool(place).await?),
        Database::Postgres => SqlxPostgresConnector::from_sqlx_postgres_pool(postgres::pool(place).await?),
        Database::Mysql | Database::Mariadb => SqlxMySqlConnector::from_sqlx_mysql_pool(mysql::pool(place).await?),
    };
    Ok(Box::new(SeaOrm { database, has_returning }))
}

/// The entity, in a module as SeaORM wants it.
mod stored {
    #![allow(missing_docs, unreachable_pub, reason = "the derive makes items without documentation")]

    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "bench_customers")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub code: String,
        pub name: Option<String>,
        pub balance: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

use stored::{ActiveModel, Column, Entity, Model};

impl From<Model> for Customer {
    fn from(Model { id, code, name, balance }: Model) -> Self {
        Self { id, code, name, balance }
    }
}

fn new(row: &Customer) -> ActiveModel {
    let (code, name) = (Set(row.code.clone()), Set(row.name.clone()));
    ActiveModel { code, name, balance: Set(row.balance), ..Default::default() }
}

fn changed(row: &Customer) -> ActiveModel {
    ActiveModel { id: Unchanged(row.id), ..new(row) }
}

/// The most rows of one statement: placeholders are counted in 16 bits.
const CHUNK: usize = 10_000;

pub(in crate::contenders) struct SeaOrm {
    pub(in crate::contenders) database: DatabaseConnection,
    /// Without, there is the key of a list's first row, which the others follow.
    has_returning: bool,
}

#[async_trait(?Send)]
impl Contender for SeaOrm {
    fn share(&self) -> Option<Box<dyn Contender>> {
        Some(Box::new(Self { database: self.database.clone(), has_returning: self.has_returning }))
    }

    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            keys.push(Entity::insert(new(row)).exec(&self.database).await?.last_insert_id);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut matched = 0;
        for row in rows {
            changed(row).update(&self.database).await?;
            matched += 1;
        }
        Ok(matched)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        for &key in keys {
            deleted += Entity::delete_by_id(key).exec(&self.database).await?.rows_affected;
        }
        Ok(deleted)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for &key in keys {
            found.extend(Entity::find_by_id(key).one(&self.database).await?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.database.begin().await?.commit().await?)
    }

    async fn scalars(&mut self, values: &[i64]) -> Result<Vec<i64>> {
        let backend = self.database.get_database_backend();
        let sql = if backend == DbBackend::Postgres { "SELECT $1 + 1" } else { "SELECT ? + 1" };
        let mut sums = Vec::with_capacity(values.len());
        for &value in values {
            let select = Statement::from_sql_and_values(backend, sql, [value.into()]);
            sums.push(self.database.query_one_raw(select).await?.context("no row")?.try_get_by_index(0)?);
        }
        Ok(sums)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let insert = Entity::insert_many(rows.iter().map(new));
        if self.has_returning {
            return Ok(insert.exec_with_returning_keys(&self.database).await?);
        }
        let first = insert.exec(&self.database).await?.last_insert_id.unwrap_or(0);
        Ok((first..).take(rows.len()).collect())
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        Ok(Entity::insert_many(rows.iter().map(new)).exec_without_returning(&self.database).await?)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let transaction = self.database.begin().await?;
        for row in rows {
            changed(row).update(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(rows.len() as u64)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let update = Entity::update_many().col_expr(Column::Balance, Expr::value(balance));
        let update = update.filter(Column::Id.between(*keys.start(), *keys.end()));
        Ok(update.exec(&self.database).await?.rows_affected)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        let mut deleted = 0;
        let transaction = self.database.begin().await?;
        for chunk in keys.chunks(CHUNK) {
            let delete = Entity::delete_many().filter(Column::Id.is_in(chunk.iter().copied()));
            deleted += delete.exec(&transaction).await?.rows_affected;
        }
        transaction.commit().await?;
        Ok(deleted)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(CHUNK) {
            let rows = Entity::find().filter(Column::Id.is_in(chunk.iter().copied())).all(&self.database).await?;
            found.extend(rows.into_iter().map(Customer::from));
        }
        Ok(Box::new(in_order(found, keys)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let find = Entity::find().filter(Column::Id.between(*keys.start(), *keys.end())).order_by_asc(Column::Id);
        Ok(Box::new(find.all(&self.database).await?))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let paginator = Entity::find().order_by_asc(Column::Id).paginate(&self.database, size);
        let total = paginator.num_items().await?;
        Ok((total, Box::new(paginator.fetch_page(number - 1).await?)))
    }

    fn published(&mut self) -> Option<&mut dyn Published> {
        Some(self)
    }

    fn wide(&mut self) -> Option<&mut dyn Wide> {
        Some(self)
    }
}
