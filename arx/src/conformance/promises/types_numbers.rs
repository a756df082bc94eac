//! Numbers and booleans come back as they were.

use std::str::FromStr as _;

use rust_decimal::Decimal;

use super::support::{assert_error, named};
use super::types::{expect_found, survive};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::{Entity, ErrorKind};

cases! {
    integers_survive_to_their_ends: [5, 6] [];
    booleans_survive: [5, 6] [];
    floats_survive_to_their_ends: [5, 6] [];
    a_zero_keeps_its_sign: [6] [NegativeZero];
    floats_that_are_no_numbers_survive: [6] [Nan];
    floats_that_are_no_numbers_are_stored_or_refused_by_row: [6, 13] [];
    unsigned_numbers_above_the_signed_ones_survive_or_are_refused_by_row: [6, 13] [];
    decimals_keep_their_digits: [5, 6] [];
    decimals_keep_their_scale: [6] [Scale];
    decimals_are_found_by_their_value: [6] [];
    integers_are_found_by_filters_at_their_ends: [6] [];
    a_number_that_does_not_fit_the_column_is_refused: [2, 13] [SizedIntegers];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "integers")]
struct Integers {
    #[arx(key)]
    id: i64,
    a: Option<i8>,
    b: Option<i16>,
    c: Option<i32>,
    d: Option<i64>,
    e: Option<u8>,
    f: Option<u16>,
    g: Option<u32>,
    h: Option<u64>,
    i: i8,
    j: u32,
}

const INTEGERS: [Integers; 5] = [
    Integers { id: 0, a: None, b: None, c: None, d: None, e: None, f: None, g: None, h: None, i: 0, j: 0 },
    Integers {
        id: 0,
        a: Some(i8::MIN),
        b: Some(i16::MIN),
        c: Some(i32::MIN),
        d: Some(i64::MIN),
        e: Some(0),
        f: Some(0),
        g: Some(0),
        h: Some(0),
        i: i8::MIN,
        j: 1,
    },
    Integers {
        id: 0,
        a: Some(i8::MAX),
        b: Some(i16::MAX),
        c: Some(i32::MAX),
        d: Some(i64::MAX),
        e: Some(u8::MAX),
        f: Some(u16::MAX),
        g: Some(u32::MAX),
        h: Some(i64::MAX.unsigned_abs()),
        i: i8::MAX,
        j: u32::MAX,
    },
    Integers {
        id: 0,
        a: Some(-1),
        b: None,
        c: Some(-1),
        d: None,
        e: Some(128),
        f: None,
        g: None,
        h: Some(1),
        i: -1,
        j: 2,
    },
    Integers {
        id: 0,
        a: None,
        b: Some(-1),
        c: None,
        d: Some((1 << 53) + 1),
        e: None,
        f: Some(32_768),
        g: Some(1 << 31),
        h: None,
        i: 7,
        j: 3,
    },
];

async fn integers_survive_to_their_ends(context: &Context<'_>) {
    survive(context, INTEGERS.to_vec(), |row, id| Integers { id, ..row.clone() }).await;
}

async fn integers_are_found_by_filters_at_their_ends(context: &Context<'_>) {
    context.create_table::<Integers>().await;
    let rows: Vec<_> = INTEGERS.iter().zip(0..).map(|(row, id)| Integers { id, ..row.clone() }).collect();
    context.repository::<Integers>().create_multiple(&rows).await.unwrap();
    expect_found(context, Integers::A.eq(i8::MIN), &[1]).await;
    expect_found(context, Integers::A.is_in(&[i8::MIN, i8::MAX]), &[1, 2]).await;
    expect_found(context, Integers::B.lt(0), &[1, 4]).await;
    expect_found(context, Integers::C.between(i32::MIN, i32::MAX), &[1, 2, 3]).await;
    expect_found(context, Integers::D.eq((1_i64 << 53) + 1), &[4]).await;
    expect_found(context, Integers::D.is_in(&[i64::MAX, i64::MIN]), &[1, 2]).await;
    expect_found(context, Integers::E.gt(127), &[2, 3]).await;
    expect_found(context, Integers::F.is_in(&[u16::MAX, 32_768]), &[2, 4]).await;
    expect_found(context, Integers::G.ge(1_u32 << 31), &[2, 4]).await;
    expect_found(context, Integers::H.eq(i64::MAX.unsigned_abs()), &[2]).await;
    expect_found(context, Integers::J.is_not_in(&[u32::MAX, 0]), &[1, 3, 4]).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "flags")]
