//! NULL: a column of nothing else keeps its type, and JSON has a null of its own.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use super::stored;
use crate::Entity;
use crate::conformance::Context;
use crate::conformance::registry::cases;

cases! {
    case_014_floats_all_set_to_null: [5] [];
    case_016_arrays_all_set_to_null: [5] [Arrays];
    case_018_every_kind_all_set_to_null: [5] [];
    case_020_null_beside_other_types: [5] [];
    case_082_no_json_is_null_and_not_a_document: [5, 6] [];
    case_084_json_null_is_the_same_in_one_row_and_in_many: [5, 6] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "measures")]
struct Measure {
    #[arx(key)]
    id: i32,
    v: Option<f64>,
}

// peewee 2865: where every value was NULL, the list of values had the type text, which a float column refused.
async fn case_014_floats_all_set_to_null(context: &Context<'_>) {
    context.create_table::<Measure>().await;
    let measures = context.repository::<Measure>();
    let mut rows: Vec<_> = (1..=50).map(|id| Measure { id, v: Some(f64::from(id) / 4.0) }).collect();
    measures.create_multiple(&rows).await.unwrap();
    for count in [1, 2, 50] {
        rows.iter_mut().take(count).for_each(|row| row.v = None);
        assert_eq!(measures.update_multiple(&rows[..count]).await.unwrap().matched, u64::try_from(count).unwrap());
        assert_eq!(measures.retrieve_multiple(()).order_by(Measure::ID.asc()).await.unwrap(), rows);
    }
    let more: Vec<_> = (51..=60).map(|id| Measure { id, v: None }).collect();
    measures.create_multiple(&more).await.unwrap();
    assert_eq!(measures.count(Measure::V.is_null()).await.unwrap(), 60);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "people")]
struct Person {
    #[arx(key)]
    id: i32,
    emails: Option<Vec<String>>,
    scores: Option<Vec<i64>>,
}

// peewee 2292: an array column could not be set to NULL in an update of many rows.
async fn case_016_arrays_all_set_to_null(context: &Context<'_>) {
    context.create_table::<Person>().await;
    let people = context.repository::<Person>();
    let person = |id| Person { id, emails: Some(vec![format!("{id}@example.org")]), scores: Some(vec![id.into(), 7]) };
    let mut rows: Vec<_> = (1..=20).map(person).collect();
    people.create_multiple(&rows).await.unwrap();
    for row in &mut rows {
        (row.emails, row.scores) = (None, None);
    }
    assert_eq!(people.update_multiple(&rows).await.unwrap().matched, 20);
    assert_eq!(people.retrieve_multiple(()).order_by(Person::ID.asc()).await.unwrap(), rows);
    rows[3].emails = Some(Vec::new());
    people.update(&rows[3]).await.unwrap();
    people.update(&rows[4]).await.unwrap();
    assert_eq!(stored::<Person>(context, &[4, 5]).await, rows[3..5]);
    assert_eq!(people.count(Person::EMAILS.is_null()).await.unwrap(), 19);
}

#[derive(Entity, Clone, Debug, Default, PartialEq)]
#[arx(table = "kinds")]
struct Kinds {
    #[arx(key)]
    id: i32,
    flag: Option<bool>,
    small: Option<i16>,
    middle: Option<i32>,
    large: Option<i64>,
    single: Option<f32>,
    double: Option<f64>,
    exact: Option<Decimal>,
    text: Option<String>,
    bytes: Option<Vec<u8>>,
    uuid: Option<Uuid>,
    date: Option<NaiveDate>,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    instant: Option<DateTime<Utc>>,
    json: Option<serde_json::Value>,
}

impl Kinds {
    fn full(id: i32) -> Self {
        let instant = DateTime::from_timestamp_micros(1_600_000_000_123_456 + i64::from(id)).unwrap();
        Self {
            id,
            flag: Some(id % 2 == 0),
            small: Some(-3),
            middle: Some(id * 1_000),
            large: Some(i64::MIN),
            single: Some(0.5),
            double: Some(0.1),
            exact: Some(Decimal::new(12_345, 3)),
            text: Some(format!("text {id}")),
            bytes: Some(vec![0, 255, 7]),
            uuid: Some(Uuid::from_u128(u128::MAX - 1)),
            date: Some(instant.date_naive()),
            time: Some(instant.time()),
            local: Some(instant.naive_utc()),
            instant: Some(instant),
            json: Some(json!({"id": id, "list": [1, null]})),
        }
    }
}

