//! Names of tables, columns and schemas: reserved words, odd characters, and text that would be SQL.

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::{Entity, Record};

cases! {
    case_104_reserved_words: [12] [];
    case_105_tables_with_blanks_and_brackets: [12] [];
    case_106_a_table_in_a_schema: [12] [Schemas];
    case_108_an_update_in_a_schema: [12] [Schemas];
    case_109_names_that_would_be_sql: [12] [];
    case_109_values_that_would_be_sql: [12] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "order")]
struct Order {
    #[arx(key, generated)]
    id: i64,
    #[arx(column = "Account")]
    account: String,
    order: i32,
    #[arx(column = "select")]
    selected: Option<i32>,
    // Names that the statements of a dialect might use for themselves.
    s: i32,
    t: i32,
    n: i32,
    ord: i32,
    ord_: i32,
    excluded: i32,
    arx_source: i32,
    value: i32,
}

impl Order {
    fn new(order: i32) -> Self {
        Self {
            id: 0,
            account: format!("account {order}"),
            order,
            selected: Some(order),
            s: order + 1,
            t: order + 2,
            n: order + 3,
            ord: -order,
            ord_: 9,
            excluded: order + 4,
            arx_source: order + 5,
            value: order + 6,
        }
    }
}

// EFCore.BulkExtensions 1093: a column named `Order` was quoted everywhere but in one place.
async fn case_104_reserved_words(context: &Context<'_>) {
    context.create_table::<Order>().await;
    let orders = context.repository::<Order>();
    let mut rows: Vec<_> = (0..50).rev().map(Order::new).collect();
    let keys = orders.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Order>(context, &keys).await, rows);
    rows.iter_mut().for_each(|row| (row.order, row.ord, row.selected) = (row.order + 100, 7, None));
    assert_eq!(orders.update_multiple(&rows).await.unwrap().matched, 50);
    orders.update(&rows[0]).columns((Order::ORDER, Order::SELECTED)).await.unwrap();
    let ordered =
        orders.retrieve_multiple(Order::SELECTED.is_null()).order_by((Order::ORD.asc(), Order::ORDER.desc())).await;
    assert_eq!(ordered.unwrap(), rows);
    assert_eq!(orders.count(Order::ORDER.lt(110) | Order::EXCLUDED.eq(53)).await.unwrap(), 11);
    assert_eq!(orders.delete_multiple(&keys[1..]).await.unwrap(), 49);
    assert!(orders.delete(keys[0]).await.unwrap());
}

macro_rules! odd_tables {
    ($($entity:ident $table:tt;)+) => {
        $(
            #[derive(Entity, Clone, Debug, PartialEq)]
            #[arx(table = $table)]
            struct $entity {
                #[arx(key, generated)]
                id: i64,
                name: String,
            }
        )+

        // go-mssqldb 416: the bulk loader put the table's name into the statement as it was.
        async fn case_105_tables_with_blanks_and_brackets(context: &Context<'_>) {
            $(
                context.create_table::<$entity>().await;
                let table = context.repository::<$entity>();
                let mut rows: Vec<_> = (0..10).map(|number| $entity { id: 0, name: format!("{number} of {}", $table) }).collect();
                let keys = table.create_multiple(&mut rows).await.unwrap();
                assert_eq!(stored::<$entity>(context, &keys).await, rows);
                rows.iter_mut().for_each(|row| row.name.push('!'));
                assert_eq!(table.update_multiple(&rows).await.unwrap().matched, 10);
                assert_eq!(table.retrieve_multiple($entity::NAME.contains($table)).order_by($entity::ID.asc()).await.unwrap(), rows);
                assert_eq!(table.delete_multiple(&keys[..9]).await.unwrap(), 9);
                assert_eq!(table.retrieve_multiple(()).await.unwrap(), rows[9..]);
            )+
        }
    };
}

