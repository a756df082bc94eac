use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key, constant = "not a name")]
    id: i64,
    #[arx(constant = "")]
    name: String,
    #[arx(constant = "fn")]
    code: String,
}

fn main() {}
