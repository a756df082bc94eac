use arx_derive::Entity;

mod money {}

#[derive(Entity)]
struct Product {
    #[arx(key)]
    id: i64,
    #[arx(with = "money")]
    price: f32,
}

fn main() {}
