use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key, uniqe)]
    id: i64,
    #[arx(version)]
    version: String,
}

fn main() {}
