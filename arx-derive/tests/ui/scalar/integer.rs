use arx_derive::Scalar;

#[derive(Scalar)]
#[arx(integer, rename_all = "lowercase", type = "mood")]
#[repr(u8)]
enum Mood {
    #[arx(rename = "one")]
    One,
}

fn main() {}
