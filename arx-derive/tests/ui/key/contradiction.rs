use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key, version)]
    id: i64,
    #[arx(key, json)]
    tags: Vec<String>,
    #[arx(key, skip_insert)]
    code: i64,
    #[arx(generated, key, generate = "next")]
    number: i64,
}

fn main() {}
