//! Keys: one column's type, or a tuple of several.

use crate::error::Result;
use crate::value::{Decoder, Encoder, Scalar, ScalarKind};

/// The key of an entity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a key",
    label = "not a key",
    note = "a key derives `Clone` and, where it is not a column type of arx, `arx::Scalar`"
)]
pub trait Key: Clone + Send + Sync + 'static {
    /// The kinds of its parts, in the order of the key's columns.
    const KINDS: &'static [ScalarKind];

    /// Pushes one part, counted from 0.
    fn encode(&self, part: usize, out: &mut dyn Encoder);

    /// Reads the parts in order.
    ///
    /// # Errors
    /// `Decode` when a part does not fit.
    fn decode(row: &mut dyn Decoder) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar + Clone + Send + Sync + 'static> Key for T {
    const KINDS: &'static [ScalarKind] = &[T::KIND];

    fn encode(&self, _part: usize, out: &mut dyn Encoder) {
        Scalar::encode(self, out);
    }

    fn decode(row: &mut dyn Decoder) -> Result<Self> {
        T::decode(row.next(T::KIND)?)
    }
}

macro_rules! tuple_key {
    ($($part:ident $index:tt),+) => {
        #[diagnostic::do_not_recommend]
        impl<$($part: Scalar + Clone + Send + Sync + 'static),+> Key for ($($part,)+) {
            const KINDS: &'static [ScalarKind] = &[$($part::KIND),+];

            fn encode(&self, part: usize, out: &mut dyn Encoder) {
                match part {
                    $($index => Scalar::encode(&self.$index, out),)+
                    _ => out.fail(crate::error::Error::encode("the key has no such part")),
                }
            }

            fn decode(row: &mut dyn Decoder) -> Result<Self> {
                Ok(($($part::decode(row.next($part::KIND)?)?,)+))
            }
        }
    };
}

tuple_key!(A 0, B 1);
tuple_key!(A 0, B 1, C 2);
tuple_key!(A 0, B 1, C 2, D 3);
tuple_key!(A 0, B 1, C 2, D 3, E 4);
tuple_key!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple_key!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple_key!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

/// What the one-row verbs take as a key: the key itself, a reference to it, `&str` for `String`.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a key of type `{K}`", label = "not a `{K}`")]
pub trait IntoKey<K> {
    /// The key.
    fn into_key(self) -> K;
}

impl<K: Key> IntoKey<K> for K {
    fn into_key(self) -> K {
        self
    }
}

impl<K: Key> IntoKey<K> for &K {
    fn into_key(self) -> K {
        self.clone()
    }
}

impl IntoKey<String> for &str {
    fn into_key(self) -> String {
        self.to_owned()
    }
}
