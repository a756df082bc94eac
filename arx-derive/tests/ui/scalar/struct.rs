use arx_derive::Scalar;

#[derive(Scalar)]
struct Pair(i64, i64);

#[derive(Scalar)]
struct Named {
    id: i64,
}

#[derive(Scalar)]
#[arx(integer, rename_all = "lowercase")]
struct Id(i64);

fn main() {}
