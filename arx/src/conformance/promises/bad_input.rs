//! What is wrong is a typed error that says where, shows no value, and leaves a usable connection.

use std::error::Error as _;

use super::support::{assert_error, named, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{Entity, Error, ErrorKind, Record};

cases! {
    a_missing_table_is_told_by_every_verb: [13] [];
    a_missing_column_is_told: [13] [];
    a_column_of_another_type_is_a_decode_error: [6, 13] [];
    null_in_a_field_that_takes_none_is_a_decode_error: [5, 13] [];
    a_row_that_cannot_be_read_leaves_a_usable_connection: [11, 13] [];
    a_column_that_the_struct_does_not_know_is_the_databases: [5, 13] [];
    the_error_of_the_driver_is_the_source: [13] [];
    a_text_too_long_for_its_column_is_refused: [2, 13] [SizedIntegers];
    hand_written_sql_that_is_wrong_is_an_error: [12, 13] [];
    hand_written_sql_takes_arguments_and_returns_rows: [6, 12] [];
    keys_of_the_wrong_kind_are_refused: [9, 13] [];
    an_entity_without_a_column_to_update_is_told_so: [13] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "marks")]
struct Mark {
    #[arx(key)]
    id: i64,
    #[arx(skip_update)]
    place: i32,
}

