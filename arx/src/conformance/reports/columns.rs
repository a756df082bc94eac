//! Rows without a column to write, columns left to the database, and keys of several parts.

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::error::RowFault;
use crate::plan::Verb;
use crate::{Entity, ErrorKind, Field, Scalar};

cases! {
    case_116_one_part_of_a_key_is_not_the_key: [12] [];
    case_118_keys_are_deleted_by_all_their_parts: [3] [];
    case_119_a_key_with_null_in_it_is_refused: [8, 13] [];
    case_120_rows_of_a_key_and_nothing_else: [1, 3] [];
    case_120_rows_of_columns_that_no_insert_writes: [1, 5] [];
    case_122_two_rows_of_defaults: [1, 5] [];
    case_123_defaults_beside_values_and_null: [5] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "products")]
struct Product {
    #[arx(key)]
    company: String,
    price: i32,
    #[arx(key)]
    number: i32,
}

/// Companies a and b, with the numbers 1 to 9 each; prices are all apart.
async fn create_products(context: &Context<'_>) -> Vec<Product> {
    context.create_table::<Product>().await;
    let product = |place: i32| {
        let company = if place < 9 { "a" } else { "b" };
        Product { company: company.to_owned(), price: place, number: place % 9 + 1 }
    };
    let rows: Vec<_> = (0..18).map(product).collect();
    context.repository::<Product>().create_multiple(&rows).await.unwrap();
    rows
}

async fn prices(context: &Context<'_>) -> Vec<i32> {
    let products = context.repository::<Product>();
    let rows = products.retrieve_multiple(()).order_by((Product::COMPANY.asc(), Product::NUMBER.asc())).await.unwrap();
    rows.iter().map(|row| row.price).collect()
}

fn key(company: &str, number: i32) -> (String, i32) {
    (company.to_owned(), number)
}

// RepoDB 485: a delete by a key of two columns used the first alone, and removed every row of the company.
async fn case_116_one_part_of_a_key_is_not_the_key(context: &Context<'_>) {
    let mut rows = create_products(context).await;
    let products = context.repository::<Product>();
    assert!(products.delete(key("a", 3)).await.unwrap());
    assert!(!products.delete(key("c", 3)).await.unwrap());
    products.delete_entity(&rows[9]).await.unwrap();
    assert_eq!(products.delete_multiple(&[key("b", 9)]).await.unwrap(), 1);
    rows[0].price = 100;
    products.update(&rows[0]).await.unwrap();
    assert_eq!(prices(context).await, [100, 1, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16]);
    assert_eq!(products.retrieve(key("b", 5)).await.unwrap(), Some(rows[13].clone()));
    assert_eq!(products.retrieve(key("b", 1)).await.unwrap(), None);
}

// berlindb 234: a delete of many rows took one column of the key.
async fn case_118_keys_are_deleted_by_all_their_parts(context: &Context<'_>) {
    let mut rows = create_products(context).await;
    let products = context.repository::<Product>();
    // Every part of the last two stands in some key, but not together.
    let keys = [key("b", 2), key("a", 1), key("a", 9), key("c", 1), key("b", 20)];
    let found = products.retrieve_by_keys(&keys).await.unwrap();
    assert!(found.iter().map(|row| row.as_ref().map(|row| row.price)).eq([Some(10), Some(0), Some(8), None, None]));
    assert_eq!(products.delete_multiple(&keys).await.unwrap(), 3);
    assert_eq!(prices(context).await, [1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 15, 16, 17]);
    rows.iter_mut().for_each(|row| row.price = -row.price);
    assert_eq!(products.update_multiple(&rows[1..10]).await.unwrap().matched, 8);
    assert_eq!(prices(context).await, [-1, -2, -3, -4, -5, -6, -7, -9, 11, 12, 13, 14, 15, 16, 17]);
}

/// A part of a key that has a form for NULL, which `Option` itself is not allowed to be.
#[derive(Scalar, Clone, Copy, Debug, PartialEq, Eq)]
struct Maybe(Option<i32>);

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "loose")]
struct Loose {
    #[arx(key)]
    a: i32,
    #[arx(key)]
    b: Maybe,
    v: i32,
}

