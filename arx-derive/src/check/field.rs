//! One field: its column, how it is written, what it is there for.

use proc_macro2::Ident;
use quote::format_ident;
use syn::Type;

use super::{Kind, conflicts, label, read_name, read_type_name, types};
use crate::attr::Attributes;
use crate::case::Case;
use crate::errors::Errors;
use crate::model::{Field, Form, Role};
use crate::name::Name;

/// A field, and its attributes for errors that concern several fields.
pub(super) struct Checked {
    pub(super) field: Field,
    pub(super) attributes: Attributes,
}

/// Judges one field by itself. A field without a name cannot be: it has been refused before.
pub(super) fn check(field: &syn::Field, kind: Kind, case: Option<Case>, errors: &mut Errors) -> Option<Checked> {
    let ident = field.ident.clone()?;
    let attributes = Attributes::read(&field.attrs, kind.field_place(), errors);
    conflicts::check(&attributes, errors);
    check_type(&field.ty, &attributes, errors);
    let label = label(&ident);
    let column = match attributes.text(Name::Column) {
        Some(text) => read_name(text, Name::Column, errors),
        None => case.map_or_else(|| label.clone(), |case| case.apply(&label)),
    };
    let field = Field {
        vis: field.vis.clone(),
        ty: field.ty.clone(),
        docs: field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).cloned().collect(),
        constant: read_constant(&ident, &label, &attributes, errors),
        form: form(&field.ty, &attributes),
        defaultable: role(&attributes).is_none() && !attributes.has(Name::Generated) && !types::always_sent(&field.ty),
        role: role(&attributes),
        type_name: attributes.text(Name::Type).map(|text| read_type_name(text, errors)),
        generated: attributes.has(Name::Generated),
        generate: attributes.path(Name::Generate).cloned(),
        unique: attributes.has(Name::Unique),
        skip_insert: attributes.has(Name::SkipInsert),
        skip_update: attributes.has(Name::SkipUpdate),
        ident,
        label,
        column,
    };
    Some(Checked { field, attributes })
}

fn form(ty: &Type, attributes: &Attributes) -> Form {
    let optional = types::wraps(ty, "Option");
    if attributes.has(Name::Skip) {
        Form::Skip
    } else if attributes.has(Name::Flatten) {
        Form::Flatten
    } else if attributes.has(Name::Json) {
        Form::Json { optional }
    } else if let Some(module) = attributes.path(Name::With) {
        Form::With { module: module.clone(), optional }
    } else {
        Form::Scalar
    }
}

fn role(attributes: &Attributes) -> Option<Role> {
    conflicts::ROLES.into_iter().find(|(name, _)| attributes.has(*name)).map(|(_, role)| role)
}

/// The name of the column's constant: the field's in upper case, unless `constant` gives another.
fn read_constant(ident: &Ident, label: &str, attributes: &Attributes, errors: &mut Errors) -> Ident {
    let given = attributes.text(Name::Constant);
    let name = given.map_or_else(|| Case::ScreamingSnake.apply(label), syn::LitStr::value);
    let span = given.map_or_else(|| ident.span(), syn::LitStr::span);
    match syn::parse_str::<Ident>(&name) {
        Ok(mut constant) => {
            constant.set_span(span);
            constant
        }
        Err(_) => {
            let message = "not a name for a constant; give one with `#[arx(constant = \"NAME\")]`";
            errors.push(syn::Error::new(span, message));
            format_ident!("INVALID_{label}")
        }
    }
}

/// Whether the type fits the attributes, as far as its spelling tells.
fn check_type(ty: &Type, attributes: &Attributes, errors: &mut Errors) {
    let (optional, field) = (types::wraps(ty, "Option"), types::wraps(ty, "Field"));
    let float = types::is_one_of(ty, &["f32", "f64"]);
    let integer = types::is_one_of(ty, &["i16", "i32", "i64"]);
    let deletable = optional || types::is_one_of(ty, &["bool"]);
    let rules = [
        (Name::Key, optional, "a key is never NULL; take the type out of Option"),
        (Name::Key, field, "a key is always known; for one that the database makes write `#[arx(key, generated)]`"),
        (Name::Key, float, "floats do not compare exactly, so they cannot be keys; use an integer, a decimal or text"),
        (Name::Version, !integer, "a version is counted up; use i16, i32 or i64"),
        (Name::SoftDelete, !deletable, "`soft_delete` needs a bool or an Option of a timestamp"),
        (Name::Default, !field, "wrap the type in arx::Field"),
        (Name::Generated, field, "the database always makes a `generated` value; take the type out of Field"),
        (Name::Json, field, "a JSON column cannot be a Field; take the type out of Field"),
        (Name::With, field, "a column written by a module cannot be a Field; take the type out of Field"),
        (Name::CreatedAt, field, "arx sets this column itself; take the type out of Field"),
        (Name::UpdatedAt, field, "arx sets this column itself; take the type out of Field"),
        (Name::Flatten, optional, "an embedded struct is always there; make its fields Option instead"),
    ];
    for (name, broken, message) in rules {
        if broken && attributes.has(name) {
            errors.at(ty, message);
        }
    }
}
