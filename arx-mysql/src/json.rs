//! Values as JSON, for lists and keys that are too many for placeholders: one parameter that JSON_TABLE takes apart.
//!
//! Texts in the forms that JSON_TABLE's column types read; bytes as hex. Kept apart from `encode`, which is binary.

use std::fmt::Write as _;

use arx::entity::{ColumnSet, Rows};
use arx::error::{Error, Result};
use arx::value::calendar::write_time;
use arx::value::{Elements, Encoder, Value};

use crate::calendar;

/// The elements as one array.
///
/// # Errors
/// `Encode` when an element has no form.
pub(crate) fn list(elements: &dyn Elements) -> Result<String> {
    let mut writer = Writer::new(elements.len());
    elements.write(&mut writer)?;
    writer.close().map_err(|(error, _)| error)
}

/// These columns of all rows, an array for each row in one array.
///
/// # Errors
/// `Encode` when a value has no form; with its row.
pub(crate) fn rows(rows: &dyn Rows, columns: &ColumnSet) -> Result<String, (Error, usize)> {
    let mut out = Writer::new(rows.len() * columns.len());
    for row in 0..rows.len() {
        out.open();
        rows.write_row(row, columns, &mut out);
        out.text.push(']');
        if out.error.is_some() {
            return out.close().map_err(|(error, _)| (error, row));
        }
    }
    out.close()
}

struct Writer {
    text: String,
    first: bool,
    error: Option<Error>,
}

impl Writer {
    fn new(values: usize) -> Self {
        let mut text = String::with_capacity(values * 12 + 2);
        text.push('[');
        Self { text, first: true, error: None }
    }

    fn separate(&mut self) {
        if !std::mem::take(&mut self.first) {
            self.text.push(',');
        }
    }

    fn open(&mut self) {
        self.separate();
        self.text.push('[');
        self.first = true;
    }

    fn close(mut self) -> Result<String, (Error, usize)> {
        self.text.push(']');
        match self.error {
            Some(error) => Err((error, 0)),
            None => Ok(self.text),
        }
    }
}

impl Encoder for Writer {
    fn value(&mut self, value: Value<'_>) {
        self.separate();
        if let Err(error) = push(value, &mut self.text) {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

fn push(value: Value<'_>, out: &mut String) -> Result<()> {
    // Writing to a String cannot fail.
    let _ = match value {
        Value::Null(_) => write!(out, "null"),
        Value::Bool(value) => write!(out, "{}", u8::from(value)),
        Value::I8(_) | Value::I16(_) | Value::I32(_) | Value::I64(_) => write!(out, "{value}"),
        Value::U8(_) | Value::U16(_) | Value::U32(_) | Value::U64(_) => write!(out, "{value}"),
        Value::F32(value) => return push_float(value.into(), out),
        Value::F64(value) => return push_float(value, out),
        Value::Decimal(digits) => write!(out, "\"{digits}\""),
        Value::Text(text) | Value::Json(text) => return push_text(text, out),
        Value::Bytes(bytes) => return push_hex(bytes, out),
        Value::Uuid(bytes) => return push_hex(&bytes, out),
        Value::Date(days) => return quoted(out, |out| calendar::push_date_text(days.into(), out)),
        Value::Time(micros) => return quoted(out, |out| write_time(micros, out)),
        Value::Timestamp(micros) | Value::Timestamptz(micros) => {
            return quoted(out, |out| calendar::push_timestamp_text(micros, out));
        }
        _ => return Err(crate::encode::no_arrays()),
    };
    Ok(())
}

fn quoted(out: &mut String, write: impl FnOnce(&mut String) -> std::fmt::Result) -> Result<()> {
    out.push('"');
    let _ = write(out);
    out.push('"');
    Ok(())
}

fn push_float(value: f64, out: &mut String) -> Result<()> {
    if !value.is_finite() {
        return Err(crate::encode::no_nan());
    }
    let _ = write!(out, "{value:e}");
    Ok(())
}

fn push_hex(bytes: &[u8], out: &mut String) -> Result<()> {
    quoted(out, |out| bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}")))
}

fn push_text(text: &str, out: &mut String) -> Result<()> {
    quoted(out, |out| {
        for character in text.chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                control if u32::from(control) < 0x20 => write!(out, "\\u{:04x}", u32::from(control))?,
                plain => out.push(plain),
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use arx::value::Literal;

    use super::*;

    fn written(value: Value<'_>) -> Result<String> {
        let mut text = String::new();
        push(value, &mut text).map(|()| text)
    }

    #[test]
    fn writes_every_kind() {
        assert_eq!(written(Value::Text("a\"b\\c\n😀")).unwrap(), r#""a\"b\\c\u000a😀""#);
        assert_eq!(written(Value::Bytes(&[0, 255])).unwrap(), r#""00ff""#);
        assert_eq!(written(Value::U64(u64::MAX)).unwrap(), "18446744073709551615");
        assert_eq!(written(Value::F64(0.1)).unwrap(), "1e-1");
        assert_eq!(written(Value::Decimal("-1.50")).unwrap(), r#""-1.50""#);
        assert_eq!(written(Value::Date(0)).unwrap(), r#""1970-01-01""#);
        assert_eq!(written(Value::Timestamptz(1)).unwrap(), r#""1970-01-01 00:00:00.000001""#);
        assert!(written(Value::F64(f64::NAN)).is_err());
    }

    #[test]
    fn writes_lists() {
        let literal = arx::value::IntoList::<Option<i64>>::into_list(&[Some(1_i64), None]);
        let list: Option<&dyn Elements> = Literal::list(&literal);
        assert_eq!(super::list(list.unwrap()).unwrap(), "[1,null]");
    }
}
