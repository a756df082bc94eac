//! `impl Record`: the columns, and how a row is read.

use proc_macro2::TokenStream;
use quote::quote;

use super::scoped;
use crate::model::{Field, Form, Struct};

/// What `#[derive(Record)]` prints.
pub(crate) fn expand_record(model: &Struct) -> TokenStream {
    scoped(&record(model))
}

/// `impl Record`.
pub(super) fn record(model: &Struct) -> TokenStream {
    let (arx, ident) = (&model.arx, &model.ident);
    let columns = columns(model);
    let fields = model.fields.iter().map(|field| {
        let (name, value) = (&field.ident, field.read(arx));
        quote!(#name: #value)
    });
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #arx::entity::Record for #ident {
            const COLUMNS: &'static [#arx::entity::ColumnMeta] = #columns;

            fn decode(row: &mut dyn #arx::value::Decoder) -> #arx::error::Result<Self> {
                ::core::result::Result::Ok(Self { #(#fields,)* })
            }
        }
    }
}

/// A slice of the columns; with flattened structs, their slices and those between joined.
fn columns(model: &Struct) -> TokenStream {
    let arx = &model.arx;
    let is_flat = |field: &Field| matches!(field.form, Form::Flatten);
    if !model.columns().any(is_flat) {
        let metas = model.columns().map(|field| field.meta(arx));
        return quote!(&[#(#metas,)*]);
    }
    let fields: Vec<&Field> = model.columns().collect();
    let groups = fields.chunk_by(|left, right| !is_flat(left) && !is_flat(right)).map(|group| match group {
        [field] if is_flat(field) => {
            let record = field.record(arx);
            quote!(#record::COLUMNS)
        }
        plain => {
            let metas = plain.iter().map(|field| field.meta(arx));
            quote!(&[#(#metas,)*])
        }
    });
    quote! {{
        const GROUPS: &[&[#arx::entity::ColumnMeta]] = &[#(#groups,)*];
        const ALL: [#arx::entity::ColumnMeta; #arx::entity::total(GROUPS)] = #arx::entity::columns(GROUPS);
        &ALL
    }}
}
