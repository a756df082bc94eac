use arx_derive::Scalar;

#[derive(Scalar)]
#[arx(rename_all = "snake_case")]
enum Mood {
    #[arx(rename = "happy")]
    Sad,
    Happy,
    #[arx(rename = "happy")]
    Joyful,
    #[arx(name = "x")]
    Other,
}

fn main() {}
