//! Every kind, there and back, and the storage class in between.

use arx::ErrorKind;
use arx::prelude::*;
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::support::{memory, text};

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "kinds")]
struct Kinds {
    #[arx(key)]
    id: i64,
    flag: bool,
    tiny: i8,
    unsigned: u64,
    single: f32,
    double: Option<f64>,
    amount: Decimal,
    name: String,
    data: Vec<u8>,
    uuid: Uuid,
    date: NaiveDate,
    time: NaiveTime,
    at: NaiveDateTime,
    instant: DateTime<Utc>,
    document: serde_json::Value,
}

const KINDS: &str = "CREATE TABLE kinds (id INTEGER PRIMARY KEY, flag INTEGER, tiny INTEGER, unsigned INTEGER, \
    single REAL, double REAL, amount TEXT, name TEXT, data BLOB, uuid BLOB, date DATE, time TIME, at DATETIME, \
    instant DATETIME, document JSON)";

fn kinds(id: i64) -> Kinds {
    Kinds {
        id,
        flag: true,
        tiny: i8::MIN,
        unsigned: i64::MAX.cast_unsigned(),
        single: 0.1,
        double: Some(1.0e300),
        amount: "-79228162514264337593543950.335".parse().unwrap(),
        name: "zero \0, \u{1F600}, 'quoted'".to_owned(),
        data: vec![0, 255, 0],
        uuid: Uuid::from_u128(0x0123_4567_89ab_cdef_0011_2233_4455_6677),
        date: NaiveDate::from_ymd_opt(2024, 2, 29).unwrap(),
        time: NaiveTime::from_hms_micro_opt(23, 59, 59, 999_999).unwrap(),
        at: NaiveDate::from_ymd_opt(1, 1, 1).unwrap().and_hms_micro_opt(0, 0, 0, 1).unwrap(),
        instant: DateTime::from_timestamp_micros(-1).unwrap(),
        document: serde_json::json!({"a": [1, null, "x"]}),
    }
}

fn others(id: i64) -> Kinds {
    Kinds {
        flag: false,
        tiny: 0,
        single: -0.0,
        double: None,
        amount: "0.10".parse().unwrap(),
        name: String::new(),
        data: Vec::new(),
        document: serde_json::json!(1.5),
        ..kinds(id)
    }
}

#[tokio::test]
async fn values_survive_exactly() {
    let database = memory(KINDS).await;
    let rows = [kinds(1), others(2)];
    database.repository::<Kinds>().create_multiple(&rows).await.unwrap();
    let stored = database.repository::<Kinds>().retrieve_multiple(()).order_by(Kinds::ID.asc()).await.unwrap();
    assert_eq!(stored, rows);
    // SQLite itself looks into some of them.
    assert_eq!(text(&database, "SELECT date(instant) || length(data) FROM kinds WHERE id = 1").await, "1969-12-313");
    assert_eq!(text(&database, "SELECT amount FROM kinds WHERE id = 2").await, "0.10");
}

#[tokio::test]
async fn each_kind_has_its_storage_class() {
    let database = memory(KINDS).await;
    database.repository::<Kinds>().create(&kinds(1)).await.unwrap();
    let columns = Kinds::TABLE.columns.iter().map(|column| format!("typeof({})", column.name)).collect::<Vec<_>>();
    let sql = format!("SELECT {} FROM kinds", columns.join(" || ' ' || "));
    let classes = "integer integer integer integer real real text text blob blob text text text text text";
    assert_eq!(text(&database, &sql).await, classes);
}

#[tokio::test]
async fn filters_find_what_was_stored() {
    let database = memory(KINDS).await;
    let kinds_of = database.repository::<Kinds>();
    let row = kinds(1);
    kinds_of.create(&row).await.unwrap();
    kinds_of.create(&others(2)).await.unwrap();
    let (uuids, names, data, dates) = ([row.uuid], ["no", row.name.as_str()], [row.data.clone()], [row.date]);
    let filters = [
        Kinds::FLAG.eq(true),
        Kinds::UNSIGNED.eq(row.unsigned).and(Kinds::NAME.eq(row.name.as_str())),
        Kinds::SINGLE.eq(0.1_f32),
        Kinds::DOUBLE.eq(1.0e300),
        Kinds::AMOUNT.lt(Decimal::ZERO),
        Kinds::DATA.eq(row.data.clone()),
        Kinds::UUID.is_in(&uuids).and(Kinds::ID.is_not_in(&[2_i64, 3])),
        Kinds::NAME.is_in(&names),
        Kinds::DATA.is_in(&data),
        Kinds::DATE.is_in(&dates).and(Kinds::FLAG.eq(true)),
        Kinds::INSTANT.le(row.instant).and(Kinds::AT.ge(row.at)).and(Kinds::TIME.eq(row.time)).and(Kinds::TINY.lt(0)),
    ];
    for (place, filter) in filters.into_iter().enumerate() {
        let found = kinds_of.retrieve_multiple(filter).await.unwrap();
        assert_eq!(found, std::slice::from_ref(&row), "filter {place}");
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "prices")]
struct Price {
    #[arx(key)]
    id: i64,
    amount: Decimal,
}

