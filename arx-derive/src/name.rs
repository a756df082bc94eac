//! The attributes that exist: how each is written, and where it may stand.

/// How an attribute is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `key`
    Flag,
    /// `column = "full_name"`
    Text,
    /// `generate = "Uuid::now_v7"`
    Path,
}

/// What an attribute stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Entity,
    Record,
    Embedded,
    Scalar,
    EntityField,
    RecordField,
    EmbeddedField,
    ScalarField,
    Variant,
}

impl Place {
    /// The place in words, for messages.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Entity => "an entity",
            Self::Record => "a record",
            Self::Embedded => "an embedded struct",
            Self::Scalar => "a scalar",
            Self::EntityField => "a field of an entity",
            Self::RecordField => "a field of a record",
            Self::EmbeddedField => "a field of an embedded struct",
            Self::ScalarField => "the field of a scalar",
            Self::Variant => "a variant",
        }
    }
}

macro_rules! names {
    ($($name:ident $text:literal $shape:ident [$($place:ident)+])+) => {
        /// The name of an attribute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Name { $($name),+ }

        impl Name {
            const ALL: &'static [Self] = &[$(Self::$name),+];

            /// As it is written.
            pub(crate) const fn text(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// How its value is written.
            pub(crate) const fn shape(self) -> Shape {
                match self { $(Self::$name => Shape::$shape),+ }
            }

            /// Whether it may stand there.
            pub(crate) fn fits(self, place: Place) -> bool {
                match self { $(Self::$name => [$(Place::$place),+].contains(&place)),+ }
            }
        }
    };
}

names! {
    Table      "table"       Text [Entity]
    Schema     "schema"      Text [Entity]
    RenameAll  "rename_all"  Text [Entity Record Embedded Scalar]
    Integer    "integer"     Flag [Scalar]
    Column     "column"      Text [EntityField RecordField EmbeddedField]
    Key        "key"         Flag [EntityField]
    Generated  "generated"   Flag [EntityField EmbeddedField]
    Generate   "generate"    Path [EntityField]
    Unique     "unique"      Flag [EntityField EmbeddedField]
    Default    "default"     Flag [EntityField EmbeddedField]
    Version    "version"     Flag [EntityField EmbeddedField]
    CreatedAt  "created_at"  Flag [EntityField EmbeddedField]
    UpdatedAt  "updated_at"  Flag [EntityField EmbeddedField]
    SoftDelete "soft_delete" Flag [EntityField EmbeddedField]
    Json       "json"        Flag [EntityField RecordField EmbeddedField]
    With       "with"        Path [EntityField RecordField EmbeddedField]
    Flatten    "flatten"     Flag [EntityField RecordField EmbeddedField]
    Type       "type"        Text [EntityField RecordField EmbeddedField Scalar]
    Skip       "skip"        Flag [EntityField RecordField EmbeddedField]
    SkipInsert "skip_insert" Flag [EntityField EmbeddedField]
    SkipUpdate "skip_update" Flag [EntityField EmbeddedField]
    Constant   "constant"    Text [EntityField EmbeddedField]
    Rename     "rename"      Text [Variant]
    Crate      "crate"       Path [Entity Record Embedded Scalar]
}

impl Name {
    /// The attribute of this name, wherever it may stand.
    pub(crate) fn find(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|name| name.text() == text)
    }

    /// The attributes that may stand there.
    pub(crate) fn allowed(place: Place) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |name| name.fits(place))
    }

    /// How it is written, for messages.
    pub(crate) fn example(self) -> String {
        match self.shape() {
            Shape::Flag => self.text().to_owned(),
            Shape::Text | Shape::Path => format!("{} = \"..\"", self.text()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attribute_is_in_the_documentation() {
        let docs = include_str!("lib.rs");
        for name in Name::ALL {
            let written = format!("`{} = \"", name.text());
            assert!(docs.contains(&written) || docs.contains(&format!("| `{}` |", name.text())), "{name:?}");
        }
    }
}