async fn an_entity_without_a_column_to_update_is_told_so(context: &Context<'_>) {
    context.create_table::<Mark>().await;
    let marks = context.repository::<Mark>();
    let rows = [Mark { id: 1, place: 7 }, Mark { id: 2, place: 7 }];
    marks.create_multiple(&rows).await.unwrap();
    context.log.reset();
    assert_error(&marks.update(&rows[0]).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_error(&marks.update_multiple(&rows).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    context.assert_traffic(0, 0);
    assert_eq!(stored::<Mark>(&context.db).await, 2);
}

/// No table is ever created for it.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "nowhere")]
struct Nowhere {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

async fn a_missing_table_is_told_by_every_verb(context: &Context<'_>) {
    let alone = context.another(1).await;
    let repository = alone.repository::<Nowhere>();
    let row = |id: i64| Nowhere { id, name: "secret".to_owned() };
    let (mut one, mut many) = (row(1), vec![row(2), row(3)]);
    let errors: Vec<Error> = vec![
        repository.create(&mut one).await.map(drop).unwrap_err(),
        repository.create_multiple(&mut many).await.map(drop).unwrap_err(),
        repository.create_multiple(&many).without_keys().await.map(drop).unwrap_err(),
        repository.create_multiple(&many).returning().find_failing_row().await.map(drop).unwrap_err(),
        repository.update(&mut one).await.unwrap_err(),
        repository.update_multiple(&mut many).await.map(drop).unwrap_err(),
        repository.update_multiple(&many).require_all().lock_first().await.map(drop).unwrap_err(),
        repository.delete(1).await.map(drop).unwrap_err(),
        repository.delete_entity(&one).await.unwrap_err(),
        repository.delete_multiple(&[1, 2]).await.map(drop).unwrap_err(),
        repository.retrieve(1).await.map(drop).unwrap_err(),
        repository.retrieve_by_keys(&[1, 2]).await.map(drop).unwrap_err(),
        repository.retrieve_multiple(Nowhere::NAME.eq("secret")).await.map(drop).unwrap_err(),
        repository.count(()).await.map(drop).unwrap_err(),
        repository.exists(()).await.map(drop).unwrap_err(),
    ];
    for error in &errors {
        assert_error(error, ErrorKind::UndefinedObject, &["secret"]);
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
    assert_eq!((one, many), (row(1), vec![row(2), row(3)]));
    // The table may come later: nothing that was remembered stands in the way.
    context.create_table::<Nowhere>().await;
    let keys = repository.create_multiple(&[row(0), row(0)]).await.unwrap();
    assert_eq!(repository.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().count(), 2);
}

macro_rules! items_as {
    ($($name:ident { $($field:ident: $type:ty),* };)+) => {$(
        #[derive(Entity, Clone, Debug, PartialEq)]
        #[arx(table = "items")]
        struct $name {
            #[arx(key, generated)]
            id: i64,
            $($field: $type,)*
        }
    )+};
}

items_as! {
    More { name: String, price: i32 };
    Mistyped { name: i32 };
    Strict { note: String };
    Fewer { name: String };
}

async fn a_missing_column_is_told(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let repository = context.repository::<More>();
    let row = More { id: 1, name: "secret".to_owned(), price: 1 };
    let errors = [
        repository.create(&row).await.map(drop).unwrap_err(),
        repository.create_multiple(&[row.clone(), row.clone()]).await.map(drop).unwrap_err(),
        repository.update(&row).await.unwrap_err(),
        repository.retrieve(1).await.map(drop).unwrap_err(),
        repository.retrieve_multiple(More::PRICE.eq(5)).await.map(drop).unwrap_err(),
    ];
    for error in &errors {
        assert_error(error, ErrorKind::UndefinedObject, &["secret"]);
        assert!(error.to_string().contains("items"), "{error}");
    }
    context.assert_usable().await;
}

async fn three_items(context: &Context<'_>) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(3);
    rows[0].note = Some("secret".to_owned());
    rows[0].name = "secret".to_owned();
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    rows
}

async fn a_column_of_another_type_is_a_decode_error(context: &Context<'_>) {
    let rows = three_items(context).await;
    let repository = context.repository::<Mistyped>();
    let keys: Vec<_> = rows.iter().map(|row| row.id).collect();
    for error in [
        repository.retrieve(keys[0]).await.map(drop).unwrap_err(),
        repository.retrieve_by_keys(&keys).await.map(drop).unwrap_err(),
        repository.retrieve_multiple(()).await.map(drop).unwrap_err(),
    ] {
        assert_error(&error, ErrorKind::Decode, &["secret"]);
        assert_eq!(error.column(), Some("Mistyped.name"));
    }
    context.assert_usable().await;
}

async fn null_in_a_field_that_takes_none_is_a_decode_error(context: &Context<'_>) {
    let mut rows = three_items(context).await;
    rows[0].note = None;
    context.repository::<Item>().update(&rows[0]).await.unwrap();
    let repository = context.repository::<Strict>();
    let keys: Vec<_> = rows.iter().map(|row| row.id).collect();
    for error in [
        repository.retrieve(keys[0]).await.map(drop).unwrap_err(),
        repository.retrieve_by_keys(&keys).await.map(drop).unwrap_err(),
        repository.retrieve_multiple(()).order_by(Strict::ID.asc()).await.map(drop).unwrap_err(),
    ] {
        assert_error(&error, ErrorKind::Decode, &["secret"]);
        assert_eq!(error.column(), Some("Strict.note"));
        assert!(error.to_string().contains("NULL"), "{error}");
    }
    assert_eq!(repository.retrieve(keys[1]).await.unwrap().unwrap().note, "note 1");
    context.assert_usable().await;
}

async fn a_row_that_cannot_be_read_leaves_a_usable_connection(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows = Item::many(5_000);
    rows.iter_mut().for_each(|row| row.note = Some("x".to_owned()));
    rows[2_500].note = None;
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    let alone = context.another(1).await;
    for _ in 0..3 {
        // The bad row is in the middle of those that are sent.
        let error = alone.repository::<Strict>().retrieve_multiple(()).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Strict.note")));
        assert_eq!(alone.repository::<Item>().retrieve(rows[7].id).await.unwrap().as_ref(), Some(&rows[7]));
    }
    // In a transaction too: what was written before stays.
    let tx = alone.begin().await.unwrap();
    tx.repository::<Item>().create(&Item::new(1)).await.unwrap();
    tx.repository::<Strict>().retrieve_multiple(()).await.unwrap_err();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), 5_001);
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 5_001);
}

async fn a_column_that_the_struct_does_not_know_is_the_databases(context: &Context<'_>) {
    let rows = three_items(context).await;
    let repository = context.repository::<Fewer>();
    let row = Fewer { id: 0, name: "secret".to_owned() };
    let error = repository.create_multiple(&[row.clone(), row]).await.unwrap_err();
    assert_error(&error, ErrorKind::NotNullViolation, &["secret"]);
    assert!(error.column().is_some_and(|column| column.contains("amount")), "{error}");
    let changed = Fewer { id: rows[1].id, name: "changed".to_owned() };
    repository.update(&changed).await.unwrap();
    let stored = context.repository::<Item>().retrieve(rows[1].id).await.unwrap().unwrap();
    assert_eq!(stored, Item { name: "changed".to_owned(), ..rows[1].clone() });
}

async fn the_error_of_the_driver_is_the_source(context: &Context<'_>) {
    context.create_table_with::<Item>(&[("name", "UNIQUE")], &[]).await;
    let items = context.repository::<Item>();
    items.create(&Item::new(1)).await.unwrap();
    let error = items.create(&Item::new(1)).await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &["item 1"]);
    assert!(error.source().is_some());
    let error = context.repository::<Nowhere>().count(()).await.unwrap_err();
    assert!(error.source().is_some());
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "short_texts")]
struct ShortText {
    #[arx(key)]
    id: i64,
    code: String,
}

async fn a_text_too_long_for_its_column_is_refused(context: &Context<'_>) {
    let quote = |name: &str| context.backend.quote(name);
    let table = quote("short_texts");
    context
        .run(&format!(
            "CREATE TABLE {table} ({} BIGINT PRIMARY KEY, {} VARCHAR(3) NOT NULL)",
            quote("id"),
            quote("code")
        ))
        .await;
    let repository = context.repository::<ShortText>();
    let mut rows: Vec<_> = (0..100).map(|id| ShortText { id, code: "äöü".to_owned() }).collect();
    repository.create_multiple(&rows[..50]).await.unwrap();
    rows[70].code = "secret".to_owned();
    let error = repository.create_multiple(&rows[50..]).find_failing_row().await.unwrap_err();
    assert_error(&error, ErrorKind::ValueRejected, &["secret"]);
    assert_eq!(named(&error), [20]);
    assert_eq!(repository.create(&rows[70]).await.unwrap_err().kind(), ErrorKind::ValueRejected);
    rows[10].code = "abcd".to_owned();
    // A cast would cut it off in silence.
    assert_eq!(repository.update_multiple(&rows[..50]).await.unwrap_err().kind(), ErrorKind::ValueRejected);
    assert_eq!(repository.count(ShortText::CODE.eq("äöü")).await.unwrap(), 50);
    assert_eq!(repository.count(ShortText::CODE.eq("äöüx")).await.unwrap(), 0);
}

