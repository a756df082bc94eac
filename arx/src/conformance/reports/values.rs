//! Values that arrived as others: decimals, floats, times, wide integers, booleans.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use rust_decimal::Decimal;

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::{Entity, ErrorKind};

cases! {
    case_021_whole_and_broken_numbers_in_one_batch: [6] [];
    case_061_a_decimal_keeps_its_last_digit: [6] [];
    case_063_decimals_of_mixed_scales: [6] [];
    case_065_too_many_digits_in_one_row_and_in_many: [6] [];
    case_066_floats_keep_their_fractions: [6] [];
    case_068_a_time_is_the_same_in_one_row_and_in_many: [6] [];
    case_070_a_time_next_to_midnight: [6] [];
    case_072_microseconds: [6] [];
    case_073_an_instant_in_the_hour_that_a_zone_leaves_out: [6] [];
    case_075_instants_in_the_hour_that_a_zone_repeats: [6] [];
    case_076_integers_above_63_bits: [6, 13] [];
    case_077_booleans_at_the_end_of_a_row: [6] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "floats")]
struct Float {
    #[arx(key, generated)]
    id: i64,
    name: String,
    f: f64,
    g: Option<f32>,
}

/// Writes the floats in one batch, one by one and by an update, and reads each as it was.
async fn write_floats(context: &Context<'_>, floats: &[f64]) {
    context.create_table::<Float>().await;
    let repository = context.repository::<Float>();
    let mut rows: Vec<_> = floats.iter().map(|&f| Float { id: 0, name: format!("{f}"), f, g: Some(1.5) }).collect();
    let keys = repository.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Float>(context, &keys).await, rows);
    for row in &mut rows.clone() {
        let key = repository.create(&mut *row).await.unwrap();
        assert_eq!(stored::<Float>(context, &[key]).await, std::slice::from_ref(row));
    }
    rows.iter_mut().zip(floats.iter().rev()).for_each(|(row, &f)| (row.f, row.g) = (f, None));
    assert_eq!(repository.update_multiple(&rows).await.unwrap().matched, floats.len() as u64);
    assert_eq!(stored::<Float>(context, &keys).await, rows);
}

// sqlalchemy 8917: the first row's 1 made the column of the list an integer, and the second row's 2.5 failed.
async fn case_021_whole_and_broken_numbers_in_one_batch(context: &Context<'_>) {
    write_floats(context, &[1.0, 2.5, 0.0, -3.0, 1e15, 1e-7, 1e300]).await;
}

// sqlalchemy 9701: every float of a batch lost its decimals.
async fn case_066_floats_keep_their_fractions(context: &Context<'_>) {
    let edges = [1.5, 2.25, 0.1, 1.0 / 3.0, f64::MIN_POSITIVE, f64::MAX, f64::EPSILON, -0.1, 9_007_199_254_740_993.0];
    write_floats(context, &edges).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "amounts")]
struct Amount {
    #[arx(key, generated)]
    id: i64,
    a: Decimal,
    b: Option<Decimal>,
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Writes the decimals in one batch and one by one, and reads each as it was.
async fn write_decimals(context: &Context<'_>, decimals: &[&str]) {
    context.create_table::<Amount>().await;
    let amounts = context.repository::<Amount>();
    let amount = |text: &&str| Amount { id: 0, a: decimal(text), b: Some(-decimal(text)) };
    let mut rows: Vec<_> = decimals.iter().map(amount).collect();
    let keys = amounts.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Amount>(context, &keys).await, rows);
    for (row, text) in rows.iter().zip(decimals) {
        let one = amounts.retrieve(amounts.create(row).await.unwrap()).await.unwrap().unwrap();
        assert_eq!((one.a, one.b), (row.a, row.b));
        let found = amounts.retrieve_multiple(Amount::A.eq(decimal(text))).await.unwrap();
        assert!(found.len() >= 2 && found.iter().all(|found| found.a == row.a), "{text}");
    }
    rows.iter_mut().for_each(|row| (row.a, row.b) = (-row.a, None));
    amounts.update_multiple(&rows).await.unwrap();
    assert_eq!(stored::<Amount>(context, &keys).await, rows);
}

// SqlClient 3675: 33.33 went through a float on its way and was stored as 33.32.
async fn case_061_a_decimal_keeps_its_last_digit(context: &Context<'_>) {
    write_decimals(context, &["33.33", "33.32", "0.01", "99999999.99", "0.07", "1.10"]).await;
}

// jOOQ 8998: a batch took the first row's scale for all rows.
async fn case_063_decimals_of_mixed_scales(context: &Context<'_>) {
    let scales = ["5", "5.25", "5.123456", "-0.000001", "0", "123456789012", "79228162514264337593543950335", "0.1"];
    write_decimals(context, &scales).await;
}

