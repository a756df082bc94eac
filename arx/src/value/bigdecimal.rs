//! Decimals of any size, of the `bigdecimal` crate.

use std::str::FromStr as _;

use bigdecimal::BigDecimal;

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

impl Scalar for BigDecimal {
    const KIND: ScalarKind = ScalarKind::Decimal;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Decimal(&self.to_plain_string()));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Decimal(digits) = value else { return Err(value.mismatch(Self::KIND)) };
        BigDecimal::from_str(digits).map_err(|_| Error::decode("the decimal is NaN or infinite"))
    }
}

impl Element for BigDecimal {}
