use arx_derive::Entity;

#[derive(Entity)]
#[arx(table = "", schema = "a\0b")]
struct Customer {
    #[arx(key, column = "")]
    id: i64,
    #[arx(column = "a\0")]
    name: String,
}

fn main() {}