// mssql-python 457: 123.456 in a column of two decimals was refused by one way of writing and rounded by another.
async fn case_065_too_many_digits_in_one_row_and_in_many(context: &Context<'_>) {
    let narrow = if context.is_in_process() { "" } else { "TYPE numeric(10, 2)" };
    context.create_table_with::<Amount>(&[("a", narrow)], &[]).await;
    let amounts = context.repository::<Amount>();
    for text in ["123.456", "0.005", "-0.005", "1.995", "12345678.999"] {
        let row = Amount { id: 0, a: decimal(text), b: None };
        let one = amounts.create(&row).await.unwrap();
        let many = amounts.create_multiple(&[row.clone(), row.clone()]).await.unwrap();
        let updated =
            amounts.create_multiple(&[Amount { a: Decimal::ZERO, ..row.clone() }, row.clone()]).await.unwrap();
        amounts
            .update_multiple(&[Amount { id: updated[0], ..row.clone() }, Amount { id: updated[1], ..row }])
            .await
            .unwrap();
        let found = stored::<Amount>(context, &[one, many[0], many[1], updated[0], updated[1]]).await;
        assert!(found.iter().all(|row| row.a == found[0].a), "{text}: {found:?}");
        assert!((found[0].a - decimal(text)).abs() <= decimal("0.005"), "{text}: {found:?}");
    }
    let large = Amount { id: 0, a: decimal("123456789012"), b: None };
    let (one, many) = (amounts.create(&large).await, amounts.create_multiple(&[large.clone(), large.clone()]).await);
    match (one, many) {
        (Ok(_), Ok(_)) => assert!(context.is_in_process()),
        (one, many) => assert_eq!([one.unwrap_err().kind(), many.unwrap_err().kind()], [ErrorKind::ValueRejected; 2]),
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "times")]
struct Times {
    #[arx(key, generated)]
    id: i64,
    instant: DateTime<Utc>,
    local: NaiveDateTime,
    day: NaiveDate,
    time: NaiveTime,
}

impl Times {
    fn new(text: &str) -> Self {
        let local: NaiveDateTime = text.parse().unwrap();
        Self { id: 0, instant: local.and_utc(), local, day: local.date(), time: local.time() }
    }
}

/// Writes the times in one batch, one by one and by an update, reads each as it was, and finds it by each column.
async fn write_times(context: &Context<'_>, texts: &[&str]) {
    context.create_table::<Times>().await;
    let times = context.repository::<Times>();
    let mut rows: Vec<_> = texts.iter().map(|text| Times::new(text)).collect();
    let keys = times.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Times>(context, &keys).await, rows);
    for row in &rows {
        let one = times.create(row).await.unwrap();
        assert_eq!(stored::<Times>(context, &[one]).await, [Times { id: one, ..row.clone() }]);
        let same = Times::INSTANT.eq(row.instant) & Times::LOCAL.eq(row.local) & Times::DAY.eq(row.day);
        assert!(times.exists(same & Times::TIME.eq(row.time)).await.unwrap(), "{row:?}");
    }
    let mut turned: Vec<_> = rows.iter().rev().cloned().collect();
    turned.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
    times.update_multiple(&turned).await.unwrap();
    assert_eq!(stored::<Times>(context, &keys).await, turned);
}

// EFCore.BulkExtensions 510: seven decimals of a second were rounded by one way of writing and cut by another.
async fn case_068_a_time_is_the_same_in_one_row_and_in_many(context: &Context<'_>) {
    context.create_table::<Times>().await;
    let times = context.repository::<Times>();
    for text in ["2024-05-06T09:37:10.609740300", "2024-05-06T09:37:10.609740999", "1969-12-31T23:59:59.999999900"] {
        let row = Times::new(text);
        let one = times.create(&row).await.unwrap();
        let many = times.create_multiple(&[row.clone(), row.clone()]).await.unwrap();
        let found = stored::<Times>(context, &[one, many[0], many[1]]).await;
        assert!(
            found.iter().all(|row| Times { id: 0, ..row.clone() } == Times { id: 0, ..found[0].clone() }),
            "{found:?}"
        );
        let off = (found[0].local - row.local).num_nanoseconds().unwrap();
        assert!(off.abs() < 1_000, "{text}: {:?}", found[0].local);
        assert_eq!(found[0].instant, found[0].local.and_utc());
    }
}

// go-mssqldb 270: 23:59:59.998350 was rounded to a 24th hour and refused as invalid.
async fn case_070_a_time_next_to_midnight(context: &Context<'_>) {
    let texts = [
        "2018-01-31T23:59:59.998350",
        "2018-12-31T23:59:59.999999",
        "2019-01-01T00:00:00",
        "2019-01-01T00:00:00.000001",
        "1969-12-31T23:59:59.999999",
        "1970-01-01T00:00:00",
    ];
    write_times(context, &texts).await;
}

