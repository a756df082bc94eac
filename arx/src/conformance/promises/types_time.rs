//! Dates and times come back as they were, to the microsecond.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

use super::types::{expect_found, survive};
use crate::Entity;
use crate::conformance::Context;
use crate::conformance::registry::cases;

cases! {
    dates_survive: [5, 6] [];
    times_of_day_survive_to_the_microsecond: [5, 6] [];
    timestamps_survive_to_the_microsecond: [5, 6] [];
    instants_survive_whatever_the_zone: [5, 6] [];
    null_beside_a_time_keeps_its_microseconds: [5, 6] [];
    times_are_found_and_ordered: [6] [];
    what_is_below_a_microsecond_is_cut_off: [6] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "dates")]
struct Dates {
    #[arx(key)]
    id: i64,
    a: Option<NaiveDate>,
    b: NaiveDate,
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

async fn dates_survive(context: &Context<'_>) {
    let texts = [
        "0001-01-01",
        "9999-12-31",
        "1970-01-01",
        "1969-12-31",
        "2000-02-29",
        "1900-02-28",
        "1582-10-10",
        "2024-12-31",
    ];
    let mut rows = vec![Dates { id: 0, a: None, b: date("1999-12-31") }];
    rows.extend(texts.map(|text| Dates { id: 0, a: Some(date(text)), b: date(text) }));
    survive(context, rows, |row, id| Dates { id, ..row.clone() }).await;
    expect_found(context, Dates::A.eq(date("9999-12-31")).and(Dates::ID.lt(9)), &[2]).await;
    expect_found(context, Dates::A.lt(date("1900-01-01")).and(Dates::ID.lt(9)), &[1, 7]).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "times")]
struct Times {
    #[arx(key)]
    id: i64,
    a: Option<NaiveTime>,
    b: NaiveTime,
}

async fn times_of_day_survive_to_the_microsecond(context: &Context<'_>) {
    let time = |text: &str| text.parse::<NaiveTime>().unwrap();
    let texts = ["00:00:00", "23:59:59.999999", "12:34:56.789012", "00:00:00.000001", "09:05:00.5", "23:59:59"];
    let mut rows = vec![Times { id: 0, a: None, b: time("01:02:03") }];
    rows.extend(texts.map(|text| Times { id: 0, a: Some(time(text)), b: time(text) }));
    survive(context, rows, |row, id| Times { id, ..row.clone() }).await;
    expect_found(context, Times::A.eq(time("12:34:56.789012")).and(Times::ID.lt(7)), &[3]).await;
    expect_found(context, Times::A.ge(time("23:59:59")).and(Times::ID.lt(7)), &[2, 6]).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "timestamps")]
struct Timestamps {
    #[arx(key)]
    id: i64,
    a: Option<NaiveDateTime>,
    b: NaiveDateTime,
}

const MOMENTS: [&str; 10] = [
    "0001-01-01T00:00:00",
    "9999-12-31T23:59:59.999999",
    "1970-01-01T00:00:00",
    "1969-12-31T23:59:59.999999",
    "1969-12-31T23:59:59",
    "2012-11-11T12:34:56.789012",
    "2024-02-29T00:00:00.000001",
    "1883-11-18T12:03:58.100000",
    "2000-01-01T00:00:00.5",
    "2038-01-19T03:14:08",
];

fn moment(text: &str) -> NaiveDateTime {
    text.parse().unwrap()
}

async fn timestamps_survive_to_the_microsecond(context: &Context<'_>) {
    let mut rows = vec![Timestamps { id: 0, a: None, b: moment("2001-01-01T00:00:00") }];
    rows.extend(MOMENTS.map(|text| Timestamps { id: 0, a: Some(moment(text)), b: moment(text) }));
    survive(context, rows, |row, id| Timestamps { id, ..row.clone() }).await;
    expect_found(context, Timestamps::A.eq(moment(MOMENTS[5])).and(Timestamps::ID.lt(11)), &[6]).await;
    expect_found(context, Timestamps::A.lt(moment(MOMENTS[2])).and(Timestamps::ID.lt(11)), &[1, 4, 5, 8]).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "instants")]
