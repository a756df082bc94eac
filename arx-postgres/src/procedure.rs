//! Stored procedures and functions: what the catalogue says of them, and the rows of a call.

use arx::connection::{Command, ResultSet, RowSink};
use arx::error::Result;
use arx::plan::{Parameter, Signature};
use arx::query::{Mode, RoutineKind, RoutineName};
use sqlx::Row as _;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgConnection, PgRow};

use crate::decode::Columns;
use crate::types::kind_of;

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

/// The result sets of a call: a procedure returns none but the row of its parameters that come back.
pub(crate) fn sets(command: &Command<'_>, rows: Vec<PgRow>) -> Vec<Box<dyn ResultSet>> {
    let is_set = !rows.is_empty() || !command.statement.text.starts_with("CALL ");
    is_set.then(|| Box::new(StoredRows(rows)) as Box<dyn ResultSet>).into_iter().collect()
}

/// Rows that are kept as they came, until somebody asks for them.
struct StoredRows(Vec<PgRow>);

impl ResultSet for StoredRows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn replay(&self, first: usize, sink: &mut dyn RowSink) -> Result<()> {
        let Some(row) = self.0.first() else { return Ok(()) };
        let mut columns = Columns::of(row)?;
        self.0.iter().try_for_each(|row| sink.row(&mut columns.decoder(row, first)))
    }
}
