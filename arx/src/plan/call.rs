//! Plans of calls: which overload, and which argument is which parameter.

use crate::error::{Error, ErrorKind, Result};
use crate::query::{CallArgument, Mode, RoutineKind, RoutineName};
use crate::value::{Literal, ScalarKind, Value};

/// One parameter of a routine, as the catalogue has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, where it has one.
    pub name: Option<Box<str>>,
    /// Which way it goes.
    pub mode: Mode,
    /// The kind that values of its type have, where there is one.
    pub kind: Option<ScalarKind>,
    /// Its type as the catalogue writes it in a cast, where arguments are cast.
    pub type_name: Option<Box<str>>,
    /// Whether it can be left out.
    pub has_default: bool,
    /// Whether it takes all arguments from its place on; it is the last one then.
    pub variadic: bool,
}

/// The parameters of one overload, in order, without those of a function that only come back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Whether a function returns rows of columns rather than one value.
    pub returns_rows: bool,
}

/// One argument on its way to its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The parameter's place in the signature.
    pub parameter: usize,
    /// The literal that is bound.
    pub literal: usize,
    /// Whether the call asks for what comes back in it.
    pub wanted: bool,
}

/// One output of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOutput {
    /// The parameter's name.
    pub name: Option<Box<str>>,
    /// Whether the call asks for it.
    pub wanted: bool,
}

/// A call that is ready to be written: an overload, and what is passed in the order of its parameters.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Invocation<'a> {
    /// The routine.
    pub routine: RoutineName<'a>,
    /// The overload.
    pub signature: &'a Signature,
    /// What is passed. A parameter that is missing here has a default.
    pub passed: Vec<Passed>,
}

impl Invocation<'_> {
    /// What comes back besides rows, in the order of the parameters.
    #[must_use]
    pub fn outputs(&self) -> Vec<CallOutput> {
        let output = |passed: &Passed| {
            let parameter = &self.signature.parameters[passed.parameter];
            (parameter.mode != Mode::In).then(|| CallOutput { name: parameter.name.clone(), wanted: passed.wanted })
        };
        self.passed.iter().filter_map(output).collect()
    }
}

/// Chooses the overload that takes the call's arguments, and adds to `literals` a NULL for each parameter that
/// comes back without being asked for.
///
/// # Errors
/// `UndefinedObject` when there is no such routine; `InvalidInput` for arguments that none of its overloads takes,
/// or that several take equally well.
pub fn call<'a>(
    routine: RoutineName<'a>,
    arguments: &[CallArgument<'_>],
    signatures: &'a [Signature],
    literals: &mut Vec<Literal<'_>>,
) -> Result<Invocation<'a>> {
    let (signature, mut passed) = match signatures {
        [] => return Err(missing(routine)),
        [only] => (only, assign(routine, arguments, only)?),
        several => overload(routine, arguments, several)?,
    };
    for (parameter, meta) in signature.parameters.iter().enumerate() {
        if meta.mode == Mode::Out && passed.iter().all(|passed| passed.parameter != parameter) {
            passed.push(Passed { parameter, literal: literals.len(), wanted: false });
            literals.push(Literal::Plain(Value::Null(meta.kind.unwrap_or(ScalarKind::Text))));
        }
    }
    passed.sort_by_key(|passed| passed.parameter);
    Ok(Invocation { routine, signature, passed })
}

fn missing(routine: RoutineName<'_>) -> Error {
    let kind = routine.kind.name();
    let other = if routine.kind == RoutineKind::Procedure { "Function" } else { "Procedure" };
    let message = format!(
        "there is no {kind} of this name that this session can see; check its spelling and schema, or call it as a {other}"
    );
    Error::new(ErrorKind::UndefinedObject, message)
}

/// The overload that fits the arguments best.
fn overload<'a>(
    routine: RoutineName<'_>,
    arguments: &[CallArgument<'_>],
    signatures: &'a [Signature],
) -> Result<(&'a Signature, Vec<Passed>)> {
    let mut fitting: Vec<_> = signatures
        .iter()
        .filter_map(|signature| {
            let passed = assign(routine, arguments, signature).ok()?;
            Some((closeness(arguments, signature, &passed)?, signature, passed))
        })
        .collect();
    fitting.sort_by_key(|(closeness, ..)| std::cmp::Reverse(*closeness));
    let is_tie = matches!(fitting.as_slice(), [(first, ..), (second, ..), ..] if first == second);
    match fitting.into_iter().next() {
        _ if is_tie => Err(Error::invalid_input(
            "several overloads take these arguments equally well; give them by name, or as the exact types of one of them",
        )),
        Some((_, signature, passed)) => Ok((signature, passed)),
        None => Err(Error::invalid_input(format!("none of the {} overloads takes these arguments", signatures.len()))),
    }
}

