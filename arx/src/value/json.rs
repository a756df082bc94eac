//! JSON: any serde type through `#[arx(json)]`, and `serde_json::Value` as it is.

use std::cell::RefCell;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

thread_local! {
    // One buffer for all documents of a thread: a batch would otherwise allocate one per row.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Pushes `document` as JSON. What `#[arx(json)]` calls.
pub fn encode_json<T: Serialize>(document: &T, out: &mut dyn Encoder) {
    let mut buffer = SCRATCH.take();
    buffer.clear();
    let written = serde_json::to_writer(&mut buffer, document);
    match (written, std::str::from_utf8(&buffer)) {
        (Ok(()), Ok(text)) => out.value(Value::Json(text)),
        (Err(error), _) => out.fail(Error::encode("the value has no JSON form").with_source(error)),
        (_, Err(error)) => out.fail(Error::encode("the JSON is not UTF-8").with_source(error)),
    }
    SCRATCH.set(buffer);
}

/// Reads a document. What `#[arx(json)]` calls.
///
/// # Errors
/// `Decode` when the document does not have the shape of `T`.
pub fn decode_json<T: DeserializeOwned>(value: Value<'_>) -> Result<T> {
    let Value::Json(text) = value else { return Err(value.mismatch(ScalarKind::Json)) };
    // serde_json's own message may quote the document: keep its place and class only.
    serde_json::from_str(text).map_err(|error| {
        Error::decode(format!(
            "the JSON does not fit the field: {:?} error at line {} column {}",
            error.classify(),
            error.line(),
            error.column()
        ))
    })
}

impl Scalar for serde_json::Value {
    const KIND: ScalarKind = ScalarKind::Json;

    fn encode(&self, out: &mut dyn Encoder) {
        encode_json(self, out);
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        decode_json(value)
    }
}

impl Element for serde_json::Value {}
