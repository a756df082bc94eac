//! `numeric` in binary: groups of four decimal digits, a weight, a sign and a scale.
//!
//! Digits go in and out as text, so that every scale and size survives; no decimal crate
//! holds all of them. Kept apart from `encode` and `decode` because it is its own format.

use std::fmt::Write as _;

use arx::error::{Error, Result};

const NEGATIVE: u16 = 0x4000;
const NAN: u16 = 0xC000;
const INFINITY: u16 = 0xD000;
const NEGATIVE_INFINITY: u16 = 0xF000;

// PostgreSQL's own walls: digits before the point, and digits after it.
const MAX_INTEGER: usize = 131_072;
const MAX_SCALE: usize = 16_383;

/// Appends the binary form of `text`: digits with an optional sign and point.
///
/// # Errors
/// `Encode` when it is anything else, NaN included, or has more digits than PostgreSQL keeps.
pub(crate) fn encode(text: &str, out: &mut Vec<u8>) -> Result<()> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let point = digits.iter().position(|&byte| byte == b'.').unwrap_or(digits.len());
    let (integer, fraction) = (&digits[..point], digits.get(point + 1..).unwrap_or_default());
    let is_digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    if integer.len() + fraction.len() == 0 || !is_digits(integer) || !is_digits(fraction) {
        return Err(Error::encode(
            "a decimal is digits with an optional sign and point; NaN and infinity cannot be stored",
        ));
    }
    let zeros = integer.iter().take_while(|&&byte| byte == b'0').count();
    let integer = &integer[zeros..];
    if integer.len() > MAX_INTEGER || fraction.len() > MAX_SCALE {
        return Err(Error::encode("the decimal has more digits than PostgreSQL's numeric keeps"));
    }
    let start = out.len();
    out.extend([0; 8]);
    let groups = push_integer(integer, out) + push_fraction(fraction, out);
    let weight = i32::try_from(integer.len().div_ceil(4)).unwrap_or(i32::MAX) - 1;
    let sign = if negative { NEGATIVE } else { 0 };
    let header = [
        narrow(groups)?,
        i16::try_from(weight).map(i16::cast_unsigned).map_err(too_wide)?,
        sign,
        narrow(fraction.len())?,
    ];
    for (field, place) in header.into_iter().zip((start..).step_by(2)) {
        out[place..place + 2].copy_from_slice(&field.to_be_bytes());
    }
    Ok(())
}

fn narrow(count: usize) -> Result<u16> {
    u16::try_from(count).map_err(too_wide)
}

fn too_wide(_: std::num::TryFromIntError) -> Error {
    Error::encode("the decimal has more digits than PostgreSQL's numeric keeps")
}

/// The first group may have less than four digits; they stand at its right.
fn push_integer(digits: &[u8], out: &mut Vec<u8>) -> usize {
    let (first, rest) = digits.split_at(digits.len() % 4);
    if !first.is_empty() {
        push_group(first, 0, out);
    }
    rest.chunks(4).for_each(|group| push_group(group, 0, out));
    digits.len().div_ceil(4)
}

/// The last group may have less than four digits; they stand at its left.
fn push_fraction(digits: &[u8], out: &mut Vec<u8>) -> usize {
    digits.chunks(4).for_each(|group| push_group(group, 4 - group.len(), out));
    digits.len().div_ceil(4)
}

fn push_group(digits: &[u8], zeros: usize, out: &mut Vec<u8>) {
    let value = digits.iter().fold(0_u16, |value, &byte| value * 10 + u16::from(byte - b'0'));
    let value = (0..zeros).fold(value, |value, _| value * 10);
    out.extend(value.to_be_bytes());
}

/// Writes the digits of a binary numeric, with all digits of its scale.
///
/// # Errors
/// `Decode` for NaN and infinity, and for bytes that are no numeric.
pub(crate) fn decode(bytes: &[u8], out: &mut String) -> Result<()> {
    out.clear();
    let mut fields = bytes.as_chunks::<2>().0.iter().map(|field| u16::from_be_bytes(*field));
    let header = [fields.next(), fields.next(), fields.next(), fields.next()];
    let [Some(_), Some(weight), Some(sign), Some(scale)] = header else { return Err(malformed()) };
    match sign {
        0 => {}
        NEGATIVE => out.push('-'),
        NAN | INFINITY | NEGATIVE_INFINITY => {
            return Err(Error::decode("the numeric is NaN or infinite; a decimal has no such value"));
        }
        _ => return Err(malformed()),
    }
    let weight = i32::from(weight.cast_signed());
    push_integer_digits(weight, &mut fields, out);
    push_scale_digits(weight, usize::from(scale), &mut fields, out);
    Ok(())
}

fn push_integer_digits(weight: i32, groups: &mut impl Iterator<Item = u16>, out: &mut String) {
    if weight < 0 {
        out.push('0');
        return;
    }
    for place in 0..=weight {
        let group = groups.next().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = if place == 0 { write!(out, "{group}") } else { write!(out, "{group:04}") };
    }
}

fn push_scale_digits(weight: i32, scale: usize, groups: &mut impl Iterator<Item = u16>, out: &mut String) {
    if scale == 0 {
        return;
    }
    out.push('.');
    let end = out.len() + scale;
    // Groups of zeros between the point and the first digit are not sent.
    (weight + 1..0).for_each(|_| out.push_str("0000"));
    while out.len() < end {
        let _ = write!(out, "{:04}", groups.next().unwrap_or_default());
    }
    out.truncate(end);
}

fn malformed() -> Error {
    Error::decode("the server sent a malformed numeric")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> String {
        let (mut bytes, mut digits) = (Vec::new(), String::new());
        encode(text, &mut bytes).unwrap();
        decode(&bytes, &mut digits).unwrap();
        digits
    }

    #[test]
    fn keeps_every_digit_and_the_scale() {
        for text in [
            "0",
            "1",
            "-1",
            "12345",
            "10000",
            "99999999",
            "0.1",
            "0.00001",
            "-0.00010000",
            "1.00",
            "123456789.987654321",
            "1000000000000",
            "79228162514264337593543950335",
            "0.0000000000000000000000000001",
            "-12.50",
            "100000000.000000001",
        ] {
            assert_eq!(round_trip(text), text);
        }
        let wide = format!("{}.{}", "9".repeat(2_000), "7".repeat(3_001));
        assert_eq!(round_trip(&wide), wide);
    }

    #[test]
    fn takes_other_spellings_of_the_same_number() {
        assert_eq!(round_trip("+007.50"), "7.50");
        assert_eq!(round_trip(".5"), "0.5");
        assert_eq!(round_trip("5."), "5");
        assert_eq!(round_trip("00000000"), "0");
    }

    #[test]
    fn writes_the_header_that_postgresql_documents() {
        let mut bytes = Vec::new();
        encode("-12345.678", &mut bytes).unwrap();
        let fields: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|field| u16::from_be_bytes(*field)).collect();
        assert_eq!(fields, [3, 1, NEGATIVE, 3, 1, 2345, 6780]);
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in ["", "-", ".", "NaN", "1e5", "1.2.3", "--1", "Infinity", "1 "] {
            assert_eq!(encode(text, &mut Vec::new()).unwrap_err().kind(), arx::error::ErrorKind::Encode, "{text:?}");
        }
        let header = |sign: u16| [0_u16, 0, sign, 0].into_iter().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        for sign in [NAN, INFINITY, NEGATIVE_INFINITY] {
            assert_eq!(decode(&header(sign), &mut String::new()).unwrap_err().kind(), arx::error::ErrorKind::Decode);
        }
    }
}
