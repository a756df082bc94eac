//! The struct of DESIGN.md, through the prelude.

use arx::prelude::*;
use chrono::{DateTime, Utc};

#[derive(Entity, Clone, Debug)]
#[arx(table = "customers", schema = "sales")]
struct Customer {
    #[arx(key, generated)]
    id: i64,
    #[arx(unique)]
    code: String,
    #[arx(column = "full_name")]
    name: Option<String>,
    #[arx(version)]
    version: i32,
    #[arx(created_at)]
    created: DateTime<Utc>,
    #[arx(updated_at)]
    updated: DateTime<Utc>,
    #[arx(soft_delete)]
    deleted: Option<DateTime<Utc>>,
    #[arx(json)]
    tags: Vec<String>,
    #[arx(default)]
    rank: Field<i32>,
}

fn main() {
    assert_eq!(<Customer as Entity>::TABLE.columns.len(), 9);
    let _filter: Filter<'_, Customer> = Customer::CODE.eq("A") & Customer::NAME.eq("Ada");
}
