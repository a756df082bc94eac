use arx_derive::Entity;

struct Colour;

#[derive(Entity)]
struct Car {
    #[arx(key)]
    id: i64,
    colour: Colour,
}

fn main() {}
