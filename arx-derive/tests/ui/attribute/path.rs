use arx_derive::Entity;

#[derive(Entity)]
#[arx(crate = "not a path")]
struct Customer {
    #[arx(key, generate = "Uuid::now_v7()")]
    id: i64,
    #[arx(with = "")]
    name: String,
}

fn main() {}
