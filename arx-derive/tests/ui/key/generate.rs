use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(generate = "next")]
    number: i64,
}

fn main() {}
