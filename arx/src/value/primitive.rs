//! Booleans, numbers, text and bytes.

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

macro_rules! copied {
    ($($rust:ty => $variant:ident),* $(,)?) => {$(
        impl Scalar for $rust {
            const KIND: ScalarKind = ScalarKind::$variant;

            fn encode(&self, out: &mut dyn Encoder) {
                out.value(Value::$variant(*self));
            }

            fn decode(value: Value<'_>) -> Result<Self> {
                match value {
                    Value::$variant(value) => Ok(value),
                    other => Err(other.mismatch(Self::KIND)),
                }
            }
        }
    )*};
}

copied! {
    bool => Bool, i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64,
}

macro_rules! elements {
    ($($rust:ty),*) => {$( impl Element for $rust {} )*};
}

// Not u8: a `Vec<u8>` is bytes, not an array.
elements!(bool, i8, i16, i32, i64, u16, u32, u64, f32, f64, String);

impl Scalar for String {
    const KIND: ScalarKind = ScalarKind::Text;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Text(self));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        match value {
            Value::Text(text) => Ok(text.to_owned()),
            other => Err(other.mismatch(Self::KIND)),
        }
    }
}

impl Scalar for Box<str> {
    const KIND: ScalarKind = ScalarKind::Text;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Text(self));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        String::decode(value).map(String::into_boxed_str)
    }
}

impl Scalar for char {
    const KIND: ScalarKind = ScalarKind::Text;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Text(self.encode_utf8(&mut [0; 4])));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Text(text) = value else { return Err(value.mismatch(Self::KIND)) };
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            _ => Err(Error::decode("the text is not exactly one character")),
        }
    }
}

impl Scalar for Vec<u8> {
    const KIND: ScalarKind = ScalarKind::Bytes;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Bytes(self));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        match value {
            Value::Bytes(bytes) => Ok(bytes.to_owned()),
            other => Err(other.mismatch(Self::KIND)),
        }
    }
}

impl<T: Scalar> Scalar for Option<T> {
    const KIND: ScalarKind = T::KIND;
    const NULLABLE: bool = true;
    const TYPE_NAME: Option<&'static str> = T::TYPE_NAME;

    fn encode(&self, out: &mut dyn Encoder) {
        match self {
            Some(value) => value.encode(out),
            None => out.value(Value::Null(T::KIND)),
        }
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        if value.is_null() { Ok(None) } else { T::decode(value).map(Some) }
    }
}
