use arx::entity::{Entity, Record};
use arx_derive::{Embedded, Entity, Scalar};

use crate::memory::{names, number, read, text, write};

#[derive(Entity, Clone, Debug, PartialEq)]
struct r#Struct {
    #[arx(key)]
    r#type: i64,
    r#fn: String,
    r#match: String,
    select: String,
    #[arx(column = "id\"; DROP TABLE users; --")]
    evil: String,
}

#[test]
fn raw_identifiers_and_reserved_words_are_names_like_others() {
    let table = <r#Struct as Entity>::TABLE;
    assert_eq!((table.entity, table.name), ("Struct", "struct"));
    assert_eq!(names::<r#Struct>(), ["type", "fn", "match", "select", "id\"; DROP TABLE users; --"]);
    assert_eq!([r#Struct::FN.index(), r#Struct::SELECT.index()], [1, 3]);
    assert_eq!(table.label(r#Struct::TYPE.index()), "Struct.type");
    let cells = [number(1), text("a"), text("b"), text("c"), text("d")];
    assert_eq!(write(&read::<r#Struct>(&cells).unwrap()), cells);
}

// Fields called like what the emitted code calls its own things.
#[derive(Entity, Clone, Debug, PartialEq)]
struct Shadow {
    #[arx(key)]
    row: i64,
    rows: String,
    out: String,
    column: String,
    columns: String,
    value: String,
    set: arx::value::Field<i64>,
    base: String,
    table: String,
    key: String,
}

#[test]
fn fields_may_have_the_names_of_parameters_and_of_constants_of_the_traits() {
    assert_eq!(<Shadow as Entity>::TABLE.columns.len(), <Shadow as Record>::COLUMNS.len());
    assert_eq!([Shadow::TABLE.index(), Shadow::COLUMNS.index(), Shadow::KEY.index()], [8, 4, 9]);
    let shadow = Shadow {
        row: 1,
        rows: String::new(),
        out: String::new(),
        column: String::new(),
        columns: String::new(),
        value: String::new(),
        set: arx::value::Field::Default,
        base: String::new(),
        table: String::new(),
        key: String::new(),
    };
    assert_eq!(shadow.defaults().iter().collect::<Vec<_>>(), [6]);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[allow(non_snake_case)]
#[arx(rename_all = "kebab-case")]
struct HTTPRequest {
    #[arx(key, column = "key")]
    request_id: i64,
    statusCode: String,
    #[arx(constant = "OTHER_STATUS_CODE")]
    status_code_: String,
    größe: String,
}

#[test]
fn cases_apply_to_columns_and_constants_may_be_named() {
    assert_eq!(<HTTPRequest as Entity>::TABLE.name, "http_request");
    assert_eq!(names::<HTTPRequest>(), ["key", "status-code", "status-code-", "größe"]);
    assert_eq!([HTTPRequest::STATUS_CODE.index(), HTTPRequest::OTHER_STATUS_CODE.index()], [1, 2]);
    assert_eq!(HTTPRequest::GRÖSSE.index(), 3);
}

/// The standard names, all taken: the emitted code must not use them.
mod hostile {
    #![allow(non_camel_case_types)]

    pub(super) mod other {
        pub(crate) use arx as elsewhere;
    }

    pub(super) struct Option;
    pub(super) struct Result;
    pub(super) struct Default;
    pub(super) struct Clone;
    pub(super) trait Some {}
    pub(super) trait Ok {}

    #[derive(super::Scalar)]
    #[arx(crate = "other::elsewhere")]
    pub(super) struct Id(pub(super) i64);

    impl std::clone::Clone for Id {
        fn clone(&self) -> Self {
            Id(self.0)
        }
    }

    #[derive(super::Embedded)]
    #[arx(crate = "self::other::elsewhere")]
    pub(super) struct Part {
        part: i64,
    }

    #[derive(super::Entity)]
    #[arx(crate = "super::hostile::other::elsewhere")]
    pub(super) struct Row {
        #[arx(key)]
        pub(super) id: Id,
        #[arx(flatten)]
        pub(super) part: Part,
        pub(super) rank: arx::value::Field<i64>,
        #[arx(skip)]
        pub(super) cache: i64,
    }
}

#[test]
fn arx_may_be_elsewhere_and_the_standard_names_may_be_taken() {
    let row = read::<hostile::Row>(&[number(1), number(2), number(3)]).unwrap();
    assert_eq!(write(&row), [number(1), number(2), number(3)]);
    assert_eq!(hostile::Row::RANK.index(), 2);
}
