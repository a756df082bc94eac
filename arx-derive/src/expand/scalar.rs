//! What `#[derive(Scalar)]` prints.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Path, Type};

use super::scoped;
use crate::model::{Scalar, ScalarShape};

/// `impl Scalar`, and `impl Element` where a `Vec` of it may be a column.
pub(crate) fn expand_scalar(model: &Scalar) -> TokenStream {
    let arx = &model.arx;
    let (body, bound) = match &model.shape {
        ScalarShape::Newtype(inner) => {
            // `for<'a>` makes the compiler leave the bound alone until somebody asks for it.
            let bound = quote_spanned!(inner.span()=> where for<'a> #inner: #arx::value::Element);
            (newtype(model, inner), bound)
        }
        ScalarShape::Text(variants) => (text(model, variants), TokenStream::new()),
        ScalarShape::Integer(integer, variants) => (integer_body(arx, integer, model, variants), TokenStream::new()),
    };
    let ident = &model.ident;
    scoped(&quote! {
        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #arx::value::Scalar for #ident {
            #body
        }

        #[automatically_derived]
        #[diagnostic::do_not_recommend]
        impl #arx::value::Element for #ident #bound {}
    })
}

fn newtype(model: &Scalar, inner: &Type) -> TokenStream {
    let arx = &model.arx;
    let scalar = quote_spanned!(inner.span()=> <#inner as #arx::value::Scalar>);
    let type_name = match &model.type_name {
        Some(name) => quote!(::core::option::Option::Some(#name)),
        None => quote!(#scalar::TYPE_NAME),
    };
    quote! {
        const KIND: #arx::value::ScalarKind = #scalar::KIND;
        const NULLABLE: bool = #scalar::NULLABLE;
        const TYPE_NAME: ::core::option::Option<&'static str> = #type_name;
        const DEFAULTABLE: bool = #scalar::DEFAULTABLE;

        fn encode(&self, out: &mut dyn #arx::value::Encoder) {
            #scalar::encode(&self.0, out);
        }

        fn decode(value: #arx::value::Value<'_>) -> #arx::error::Result<Self> {
            #scalar::decode(value).map(Self)
        }

        fn is_default(&self) -> bool {
            #scalar::is_default(&self.0)
        }
    }
}

fn text(model: &Scalar, variants: &[(Ident, String)]) -> TokenStream {
    let Scalar { arx, ident, .. } = model;
    let type_name = model.type_name.as_ref().map(
        |name| quote!(const TYPE_NAME: ::core::option::Option<&'static str> = ::core::option::Option::Some(#name);),
    );
    let (names, texts): (Vec<_>, Vec<_>) = variants.iter().map(|(name, text)| (name, text)).unzip();
    let unknown = format!("the text is not a variant of {ident}");
    quote! {
        const KIND: #arx::value::ScalarKind = #arx::value::ScalarKind::Text;
        #type_name

        fn encode(&self, out: &mut dyn #arx::value::Encoder) {
            out.value(#arx::value::Value::Text(match self {
                #(Self::#names => #texts,)*
            }));
        }

        fn decode(value: #arx::value::Value<'_>) -> #arx::error::Result<Self> {
            match value {
                #(#arx::value::Value::Text(#texts) => ::core::result::Result::Ok(Self::#names),)*
                #arx::value::Value::Text(_) => ::core::result::Result::Err(#arx::error::Error::decode(#unknown)),
                other => ::core::result::Result::Err(other.mismatch(<Self as #arx::value::Scalar>::KIND)),
            }
        }
    }
}

fn integer_body(arx: &Path, integer: &Ident, model: &Scalar, names: &[Ident]) -> TokenStream {
    let kind = format_ident!("{}", integer.to_string().to_uppercase());
    let unknown = format!("the number is not a variant of {}", model.ident);
    quote! {
        const KIND: #arx::value::ScalarKind = #arx::value::ScalarKind::#kind;

        fn encode(&self, out: &mut dyn #arx::value::Encoder) {
            out.value(#arx::value::Value::#kind(match self {
                #(Self::#names => Self::#names as #integer,)*
            }));
        }

        fn decode(value: #arx::value::Value<'_>) -> #arx::error::Result<Self> {
            match value {
                #(#arx::value::Value::#kind(number) if number == Self::#names as #integer => {
                    ::core::result::Result::Ok(Self::#names)
                })*
                #arx::value::Value::#kind(_) => ::core::result::Result::Err(#arx::error::Error::decode(#unknown)),
                other => ::core::result::Result::Err(other.mismatch(<Self as #arx::value::Scalar>::KIND)),
            }
        }
    }
}
