//! Where each column is. Up to the first flattened struct that is a number; behind it,
//! it is a constant that the compiler counts, since a macro cannot see other structs.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::model::{Field, Form, Struct};

/// One field that is a column, or several.
pub(super) struct Slot<'a> {
    pub(super) field: &'a Field,
    /// The index of its first column: an expression that is a pattern, too.
    pub(super) index: TokenStream,
    /// For a flattened struct, the index behind its last column.
    pub(super) end: TokenStream,
}

impl Slot<'_> {
    /// The pattern of its columns.
    pub(super) fn pattern(&self) -> TokenStream {
        let Self { index, end, .. } = self;
        match self.field.form {
            Form::Flatten => quote!(#index..#end),
            _ => index.clone(),
        }
    }
}

/// The columns of a struct.
pub(super) struct Layout<'a> {
    pub(super) slots: Vec<Slot<'a>>,
    /// The constants that the indexes name.
    pub(super) constants: TokenStream,
}

impl<'a> Layout<'a> {
    pub(super) fn of(model: &'a Struct) -> Self {
        let (arx, mut constants) = (&model.arx, TokenStream::new());
        let mut slots: Vec<Slot<'a>> = Vec::with_capacity(model.fields.len());
        // The last constant, and how many columns have come since.
        let (mut base, mut count): (Option<TokenStream>, usize) = (None, 0);
        for (number, field) in model.columns().enumerate() {
            let offset = Literal::usize_unsuffixed(count);
            let index = match (&base, count) {
                (None, _) => quote!(#offset),
                (Some(base), 0) => base.clone(),
                (Some(base), _) => {
                    let name = format_ident!("__COLUMN_{number}");
                    constants.extend(quote!(const #name: usize = #base + #offset;));
                    quote!(#name)
                }
            };
            let mut end = TokenStream::new();
            count += 1;
            if matches!(field.form, Form::Flatten) {
                let (name, ty) = (format_ident!("__END_{number}"), &field.ty);
                constants.extend(quote! {
                    const #name: usize = #index + <#ty as #arx::entity::Record>::COLUMNS.len();
                });
                end = quote!(#name);
                (base, count) = (Some(end.clone()), 0);
            }
            slots.push(Slot { field, index, end });
        }
        Self { slots, constants }
    }
}
