use arx_derive::{Record, Scalar};

#[derive(Scalar)]
struct Octet(u8);

#[derive(Record)]
struct Packet {
    octets: Vec<Octet>,
}

fn main() {}