// psycopg2 583: NULL in a list of values has the type text, so `UPDATE .. FROM (VALUES (NULL))` of a date failed.
async fn case_018_every_kind_all_set_to_null(context: &Context<'_>) {
    context.create_table::<Kinds>().await;
    let kinds = context.repository::<Kinds>();
    let full: Vec<_> = (1..=10).map(Kinds::full).collect();
    let empty: Vec<_> = (1..=10).map(|id| Kinds { id, ..Kinds::default() }).collect();
    let ids: Vec<_> = (1..=10).collect();
    kinds.create_multiple(&empty).await.unwrap();
    assert_eq!(stored::<Kinds>(context, &ids).await, empty);
    assert_eq!(kinds.update_multiple(&full).await.unwrap().matched, 10);
    assert_eq!(stored::<Kinds>(context, &ids).await, full);
    assert_eq!(kinds.update_multiple(&empty).await.unwrap().matched, 10);
    assert_eq!(stored::<Kinds>(context, &ids).await, empty);
    kinds.update(&full[4]).await.unwrap();
    kinds.update(&empty[4]).await.unwrap();
    assert_eq!(stored::<Kinds>(context, &[5]).await, empty[4..5]);
}

// mssql-django 341: an update of many rows was a CASE whose branches were all NULL, which has no type.
async fn case_020_null_beside_other_types(context: &Context<'_>) {
    context.create_table::<Kinds>().await;
    let kinds = context.repository::<Kinds>();
    let mut rows: Vec<_> = (1..=10).map(Kinds::full).collect();
    kinds.create_multiple(&rows).await.unwrap();
    // One column all NULL, one with NULL first, one with NULL last.
    for (row, place) in rows.iter_mut().zip(0..) {
        row.middle = None;
        row.text = (place > 0).then(|| format!("b{place}"));
        row.date = row.date.filter(|_| place < 9);
    }
    let done = kinds.update_multiple(&rows).columns((Kinds::MIDDLE, Kinds::TEXT, Kinds::DATE)).await.unwrap();
    assert_eq!(done.matched, 10);
    assert_eq!(kinds.retrieve_multiple(()).order_by(Kinds::ID.asc()).await.unwrap(), rows);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "papers")]
struct Paper {
    #[arx(key, generated)]
    id: i64,
    j: Option<serde_json::Value>,
    #[arx(json)]
    tags: Option<Vec<String>>,
}

// EFCore.BulkExtensions 1334: a missing document was stored as the text `null`.
async fn case_082_no_json_is_null_and_not_a_document(context: &Context<'_>) {
    context.create_table::<Paper>().await;
    let papers = context.repository::<Paper>();
    let empty = Paper { id: 0, j: None, tags: None };
    let full = Paper { id: 0, j: Some(json!({"a": [1, 2.5, "x", null]})), tags: Some(vec!["t".to_owned()]) };
    let mut rows = vec![empty.clone(), full.clone(), empty.clone()];
    let keys = papers.create_multiple(&mut rows).await.unwrap();
    papers.create(&empty).await.unwrap();
    assert_eq!(stored::<Paper>(context, &keys).await, rows);
    assert_eq!(papers.count(Paper::J.is_null() & Paper::TAGS.is_null()).await.unwrap(), 3);
    (rows[1].j, rows[1].tags) = (None, None);
    papers.update_multiple(&rows).await.unwrap();
    assert_eq!(papers.count(Paper::J.is_null() & Paper::TAGS.is_null()).await.unwrap(), 4);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "foo")]
struct Foo {
    #[arx(key, generated)]
    id: i64,
    x: serde_json::Value,
    y: Option<serde_json::Value>,
}

// sqlalchemy 6770: None in a JSON column was a JSON null in an insert of one row and SQL NULL in one of two.
async fn case_084_json_null_is_the_same_in_one_row_and_in_many(context: &Context<'_>) {
    context.create_table::<Foo>().await;
    let rows = context.repository::<Foo>();
    let row = |y| Foo { id: 0, x: serde_json::Value::Null, y };
    let (with_null, without) = (row(Some(serde_json::Value::Null)), row(None));
    let mut keys = vec![rows.create(&with_null).await.unwrap(), rows.create(&without).await.unwrap()];
    keys.extend(rows.create_multiple(&[with_null.clone(), without.clone()]).await.unwrap());
    let expect = [&with_null, &without, &with_null, &without];
    for (found, expected) in stored::<Foo>(context, &keys).await.iter().zip(expect) {
        assert_eq!((&found.x, &found.y), (&expected.x, &expected.y));
    }
    assert_eq!(rows.count(Foo::X.is_null()).await.unwrap(), 0);
    let mut nulls = rows.retrieve_multiple(Foo::Y.is_null()).order_by(Foo::ID.asc()).await.unwrap();
    assert_eq!(nulls.iter().map(|row| row.id).collect::<Vec<_>>(), [keys[1], keys[3]]);
    nulls.iter_mut().for_each(|row| row.y = Some(serde_json::Value::Null));
    assert_eq!(rows.update_multiple(&nulls).await.unwrap().matched, 2);
    assert_eq!(rows.count(Foo::Y.is_null()).await.unwrap(), 0);
}
