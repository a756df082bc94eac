//! JSON documents and arrays come back as they were.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use super::support::assert_error;
use super::types::{expect_found, survive};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::{Entity, ErrorKind, Scalar};

cases! {
    documents_survive: [5, 6] [];
    json_null_is_not_sql_null: [5, 6] [];
    a_document_of_another_shape_is_a_decode_error: [13] [];
    arrays_survive_ragged_and_empty: [5, 6] [Arrays];
    arrays_of_every_kind_survive: [5, 6] [Arrays];
    arrays_of_hard_texts_survive: [6, 12] [Arrays];
    arrays_are_refused_where_there_are_none: [13] [];
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Note {
    words: Vec<String>,
    size: Option<f64>,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "notes")]
struct Notes {
    #[arx(key)]
    id: i64,
    free: serde_json::Value,
    maybe: Option<serde_json::Value>,
    #[arx(json)]
    note: Note,
    #[arx(json)]
    tags: Option<Vec<String>>,
}

fn notes(free: serde_json::Value, maybe: Option<serde_json::Value>, words: &[&str]) -> Notes {
    let words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
    Notes { id: 0, free, maybe, note: Note { words: words.clone(), size: Some(0.5) }, tags: Some(words) }
}

async fn documents_survive(context: &Context<'_>) {
    // Not every database reads documents that are deeper.
    let deep =
        (0..30).fold(json!(1), |inner, depth| if depth % 2 == 0 { json!([inner]) } else { json!({ "a": inner }) });
    let mut rows = vec![
        notes(json!({}), None, &[]),
        notes(
            json!({"a": [1, 2.5, "x", null, true, {"b": []}], "ä😀": "\u{1F600}\n\"\\/"}),
            Some(json!([])),
            &["a", "'"],
        ),
        notes(deep, Some(json!("text")), &["{", "}", ",", "\\", "\""]),
        notes(json!(5), Some(json!(0)), &[""]),
        notes(json!(-1.25), Some(json!(false)), &["x"]),
        notes(json!("5"), Some(json!("")), &["x"]),
        notes(json!([[], [[]], {}]), Some(json!({"": null})), &["x"]),
        notes(json!(i64::MAX), Some(json!("'; DROP TABLE notes; --")), &["x"]),
    ];
    rows[0].tags = None;
    rows[1].note.size = None;
    survive(context, rows, |row, id| Notes { id, ..row.clone() }).await;
    expect_found(context, Notes::TAGS.is_null().and(Notes::ID.lt(8)), &[0]).await;
}

async fn json_null_is_not_sql_null(context: &Context<'_>) {
    let null = || serde_json::Value::Null;
    let rows = vec![notes(null(), None, &[]), notes(null(), Some(null()), &[]), notes(json!({}), Some(json!(1)), &[])];
    survive(context, rows.clone(), |row, id| Notes { id, ..row.clone() }).await;
    expect_found(context, Notes::MAYBE.is_null().and(Notes::ID.lt(3)), &[0]).await;
    expect_found(context, Notes::FREE.is_null(), &[]).await;
    for count in [1, 2] {
        let only: Vec<_> = (0..count).map(|n| Notes { id: 100 * count + n, ..rows[1].clone() }).collect();
        context.repository::<Notes>().create_multiple(&only).await.unwrap();
        let none: Vec<_> = (0..count).map(|n| Notes { id: 100 * count + 50 + n, ..rows[0].clone() }).collect();
        context.repository::<Notes>().create_multiple(&none).await.unwrap();
    }
    expect_found(context, Notes::MAYBE.is_null().and(Notes::ID.ge(100)), &[150, 250, 251]).await;
}

/// The table of `Notes`, read as another shape.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "notes")]
struct Other {
    #[arx(key)]
    id: i64,
    #[arx(json)]
    note: Vec<i32>,
}

async fn a_document_of_another_shape_is_a_decode_error(context: &Context<'_>) {
    context.create_table::<Notes>().await;
    let row = Notes { id: 1, ..notes(json!({}), None, &["secret"]) };
    context.repository::<Notes>().create(&row).await.unwrap();
    let error = context.repository::<Other>().retrieve(1).await.unwrap_err();
    assert_error(&error, ErrorKind::Decode, &["secret"]);
    assert_eq!(error.column(), Some("Other.note"));
    context.assert_usable().await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "lists")]
struct Lists {
    #[arx(key)]
    id: i64,
    numbers: Vec<i64>,
    maybe: Option<Vec<i32>>,
    holes: Vec<Option<i32>>,
    texts: Vec<String>,
}

fn lists(numbers: &[i64], maybe: Option<&[i32]>, holes: &[Option<i32>], texts: &[&str]) -> Lists {
    Lists {
        id: 0,
        numbers: numbers.to_vec(),
        maybe: maybe.map(<[i32]>::to_vec),
        holes: holes.to_vec(),
        texts: texts.iter().map(|&text| text.to_owned()).collect(),
    }
}

