//! UUIDs of the `uuid` crate.

use uuid::Uuid;

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::Result;

impl Scalar for Uuid {
    const KIND: ScalarKind = ScalarKind::Uuid;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Uuid(*self.as_bytes()));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        match value {
            Value::Uuid(bytes) => Ok(Uuid::from_bytes(bytes)),
            other => Err(other.mismatch(Self::KIND)),
        }
    }
}

impl Element for Uuid {}
