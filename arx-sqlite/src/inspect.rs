//! The catalogue: how a table makes its keys.

use arx::entity::Table;
use arx::plan::{GeneratedKeys, TableFacts};
use rusqlite::{Connection, OptionalExtension, Result, params};

// Without a schema SQLite looks in `temp`, in `main`, then in the attached databases.
const SCHEMA: &str = "SELECT l.schema, l.type = 'table' AND NOT l.wr FROM pragma_table_list(?1) l \
    JOIN pragma_database_list d ON d.name = l.schema \
    WHERE ?2 IS NULL OR l.schema = ?2 COLLATE NOCASE ORDER BY d.name <> 'temp', d.seq LIMIT 1";

// `INTEGER PRIMARY KEY DESC` is no rowid alias, for compatibility with an old fault; only its index tells.
const KEY: &str = "SELECT x.name, x.type FROM pragma_table_xinfo(?1, ?2) x WHERE x.pk > 0 \
    AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1, ?2) i WHERE i.origin = 'pk')";

/// A rowid that is the key is reported by the driver after each insert; other keys are not.
pub(crate) fn inspect(connection: &Connection, table: &Table) -> Result<TableFacts> {
    let is_rowid = is_rowid_alias(connection, table)?;
    Ok(TableFacts::new(if is_rowid { GeneratedKeys::LastId } else { GeneratedKeys::PerRow }))
}

fn is_rowid_alias(connection: &Connection, table: &Table) -> Result<bool> {
    let Some(key) = table.single_key().and_then(|key| table.columns.get(key)) else { return Ok(false) };
    let mut statement = connection.prepare_cached(SCHEMA)?;
    let found = statement
        .query_row(params![table.name, table.schema], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)));
    let Some((schema, true)) = found.optional()? else { return Ok(false) };
    let mut statement = connection.prepare_cached(KEY)?;
    let mut rows = statement.query(params![table.name, schema])?;
    let Some(row) = rows.next()? else { return Ok(false) };
    let is_alias = row.get::<_, String>(0)?.eq_ignore_ascii_case(key.name)
        && row.get::<_, String>(1)?.eq_ignore_ascii_case("INTEGER");
    Ok(is_alias && rows.next()?.is_none())
}
