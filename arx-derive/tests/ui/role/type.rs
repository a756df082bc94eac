use arx_derive::Entity;

use arx::value::Field;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(version)]
    version: u32,
    #[arx(soft_delete)]
    deleted: String,
    #[arx(default)]
    rank: i32,
    #[arx(created_at)]
    created: Field<i64>,
}

fn main() {}
