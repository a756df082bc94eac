use arx::entity::Entity as _;
use arx::error::ErrorKind;
use arx::value::ScalarKind;
use arx_derive::Entity;

use crate::memory::{Cell, number, read, write};

/// A type that knows nothing of arx.
#[derive(Clone, Debug, PartialEq)]
struct Money {
    cents: i64,
}

mod money {
    use arx::error::{Error, Result};
    use arx::value::{Encoder, ScalarKind, Value};

    use super::Money;

    pub(super) const KIND: ScalarKind = ScalarKind::I64;

    pub(super) fn encode(money: &Money, out: &mut dyn Encoder) {
        out.value(Value::I64(money.cents));
    }

    pub(super) fn decode(value: Value<'_>) -> Result<Money> {
        match value {
            Value::I64(cents) => Ok(Money { cents }),
            _ => Err(Error::decode("not an amount")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Note {
    words: Vec<String>,
}

#[derive(Entity, Clone, Debug, PartialEq)]
struct Product {
    #[arx(key)]
    id: i64,
    #[arx(with = "money")]
    price: Money,
    #[arx(with = "money")]
    discount: Option<Money>,
    #[arx(json)]
    note: Note,
    #[arx(json, type = "jsonb")]
    remark: Option<Note>,
    #[arx(json)]
    anything: Option<Option<i64>>,
}

fn json(text: &str) -> Cell {
    Cell::Json(text.to_owned())
}

#[test]
fn modules_and_json_carry_values_and_nulls() {
    let note = Note { words: vec!["a".to_owned()] };
    let row = Product { id: 1, price: Money { cents: 5 }, discount: None, note, remark: None, anything: Some(None) };
    let nulls = [Cell::Null(ScalarKind::I64), Cell::Null(ScalarKind::Json)];
    let [discount, remark] = nulls;
    // `Some(None)` is the JSON null, `None` is SQL's.
    let cells = [number(1), number(5), discount, json(r#"{"words":["a"]}"#), remark, json("null")];
    assert_eq!(write(&row), cells);
    assert_eq!(read::<Product>(&cells).unwrap(), row);
}

#[test]
fn values_are_read_back_through_them() {
    let words = r#"{"words":[]}"#;
    let cells = [number(1), number(5), number(6), json(words), json(words), Cell::Null(ScalarKind::Json)];
    let mut row = read::<Product>(&cells).unwrap();
    assert_eq!((row.discount.clone(), row.anything), (Some(Money { cents: 6 }), None));
    row.accept(Product::PRICE.index(), number(7).value()).unwrap();
    row.accept(Product::DISCOUNT.index(), Cell::Null(ScalarKind::I64).value()).unwrap();
    row.accept(Product::NOTE.index(), json(r#"{"words":["b"]}"#).value()).unwrap();
    row.accept(Product::REMARK.index(), Cell::Null(ScalarKind::Json).value()).unwrap();
    assert_eq!((row.price.cents, row.discount, row.remark), (7, None, None));
    assert_eq!(row.note.words, ["b"]);
}

#[test]
fn the_columns_are_of_the_kinds_that_they_say() {
    let columns = <Product as arx::entity::Record>::COLUMNS;
    let kinds: Vec<_> = columns.iter().map(|column| (column.kind, column.nullable)).collect();
    let (number, json) = (ScalarKind::I64, ScalarKind::Json);
    assert_eq!(kinds, [(number, false), (number, false), (number, true), (json, false), (json, true), (json, true)]);
    assert_eq!(columns[4].type_name, Some("jsonb"));
}

#[test]
fn a_document_of_another_shape_is_a_decode_error() {
    let mut row = read::<Product>(&[
        number(1),
        number(5),
        number(6),
        json(r#"{"words":[]}"#),
        json(r#"{"words":[]}"#),
        json("1"),
    ])
    .unwrap();
    assert_eq!(row.accept(3, json("[1]").value()).unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(row.accept(3, Cell::Null(ScalarKind::Json).value()).unwrap_err().kind(), ErrorKind::Decode);
}