odd_tables! {
    Reserved "Order";
    Blanks "bulk load staging";
    Brackets "weird]]name]";
    Quotes "we\"ird\"\"";
    Ticks "tick`s";
    Apostrophe "it's";
    Dots "a.b.c";
    Signs "$1 ? :x @y %s {} -- /* x";
    Letters "Größe_日本";
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(schema = "arx Vad", table = "VadeResults")]
struct Vade {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(schema = "arx.\"Staff", table = "Staff")]
struct Staff {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

/// Begins with an empty schema, which is outside the namespace of the case, and a table of the same name inside.
async fn create_schema<E: Entity>(context: &Context<'_>) {
    drop_schema::<E>(context).await;
    context.run(&format!("CREATE SCHEMA {}", context.backend.quote(E::TABLE.schema.unwrap()))).await;
    context.create_table::<E>().await;
    context.run(&format!("CREATE TABLE {} (id int)", context.backend.quote(E::TABLE.name))).await;
    context.log.reset();
}

async fn drop_schema<E: Entity>(context: &Context<'_>) {
    let schema = context.backend.quote(E::TABLE.schema.unwrap());
    // Where a schema is a database, it is never kept by what is in it, and there is no such word.
    if context.db.run(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE"), ()).await.is_err() {
        context.run(&format!("DROP SCHEMA IF EXISTS {schema}")).await;
    }
}

// EntityFrameworkCore.SimpleBulks 17: schema and table were quoted together, as one name with a point in it.
async fn case_106_a_table_in_a_schema(context: &Context<'_>) {
    create_schema::<Vade>(context).await;
    let vades = context.repository::<Vade>();
    let mut rows: Vec<_> = (0..10).map(|number| Vade { id: 0, name: number.to_string() }).collect();
    let keys = vades.create_multiple(&mut rows).await.unwrap();
    let key = vades.create(&rows[0]).await.unwrap();
    assert_eq!(stored::<Vade>(context, &keys).await, rows);
    assert_eq!(vades.retrieve(key).await.unwrap().unwrap().name, "0");
    let [schema, table] = ["arx Vad", "VadeResults"].map(|name| context.backend.quote(name));
    assert_eq!(context.run(&format!("UPDATE {schema}.{table} SET name = name")).await, 11);
    assert_eq!(context.run(&format!("UPDATE {table} SET id = id")).await, 0);
    drop_schema::<Vade>(context).await;
}

// BulkExtensions 8: the statement that filled the staging table of an update left the schema out.
async fn case_108_an_update_in_a_schema(context: &Context<'_>) {
    create_schema::<Staff>(context).await;
    let staff = context.repository::<Staff>();
    let mut rows: Vec<_> = (0..10).map(|number| Staff { id: 0, name: number.to_string() }).collect();
    let keys = staff.create_multiple(&mut rows).await.unwrap();
    rows.iter_mut().for_each(|row| row.name = format!("new {}", row.name));
    assert_eq!(staff.update_multiple(&rows).await.unwrap().matched, 10);
    assert_eq!(staff.update_multiple(&rows).require_all().lock_first().await.unwrap().matched, 10);
    staff.update(&rows[3]).await.unwrap();
    assert_eq!(stored::<Staff>(context, &keys).await, rows);
    assert_eq!(staff.count(Staff::NAME.starts_with("new ")).await.unwrap(), 10);
    assert_eq!(staff.delete_multiple(&keys[..8]).await.unwrap(), 8);
    assert!(staff.delete(keys[8]).await.unwrap());
    staff.delete_entity(&rows[9]).await.unwrap();
    let [schema, table] = ["arx.\"Staff", "Staff"].map(|name| context.backend.quote(name));
    assert_eq!(context.run(&format!("UPDATE {schema}.{table} SET name = name")).await, 0);
    drop_schema::<Staff>(context).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "users")]
struct User {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "odd\"; DROP TABLE users; --")]
struct Odd {
    #[arx(key, generated, column = "id\"; DROP TABLE users; --")]
    id: i64,
    #[arx(column = "'; DROP TABLE users; --")]
    apostrophe: String,
    #[arx(column = "`; DROP TABLE users; --")]
    tick: Option<i32>,
    #[arx(column = "]; DROP TABLE users; --")]
    bracket: i32,
    #[arx(column = "\\\"; DROP TABLE users; --")]
    backslash: i32,
    #[arx(column = "\\")]
    only_backslash: i32,
    #[arx(column = "\"\"")]
    only_quotes: i32,
    #[arx(column = "$1, ?1, :a, %s, {}")]
    placeholders: i32,
    #[arx(version, column = "/* \" */ ver\nsion")]
    version: i32,
}