// mysql2 324: the microseconds of a time were cut off.
async fn case_072_microseconds(context: &Context<'_>) {
    let texts = [
        "2012-11-11T12:34:56.789012",
        "2012-11-11T12:34:56.000001",
        "1900-02-28T01:02:03.100000",
        "1234-05-06T07:08:09.999999",
    ];
    write_times(context, &texts).await;
}

// MySqlConnector 766: an instant was sent in the session's zone, whose clock leaves an hour out in spring, and so
// was refused. The zone of a server must not matter.
async fn case_073_an_instant_in_the_hour_that_a_zone_leaves_out(context: &Context<'_>) {
    let texts = [
        "2019-03-10T02:00:53",
        "2019-03-10T02:30:00",
        "2019-03-10T07:00:00",
        "2019-03-31T01:30:00",
        "2019-03-31T02:30:00",
    ];
    write_times(context, &texts).await;
}

// tidb 61368: two servers disagreed on which of two instants a repeated hour means.
async fn case_075_instants_in_the_hour_that_a_zone_repeats(context: &Context<'_>) {
    let texts = [
        "2025-10-26T00:30:00",
        "2025-10-26T01:30:00",
        "2025-10-26T02:30:00",
        "2025-11-02T01:30:00",
        "2025-11-02T05:30:00",
        "2025-11-02T06:30:00",
    ];
    write_times(context, &texts).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "hashes")]
struct Hash {
    #[arx(key)]
    id: u64,
    v: u64,
}

// sqlx 3105: an unsigned key above 2^63 was read as a negative number. Where a database has no such integers, the
// answer is an error that names the row, before anything is sent; never another number.
async fn case_076_integers_above_63_bits(context: &Context<'_>) {
    context.create_table::<Hash>().await;
    let hashes = context.repository::<Hash>();
    let largest = u64::try_from(i64::MAX).unwrap();
    let rows = [Hash { id: 0, v: largest }, Hash { id: largest, v: 1 }];
    assert_eq!(hashes.create_multiple(&rows).await.unwrap(), [0, largest]);
    assert_eq!(stored::<Hash>(context, &[largest, 0]).await, [rows[1].clone(), rows[0].clone()]);
    let wide = 14_959_631_574_144_683_550;
    let more = [Hash { id: 1, v: 1 }, Hash { id: wide, v: u64::MAX }];
    context.log.reset();
    if hashes.create_multiple(&more).await.is_ok() {
        assert_eq!(stored::<Hash>(context, &[wide]).await, more[1..]);
        assert_eq!(hashes.update_multiple(&more).await.unwrap().matched, 2);
        assert_eq!(hashes.delete_multiple(&[wide]).await.unwrap(), 1);
        return;
    }
    let error = hashes.create_multiple(&more).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Hash.id")), "{error:?}");
    assert_eq!(error.rows().iter().map(|row| row.index()).collect::<Vec<_>>(), [1]);
    assert!(!error.to_string().contains("14959631574144683550"));
    assert_eq!(hashes.update(&Hash { id: 0, v: wide }).await.unwrap_err().column(), Some("Hash.v"));
    assert_eq!(hashes.update_multiple(&[Hash { id: wide, v: 1 }]).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(hashes.retrieve(wide).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(hashes.retrieve_by_keys(&[0, wide]).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(hashes.delete(wide).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(hashes.delete_multiple(&[0, wide]).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(hashes.count(Hash::V.lt(wide)).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(hashes.retrieve_multiple(()).order_by(Hash::ID.asc()).await.unwrap(), rows);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "audit_log")]
struct AuditLog {
    #[arx(key, generated)]
    id: i64,
    message: String,
    is_protected: bool,
    is_admin: bool,
}

// MySqlConnector 1191: of two booleans at the end of a row, the last was always true.
async fn case_077_booleans_at_the_end_of_a_row(context: &Context<'_>) {
    context.create_table::<AuditLog>().await;
    let logs = context.repository::<AuditLog>();
    let log = |number: usize| AuditLog {
        id: 0,
        message: format!("message {number}\r\n"),
        is_protected: number & 1 != 0,
        is_admin: number & 2 != 0,
    };
    let mut rows: Vec<_> = (0..64).map(log).collect();
    let keys = logs.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<AuditLog>(context, &keys).await, rows);
    rows.iter_mut().for_each(|row| (row.is_protected, row.is_admin) = (row.is_admin, !row.is_protected));
    logs.update_multiple(&rows).await.unwrap();
    assert_eq!(stored::<AuditLog>(context, &keys).await, rows);
    assert_eq!(logs.count(AuditLog::IS_PROTECTED.eq(true) & AuditLog::IS_ADMIN.eq(false)).await.unwrap(), 16);
}
