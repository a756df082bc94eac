use arx::entity::{ColumnSet, Entity, Record, Role};
use arx::error::ErrorKind;
use arx::value::{Field, ScalarKind};
use arx_derive::Entity;
use uuid::Uuid;

use crate::memory::{Cell, Sink, names, number, read, small, text, write, write_column, write_some};

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "customers", schema = "sales")]
struct Customer {
    #[arx(key, generated)]
    id: i64,
    #[arx(unique)]
    code: String,
    #[arx(column = "full_name", skip_update)]
    name: Option<String>,
    #[arx(version)]
    version: i32,
    #[arx(default)]
    rank: Field<i32>,
    level: Field<i32>,
    #[arx(skip)]
    cache: Vec<u16>,
    #[arx(soft_delete)]
    deleted: bool,
    #[arx(skip_insert)]
    note: String,
}

fn customer() -> Customer {
    Customer {
        id: 7,
        code: "c7".to_owned(),
        name: None,
        version: 1,
        rank: Field::Set(3),
        level: Field::Set(4),
        cache: vec![1],
        deleted: false,
        note: String::new(),
    }
}

fn cells() -> Vec<Cell> {
    let null = Cell::Null(ScalarKind::Text);
    vec![number(7), text("c7"), null, small(1), small(3), small(4), Cell::Bool(false), text("")]
}

#[test]
fn the_table_says_what_the_attributes_say() {
    let table = <Customer as Entity>::TABLE;
    assert_eq!((table.entity, table.schema, table.name), ("Customer", Some("sales"), "customers"));
    assert_eq!(names::<Customer>(), ["id", "code", "full_name", "version", "rank", "level", "deleted", "note"]);
    assert_eq!(table.columns[2].field, "name");
    assert_eq!((table.version, table.soft_delete, table.created_at), (Some(3), Some(6), None));
    assert_eq!(table.key, ColumnSet::of(0));
    assert_eq!(table.insertable, [1, 2, 3, 4, 5, 6].into_iter().collect());
    assert_eq!(table.updatable, [1, 4, 5, 7].into_iter().collect());
    assert_eq!(table.defaultable, [4, 5].into_iter().collect());
    assert!(table.columns[0].generated && table.columns[1].unique && table.columns[2].nullable);
    assert_eq!(table.columns.iter().filter(|column| column.unique || column.generate).count(), 1);
    assert_eq!(table.columns[0].role, Role::Key);
}

#[test]
fn a_row_is_written_by_row_and_by_column_and_read_back() {
    assert_eq!(write(&customer()), cells());
    assert_eq!(read::<Customer>(&cells()).unwrap(), Customer { cache: Vec::new(), ..customer() });
    assert_eq!(write_some(&customer(), &[6, 1].into_iter().collect()), [text("c7"), Cell::Bool(false)]);
    assert_eq!(write_some(&customer(), &ColumnSet::EMPTY), []);
}

#[test]
fn a_column_of_many_rows_follows_the_order_that_is_asked_for() {
    let rows: Vec<Customer> = (0..3).map(|id| Customer { id, ..customer() }).collect();
    assert_eq!(write_column(&rows, 0), [number(0), number(1), number(2)]);
    let mut sink = Sink::default();
    Customer::encode(&rows, Some(&[2, 0, 2]), Customer::ID.index(), &mut sink);
    assert_eq!(sink.done(), [number(2), number(0), number(2)]);
}

#[test]
fn values_that_come_back_are_taken_over() {
    let mut row = customer();
    row.accept(0, number(99).value()).unwrap();
    row.accept(Customer::VERSION.index(), small(2).value()).unwrap();
    row.accept(Customer::RANK.index(), small(5).value()).unwrap();
    row.accept(Customer::NAME.index(), text("Ada").value()).unwrap();
    assert_eq!((row.id, row.version, row.rank, row.name.as_deref()), (99, 2, Field::Set(5), Some("Ada")));
    let error = row.accept(0, text("no number").value()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(!error.to_string().contains("no number"));
}

#[test]
fn columns_that_are_not_there_are_errors() {
    let mut row = customer();
    assert_eq!(row.accept(8, number(1).value()).unwrap_err().kind(), ErrorKind::Decode);
    let mut sink = Sink::default();
    Customer::encode(&[row], None, 8, &mut sink);
    assert_eq!(sink.error().kind(), ErrorKind::Encode);
    let mut sink = Sink::default();
    Customer::generate(0, &mut sink);
    assert_eq!(sink.error().kind(), ErrorKind::Encode);
}

#[test]
fn columns_left_to_the_database_are_told() {
    assert_eq!(customer().defaults(), ColumnSet::EMPTY);
    let row = Customer { rank: Field::Default, level: Field::Default, ..customer() };
    assert_eq!(row.defaults(), [4, 5].into_iter().collect());
}

#[test]
fn a_single_key_is_its_field() {
    let key: i64 = customer().key();
    assert_eq!(key, 7);
}

#[derive(Entity, Clone, Debug, PartialEq)]
struct OrderLine {
    quantity: i32,
    #[arx(key)]
    order: i64,
    #[arx(key, generate = "Uuid::now_v7")]
    line: Uuid,
    #[arx(key)]
    part: String,
}

#[test]
fn a_composite_key_is_a_tuple_in_the_order_of_the_fields() {
    let row = OrderLine { quantity: 1, order: 5, line: Uuid::nil(), part: "p".to_owned() };
    let key: (i64, Uuid, String) = row.key();
    assert_eq!(key, (5, Uuid::nil(), "p".to_owned()));
    assert_eq!(<OrderLine as Entity>::TABLE.key, [1, 2, 3].into_iter().collect());
    assert_eq!(<OrderLine as Entity>::TABLE.name, "order_line");
}

#[test]
fn arx_makes_the_keys_that_it_is_to_make() {
    let mut sink = Sink::default();
    OrderLine::generate(OrderLine::LINE.index(), &mut sink);
    OrderLine::generate(2, &mut sink);
    let made = sink.done();
    assert_ne!(made[0], made[1]);
    assert!(<OrderLine as Record>::COLUMNS[2].generate);
}

/// An alias hides the name that the derive looks for; the type itself does not hide.
type Filled = Field<i32>;

#[derive(Entity, Clone, Debug, PartialEq)]
struct Aliased {
    #[arx(key)]
    id: i64,
    rank: Filled,
}

#[test]
fn a_field_behind_an_alias_is_left_to_the_database_too() {
    assert_eq!(Aliased { id: 1, rank: Field::Default }.defaults(), ColumnSet::of(1));
}
