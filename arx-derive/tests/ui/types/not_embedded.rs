use arx_derive::Entity;

struct Address;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(flatten)]
    address: Address,
}

fn main() {}
