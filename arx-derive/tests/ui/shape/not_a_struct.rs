use arx_derive::Entity;

#[derive(Entity)]
enum Colour {
    Red,
}

#[derive(Entity)]
union Bits {
    id: i64,
}

#[derive(Entity)]
struct Pair(i64, String);

#[derive(Entity)]
struct Nothing;

fn main() {}
