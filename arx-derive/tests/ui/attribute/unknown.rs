use arx_derive::Entity;

#[derive(Entity)]
#[arx(tabel = "customers")]
struct Customer {
    #[arx(key, generatd)]
    id: i64,
    #[arx(primary)]
    name: String,
}

fn main() {}