struct Flags {
    #[arx(key)]
    id: i64,
    a: bool,
    b: Option<bool>,
}

async fn booleans_survive(context: &Context<'_>) {
    let flags = |a, b| Flags { id: 0, a, b };
    let rows = vec![flags(true, None), flags(false, Some(true)), flags(true, Some(false)), flags(false, None)];
    survive(context, rows, |row, id| Flags { id, ..row.clone() }).await;
    expect_found(context, Flags::A.eq(true).and(Flags::ID.lt(4)), &[0, 2]).await;
    expect_found(context, Flags::B.ne(true).and(Flags::ID.lt(4)), &[2]).await;
}

#[derive(Entity, Clone, Debug)]
#[arx(table = "floats")]
struct Floats {
    #[arx(key)]
    id: i64,
    a: Option<f32>,
    b: Option<f64>,
    c: f64,
}

// By their bits: NaN is the same NaN, and -0.0 is not 0.0.
impl PartialEq for Floats {
    fn eq(&self, other: &Self) -> bool {
        (self.id, self.a.map(f32::to_bits), self.b.map(f64::to_bits), self.c.to_bits())
            == (other.id, other.a.map(f32::to_bits), other.b.map(f64::to_bits), other.c.to_bits())
    }
}

fn floats(a: impl Into<Option<f32>>, b: impl Into<Option<f64>>) -> Floats {
    Floats { id: 0, a: a.into(), b: b.into(), c: 0.1 }
}

async fn floats_survive_to_their_ends(context: &Context<'_>) {
    let rows = vec![
        floats(None, None),
        floats(f32::MIN, f64::MIN),
        floats(f32::MAX, f64::MAX),
        floats(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        // The smallest below the normal ones.
        floats(f32::from_bits(1), f64::from_bits(1)),
        floats(0.1_f32, 0.1),
        floats(16_777_216.0_f32, 9_007_199_254_740_992.0),
        floats(1.0e-7_f32, 1.0 / 3.0),
        floats(0.0_f32, 0.0),
    ];
    survive(context, rows, |row, id| Floats { id, ..row.clone() }).await;
    expect_found(context, Floats::B.eq(0.1).and(Floats::ID.lt(9)), &[5]).await;
    expect_found(context, Floats::A.is_in(&[f32::MAX, 0.1]).and(Floats::ID.lt(9)), &[2, 5]).await;
}

async fn a_zero_keeps_its_sign(context: &Context<'_>) {
    let rows = vec![floats(-0.0_f32, 0.0), floats(0.0_f32, -0.0), floats(None, -0.0)];
    survive(context, rows, |row, id| Floats { id, ..row.clone() }).await;
    expect_found(context, Floats::B.eq(0.0).and(Floats::ID.lt(3)), &[0, 1, 2]).await;
}

async fn floats_that_are_no_numbers_survive(context: &Context<'_>) {
    let rows = vec![
        floats(None, f64::NAN),
        floats(f32::NAN, None),
        floats(f32::INFINITY, f64::NEG_INFINITY),
        floats(f32::NEG_INFINITY, f64::INFINITY),
    ];
    survive(context, rows, |row, id| Floats { id, ..row.clone() }).await;
    expect_found(context, Floats::B.gt(f64::MAX).and(Floats::B.ne(f64::NAN)).and(Floats::ID.lt(4)), &[3]).await;
}

async fn floats_that_are_no_numbers_are_stored_or_refused_by_row(context: &Context<'_>) {
    context.create_table::<Floats>().await;
    let repository = context.repository::<Floats>();
    let mut rows: Vec<_> = (0..100).map(|id| Floats { id, ..floats(1.0, 2.0) }).collect();
    rows[61].b = Some(f64::NAN);
    match repository.create_multiple(&rows).await {
        Ok(_) => assert_eq!(repository.retrieve(61).await.unwrap().as_ref(), Some(&rows[61])),
        Err(error) => {
            assert_error(&error, ErrorKind::Encode, &[]);
            assert_eq!((error.column(), named(&error)), (Some("Floats.b"), vec![61]));
            assert!(error.to_string().starts_with("insert into floats: "), "{error}");
            assert_eq!(repository.count(()).await.unwrap(), 0);
            let error = repository.create(&rows[61]).await.unwrap_err();
            assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Floats.b")));
            let error = repository.retrieve_multiple(Floats::B.eq(f64::NAN)).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Encode);
        }
    }
    context.assert_usable().await;
}

