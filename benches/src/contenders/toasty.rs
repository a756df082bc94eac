//! Toasty, as its users write it: models, `create_many`, queries with checked fields. It updates many rows one by
//! one, and reports no counts: what it was given is reported, and the check of the table shows the rest.
//!
//! Not on SQLite, whose driver needs another version of SQLite's library, nor on MariaDB before 11.8.

use std::ops::RangeInclusive;

use anyhow::Result;
use async_trait::async_trait;
use toasty::Db;

use crate::case::{Case, Database, MANY, Operation};
use crate::contender::{Contender, Entry, Found, in_order};
use crate::customer::Customer;
use crate::fixture::Place;

inventory::submit! {
    Entry { name: "toasty", databases: &[Database::Postgres], refuses, open: |place| Box::pin(open(place)) }
}

inventory::submit! {
    Entry {
        name: "toasty",
        databases: &[Database::Mysql],
        refuses: refuses_on_mysql,
        open: |place| Box::pin(open(place)),
    }
}

fn refuses_on_mysql(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::CreateMultiple | Operation::CreateMultipleWithoutKeys => {
            Some("its `create_many` has no form for generated keys on MySQL: \"unsupported feature\"")
        }
        _ => refuses(case),
    }
}

fn refuses(case: &Case) -> Option<&'static str> {
    match case.operation {
        Operation::Scalars => Some("has no statement without a table"),
        Operation::UpdateMultiple if case.rows > 1_000 => Some("a statement a row takes too long beyond 1,000 rows"),
        Operation::CreateMultiple | Operation::CreateMultipleWithoutKeys if case.rows > MANY => {
            Some("a list is one statement, which takes 65,535 parameters at most")
        }
        _ => None,
    }
}

async fn open(place: &Place) -> Result<Box<dyn Contender>> {
    let url = match place {
        Place::Postgres { url, schema, .. } => {
            let settings = format!("-c%20search_path%3D{schema}%20-c%20synchronous_commit%3Doff");
            format!("{url}?application_name={schema}&options={settings}")
        }
        Place::Mysql { url, database, .. } => {
            let (server, _) = url.rsplit_once('/').ok_or_else(|| anyhow::anyhow!("the URL names no database"))?;
            format!("{server}/{database}?ssl-mode=DISABLED&statement-cache-capacity=500")
        }
        Place::Sqlite(_) => anyhow::bail!("not on SQLite"),
    };
    Ok(Box::new(Toasty(Db::builder().models(toasty::models!(Stored)).max_pool_size(1).connect(&url).await?)))
}

#[derive(Debug, toasty::Model)]
#[table = "bench_customers"]
struct Stored {
    #[key]
    #[auto]
    id: i64,
    #[unique]
    code: String,
    name: Option<String>,
    balance: i64,
}

impl From<Stored> for Customer {
    fn from(Stored { id, code, name, balance }: Stored) -> Self {
        Self { id, code, name, balance }
    }
}

struct Toasty(Db);

#[async_trait(?Send)]
impl Contender for Toasty {
    async fn create(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut keys = Vec::with_capacity(rows.len());
        for row in rows {
            let create = Stored::create().code(row.code.as_str()).name(row.name.clone()).balance(row.balance);
            keys.push(create.exec(&mut self.0).await?.id);
        }
        Ok(keys)
    }

    async fn update(&mut self, rows: &[Customer]) -> Result<u64> {
        for row in rows {
            let update = Stored::filter_by_id(row.id).update();
            let update = update.code(row.code.as_str()).name(row.name.clone()).balance(row.balance);
            update.exec(&mut self.0).await?;
        }
        Ok(rows.len() as u64)
    }

    async fn delete(&mut self, keys: &[i64]) -> Result<u64> {
        for key in keys {
            Stored::filter_by_id(key).delete().exec(&mut self.0).await?;
        }
        Ok(keys.len() as u64)
    }

    async fn retrieve(&mut self, keys: &[i64]) -> Result<Found> {
        let mut found = Vec::with_capacity(keys.len());
        for key in keys {
            found.extend(Stored::filter_by_id(key).first().exec(&mut self.0).await?);
        }
        Ok(Box::new(found))
    }

    async fn transaction(&mut self) -> Result<()> {
        Ok(self.0.transaction().await?.commit().await?)
    }

    async fn create_multiple(&mut self, rows: &[Customer]) -> Result<Vec<i64>> {
        let mut create = Stored::create_many();
        for row in rows {
            create = create.item(Stored::create().code(row.code.as_str()).name(row.name.clone()).balance(row.balance));
        }
        Ok(create.exec(&mut self.0).await?.into_iter().map(|row| row.id).collect())
    }

    async fn create_multiple_without_keys(&mut self, rows: &[Customer]) -> Result<u64> {
        Ok(self.create_multiple(rows).await?.len() as u64)
    }

    async fn update_multiple(&mut self, rows: &[Customer]) -> Result<u64> {
        let mut transaction = self.0.transaction().await?;
        for row in rows {
            let update = Stored::filter_by_id(row.id).update();
            let update = update.code(row.code.as_str()).name(row.name.clone()).balance(row.balance);
            update.exec(&mut transaction).await?;
        }
        transaction.commit().await?;
        Ok(rows.len() as u64)
    }

    async fn update_where(&mut self, keys: RangeInclusive<i64>, balance: i64) -> Result<u64> {
        let id = || Stored::fields().id();
        let rows = Stored::filter(id().ge(keys.start()).and(id().le(keys.end())));
        rows.update().balance(balance).exec(&mut self.0).await?;
        Ok(keys.count() as u64)
    }

    async fn delete_multiple(&mut self, keys: &[i64]) -> Result<u64> {
        Stored::filter(Stored::fields().id().in_list(keys)).delete().exec(&mut self.0).await?;
        Ok(keys.len() as u64)
    }

    async fn retrieve_by_keys(&mut self, keys: &[i64]) -> Result<Found> {
        let rows = Stored::filter(Stored::fields().id().in_list(keys)).exec(&mut self.0).await?;
        Ok(Box::new(in_order(rows.into_iter().map(Customer::from).collect(), keys)))
    }

    async fn retrieve_multiple(&mut self, keys: RangeInclusive<i64>) -> Result<Found> {
        let id = || Stored::fields().id();
        let select = Stored::filter(id().ge(keys.start()).and(id().le(keys.end()))).order_by(id().asc());
        Ok(Box::new(select.exec(&mut self.0).await?))
    }

    async fn page(&mut self, number: u64, size: u64) -> Result<(u64, Found)> {
        let total = Stored::all().count().exec(&mut self.0).await?;
        let (limit, offset) = (usize::try_from(size)?, usize::try_from((number - 1) * size)?);
        let select = Stored::all().order_by(Stored::fields().id().asc()).limit(limit).offset(offset);
        Ok((total, Box::new(select.exec(&mut self.0).await?)))
    }
}
