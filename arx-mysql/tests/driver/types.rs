//! Every type, as a value and as NULL, in any row of a batch.

use arx::{Entity, ErrorKind, Scalar};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::on_each;

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(rename_all = "lowercase")]
enum Mood {
    Glad,
    Sad,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "kinds")]
struct Kinds {
    #[arx(key)]
    id: u64,
    bit: Option<bool>,
    flag: Option<bool>,
    tiny: Option<i8>,
    small: Option<u16>,
    middle: Option<u32>,
    large: Option<u64>,
    single: Option<f32>,
    double: Option<f64>,
    exact: Option<Decimal>,
    mood: Option<Mood>,
    moods: Option<String>,
    bytes: Option<Vec<u8>>,
    token: Option<Uuid>,
    day: Option<NaiveDate>,
    time: Option<NaiveTime>,
    local: Option<NaiveDateTime>,
    instant: Option<DateTime<Utc>>,
    document: Option<serde_json::Value>,
}

const TABLE: &str = "CREATE TABLE kinds (id BIGINT UNSIGNED PRIMARY KEY, bit BIT(1), flag TINYINT(1), tiny TINYINT, \
    small SMALLINT UNSIGNED, middle MEDIUMINT UNSIGNED, large BIGINT UNSIGNED, single FLOAT, `double` DOUBLE, \
    exact DECIMAL(38, 10), mood ENUM('glad', 'sad'), moods SET('a', 'b', 'c'), bytes LONGBLOB, token BINARY(16), \
    day DATE, time TIME(6), local DATETIME(6), instant TIMESTAMP(6) NULL, document JSON)";

fn kinds(id: u64) -> Kinds {
    let instant = DateTime::from_timestamp_micros(1_577_934_245_678_901).unwrap();
    Kinds {
        id,
        bit: Some(true),
        flag: Some(false),
        tiny: Some(i8::MIN),
        small: Some(u16::MAX),
        middle: Some(16_777_215),
        large: Some(u64::MAX),
        single: Some(0.1),
        double: Some(1.0 / 3.0),
        exact: Some("-123456789012345678.0123456789".parse().unwrap()),
        mood: Some(Mood::Sad),
        moods: Some("a,c".to_owned()),
        bytes: Some(vec![0, 255, b'\\', b'\'']),
        token: Some(Uuid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff)),
        day: NaiveDate::from_ymd_opt(9999, 12, 31),
        time: NaiveTime::from_hms_micro_opt(23, 59, 59, 999_999),
        local: Some(instant.naive_utc()),
        instant: Some(instant),
        document: Some(serde_json::json!({"a": [1, null, "x"]})),
    }
}

fn nothing(id: u64) -> Kinds {
    Kinds {
        id,
        bit: None,
        flag: None,
        tiny: None,
        small: None,
        middle: None,
        large: None,
        single: None,
        double: None,
        exact: None,
        mood: None,
        moods: None,
        bytes: None,
        token: None,
        day: None,
        time: None,
        local: None,
        instant: None,
        document: None,
    }
}

#[test]
fn values_and_null_in_any_row_survive() {
    on_each("kinds", async |fixture| {
        fixture.run(TABLE).await;
        let repository = fixture.db.repository::<Kinds>();
        for size in [1_u64, 2, 3, 65, 300] {
            // Keys beyond 63 bits.
            let first = u64::MAX - 1_000;
            for null in [0, 1, size - 1] {
                let row = |row: u64| if row == null { nothing(first + row) } else { kinds(first + row) };
                let rows: Vec<_> = (0..size).map(row).collect();
                repository.create_multiple(&rows).await.unwrap();
                let keys: Vec<_> = rows.iter().map(|row| row.id).collect();
                let found = repository.retrieve_by_keys(&keys).await.unwrap();
                assert!(found.into_iter().flatten().eq(rows.iter().cloned()), "{size} {null}");
                // The other way round: what had a value has none, and the other way about.
                let turned: Vec<_> =
                    (0..size).map(|row| if row == null { kinds(first + row) } else { nothing(first + row) }).collect();
                assert_eq!(repository.update_multiple(&turned).await.unwrap().matched, size);
                assert_eq!(repository.update_multiple(&rows).await.unwrap().matched, size);
                let found = repository.retrieve_by_keys(&keys).await.unwrap();
                assert!(found.into_iter().flatten().eq(rows.iter().cloned()), "{size} {null}");
                assert_eq!(repository.delete_multiple(&keys).await.unwrap(), size);
            }
        }
    });
}

