use arx_derive::{Entity, Scalar};

#[derive(Entity)]
#[arx(rename_all = "camelcase")]
struct Customer {
    #[arx(key)]
    id: i64,
}

#[derive(Scalar)]
#[arx(rename_all = "shouting")]
enum Mood {
    Sad,
}

fn main() {}
