//! Stored procedures and functions: what the catalogue says of them, and the rows of a call.

use arx::connection::{Collected, Command, ResultSet, RowSink};
use arx::error::{Error, Result};
use arx::plan::{Parameter, Signature};
use arx::query::{Mode, RoutineKind, RoutineName};
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::{Executor as _, Row as _};

use crate::decode::Columns;
use crate::encode;
use crate::session::{Failure, Session, Step, text};
use crate::types::kind_of;

impl Session {
    /// Reads the overloads of a routine.
    pub(crate) async fn describe(
        &mut self,
        link: &mut PgConnection,
        routine: RoutineName<'_>,
    ) -> Result<Vec<Signature>> {
        self.check()?;
        self.step = Step::Busy;
        let outcome = read(link, routine).await.map_err(Failure::from);
        self.settle(&outcome);
        outcome.map_err(|failure| failure.error)
    }

    /// Runs a call and keeps its rows.
    pub(crate) async fn collect(
        &mut self,
        link: &mut PgConnection,
        command: Command<'_>,
        messages: bool,
    ) -> Result<Collected> {
        self.check()?;
        if messages {
            return Err(no_messages());
        }
        let mut outcome = self.fetch(link, &command, encode::arguments(&command)?).await;
        if self.may_send_again(link, &outcome).await? {
            outcome = self.fetch(link, &command, encode::arguments(&command)?).await;
        }
        let rows = outcome.map_err(|failure| failure.error)?;
        let has_rows = !rows.is_empty() || !command.statement.text.starts_with("CALL ");
        let sets = has_rows.then(|| Box::new(StoredRows::new(rows)) as Box<dyn ResultSet>);
        Ok(Collected::new(sets.into_iter().collect(), Vec::new()))
    }

    async fn fetch(
        &mut self,
        link: &mut PgConnection,
        command: &Command<'_>,
        arguments: PgArguments,
    ) -> Result<Vec<PgRow>, Failure> {
        self.step = Step::Busy;
        let outcome = link.fetch_all(sqlx::query_with(text(command), arguments)).await.map_err(Failure::from);
        self.settle(&outcome);
        outcome
    }
}

/// A row for each parameter of each overload, in order; one row without a parameter for an overload that has none.
///
/// The last `pronargdefaults` of the parameters that go in have defaults. A variadic parameter has the type of its
/// elements here. Polymorphic types have no name to cast to.
const QUERY: &str = "\
SELECT p.oid AS overload, p.proretset OR r.typtype = 'c' OR r.oid = 2249 AS returns_rows,
  a.mode, a.name, e.oid AS type, CASE WHEN e.typtype <> 'p' THEN pg_catalog.format_type(e.oid, NULL) END AS type_name,
  a.input > p.pronargs - p.pronargdefaults AS has_default
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_type r ON r.oid = p.prorettype
LEFT JOIN LATERAL (
  SELECT x.place, x.type, p.proargnames[x.place] AS name, COALESCE(p.proargmodes[x.place]::text, 'i') AS mode,
    count(*) FILTER (WHERE COALESCE(p.proargmodes[x.place], 'i') IN ('i', 'b', 'v')) OVER (ORDER BY x.place) AS input
  FROM unnest(COALESCE(p.proallargtypes, p.proargtypes::pg_catalog.oid[])) WITH ORDINALITY x(type, place)
) a ON true
LEFT JOIN pg_catalog.pg_type t ON t.oid = a.type
LEFT JOIN pg_catalog.pg_type e ON e.oid = CASE WHEN a.mode = 'v' AND t.typelem <> 0 THEN t.typelem ELSE t.oid END
WHERE p.proname = $1 AND p.prokind::text = ANY($2)
  AND CASE WHEN $3::text IS NULL THEN pg_catalog.pg_function_is_visible(p.oid) ELSE n.nspname = $3 END
ORDER BY p.oid, a.place";

/// Reads the overloads of a routine.
pub(crate) async fn read(link: &mut PgConnection, routine: RoutineName<'_>) -> Result<Vec<Signature>, sqlx::Error> {
    // Window functions are called like others.
    let kinds: &[&str] = if routine.kind == RoutineKind::Procedure { &["p"] } else { &["f", "w"] };
    let rows = sqlx::query(QUERY).bind(routine.name).bind(kinds).bind(routine.schema).fetch_all(link).await?;
    let mut overload = None;
    let mut signatures: Vec<Signature> = Vec::new();
    for row in &rows {
        let number: Oid = row.try_get("overload")?;
        if overload.replace(number) != Some(number) {
            let returns_rows = row.try_get("returns_rows")?;
            signatures.push(Signature { parameters: Vec::new(), returns_rows });
        }
        let parameter = parameter(row)?;
        // What only comes back from a function is a column of its rows.
        let parameter = parameter.filter(|found| routine.kind == RoutineKind::Procedure || found.mode != Mode::Out);
        if let Some(signature) = signatures.last_mut() {
            signature.parameters.extend(parameter);
        }
    }
    Ok(signatures)
}

fn parameter(row: &PgRow) -> Result<Option<Parameter>, sqlx::Error> {
    let Some(mode) = row.try_get::<Option<String>, _>("mode")? else { return Ok(None) };
    let name: Option<String> = row.try_get("name")?;
    let type_name: Option<String> = row.try_get("type_name")?;
    let number: Option<Oid> = row.try_get("type")?;
    Ok(Some(Parameter {
        name: name.filter(|name| !name.is_empty()).map(Into::into),
        mode: match mode.as_str() {
            "o" | "t" => Mode::Out,
            "b" => Mode::InOut,
            _ => Mode::In,
        },
        kind: number.and_then(|number| kind_of(number.0)),
        type_name: type_name.map(Into::into),
        has_default: row.try_get::<Option<bool>, _>("has_default")?.unwrap_or_default()
            && !matches!(mode.as_str(), "o" | "t"),
        variadic: mode == "v",
    }))
}

/// The error for a call that asks for messages.
pub(crate) fn no_messages() -> Error {
    Error::unsupported("the driver does not hand on PostgreSQL's messages; call without `.messages(true)`")
}

/// Rows that are kept as they came, until somebody asks for them.
pub(crate) struct StoredRows(Vec<PgRow>);

impl StoredRows {
    pub(crate) fn new(rows: Vec<PgRow>) -> Self {
        Self(rows)
    }
}

impl ResultSet for StoredRows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn replay(&self, first: usize, sink: &mut dyn RowSink) -> Result<()> {
        let Some(row) = self.0.first() else { return Ok(()) };
        let mut columns = Columns::of(row)?;
        self.0.iter().try_for_each(|row| sink.row(&mut columns.decoder(row).starting_at(first)))
    }
}
