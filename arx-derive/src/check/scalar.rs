//! A newtype or an enum that is one value.

use std::collections::HashMap;

use proc_macro2::{Group, Ident};
use syn::{Data, DataEnum, DeriveInput, Fields, Type, Variant};

use super::{arx_path, check_generics, label, read_case, read_type_name};
use crate::attr::Attributes;
use crate::case::Case;
use crate::errors::Errors;
use crate::model::{Scalar, ScalarShape};
use crate::name::{Name, Place};

/// The integer types that are kinds of columns, and fit every database's largest integer.
const INTEGERS: [&str; 7] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32"];

/// Judges a newtype or an enum.
pub(crate) fn check_scalar(input: &DeriveInput) -> syn::Result<Scalar> {
    let mut errors = Errors::default();
    let attributes = Attributes::read(&input.attrs, Place::Scalar, &mut errors);
    check_generics(&input.generics, Place::Scalar, &mut errors);
    let type_name = attributes.text(Name::Type).map(|text| read_type_name(text, &mut errors));
    let shape = match &input.data {
        Data::Struct(data) => newtype(&input.ident, &data.fields, &attributes, &mut errors),
        Data::Enum(data) => enumeration(input, data, &attributes, &mut errors),
        Data::Union(_) => refuse(&input.ident),
    };
    match shape {
        Ok(shape) => errors.finish(Scalar { arx: arx_path(&attributes), ident: input.ident.clone(), type_name, shape }),
        Err(error) => errors.fail(error),
    }
}

fn refuse<T>(ident: &Ident) -> syn::Result<T> {
    let message =
        "a scalar is one value: a struct around one other scalar, as in `struct Id(i64);`, or an enum without data";
    Err(syn::Error::new_spanned(ident, message))
}

fn newtype(ident: &Ident, fields: &Fields, attributes: &Attributes, errors: &mut Errors) -> syn::Result<ScalarShape> {
    for name in [Name::RenameAll, Name::Integer] {
        if let Some(given) = attributes.get(name) {
            errors.at(&given.at, format!("`{}` is for enums; remove it", name.text()));
        }
    }
    let Fields::Unnamed(fields) = fields else { return refuse(ident) };
    let mut fields = fields.unnamed.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else { return refuse(ident) };
    Attributes::read(&field.attrs, Place::ScalarField, errors);
    Ok(ScalarShape::Newtype(Type::clone(&field.ty)))
}

fn enumeration(
    input: &DeriveInput,
    data: &DataEnum,
    attributes: &Attributes,
    errors: &mut Errors,
) -> syn::Result<ScalarShape> {
    if data.variants.is_empty() {
        errors.at(&input.ident, "an enum without variants has no values; add one");
    }
    for variant in data.variants.iter().filter(|variant| !variant.fields.is_empty()) {
        errors.at(&variant.fields, "a scalar is one value; remove the data, or store the enum with `#[arx(json)]`");
    }
    let case = read_case(attributes, errors);
    let texts = variant_texts(data, case, attributes.has(Name::Integer), errors);
    if !attributes.has(Name::Integer) {
        return Ok(ScalarShape::Text(texts));
    }
    for name in [Name::RenameAll, Name::Type] {
        if let Some(given) = attributes.get(name) {
            errors.at(&given.at, format!("`{}` is for enums written as text; remove it or `integer`", name.text()));
        }
    }
    let integer = representation(input, attributes)?;
    Ok(ScalarShape::Integer(integer, texts.into_iter().map(|(ident, _)| ident).collect()))
}

fn variant_texts(data: &DataEnum, case: Option<Case>, integer: bool, errors: &mut Errors) -> Vec<(Ident, String)> {
    let mut seen = HashMap::new();
    let mut texts = Vec::with_capacity(data.variants.len());
    for Variant { ident, attrs, .. } in &data.variants {
        let attributes = Attributes::read(attrs, Place::Variant, errors);
        if let (true, Some(rename)) = (integer, attributes.get(Name::Rename)) {
            errors.at(&rename.at, "the variant is written as an integer; remove `rename`");
        }
        let rename = attributes.text(Name::Rename);
        let label = label(ident);
        let text =
            rename.map_or_else(|| case.map_or_else(|| label.clone(), |case| case.apply(&label)), syn::LitStr::value);
        if text.contains('\0') {
            errors.at(rename, "the text contains NUL, which PostgreSQL does not store; remove it");
        }
        if let Some(first) = seen.insert(text.clone(), label) {
            let message = format!("the variant `{first}` has this text already; give another with `rename = \"..\"`");
            match rename {
                Some(rename) => errors.at(rename, message),
                None => errors.at(ident, message),
            }
        }
        texts.push((ident.clone(), text));
    }
    texts
}

/// The integer type of `#[repr(..)]`.
fn representation(input: &DeriveInput, attributes: &Attributes) -> syn::Result<Ident> {
    let mut integer = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // Whether the rest is right, such as align(8), is the compiler's to judge.
        drop(attribute.parse_nested_meta(|meta| {
            integer = integer.take().or_else(|| meta.path.get_ident().filter(|word| is_integer(word)).cloned());
            meta.input.parse::<Option<Group>>().map(drop)
        }));
    }
    match integer {
        Some(integer) if INTEGERS.iter().any(|name| integer == name) => Ok(integer),
        Some(integer) => {
            let known = INTEGERS.join(", ");
            let message = format!("`{integer}` is no integer column on every database; use one of {known}");
            Err(syn::Error::new_spanned(integer, message))
        }
        None => {
            let at = attributes.get(Name::Integer).map_or(&input.ident, |given| &given.at);
            let message =
                "an enum written as an integer needs its type; add `#[repr(i16)]`, or i8, i32, i64, u8, u16, u32";
            Err(syn::Error::new_spanned(at, message))
        }
    }
}

/// Whether the word in a `repr` is an integer type, and not `C` or `align`.
fn is_integer(word: &Ident) -> bool {
    INTEGERS.iter().chain(&["i128", "u128", "u64", "isize", "usize"]).any(|name| word == name)
}
