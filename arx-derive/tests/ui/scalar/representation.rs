use arx_derive::Scalar;

#[derive(Scalar)]
#[arx(integer)]
enum Plain {
    One,
}

#[derive(Scalar)]
#[arx(integer)]
#[repr(u64)]
enum Large {
    One,
}

#[derive(Scalar)]
#[arx(integer)]
#[repr(align(8), isize)]
enum Sized {
    One,
}

fn main() {}
