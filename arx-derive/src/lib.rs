//! The derive macros of arx. Use them through the `arx` crate, which exports each beside
//! the trait of its name.
//!
//! | derive | makes of a | implements |
//! |---|---|---|
//! | [`Entity`](macro@Entity) | struct | the row of a table: `arx::Entity`, `arx::Record`, a constant per column |
//! | [`Record`](macro@Record) | struct | a projection, read and not written: `arx::Record` |
//! | [`Embedded`](macro@Embedded) | struct | columns that entities `flatten`: `arx::Embedded`, `arx::Record`, a constant per column |
//! | [`Scalar`](macro@Scalar) | newtype or enum | the value of one column: `arx::Scalar`, `arx::value::Element` |
//!
//! Attributes stand in `#[arx(..)]`. A wrong one is a compile error on its own token, and all
//! errors of a struct are reported at once.
//!
//! # On the struct or the enum
//!
//! | attribute | on | what it does |
//! |---|---|---|
//! | `table = ".."` | Entity | the table's name; without it, the struct's in snake_case, as it stands (no plural) |
//! | `schema = ".."` | Entity | the schema; on SQLite, an attached database |
//! | `rename_all = ".."` | all | names columns or variants in `snake_case`, `camelCase`, `PascalCase`, `SCREAMING_SNAKE_CASE`, `lowercase`, `UPPERCASE` or `kebab-case` |
//! | `crate = ".."` | all | where arx is, if not at `::arx` |
//! | `integer` | Scalar | writes an enum as the integer of its `#[repr(..)]`: i8, i16, i32, i64, u8, u16 or u32 |
//! | `type = ".."` | Scalar | the name of the database's own type, as of a PostgreSQL enum |
//!
//! # On a field
//!
//! E, R and M tell for which derives: `Entity`, `Record`, `Embedded`.
//!
//! | attribute | on | what it does |
//! |---|---|---|
//! | `column = ".."` | E R M | the column's name; without it, the field's, without `r#` |
//! | `constant = ".."` | E M | the name of the column's constant; without it, the field's in upper case |
//! | `key` | E | a part of the key; several make it a tuple in the order of the fields, up to 8. Not for `Option`, `Field` or floats |
//! | `generated` | E M | the database makes the value when the row is inserted; it comes back into a `&mut` row |
//! | `generate = "path"` | E | arx makes the key by calling `path()`, as in `generate = "Uuid::now_v7"` |
//! | `unique` | E M | a unique constraint covers this column alone |
//! | `default` | E M | the database may fill the column in; says what the type `Field<..>` says already |
//! | `version` | E M | optimistic concurrency: starts at 1, grows with each write; i16, i32 or i64 |
//! | `created_at` | E M | set when the row is created |
//! | `updated_at` | E M | set with each write |
//! | `soft_delete` | E M | marks deleted rows; an `Option` of a timestamp, or a `bool` |
//! | `json` | E R M | stored as JSON through serde; an `Option` that is `None` is SQL NULL |
//! | `with = "module"` | E R M | written and read by the module, [see below](#types-of-other-crates) |
//! | `flatten` | E R M | the columns of a struct that derives `Embedded` (in a `Record`, any `Record`) |
//! | `type = ".."` | E R M | the name of the database's own type; one word, without modifiers |
//! | `skip` | E R M | no column; `Default::default()` when a row is read |
//! | `skip_insert` | E M | never written by an insert |
//! | `skip_update` | E M | never written by an update |
//!
//! On a variant of an enum, `rename = ".."` gives its text.
//!
//! # Flattened structs
//!
//! ```
//! use arx::prelude::*;
//!
//! #[derive(Embedded)]
//! struct Address {
//!     street: String,
//!     city: String,
//! }
//!
//! #[derive(Entity)]
//! struct Customer {
//!     #[arx(key, generated)]
//!     id: i64,
//!     #[arx(flatten)]
//!     address: Address,
//! }
//!
//! // The table has the columns id, street and city.
//! let in_bern: Filter<'_, Customer> = Customer::ADDRESS.at(Address::CITY).eq("Bern");
//! ```
//!
//! # Types of other crates
//!
//! A module given by `with` has a kind and two functions. Around an `Option`, it is asked for
//! the value inside, and `None` is NULL.
//!
//! ```
//! # mod colours { pub struct Colour(pub i32); }
//! use arx::prelude::*;
//! use colours::Colour;
//!
//! mod colour {
//!     use arx::Result;
//!     use arx::value::{Encoder, Scalar, ScalarKind, Value};
//!
//!     use super::Colour;
//!
//!     pub const KIND: ScalarKind = ScalarKind::I32;
//!
//!     pub fn encode(colour: &Colour, out: &mut dyn Encoder) {
//!         out.value(Value::I32(colour.0));
//!     }
//!
//!     pub fn decode(value: Value<'_>) -> Result<Colour> {
//!         i32::decode(value).map(Colour)
//!     }
//! }
//!
//! #[derive(Entity)]
//! struct Car {
//!     #[arx(key)]
//!     id: i64,
//!     #[arx(with = "colour")]
//!     paint: Colour,
//!     #[arx(with = "colour")]
//!     stripes: Option<Colour>,
//! }
//! # fn main() {}
//! ```
//!
//! # How it works
//!
//! Three passes, as in serde: `attr` reads tokens into names and values, `check` judges them
//! and makes a model, `expand` prints the model. What is printed is calls and tables.

