use arx_derive::Entity;

#[derive(Entity)]
#[allow(non_snake_case)]
struct Customer {
    #[arx(key)]
    id: i64,
    fullName: String,
    full_name: String,
    #[arx(constant = "ID")]
    other: String,
}

fn main() {}
