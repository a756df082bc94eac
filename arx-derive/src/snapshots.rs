//! What the derives print for a few structs, compared with `tests/snapshots`.
//! `UPDATE_SNAPSHOTS=1 cargo test -p arx-derive snapshots` writes the files anew.

use std::path::Path;

use proc_macro2::TokenStream;
use syn::{DeriveInput, parse_quote};

use crate::{embedded, entity, record, scalar};

type Derive = fn(&DeriveInput) -> syn::Result<TokenStream>;

fn check(name: &str, derive: Derive, input: &DeriveInput) {
    let file = syn::parse2(derive(input).expect("the struct is right")).expect("the expansion is Rust");
    let printed = prettyplease::unparse(&file);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name).with_extension("rs");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, &printed).expect("a writable folder");
    }
    let expected = std::fs::read_to_string(&path).expect("a snapshot; write it with UPDATE_SNAPSHOTS=1");
    assert!(printed == expected, "{} is not what is printed now:\n{printed}", path.display());
}

#[test]
fn a_plain_entity() {
    check(
        "entity_plain",
        entity,
        &parse_quote! {
            #[arx(table = "customers", schema = "sales")]
            pub struct Customer {
                #[arx(key, generated)]
                id: i64,
                /// How the customer is called.
                #[arx(unique, column = "full_name")]
                pub name: Option<String>,
                #[arx(version)]
                version: i32,
                #[arx(created_at)]
                created: DateTime<Utc>,
                #[arx(updated_at, constant = "CHANGED")]
                updated: DateTime<Utc>,
                #[arx(default)]
                rank: Field<i32>,
                #[arx(skip)]
                cache: Cache,
            }
        },
    );
}

#[test]
fn an_entity_with_a_flattened_struct() {
    check(
        "entity_flatten",
        entity,
        &parse_quote! {
            #[arx(rename_all = "camelCase")]
            struct Customer {
                #[arx(key)]
                customer_id: i64,
                #[arx(flatten)]
                home_address: Address,
                last_order: Option<i64>,
                #[arx(soft_delete)]
                deleted: bool,
                #[arx(flatten)]
                audit: Audit,
                r#type: String,
            }
        },
    );
}

#[test]
fn an_entity_with_a_composite_key() {
    check(
        "entity_composite_key",
        entity,
        &parse_quote! {
            #[arx(crate = "crate::vendored::arx")]
            pub(crate) struct OrderLine {
                #[arx(key)]
                pub(crate) order: i64,
                #[arx(key, generate = "Uuid::now_v7")]
                pub(crate) line: Uuid,
                #[arx(skip_update, type = "line_state")]
                pub(crate) state: State,
            }
        },
    );
}

#[test]
fn an_entity_with_json_and_modules() {
    check(
        "entity_converted",
        entity,
        &parse_quote! {
            struct Document {
                #[arx(key)]
                id: i64,
                #[arx(json)]
                tags: Vec<String>,
                #[arx(json, type = "jsonb")]
                note: Option<Note>,
                #[arx(with = "crate::money")]
                price: Money,
                #[arx(with = "crate::money")]
                discount: Option<Money>,
            }
        },
    );
}

#[test]
fn a_record() {
    check(
        "record",
        record,
        &parse_quote! {
            struct Summary {
                id: i64,
                #[arx(column = "order_total")]
                total: Option<Decimal>,
                #[arx(flatten)]
                address: Address,
                #[arx(skip)]
                rank: usize,
            }
        },
    );
}

#[test]
fn an_embedded_struct() {
    check(
        "embedded",
        embedded,
        &parse_quote! {
            pub struct Address {
                pub street: String,
                #[arx(flatten)]
                pub place: Place,
                pub zip: Field<String>,
            }
        },
    );
}

#[test]
fn a_newtype() {
    check(
        "scalar_newtype",
        scalar,
        &parse_quote!(
            pub struct CustomerId(i64);
        ),
    );
}

#[test]
fn an_enum_as_text() {
    check(
        "scalar_text",
        scalar,
        &parse_quote! {
            #[arx(rename_all = "snake_case", type = "mood")]
            enum Mood {
                VerySad,
                #[arx(rename = "joyful")]
                Happy,
            }
        },
    );
}

#[test]
fn an_enum_as_an_integer() {
    check(
        "scalar_integer",
        scalar,
        &parse_quote! {
            #[arx(integer)]
            #[repr(i16)]
            enum Level {
                Low = -3,
                High,
            }
        },
    );
}
