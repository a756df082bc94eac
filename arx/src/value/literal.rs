//! Constants of filters, SET lists and hand-written SQL. Few, so they may be owned.

use std::borrow::Cow;

use super::array::Slice;
use super::{Elements, Encoder, Field, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

/// One constant, owned or borrowed from the caller. Lists stay where they are.
#[non_exhaustive]
pub enum Literal<'a> {
    /// A value without text or bytes of its own.
    Plain(Value<'static>),
    /// Text.
    Text(Cow<'a, str>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
    /// The digits of a decimal.
    Decimal(Box<str>),
    /// The text of a JSON document.
    Json(Box<str>),
    /// A list that the caller holds.
    List(&'a dyn Elements),
    /// A list of literals.
    Owned(Box<dyn Elements + 'a>),
    /// A value that could not be encoded; sending it reports the error.
    Failed(Box<Error>),
}

impl<'a> Literal<'a> {
    /// The literal that `value` encodes to.
    pub fn of<T: Scalar>(value: &T) -> Literal<'static> {
        let mut capture = Capture(Literal::Plain(Value::Null(T::KIND)));
        value.encode(&mut capture);
        capture.0
    }

    /// Pushes the value.
    pub fn encode(&self, out: &mut dyn Encoder) {
        match self {
            Literal::Failed(error) => out.fail(Error::encode(error.to_string())),
            other => out.value(other.value()),
        }
    }

    /// The value; NULL for a failed literal.
    #[must_use]
    pub fn value(&self) -> Value<'_> {
        match self {
            Literal::Plain(value) => *value,
            Literal::Text(text) => Value::Text(text),
            Literal::Bytes(bytes) => Value::Bytes(bytes),
            Literal::Decimal(digits) => Value::Decimal(digits),
            Literal::Json(text) => Value::Json(text),
            Literal::List(list) => Value::Array(*list),
            Literal::Owned(list) => Value::Array(&**list),
            Literal::Failed(_) => Value::Null(ScalarKind::Text),
        }
    }

    /// The list, where the literal is one.
    #[must_use]
    pub fn list(&self) -> Option<&dyn Elements> {
        match self {
            Literal::List(list) => Some(*list),
            Literal::Owned(list) => Some(&**list),
            _ => None,
        }
    }

    /// A copy of the value.
    #[must_use]
    pub fn owned(value: Value<'_>) -> Literal<'static> {
        owned(value)
    }

    fn slice<T: Scalar + Send + Sync>(items: &'a [T]) -> Self {
        Literal::Owned(Box::new(Slice(items)))
    }
}

/// An encoder that keeps the one value pushed into it.
struct Capture(Literal<'static>);

impl Encoder for Capture {
    fn value(&mut self, value: Value<'_>) {
        self.0 = owned(value);
    }

    fn fail(&mut self, error: Error) {
        self.0 = Literal::Failed(Box::new(error));
    }
}

fn owned(value: Value<'_>) -> Literal<'static> {
    match value {
        Value::Text(text) => Literal::Text(Cow::Owned(text.to_owned())),
        Value::Bytes(bytes) => Literal::Bytes(Cow::Owned(bytes.to_owned())),
        Value::Decimal(digits) => Literal::Decimal(digits.into()),
        Value::Json(text) => Literal::Json(text.into()),
        Value::Array(elements) => owned_list(elements),
        Value::Null(kind) => Literal::Plain(Value::Null(kind)),
        Value::Bool(value) => Literal::Plain(Value::Bool(value)),
        Value::I8(value) => Literal::Plain(Value::I8(value)),
        Value::I16(value) => Literal::Plain(Value::I16(value)),
        Value::I32(value) => Literal::Plain(Value::I32(value)),
        Value::I64(value) => Literal::Plain(Value::I64(value)),
        Value::U8(value) => Literal::Plain(Value::U8(value)),
        Value::U16(value) => Literal::Plain(Value::U16(value)),
        Value::U32(value) => Literal::Plain(Value::U32(value)),
        Value::U64(value) => Literal::Plain(Value::U64(value)),
        Value::F32(value) => Literal::Plain(Value::F32(value)),
        Value::F64(value) => Literal::Plain(Value::F64(value)),
        Value::Uuid(value) => Literal::Plain(Value::Uuid(value)),
        Value::Date(value) => Literal::Plain(Value::Date(value)),
        Value::Time(value) => Literal::Plain(Value::Time(value)),
        Value::Timestamp(value) => Literal::Plain(Value::Timestamp(value)),
        Value::Timestamptz(value) => Literal::Plain(Value::Timestamptz(value)),
    }
}

fn owned_list(elements: &dyn Elements) -> Literal<'static> {
    let mut items = Items { kind: elements.kind(), items: Vec::with_capacity(elements.len()) };
    match elements.write(&mut items) {
        Ok(()) => Literal::Owned(Box::new(items)),
        Err(error) => Literal::Failed(Box::new(error)),
    }
}

/// An owned list.
struct Items {
    kind: ScalarKind,
    items: Vec<Literal<'static>>,
}

impl Encoder for Items {
    fn value(&mut self, value: Value<'_>) {
        self.items.push(owned(value));
    }

    fn fail(&mut self, error: Error) {
        self.items.push(Literal::Failed(Box::new(error)));
    }
}

impl Elements for Items {
    fn kind(&self) -> ScalarKind {
        self.kind
    }

    fn len(&self) -> usize {
        self.items.len()
    }

    fn write(&self, out: &mut dyn Encoder) -> Result<()> {
        self.items.iter().for_each(|item| item.encode(out));
        Ok(())
    }
}

/// What fits a column of type `T`: a `T`, a reference to one, and for an `Option` or a `Field`
/// also the value itself; `&str` fits `String`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit a column of type `{T}`",
    label = "not a `{T}`",
    note = "give a `{T}`, a reference to one, or for an Option its inner value"
)]
pub trait IntoLiteral<'a, T> {
    /// The literal.
    fn into_literal(self) -> Literal<'a>;
}

impl<'a, T: Scalar> IntoLiteral<'a, T> for T {
    fn into_literal(self) -> Literal<'a> {
        Literal::of(&self)
    }
}