/// How close the arguments' kinds are to the parameters': `None` where one cannot be passed.
fn closeness(arguments: &[CallArgument<'_>], signature: &Signature, passed: &[Passed]) -> Option<(usize, usize)> {
    let each = passed.iter().map(|passed| {
        let parameter = &signature.parameters[passed.parameter];
        let argument = &arguments[passed.literal];
        // What only comes back does not decide.
        if argument.mode == Mode::Out { Some(0) } else { nearness(argument.kind, parameter.kind) }
    });
    let total = each.sum::<Option<usize>>()?;
    // Of two that take the arguments as well, the one that leaves less to defaults.
    Some((total, usize::MAX - signature.parameters.len()))
}

fn nearness(given: ScalarKind, wanted: Option<ScalarKind>) -> Option<usize> {
    let Some(wanted) = wanted else { return Some(1) };
    let is_number =
        |kind: ScalarKind| kind.is_integer() || matches!(kind, ScalarKind::Decimal | ScalarKind::F32 | ScalarKind::F64);
    match () {
        () if given == wanted => Some(4),
        () if given.is_integer() && wanted.is_integer() => Some(3),
        () if is_number(given) && is_number(wanted) => Some(2),
        () => None,
    }
}

/// The place of each argument among the parameters.
fn assign(routine: RoutineName<'_>, arguments: &[CallArgument<'_>], signature: &Signature) -> Result<Vec<Passed>> {
    let parameters = &signature.parameters;
    let by_position = arguments.iter().filter(|argument| argument.name.is_none()).count();
    if by_position.checked_sub(1).is_some_and(|last| place(last, parameters).is_none()) {
        return Err(wrong_number(routine, arguments, parameters));
    }
    let mut passed: Vec<Passed> = Vec::with_capacity(parameters.len());
    for (literal, argument) in arguments.iter().enumerate() {
        let parameter = match argument.name {
            Some(name) => named(routine, name, parameters)?,
            None if literal > 0 && arguments[literal - 1].name.is_some() => {
                return Err(Error::invalid_input("arguments by position come before those by name"));
            }
            None => place(literal, parameters).ok_or_else(|| wrong_number(routine, arguments, parameters))?,
        };
        let meta = &parameters[parameter];
        if !meta.variadic && passed.iter().any(|earlier| earlier.parameter == parameter) {
            return Err(Error::invalid_input(format!("{} is given twice", label(meta, parameter))));
        }
        check_mode(argument.mode, meta, parameter)?;
        passed.push(Passed { parameter, literal, wanted: argument.mode != Mode::In });
    }
    let is_left_out = |parameter: &usize| {
        let meta = &parameters[*parameter];
        let is_needed = meta.mode != Mode::Out && !meta.has_default && !meta.variadic;
        is_needed && passed.iter().all(|passed| passed.parameter != *parameter)
    };
    match (0..parameters.len()).find(is_left_out) {
        None => Ok(passed),
        Some(_) if arguments.iter().all(|argument| argument.name.is_none()) => {
            Err(wrong_number(routine, arguments, parameters))
        }
        Some(parameter) => {
            Err(Error::invalid_input(format!("{} is not given", label(&parameters[parameter], parameter))))
        }
    }
}

fn place(argument: usize, parameters: &[Parameter]) -> Option<usize> {
    let last = parameters.len().checked_sub(1)?;
    (argument <= last || parameters[last].variadic).then(|| argument.min(last))
}

fn wrong_number(routine: RoutineName<'_>, arguments: &[CallArgument<'_>], parameters: &[Parameter]) -> Error {
    let (kind, takes, given) = (routine.kind.name(), parameters.len(), arguments.len());
    Error::invalid_input(format!("the {kind} takes {takes} arguments and {given} were given"))
}

/// The parameter of this name; one that differs only in case, where there is no other.
fn named(routine: RoutineName<'_>, name: &str, parameters: &[Parameter]) -> Result<usize> {
    find_name(name, parameters.iter().map(|parameter| parameter.name.as_deref()))
        .ok_or_else(|| Error::invalid_input(format!("the {} has no parameter {name}", routine.kind.name())))
}

/// The place of a name: as it stands, else the only one that differs from it in case alone.
pub(crate) fn find_name<'n>(name: &str, names: impl Iterator<Item = Option<&'n str>> + Clone) -> Option<usize> {
    let alike = |is_alike: fn(&str, &str) -> bool| {
        let mut found = names.clone().enumerate().filter(move |(_, other)| other.is_some_and(|o| is_alike(o, name)));
        found.next().filter(|_| found.next().is_none()).map(|(place, _)| place)
    };
    alike(|a, b| a == b).or_else(|| alike(str::eq_ignore_ascii_case))
}

fn check_mode(given: Mode, parameter: &Parameter, place: usize) -> Result<()> {
    let message = match (given, parameter.mode) {
        (Mode::In, Mode::Out) | (Mode::InOut, Mode::Out) => "only comes back; ask for it with `output`",
        (Mode::Out | Mode::InOut, Mode::In) => "does not come back; give it with `input`",
        (Mode::Out, Mode::InOut) => "goes both ways; give it a value with `inout`",
        _ => return Ok(()),
    };
    Err(Error::invalid_input(format!("{} {message}", label(parameter, place))))
}

