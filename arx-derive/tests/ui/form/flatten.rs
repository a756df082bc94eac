use arx_derive::{Embedded, Entity};

#[derive(Embedded)]
struct Address {
    city: String,
}

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(flatten, column = "address")]
    address: Address,
    #[arx(flatten)]
    other: Option<Address>,
}

fn main() {}
