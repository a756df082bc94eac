use arx_derive::Entity;

#[derive(Entity)]
struct Customer {
    #[arx(key, type = "")]
    id: i64,
    #[arx(type = "numeric(10,2)")]
    total: String,
    #[arx(type = "double precision")]
    size: f64,
    #[arx(type = "\"mood\"")]
    mood: String,
}

fn main() {}