async fn hand_written_sql_that_is_wrong_is_an_error(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = context.another(1).await;
    let select = format!("SELECT {} FROM {}", context.backend.quote("amount"), context.backend.quote("items"));
    assert!(alone.run("SELEC 'secret'", ()).await.is_err());
    let cut = alone.run("SELECT 1\0; DELETE FROM items", ()).await.unwrap_err();
    assert_error(&cut, ErrorKind::InvalidInput, &["DELETE"]);
    assert!(alone.run("", ()).await.is_err() || stored::<Item>(&alone).await == 0);
    // PostgreSQL takes an argument that no placeholder stands for.
    if let Err(error) = alone.query::<Amount>(&select, (5_i64,)).await {
        assert_error(&error, ErrorKind::InvalidInput, &["5"]);
    }
    let missing = format!("SELECT * FROM {}", context.backend.quote("nowhere"));
    let error = alone.run(&missing, ()).await.unwrap_err();
    assert_error(&error, ErrorKind::UndefinedObject, &[]);
    context.repository::<Item>().create(&Item::new(3)).await.unwrap();
    let name = format!("SELECT {} FROM {}", context.backend.quote("name"), context.backend.quote("items"));
    let error = alone.query::<Amount>(&name, ()).await.unwrap_err();
    assert_error(&error, ErrorKind::Decode, &["item 3"]);
    assert_eq!(error.column(), Some("amount"));
    assert_eq!(alone.query::<Amount>(&select, ()).await.unwrap(), [Amount { amount: 3 }]);
    let tx = alone.begin().await.unwrap();
    assert!(tx.run("SELEC", ()).await.is_err());
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 1);
}

#[derive(Record, Debug, PartialEq)]
struct Amount {
    amount: i32,
}

async fn hand_written_sql_takes_arguments_and_returns_rows(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    items.create_multiple(&Item::many(10)).await.unwrap();
    let quote = |name: &str| context.backend.quote(name);
    let (table, name, amount) = (quote("items"), quote("name"), quote("amount"));
    let placeholder = |number: usize| match context.db.pool().dialect().lexis().placeholder {
        crate::dialect::Placeholder::Question => "?".to_owned(),
        crate::dialect::Placeholder::Numbered(prefix) => format!("{prefix}{number}"),
    };
    let (first, second) = (placeholder(1), placeholder(2));
    let select =
        format!("SELECT {amount} FROM {table} WHERE {amount} >= {first} AND {name} <> {second} ORDER BY {amount}");
    let found = context.db.query::<Amount>(&select, (7, "item 8")).await.unwrap();
    assert_eq!(found, [Amount { amount: 7 }, Amount { amount: 9 }]);
    let update = format!("UPDATE {table} SET {name} = {first} WHERE {amount} < {second}");
    let hard = "'; DELETE FROM items; -- $1 ? \\";
    assert_eq!(context.db.run(&update, (hard, 4)).await.unwrap(), 4);
    assert_eq!(items.count(Item::NAME.eq(hard)).await.unwrap(), 4);
    let tx = context.db.begin().await.unwrap();
    assert_eq!(tx.run(&update, ("x".to_owned(), 2)).await.unwrap(), 2);
    assert_eq!(tx.query::<Amount>(&select, (9, "")).await.unwrap(), [Amount { amount: 9 }]);
    tx.rollback().await.unwrap();
    assert_eq!(items.count(Item::NAME.eq(hard)).await.unwrap(), 4);
}

// The derive refuses a float that it sees; this one it does not.
#[derive(crate::Scalar, Clone, Copy, Debug, PartialEq)]
struct Metres(f64);

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "measures")]
struct Measure {
    #[arx(key)]
    value: Metres,
    name: String,
}

async fn keys_of_the_wrong_kind_are_refused(context: &Context<'_>) {
    context.create_table::<Measure>().await;
    let repository = context.repository::<Measure>();
    let rows = [1.5, 2.5].map(|value| Measure { value: Metres(value), name: "secret".to_owned() });
    repository.create_multiple(&rows).await.unwrap();
    for error in [
        repository.update_multiple(&rows).await.map(drop).unwrap_err(),
        repository.delete_multiple(&[Metres(1.5), Metres(2.5)]).await.map(drop).unwrap_err(),
        repository.retrieve_by_keys(&[Metres(1.5), Metres(2.5)]).await.map(drop).unwrap_err(),
    ] {
        assert_error(&error, ErrorKind::Unsupported, &["secret", "1.5"]);
    }
    assert_eq!(repository.count(()).await.unwrap(), 2);
}
