//! What `#[derive(Entity)]` prints.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::layout::{Layout, Slot};
use super::record::record;
use super::{field, scoped};
use crate::model::{Form, Struct};

/// `impl Record`, `impl Entity` and the column constants.
pub(crate) fn expand_entity(model: &Struct) -> TokenStream {
    let layout = Layout::of(model);
    let constants = &layout.constants;
    let columns = field::constants(model, &layout.slots);
    let record = record(model);
    let entity = entity(model, &layout.slots);
    scoped(&quote!(#constants #columns #record #entity))
}

fn entity(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let Struct { arx, ident, .. } = model;
    let (table, key) = (table(model), key(model));
    let (encode, encode_row) = (encode(model, slots), encode_row(model, slots));
    let accept = accept(model, slots);
    let (defaults, generate) = (defaults(model, slots), generate(model, slots));
    quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #arx::entity::Entity for #ident {
            #table
            #key
            #encode
            #encode_row
            #accept
            #defaults
            #generate
        }
    }
}

fn table(model: &Struct) -> TokenStream {
    let Struct { arx, label, table, .. } = model;
    let schema = match &model.schema {
        Some(schema) => quote!(::core::option::Option::Some(#schema)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        const TABLE: &'static #arx::entity::Table =
            &#arx::entity::Table::new(#label, #schema, #table, <Self as #arx::entity::Record>::COLUMNS);
    }
}

fn key(model: &Struct) -> TokenStream {
    let types: Vec<_> = model.keys().map(|field| &field.ty).collect();
    let values = model.keys().map(|field| {
        let (name, ty) = (&field.ident, &field.ty);
        let clone = quote_spanned!(ty.span()=> <#ty as ::core::clone::Clone>::clone);
        quote!(#clone(&self.#name))
    });
    let (ty, value) = match types.as_slice() {
        [ty] => (quote!(#ty), quote!(#(#values)*)),
        types => (quote!((#(#types,)*)), quote!((#(#values,)*))),
    };
    quote! {
        type Key = #ty;

        fn key(&self) -> Self::Key { #value }
    }
}

fn encode(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let arms = slots.iter().map(|slot| {
        let (field, index, pattern) = (slot.field, &slot.index, slot.pattern());
        let name = &field.ident;
        let call = match field.form {
            Form::Flatten => {
                let embedded = field.embedded(arx);
                quote!(#embedded::encode(&row.#name, column - #index, out))
            }
            _ => field.encode(arx, &quote!(row)),
        };
        quote!(#pattern => #arx::entity::each(rows, order, |row| #call))
    });
    quote! {
        fn encode(
            rows: &[Self],
            order: ::core::option::Option<&[u32]>,
            column: usize,
            out: &mut dyn #arx::value::Encoder,
        ) {
            match column {
                #(#arms,)*
                _ => out.fail(#arx::error::Error::encode("the entity has no such column")),
            }
        }
    }
}

fn encode_row(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let statements = slots.iter().map(|Slot { field, index, .. }| {
        let name = &field.ident;
        if matches!(field.form, Form::Flatten) {
            let embedded = field.embedded(arx);
            return quote!(#embedded::encode_row(&self.#name, #index, columns, out););
        }
        let call = field.encode(arx, &quote!(self));
        quote!(if columns.contains(#index) { #call; })
    });
    quote! {
        fn encode_row(&self, columns: &#arx::entity::ColumnSet, out: &mut dyn #arx::value::Encoder) {
            #(#statements)*
        }
    }
}

/// `accept`, which an entity and an embedded struct have alike.
pub(super) fn accept(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let arms = slots.iter().map(|slot| {
        let (field, index, pattern) = (slot.field, &slot.index, slot.pattern());
        let name = &field.ident;
        if matches!(field.form, Form::Flatten) {
            let embedded = field.embedded(arx);
            return quote!(#pattern => #embedded::accept(&mut self.#name, column - #index, value)?);
        }
        let decoded = field.decode(arx, &quote!(value));
        quote!(#pattern => self.#name = #decoded?)
    });
    quote! {
        fn accept(&mut self, column: usize, value: #arx::value::Value<'_>) -> #arx::error::Result<()> {
            match column {
                #(#arms,)*
                _ => return ::core::result::Result::Err(#arx::error::Error::decode("the struct has no such column")),
            }
            ::core::result::Result::Ok(())
        }
    }
}

fn defaults(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let statements: Vec<_> = slots.iter().filter_map(|slot| slot.mark_default(arx, &slot.index)).collect();
    let body = match statements.as_slice() {
        [] => quote!(#arx::entity::ColumnSet::EMPTY),
        statements => quote! {
            let mut set = #arx::entity::ColumnSet::EMPTY;
            let out = &mut set;
            #(#statements)*
            set
        },
    };
    quote!(fn defaults(&self) -> #arx::entity::ColumnSet { #body })
}

fn generate(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let arms = slots.iter().filter_map(|Slot { field, index, .. }| {
        let (path, scalar) = (field.generate.as_ref()?, field.scalar(arx));
        let value = quote_spanned!(path.span()=> &#path());
        Some(quote!(#index => #scalar::encode(#value, out)))
    });
    let arms: Vec<_> = arms.collect();
    let missing = quote!(out.fail(#arx::error::Error::encode("arx makes no value for this column")));
    if arms.is_empty() {
        return quote!(fn generate(_column: usize, out: &mut dyn #arx::value::Encoder) { #missing; });
    }
    quote! {
        fn generate(column: usize, out: &mut dyn #arx::value::Encoder) {
            match column {
                #(#arms,)*
                _ => #missing,
            }
        }
    }
}
