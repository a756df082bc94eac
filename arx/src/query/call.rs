//! Calls of stored procedures and functions: a name, and arguments by name or by position.

use super::Argument;
use crate::value::{Literal, Scalar, ScalarKind, Value};

/// What kind of routine is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoutineKind {
    /// Called by CALL; has parameters that go out.
    Procedure,
    /// Called in an expression; returns a value, or rows.
    Function,
}

impl RoutineKind {
    /// The kind in a message.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Procedure => "procedure",
            Self::Function => "function",
        }
    }
}

/// Which routine: a name may stand for several overloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoutineName<'a> {
    /// Its kind.
    pub kind: RoutineKind,
    /// Its schema (in MySQL its database); `None` for where the session looks for names.
    pub schema: Option<&'a str>,
    /// Its name, as it stands in the catalogue.
    pub name: &'a str,
}

/// Which way a parameter goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// To the routine.
    In,
    /// From the routine.
    Out,
    /// Both ways.
    InOut,
}

/// One argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallArgument<'a> {
    /// The parameter; `None` for the next one.
    pub name: Option<&'a str>,
    /// Which way it goes.
    pub mode: Mode,
    /// The kind of its value.
    pub kind: ScalarKind,
}

/// A routine and its arguments: a [`Procedure`] or a [`Function`].
#[non_exhaustive]
pub struct Call<'a> {
    /// The routine.
    pub routine: RoutineName<'a>,
    /// The arguments: those by position first.
    pub arguments: Vec<CallArgument<'a>>,
    /// A value for each of them: NULL for one that comes back only.
    pub literals: Vec<Literal<'a>>,
    /// Whether the server's messages are asked for.
    pub messages: bool,
    /// Whether it runs in a transaction of its own.
    pub atomic: bool,
}

impl<'a> Call<'a> {
    fn new(kind: RoutineKind, name: &'a str) -> Self {
        let routine = RoutineName { kind, schema: None, name };
        Self { routine, arguments: Vec::new(), literals: Vec::new(), messages: false, atomic: false }
    }

    fn give<A: Argument<'a>>(&mut self, name: Option<&'a str>, mode: Mode, value: A) {
        self.arguments.push(CallArgument { name, mode, kind: A::KIND });
        self.literals.push(value.into_argument());
    }

    fn ask(&mut self, name: Option<&'a str>, kind: ScalarKind) {
        self.arguments.push(CallArgument { name, mode: Mode::Out, kind });
        self.literals.push(Literal::Plain(Value::Null(kind)));
    }
}

/// A call of a stored procedure.
///
/// Parameters are given by name or by position, those by position first. One with a default may be left out; one that
/// comes back and is not asked for is passed over.
///
/// ```
/// use arx::query::Procedure;
/// let by_name = Procedure::new("place_order").input("customer", 5_i64).output::<i64>("order_id");
/// let by_position = Procedure::new("place_order").argument(5_i64).output_argument::<i64>();
/// ```
///
/// A procedure is the database's own program. On PostgreSQL a call is atomic unless the procedure itself commits. MySQL
/// and MariaDB commit each of its statements by itself, unless the call is in a transaction or [`atomic`](Self::atomic).
#[must_use = "give it to `Database::execute`"]
pub struct Procedure<'a>(Call<'a>);

impl<'a> Procedure<'a> {
    /// The procedure of this name, as it stands in the catalogue; see [`schema`](Self::schema).
    pub fn new(name: &'a str) -> Self {
        Self(Call::new(RoutineKind::Procedure, name))
    }

    /// Asks for the parameter `name`, which comes back.
    pub fn output<T: Scalar>(mut self, name: &'a str) -> Self {
        self.0.ask(Some(name), T::KIND);
        self
    }

    /// Gives the parameter `name` a value, and asks for what comes back.
    pub fn inout(mut self, name: &'a str, value: impl Argument<'a>) -> Self {
        self.0.give(Some(name), Mode::InOut, value);
        self
    }

    /// Asks for the next parameter, which comes back.
    pub fn output_argument<T: Scalar>(mut self) -> Self {
        self.0.ask(None, T::KIND);
        self
    }

    /// Gives the next parameter a value, and asks for what comes back.
    pub fn inout_argument(mut self, value: impl Argument<'a>) -> Self {
        self.0.give(None, Mode::InOut, value);
        self
    }

    /// Asks for the server's messages: on MySQL and MariaDB its warnings, in a round trip of their own. Not available
    /// on PostgreSQL, whose driver does not hand them on.
    pub fn messages(mut self, wanted: bool) -> Self {
        self.0.messages = wanted;
        self
    }

    /// Runs the call in a transaction of its own (in a caller's transaction, behind a savepoint): all that the procedure
    /// does, or nothing. A procedure that commits or rolls back by itself fails on PostgreSQL then; on MySQL and MariaDB
    /// it ends the transaction, and what it has done before stays.
    pub fn atomic(mut self) -> Self {
        self.0.atomic = true;
        self
    }
}

/// A call of a stored function.
///
/// ```
/// use arx::query::Function;
/// let total = Function::new("order_total").argument(5_i64);
/// ```
#[must_use = "give it to `Database::execute`"]
pub struct Function<'a>(Call<'a>);

impl<'a> Function<'a> {
    /// The function of this name, as it stands in the catalogue; see [`schema`](Self::schema).
    pub fn new(name: &'a str) -> Self {
        Self(Call::new(RoutineKind::Function, name))
    }
}

macro_rules! inputs {
    ($($routine:ident),+) => {$(
        impl<'a> $routine<'a> {
            /// In this schema; on MySQL and MariaDB in this database.
            pub fn schema(mut self, schema: &'a str) -> Self {
                self.0.routine.schema = Some(schema);
                self
            }

            /// Gives the parameter `name` a value.
            pub fn input(mut self, name: &'a str, value: impl Argument<'a>) -> Self {
                self.0.give(Some(name), Mode::In, value);
                self
            }

            /// Gives the next parameter a value.
            pub fn argument(mut self, value: impl Argument<'a>) -> Self {
                self.0.give(None, Mode::In, value);
                self
            }
        }

        impl<'a> From<$routine<'a>> for Call<'a> {
            fn from(routine: $routine<'a>) -> Self {
                routine.0
            }
        }
    )+};
}

inputs!(Procedure, Function);