mod attr;
mod case;
mod check;
mod errors;
mod expand;
mod model;
mod name;
#[cfg(test)]
mod snapshots;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

use check::Kind;

/// Makes a struct the row of a table: `arx::Entity` and `arx::Record`, and for each field an
/// inherent constant of type `arx::Column`, as visible as the field.
///
/// ```
/// use arx::prelude::*;
///
/// #[derive(Entity, Clone, Debug)]
/// #[arx(table = "customers", schema = "sales")]
/// struct Customer {
///     #[arx(key, generated)]
///     id: i64,
///     #[arx(unique)]
///     code: String,
///     #[arx(column = "full_name")]
///     name: Option<String>,
///     #[arx(version)]
///     version: i32,
///     #[arx(json)]
///     tags: Vec<String>,
///     rank: Field<i32>,
/// }
///
/// assert_eq!(<Customer as Entity>::TABLE.name, "customers");
/// let filter = Customer::CODE.like("A%") & Customer::NAME.eq("Ada");
/// # let _: Filter<'_, Customer> = filter;
/// ```
///
/// The attributes are listed in the [crate's documentation](crate).
#[proc_macro_derive(Entity, attributes(arx))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    emit(entity(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct readable from a row, by position: a projection, `arx::Record`.
///
/// ```
/// use arx::prelude::*;
///
/// #[derive(Record)]
/// struct Total {
///     customer: i64,
///     #[arx(column = "order_total")]
///     total: Option<i64>,
/// }
///
/// assert_eq!(Total::COLUMNS[1].name, "order_total");
/// ```
///
/// The attributes are listed in the [crate's documentation](crate).
#[proc_macro_derive(Record, attributes(arx))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    emit(record(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct a group of columns for `#[arx(flatten)]`: `arx::Embedded` and `arx::Record`,
/// and for each field a constant that an entity's own leads to.
///
/// ```
/// use arx::prelude::*;
///
/// #[derive(Embedded)]
/// struct Money {
///     amount: i64,
///     currency: String,
/// }
///
/// #[derive(Entity)]
/// struct Invoice {
///     #[arx(key)]
///     id: i64,
///     #[arx(flatten)]
///     price: Money,
///     paid: bool,
/// }
///
/// assert_eq!(Invoice::PRICE.at(Money::CURRENCY).index(), 2);
/// assert_eq!(Invoice::PAID.index(), 3);
/// ```
///
/// The attributes are listed in the [crate's documentation](crate).
#[proc_macro_derive(Embedded, attributes(arx))]
pub fn derive_embedded(input: TokenStream) -> TokenStream {
    emit(embedded(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a newtype or an enum without data the value of one column: `arx::Scalar`. A newtype is
/// written as what it wraps, an enum as text, or as an integer if asked to.
///
/// ```
/// use arx::prelude::*;
///
/// #[derive(Scalar, Clone, Copy, Debug, PartialEq)]
/// struct CustomerId(i64);
///
/// // As text: `in_transit` and `delivered`; for PostgreSQL, of the enum type `parcel_state`.
/// #[derive(Scalar, Clone, Copy, Debug, PartialEq)]
/// #[arx(rename_all = "snake_case", type = "parcel_state")]
/// enum State {
///     InTransit,
///     #[arx(rename = "delivered")]
///     Done,
/// }
///
/// // As a 16-bit integer: 0 and 10.
/// #[derive(Scalar, Clone, Copy, Debug, PartialEq)]
/// #[arx(integer)]
/// #[repr(i16)]
/// enum Priority {
///     Normal,
///     High = 10,
/// }
///
/// assert_eq!(State::decode(Value::Text("delivered"))?, State::Done);
/// assert_eq!(Priority::decode(Value::I16(10))?, Priority::High);
/// assert_eq!(CustomerId::decode(Value::I64(7))?, CustomerId(7));
/// # use arx::Value;
/// # Ok::<(), arx::Error>(())
/// ```
///
/// Text or a number that is no variant is a `Decode` error, which does not show it.
/// The attributes are listed in the [crate's documentation](crate).
#[proc_macro_derive(Scalar, attributes(arx))]
pub fn derive_scalar(input: TokenStream) -> TokenStream {
    emit(scalar(&parse_macro_input!(input as DeriveInput)))
}

fn entity(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    check::check_struct(input, Kind::Entity).map(|model| expand::expand_entity(&model))
}

fn record(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    check::check_struct(input, Kind::Record).map(|model| expand::expand_record(&model))
}

fn embedded(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    check::check_struct(input, Kind::Embedded).map(|model| expand::expand_embedded(&model))
}

fn scalar(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    check::check_scalar(input).map(|model| expand::expand_scalar(&model))
}

fn emit(expanded: syn::Result<proc_macro2::TokenStream>) -> TokenStream {
    expanded.unwrap_or_else(syn::Error::into_compile_error).into()
}
