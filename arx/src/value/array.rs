//! Arrays, and lists that stay where they are.

use super::{Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

/// A type that a `Vec` may hold as an array column. `u8` is not one: `Vec<u8>` is bytes.
#[diagnostic::on_unimplemented(
    message = "a `Vec<{Self}>` cannot be a column",
    note = "implement `arx::value::Element` beside `Scalar`, or store the vector with `#[arx(json)]`"
)]
pub trait Element: Scalar {}

impl<T: Element> Element for Option<T> {}

/// A sequence of values of one kind: an array's elements, or a borrowed list of a filter.
pub trait Elements: Send + Sync {
    /// The kind of each element.
    fn kind(&self) -> ScalarKind;

    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Pushes each element once, in order.
    ///
    /// # Errors
    /// `Decode` when the elements come from a database and cannot be read.
    fn write(&self, out: &mut dyn Encoder) -> Result<()>;
}

/// A slice seen as [`Elements`].
pub(crate) struct Slice<'a, T>(pub(crate) &'a [T]);

impl<T: Scalar + Send + Sync> Elements for Slice<'_, T> {
    fn kind(&self) -> ScalarKind {
        T::KIND
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn write(&self, out: &mut dyn Encoder) -> Result<()> {
        self.0.iter().for_each(|item| item.encode(out));
        Ok(())
    }
}

/// Gathers decoded elements; an encoder, so that both directions share [`Elements`].
struct Gather<T> {
    items: Vec<T>,
    error: Option<Error>,
}

impl<T: Scalar> Encoder for Gather<T> {
    fn value(&mut self, value: Value<'_>) {
        match T::decode(value) {
            Ok(item) => self.items.push(item),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }
}

impl<T: Element + Send + Sync> Scalar for Vec<T> {
    const KIND: ScalarKind = ScalarKind::Array(&T::KIND);
    const TYPE_NAME: Option<&'static str> = T::TYPE_NAME;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Array(&Slice(self)));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Array(elements) = value else { return Err(value.mismatch(Self::KIND)) };
        let mut gather = Gather { items: Vec::with_capacity(elements.len()), error: None };
        elements.write(&mut gather)?;
        match gather.error {
            Some(error) => Err(error),
            None => Ok(gather.items),
        }
    }
}
