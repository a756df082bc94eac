//! Stored procedures and functions: what the catalogue says of them, and the result sets of a call.

use arx::connection::{Message, ResultSet, RowSink};
use arx::error::Result;
use arx::plan::{Parameter, Signature};
use arx::query::{Mode, RoutineKind, RoutineName};
use sqlx::mysql::{MySqlConnection, MySqlRow};

use crate::decode::Columns;
use crate::probe;

/// A row for each parameter, in order; one row without a parameter for a routine that has none. There are no overloads
/// and no defaults. What a function returns has place 0.
const QUERY: &str = "\
SELECT CAST(p.parameter_mode AS CHAR), CAST(p.parameter_name AS CHAR) FROM information_schema.routines r
LEFT JOIN information_schema.parameters p ON p.specific_schema = r.routine_schema
  AND p.specific_name = r.specific_name AND p.routine_type = r.routine_type AND p.ordinal_position > 0
WHERE r.routine_schema = COALESCE(?, DATABASE()) AND r.routine_name = ? AND r.routine_type = ?
ORDER BY p.ordinal_position";

/// Reads the parameters of a routine.
pub(crate) async fn read(link: &mut MySqlConnection, routine: RoutineName<'_>) -> Result<Vec<Signature>, sqlx::Error> {
    let kind = if routine.kind == RoutineKind::Procedure { "PROCEDURE" } else { "FUNCTION" };
    let query = sqlx::query_as::<_, (Option<String>, Option<String>)>(QUERY);
    let rows = query.bind(routine.schema).bind(routine.name).bind(kind).fetch_all(link).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let parameters = rows.into_iter().filter_map(|(mode, name)| {
        // Of a function's parameters only the names are known: they all go in.
        name.map(|name| Parameter {
            name: Some(name.into()),
            mode: match mode.as_deref() {
                Some("OUT") => Mode::Out,
                Some("INOUT") => Mode::InOut,
                _ => Mode::In,
            },
            kind: None,
            type_name: None,
            has_default: false,
            variadic: false,
        })
    });
    Ok(vec![Signature { parameters: parameters.collect(), returns_rows: false }])
}

/// Reads the warnings of the statement before.
pub(crate) async fn warnings(link: &mut MySqlConnection) -> Result<Vec<Message>, sqlx::Error> {
    let rows = probe::texts(link, "SHOW WARNINGS", 3).await?;
    let message = |row: Vec<String>| {
        let [level, code, text] = <[String; 3]>::try_from(row).ok()?;
        Some(Message::new(level, code.parse().ok()?, text))
    };
    Ok(rows.into_iter().filter_map(message).collect())
}

/// The result sets of an answer, while they come in.
#[derive(Default)]
pub(crate) struct Sets {
    ended: Vec<Vec<MySqlRow>>,
    open: Vec<MySqlRow>,
}

impl Sets {
    pub(crate) fn row(&mut self, row: MySqlRow) {
        self.open.push(row);
    }

    pub(crate) fn end_set(&mut self) {
        self.ended.push(std::mem::take(&mut self.open));
    }

    /// The sets of a complete answer. After those of a CALL comes its own end, which looks like a set without rows.
    pub(crate) fn finish(mut self) -> Vec<Box<dyn ResultSet>> {
        self.ended.pop_if(|last| last.is_empty());
        self.ended.into_iter().map(|rows| Box::new(StoredRows(rows)) as Box<dyn ResultSet>).collect()
    }
}

/// Rows that are kept as they came, until somebody asks for them.
struct StoredRows(Vec<MySqlRow>);

impl ResultSet for StoredRows {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn replay(&self, first: usize, sink: &mut dyn RowSink) -> Result<()> {
        let Some(row) = self.0.first() else { return Ok(()) };
        let columns = Columns::of(row);
        self.0.iter().try_for_each(|row| sink.row(&mut columns.decoder(row, first)))
    }
}
