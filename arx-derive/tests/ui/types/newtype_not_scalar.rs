use arx_derive::Scalar;

struct Colour;

#[derive(Scalar)]
struct Paint(Colour);

fn main() {}