impl<'a, T: Scalar> IntoLiteral<'a, Option<T>> for T {
    fn into_literal(self) -> Literal<'a> {
        Literal::of(&self)
    }
}

impl<'a, T: Scalar> IntoLiteral<'a, Field<T>> for T {
    fn into_literal(self) -> Literal<'a> {
        Literal::of(&self)
    }
}

impl<'a, T: Scalar> IntoLiteral<'a, T> for &T {
    fn into_literal(self) -> Literal<'a> {
        Literal::of(self)
    }
}

impl<'a> IntoLiteral<'a, String> for &'a str {
    fn into_literal(self) -> Literal<'a> {
        Literal::Text(Cow::Borrowed(self))
    }
}

impl<'a> IntoLiteral<'a, Field<String>> for &'a str {
    fn into_literal(self) -> Literal<'a> {
        Literal::Text(Cow::Borrowed(self))
    }
}

impl<'a> IntoLiteral<'a, Option<String>> for &'a str {
    fn into_literal(self) -> Literal<'a> {
        Literal::Text(Cow::Borrowed(self))
    }
}

/// What fits `is_in`: a borrowed slice, array or vector of `T`; for a nullable column also
/// of its inner type; of `&str` for `String`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of `{T}`",
    label = "not a list of `{T}`",
    note = "give a reference to a slice, an array or a `Vec` of `{T}`"
)]
pub trait IntoList<'a, T> {
    /// The list as a literal.
    fn into_list(self) -> Literal<'a>;
}

macro_rules! lists {
    ($([$($size:tt)*] $list:ident;)+) => {$(
        impl<'a, T: Scalar + Send + Sync, $($size)*> IntoList<'a, T> for &'a lists!(@$list T) {
            fn into_list(self) -> Literal<'a> {
                Literal::slice(&self[..])
            }
        }

        impl<'a, T: Scalar + Send + Sync, $($size)*> IntoList<'a, Option<T>> for &'a lists!(@$list T) {
            fn into_list(self) -> Literal<'a> {
                Literal::slice(&self[..])
            }
        }

        impl<'a, T: Scalar + Send + Sync, $($size)*> IntoList<'a, Field<T>> for &'a lists!(@$list T) {
            fn into_list(self) -> Literal<'a> {
                Literal::slice(&self[..])
            }
        }

        impl<'a, $($size)*> IntoList<'a, String> for &'a lists!(@$list &'a str) {
            fn into_list(self) -> Literal<'a> {
                Literal::Owned(Box::new(Texts(&self[..])))
            }
        }

        impl<'a, $($size)*> IntoList<'a, Option<String>> for &'a lists!(@$list &'a str) {
            fn into_list(self) -> Literal<'a> {
                Literal::Owned(Box::new(Texts(&self[..])))
            }
        }
    )+};
    (@slice $item:ty) => { [$item] };
    (@array $item:ty) => { [$item; N] };
    (@vector $item:ty) => { Vec<$item> };
}

lists! {
    [] slice;
    [const N: usize] array;
    [] vector;
}

/// Borrowed texts as a list.
struct Texts<'a>(&'a [&'a str]);

impl Elements for Texts<'_> {
    fn kind(&self) -> ScalarKind {
        ScalarKind::Text
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn write(&self, out: &mut dyn Encoder) -> Result<()> {
        self.0.iter().for_each(|text| out.value(Value::Text(text)));
        Ok(())
    }
}
