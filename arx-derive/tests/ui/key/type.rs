use arx_derive::Entity;

use arx::value::Field;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: Option<i64>,
    #[arx(key)]
    size: std::primitive::f64,
    #[arx(key)]
    code: Field<i64>,
}

fn main() {}
