//! Arrays as text: `{1,NULL,"a \"b\""}`.
//!
//! An array column of many rows travels as an array of such texts, one a row: UNNEST takes
//! an array of arrays apart down to its elements. Kept apart from `encode`, which is binary.

use std::fmt::Write as _;

use arx::error::{Error, Result};
use arx::value::calendar::write_time;
use arx::value::{Elements, Encoder, Value};

use crate::calendar;

/// Appends the literal of these elements.
///
/// # Errors
/// `Encode` when an element has no text.
pub(crate) fn write_literal(elements: &dyn Elements, out: &mut Vec<u8>) -> Result<()> {
    let mut writer = LiteralWriter { out, scratch: String::new(), first: true, error: None };
    writer.out.push(b'{');
    elements.write(&mut writer)?;
    writer.out.push(b'}');
    writer.error.map_or(Ok(()), Err)
}

struct LiteralWriter<'a> {
    out: &'a mut Vec<u8>,
    scratch: String,
    first: bool,
    error: Option<Error>,
}

impl Encoder for LiteralWriter<'_> {
    fn value(&mut self, value: Value<'_>) {
        if !std::mem::take(&mut self.first) {
            self.out.push(b',');
        }
        if value.is_null() {
            self.out.extend(b"NULL");
            return;
        }
        self.scratch.clear();
        match push_text(value, &mut self.scratch) {
            Ok(()) => quote(&self.scratch, self.out),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

/// Always quoted: then no text is taken for NULL, a brace or a space.
fn quote(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text.as_bytes() {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// Appends a value in a form that its type reads whatever the session's settings are.
fn push_text(value: Value<'_>, out: &mut String) -> Result<()> {
    // Writing to a String cannot fail.
    let _ = match value {
        Value::Bool(value) => write!(out, "{value}"),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => write!(out, "{value}"),
        Value::U8(_) | Value::U16(_) | Value::U32(_) | Value::U64(_) => write!(out, "{value}"),
        Value::F32(value) => write!(out, "{value:e}"),
        Value::F64(value) => write!(out, "{value:e}"),
        Value::Decimal(text) | Value::Text(text) | Value::Json(text) => return push_plain(text, out),
        Value::Bytes(bytes) => {
            out.push_str("\\x");
            bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
        }
        Value::Uuid(bytes) => bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}")),
        Value::Date(days) => calendar::push_date(days, out),
        Value::Time(micros) => write_time(micros, out),
        Value::Timestamp(micros) => calendar::push_timestamp(micros, "", out),
        Value::Timestamptz(micros) => calendar::push_timestamp(micros, "+00", out),
        _ => return Err(Error::unsupported("arrays of arrays cannot be stored")),
    };
    Ok(())
}

fn push_plain(text: &str, out: &mut String) -> Result<()> {
    if text.as_bytes().contains(&0) {
        return Err(crate::encode::nul_character());
    }
    out.push_str(text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use arx::value::Scalar;

    use super::*;

    struct Capture(Vec<u8>, Option<Error>);

    impl Encoder for Capture {
        fn value(&mut self, value: Value<'_>) {
            let Value::Array(elements) = value else { panic!("not an array") };
            self.1 = write_literal(elements, &mut self.0).err();
        }

        fn fail(&mut self, error: Error) {
            self.1 = Some(error);
        }
    }

    fn literal<T: Scalar>(array: &T) -> String {
        let mut capture = Capture(Vec::new(), None);
        array.encode(&mut capture);
        assert!(capture.1.is_none());
        String::from_utf8(capture.0).unwrap()
    }

    #[test]
    fn quotes_what_the_parser_would_take_as_its_own() {
        let texts = vec![
            Some(r#"a"b\c"#.to_owned()),
            Some("NULL".to_owned()),
            None,
            Some(String::new()),
            Some("{,}".to_owned()),
        ];
        assert_eq!(literal(&texts), r#"{"a\"b\\c","NULL",NULL,"","{,}"}"#);
        assert_eq!(literal(&Vec::<i32>::new()), "{}");
        assert_eq!(literal(&vec![1, -2]), r#"{"1","-2"}"#);
        assert_eq!(literal(&vec![1e300_f64, f64::NAN, f64::NEG_INFINITY, 0.1]), r#"{"1e300","NaN","-inf","1e-1"}"#);
    }

    struct Hashes;

    impl Elements for Hashes {
        fn kind(&self) -> arx::value::ScalarKind {
            arx::value::ScalarKind::Bytes
        }

        fn len(&self) -> usize {
            1
        }

        fn write(&self, out: &mut dyn Encoder) -> Result<()> {
            out.value(Value::Bytes(&[0, 255]));
            Ok(())
        }
    }

    #[test]
    fn writes_bytes_as_hex_with_its_backslash_escaped() {
        let mut out = Vec::new();
        write_literal(&Hashes, &mut out).unwrap();
        assert_eq!(out, br#"{"\\x00ff"}"#);
    }

    #[test]
    fn refuses_a_nul_character() {
        let mut capture = Capture(Vec::new(), None);
        vec!["a\0".to_owned()].encode(&mut capture);
        assert_eq!(capture.1.unwrap().kind(), arx::error::ErrorKind::Encode);
    }
}
