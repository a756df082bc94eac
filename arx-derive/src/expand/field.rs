//! What is printed for one field.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned as _;

use super::layout::Slot;
use crate::model::{Field, Form, Role, Struct};

impl Field {
    /// `<T as Scalar>`, on the type's own token, so that the error about a type that is
    /// none is there, and the same each time: the compiler shows it once.
    pub(super) fn scalar(&self, arx: &Path) -> TokenStream {
        let ty = &self.ty;
        quote_spanned!(ty.span()=> <#ty as #arx::value::Scalar>)
    }

    /// `<T as Record>` of a flattened struct.
    pub(super) fn record(&self, arx: &Path) -> TokenStream {
        let ty = &self.ty;
        quote_spanned!(ty.span()=> <#ty as #arx::entity::Record>)
    }

    /// `<T as Embedded>` of a flattened struct.
    pub(super) fn embedded(&self, arx: &Path) -> TokenStream {
        let ty = &self.ty;
        quote_spanned!(ty.span()=> <#ty as #arx::entity::Embedded>)
    }

    /// A function of `arx::value` for the type.
    fn json(&self, arx: &Path, function: &TokenStream) -> TokenStream {
        let ty = &self.ty;
        quote_spanned!(ty.span()=> #arx::value::#function::<#ty>)
    }

    /// The kind of the column.
    fn kind(&self, arx: &Path) -> TokenStream {
        match &self.form {
            Form::Json { .. } => quote!(#arx::value::ScalarKind::Json),
            Form::With { module, .. } => quote_spanned!(module.span()=> #module::KIND),
            Form::Scalar | Form::Flatten | Form::Skip => {
                let scalar = self.scalar(arx);
                quote!(#scalar::KIND)
            }
        }
    }

    /// Pushes the field of `row` into `out`.
    pub(super) fn encode(&self, arx: &Path, row: &TokenStream) -> TokenStream {
        let (ident, kind) = (&self.ident, self.kind(arx));
        match &self.form {
            Form::Json { optional: false } => {
                let encode = self.json(arx, &quote!(encode_json));
                quote!(#encode(&#row.#ident, out))
            }
            Form::Json { optional: true } => {
                quote!(#arx::entity::encode_option(&#row.#ident, #kind, #arx::value::encode_json, out))
            }
            Form::With { module, optional } => {
                let encode = quote_spanned!(module.span()=> #module::encode);
                match optional {
                    false => quote!(#encode(&#row.#ident, out)),
                    true => quote!(#arx::entity::encode_option(&#row.#ident, #kind, #encode, out)),
                }
            }
            Form::Scalar | Form::Flatten | Form::Skip => {
                let scalar = self.scalar(arx);
                quote!(#scalar::encode(&#row.#ident, out))
            }
        }
    }

    /// Makes the field, as a `Result`, of the `Value` that the tokens are.
    pub(super) fn decode(&self, arx: &Path, value: &TokenStream) -> TokenStream {
        match &self.form {
            Form::Json { optional: false } => {
                let decode = self.json(arx, &quote!(decode_json));
                quote!(#decode(#value))
            }
            Form::Json { optional: true } => quote!(#arx::entity::decode_option(#value, #arx::value::decode_json)),
            Form::With { module, optional } => {
                let decode = quote_spanned!(module.span()=> #module::decode);
                match optional {
                    false => quote!(#decode(#value)),
                    true => quote!(#arx::entity::decode_option(#value, #decode)),
                }
            }
            Form::Scalar | Form::Flatten | Form::Skip => {
                let scalar = self.scalar(arx);
                quote!(#scalar::decode(#value))
            }
        }
    }

    /// Makes the field of the next columns of `row`.
    pub(super) fn read(&self, arx: &Path) -> TokenStream {
        match &self.form {
            Form::Skip => {
                let ty = &self.ty;
                quote_spanned!(ty.span()=> <#ty as ::core::default::Default>::default())
            }
            Form::Flatten => {
                let record = self.record(arx);
                quote!(#record::decode(row)?)
            }
            Form::Scalar | Form::Json { .. } | Form::With { .. } => {
                let kind = self.kind(arx);
                let decoded = self.decode(arx, &quote!(row.next(#kind)?));
                quote!(#decoded?)
            }
        }
    }

    /// The column as a `ColumnMeta`.
    pub(super) fn meta(&self, arx: &Path) -> TokenStream {
        let (column, label, kind) = (&self.column, &self.label, self.kind(arx));
        let scalar = self.scalar(arx);
        let (nullable, of_type) = match &self.form {
            Form::Json { optional } | Form::With { optional, .. } => (quote!(#optional), TokenStream::new()),
            // Not `ColumnMeta::of`: its bound would be a second error for a type that is no scalar.
            Form::Scalar | Form::Flatten | Form::Skip => {
                (quote!(#scalar::NULLABLE), quote!(.type_name(#scalar::TYPE_NAME).defaultable(#scalar::DEFAULTABLE)))
            }
        };
        let mut meta = quote!(#arx::entity::ColumnMeta::new(#column, #label, #kind, #nullable) #of_type);
        if let Some(name) = &self.type_name {
            meta.extend(quote!(.type_name(::core::option::Option::Some(#name))));
        }
        if let Some(role) = self.role {
            meta.extend(quote!(.role(#arx::entity::Role::#role)));
        }
        let flags = [
            (self.generated, quote!(.generated())),
            (self.generate.is_some(), quote!(.generate())),
            (self.unique, quote!(.unique())),
            (self.skip_insert, quote!(.skip_insert())),
            (self.skip_update, quote!(.skip_update())),
        ];
        meta.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, call)| call));
        meta
    }
}

impl Slot<'_> {
    /// Adds the field's column at `index` to `out` where it is left to the database.
    pub(super) fn mark_default(&self, arx: &Path, index: &TokenStream) -> Option<TokenStream> {
        let name = &self.field.ident;
        match self.field.form {
            Form::Scalar if self.field.defaultable => {
                let scalar = self.field.scalar(arx);
                Some(quote!(if #scalar::is_default(&self.#name) { out.insert(#index); }))
            }
            Form::Flatten => {
                let embedded = self.field.embedded(arx);
                Some(quote!(#embedded::defaults(&self.#name, #index, out);))
            }
            _ => None,
        }
    }
}

impl ToTokens for Role {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Key => quote!(Key),
            Self::Version => quote!(Version),
            Self::CreatedAt => quote!(CreatedAt),
            Self::UpdatedAt => quote!(UpdatedAt),
            Self::SoftDelete => quote!(SoftDelete),
        });
    }
}

/// The inherent constants: one per field that is a column.
pub(super) fn constants(model: &Struct, slots: &[Slot<'_>]) -> TokenStream {
    let (arx, ident) = (&model.arx, &model.ident);
    let constants = slots.iter().map(|Slot { field, index, .. }| {
        let Field { vis, ty, constant, docs, column, label, .. } = field;
        let text = match field.form {
            Form::Flatten => format!(" The columns of `{label}`."),
            _ => format!(" The column `{column}`."),
        };
        let docs = if docs.is_empty() { quote!(#[doc = #text]) } else { quote!(#(#docs)*) };
        // A value of the field's own type is not what the column holds: it must not compile in a filter.
        let value = match field.form {
            Form::Json { .. } | Form::With { .. } => quote!(#arx::query::Converted<#ty>),
            Form::Scalar | Form::Flatten | Form::Skip => quote!(#ty),
        };
        quote! {
            #docs
            #vis const #constant: #arx::query::Column<Self, #value> = #arx::query::Column::new(#index);
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(dead_code, unreachable_pub)]
        impl #ident { #(#constants)* }
    }
}
