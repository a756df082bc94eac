//! Texts, bytes, uuids, enums and newtypes come back as they were.

use uuid::Uuid;

use super::support::{assert_error, named};
use super::types::{expect_found, survive};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::value::{Encoder, ScalarKind, Value};
use crate::{Embedded, Entity, ErrorKind, Field, Scalar};

cases! {
    texts_survive_byte_for_byte: [5, 6, 12] [];
    the_empty_text_is_not_null: [5, 6] [];
    a_text_with_a_nul_survives: [6] [NulText];
    a_text_with_a_nul_is_stored_or_refused_by_row: [6, 13] [];
    bytes_survive: [5, 6] [];
    a_mebibyte_of_bytes_survives: [3, 6] [];
    uuids_survive: [5, 6] [];
    enums_and_newtypes_survive: [5, 6] [];
    native_enums_survive: [5, 6] [Enums];
    an_unknown_variant_is_a_decode_error: [13] [];
    flattened_structs_and_modules_survive: [5, 6] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "texts")]
struct Texts {
    #[arx(key)]
    id: i64,
    text: String,
    other: Option<String>,
    letter: char,
}

fn texts(text: &str, other: Option<&str>, letter: char) -> Texts {
    Texts { id: 0, text: text.to_owned(), other: other.map(str::to_owned), letter }
}

const HARD: [&str; 22] = [
    "",
    " ",
    " a ",
    "a",
    "ä",
    "a\u{308}",
    "日本語",
    "😀👩‍👩‍👧",
    "\u{10FFFF}",
    "\u{FEFF}x",
    "\r\n\t\u{1}\u{7f}",
    "'",
    "\"",
    "\\",
    "\\0",
    "\\N",
    "NULL",
    "{a,b}",
    "(1,2)",
    "1.0",
    "0x41",
    "'; DROP TABLE texts; --",
];

async fn texts_survive_byte_for_byte(context: &Context<'_>) {
    let mut rows: Vec<_> = HARD.iter().map(|text| texts(text, Some(text), '😀')).collect();
    rows.push(texts("x", None, '\''));
    rows.push(texts(&"long 😀 ".repeat(20_000), Some(&"x".repeat(70_000)), '\\'));
    survive(context, rows, |row, id| Texts { id, ..row.clone() }).await;
    for (text, id) in HARD.iter().zip(0_i64..) {
        expect_found(context, Texts::TEXT.eq(*text).and(Texts::ID.lt(22)), &[id]).await;
        expect_found(context, Texts::OTHER.is_in(&[*text, "nothing"]).and(Texts::ID.lt(22)), &[id]).await;
    }
}

async fn the_empty_text_is_not_null(context: &Context<'_>) {
    let rows = vec![texts("", None, 'a'), texts("", Some(""), 'b'), texts("x", Some("x"), 'c'), texts("", None, 'd')];
    survive(context, rows, |row, id| Texts { id, ..row.clone() }).await;
    expect_found(context, Texts::OTHER.eq("").and(Texts::ID.lt(4)), &[1]).await;
    expect_found(context, Texts::OTHER.is_null().and(Texts::ID.lt(4)), &[0, 3]).await;
    expect_found(context, Texts::LETTER.eq('c').and(Texts::ID.lt(4)), &[2]).await;
}

async fn a_text_with_a_nul_survives(context: &Context<'_>) {
    let rows = vec![texts("\0", None, '\0'), texts("a\0b", Some("\0\0"), 'x'), texts("a", Some("a\0"), 'x')];
    survive(context, rows, |row, id| Texts { id, ..row.clone() }).await;
    expect_found(context, Texts::TEXT.eq("a\0b").and(Texts::ID.lt(3)), &[1]).await;
    expect_found(context, Texts::TEXT.eq("a").and(Texts::ID.lt(3)), &[2]).await;
}

async fn a_text_with_a_nul_is_stored_or_refused_by_row(context: &Context<'_>) {
    context.create_table::<Texts>().await;
    let repository = context.repository::<Texts>();
    let mut rows: Vec<_> = (0..300).map(|id| Texts { id, ..texts("a", Some("b"), 'c') }).collect();
    rows[217].other = Some("secret\0secret".to_owned());
    match repository.create_multiple(&rows).await {
        Ok(_) => assert_eq!(repository.retrieve(217).await.unwrap().as_ref(), Some(&rows[217])),
        Err(error) => {
            assert_error(&error, ErrorKind::Encode, &["secret"]);
            assert_eq!((error.column(), named(&error)), (Some("Texts.other"), vec![217]));
            assert_eq!(repository.count(()).await.unwrap(), 0);
            let error = repository.create(&rows[217]).await.unwrap_err();
            assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Texts.other")));
            let error = repository.retrieve_multiple(Texts::TEXT.eq("secret\0")).await.unwrap_err();
            assert_error(&error, ErrorKind::Encode, &["secret"]);
            let error = repository.retrieve_multiple(Texts::TEXT.is_in(&["a", "secret\0"])).await.unwrap_err();
            assert_error(&error, ErrorKind::Encode, &["secret"]);
        }
    }
    context.assert_usable().await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "blobs")]
