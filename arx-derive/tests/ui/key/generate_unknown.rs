use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key, generate = "keys::next")]
    id: i64,
}

fn main() {}
