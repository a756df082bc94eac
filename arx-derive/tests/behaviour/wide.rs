use arx::entity::{ColumnSet, Entity};
use arx::value::Field;
use arx_derive::{Embedded, Entity};

use crate::memory::{number, read, write, write_some};

/// A struct of the named columns, and what its columns are called.
macro_rules! wide {
    ($derive:ident $name:ident { $($first:tt)* } $($field:ident)*) => {
        #[derive($derive, Clone, Debug, PartialEq)]
        struct $name { $($first)* $($field: i64,)* }
    };
}

wide!(Embedded Sixty {}
    a00 a01 a02 a03 a04 a05 a06 a07 a08 a09 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19
    a20 a21 a22 a23 a24 a25 a26 a27 a28 a29 a30 a31 a32 a33 a34 a35 a36 a37 a38 a39
    a40 a41 a42 a43 a44 a45 a46 a47 a48 a49 a50 a51 a52 a53 a54 a55 a56 a57 a58 a59);

wide!(Entity Flat { #[arx(key)] id: i64, }
    b00 b01 b02 b03 b04 b05 b06 b07 b08 b09 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19
    b20 b21 b22 b23 b24 b25 b26 b27 b28 b29 b30 b31 b32 b33 b34 b35 b36 b37 b38 b39
    b40 b41 b42 b43 b44 b45 b46 b47 b48 b49 b50 b51 b52 b53 b54 b55 b56 b57 b58 b59
    b60 b61 b62 b63 b64 b65 b66 b67 b68 b69 b70 b71 b72 b73 b74 b75 b76 b77 b78 b79);

#[derive(Entity, Clone, Debug, PartialEq)]
struct Nested {
    #[arx(key)]
    id: i64,
    #[arx(flatten)]
    sixty: Sixty,
    after: i64,
    before: i64,
    last: Field<i64>,
    behind: i64,
}

#[test]
fn more_than_64_columns_are_written_and_read() {
    let cells: Vec<_> = (0..81).map(number).collect();
    let row = read::<Flat>(&cells).unwrap();
    assert_eq!(write(&row), cells);
    assert_eq!(write_some(&row, &[0, 63, 64, 80].into_iter().collect()), [0, 63, 64, 80].map(number));
    assert_eq!(Flat::B79.index(), 80);
}

#[test]
fn columns_behind_64_others_are_counted_by_the_compiler() {
    let cells: Vec<_> = (0..65).map(number).collect();
    let mut row = read::<Nested>(&cells).unwrap();
    assert_eq!(write(&row), cells);
    assert_eq!([Nested::AFTER.index(), Nested::LAST.index(), Nested::BEHIND.index()], [61, 63, 64]);
    row.accept(64, number(-1).value()).unwrap();
    row.last = Field::Default;
    assert_eq!((row.behind, row.defaults()), (-1, ColumnSet::of(63)));
    assert_eq!(Nested::SIXTY.at(Sixty::A59).index(), 60);
    assert_eq!(<Nested as Entity>::TABLE.updatable.len(), 64);
}
