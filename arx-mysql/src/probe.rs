//! What a server can do: asked of it once for each pool, never guessed from its name.
//!
//! Kept apart from `pool` because it is what the dialect's choices rest on. A server that speaks the wire but
//! answers in its own way (TiDB, Vitess, Aurora) gets the form that its answers allow.

use std::sync::Arc;

use arx::error::Result;
use futures_util::StreamExt as _;
use sqlx::mysql::MySqlConnection;
use sqlx::{AssertSqlSafe, Either, Executor as _, Row as _};

use crate::error;

/// What a server can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// `INSERT .. RETURNING`.
    pub(crate) returning: bool,
    /// `VALUES ROW(..), ..` as a table.
    pub(crate) values_row: bool,
    /// `JSON_TABLE`.
    pub(crate) json_table: bool,
    /// A JSON type of its own, and casts to it.
    pub(crate) native_json: bool,
    /// `FOR UPDATE OF t`.
    pub(crate) locks_tables: bool,
    /// `INSERT .. AS n ON DUPLICATE KEY UPDATE a = n.a`.
    pub(crate) row_alias: bool,
    /// The largest packet that it takes.
    pub(crate) max_packet: usize,
    /// How far apart the keys of one insert are, where it was seen that they are a block that begins with the
    /// key reported.
    pub(crate) key_block: Option<u64>,
    /// How names of tables compare: 0 where their case counts.
    pub(crate) lower_case_table_names: u64,
}

// What a packet has besides the values that are counted: types and NULL bits of 65,535 parameters.
const OVERHEAD: usize = 160 << 10;

impl Capabilities {
    /// Those that every server has.
    pub(crate) fn least() -> Self {
        Self {
            returning: false,
            values_row: false,
            json_table: false,
            native_json: false,
            locks_tables: false,
            row_alias: false,
            max_packet: 1 << 20,
            key_block: None,
            lower_case_table_names: 0,
        }
    }

    /// What MySQL 9.7 answers with its default settings; to see its statements without a server.
    #[must_use]
    pub fn mysql() -> Self {
        Self {
            values_row: true,
            json_table: true,
            native_json: true,
            locks_tables: true,
            row_alias: true,
            max_packet: 64 << 20,
            key_block: Some(1),
            ..Self::least()
        }
    }

    /// What MariaDB 10.11 answers with its default settings; to see its statements without a server.
    #[must_use]
    pub fn mariadb() -> Self {
        Self { returning: true, json_table: true, max_packet: 16 << 20, ..Self::least() }
    }

    /// The bytes of values that one statement can have.
    pub(crate) fn max_bytes(&self) -> usize {
        self.max_packet - OVERHEAD.min(self.max_packet / 2)
    }
}

// No table has this name. A server that knows the syntax misses it; one that does not says so.
const NO_TABLE: &str = "`arx: no such table`";

// ER_PARSE_ERROR, and what some proxies make of it.
const SYNTAX_ERRORS: [u16; 3] = [1064, 1149, 1235];

/// Asks the server, and tries out how it makes keys.
///
/// # Errors
/// When the connection is lost.
pub(crate) async fn probe(link: &mut MySqlConnection) -> Result<Capabilities> {
    let variables = Variables::read(link).await?;
    let mut found = asked(link, &variables).await?;
    if !found.returning && variables.has_innodb() {
        found.key_block = try_out_keys(link, variables.number("auto_increment_increment")).await?;
    }
    Ok(found)
}

/// Asks the server in a transaction of the application's, in which nothing is tried out.
///
/// # Errors
/// When the connection is lost.
pub(crate) async fn ask(link: &mut MySqlConnection) -> Result<Capabilities> {
    let variables = Variables::read(link).await?;
    asked(link, &variables).await
}

async fn asked(link: &mut MySqlConnection, variables: &Variables) -> Result<Capabilities> {
    Ok(Capabilities {
        returning: knows(link, format!("INSERT INTO {NO_TABLE} (a) VALUES (1) RETURNING a")).await?,
        values_row: runs(link, "SELECT a FROM (VALUES ROW(CAST(1 AS SIGNED)), ROW(2)) AS s(a)").await?,
        json_table: runs(link, "SELECT o FROM JSON_TABLE('[[1]]', '$[*]' COLUMNS (o FOR ORDINALITY, a BIGINT UNSIGNED PATH '$[0]' ERROR ON ERROR)) AS s").await?,
        native_json: runs(link, "SELECT CAST('[1]' AS JSON)").await?,
        locks_tables: knows(link, format!("SELECT 1 FROM {NO_TABLE} AS t FOR UPDATE OF t")).await?,
        row_alias: knows(link, format!("INSERT INTO {NO_TABLE} (a) VALUES (1) AS n ON DUPLICATE KEY UPDATE a = n.a")).await?,
        max_packet: variables.number("max_allowed_packet").and_then(|size| usize::try_from(size).ok()).unwrap_or(1 << 20),
        key_block: None,
        lower_case_table_names: variables.number("lower_case_table_names").unwrap_or(0),
    })
}