#[test]
fn values_are_found_by_what_they_are() {
    on_each("found", async |fixture| {
        fixture.run(TABLE).await;
        let repository = fixture.db.repository::<Kinds>();
        let row = kinds(u64::MAX);
        repository.create_multiple(&[row.clone(), nothing(1)]).await.unwrap();
        assert_eq!(repository.retrieve(u64::MAX).await.unwrap(), Some(row.clone()));
        let count = async |filter| repository.count(filter).await.unwrap();
        assert_eq!(count(Kinds::BIT.eq(true)).await, 1);
        assert_eq!(count(Kinds::LARGE.eq(u64::MAX)).await, 1);
        assert_eq!(count(Kinds::SINGLE.eq(0.1)).await, 1);
        assert_eq!(count(Kinds::EXACT.eq(row.exact)).await, 1);
        assert_eq!(count(Kinds::EXACT.gt("-123456789012345678.0123456790".parse::<Decimal>().unwrap())).await, 1);
        assert_eq!(count(Kinds::MOOD.eq(Mood::Sad)).await, 1);
        assert_eq!(count(Kinds::BYTES.eq(row.bytes.clone())).await, 1);
        assert_eq!(count(Kinds::TOKEN.eq(row.token)).await, 1);
        assert_eq!(count(Kinds::TIME.eq(row.time)).await, 1);
        assert_eq!(count(Kinds::INSTANT.eq(row.instant)).await, 1);
        if !fixture.is_mariadb() {
            // As documents, whatever the order of their members; MariaDB compares their texts.
            assert_eq!(count(Kinds::DOCUMENT.eq(row.document.clone())).await, 1);
        }
        let many: Vec<u64> = (0..2_000).map(|number| u64::MAX - number).collect();
        assert_eq!(count(Kinds::LARGE.is_in(&many)).await, 1);
        assert_eq!(count(Kinds::ID.is_not_in(&many)).await, 1);
        let times: Vec<_> =
            (0..2_000).map(|micros| row.instant.unwrap() + chrono::TimeDelta::microseconds(micros)).collect();
        assert_eq!(count(Kinds::INSTANT.is_in(&times)).await, 1);
        assert_eq!(count(Kinds::INSTANT.is_in(&times[1..])).await, 0);
        let tokens: Vec<_> =
            (0..2_000_u128).map(|number| Uuid::from_u128(row.token.unwrap().as_u128() + number)).collect();
        assert_eq!(count(Kinds::TOKEN.is_in(&tokens)).await, 1);
        let exacts: Vec<_> = (0..2_000).map(|number| row.exact.unwrap() + Decimal::from(number)).collect();
        assert_eq!(count(Kinds::EXACT.is_in(&exacts)).await, 1);
    });
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "odd")]
struct Odd {
    #[arx(key)]
    id: i32,
    time: Option<NaiveTime>,
    day: Option<NaiveDate>,
    flag: Option<bool>,
    small: Option<i8>,
    data: Option<Vec<u8>>,
    text: Option<String>,
}