// bltoolkit 249: a key with NULL in a part was compared by `=`, which is never true; the update matched no row and
// said nothing.
async fn case_119_a_key_with_null_in_it_is_refused(context: &Context<'_>) {
    context.run("CREATE TABLE loose (a INTEGER NOT NULL, b INTEGER, v INTEGER NOT NULL, UNIQUE (a, b))").await;
    let table = context.repository::<Loose>();
    let row = |a, b, v| Loose { a, b: Maybe(b), v };
    let rows = [row(1, Some(1), 10), row(1, None, 20), row(2, Some(2), 30)];
    assert_eq!(table.create_multiple(&rows).without_keys().await.unwrap(), 3);
    context.log.reset();
    let changed = [row(1, Some(1), 11), row(1, None, 21)];
    let key = (1, Maybe(None));
    let many = [(1, Maybe(Some(1))), key];
    let errors = [
        (1, table.update_multiple(&changed).await.unwrap_err()),
        (0, table.update(&changed[1]).await.unwrap_err()),
        (1, table.delete_multiple(&many).await.unwrap_err()),
        (0, table.delete(key).await.unwrap_err()),
        (0, table.delete_entity(&changed[1]).await.unwrap_err()),
        (1, table.retrieve_by_keys(&many).await.unwrap_err()),
        (0, table.retrieve(key).await.unwrap_err()),
    ];
    for (index, error) in &errors {
        assert_eq!(error.kind(), ErrorKind::Encode, "{error:?}");
        assert_eq!(error.rows().iter().map(RowFault::index).collect::<Vec<_>>(), [*index]);
    }
    context.assert_traffic(0, 0);
    assert_eq!(table.retrieve_multiple(Loose::B.eq(Maybe(None))).await.unwrap(), rows[1..2]);
    assert_eq!(table.retrieve_multiple(()).order_by(Loose::V.asc()).await.unwrap(), rows);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "bare")]
struct Bare {
    #[arx(key, generated)]
    id: i64,
}

// linq2db 4615: an insert of many rows without a column to write was a syntax error.
async fn case_120_rows_of_a_key_and_nothing_else(context: &Context<'_>) {
    context.create_table::<Bare>().await;
    let table = context.repository::<Bare>();
    for count in [1, 2, 500] {
        let keys = table.create_multiple(&vec![Bare { id: 0 }; count]).await.unwrap();
        context.assert_bulk::<Bare>(Verb::Insert, count);
        assert_eq!(keys.len(), count);
        assert!(keys.is_sorted_by(|left, right| left < right));
        assert!(stored::<Bare>(context, &keys).await.iter().map(|row| row.id).eq(keys.iter().copied()));
        context.log.reset();
    }
    let mut rows = vec![Bare { id: 0 }; 3];
    let keys = table.create_multiple(&mut rows).await.unwrap();
    assert!(rows.iter().map(|row| row.id).eq(keys));
    let key = table.create(&Bare { id: 0 }).await.unwrap();
    assert_eq!(table.create_multiple(&rows).without_keys().await.unwrap(), 3);
    assert_eq!(
        table.create_multiple(&[Bare { id: 9_000 }, Bare { id: 8_000 }]).with_keys().await.unwrap(),
        [9_000, 8_000]
    );
    assert_eq!(table.count(()).await.unwrap(), 512);
    assert_eq!(table.delete_multiple(&[key, 9_000]).await.unwrap(), 2);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "stamped")]
struct Stamped {
    #[arx(key, generated)]
    id: i64,
    #[arx(skip_insert)]
    note: Option<String>,
    #[arx(skip_insert)]
    rank: i32,
}

