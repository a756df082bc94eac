//! The arguments of hand-written SQL and of calls: values of any scalar type.

use crate::value::{Literal, Scalar, ScalarKind};

/// The arguments of hand-written SQL: `()`, or a tuple of up to eight values; text may be borrowed.
pub trait Arguments<'a> {
    /// The arguments as literals.
    fn into_literals(self) -> Vec<Literal<'a>>;
}

impl<'a> Arguments<'a> for () {
    fn into_literals(self) -> Vec<Literal<'a>> {
        Vec::new()
    }
}

impl<'a> Arguments<'a> for Vec<Literal<'a>> {
    fn into_literals(self) -> Vec<Literal<'a>> {
        self
    }
}

/// One argument.
pub trait Argument<'a> {
    /// Its kind.
    const KIND: ScalarKind;

    /// The argument as a literal.
    fn into_argument(self) -> Literal<'a>;
}

impl<'a, T: Scalar> Argument<'a> for T {
    const KIND: ScalarKind = T::KIND;

    fn into_argument(self) -> Literal<'a> {
        Literal::of(&self)
    }
}

impl<'a> Argument<'a> for &'a str {
    const KIND: ScalarKind = ScalarKind::Text;

    fn into_argument(self) -> Literal<'a> {
        Literal::Text(self.into())
    }
}

macro_rules! arguments {
    ($($name:ident),+) => {
        impl<'a, $($name: Argument<'a>),+> Arguments<'a> for ($($name,)+) {
            fn into_literals(self) -> Vec<Literal<'a>> {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                vec![$($name.into_argument()),+]
            }
        }
    };
}

arguments!(A);
arguments!(A, B);
arguments!(A, B, C);
arguments!(A, B, C, D);
arguments!(A, B, C, D, E);
arguments!(A, B, C, D, E, F);
arguments!(A, B, C, D, E, F, G);
arguments!(A, B, C, D, E, F, G, H);
