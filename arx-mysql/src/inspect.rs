//! How a table makes its keys: one query of the catalogue.
//!
//! Kept apart from `session` because it is what arx trusts when it matches keys with rows.

use arx::entity::Table;
use arx::plan::{GeneratedKeys, TableFacts};
use sqlx::mysql::MySqlConnection;

use crate::probe::Capabilities;

/// Whether it is a table, whether the key column counts up, and whether nothing is in the way of keys that are next
/// to each other: InnoDB, in one part, and no trigger before an insert, which may set any column.
const QUERY: &str = "\
SELECT CAST(t.table_type = 'BASE TABLE' AS SIGNED), CAST(c.extra LIKE '%auto_increment%' AS SIGNED), CAST(
  COALESCE(t.engine, '') = 'InnoDB' AND COALESCE(t.create_options, '') NOT LIKE '%partitioned%'
  AND NOT EXISTS (SELECT 1 FROM information_schema.triggers g WHERE g.event_object_schema = t.table_schema
    AND g.event_object_table = t.table_name AND g.action_timing = 'BEFORE' AND g.event_manipulation = 'INSERT')
  AS SIGNED)
FROM information_schema.tables t
JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
WHERE t.table_schema = COALESCE(?, DATABASE()) AND t.table_name = ? AND c.column_name = ?";

/// Reads how the table makes its keys.
pub(crate) async fn read(
    link: &mut MySqlConnection,
    table: &'static Table,
    capabilities: &Capabilities,
) -> Result<TableFacts, sqlx::Error> {
    let key = table.single_key().filter(|&column| table.columns[column].generated);
    let Some(key) = key else { return Ok(TableFacts::new(GeneratedKeys::PerRow)) };
    let query = sqlx::query_as::<_, (i64, i64, i64)>(QUERY);
    let query = query.bind(table.schema).bind(table.name).bind(table.columns[key].name);
    let found = query.fetch_optional(link).await?;
    Ok(TableFacts::new(match (found, capabilities.returning, capabilities.key_block) {
        (Some((1, 1, 1)), true, _) => GeneratedKeys::Ascending,
        (Some((1, 1, 1)), false, Some(increment)) => GeneratedKeys::Block { increment },
        // No counter: nothing is reported of such a key.
        (Some((1, 0, _)), _, _) => GeneratedKeys::PerRow,
        // A table that is not there is for the insert to miss, and of a view the server tells nothing.
        _ => GeneratedKeys::LastId,
    }))
}
