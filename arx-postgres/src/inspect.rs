//! How a table makes its keys: one query of the catalogue.
//!
//! Kept apart from `session` because it is what arx trusts when it matches keys with rows.

use arx::entity::Table;
use arx::error::Result;
use arx::plan::{GeneratedKeys, TableFacts};
use sqlx::Row as _;
use sqlx::postgres::{PgConnection, PgRow};

/// The generated key column's number and type, what fills it, and whether anything may change it on the way.
///
/// Ascending: filled by an ascending sequence that does not start over, directly. A sequence of any
/// other kind, or one inside an expression, is an expression like any other.
const QUERY: &str = "\
SELECT c.relkind IN ('r', 'p') AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_trigger g
    WHERE (g.tgrelid = c.oid OR g.tgrelid IN (SELECT p.relid FROM pg_catalog.pg_partition_tree(c.oid) p))
      AND NOT g.tgisinternal AND g.tgenabled <> 'D' AND g.tgtype & 7 = 7
  ) AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_rewrite r WHERE r.ev_class = c.oid AND r.ev_type = '3'
  ) AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_partition_tree(c.oid) p
    JOIN pg_catalog.pg_class l ON l.oid = p.relid WHERE l.relkind NOT IN ('r', 'p')
  ) AS is_plain,
  a.attidentity <> '' AS is_identity,
  pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS expression,
  pg_catalog.format_type(a.atttypid, NULL) AS type_name,
  a.attgenerated = '' AND a.atttypid IN (20, 21, 23) AND s.seqincrement > 0 AND NOT s.seqcycle AND (
    a.attidentity <> ''
    OR pg_catalog.pg_get_expr(d.adbin, d.adrelid)
      = 'nextval(' || pg_catalog.quote_literal(s.seqrelid::pg_catalog.regclass::text) || '::regclass)'
  ) AS is_ascending
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = $2 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum AND a.attgenerated = ''
LEFT JOIN pg_catalog.pg_depend o ON CASE WHEN a.attidentity <> ''
    THEN o.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND o.refobjid = c.oid AND o.refobjsubid = a.attnum
      AND o.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND o.deptype = 'i'
    ELSE o.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND o.objid = d.oid
      AND o.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND o.refobjid <> c.oid END
LEFT JOIN pg_catalog.pg_sequence s
  ON s.seqrelid = CASE WHEN a.attidentity <> '' THEN o.objid ELSE o.refobjid END
WHERE c.oid = pg_catalog.to_regclass($1)
ORDER BY s.seqrelid IS NULL
LIMIT 1";

/// Reads how the table makes its keys.
pub(crate) async fn read(link: &mut PgConnection, table: &'static Table) -> Result<TableFacts, sqlx::Error> {
    let Some(key) = table.single_key().filter(|&column| table.columns[column].generated) else {
        return Ok(TableFacts::new(GeneratedKeys::PerRow));
    };
    let query = sqlx::query(QUERY).bind(qualified_name(table)).bind(table.columns[key].name);
    let row = query.fetch_optional(link).await?;
    let keys = row.as_ref().map(keys).transpose()?.unwrap_or(GeneratedKeys::PerRow);
    Ok(TableFacts::new(keys))
}

fn keys(row: &PgRow) -> Result<GeneratedKeys, sqlx::Error> {
    let is = |column: &str| row.try_get::<Option<bool>, _>(column).map(Option::unwrap_or_default);
    if !is("is_plain")? {
        return Ok(GeneratedKeys::PerRow);
    }
    if is("is_ascending")? {
        return Ok(GeneratedKeys::Ascending);
    }
    let expression: Option<String> = row.try_get("expression")?;
    let type_name: String = row.try_get("type_name")?;
    // What an insert would do with the default: give it the column's type, without its length.
    Ok(match expression {
        Some(expression) if !is("is_identity")? => {
            GeneratedKeys::Expression(format!("({expression})::{type_name}").into_boxed_str())
        }
        _ => GeneratedKeys::PerRow,
    })
}

/// The name as SQL has it, for `to_regclass`: without a schema the search path decides, as for the statements.
fn qualified_name(table: &Table) -> String {
    let quote = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    match table.schema {
        Some(schema) => format!("{}.{}", quote(schema), quote(table.name)),
        None => quote(table.name),
    }
}
