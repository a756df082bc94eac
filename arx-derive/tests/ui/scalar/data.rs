use arx_derive::Scalar;

#[derive(Scalar)]
enum Shape {
    Round(f64),
    Square { side: f64 },
}

#[derive(Scalar)]
enum Never {}

fn main() {}
