use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    name: String,
    #[arx(column = "name")]
    other: String,
    #[arx(column = "code")]
    first: String,
    code: String,
}

fn main() {}
