use arx_derive::Entity;

use arx::value::Field;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(json, with = "money")]
    price: i64,
    #[arx(json)]
    tags: Field<i64>,
    #[arx(default, generated)]
    rank: i64,
}

fn main() {}