struct Variables(Vec<(String, String)>);

impl Variables {
    async fn read(link: &mut MySqlConnection) -> Result<Self> {
        let sql = "SHOW VARIABLES WHERE Variable_name IN ('version', 'innodb_version', 'innodb_autoinc_lock_mode', \
                   'auto_increment_increment', 'max_allowed_packet', 'lower_case_table_names')";
        let rows = texts(link, sql, 2).await.map_err(error::convert)?;
        Ok(Self(rows.into_iter().filter_map(|row| <[String; 2]>::try_from(row).ok()).map(|[a, b]| (a, b)).collect()))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.text(name)?.parse().ok()
    }

    /// Whether the storage engine is the one whose keys are known: it has the server's own version, and a lock
    /// mode in which the keys of one insert are next to each other.
    fn has_innodb(&self) -> bool {
        let (version, innodb) = (self.text("version").unwrap_or_default(), self.text("innodb_version"));
        let is_own = innodb.is_some_and(|innodb| !innodb.is_empty() && version.starts_with(innodb));
        is_own && self.number("innodb_autoinc_lock_mode").is_some_and(|mode| mode <= 2)
    }
}

/// Inserts three rows into a table that only this connection sees, and looks at their keys.
async fn try_out_keys(link: &mut MySqlConnection, increment: Option<u64>) -> Result<Option<u64>> {
    let Some(increment) = increment.filter(|&increment| increment > 0) else { return Ok(None) };
    let create =
        "CREATE TEMPORARY TABLE arx_keys (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT) ENGINE = InnoDB";
    if !runs(link, create).await? {
        return Ok(None);
    }
    let insert = link.execute("INSERT INTO arx_keys (place) VALUES (1), (2), (3)").await;
    let reported = kept(insert)?.map(|done| done.last_insert_id());
    let keys = kept(texts(link, "SELECT CAST(id AS CHAR) FROM arx_keys ORDER BY place", 1).await)?;
    runs(link, "DROP TEMPORARY TABLE arx_keys").await?;
    let keys: Vec<u64> = keys.into_iter().flatten().filter_map(|key| key.first()?.parse().ok()).collect();
    Ok(reported.filter(|&first| is_block(first, increment, &keys)).map(|_| increment))
}

/// Whether these are three keys from the one that the server reports: some report the last of them.
fn is_block(first: u64, increment: u64, keys: &[u64]) -> bool {
    let expected = (0..3).map(|place| first.checked_add(place * increment));
    first > 0 && keys.iter().copied().map(Some).eq(expected)
}

/// Whether the server runs this.
async fn runs(link: &mut MySqlConnection, sql: &str) -> Result<bool> {
    let sql: Arc<str> = sql.into();
    Ok(kept(link.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await)?.is_some())
}

/// Whether the server understands this, whatever it says of the table.
async fn knows(link: &mut MySqlConnection, sql: String) -> Result<bool> {
    match link.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await {
        Ok(_) => Ok(true),
        Err(error) => match error::number(&error) {
            Some(number) => Ok(!SYNTAX_ERRORS.contains(&number)),
            None => Err(error::convert(error)),
        },
    }
}

/// The outcome, `None` where the server refused; an error where the connection is lost.
fn kept<T>(outcome: Result<T, sqlx::Error>) -> Result<Option<T>> {
    match outcome {
        Ok(done) => Ok(Some(done)),
        Err(error) if error::number(&error).is_some() => Ok(None),
        Err(error) => Err(error::convert(error)),
    }
}

/// The rows of a query as texts.
pub(crate) async fn texts(
    link: &mut MySqlConnection,
    sql: &'static str,
    columns: usize,
) -> Result<Vec<Vec<String>>, sqlx::Error> {
    let mut rows = Vec::new();
    let mut stream = link.fetch_many(sqlx::raw_sql(sql));
    while let Some(next) = stream.next().await {
        if let Either::Right(row) = next? {
            let cell = |index: usize| row.try_get_unchecked::<Option<String>, _>(index).map(Option::unwrap_or_default);
            rows.push((0..columns).map(cell).collect::<Result<_, _>>()?);
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::is_block;

    #[test]
    fn trusts_keys_from_the_reported_one_on_only() {
        assert!(is_block(1, 1, &[1, 2, 3]) && is_block(3, 7, &[3, 10, 17]));
        assert!(!is_block(3, 1, &[1, 2, 3]), "the last is reported");
        assert!(!is_block(1, 1, &[1, 3, 5]), "they are further apart");
        assert!(!is_block(0, 1, &[0, 1, 2]) && !is_block(1, 1, &[]), "none is reported, or none is stored");
        assert!(!is_block(u64::MAX, 1, &[u64::MAX, 0, 1]));
    }
}