async fn unsigned_numbers_above_the_signed_ones_survive_or_are_refused_by_row(context: &Context<'_>) {
    context.create_table::<Integers>().await;
    let repository = context.repository::<Integers>();
    let mut rows: Vec<_> = (0..500).map(|id| Integers { id, ..INTEGERS[0].clone() }).collect();
    rows[433].h = Some(u64::MAX);
    let refused = |error: &crate::Error, row: usize| {
        assert_error(
            error,
            ErrorKind::Encode,
            &["18446744073709551615", "433"].map(|secret| match row {
                0 => secret,
                _ => "18446744073709551615",
            }),
        );
        assert_eq!((error.column(), named(error)), (Some("Integers.h"), vec![row]));
    };
    match repository.create_multiple(&rows).await {
        Ok(_) => assert_eq!(repository.retrieve(433).await.unwrap().as_ref(), Some(&rows[433])),
        Err(error) => {
            refused(&error, 433);
            assert_eq!(repository.count(()).await.unwrap(), 0);
            refused(&repository.create(&rows[433]).await.unwrap_err(), 0);
            rows[433].h = Some(1);
            repository.create_multiple(&rows).await.unwrap();
            rows[433].h = Some(u64::MAX);
            refused(&repository.update_multiple(&rows).await.unwrap_err(), 433);
            rows.reverse();
            refused(&repository.update_multiple(&rows).await.unwrap_err(), 499 - 433);
            let error = repository.retrieve_multiple(Integers::H.eq(u64::MAX)).await.unwrap_err();
            assert_error(&error, ErrorKind::Encode, &["18446744073709551615"]);
            let error = repository.retrieve_multiple(Integers::H.is_in(&[1, u64::MAX])).await.unwrap_err();
            assert_error(&error, ErrorKind::Encode, &["18446744073709551615"]);
        }
    }
    context.assert_usable().await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "decimals")]
struct Decimals {
    #[arx(key)]
    id: i64,
    a: Option<Decimal>,
}

/// Equal only with the same scale: `1.50` is not `1.5` here.
#[derive(Entity, Clone, Debug)]
#[arx(table = "scaled")]
struct Scaled {
    #[arx(key)]
    id: i64,
    a: Option<Decimal>,
}

impl PartialEq for Scaled {
    fn eq(&self, other: &Self) -> bool {
        let text = |row: &Self| row.a.map(|a| a.to_string());
        (self.id, text(self)) == (other.id, text(other))
    }
}

/// Decimals of every size, with zeros at their ends.
fn decimals() -> Vec<Option<Decimal>> {
    let texts = [
        "0",
        "1",
        "-1",
        "10",
        "100000",
        "1.5",
        "1.50",
        "-1.500",
        "0.1",
        "0.01",
        "0.0001",
        "0.00010",
        "12345678.9",
        "1234567890123456789.000000001",
        "79228162514264337593543950335",
        "-79228162514264337593543950335",
        "7.9228162514264337593543950335",
        "0.0000000000000000000000000001",
        "-0.0000000000000000000000000001",
        "10000.0001",
        "99999999.99990000",
        "33.33",
    ];
    let scales = (0..=28).map(|scale| Decimal::new(-12_345, scale));
    let decimals = texts.iter().map(|text| Decimal::from_str(text).unwrap()).chain(scales);
    std::iter::once(None).chain(decimals.map(Some)).collect()
}

