//! Decimals of the `rust_decimal` crate: 96 bits of digits, scale 0 to 28.

use std::io::Write as _;
use std::str::FromStr as _;

use rust_decimal::Decimal;

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

impl Scalar for Decimal {
    const KIND: ScalarKind = ScalarKind::Decimal;

    fn encode(&self, out: &mut dyn Encoder) {
        // Sign, 29 digits, the point and a leading zero fit well within 40 bytes.
        let mut buffer = [0_u8; 40];
        let mut rest = &mut buffer[..];
        let written = write!(rest, "{self}").map(|()| rest.len());
        match written.ok().and_then(|rest| std::str::from_utf8(&buffer[..40 - rest]).ok()) {
            Some(digits) => out.value(Value::Decimal(digits)),
            None => out.fail(Error::encode("the decimal has more digits than rust_decimal allows")),
        }
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Decimal(digits) = value else { return Err(value.mismatch(Self::KIND)) };
        Decimal::from_str_exact(digits).or_else(|error| without_trailing_zeros(digits).ok_or(error)).map_err(|_| {
            Error::decode(
                "the decimal has more than 28 digits, or is NaN or infinite; read it as bigdecimal::BigDecimal",
            )
        })
    }
}

/// A scale above 28 is no loss when only zeros are cut off.
fn without_trailing_zeros(digits: &str) -> Option<Decimal> {
    digits
        .contains('.')
        .then(|| Decimal::from_str(digits.trim_end_matches('0').trim_end_matches('.')).ok())
        .flatten()
        .filter(|_| digits.trim_end_matches('0').len() <= 31)
}

impl Element for Decimal {}
