//! The derive macros of arx.

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

/// Makes a struct the row of a table.
#[proc_macro_derive(Entity, attributes(arx))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    emit(entity(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct readable from a row: a projection.
#[proc_macro_derive(Record, attributes(arx))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    emit(record(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a struct a group of columns that entities flatten.
#[proc_macro_derive(Embedded, attributes(arx))]
pub fn derive_embedded(input: TokenStream) -> TokenStream {
    emit(embedded(&parse_macro_input!(input as DeriveInput)))
}

/// Makes a newtype or an enum a value of one column.
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