async fn arrays_survive_ragged_and_empty(context: &Context<'_>) {
    let long: Vec<i64> = (0..3_000).collect();
    let rows = vec![
        lists(&[], None, &[], &[]),
        lists(&[1], Some(&[]), &[None], &[""]),
        lists(&[i64::MIN, i64::MAX, 0], Some(&[1, 2]), &[Some(1), None, Some(3)], &["a", "b", "c"]),
        lists(&long, Some(&[0; 50]), &[None, None], &["x"]),
        lists(&[7], None, &[None], &["NULL", "null", ""]),
    ];
    survive(context, rows, |row, id| Lists { id, ..row.clone() }).await;
    expect_found(context, Lists::MAYBE.is_null().and(Lists::ID.lt(5)), &[0, 4]).await;
    expect_found(context, Lists::NUMBERS.eq(vec![7]).and(Lists::ID.lt(5)), &[4]).await;
    expect_found(context, Lists::MAYBE.eq(Vec::new()).and(Lists::ID.lt(5)), &[1]).await;
}

async fn arrays_of_hard_texts_survive(context: &Context<'_>) {
    let hard =
        ["", " ", "\"", "\\", "a,b", "{}", "{a}", "NULL", "'", "\\\"", "a\nb", "😀", "(\"x\")", "\u{1}", "\\N", "a b"];
    let mut rows: Vec<_> = hard.iter().map(|text| lists(&[], None, &[], &[text, "x", text])).collect();
    rows.push(lists(&[], None, &[], &hard));
    survive(context, rows, |row, id| Lists { id, ..row.clone() }).await;
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
struct Number(i16);

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "kinds")]
struct Kinds {
    #[arx(key)]
    id: i64,
    flags: Vec<bool>,
    small: Vec<i8>,
    unsigned: Vec<u32>,
    large: Vec<u64>,
    single: Vec<f32>,
    double: Vec<Option<f64>>,
    decimals: Vec<Decimal>,
    uuids: Vec<Uuid>,
    dates: Option<Vec<NaiveDate>>,
    instants: Vec<DateTime<Utc>>,
    documents: Vec<serde_json::Value>,
    numbers: Vec<Number>,
}

async fn arrays_of_every_kind_survive(context: &Context<'_>) {
    let empty = Kinds {
        id: 0,
        flags: vec![],
        small: vec![],
        unsigned: vec![],
        large: vec![],
        single: vec![],
        double: vec![],
        decimals: vec![],
        uuids: vec![],
        dates: None,
        instants: vec![],
        documents: vec![],
        numbers: vec![],
    };
    let full = Kinds {
        id: 0,
        flags: vec![true, false],
        small: vec![i8::MIN, -1, i8::MAX],
        unsigned: vec![0, u32::MAX],
        large: vec![0, i64::MAX.unsigned_abs()],
        single: vec![0.1, f32::MAX, f32::from_bits(1)],
        double: vec![Some(0.1), None, Some(f64::MIN), Some(1.0e-300)],
        decimals: ["1.50", "-0.0001", "79228162514264337593543950335"].map(|text| text.parse().unwrap()).to_vec(),
        uuids: vec![Uuid::max(), Uuid::nil()],
        dates: Some(["0001-01-01", "9999-12-31"].map(|text| text.parse().unwrap()).to_vec()),
        instants: [-1, 1, 1_577_934_245_678_901].map(|at| DateTime::from_timestamp_micros(at).unwrap()).to_vec(),
        documents: vec![json!({"a": ["\"", "\\", ","]}), json!(null), json!("x")],
        numbers: vec![Number(-5), Number(i16::MAX)],
    };
    let one = Kinds { small: vec![1], dates: Some(vec![]), flags: vec![false], ..empty.clone() };
    survive(context, vec![empty, full, one], |row, id| Kinds { id, ..row.clone() }).await;
}

async fn arrays_are_refused_where_there_are_none(context: &Context<'_>) {
    if context.backend.provides().contains(&crate::conformance::Requires::Arrays) {
        return;
    }
    context.create_table::<Lists>().await;
    let repository = context.repository::<Lists>();
    let row = lists(&[1], None, &[], &["secret"]);
    for error in [
        repository.create(&row).await.map(drop).unwrap_err(),
        repository.create_multiple(&[row.clone(), row.clone()]).await.map(drop).unwrap_err(),
        repository.update(&row).await.unwrap_err(),
        repository.retrieve_multiple(()).await.map(drop).unwrap_err(),
    ] {
        assert_error(&error, ErrorKind::Unsupported, &["secret"]);
        assert_eq!(error.column(), Some("Lists.numbers"));
    }
    context.assert_usable().await;
}
