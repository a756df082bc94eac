//! Every kind, there and back, in one row and in many, and what does not fit.

use arx::prelude::*;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::Fixture;

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(type = "mood", rename_all = "snake_case")]
enum Mood {
    Fine,
    SoSo,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "everything")]
struct Everything {
    #[arx(key)]
    id: i64,
    flag: Option<bool>,
    small: Option<i16>,
    medium: Option<i32>,
    tiny: Option<i8>,
    byte: Option<u8>,
    word: Option<u16>,
    double_word: Option<u32>,
    quad_word: Option<u64>,
    single: Option<f32>,
    double: Option<f64>,
    amount: Option<Decimal>,
    text: Option<String>,
    bytes: Option<Vec<u8>>,
    uuid: Option<Uuid>,
    date: Option<NaiveDate>,
    time: Option<NaiveTime>,
    timestamp: Option<NaiveDateTime>,
    instant: Option<DateTime<Utc>>,
    document: Option<serde_json::Value>,
    mood: Option<Mood>,
    #[arx(type = "citext")]
    word_of_any_case: Option<String>,
    numbers: Option<Vec<Option<i32>>>,
    texts: Option<Vec<String>>,
    amounts: Option<Vec<Decimal>>,
    instants: Option<Vec<DateTime<Utc>>>,
    documents: Option<Vec<serde_json::Value>>,
    moods: Option<Vec<Mood>>,
}

const TABLE: &str = "
    CREATE TYPE mood AS ENUM ('fine', 'so_so');
    CREATE TABLE everything (id int8 PRIMARY KEY, flag bool, small int2, medium int4, tiny int2, byte int2, word int4,
      double_word int8, quad_word int8, single float4, double float8, amount numeric, text text, bytes bytea, uuid uuid,
      date date, time time, timestamp timestamp, instant timestamptz, document jsonb, mood mood, word_of_any_case citext,
      numbers int4[], texts text[], amounts numeric[], instants timestamptz[], documents jsonb[], moods mood[])";

fn nothing(id: i64) -> Everything {
    Everything {
        id,
        flag: None,
        small: None,
        medium: None,
        tiny: None,
        byte: None,
        word: None,
        double_word: None,
        quad_word: None,
        single: None,
        double: None,
        amount: None,
        text: None,
        bytes: None,
        uuid: None,
        date: None,
        time: None,
        timestamp: None,
        instant: None,
        document: None,
        mood: None,
        word_of_any_case: None,
        numbers: None,
        texts: None,
        amounts: None,
        instants: None,
        documents: None,
        moods: None,
    }
}

fn extremes(id: i64) -> Everything {
    let date = NaiveDate::from_ymd_opt(1, 1, 1).unwrap();
    let time = NaiveTime::from_hms_micro_opt(23, 59, 59, 999_999).unwrap();
    let late = DateTime::from_timestamp_micros(253_402_300_799_999_999).unwrap();
    Everything {
        id,
        flag: Some(true),
        small: Some(i16::MIN),
        medium: Some(i32::MIN),
        tiny: Some(i8::MIN),
        byte: Some(u8::MAX),
        word: Some(u16::MAX),
        double_word: Some(u32::MAX),
        quad_word: Some(u64::MAX / 2),
        single: Some(f32::MIN_POSITIVE),
        double: Some(f64::NEG_INFINITY),
        amount: Some("-79228162514264337593543950335".parse().unwrap()),
        text: Some("é\u{1f980}\"',{}\\ NULL".to_owned()),
        bytes: Some(vec![0, 255, b'\\']),
        uuid: Some(Uuid::from_u128(u128::MAX - 1)),
        date: Some(date),
        time: Some(time),
        timestamp: Some(date.and_time(time)),
        instant: Some(late),
        document: Some(serde_json::json!({"a": [1, null, "\u{1f980}"], "b": 1.5})),
        mood: Some(Mood::SoSo),
        word_of_any_case: Some("Word".to_owned()),
        numbers: Some(vec![Some(i32::MAX), None, Some(-1)]),
        texts: Some(vec![String::new(), "NULL".into(), "a,b\"c\\d{e}".into(), "é\u{1f980}".into()]),
        amounts: Some(vec!["0.0000000000000000000000000001".parse().unwrap(), Decimal::new(1_250, 3)]),
        instants: Some(vec![late, DateTime::from_timestamp_micros(-62_135_596_800_000_001).unwrap()]),
        documents: Some(vec![serde_json::json!("a\"b"), serde_json::json!(null), serde_json::json!({"k": []})]),
        moods: Some(vec![Mood::Fine, Mood::SoSo]),
    }
}

