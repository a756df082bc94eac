//! What derived code calls where a call alone does not do.

use crate::error::Result;
use crate::value::{Encoder, ScalarKind, Value};

/// Pushes a value through the function of `json` or `with`, and NULL of this kind for `None`.
pub fn encode_option<T>(
    value: &Option<T>,
    kind: ScalarKind,
    encode: impl FnOnce(&T, &mut dyn Encoder),
    out: &mut dyn Encoder,
) {
    match value {
        Some(value) => encode(value, out),
        None => out.value(Value::Null(kind)),
    }
}

/// Reads a value through the function of `json` or `with`, and `None` for NULL.
///
/// # Errors
/// `Decode`, as the function does.
pub fn decode_option<T>(value: Value<'_>, decode: impl FnOnce(Value<'_>) -> Result<T>) -> Result<Option<T>> {
    if value.is_null() { Ok(None) } else { decode(value).map(Some) }
}
