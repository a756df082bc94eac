//! How a table makes its keys: one query of the catalogue.
//!
//! Kept apart from `session` because it is what arx trusts when it matches keys with rows.

use arx::entity::Table;
use arx::plan::{GeneratedKeys, TableFacts};
use sqlx::mysql::MySqlConnection;

use crate::probe::Capabilities;

/// Whether the key column counts up in InnoDB, in a table that is not partitioned, and nothing changes it on the
/// way. A trigger before an insert may set any column.
const QUERY: &str = "\
SELECT CAST(COUNT(*) AS SIGNED) FROM information_schema.tables t
JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
WHERE t.table_schema = COALESCE(?, DATABASE()) AND t.table_name = ? AND c.column_name = ?
  AND t.table_type = 'BASE TABLE' AND t.engine = 'InnoDB' AND COALESCE(t.create_options, '') NOT LIKE '%partitioned%'
  AND c.extra LIKE '%auto_increment%'
  AND NOT EXISTS (SELECT 1 FROM information_schema.triggers g WHERE g.event_object_schema = t.table_schema
    AND g.event_object_table = t.table_name AND g.action_timing = 'BEFORE' AND g.event_manipulation = 'INSERT')";

/// Reads how the table makes its keys.
pub(crate) async fn read(
    link: &mut MySqlConnection,
    table: &'static Table,
    capabilities: &Capabilities,
) -> Result<TableFacts, sqlx::Error> {
    let key = table.single_key().filter(|&column| table.columns[column].generated);
    let can_be_more = capabilities.returning || capabilities.key_block.is_some();
    let Some(key) = key.filter(|_| can_be_more) else { return Ok(TableFacts::new(GeneratedKeys::PerRow)) };
    let query = sqlx::query_scalar::<_, i64>(QUERY).bind(table.schema).bind(table.name).bind(table.columns[key].name);
    let is_plain = query.fetch_one(link).await? == 1;
    Ok(TableFacts::new(match (is_plain, capabilities.returning, capabilities.key_block) {
        (true, true, _) => GeneratedKeys::Ascending,
        (true, false, Some(increment)) => GeneratedKeys::Block { increment },
        _ => GeneratedKeys::PerRow,
    }))
}
