//! Derived code raises no warning, however strict the lints of the crate it lands in.
#![deny(
    warnings,
    deprecated_in_future,
    missing_docs,
    non_ascii_idents,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unused_crate_dependencies,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::absolute_paths,
    clippy::allow_attributes,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::default_numeric_fallback,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::panic,
    clippy::pattern_type_mismatch,
    clippy::shadow_reuse,
    clippy::shadow_unrelated,
    clippy::unwrap_used
)]
#![allow(unused_crate_dependencies, missing_docs, dead_code)]

/// Types that another crate can see.
pub mod public {
    use arx::value::Field;
    use arx_derive::{Embedded, Entity, Record, Scalar};

    /// Every kind of field.
    #[derive(Entity, Clone, Debug, PartialEq, Eq)]
    #[arx(table = "customers", schema = "sales")]
    pub struct Customer {
        /// The key.
        #[arx(key, generated)]
        pub id: CustomerId,
        /// The name.
        #[arx(unique, column = "full_name")]
        pub name: Option<String>,
        /// Where the customer lives.
        #[arx(flatten)]
        pub address: Address,
        /// How the customer feels.
        pub mood: Mood,
        /// How high the customer stands.
        pub level: Level,
        /// Words.
        #[arx(json)]
        pub tags: Vec<String>,
        /// More words.
        #[arx(json)]
        pub(crate) more: Option<Vec<String>>,
        /// The database fills it.
        #[arx(default)]
        pub rank: Field<i32>,
        /// Counts.
        #[arx(version)]
        version: i32,
        /// Not stored.
        #[arx(skip)]
        pub(super) cache: u8,
        /// Old.
        #[deprecated]
        old: i64,
    }

    /// A key that arx makes.
    #[derive(Entity, Clone, Debug, PartialEq, Eq)]
    pub struct Token {
        /// The key.
        #[arx(key, generate = "uuid::Uuid::now_v7")]
        id: uuid::Uuid,
    }

    /// A part of a customer.
    #[derive(Embedded, Clone, Debug, PartialEq, Eq)]
    pub struct Address {
        /// The street.
        pub street: String,
        /// The city.
        pub city: Field<String>,
    }

    /// A part of a customer for reading.
    #[derive(Record, Clone, Debug, PartialEq, Eq)]
    pub struct Short {
        /// The key.
        pub id: CustomerId,
        /// Where the customer lives.
        #[arx(flatten)]
        pub address: Address,
    }

    /// A newtype.
    #[derive(Scalar, Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CustomerId(pub i64);

    /// A newtype that no `Vec` may hold.
    #[derive(Scalar, Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Tiny(pub u8);

    /// An enum as text.
    #[derive(Scalar, Clone, Copy, Debug, PartialEq, Eq)]
    #[arx(rename_all = "snake_case", type = "mood")]
    pub enum Mood {
        /// Not well.
        VerySad,
        /// Well.
        #[arx(rename = "joyful")]
        Happy,
    }

    /// An enum as a number.
    #[derive(Scalar, Clone, Copy, Debug, PartialEq, Eq)]
    #[arx(integer)]
    #[repr(i16)]
    pub enum Level {
        /// Below.
        Low = -3,
        /// Above.
        High,
    }
}

mod private {
    use arx_derive::{Embedded, Entity, Record, Scalar};

    #[derive(Entity)]
    struct Customer {
        #[arx(key)]
        first: i64,
        #[arx(key)]
        second: String,
        pub mood: Mood,
        #[arx(flatten)]
        pub(crate) address: Address,
    }

    #[derive(Embedded)]
    struct Address {
        pub street: String,
        city: String,
    }

    #[derive(Record)]
    struct Short {
        mood: Mood,
    }

    #[derive(Scalar)]
    enum Mood {
        Sad,
    }
}

/// A struct that a macro makes: its tokens come from two places.
macro_rules! entity {
    ($name:ident, $table:literal, $key:ident: $ty:ty, $plain:ident) => {
        #[derive(arx_derive::Entity)]
        #[arx(table = $table)]
        struct $name {
            #[arx(key)]
            $key: $ty,
            $plain: String,
            count: $ty,
            #[arx(flatten)]
            part: Part,
            #[arx(json)]
            words: Vec<$ty>,
            #[arx(default)]
            rank: arx::value::Field<$ty>,
        }
    };
}

#[derive(arx_derive::Embedded)]
struct Part {
    whole: i32,
}

use arx::entity::Entity;

entity!(Made, "made_by_macro", id: i64, text);

#[test]
fn a_struct_that_a_macro_makes_has_its_constants() {
    assert_eq!(Made::RANK.index(), 5);
    assert_eq!(Made::COUNT.index(), 2);
    assert_eq!(<Made as Entity>::TABLE.name, "made_by_macro");
}

#[test]
fn a_struct_inside_a_function_has_its_constants() {
    #[derive(arx_derive::Entity)]
    struct Local {
        #[arx(key)]
        id: i64,
    }
    assert_eq!(Local::ID.index(), 0);
}