// The same report: columns that are there, but that an insert does not write.
async fn case_120_rows_of_columns_that_no_insert_writes(context: &Context<'_>) {
    context.create_table_with::<Stamped>(&[("note", "DEFAULT 'new'"), ("rank", "DEFAULT 4")], &[]).await;
    let table = context.repository::<Stamped>();
    let row = |rank| Stamped { id: 0, note: Some("ignored".to_owned()), rank };
    let keys = table.create_multiple(&[row(1), row(2), row(3)]).await.unwrap();
    context.assert_bulk::<Stamped>(Verb::Insert, 3);
    let mut found = stored::<Stamped>(context, &keys).await;
    assert!(found.iter().all(|row| row.note.as_deref() == Some("new") && row.rank == 4));
    found[1].note = None;
    table.update_multiple(&found).await.unwrap();
    assert_eq!(stored::<Stamped>(context, &keys).await, found);
    let one = table.create(&row(1)).await.unwrap();
    assert_eq!(stored::<Stamped>(context, &[one]).await[0].rank, 4);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "models")]
struct Model {
    #[arx(key, generated)]
    id: i64,
    name: Field<Option<String>>,
    size: Field<i32>,
}

// knex 319: `insert([{}, {}])` was `VALUES (), ()`.
async fn case_122_two_rows_of_defaults(context: &Context<'_>) {
    context.create_table_with::<Model>(&[("size", "DEFAULT 7")], &[]).await;
    let models = context.repository::<Model>();
    let empty = Model { id: 0, name: Field::Default, size: Field::Default };
    let mut rows = vec![empty.clone(), empty.clone()];
    let keys = models.create_multiple(&mut rows).await.unwrap();
    let (statements, trips) = if context.returns() { (1, 1) } else { (2, 4) };
    context.assert_traffic(statements, trips);
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), keys);
    assert!(rows.iter().all(|row| row.name == Field::Set(None) && row.size == Field::Set(7)));
    assert_eq!(stored::<Model>(context, &keys).await, rows);
    let mut one = empty.clone();
    models.create(&mut one).await.unwrap();
    assert_eq!((one.name, one.size), (Field::Set(None), Field::Set(7)));
    assert_eq!(models.create_multiple(&[empty.clone(), empty.clone()]).without_keys().await.unwrap(), 2);
    assert_eq!(models.create_multiple(&[empty.clone(), empty]).returning().await.unwrap()[1].size, Field::Set(7));
    assert_eq!(models.count(Model::SIZE.eq(Field::Set(7))).await.unwrap(), 7);
}

// diesel 4546: a batch in which some rows left a column to its default was refused by SQLite, which has no DEFAULT
// among values; elsewhere NULL took the place of a default.
async fn case_123_defaults_beside_values_and_null(context: &Context<'_>) {
    context.create_table_with::<Model>(&[("name", "DEFAULT 'unnamed'"), ("size", "DEFAULT 7")], &[]).await;
    let models = context.repository::<Model>();
    let name = |place: usize| match place % 3 {
        0 => Field::Default,
        1 => Field::Set(None),
        _ => Field::Set(Some(format!("name {place}"))),
    };
    let size = |place: usize| if place % 4 < 2 { Field::Default } else { Field::Set(i32::try_from(place).unwrap()) };
    let rows: Vec<_> = (0..48).map(|place| Model { id: 0, name: name(place), size: size(place) }).collect();
    let expected = |place: usize| {
        let name = if name(place) == Field::Default { Field::Set(Some("unnamed".to_owned())) } else { name(place) };
        let size = if place % 4 < 2 { Field::Set(7) } else { size(place) };
        (name, size)
    };
    let keys = models.create_multiple(&rows).await.unwrap();
    let mut mutable = rows.clone();
    let written = models.create_multiple(&mut mutable).await.unwrap();
    let returned = models.create_multiple(&rows).returning().await.unwrap();
    assert_eq!(stored::<Model>(context, &written).await, mutable);
    for found in [stored::<Model>(context, &keys).await, mutable, returned] {
        for (place, row) in found.into_iter().enumerate() {
            assert_eq!((row.name, row.size), expected(place), "row {place}");
        }
    }
    for (place, row) in rows.iter().enumerate().take(12) {
        let one = models.create(row).await.unwrap();
        let found = models.retrieve(one).await.unwrap().unwrap();
        assert_eq!((found.name, found.size), expected(place));
    }
    let error = models.update(&Model { id: keys[0], ..rows[1].clone() }).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Model.size")));
}
