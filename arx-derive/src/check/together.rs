//! The fields of a struct against each other.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;

use super::Kind;
use super::field::Checked;
use crate::errors::Errors;
use crate::model::Form;
use crate::name::Name;

/// `arx::entity::Key` is implemented for tuples of up to this many.
const MAX_KEY_PARTS: usize = 8;

/// Judges what only all fields together show.
pub(super) fn check(ident: &Ident, fields: &[Checked], kind: Kind, errors: &mut Errors) {
    let columns = || fields.iter().filter(|checked| !matches!(checked.field.form, Form::Skip));
    if columns().next().is_none() {
        errors.at(ident, "the struct has no columns; add a field that is not skipped");
    }
    if kind == Kind::Entity {
        check_key(ident, fields, errors);
    }
    for name in [Name::Version, Name::CreatedAt, Name::UpdatedAt, Name::SoftDelete] {
        for second in fields.iter().filter_map(|checked| checked.attributes.get(name)).skip(1) {
            errors.at(&second.at, format!("a table has one `{}` column; remove this one", name.text()));
        }
    }
    check_columns(columns(), errors);
    if kind != Kind::Record {
        check_constants(columns(), errors);
    }
}

fn check_key(ident: &Ident, fields: &[Checked], errors: &mut Errors) {
    let keys: Vec<_> = fields.iter().filter_map(|checked| checked.attributes.get(Name::Key)).collect();
    if keys.is_empty() {
        errors.at(ident, "an entity needs a key; mark the field that identifies a row with `#[arx(key)]`");
    }
    for key in keys.iter().skip(MAX_KEY_PARTS) {
        errors.at(&key.at, format!("a key has at most {MAX_KEY_PARTS} parts; remove `key` here"));
    }
}

fn check_columns<'a>(columns: impl Iterator<Item = &'a Checked>, errors: &mut Errors) {
    let mut seen = HashMap::new();
    for checked in columns.filter(|checked| !matches!(checked.field.form, Form::Flatten)) {
        let field = &checked.field;
        if let Some(first) = seen.insert(&field.column, &field.label) {
            let message = format!("the field `{first}` has this column already; give another with `column = \"..\"`");
            errors.at(written(checked, Name::Column), message);
        }
    }
}

fn check_constants<'a>(columns: impl Iterator<Item = &'a Checked>, errors: &mut Errors) {
    let mut seen = HashMap::new();
    for checked in columns {
        let field = &checked.field;
        if let Some(first) = seen.insert(field.constant.to_string(), &field.label) {
            let constant = &field.constant;
            let message = format!(
                "the field `{first}` has the constant `{constant}` already; give another with `#[arx(constant = \"..\")]`"
            );
            errors.at(written(checked, Name::Constant), message);
        }
    }
}

/// Where a name comes from: the attribute's text, or the field.
fn written(checked: &Checked, name: Name) -> TokenStream {
    match checked.attributes.text(name) {
        Some(text) => text.to_token_stream(),
        None => checked.field.ident.to_token_stream(),
    }
}
