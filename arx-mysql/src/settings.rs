//! The session that arx needs: UTC, utf8mb4, strict, no dates that are none.
//!
//! Kept apart from `pool` because a connection of the application's pool is looked at too, each time it is taken.

use arx::error::{Error, ErrorKind, Result};
use sqlx::mysql::MySqlConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::{error, probe};

// One text, so that a server which lacks one of the variables shows itself at once.
const QUERY: &str = "SELECT @@time_zone, @@sql_mode, @@character_set_client, @@character_set_connection, \
    @@character_set_results, @@autocommit, @@sql_auto_is_null, @@sql_safe_updates, \
    @@sql_select_limit >= 18446744073709551615, @@auto_increment_increment";

/// A session's settings.
#[derive(Debug)]
pub(crate) struct Settings(Vec<String>);

// What arx counts on: values that do not fit are errors, dates are dates, a given key of 0 is a key.
const NEEDED: [&str; 5] =
    ["STRICT_ALL_TABLES", "NO_ZERO_DATE", "NO_ZERO_IN_DATE", "ERROR_FOR_DIVISION_BY_ZERO", "NO_AUTO_VALUE_ON_ZERO"];

// What changes values on their way: dates that are none, padded texts, empty texts that become NULL.
const HARMFUL: [&str; 3] = ["ALLOW_INVALID_DATES", "PAD_CHAR_TO_FULL_LENGTH", "EMPTY_STRING_IS_NULL"];

impl Settings {
    /// Asks for them.
    pub(crate) async fn read(link: &mut MySqlConnection) -> Result<Self> {
        let rows = probe::texts(link, QUERY, 10).await.map_err(error::convert)?;
        rows.into_iter().next().map(Self).ok_or_else(|| Error::new(ErrorKind::Database, "the server has no settings"))
    }

    fn get(&self, place: usize) -> &str {
        self.0.get(place).map_or("", String::as_str)
    }

    fn modes(&self) -> Vec<&str> {
        self.get(1).split(',').filter(|mode| !mode.is_empty()).collect()
    }

    /// What has to be set for arx; nothing where all is as it has to be.
    fn changes(&self) -> Vec<String> {
        let mut changes = Vec::new();
        if !matches!(self.get(0), "+00:00" | "UTC") {
            changes.push("time_zone = '+00:00'".to_owned());
        }
        let mut modes = self.modes();
        let before = modes.clone();
        modes.retain(|mode| !HARMFUL.contains(mode));
        modes.extend(NEEDED.iter().filter(|needed| !before.contains(needed)));
        if modes != before {
            // Names of modes, as the server itself spells them.
            let is_name = |mode: &&str| mode.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let modes: Vec<_> = modes.into_iter().filter(is_name).collect();
            changes.push(format!("sql_mode = '{}'", modes.join(",")));
        }
        for (place, wanted, change) in [
            (5, "1", "autocommit = 1"),
            (6, "0", "sql_auto_is_null = 0"),
            (7, "0", "sql_safe_updates = 0"),
            (8, "1", "sql_select_limit = DEFAULT"),
        ] {
            if self.get(place) != wanted {
                changes.push(change.to_owned());
            }
        }
        // Last: `NAMES` takes what follows it for a collation where a comma is missing.
        if !(2..=4).all(|place| self.get(place) == "utf8mb4") {
            changes.push("NAMES utf8mb4".to_owned());
        }
        changes
    }

    /// How far apart generated keys are in this session.
    pub(crate) fn increment(&self) -> Option<u64> {
        self.get(9).parse().ok()
    }

    /// Sets what has to be set.
    ///
    /// # Errors
    /// `Unsupported` for a mode in which SQL means something else; `Configuration` where the server refuses.
    pub(crate) async fn fix(&self, link: &mut MySqlConnection) -> Result<()> {
        if self.modes().contains(&"ORACLE") {
            return Err(Error::unsupported("arx does not work with the sql_mode ORACLE"));
        }
        let changes = self.changes();
        if changes.is_empty() {
            return Ok(());
        }
        let text = format!("SET {}", changes.join(", "));
        link.execute(sqlx::raw_sql(AssertSqlSafe(text))).await.map_err(|error| match error::number(&error) {
            Some(_) => {
                Error::new(ErrorKind::Configuration, "the server refuses the session that arx needs").with_source(error)
            }
            None => error::convert(error),
        })?;
        Ok(())
    }

    /// An error where something would have to be set.
    ///
    /// # Errors
    /// `Configuration`, naming the settings.
    pub(crate) fn check(&self) -> Result<()> {
        let changes = self.changes();
        // A transaction of the application's may well have begun by switching this off.
        let wrong: Vec<_> = changes.iter().filter(|change| !change.starts_with("autocommit")).cloned().collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let message = format!("the session of this transaction is not as arx needs it: SET {} first", wrong.join(", "));
        Err(Error::new(ErrorKind::Configuration, message))
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;

    fn settings(cells: [&str; 10]) -> Settings {
        Settings(cells.map(str::to_owned).to_vec())
    }

    const FINE: [&str; 10] = [
        "+00:00",
        "STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO",
        "utf8mb4",
        "utf8mb4",
        "utf8mb4",
        "1",
        "0",
        "0",
        "1",
        "1",
    ];

    #[test]
    fn leaves_alone_what_is_as_it_has_to_be() {
        assert!(settings(FINE).changes().is_empty());
        assert!(settings(FINE).check().is_ok());
    }

    #[test]
    fn keeps_the_modes_that_do_no_harm() {
        let mut cells = FINE;
        cells[0] = "SYSTEM";
        cells[1] = "ANSI_QUOTES,PAD_CHAR_TO_FULL_LENGTH,STRICT_ALL_TABLES";
        cells[4] = "latin1";
        let changes = settings(cells).changes();
        let modes = "ANSI_QUOTES,STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_VALUE_ON_ZERO";
        assert_eq!(changes, ["time_zone = '+00:00'", &format!("sql_mode = '{modes}'"), "NAMES utf8mb4"]);
        assert!(settings(cells).check().is_err());
    }
}