impl Odd {
    fn new(number: i32) -> Self {
        Self {
            id: 0,
            apostrophe: format!("odd {number}"),
            tick: None,
            bracket: number,
            backslash: number + 1,
            only_backslash: number + 2,
            only_quotes: number + 3,
            placeholders: number + 4,
            version: 0,
        }
    }
}

#[derive(Record, Debug, PartialEq)]
struct Part {
    #[arx(column = "\\\"; DROP TABLE users; --")]
    backslash: i32,
    #[arx(column = "id\"; DROP TABLE users; --")]
    id: i64,
}

// drizzle-orm 6026 (CVE-2026-39356): a quote in a column's name was not doubled, so that a name could end the
// statement and begin another.
async fn case_109_names_that_would_be_sql(context: &Context<'_>) {
    context.create_table::<User>().await;
    context.repository::<User>().create(&User { id: 0, name: "still here".to_owned() }).await.unwrap();
    context.create_table::<Odd>().await;
    let odds = context.repository::<Odd>();
    let mut rows: Vec<_> = (0..10).map(Odd::new).collect();
    let keys = odds.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Odd>(context, &keys).await, rows);
    rows.iter_mut().for_each(|row| (row.tick, row.bracket, row.only_quotes) = (Some(row.bracket), 7, 8));
    assert_eq!(odds.update_multiple(&mut rows).await.unwrap().matched, 10);
    odds.update(&mut rows[2]).columns((Odd::BACKSLASH, Odd::APOSTROPHE)).await.unwrap();
    assert_eq!(stored::<Odd>(context, &keys).await, rows);
    let stale = Odd { version: 1, ..rows[5].clone() };
    assert_eq!(odds.update_multiple(&[rows[4].clone(), stale]).await.unwrap_err().rows()[0].index(), 1);
    let filter = Odd::ONLY_QUOTES.eq(8) & Odd::ONLY_BACKSLASH.gt(6) & Odd::PLACEHOLDERS.is_in(&[4, 9, 10, 11]);
    let order = (Odd::BRACKET.asc(), Odd::BACKSLASH.desc(), Odd::ID.asc().nulls_last());
    let parts = odds.retrieve_multiple(filter).order_by(order).limit(2).select::<Part>().await.unwrap();
    assert_eq!(parts, [Part { backslash: 8, id: keys[7] }, Part { backslash: 7, id: keys[6] }]);
    odds.delete_entity(&rows[0]).await.unwrap();
    assert_eq!(odds.delete_multiple(&keys).await.unwrap(), 9);
    assert_eq!(context.repository::<User>().retrieve_multiple(()).await.unwrap()[0].name, "still here");
}

// The same for values: they travel beside the statement, never in it.
async fn case_109_values_that_would_be_sql(context: &Context<'_>) {
    context.create_table::<User>().await;
    let users = context.repository::<User>();
    let names =
        ["'; DROP TABLE users; --", "\"; DELETE FROM users; --", "\\'; --", "$1", "?1", "{}", "NULL", "%", "_", "\\"];
    let mut rows: Vec<_> = names.iter().map(|&name| User { id: 0, name: name.to_owned() }).collect();
    let keys = users.create_multiple(&mut rows).await.unwrap();
    for (row, name) in rows.iter().zip(names) {
        let found = [
            users.retrieve_multiple(User::NAME.eq(name)).await.unwrap(),
            users.retrieve_multiple(User::NAME.is_in(&[name])).await.unwrap(),
            users.retrieve_multiple(User::NAME.between(name, name)).await.unwrap(),
            users.retrieve_multiple(User::NAME.starts_with(name) & User::NAME.ends_with(name)).await.unwrap(),
        ];
        assert!(found.iter().all(|found| found.as_slice() == std::slice::from_ref(row)), "{name}: {found:?}");
        assert!(!context.log.texts().iter().any(|text| text.contains("DELETE FROM users; --")));
    }
    assert_eq!(users.count(User::NAME.contains("%")).await.unwrap(), 1);
    assert_eq!(users.count(User::NAME.contains("\\")).await.unwrap(), 2);
    assert_eq!(users.count(User::NAME.is_not_in(&names)).await.unwrap(), 0);
    assert_eq!(stored::<User>(context, &keys).await, rows);
}
