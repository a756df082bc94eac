//! What `#[derive(Embedded)]` prints.

use proc_macro2::TokenStream;
use quote::quote;

use super::entity::accept;
use super::layout::{Layout, Slot};
use super::record::record;
use super::{field, scoped};
use crate::model::{Form, Struct};

/// `impl Record`, `impl Embedded` and the column constants.
pub(crate) fn expand_embedded(model: &Struct) -> TokenStream {
    let Struct { arx, ident, .. } = model;
    let layout = Layout::of(model);
    let constants = &layout.constants;
    let columns = field::constants(model, &layout.slots);
    let (record, encode) = (record(model), encode(model, &layout.slots));
    let (accept, defaults) = (accept(model, &layout.slots), defaults(model, &layout.slots));
    scoped(&quote! {
        #constants
        #columns
        #record

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #arx::entity::Embedded for #ident {
            #encode
            #accept
            #defaults
        }
    })
}

fn encode(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let arms = slots.iter().map(|slot| {
        let (field, index, pattern) = (slot.field, &slot.index, slot.pattern());
        let name = &field.ident;
        if matches!(field.form, Form::Flatten) {
            let embedded = field.embedded(arx);
            return quote!(#pattern => #embedded::encode(&self.#name, column - #index, out));
        }
        let call = field.encode(arx, &quote!(self));
        quote!(#pattern => #call)
    });
    quote! {
        fn encode(&self, column: usize, out: &mut dyn #arx::value::Encoder) {
            match column {
                #(#arms,)*
                _ => out.fail(#arx::error::Error::encode("the struct has no such column")),
            }
        }
    }
}

fn defaults(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let arx = &model.arx;
    let statements: Vec<_> = slots
        .iter()
        .filter_map(|slot| {
            let index = &slot.index;
            slot.mark_default(arx, &quote!(base + #index))
        })
        .collect();
    if statements.is_empty() {
        return quote!(fn defaults(&self, _base: usize, _out: &mut #arx::entity::ColumnSet) {});
    }
    quote! {
        fn defaults(&self, base: usize, out: &mut #arx::entity::ColumnSet) {
            #(#statements)*
        }
    }
}