#[tokio::test]
async fn decimals_are_compared_by_value() {
    let database = memory("CREATE TABLE prices (id INTEGER PRIMARY KEY, amount TEXT)").await;
    let prices = database.repository::<Price>();
    let amounts = ["9", "10", "-2", "-10.5", "1.50", "0"];
    let rows: Vec<_> = (1..).zip(amounts).map(|(id, amount)| Price { id, amount: amount.parse().unwrap() }).collect();
    prices.create_multiple(&rows).await.unwrap();
    let ids = |rows: Vec<Price>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    let all = prices.retrieve_multiple(()).order_by(Price::AMOUNT.desc()).await.unwrap();
    assert_eq!(ids(all), [2, 1, 5, 6, 3, 4]);
    let middle = Price::AMOUNT.between(Decimal::NEGATIVE_ONE, Decimal::from(9));
    assert_eq!(ids(prices.retrieve_multiple(middle).order_by(Price::ID.asc()).await.unwrap()), [1, 5, 6]);
    let equal: [Decimal; 2] = ["1.5".parse().unwrap(), "10.00".parse().unwrap()];
    assert_eq!(
        ids(prices.retrieve_multiple(Price::AMOUNT.is_in(&equal)).order_by(Price::ID.asc()).await.unwrap()),
        [2, 5]
    );
}

#[tokio::test]
async fn a_decimal_that_became_a_float_is_refused() {
    let database = memory("CREATE TABLE prices (id INTEGER PRIMARY KEY, amount DECIMAL(10, 2))").await;
    let prices = database.repository::<Price>();
    prices.create(&Price { id: 1, amount: "12.25".parse().unwrap() }).await.unwrap();
    let error = prices.retrieve(1).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.to_string().contains("declare the column TEXT") && !error.to_string().contains("12.25"), "{error}");
}

#[derive(Entity, Clone, Debug)]
#[arx(table = "limits")]
struct Limited {
    #[arx(key)]
    id: i64,
    number: u64,
    float: f64,
    date: NaiveDate,
}

#[tokio::test]
async fn what_cannot_be_stored_names_row_and_column() {
    let database = memory("CREATE TABLE limits (id INTEGER PRIMARY KEY, number INTEGER, float REAL, date TEXT)").await;
    let limits = database.repository::<Limited>();
    let date = NaiveDate::from_ymd_opt(9_999, 12, 31).unwrap();
    let good = |id| Limited { id, number: 1, float: f64::INFINITY, date };
    let cases = [
        (Limited { number: u64::MAX, ..good(70_001) }, "Limited.number"),
        (Limited { float: f64::NAN, ..good(70_001) }, "Limited.float"),
        (Limited { date: date.succ_opt().unwrap(), ..good(70_001) }, "Limited.date"),
    ];
    for (bad, column) in cases {
        // Far enough into the batch that earlier rows are with the worker already.
        let rows: Vec<_> = (1..=70_000).map(good).chain([bad]).collect();
        let error = limits.create_multiple(&rows).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some(column)), "{error}");
        assert_eq!(error.rows().iter().map(|row| row.index()).collect::<Vec<_>>(), [70_000]);
        assert_eq!(limits.count(()).await.unwrap(), 0);
    }
    limits.create(&good(1)).await.unwrap();
    assert!(limits.retrieve(1).await.unwrap().unwrap().float.is_infinite());
}

#[derive(Entity, Clone, Debug)]
#[arx(table = "arrays")]
struct Arrays {
    #[arx(key)]
    id: i64,
    list: Vec<i64>,
}

#[tokio::test]
async fn arrays_are_unsupported() {
    let database = memory("CREATE TABLE arrays (id INTEGER PRIMARY KEY, list TEXT)").await;
    let error = database.repository::<Arrays>().create(&Arrays { id: 1, list: vec![1] }).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Unsupported, Some("Arrays.list")));
}
