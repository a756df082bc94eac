//! How a table makes its keys, and which of its columns are lists: one query of the catalogue.
//!
//! Kept apart from `session` because it is what arx trusts when it matches keys with rows.

use arx::entity::Table;
use arx::plan::{GeneratedKeys, TableFacts};
use sqlx::mysql::MySqlConnection;

use crate::probe::Capabilities;

/// Whether it is a table, whether the key column counts up, and whether nothing is in the way of keys that are next
/// to each other: InnoDB, in one part, and no trigger before an insert, which may set any column.
const QUERY: &str = "\
SELECT c.column_name, CAST(c.data_type IN ('enum', 'set') AS SIGNED), CAST(t.table_type = 'BASE TABLE' AS SIGNED), CAST(c.extra LIKE '%auto_increment%' AS SIGNED), CAST(
  COALESCE(t.engine, '') = 'InnoDB' AND COALESCE(t.create_options, '') NOT LIKE '%partitioned%'
  AND NOT EXISTS (SELECT 1 FROM information_schema.triggers g WHERE g.event_object_schema = t.table_schema
    AND g.event_object_table = t.table_name AND g.action_timing = 'BEFORE' AND g.event_manipulation = 'INSERT')
  AS SIGNED)
FROM information_schema.tables t
JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
WHERE t.table_schema = COALESCE(?, DATABASE()) AND t.table_name = ?
  AND (c.column_name = ? OR c.data_type IN ('enum', 'set'))";

/// Reads how the table makes its keys, and which of its columns are lists.
pub(crate) async fn read(
    link: &mut MySqlConnection,
    table: &'static Table,
    capabilities: &Capabilities,
) -> Result<TableFacts, sqlx::Error> {
    let key = table.single_key().filter(|&column| table.columns[column].generated);
    let key = key.map(|column| table.columns[column].name);
    let query = sqlx::query_as::<_, (String, i64, i64, i64, i64)>(QUERY);
    let found = query.bind(table.schema).bind(table.name).bind(key).fetch_all(link).await?;
    let is = |name: &str, column: &str| name.eq_ignore_ascii_case(column);
    let made = found.iter().find(|(name, ..)| key.is_some_and(|key| is(key, name)));
    let made = made.map(|&(_, _, is_table, counts, is_block)| (is_table, counts, is_block));
    let mut facts = TableFacts::new(match (made, capabilities.returning, capabilities.key_block) {
        _ if key.is_none() => GeneratedKeys::PerRow,
        (Some((1, 1, 1)), true, _) => GeneratedKeys::Ascending,
        (Some((1, 1, 1)), false, Some(increment)) => GeneratedKeys::Block { increment },
        // No counter: nothing is reported of such a key.
        (Some((1, 0, _)), _, _) => GeneratedKeys::PerRow,
        // A table that is not there is for the insert to miss, and of a view the server tells nothing.
        _ => GeneratedKeys::LastId,
    });
    let is_listed = |name: &str| found.iter().any(|(column, listed, ..)| *listed == 1 && is(name, column));
    facts.listed = (0..table.columns.len()).filter(|&column| is_listed(table.columns[column].name)).collect();
    Ok(facts)
}
