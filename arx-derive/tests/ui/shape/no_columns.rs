use arx_derive::{Embedded, Entity, Record};

#[derive(Entity)]
struct Customer {}

#[derive(Record)]
struct Summary {
    #[arx(skip)]
    id: i64,
}

#[derive(Embedded)]
struct Address {}

fn main() {}
