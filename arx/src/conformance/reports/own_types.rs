//! Columns of types that a batch has to name: arrays, enums, and others that text is not cast to by itself.

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::{Entity, Record, Scalar};

cases! {
    case_085_every_row_has_an_array_of_its_own: [5, 6] [Arrays];
    case_087_an_enum_with_a_name_in_upper_case: [5, 12] [Enums];
    case_089_a_batch_is_cast_by_its_columns: [5] [Enums];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "s")]
struct Set {
    #[arx(key, generated)]
    id: i64,
    names: Option<Vec<String>>,
    numbers: Vec<Option<i32>>,
    halves: Vec<f64>,
}

// sqlx 1945: UNNEST takes an array of arrays apart down to its elements, so two rows of arrays became many rows.
async fn case_085_every_row_has_an_array_of_its_own(context: &Context<'_>) {
    context.create_table::<Set>().await;
    let sets = context.repository::<Set>();
    let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
    let set =
        |names, numbers: &[Option<i32>]| Set { id: 0, names, numbers: numbers.to_vec(), halves: vec![0.5, 1e300] };
    let mut rows = vec![
        set(names(&["a", "b"]), &[Some(1), Some(2)]),
        set(names(&["c"]), &[Some(3), None, Some(-5)]),
        set(names(&[]), &[]),
        set(None, &[None]),
        set(names(&["", "NULL", "{}", "a,b", r#"q"uo\te"#, "tab\t", " x "]), &[Some(i32::MIN)]),
    ];
    let keys = sets.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Set>(context, &keys).await, rows);
    for row in &rows {
        let one = sets.create(row).await.unwrap();
        assert_eq!(stored::<Set>(context, &[one]).await, [Set { id: one, ..row.clone() }]);
    }
    let mut turned: Vec<_> = rows.iter().rev().cloned().collect();
    turned.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
    assert_eq!(sets.update_multiple(&turned).await.unwrap().matched, 5);
    assert_eq!(stored::<Set>(context, &keys).await, turned);
    assert!(sets.exists(Set::NUMBERS.eq(vec![Some(3), None, Some(-5)])).await.unwrap());
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq, Eq)]
#[arx(type = "Region")]
enum Region {
    North,
    #[arx(rename = "deep south")]
    South,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "expansions")]
struct Expansion {
    #[arx(key, generated)]
    id: i64,
    region: Region,
    next: Option<Region>,
}

// sqlx 1004: the array of a batch was cast to the enum's name without quotes, so to `region`, which is not there.
async fn case_087_an_enum_with_a_name_in_upper_case(context: &Context<'_>) {
    context.run(r#"CREATE TYPE "Region" AS ENUM ('North', 'deep south')"#).await;
    context.create_table::<Expansion>().await;
    let expansions = context.repository::<Expansion>();
    let row = |region, next| Expansion { id: 0, region, next };
    let mut rows = vec![row(Region::North, None), row(Region::South, Some(Region::North)), row(Region::North, None)];
    let keys = expansions.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Expansion>(context, &keys).await, rows);
    let one = expansions.create(&rows[1]).await.unwrap();
    assert_eq!(stored::<Expansion>(context, &[one]).await, [Expansion { id: one, ..rows[1].clone() }]);
    rows.iter_mut().for_each(|row| (row.region, row.next) = (Region::South, None));
    assert_eq!(expansions.update_multiple(&rows).await.unwrap().matched, 3);
    expansions.update(&Expansion { id: one, ..rows[0].clone() }).await.unwrap();
    assert_eq!(expansions.count(Expansion::REGION.eq(Region::South) & Expansion::NEXT.is_null()).await.unwrap(), 4);
    assert_eq!(expansions.count(Expansion::REGION.is_in(&[Region::North, Region::South])).await.unwrap(), 4);
    assert_eq!(expansions.count(Expansion::REGION.is_not_in(&[Region::South])).await.unwrap(), 0);
    let first = expansions.retrieve_multiple(()).order_by(Expansion::REGION.desc()).first().await.unwrap().unwrap();
    assert_eq!(first.region, Region::South);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "casts")]
struct Cast {
    #[arx(key)]
    id: i32,
    b: Option<Vec<u8>>,
    u: Option<uuid::Uuid>,
    #[arx(type = "varbit")]
    bits: Option<String>,
    #[arx(type = "inet")]
    address: Option<String>,
}

#[derive(Record, Debug, PartialEq)]
struct Spelled {
    text: Option<String>,
}

// sqlalchemy 9739, 9808, 10532: a batch that is a list of values has text where a column wants bytea, uuid or bit,
// which text is not cast to.
async fn case_089_a_batch_is_cast_by_its_columns(context: &Context<'_>) {
    context.create_table::<Cast>().await;
    let casts = context.repository::<Cast>();
    let row = |id, bits: Option<&str>, address: Option<&str>| Cast {
        id,
        b: bits.map(|bits| bits.as_bytes().to_vec()),
        u: bits.map(|_| uuid::Uuid::from_u128(77)),
        bits: bits.map(str::to_owned),
        address: address.map(str::to_owned),
    };
    let spelled = async || {
        let sql = r"SELECT concat_ws(' ', encode(b, 'escape'), u, bits, address) FROM casts ORDER BY id";
        let found = context.db.query::<Spelled>(sql, ()).await.unwrap();
        found.into_iter().map(|row| row.text.unwrap()).collect::<Vec<_>>()
    };
    let uuid = "00000000-0000-0000-0000-00000000004d";
    let rows = [row(1, Some("101"), Some("10.0.0.1")), row(2, None, None), row(3, Some(""), Some("::1"))];
    assert_eq!(casts.create_multiple(&rows).without_keys().await.unwrap(), 3);
    casts.create(&row(4, Some("1"), None)).await.unwrap();
    let expected = [format!("101 {uuid} 101 10.0.0.1"), String::new(), format!(" {uuid}  ::1"), format!("1 {uuid} 1")];
    assert_eq!(spelled().await, expected);
    let turned = [row(1, None, None), row(2, Some("011"), None), row(4, None, Some("10.1.0.0/16"))];
    assert_eq!(casts.update_multiple(&turned).await.unwrap().matched, 3);
    casts.update(&row(3, None, None)).await.unwrap();
    assert_eq!(spelled().await, ["", &format!("011 {uuid} 011"), "", "10.1.0.0/16"]);
    assert_eq!(casts.count(Cast::BITS.eq("011") & Cast::ADDRESS.is_null()).await.unwrap(), 1);
}
