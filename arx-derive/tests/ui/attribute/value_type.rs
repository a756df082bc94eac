use arx_derive::Entity;

#[derive(Entity)]
#[arx(table = customers)]
struct Customer {
    #[arx(key = true)]
    id: i64,
    #[arx(column)]
    name: String,
    #[arx(column = 5)]
    code: String,
}

fn main() {}
