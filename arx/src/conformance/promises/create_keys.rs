//! How keys are made: by the database, by arx, by the caller, of one column or of several.

use std::collections::HashSet;

use uuid::Uuid;

use crate::Entity;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::plan::Verb;

cases! {
    arx_makes_the_keys_that_it_is_told_to_make: [1] [];
    the_database_makes_keys_in_no_order: [1] [DefaultKeys];
    keys_of_several_columns_come_back_in_input_order: [1] [];
    tables_with_nothing_but_a_key_get_their_rows: [1, 3] [];
    a_key_of_several_columns_with_a_part_made_by_arx: [1] [];
    text_keys_come_back_as_they_were_given: [1] [];
    keys_come_back_in_input_order_from_a_table_of_mixed_history: [1] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "events")]
struct Event {
    #[arx(key, generate = "Uuid::now_v7")]
    id: Uuid,
    name: String,
}

impl Event {
    fn many(count: usize) -> Vec<Self> {
        (0..count).map(|number| Self { id: Uuid::nil(), name: format!("event {number}") }).collect()
    }
}

async fn arx_makes_the_keys_that_it_is_told_to_make(context: &Context<'_>) {
    context.create_table::<Event>().await;
    let events = context.repository::<Event>();
    let mut rows = Event::many(1_000);
    let keys = events.create_multiple(&rows).await.unwrap();
    context.assert_bulk::<Event>(Verb::Insert, 1_000);
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 1_000);
    assert!(rows.iter().all(|row| row.id.is_nil()));
    let stored = events.retrieve_by_keys(&keys).await.unwrap();
    assert!(stored.iter().zip(&rows).all(|(stored, row)| stored.as_ref().unwrap().name == row.name));
    let keys = events.create_multiple(&mut rows).await.unwrap();
    assert_eq!(keys, rows.iter().map(|row| row.id).collect::<Vec<_>>());
    let stored: Vec<_> = events.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
    let given = Event { id: Uuid::from_u128(5), name: "given".to_owned() };
    assert_eq!(events.create(&given).with_keys().await.unwrap(), given.id);
    let mut one = Event { id: Uuid::nil(), name: "one".to_owned() };
    assert_eq!(events.create(&mut one).await.unwrap(), one.id);
    assert_eq!(events.retrieve(one.id).await.unwrap(), Some(one));
    let full = events.create_multiple(&Event::many(3)).returning().await.unwrap();
    assert!(full.iter().zip(Event::many(3)).all(|(full, row)| !full.id.is_nil() && full.name == row.name));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "tokens")]
struct Token {
    #[arx(key, generated)]
    id: Uuid,
    name: String,
    note: Option<String>,
}

async fn the_database_makes_keys_in_no_order(context: &Context<'_>) {
    context.create_table::<Token>().await;
    let tokens = context.repository::<Token>();
    let row = |number: i32| Token {
        id: Uuid::nil(),
        name: format!("token {number}"),
        note: (number % 2 == 0).then(String::new),
    };
    let mut rows: Vec<_> = (0..1_000).map(row).collect();
    let keys = tokens.create_multiple(&rows).await.unwrap();
    context.assert_traffic(1, 1);
    let stored = tokens.retrieve_by_keys(&keys).await.unwrap();
    assert!(stored.iter().zip(&rows).all(|(stored, row)| stored.as_ref().unwrap().name == row.name));
    let keys = tokens.create_multiple(&mut rows[..10]).await.unwrap();
    assert!(rows[..10].iter().zip(&keys).all(|(row, key)| row.id == *key));
    let full = tokens.create_multiple(&rows[10..30]).returning().await.unwrap();
    assert!(full.iter().zip(&rows[10..30]).all(|(full, row)| full.name == row.name && !full.id.is_nil()));
    let mut one = row(5);
    assert_eq!(tokens.create(&mut one).await.unwrap(), one.id);
    assert_eq!(tokens.retrieve(one.id).await.unwrap(), Some(one));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "lines")]
struct Line {
    amount: i32,
    #[arx(key)]
    bill: i64,
    #[arx(key)]
    place: i32,
    #[arx(key)]
    kind: String,
}

async fn keys_of_several_columns_come_back_in_input_order(context: &Context<'_>) {
    context.create_table::<Line>().await;
    let lines = context.repository::<Line>();
    let line =
        |number: i32| Line { amount: number, bill: i64::from(number % 7), place: -number, kind: format!("k{number}") };
    let mut rows: Vec<_> = (0..500).map(line).collect();
    let wanted: Vec<_> = rows.iter().map(|row| (row.bill, row.place, row.kind.clone())).collect();
    assert_eq!(lines.create_multiple(&rows[..300]).await.unwrap(), wanted[..300]);
    context.assert_bulk::<Line>(Verb::Insert, 300);
    assert_eq!(lines.create_multiple(&mut rows[300..]).await.unwrap(), wanted[300..]);
    let stored: Vec<_> = lines.retrieve_by_keys(&wanted).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
    let more: Vec<_> = (500..600).rev().map(line).collect();
    assert_eq!(lines.create_multiple(&more).returning().await.unwrap(), more);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "ticks")]
