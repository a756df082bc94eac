use arx_derive::Entity;

fn next() -> i32 {
    1
}

#[derive(Entity)]
struct Customer {
    #[arx(key, generate = "next")]
    id: i64,
}

fn main() {}
