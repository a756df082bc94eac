use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    id: i64,
}

fn main() {}