struct Instants {
    #[arx(key)]
    id: i64,
    a: Option<DateTime<Utc>>,
    b: DateTime<Utc>,
}

async fn instants_survive_whatever_the_zone(context: &Context<'_>) {
    // Hours that a clock in New York or Amsterdam skips or shows twice.
    let changes = [
        "2019-03-10T02:30:00",
        "2019-03-10T06:59:59.999999",
        "2019-03-10T07:00:00",
        "2019-11-03T05:30:00",
        "2019-11-03T06:30:00",
        "2025-03-30T01:30:00",
        "2025-10-26T00:30:00",
        "2025-10-26T01:30:00",
        "2025-10-26T02:30:00",
    ];
    let mut rows = vec![Instants { id: 0, a: None, b: DateTime::UNIX_EPOCH }];
    let texts = MOMENTS.iter().chain(&changes);
    rows.extend(texts.map(|text| Instants { id: 0, a: Some(moment(text).and_utc()), b: moment(text).and_utc() }));
    survive(context, rows, |row, id| Instants { id, ..row.clone() }).await;
    for (text, id) in changes.iter().zip(11..) {
        let filter = Instants::A.eq(moment(text).and_utc()).and(Instants::ID.lt(20));
        expect_found(context, filter, &[id]).await;
    }
}

async fn null_beside_a_time_keeps_its_microseconds(context: &Context<'_>) {
    context.create_table::<Timestamps>().await;
    let repository = context.repository::<Timestamps>();
    let at = moment("2012-11-11T12:34:56.789012");
    for null_at in 0..3 {
        let base = null_at * 10;
        let rows: Vec<_> =
            (0..3).map(|n| Timestamps { id: base + n, a: (n != null_at).then_some(at), b: at }).collect();
        repository.create_multiple(&rows).await.unwrap();
        let keys: Vec<_> = (base..base + 3).collect();
        assert!(repository.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows.clone()));
        repository.update_multiple(&rows).await.unwrap();
        assert!(repository.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows));
    }
}

async fn times_are_found_and_ordered(context: &Context<'_>) {
    context.create_table::<Instants>().await;
    let repository = context.repository::<Instants>();
    let rows: Vec<_> = MOMENTS
        .iter()
        .zip(0..)
        .map(|(text, id)| Instants { id, a: Some(moment(text).and_utc()), b: moment(text).and_utc() })
        .collect();
    repository.create_multiple(&rows).await.unwrap();
    let mut sorted = rows.clone();
    sorted.sort_by_key(|row| row.b);
    assert_eq!(repository.retrieve_multiple(()).order_by(Instants::B.asc()).await.unwrap(), sorted);
    let low = rows[3].b;
    let high = rows[2].b;
    expect_found(context, Instants::B.between(low, high), &[2, 3]).await;
    expect_found(context, Instants::B.between(low + TimeDelta::microseconds(1), high), &[2]).await;
    let both = [rows[8].b, rows[0].b];
    expect_found(context, Instants::A.is_in(&both), &[0, 8]).await;
}

async fn what_is_below_a_microsecond_is_cut_off(context: &Context<'_>) {
    context.create_table::<Instants>().await;
    let repository = context.repository::<Instants>();
    for (id, second) in [(1, 1_000_000_000), (2, -1_000_000_000)] {
        let at = DateTime::from_timestamp(second, 999_999_999).unwrap();
        repository.create(&Instants { id, a: Some(at), b: at }).await.unwrap();
        let stored = repository.retrieve(id).await.unwrap().unwrap();
        assert_eq!(stored.b, DateTime::from_timestamp(second, 999_999_000).unwrap());
    }
}
