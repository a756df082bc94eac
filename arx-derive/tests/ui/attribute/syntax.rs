use arx_derive::Entity;

#[derive(Entity)]
#[arx]
struct Customer {
    #[arx(key generated)]
    id: i64,
    #[arx("column")]
    name: String,
}

fn main() {}