struct Blobs {
    #[arx(key)]
    id: i64,
    data: Vec<u8>,
    other: Option<Vec<u8>>,
}

async fn bytes_survive(context: &Context<'_>) {
    let blobs =
        |data: &[u8], other: Option<&[u8]>| Blobs { id: 0, data: data.to_vec(), other: other.map(<[u8]>::to_vec) };
    let every: Vec<u8> = (0..=255).collect();
    let rows = vec![
        blobs(b"", None),
        blobs(b"\0", Some(b"")),
        blobs(&every, Some(&every)),
        blobs(b"\\x41", Some(b"'")),
        blobs(b"\xff\xfe\x00", None),
    ];
    survive(context, rows, |row, id| Blobs { id, ..row.clone() }).await;
    expect_found(context, Blobs::DATA.eq(&every).and(Blobs::ID.lt(5)), &[2]).await;
    expect_found(context, Blobs::OTHER.eq(Vec::new()).and(Blobs::ID.lt(5)), &[1]).await;
    expect_found(context, Blobs::DATA.is_in(&[b"\0".to_vec(), b"\\x41".to_vec()]).and(Blobs::ID.lt(5)), &[1, 3]).await;
}

async fn a_mebibyte_of_bytes_survives(context: &Context<'_>) {
    let mut random = fastrand::Rng::with_seed(9);
    let rows = [1 << 20, (1 << 20) + 1, 0, 65_536].map(|size| {
        let mut data = vec![0; size];
        random.fill(&mut data);
        Blobs { id: 0, data, other: None }
    });
    survive(context, rows.to_vec(), |row, id| Blobs { id, ..row.clone() }).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "uuids")]
struct Uuids {
    #[arx(key)]
    id: i64,
    a: Uuid,
    b: Option<Uuid>,
}

async fn uuids_survive(context: &Context<'_>) {
    let wanted = "00112233-4455-6677-8899-aabbccddeeff".parse().unwrap();
    let rows = vec![
        Uuids { id: 0, a: Uuid::nil(), b: None },
        Uuids { id: 0, a: Uuid::max(), b: Some(Uuid::nil()) },
        Uuids { id: 0, a: wanted, b: Some(Uuid::max()) },
    ];
    survive(context, rows, |row, id| Uuids { id, ..row.clone() }).await;
    expect_found(context, Uuids::A.eq(wanted).and(Uuids::ID.lt(3)), &[2]).await;
    expect_found(context, Uuids::B.is_in(&[Uuid::nil()]).and(Uuids::ID.lt(3)), &[1]).await;
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(rename_all = "snake_case")]
enum Mood {
    VerySad,
    #[arx(rename = "it's \"fine\", \\o/")]
    Fine,
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(integer)]
#[repr(i16)]
enum Level {
    Low = -300,
    High = 7,
}

#[derive(Scalar, Clone, Debug, PartialEq)]
struct Code(String);

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
struct Points(Option<i32>);

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "moods")]
struct Moods {
    #[arx(key)]
    id: i64,
    mood: Mood,
    maybe: Option<Mood>,
    level: Option<Level>,
    code: Code,
    points: Points,
}

async fn enums_and_newtypes_survive(context: &Context<'_>) {
    let row = |mood, maybe, level, points| Moods {
        id: 0,
        mood,
        maybe,
        level,
        code: Code("c".to_owned()),
        points: Points(points),
    };
    let rows = vec![
        row(Mood::VerySad, None, None, None),
        row(Mood::Fine, Some(Mood::Fine), Some(Level::Low), Some(-5)),
        row(Mood::Fine, Some(Mood::VerySad), Some(Level::High), None),
    ];
    survive(context, rows, |row, id| Moods { id, ..row.clone() }).await;
    expect_found(context, Moods::MOOD.eq(Mood::Fine).and(Moods::ID.lt(3)), &[1, 2]).await;
    expect_found(context, Moods::MAYBE.is_in(&[Mood::Fine]).and(Moods::ID.lt(3)), &[1]).await;
    expect_found(context, Moods::LEVEL.eq(Level::Low).and(Moods::ID.lt(3)), &[1]).await;
    expect_found(context, Moods::CODE.eq(Code("c".to_owned())).and(Moods::ID.lt(3)), &[0, 1, 2]).await;
}

