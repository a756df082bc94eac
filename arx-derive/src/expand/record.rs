//! `impl Record`: the columns, and how a row is read.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

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
    // One statement each: in one expression the compiler's time grows with the cube of the columns.
    let locals: Vec<Ident> = (0..model.fields.len()).map(|number| format_ident!("field_{number}")).collect();
    let values = model.fields.iter().map(|field| field.read(arx));
    let names = model.fields.iter().map(|field| &field.ident);
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #arx::entity::Record for #ident {
            const COLUMNS: &'static [#arx::entity::ColumnMeta] = #columns;

            fn decode(row: &mut dyn #arx::value::Decoder) -> #arx::error::Result<Self> {
                #(let #locals = #values;)*
                ::core::result::Result::Ok(Self { #(#names: #locals,)* })
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