fn label(parameter: &Parameter, place: usize) -> String {
    match &parameter.name {
        Some(name) => format!("parameter {name}"),
        None => format!("parameter number {}", place + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Call, Function, Procedure};

    fn parameter(name: &str, mode: Mode, kind: ScalarKind) -> Parameter {
        Parameter {
            name: Some(name.into()),
            mode,
            kind: Some(kind),
            type_name: None,
            has_default: false,
            variadic: false,
        }
    }

    fn signature(parameters: impl Into<Vec<Parameter>>) -> Signature {
        Signature { parameters: parameters.into(), returns_rows: false }
    }

    fn order() -> [Signature; 1] {
        [signature([
            parameter("customer", Mode::In, ScalarKind::I64),
            parameter("note", Mode::InOut, ScalarKind::Text),
            parameter("order_id", Mode::Out, ScalarKind::I64),
        ])]
    }

    fn places(call: impl Into<Call<'static>>, signatures: &[Signature]) -> Result<Vec<(usize, usize)>> {
        let Call { routine, arguments, mut literals, .. } = call.into();
        let invocation = super::call(routine, &arguments, signatures, &mut literals)?;
        assert!(invocation.passed.iter().all(|passed| passed.literal < literals.len()));
        Ok(invocation.passed.iter().map(|passed| (passed.parameter, passed.literal)).collect())
    }

    fn refusal(call: impl Into<Call<'static>>, signatures: &[Signature]) -> String {
        let error = places(call, signatures).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        error.to_string()
    }

    fn place_order() -> Procedure<'static> {
        Procedure::new("place_order")
    }

    #[test]
    fn passes_by_name_in_the_order_of_the_parameters() {
        let call = place_order().output::<i64>("order_id").inout("Note", "x").input("customer", 5_i64);
        assert_eq!(places(call, &order()).unwrap(), [(0, 2), (1, 1), (2, 0)]);
        let mixed = place_order().argument(5_i64).inout("note", "x");
        assert_eq!(places(mixed, &order()).unwrap(), [(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn refuses_what_does_not_fit() {
        let one = place_order().argument(5_i64);
        assert!(refusal(one, &order()).contains("takes 3 arguments and 1 were given"));
        let four = place_order().argument(5_i64).inout_argument("x").output_argument::<i64>().argument(1_i64);
        assert!(refusal(four, &order()).contains("takes 3 arguments and 4 were given"));
        let unknown = place_order().input("client", 5_i64);
        assert!(refusal(unknown, &order()).contains("no parameter client"));
        let missing = place_order().inout("note", "x");
        assert!(refusal(missing, &order()).contains("parameter customer is not given"));
        let twice = place_order().argument(5_i64).input("customer", 6_i64);
        assert!(refusal(twice, &order()).contains("given twice"));
        let backwards = place_order().input("customer", 5_i64).argument(6_i64);
        assert!(refusal(backwards, &order()).contains("before those by name"));
        for wrong in [
            place_order().output::<i64>("customer"),
            place_order().input("order_id", 1_i64),
            place_order().output::<i64>("note"),
        ] {
            refusal(wrong, &order());
        }
        assert_eq!(places(place_order(), &[]).unwrap_err().kind(), ErrorKind::UndefinedObject);
    }

    #[test]
    fn chooses_the_closest_overload() {
        let of = |kinds: &[ScalarKind]| {
            signature(kinds.iter().map(|&kind| parameter("a", Mode::In, kind)).collect::<Vec<_>>())
        };
        let overloads = [of(&[ScalarKind::Decimal]), of(&[ScalarKind::I32]), of(&[ScalarKind::Text])];
        let chosen = |call: Function<'static>| {
            let call: Call<'static> = call.into();
            let invocation = super::call(call.routine, &call.arguments, &overloads, &mut Vec::new())?;
            Ok::<_, Error>(invocation.signature.parameters[0].kind)
        };
        assert_eq!(chosen(Function::new("f").argument(1_i64)).unwrap(), Some(ScalarKind::I32));
        assert_eq!(chosen(Function::new("f").argument("x")).unwrap(), Some(ScalarKind::Text));
        assert!(chosen(Function::new("f").argument(true)).is_err());
        let same = [of(&[ScalarKind::I32]), of(&[ScalarKind::I16])];
        let call: Call<'_> = Function::new("f").argument(1_i64).into();
        assert!(super::call(call.routine, &call.arguments, &same, &mut Vec::new()).is_err());
    }

    #[test]
    fn the_last_parameter_may_take_many() {
        let mut many = order()[0].clone();
        many.parameters = vec![Parameter { variadic: true, ..parameter("all", Mode::In, ScalarKind::I64) }];
        let call = Function::new("sum").argument(1_i64).argument(2_i64);
        assert_eq!(places(call, &[many]).unwrap(), [(0, 0), (0, 1)]);
    }
}