async fn an_unknown_variant_is_a_decode_error(context: &Context<'_>) {
    context.create_table::<Moods>().await;
    let repository = context.repository::<Moods>();
    let row =
        Moods { id: 1, mood: Mood::Fine, maybe: None, level: None, code: Code(String::new()), points: Points(None) };
    repository.create(&row).await.unwrap();
    let quote = |name: &str| context.backend.quote(name);
    context.run(&format!("UPDATE {} SET {} = 'secret'", quote("moods"), quote("mood"))).await;
    let error = repository.retrieve(1).await.unwrap_err();
    assert_error(&error, ErrorKind::Decode, &["secret"]);
    assert_eq!(error.column(), Some("Moods.mood"));
    context
        .run(&format!("UPDATE {} SET {} = 'very_sad', {} = 4321", quote("moods"), quote("mood"), quote("level")))
        .await;
    let error = repository.retrieve_multiple(()).await.unwrap_err();
    assert_error(&error, ErrorKind::Decode, &["4321"]);
    assert_eq!(error.column(), Some("Moods.level"));
    context.assert_usable().await;
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(type = "Colour")]
enum Colour {
    Red,
    #[arx(rename = "it's \"blue\"")]
    Blue,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "paints")]
struct Paints {
    #[arx(key)]
    id: i64,
    colour: Colour,
    maybe: Option<Colour>,
}

async fn native_enums_survive(context: &Context<'_>) {
    context.run(r#"CREATE TYPE "Colour" AS ENUM ('Red', 'it''s "blue"')"#).await;
    let rows = vec![
        Paints { id: 0, colour: Colour::Red, maybe: None },
        Paints { id: 0, colour: Colour::Blue, maybe: Some(Colour::Red) },
        Paints { id: 0, colour: Colour::Red, maybe: Some(Colour::Blue) },
    ];
    survive(context, rows, |row, id| Paints { id, ..row.clone() }).await;
    expect_found(context, Paints::COLOUR.eq(Colour::Blue).and(Paints::ID.lt(3)), &[1]).await;
    expect_found(context, Paints::MAYBE.is_in(&[Colour::Blue, Colour::Red]).and(Paints::ID.lt(3)), &[1, 2]).await;
    expect_found(context, Paints::MAYBE.ne(Colour::Red).and(Paints::ID.lt(3)), &[2]).await;
}

/// A type that knows nothing of arx.
#[derive(Clone, Debug, PartialEq)]
struct Money(i64);

mod money {
    use super::{Encoder, Money, ScalarKind, Value};
    use crate::error::{Error, Result};

    pub(super) const KIND: ScalarKind = ScalarKind::I64;

    pub(super) fn encode(money: &Money, out: &mut dyn Encoder) {
        out.value(Value::I64(money.0));
    }

    pub(super) fn decode(value: Value<'_>) -> Result<Money> {
        match value {
            Value::I64(cents) => Ok(Money(cents)),
            _ => Err(Error::decode("not an amount")),
        }
    }
}

#[derive(Embedded, Clone, Debug, PartialEq)]
struct Place {
    city: String,
    #[arx(column = "postal code")]
    code: Option<i32>,
}

#[derive(Embedded, Clone, Debug, PartialEq)]
struct Address {
    street: Option<String>,
    #[arx(flatten)]
    place: Place,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "shops")]
struct Shops {
    #[arx(flatten)]
    address: Address,
    #[arx(key)]
    id: i64,
    #[arx(with = "money")]
    price: Money,
    #[arx(with = "money")]
    discount: Option<Money>,
    rank: Field<Option<i32>>,
}

async fn flattened_structs_and_modules_survive(context: &Context<'_>) {
    let row = |city: &str, code, price, rank| Shops {
        address: Address { street: None, place: Place { city: city.to_owned(), code } },
        id: 0,
        price: Money(price),
        discount: (price > 5).then_some(Money(-price)),
        rank: Field::Set(rank),
    };
    let rows = vec![row("Bern", None, 5, None), row("Basel", Some(4000), 6, Some(1)), row("", Some(1), 7, None)];
    survive(context, rows, |row, id| Shops { id, ..row.clone() }).await;
    let city = Shops::ADDRESS.at(Address::PLACE).at(Place::CITY);
    expect_found(context, city.eq("Basel").and(Shops::ID.lt(3)), &[1]).await;
    let repository = context.repository::<Shops>();
    let mut moved = row("Zug", Some(6300), 1, None);
    moved.id = 1;
    repository.update(&moved).columns(Shops::ADDRESS.at(Address::PLACE).at(Place::CODE)).await.unwrap();
    let stored = repository.retrieve(1).await.unwrap().unwrap();
    assert_eq!(stored.address.place, Place { city: "Basel".to_owned(), code: Some(6300) });
}