fn empties(id: i64) -> Everything {
    Everything {
        text: Some(String::new()),
        bytes: Some(Vec::new()),
        amount: Some("0.000".parse().unwrap()),
        document: Some(serde_json::Value::Null),
        numbers: Some(Vec::new()),
        texts: Some(Vec::new()),
        moods: Some(Vec::new()),
        ..nothing(id)
    }
}

async fn fixture(schema: &str) -> Option<Fixture> {
    let fixture = Fixture::new(schema, 2).await?;
    // Into a schema that all share; two tests may want to create it at once.
    let citext = "CREATE EXTENSION IF NOT EXISTS citext SCHEMA pg_catalog";
    for _ in 0..5 {
        if fixture.db.run(citext, ()).await.is_ok() {
            break;
        }
    }
    fixture.run(TABLE).await;
    Some(fixture)
}

#[tokio::test]
async fn every_kind_survives_in_one_row_and_in_many() {
    let Some(fixture) = fixture("driver_types").await else { return };
    let repository = fixture.db.repository::<Everything>();
    let make: [fn(i64) -> Everything; 3] = [nothing, extremes, empties];
    for (id, row) in (1..).zip(make) {
        repository.create(&row(id)).await.unwrap();
        assert_eq!(repository.retrieve(id).await.unwrap(), Some(row(id)));
    }
    let rows: Vec<_> = (10_i64..40).map(|id| make[usize::try_from(id % 3).unwrap()](id)).collect();
    repository.create_multiple(&rows).await.unwrap();
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    let found = repository.retrieve_multiple(Everything::ID.is_in(&ids)).order_by(Everything::ID.asc()).await.unwrap();
    assert_eq!(found, rows);
    // Each row's values to another row: NULL to values and back.
    let moved: Vec<_> = rows
        .iter()
        .map(|row| Everything { id: row.id, ..make[usize::try_from((row.id + 1) % 3).unwrap()](row.id) })
        .collect();
    repository.update_multiple(&moved).await.unwrap();
    let found = repository.retrieve_multiple(Everything::ID.is_in(&ids)).order_by(Everything::ID.asc()).await.unwrap();
    assert_eq!(found, moved);
    // What sqlx and the server themselves make of it.
    let sum: String =
        fixture.value("SELECT sum(amount)::text || ' ' || max(amounts[1]) FROM everything WHERE id = 2").await;
    assert_eq!(sum, "-79228162514264337593543950335 0.0000000000000000000000000001");
    assert!(
        fixture
            .value::<bool>("SELECT instants[2] = '0001-12-31 23:59:59.999999+00 BC' FROM everything WHERE id = 2")
            .await
    );
}

#[tokio::test]
async fn filters_compare_types_of_the_databases_own() {
    let Some(fixture) = fixture("driver_type_filters").await else { return };
    let repository = fixture.db.repository::<Everything>();
    repository.create_multiple(&[nothing(1), extremes(2), empties(3)]).await.unwrap();
    let count = async |filter| repository.retrieve_multiple(filter).await.unwrap().len();
    assert_eq!(count(Everything::MOOD.eq(Mood::SoSo)).await, 1);
    assert_eq!(count(Everything::MOOD.is_in(&[Mood::SoSo, Mood::Fine])).await, 1);
    assert_eq!(count(Everything::MOOD.is_not_in(&[Mood::Fine])).await, 1);
    assert_eq!(count(Everything::MOODS.eq(vec![Mood::Fine, Mood::SoSo])).await, 1);
    assert_eq!(count(Everything::WORD_OF_ANY_CASE.eq("wORD")).await, 1);
    assert_eq!(count(Everything::NUMBERS.eq(Vec::<Option<i32>>::new())).await, 1);
    assert_eq!(count(Everything::AMOUNT.is_in(&[Decimal::ZERO])).await, 1);
    assert_eq!(count(Everything::TEXT.starts_with("é\u{1f980}\"")).await, 1);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "padded")]
struct Padded {
    #[arx(key)]
    code: String,
    kind: String,
}

