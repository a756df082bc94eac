//! What can be told of a type by how it is written.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The last segment of the path: `Option<T>` of `std::option::Option<T>`.
fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

/// Whether the type is written as this name with one argument: `Option<..>`.
pub(super) fn wraps(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|segment| {
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return false };
        segment.ident == name && matches!(arguments.args.first(), Some(GenericArgument::Type(_)))
    })
}

/// Whether the type is written as one of these names.
pub(super) fn is_one_of(ty: &Type, names: &[&str]) -> bool {
    last_segment(ty)
        .is_some_and(|segment| segment.arguments.is_none() && names.iter().any(|name| segment.ident == name))
}

/// Whether the type surely has no form for 'as the database has it'.
pub(super) fn always_sent(ty: &Type) -> bool {
    const PLAIN: [&str; 13] =
        ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "char", "String"];
    is_one_of(ty, &PLAIN) || wraps(ty, "Option") || wraps(ty, "Vec")
}
