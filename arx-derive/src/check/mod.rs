//! The second pass: judges what `attr` read, reports every fault on the token that
//! caused it, and hands a model in which nothing is left to judge to `expand`.

mod conflicts;
mod field;
mod scalar;
mod together;
mod types;

pub(crate) use scalar::check_scalar;

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{Data, DataStruct, DeriveInput, Fields, Generics, LitStr, Path};

use crate::attr::Attributes;
use crate::case::Case;
use crate::errors::{Errors, nearest};
use crate::model::Struct;
use crate::name::{Name, Place};

/// Which derive of a struct is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Entity,
    Record,
    Embedded,
}

impl Kind {
    const fn place(self) -> Place {
        match self {
            Self::Entity => Place::Entity,
            Self::Record => Place::Record,
            Self::Embedded => Place::Embedded,
        }
    }

    const fn field_place(self) -> Place {
        match self {
            Self::Entity => Place::EntityField,
            Self::Record => Place::RecordField,
            Self::Embedded => Place::EmbeddedField,
        }
    }
}

/// Judges a struct whose fields are columns.
pub(crate) fn check_struct(input: &DeriveInput, kind: Kind) -> syn::Result<Struct> {
    let mut errors = Errors::default();
    let attributes = Attributes::read(&input.attrs, kind.place(), &mut errors);
    check_generics(&input.generics, kind.place(), &mut errors);
    let case = read_case(&attributes, &mut errors);
    let fields = match named_fields(input, kind.place()) {
        Ok(fields) => fields.named.iter().filter_map(|field| field::check(field, kind, case, &mut errors)),
        Err(error) => return errors.fail(error),
    };
    let fields: Vec<_> = fields.collect();
    together::check(&input.ident, &fields, kind, &mut errors);
    let checked = Struct {
        arx: arx_path(&attributes),
        table: read_table(&attributes, &input.ident, &mut errors),
        schema: attributes.text(Name::Schema).map(|text| read_name(text, Name::Schema, &mut errors)),
        label: label(&input.ident),
        ident: input.ident.clone(),
        fields: fields.into_iter().map(|checked| checked.field).collect(),
    };
    errors.finish(checked)
}

fn named_fields(input: &DeriveInput, place: Place) -> syn::Result<&syn::FieldsNamed> {
    let words = place.words();
    let refuse = |what: &str| {
        let message = format!("{words} is a struct with named fields, each of them a column; {what} has none");
        Err(syn::Error::new_spanned(&input.ident, message))
    };
    match &input.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => Ok(fields),
        Data::Struct(DataStruct { fields: Fields::Unnamed(_), .. }) => refuse("a tuple struct"),
        Data::Struct(DataStruct { fields: Fields::Unit, .. }) => refuse("a unit struct"),
        Data::Enum(_) => refuse("an enum"),
        Data::Union(_) => refuse("a union"),
    }
}

fn check_generics(generics: &Generics, place: Place, errors: &mut Errors) {
    let message = match place {
        Place::Entity => "an entity is one table: generic structs cannot be entities; remove the parameters",
        Place::Scalar => "a scalar is one kind of column: generic types cannot be scalars; remove the parameters",
        _ => "the columns are constants: generic structs cannot have them; remove the parameters",
    };
    if !generics.params.is_empty() {
        errors.at(&generics.params, message);
    } else if let Some(clause) = &generics.where_clause {
        errors.at(clause, message);
    }
}

/// Where the emitted code finds arx.
fn arx_path(attributes: &Attributes) -> Path {
    attributes.path(Name::Crate).cloned().unwrap_or_else(|| syn::parse_quote!(::arx))
}

fn read_case(attributes: &Attributes, errors: &mut Errors) -> Option<Case> {
    let text = attributes.text(Name::RenameAll)?;
    let case = Case::named(&text.value());
    if case.is_none() {
        let names = || Case::ALL.iter().map(|(name, _)| *name);
        let near = nearest(&text.value(), names()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let known = names().collect::<Vec<_>>().join(", ");
        errors.at(text, format!("no such case; {near}there are: {known}"));
    }
    case
}

fn read_table(attributes: &Attributes, ident: &Ident, errors: &mut Errors) -> String {
    match attributes.text(Name::Table) {
        Some(text) => read_name(text, Name::Table, errors),
        None => Case::Snake.apply(&label(ident)),
    }
}

/// The name of something in the database.
fn read_name(text: &LitStr, name: Name, errors: &mut Errors) -> String {
    let value = text.value();
    if value.is_empty() {
        errors.at(text, format!("`{}` is empty; give the name that it has in the database", name.text()));
    } else if value.contains('\0') {
        errors.at(text, format!("`{}` contains NUL, which no database takes in a name; remove it", name.text()));
    }
    value
}

/// The name of a type of the database's own.
fn read_type_name(text: &LitStr, errors: &mut Errors) -> String {
    let value = text.value();
    let plain = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '$' | '[' | ']');
    if value.contains(['(', ')']) {
        let message = "a modifier such as numeric(10,2) would round or truncate silently; write the name alone";
        errors.at(text, message);
    } else if value.is_empty() || !value.chars().all(plain) {
        let message = "a type name is one word without quotes or spaces, such as `mood` or `audit.mood`";
        errors.at(text, message);
    }
    value
}

/// A name without `r#`: how it is called in the database and in messages.
fn label(ident: &Ident) -> String {
    ident.unraw().to_string()
}