#[tokio::test]
async fn what_fills_a_column_up_is_not_a_part_of_its_values() {
    let Some(fixture) = Fixture::new("driver_type_padded", 2).await else { return };
    fixture.run("CREATE TABLE padded (code char(10) PRIMARY KEY, kind char(5) NOT NULL)").await;
    let padded = fixture.db.repository::<Padded>();
    let row =
        |id: u32| Padded { code: format!("c{id:02}"), kind: if id.is_multiple_of(2) { "even" } else { "odd" }.into() };
    let rows: Vec<Padded> = (0..20).map(row).collect();
    padded.create_multiple(&rows).await.unwrap();
    let stored = padded.retrieve_multiple(()).order_by(Padded::CODE.asc()).await.unwrap();
    assert_eq!(stored, rows);
    padded.update(&stored[0]).await.unwrap();
    assert_eq!(padded.update_multiple(&stored).require_all().await.unwrap().matched, 20);
    assert_eq!(padded.count(Padded::KIND.eq(&stored[1].kind)).await.unwrap(), 10);
    let (mut seen, mut next) = (Vec::new(), None);
    loop {
        let order = (Padded::KIND.desc(), Padded::CODE.asc());
        let page = padded.retrieve_multiple(()).order_by(order).keyset(7).after(next).await.unwrap();
        seen.extend(page.items);
        next = page.next;
        if next.is_none() {
            break;
        }
    }
    seen.sort_by(|a, b| a.code.cmp(&b.code));
    assert_eq!(seen, rows);
    let codes: Vec<String> = stored.into_iter().map(|row| row.code).collect();
    assert_eq!(padded.delete_multiple(&codes).await.unwrap(), 20);
}

#[tokio::test]
async fn what_has_no_form_names_column_and_row_before_anything_is_sent() {
    let Some(fixture) = fixture("driver_type_faults").await else { return };
    let repository = fixture.db.repository::<Everything>();
    let mut rows = vec![nothing(1), nothing(2), nothing(3)];
    rows[2].text = Some("a\0b".into());
    let error = repository.create_multiple(&rows).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Everything.text")));
    assert_eq!(error.rows()[0].index(), 2);
    let error = repository.create(&rows[2]).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Everything.text")));
    let mut rows = vec![nothing(1), nothing(2)];
    rows[1].quad_word = Some(u64::MAX);
    let error = repository.create_multiple(&rows).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Everything.quad_word")));
    rows[1].quad_word = None;
    rows[0].texts = Some(vec!["\0".into()]);
    let error = repository.create_multiple(&rows).await.unwrap_err();
    assert_eq!((error.kind(), error.rows()[0].index()), (ErrorKind::Encode, 0));
    assert_eq!(fixture.value::<i64>("SELECT count(*) FROM everything").await, 0);
}

#[tokio::test]
async fn what_does_not_fit_is_never_narrowed() {
    let Some(fixture) = fixture("driver_type_misfits").await else { return };
    let run = async |sql: &str| {
        fixture.run("TRUNCATE everything").await;
        fixture.run(sql).await;
        fixture.db.repository::<Everything>().retrieve_multiple(()).await.unwrap_err()
    };
    for sql in [
        "INSERT INTO everything (id, tiny) VALUES (1, 128)",
        "INSERT INTO everything (id, byte) VALUES (1, -1)",
        "INSERT INTO everything (id, quad_word) VALUES (1, -1)",
        "INSERT INTO everything (id, amount) VALUES (1, 'NaN')",
        "INSERT INTO everything (id, date) VALUES (1, 'infinity')",
        "INSERT INTO everything (id, instant) VALUES (1, '-infinity')",
        "INSERT INTO everything (id, numbers) VALUES (1, '{{1,2},{3,4}}')",
        "INSERT INTO everything (id, texts) VALUES (1, '{NULL}')",
        "ALTER TABLE everything ALTER medium TYPE int8; INSERT INTO everything (id, medium) VALUES (1, 1)",
    ] {
        let error = run(sql).await;
        assert_eq!(error.kind(), ErrorKind::Decode, "{sql}: {error}");
    }
    fixture.run("ALTER TABLE everything ALTER medium TYPE int2; ALTER TABLE everything ALTER double TYPE float4; ALTER TABLE everything ALTER document TYPE json").await;
    fixture.run("TRUNCATE everything; INSERT INTO everything (id, medium, double, document) VALUES (1, 7, 1.5, '{\"a\" : 1}')").await;
    let row = fixture.db.repository::<Everything>().retrieve(1).await.unwrap().unwrap();
    assert_eq!((row.medium, row.double, row.document), (Some(7), Some(1.5), Some(serde_json::json!({"a": 1}))));
}
