//! What a hand-written text is: one statement that returns rows, or one that ends the transaction it runs in.
//!
//! Only a text with rows is prepared, for rows are read in binary only; DDL must not fill the cache of statements, and
//! several statements can only be sent as text. Kept apart from `connection` because it reads SQL, if barely.

use arx::dialect::scan::{Token, quoted, word};

/// The words that statements with rows begin with.
const READING: [&str; 13] = [
    "SELECT", "WITH", "SHOW", "VALUES", "TABLE", "EXPLAIN", "DESCRIBE", "DESC", "CALL", "CHECK", "ANALYZE", "CHECKSUM",
    "EXECUTE",
];

/// Whether the text is a single statement that may return rows.
pub(crate) fn returns_rows(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let (mut first, mut reads, mut ended) = (true, false, false);
    while !rest.is_empty() {
        let (token, length) = token(rest);
        let word = rest.get(..length).unwrap_or_default();
        match token {
            Token::Blank => {}
            Token::End => ended = true,
            _ if ended => return false,
            // `(SELECT 1) UNION (SELECT 2)`
            Token::Other if first && word == b"(" => {}
            Token::Other => {
                reads |= first && READING.iter().any(|reading| word.eq_ignore_ascii_case(reading.as_bytes()));
                reads |= word.eq_ignore_ascii_case(b"RETURNING");
                first = false;
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    reads
}

/// What a statement begins with that commits the transaction it runs in, or ends it: MySQL 8.4 Reference Manual 15.3.3,
/// "Statements That Cause an Implicit Commit"; MariaDB's list is the same but for words that it does not know.
const ENDING: [&str; 27] = [
    "ALTER",
    "ANALYZE LOCAL",
    "ANALYZE NO_WRITE_TO_BINLOG",
    "ANALYZE TABLE",
    "BEGIN",
    "CACHE INDEX",
    "CHANGE",
    "CHECK",
    "COMMIT",
    "CREATE",
    "DROP",
    "FLUSH",
    "GRANT",
    "INSTALL",
    "LOAD INDEX",
    "LOCK",
    "OPTIMIZE",
    "RENAME",
    "REPAIR",
    "RESET",
    "REVOKE",
    "ROLLBACK",
    "SET PASSWORD",
    "START",
    "STOP",
    "TRUNCATE",
    "UNINSTALL",
];

/// Those of them that do not.
const KEEPING: [&str; 6] =
    ["BEGIN NOT", "CREATE TEMPORARY", "DROP PREPARE", "DROP TEMPORARY", "ROLLBACK TO", "ROLLBACK WORK TO"];

/// Whether one of the statements of the text ends the transaction that it runs in.
pub(crate) fn ends_transaction(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let mut words: Vec<&[u8]> = Vec::new();
    while !rest.is_empty() {
        let (token, length) = token(rest);
        match token {
            Token::Blank => {}
            Token::End if is_ending(&words) => return true,
            Token::End => words.clear(),
            // Only of what is set, more than the beginning matters.
            Token::Other if words.len() < 3 || is(words[0], "SET") => words.extend(rest.get(..length)),
            Token::Other => {}
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    is_ending(&words)
}

/// Whether a statement of these words does.
fn is_ending(words: &[&[u8]]) -> bool {
    let begins = |beginning: &str| {
        let mut names = beginning.split(' ').enumerate();
        names.all(|(place, name)| words.get(place).is_some_and(|word| is(word, name)))
    };
    // `SET autocommit = 1`, and wherever else it stands among what is set.
    let switches = begins("SET") && words.iter().any(|word| is(word, "AUTOCOMMIT"));
    switches || ENDING.iter().any(|words| begins(words)) && !KEEPING.iter().any(|words| begins(words))
}

fn is(word: &[u8], name: &str) -> bool {
    word.eq_ignore_ascii_case(name.as_bytes())
}

/// The token at the start of a text that is not empty, and its length, which is not 0.
fn token(text: &[u8]) -> (Token, usize) {
    let line = || text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    match text {
        [byte, ..] if byte.is_ascii_whitespace() => (Token::Blank, 1),
        [b';', ..] => (Token::End, 1),
        [b'#', ..] => (Token::Blank, line().max(1)),
        [b'-', b'-'] => (Token::Blank, 2),
        [b'-', b'-', byte, ..] if byte.is_ascii_whitespace() => (Token::Blank, line().max(2)),
        // What is behind an exclamation mark is run.
        [b'/', b'*', b'!', ..] => (Token::Other, 3),
        [b'/', b'*', ..] => (Token::Blank, comment(text)),
        // With NO_BACKSLASH_ESCAPES the end may be found too late, and several statements be taken for one; the server
        // then refuses them.
        [quote @ (b'\'' | b'"' | b'`'), ..] => (Token::Other, quoted(text, *quote, *quote != b'`')),
        _ => (Token::Other, word(text)),
    }
}

fn comment(text: &[u8]) -> usize {
    text.windows(2).skip(2).position(|pair| pair == b"*/").map_or(text.len(), |end| end + 4)
}

#[cfg(test)]
mod tests {
    use super::{ends_transaction, returns_rows};

    #[test]
    fn knows_what_ends_a_transaction() {
        for text in [
            "CREATE TABLE t (a INT)",
            "  -- why\n drop table t",
            "COMMIT",
            "ROLLBACK",
            "INSERT INTO t VALUES (1); TRUNCATE t",
            "SET autocommit = 1",
            "SET SESSION autocommit = 1",
            "SET @a = 1, @@autocommit = 1",
            "START TRANSACTION",
            "/* done */ COMMIT",
        ] {
            assert!(ends_transaction(text), "{text}");
        }
        for text in [
            "",
            "INSERT INTO t VALUES ('; COMMIT')",
            "CREATE TEMPORARY TABLE t (a INT)",
            "DROP TEMPORARY TABLE t",
            "ROLLBACK TO SAVEPOINT s; SAVEPOINT t",
            "ROLLBACK WORK TO s",
            "UPDATE `drop` SET a = 1",
            "SET @a = 1",
            "SET @a = 'autocommit'",
            "ANALYZE FORMAT=JSON SELECT 1",
            "SELECT 1",
        ] {
            assert!(!ends_transaction(text), "{text}");
        }
    }

    #[test]
    fn finds_statements_with_rows() {
        for text in [
            "SELECT 1",
            "  -- why\n select 1;",
            "/* a; b */ (SELECT 1) UNION (SELECT 2) ;",
            "INSERT INTO t VALUES (1) RETURNING id",
            "WITH a AS (SELECT ';') SELECT * FROM a # the end",
            "CALL p()",
            "SELECT 'a\\';b', `c;d`, \"e;f\"",
        ] {
            assert!(returns_rows(text), "{text}");
        }
    }

    #[test]
    fn passes_over_what_has_none() {
        for text in [
            "",
            ";",
            "INSERT INTO t VALUES ('RETURNING')",
            "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW BEGIN SELECT 1; END",
            "SELECT 1; SELECT 2",
            "UPDATE `returning` SET a = 1",
            "DROP TABLE selected",
            "/*! SET a = 1 */",
        ] {
            assert!(!returns_rows(text), "{text}");
        }
    }
}
