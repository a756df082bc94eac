use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(skip, column = "b", unique)]
    cache: i64,
}

fn main() {}