struct Tick {
    #[arx(key, generated)]
    id: i64,
}

async fn tables_with_nothing_but_a_key_get_their_rows(context: &Context<'_>) {
    context.create_table::<Tick>().await;
    let ticks = context.repository::<Tick>();
    let mut rows = vec![Tick { id: 0 }; 300];
    let keys = ticks.create_multiple(&rows).await.unwrap();
    context.assert_bulk::<Tick>(Verb::Insert, 300);
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 300);
    assert!(ticks.retrieve_by_keys(&keys).await.unwrap().iter().all(Option::is_some));
    assert_eq!(ticks.create_multiple(&mut rows).await.unwrap(), rows.iter().map(|row| row.id).collect::<Vec<_>>());
    assert_eq!(ticks.create_multiple(&rows).without_keys().await.unwrap(), 300);
    assert!(ticks.create(&Tick { id: 0 }).await.unwrap() > 0);
    assert_eq!(ticks.count(()).await.unwrap(), 901);
    assert_eq!(
        ticks.create_multiple(&[Tick { id: 5_000 }, Tick { id: 4_000 }]).with_keys().await.unwrap(),
        [5_000, 4_000]
    );
    assert_eq!(ticks.delete_multiple(&[4_000, 5_000, 6_000]).await.unwrap(), 2);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "parts")]
struct Part {
    #[arx(key, generate = "Uuid::now_v7")]
    id: Uuid,
    #[arx(key)]
    tenant: i32,
    name: String,
}

async fn a_key_of_several_columns_with_a_part_made_by_arx(context: &Context<'_>) {
    context.create_table::<Part>().await;
    let parts = context.repository::<Part>();
    let mut rows: Vec<_> =
        (0..100).map(|number| Part { id: Uuid::nil(), tenant: number % 3, name: format!("p{number}") }).collect();
    let keys = parts.create_multiple(&rows).await.unwrap();
    assert!(keys.iter().zip(&rows).all(|(key, row)| !key.0.is_nil() && key.1 == row.tenant));
    let stored = parts.retrieve_by_keys(&keys).await.unwrap();
    assert!(stored.iter().zip(&rows).all(|(stored, row)| stored.as_ref().unwrap().name == row.name));
    let keys = parts.create_multiple(&mut rows).await.unwrap();
    assert_eq!(keys, rows.iter().map(|row| (row.id, row.tenant)).collect::<Vec<_>>());
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "tags")]
struct Tag {
    #[arx(key)]
    code: String,
    name: Option<String>,
}

async fn text_keys_come_back_as_they_were_given(context: &Context<'_>) {
    context.create_table::<Tag>().await;
    let tags = context.repository::<Tag>();
    let codes = ["b", "a", "", "ä", "A", "a b", "a\u{1F600}", "'; --", "%", "_"];
    let rows: Vec<_> = codes.iter().map(|code| Tag { code: (*code).to_owned(), name: None }).collect();
    assert_eq!(tags.create_multiple(&rows).await.unwrap(), codes);
    let stored: Vec<_> =
        tags.retrieve_by_keys(&codes.map(str::to_owned)).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
    assert_eq!(tags.create(&Tag { code: "one".to_owned(), name: None }).await.unwrap(), "one");
    let more = ["z", "y", "x"].map(|code| Tag { code: code.to_owned(), name: Some(code.to_owned()) });
    assert_eq!(tags.create_multiple(&more).returning().await.unwrap(), more);
}

async fn keys_come_back_in_input_order_from_a_table_of_mixed_history(context: &Context<'_>) {
    use crate::conformance::tables::Item;
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut random = fastrand::Rng::with_seed(2);
    let mut alive: Vec<i64> = Vec::new();
    for round in 0..30 {
        let rows = Item::many(random.i32(1..200));
        let keys = items.create_multiple(&rows).await.unwrap();
        let stored = items.retrieve_by_keys(&keys).await.unwrap();
        for (row, (key, stored)) in rows.iter().zip(keys.iter().zip(stored)) {
            assert_eq!(stored, Some(Item { id: *key, ..row.clone() }), "round {round}");
        }
        alive.extend(&keys);
        random.shuffle(&mut alive);
        let gone = alive.split_off(alive.len() / 2);
        assert_eq!(items.delete_multiple(&gone).await.unwrap(), gone.len() as u64);
    }
    assert_eq!(items.count(()).await.unwrap(), alive.len() as u64);
}
