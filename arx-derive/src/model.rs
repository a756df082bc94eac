//! What `check` hands to `expand`: structs and scalars in which nothing is left to judge.

use proc_macro2::Ident;
use syn::{Attribute, Path, Type, Visibility};

/// A struct whose fields are columns.
pub(crate) struct Struct {
    /// Where arx is found.
    pub(crate) arx: Path,
    pub(crate) ident: Ident,
    /// The struct's name without `r#`.
    pub(crate) label: String,
    /// The table's name; of use for entities only.
    pub(crate) table: String,
    pub(crate) schema: Option<String>,
    pub(crate) fields: Vec<Field>,
}

/// One field of a struct.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
    pub(crate) docs: Vec<Attribute>,
    /// The field's name without `r#`.
    pub(crate) label: String,
    pub(crate) column: String,
    pub(crate) constant: Ident,
    pub(crate) form: Form,
    pub(crate) role: Option<Role>,
    pub(crate) type_name: Option<String>,
    /// Whether the type may have a form for 'as the database has it': an alias or a newtype may, too.
    pub(crate) defaultable: bool,
    pub(crate) generated: bool,
    pub(crate) generate: Option<Path>,
    pub(crate) unique: bool,
    pub(crate) skip_insert: bool,
    pub(crate) skip_update: bool,
}

/// How a field is written and read.
pub(crate) enum Form {
    /// By its own `Scalar`.
    Scalar,
    /// As a JSON document; `optional` when `None` is NULL.
    Json { optional: bool },
    /// By the functions of a module; `optional` when `None` is NULL.
    With { module: Path, optional: bool },
    /// As the columns of an embedded struct.
    Flatten,
    /// Not at all.
    Skip,
}

/// What a column is there for, besides data. The names are those of `arx::entity::Role`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Key,
    Version,
    CreatedAt,
    UpdatedAt,
    SoftDelete,
}

/// A type that is one value.
pub(crate) struct Scalar {
    /// Where arx is found.
    pub(crate) arx: Path,
    pub(crate) ident: Ident,
    pub(crate) type_name: Option<String>,
    pub(crate) shape: ScalarShape,
}

/// What a scalar is made of.
pub(crate) enum ScalarShape {
    /// A struct around one other scalar.
    Newtype(Type),
    /// An enum, each variant with its text.
    Text(Vec<(Ident, String)>),
    /// An enum with its discriminants, of this integer type.
    Integer(Ident, Vec<Ident>),
}

impl Struct {
    /// The fields that are columns.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !matches!(field.form, Form::Skip))
    }

    /// The fields of the key.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.role == Some(Role::Key))
    }
}
