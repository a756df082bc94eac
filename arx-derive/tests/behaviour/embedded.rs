use arx::entity::{ColumnSet, Embedded as _, Entity, Record as _};
use arx::query::Column;
use arx::value::Field;
use arx_derive::{Embedded, Entity};

use crate::memory::{Cell, names, number, read, small, text, write, write_some};

#[derive(Embedded, Clone, Debug, PartialEq)]
struct Place {
    city: String,
    #[arx(column = "postal")]
    zip: Field<i32>,
}

#[derive(Embedded, Clone, Debug, PartialEq)]
struct Address {
    street: Field<String>,
    #[arx(flatten)]
    place: Place,
    country: String,
}

#[derive(Embedded, Clone, Debug, PartialEq)]
struct Audit {
    #[arx(version)]
    version: i64,
}

#[derive(Entity, Clone, Debug, PartialEq)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(flatten)]
    address: Address,
    rank: Field<i32>,
    #[arx(flatten)]
    audit: Audit,
    name: String,
}

fn customer() -> Customer {
    Customer {
        id: 1,
        address: Address {
            street: Field::Set("Lane".to_owned()),
            place: Place { city: "Bern".to_owned(), zip: Field::Set(3000) },
            country: "CH".to_owned(),
        },
        rank: Field::Set(9),
        audit: Audit { version: 4 },
        name: "Ada".to_owned(),
    }
}

fn cells() -> Vec<Cell> {
    vec![number(1), text("Lane"), text("Bern"), small(3000), text("CH"), small(9), number(4), text("Ada")]
}

#[test]
fn the_columns_stand_where_the_struct_stands() {
    assert_eq!(names::<Customer>(), ["id", "street", "city", "postal", "country", "rank", "version", "name"]);
    let indexes = [Customer::ID.index(), Customer::RANK.index(), Customer::NAME.index()];
    assert_eq!(indexes, [0, 5, 7]);
    assert_eq!(<Customer as Entity>::TABLE.version, Some(6));
    assert_eq!(<Customer as Entity>::TABLE.defaultable, [1, 3, 5].into_iter().collect());
}

#[test]
fn a_column_is_reached_through_the_structs_it_is_in() {
    let zip: Column<Customer, Field<i32>> = Customer::ADDRESS.at(Address::PLACE).at(Place::ZIP);
    assert_eq!(zip.index(), 3);
    assert_eq!(Customer::ADDRESS.at(Address::COUNTRY).index(), 4);
}

#[test]
fn a_row_is_written_and_read_through_its_parts() {
    assert_eq!(write(&customer()), cells());
    assert_eq!(read::<Customer>(&cells()).unwrap(), customer());
    assert_eq!(write_some(&customer(), &[0, 2, 4, 7].into_iter().collect()).len(), 4);
    assert_eq!(write_some(&customer(), &ColumnSet::of(3)), [small(3000)]);
}

#[test]
fn every_column_is_taken_over_into_its_own_part() {
    let mut row = customer();
    let other = [number(2), text("Road"), text("Rome"), small(1), text("IT"), small(8), number(5), text("Bob")];
    for (column, cell) in other.iter().enumerate() {
        row.accept(column, cell.value()).unwrap();
    }
    assert_eq!(write(&row), other);
    assert!(row.accept(8, number(1).value()).is_err());
}

#[test]
fn parts_are_left_to_the_database_where_they_stand() {
    let mut row = customer();
    row.rank = Field::Default;
    row.address.street = Field::Default;
    row.address.place.zip = Field::Default;
    assert_eq!(row.defaults(), [1, 3, 5].into_iter().collect());
    let mut set = ColumnSet::EMPTY;
    row.address.defaults(100, &mut set);
    assert_eq!(set, [100, 102].into_iter().collect());
    assert_eq!(Address::COLUMNS.len(), 4);
}