async fn decimals_keep_their_digits(context: &Context<'_>) {
    let rows = decimals().into_iter().map(|a| Decimals { id: 0, a }).collect();
    survive(context, rows, |row, id| Decimals { id, ..row.clone() }).await;
}

async fn decimals_keep_their_scale(context: &Context<'_>) {
    let rows = decimals().into_iter().map(|a| Scaled { id: 0, a }).collect();
    survive(context, rows, |row, id| Scaled { id, ..row.clone() }).await;
}

async fn decimals_are_found_by_their_value(context: &Context<'_>) {
    context.create_table::<Decimals>().await;
    let decimal = |text: &str| Decimal::from_str(text).unwrap();
    let texts = ["-20.5", "-3", "0", "0.05", "2", "9.99", "10", "10.00", "100", "1000000000000000000000"];
    let rows: Vec<_> = texts.iter().zip(0..).map(|(text, id)| Decimals { id, a: Some(decimal(text)) }).collect();
    context.repository::<Decimals>().create_multiple(&rows).await.unwrap();
    expect_found(context, Decimals::A.eq(decimal("10.0")), &[6, 7]).await;
    expect_found(context, Decimals::A.is_in(&[decimal("10"), decimal("-3.000")]), &[1, 6, 7]).await;
    expect_found(context, Decimals::A.lt(decimal("0.05")), &[0, 1, 2]).await;
    expect_found(context, Decimals::A.gt(decimal("9.990")), &[6, 7, 8, 9]).await;
    expect_found(context, Decimals::A.between(decimal("-10"), decimal("2")), &[1, 2, 3, 4]).await;
    expect_found(context, Decimals::A.ne(decimal("10")), &[0, 1, 2, 3, 4, 5, 8, 9]).await;
    let ordered =
        context.repository::<Decimals>().retrieve_multiple(()).order_by((Decimals::A.asc(), Decimals::ID.asc()));
    assert_eq!(ordered.await.unwrap(), rows);
}

/// The same table, with fields wider than its columns.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "integers")]
struct Wider {
    #[arx(key)]
    id: i64,
    b: i64,
    c: i64,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "integers")]
struct Narrow {
    #[arx(key)]
    id: i64,
    b: i16,
    c: i32,
}

async fn a_number_that_does_not_fit_the_column_is_refused(context: &Context<'_>) {
    context.create_table::<Narrow>().await;
    let repository = context.repository::<Wider>();
    let mut rows: Vec<_> = (0..1_000).map(|id| Wider { id, b: id, c: id }).collect();
    rows[765].b = 123_456;
    for many in [true, false] {
        let error = match many {
            true => repository.create_multiple(&rows).await.map(|_| ()).unwrap_err(),
            false => repository.create(&rows[765]).await.map(|_| ()).unwrap_err(),
        };
        assert_error(&error, ErrorKind::ValueRejected, &["123456"]);
        assert_eq!(repository.count(()).await.unwrap(), 0);
    }
    let error = repository.create_multiple(&rows).find_failing_row().await.unwrap_err();
    assert_eq!(named(&error), [765]);
    rows[765].b = 1;
    repository.create_multiple(&rows).await.unwrap();
    rows[765].c = i64::MAX;
    let error = repository.update_multiple(&rows).await.unwrap_err();
    assert_error(&error, ErrorKind::ValueRejected, &["9223372036854775807"]);
    assert_eq!(context.repository::<Narrow>().retrieve(765).await.unwrap(), Some(Narrow { id: 765, b: 1, c: 765 }));
    context.assert_usable().await;
}
