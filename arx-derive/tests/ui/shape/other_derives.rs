use arx_derive::{Embedded, Record, Scalar};

#[derive(Record)]
struct Summary(i64);

#[derive(Embedded)]
enum Address {
    Home,
}

#[derive(Record)]
struct Generic<T> {
    id: T,
}

#[derive(Scalar)]
struct Wrapped<T>(T);

fn main() {}
