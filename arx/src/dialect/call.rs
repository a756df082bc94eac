//! Calls of routines, which databases write alike: `CALL p(..)`, `SELECT f(..)`, `SELECT * FROM f(..)`.

use super::{Bind, Dialect, Lexis, Statement};
use crate::error::{Error, Result};
use crate::plan::{Invocation, Passed};
use crate::query::RoutineKind;

/// The statement that makes this call.
///
/// # Errors
/// `InvalidInput` for a name that cannot be quoted, and for a parameter without a name after one that is left out.
pub fn render_call(dialect: &dyn Dialect, invocation: &Invocation<'_>) -> Result<Statement> {
    let (lexis, routine) = (dialect.lexis(), invocation.routine);
    let mut text = String::with_capacity(64);
    text.push_str(match (routine.kind, invocation.signature.returns_rows) {
        (RoutineKind::Procedure, _) => "CALL ",
        (RoutineKind::Function, false) => "SELECT ",
        (RoutineKind::Function, true) => "SELECT * FROM ",
    });
    if let Some(schema) = routine.schema {
        lexis.write_identifier(&mut text, schema)?;
        text.push('.');
    }
    lexis.write_identifier(&mut text, routine.name)?;
    text.push('(');
    for (place, passed) in invocation.passed.iter().enumerate() {
        text.push_str(if place > 0 { ", " } else { "" });
        write_argument(lexis, &mut text, invocation, place, passed)?;
    }
    text.push(')');
    let binds = invocation.passed.iter().map(|passed| Bind::Literal(passed.literal)).collect();
    Ok(Statement::of_call(text.into(), binds, format!("call {}", routine.name)))
}

/// Writes one argument: by name where a parameter before it was left out; cast to the parameter's type where the
/// catalogue tells it, so that the overload that was chosen is the one that runs.
fn write_argument(
    lexis: &Lexis,
    text: &mut String,
    invocation: &Invocation<'_>,
    place: usize,
    passed: &Passed,
) -> Result<()> {
    let parameter = &invocation.signature.parameters[passed.parameter];
    if passed.parameter > place {
        let name = parameter.name.as_deref().ok_or_else(|| {
            Error::invalid_input(
                "a parameter without a name follows one that is left out; give all of them by position",
            )
        })?;
        lexis.write_identifier(text, name)?;
        text.push_str(" => ");
    }
    let Some(type_name) = parameter.type_name.as_deref() else {
        lexis.write_placeholder(text, place + 1);
        return Ok(());
    };
    text.push_str("CAST(");
    lexis.write_placeholder(text, place + 1);
    text.push_str(" AS ");
    text.push_str(type_name);
    text.push(')');
    Ok(())
}
