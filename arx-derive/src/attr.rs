//! The first pass: reads `#[arx(..)]` into names and values. What goes in is the
//! tokens of one struct, field or variant; what comes out is for `check` to judge.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Path, Token};

use crate::errors::{Errors, nearest};
use crate::name::{Name, Place, Shape};

/// The value of an attribute.
pub(crate) enum Value {
    Flag,
    Text(LitStr),
    Path(Path),
}

/// One attribute as it was written.
pub(crate) struct Given {
    pub(crate) name: Name,
    /// The token of its name: where an error about it goes.
    pub(crate) at: Ident,
    value: Value,
}

/// The attributes of one struct, field or variant, each at most once.
#[derive(Default)]
pub(crate) struct Attributes(Vec<Given>);

impl Attributes {
    /// Reads what stands in every `#[arx(..)]`.
    pub(crate) fn read(attributes: &[Attribute], place: Place, errors: &mut Errors) -> Self {
        let mut given = Self::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("arx")) {
            let read = attribute.parse_args_with(|input: ParseStream<'_>| given.read_list(input, place, errors));
            if let Err(error) = read {
                errors.push(error);
            }
        }
        given
    }

    /// The attribute, if it was given.
    pub(crate) fn get(&self, name: Name) -> Option<&Given> {
        self.0.iter().find(|given| given.name == name)
    }

    /// Whether the attribute was given.
    pub(crate) fn has(&self, name: Name) -> bool {
        self.get(name).is_some()
    }

    /// The text that was given.
    pub(crate) fn text(&self, name: Name) -> Option<&LitStr> {
        match self.get(name)?.value {
            Value::Text(ref text) => Some(text),
            Value::Flag | Value::Path(_) => None,
        }
    }

    /// The path that was given.
    pub(crate) fn path(&self, name: Name) -> Option<&Path> {
        match self.get(name)?.value {
            Value::Path(ref path) => Some(path),
            Value::Flag | Value::Text(_) => None,
        }
    }

    /// All of them, as they were written.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Given> {
        self.0.iter()
    }

    fn read_list(&mut self, input: ParseStream<'_>, place: Place, errors: &mut Errors) -> syn::Result<()> {
        while !input.is_empty() {
            let at = input.call(Ident::parse_any).map_err(|error| {
                syn::Error::new(error.span(), "an attribute begins with its name, as in `#[arx(key, generated)]`")
            })?;
            let value = match input.parse::<Option<Token![=]>>()? {
                Some(_) => Some(input.parse::<Expr>()?),
                None => None,
            };
            self.add(at, value, place, errors);
            if !input.is_empty() {
                input.parse::<Token![,]>().map_err(|error| {
                    syn::Error::new(error.span(), "attributes are separated by commas, as in `#[arx(key, generated)]`")
                })?;
            }
        }
        Ok(())
    }

    fn add(&mut self, at: Ident, value: Option<Expr>, place: Place, errors: &mut Errors) {
        let text = at.to_string();
        let Some(name) = Name::find(&text).filter(|name| name.fits(place)) else {
            return errors.at(at, misplaced(&text, place));
        };
        if self.has(name) {
            return errors.at(at, format!("`{text}` is given twice; remove one"));
        }
        match (read_value(name, &at, value), name.shape()) {
            (Ok(value), _) => self.0.push(Given { name, at, value }),
            (Err(error), shape) => {
                errors.push(error);
                // A flag with a value is still meant: no error follows about its absence.
                self.0.extend((shape == Shape::Flag).then_some(Given { name, at, value: Value::Flag }));
            }
        }
    }
}

/// Says what is wrong with an attribute that may not stand here.
fn misplaced(text: &str, place: Place) -> String {
    let allowed: Vec<&str> = Name::allowed(place).map(Name::text).collect();
    let listed = match allowed.len() {
        0 => "none is allowed here".to_owned(),
        _ => format!("allowed here: {}", allowed.join(", ")),
    };
    match (Name::find(text), nearest(text, allowed)) {
        (Some(_), _) => format!("`{text}` does not belong on {}; {listed}", place.words()),
        (None, Some(near)) => format!("unknown attribute `{text}`; did you mean `{near}`? {listed}"),
        (None, None) => format!("unknown attribute `{text}`; {listed}"),
    }
}

fn read_value(name: Name, at: &Ident, value: Option<Expr>) -> syn::Result<Value> {
    let text = name.text();
    match (name.shape(), value) {
        (Shape::Flag, None) => Ok(Value::Flag),
        (Shape::Flag, Some(value)) => {
            Err(syn::Error::new_spanned(value, format!("`{text}` takes no value; write `{text}` alone")))
        }
        (_, None) => Err(syn::Error::new_spanned(at, format!("`{text}` needs a value; write `{}`", name.example()))),
        (shape, Some(value)) => read_text(name, shape, value),
    }
}

fn read_text(name: Name, shape: Shape, mut value: Expr) -> syn::Result<Value> {
    // A `$text:literal` of a macro arrives in a group that nobody has written.
    while let Expr::Group(group) = value {
        value = *group.expr;
    }
    let Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) = value else {
        let message = format!("`{}` takes a text in quotes; write `{}`", name.text(), name.example());
        return Err(syn::Error::new_spanned(value, message));
    };
    if shape == Shape::Text {
        return Ok(Value::Text(literal));
    }
    literal.parse().map(Value::Path).map_err(|_| {
        let message = format!("`{}` takes a path, such as `\"some::path\"`; this is not one", name.text());
        syn::Error::new_spanned(literal, message)
    })
}
