use arx_derive::Entity;

#[derive(Entity)]
#[rustfmt::skip]
struct Customer {
    #[arx(key)] a: i64,
    #[arx(key)] b: i64,
    #[arx(key)] c: i64,
    #[arx(key)] d: i64,
    #[arx(key)] e: i64,
    #[arx(key)] f: i64,
    #[arx(key)] g: i64,
    #[arx(key)] h: i64,
    #[arx(key)] i: i64,
}

fn main() {}
