use arx_derive::{Entity, Record};

#[derive(Entity)]
#[arx(key)]
struct Customer {
    #[arx(key, table = "customers")]
    id: i64,
}

#[derive(Record)]
struct Summary {
    #[arx(key)]
    id: i64,
}

fn main() {}
