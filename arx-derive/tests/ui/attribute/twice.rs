use arx_derive::Entity;

#[derive(Entity)]
#[arx(table = "a")]
#[arx(table = "b")]
struct Customer {
    #[arx(key, key)]
    id: i64,
}

fn main() {}
