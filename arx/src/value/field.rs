//! A column that the database may fill.

use super::{Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

/// A value, or the column's own default.
///
/// With `create`, [`Field::Default`] leaves the column out, so that the database's
/// DEFAULT applies, and a row given by `&mut` gets the value that was stored. With
/// `update`, a column that is to be written must be [`Field::Set`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field<T> {
    /// As the database has it.
    #[default]
    Default,
    /// This value.
    Set(T),
}

impl<T> Field<T> {
    /// The value, if it is known.
    pub fn as_ref(&self) -> Option<&T> {
        match self {
            Field::Set(value) => Some(value),
            Field::Default => None,
        }
    }

    /// The value, if it is known.
    pub fn into_option(self) -> Option<T> {
        match self {
            Field::Set(value) => Some(value),
            Field::Default => None,
        }
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Field::Set(value)
    }
}

impl<T: Scalar> Scalar for Field<T> {
    const KIND: ScalarKind = T::KIND;
    const NULLABLE: bool = T::NULLABLE;
    const TYPE_NAME: Option<&'static str> = T::TYPE_NAME;
    const DEFAULTABLE: bool = true;

    fn encode(&self, out: &mut dyn Encoder) {
        match self {
            Field::Set(value) => value.encode(out),
            Field::Default => out
                .fail(Error::encode("Field::Default has no value to write here; set it, or name the columns to write")),
        }
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        T::decode(value).map(Field::Set)
    }

    fn is_default(&self) -> bool {
        matches!(self, Field::Default)
    }
}