#[test]
fn what_does_not_fit_is_an_error_that_says_so() {
    on_each("odd", async |fixture| {
        fixture
            .run("CREATE TABLE odd (id INT PRIMARY KEY, time TIME(6), day DATE, flag INT, small INT, data BLOB, text VARBINARY(9))")
            .await;
        let read = async |sql: &str| {
            fixture.run("DELETE FROM odd").await;
            fixture.run(sql).await;
            fixture.db.repository::<Odd>().retrieve(1).await
        };
        for time in ["24:00:00", "-00:00:01", "838:59:59"] {
            let error = read(&format!("INSERT INTO odd (id, time) VALUES (1, '{time}')")).await.unwrap_err();
            assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Odd.time")), "{error}");
            assert!(!error.to_string().contains(time), "{error}");
        }
        let error = read("INSERT INTO odd (id, flag) VALUES (1, 2)").await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Odd.flag")));
        let error = read("INSERT INTO odd (id, small) VALUES (1, 128)").await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Odd.small")));
        let error = read("INSERT INTO odd (id, text) VALUES (1, 'x')").await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Odd.text")));
        let row =
            read("INSERT INTO odd (id, time, small, data) VALUES (1, '00:00:00', -128, '')").await.unwrap().unwrap();
        assert_eq!((row.time, row.small, row.data), (Some(NaiveTime::MIN), Some(-128), Some(Vec::new())));
        let far = Odd { id: 2, day: NaiveDate::from_ymd_opt(10_000, 1, 1), ..row_of(2) };
        let error = fixture.db.repository::<Odd>().create_multiple(&[row_of(3), far]).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Odd.day")));
        assert_eq!(error.rows()[0].index(), 1);
        // A word that the enumeration of the program does not have.
        fixture.run(TABLE).await;
        fixture.run("ALTER TABLE kinds MODIFY mood ENUM('glad', 'cross')").await;
        fixture.run("INSERT INTO kinds (id, mood) VALUES (1, 'cross')").await;
        let error = fixture.db.repository::<Kinds>().retrieve(1).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Kinds.mood")));
        let error = fixture.db.repository::<Kinds>().create(&kinds(2)).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::ValueRejected, Some("Kinds.mood")));
    });
}

fn row_of(id: i32) -> Odd {
    Odd { id, time: None, day: None, flag: None, small: None, data: None, text: None }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "sizes")]
struct Size {
    #[arx(key)]
    id: i32,
    size: String,
}

#[test]
fn pages_by_key_are_not_ordered_by_a_list() {
    on_each("list_order", async |fixture| {
        fixture.run("CREATE TABLE sizes (id INT PRIMARY KEY, size ENUM('small', 'large') NOT NULL)").await;
        let sizes = fixture.db.repository::<Size>();
        let row = |id| Size { id, size: if id % 2 == 0 { "small" } else { "large" }.to_owned() };
        sizes.create_multiple(&(1..=10).map(row).collect::<Vec<_>>()).await.unwrap();
        let listed = || sizes.retrieve_multiple(()).order_by((Size::SIZE.asc(), Size::ID.asc()));
        let error = listed().keyset(3).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Unsupported, Some("Size.size")));
        let first = listed().page(1, 3).await.unwrap().items;
        assert_eq!(first, [row(2), row(4), row(6)], "by its place in the list");
        fixture.run("ALTER TABLE sizes MODIFY size VARCHAR(5) NOT NULL").await;
        fixture.db.forget_tables();
        let first = listed().keyset(6).await.unwrap();
        let second = listed().keyset(6).after(first.next).await.unwrap();
        assert_eq!([first.items, second.items].concat().len(), 10);
    });
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "lists")]
struct Listed {
    #[arx(key)]
    id: i32,
    tags: Vec<String>,
}

#[test]
fn arrays_are_not_stored() {
    on_each("arrays", async |fixture| {
        fixture.run("CREATE TABLE lists (id INT PRIMARY KEY, tags TEXT)").await;
        let rows = [Listed { id: 1, tags: vec!["a".to_owned()] }];
        let error = fixture.db.repository::<Listed>().create_multiple(&rows).await.unwrap_err();
        assert_eq!((error.kind(), error.column()), (ErrorKind::Unsupported, Some("Listed.tags")));
    });
}
