use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(version, generated)]
    version: i32,
    #[arx(created_at, updated_at)]
    created: i64,
    #[arx(skip_update, updated_at)]
    updated: i64,
}

fn main() {}
