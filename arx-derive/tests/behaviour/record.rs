use arx::error::ErrorKind;
use arx::value::ScalarKind;
use arx_derive::Record;

use crate::memory::{Cell, names, number, read, text};

#[derive(Record, Debug, PartialEq)]
struct Place {
    city: String,
}

#[derive(Record, Debug, PartialEq)]
#[arx(rename_all = "SCREAMING_SNAKE_CASE")]
struct Summary {
    id: i64,
    #[arx(column = "total")]
    order_total: Option<i64>,
    #[arx(flatten)]
    place: Place,
    #[arx(json)]
    tags: Vec<String>,
    #[arx(skip)]
    rank: usize,
}

#[test]
fn a_projection_reads_its_columns_by_position() {
    assert_eq!(names::<Summary>(), ["ID", "total", "city", "TAGS"]);
    let cells = [number(1), Cell::Null(ScalarKind::I64), text("Bern"), Cell::Json("[\"a\"]".to_owned())];
    let place = Place { city: "Bern".to_owned() };
    let summary = Summary { id: 1, order_total: None, place, tags: vec!["a".to_owned()], rank: 0 };
    assert_eq!(read::<Summary>(&cells).unwrap(), summary);
}

#[test]
fn a_row_that_is_too_short_or_null_is_a_decode_error() {
    assert_eq!(read::<Summary>(&[number(1)]).unwrap_err().kind(), ErrorKind::Decode);
    assert_eq!(read::<Place>(&[Cell::Null(ScalarKind::Text)]).unwrap_err().kind(), ErrorKind::Decode);
}
