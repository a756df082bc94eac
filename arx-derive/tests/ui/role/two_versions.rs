use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key)]
    id: i64,
    #[arx(version)]
    version: i32,
    #[arx(version)]
    other: i32,
    #[arx(soft_delete)]
    deleted: bool,
    #[arx(soft_delete)]
    gone: bool,
}

fn main() {}
