use arx::error::ErrorKind;
use arx::query::Filter;
use arx::value::{Element, Field, Scalar, ScalarKind};
use arx_derive::{Entity, Scalar};

use crate::memory::{Cell, number, read, small, text, write, write_value};

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
struct CustomerId(i64);

#[derive(Scalar, Clone, Debug, PartialEq)]
#[arx(type = "citext")]
struct Code(Option<String>);

#[derive(Scalar, Clone, Debug, PartialEq)]
struct Rank(Field<i32>);

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
#[arx(rename_all = "snake_case", type = "mood")]
enum Mood {
    VerySad,
    #[arx(rename = "joyful")]
    Happy,
    r#Type,
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
enum Plain {
    InTransit,
}

// Neither Copy nor Clone: the derive must not need them.
#[derive(Scalar, Debug, PartialEq)]
#[arx(integer)]
#[repr(i16)]
enum Level {
    Low = -300,
    Middle,
    High = 7,
}

#[derive(Scalar, Clone, Debug, PartialEq)]
#[arx(integer)]
#[repr(u8)]
enum Tiny {
    Last = 255,
}

#[derive(Entity, Clone, Debug, PartialEq)]
struct Customer {
    #[arx(key)]
    id: CustomerId,
    code: Code,
    rank: Rank,
    mood: Option<Mood>,
    moods: Vec<Mood>,
    friends: Vec<CustomerId>,
}

fn element<T: Element>() -> ScalarKind {
    T::KIND
}

#[test]
fn a_newtype_is_what_it_wraps() {
    assert_eq!(write_value(&CustomerId(5)), number(5));
    assert_eq!(CustomerId::decode(number(5).value()).unwrap(), CustomerId(5));
    assert_eq!((Code::KIND, Code::NULLABLE, Code::TYPE_NAME), (ScalarKind::Text, true, Some("citext")));
    assert_eq!(write_value(&Code(None)), Cell::Null(ScalarKind::Text));
    assert_eq!(element::<CustomerId>(), ScalarKind::I64);
    const { assert!(Rank::DEFAULTABLE && !CustomerId::DEFAULTABLE) };
    assert!(Rank(Field::Default).is_default() && !Rank(Field::Set(1)).is_default());
}

#[test]
fn an_enum_is_written_as_text() {
    assert_eq!(
        [Mood::VerySad, Mood::Happy, Mood::Type].map(|mood| write_value(&mood)),
        ["very_sad", "joyful", "type"].map(text)
    );
    assert_eq!(Mood::decode(text("joyful").value()).unwrap(), Mood::Happy);
    assert_eq!((Mood::KIND, Mood::TYPE_NAME, Plain::TYPE_NAME), (ScalarKind::Text, Some("mood"), None));
    assert_eq!(write_value(&Plain::InTransit), text("InTransit"));
}

#[test]
fn an_enum_is_written_as_a_number() {
    let levels = [Level::Low, Level::Middle, Level::High];
    let numbers = [-300, -299, 7].map(|number| Cell::Number(ScalarKind::I16, number));
    assert_eq!(levels.each_ref().map(write_value), numbers);
    assert_eq!(numbers.map(|number| Level::decode(number.value()).unwrap()), levels);
    assert_eq!((Level::KIND, Tiny::KIND), (ScalarKind::I16, ScalarKind::U8));
    assert_eq!(write_value(&Tiny::Last), Cell::Number(ScalarKind::U8, 255));
}

#[test]
fn an_unknown_variant_is_an_error_that_does_not_show_the_value() {
    let error = Mood::decode(text("secret").value()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().contains("secret")), (ErrorKind::Decode, false));
    let error = Level::decode(Cell::Number(ScalarKind::I16, 4321).value()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().contains("4321")), (ErrorKind::Decode, false));
    assert!(Level::decode(text("Low").value()).is_err());
    assert!(Mood::decode(Cell::Null(ScalarKind::Text).value()).is_err());
}

#[test]
fn scalars_are_fields() {
    let row = Customer {
        id: CustomerId(1),
        code: Code(Some("x".to_owned())),
        rank: Rank(Field::Set(2)),
        mood: None,
        moods: vec![Mood::Happy],
        friends: vec![CustomerId(2)],
    };
    let arrays = [Cell::Many(vec![text("joyful")]), Cell::Many(vec![number(2)])];
    let [moods, friends] = arrays;
    assert_eq!(write(&row), [number(1), text("x"), small(2), Cell::Null(ScalarKind::Text), moods, friends]);
    assert!(read::<Customer>(&[number(1)]).is_err());
}

#[test]
fn scalars_fit_filters_as_they_are() {
    let _: Filter<'_, Customer> = Customer::ID.eq(CustomerId(1));
    let _: Filter<'_, Customer> = Customer::MOOD.eq(Mood::Happy);
    let _: Filter<'_, Customer> = Customer::ID.is_in(&[CustomerId(1), CustomerId(2)]);
}
