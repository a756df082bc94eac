//! The third pass: prints impls. They are calls and tables; whatever needs a decision
//! was decided in `check`, and whatever needs a loop is a function of arx.

mod embedded;
mod entity;
mod field;
mod layout;
mod record;
mod scalar;

pub(crate) use embedded::expand_embedded;
pub(crate) use entity::expand_entity;
pub(crate) use record::expand_record;
pub(crate) use scalar::expand_scalar;

use proc_macro2::TokenStream;
use quote::quote;

/// Keeps what the impls share out of the user's module.
fn scoped(items: &TokenStream) -> TokenStream {
    quote! {
        #[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
        const _: () = { #items };
    }
}
