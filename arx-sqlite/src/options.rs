//! Options: which file, how many connections, which pragmas.

use std::path::{Path, PathBuf};
use std::time::Duration;

use arx::error::{Error, ErrorKind, Result};

/// How SQLite keeps a transaction undoable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Journal {
    /// A write-ahead log: readers and the writer do not wait for each other.
    #[default]
    Wal,
    /// A rollback journal, deleted after each transaction.
    Delete,
    /// A rollback journal, cut to nothing after each transaction.
    Truncate,
    /// A rollback journal whose header is wiped after each transaction.
    Persist,
    /// A rollback journal in memory: a crash during a transaction damages the file.
    Memory,
}

impl Journal {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Wal => "wal",
            Self::Delete => "delete",
            Self::Truncate => "truncate",
            Self::Persist => "persist",
            Self::Memory => "memory",
        }
    }
}

/// When SQLite waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Synchronous {
    /// Never: a crash of the system may damage the file.
    Off,
    /// At checkpoints; with [`Journal::Wal`] a loss of power may undo the last transactions,
    /// and never damages the file.
    Normal,
    /// At each commit. SQLite's own default, and that of arx.
    Full,
    /// As `Full`, and for the folder too.
    Extra,
}

impl Synchronous {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Off => "OFF",
            Self::Normal => "NORMAL",
            Self::Full => "FULL",
            Self::Extra => "EXTRA",
        }
    }
}

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) path: PathBuf,
    pub(crate) readers: usize,
    pub(crate) busy_timeout: Duration,
    pub(crate) acquire_timeout: Duration,
    pub(crate) foreign_keys: bool,
    pub(crate) journal: Journal,
    pub(crate) synchronous: Option<Synchronous>,
    pub(crate) create_if_missing: bool,
    pub(crate) read_only: bool,
    pub(crate) spin: bool,
    pub(crate) statement_cache: usize,
    pub(crate) cache_size: Option<u32>,
    pub(crate) attached: Vec<(String, PathBuf)>,
}

/// Whether the text begins as a URL does. One letter and a colon is a drive.
fn has_scheme(url: &str) -> bool {
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

impl Options {
    /// The database in this file. `:memory:` is a database in memory, and an empty path one
    /// in a temporary file; both are gone with the pool, and have one connection.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            readers: 4,
            busy_timeout: Duration::from_secs(5),
            acquire_timeout: Duration::from_secs(30),
            foreign_keys: true,
            journal: Journal::Wal,
            synchronous: None,
            create_if_missing: true,
            read_only: false,
            spin: true,
            statement_cache: 256,
            cache_size: None,
            attached: Vec::new(),
        }
    }

    /// From `sqlite://path`, `sqlite:path`, `sqlite::memory:`, `:memory:` or a plain path. In a
    /// URL, `%20` stands for a space as usual, and `?mode=ro`, `rw` or `rwc` may follow.
    ///
    /// # Errors
    /// `Configuration` for another scheme or an unknown parameter.
    pub fn parse(url: &str) -> Result<Self> {
        let Some(rest) = url.strip_prefix("sqlite:") else {
            return match has_scheme(url) {
                true => {
                    Err(configuration("the URL is not one of SQLite; give sqlite://path, sqlite::memory: or a path"))
                }
                false => Ok(Self::new(url)),
            };
        };
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut options = Self::new(decode_percent(path)?);
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            options = match parameter {
                "mode=ro" => options.read_only(true),
                "mode=rw" => options.create_if_missing(false),
                "mode=rwc" => options.create_if_missing(true),
                _ => {
                    return Err(configuration(
                        "the URL has an unknown parameter; SQLite's are mode=ro, mode=rw and mode=rwc",
                    ));
                }
            };
        }
        Ok(options)
    }

    /// How many connections may read at the same time, beside the one that writes. 4 by default.
    #[must_use]
    pub fn readers(mut self, readers: usize) -> Self {
        self.readers = readers.max(1);
        self
    }

    /// How long a statement waits for a lock that another process holds. 5 seconds by default.
    #[must_use]
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// How long a call waits for a free connection. 30 seconds by default.
    #[must_use]
    pub fn acquire_timeout(mut self, timeout: Duration) -> Self {
        self.acquire_timeout = timeout;
        self
    }

    /// Whether foreign keys are enforced. They are by default.
    #[must_use]
    pub fn foreign_keys(mut self, are_enforced: bool) -> Self {
        self.foreign_keys = are_enforced;
        self
    }

    /// The journal. A write-ahead log by default.
    #[must_use]
    pub fn journal(mut self, journal: Journal) -> Self {
        self.journal = journal;
        self
    }

    /// When SQLite waits for the disk. At each commit by default; with a write-ahead log,
    /// [`Synchronous::Normal`] is much faster for many small transactions.
    #[must_use]
    pub fn synchronous(mut self, synchronous: Synchronous) -> Self {
        self.synchronous = Some(synchronous);
        self
    }

    /// Whether a file that is not there is created. It is by default.
    #[must_use]
    pub fn create_if_missing(mut self, creates: bool) -> Self {
        self.create_if_missing = creates;
        self
    }

    /// Opens the file for reading only.
    #[must_use]
    pub fn read_only(mut self, is_read_only: bool) -> Self {
        self.read_only = is_read_only;
        self
    }

    /// Whether a call looks for its reply for up to 40 µs before it gives way to other tasks, and a
    /// connection's thread for up to 50 µs for the next call before it sleeps, as long as that pays:
    /// waking a thread takes longer than most statements for one row. They do by default. Without it
    /// every call gives way to other tasks at least once.
    #[must_use]
    pub fn spin(mut self, spins: bool) -> Self {
        self.spin = spins;
        self
    }

    /// How many prepared statements each connection keeps. 256 by default.
    #[must_use]
    pub fn statement_cache(mut self, statements: usize) -> Self {
        self.statement_cache = statements;
        self
    }

    /// How many KiB of pages each connection keeps. SQLite's default is 2,000; for updates of
    /// large tables more is faster.
    #[must_use]
    pub fn cache_size(mut self, kibibytes: u32) -> Self {
        self.cache_size = Some(kibibytes);
        self
    }

    /// Attaches another database; `name` is then the `schema` of its entities. With a
    /// write-ahead log a crash may keep a transaction in one file and lose it in another.
    #[must_use]
    pub fn attach(mut self, name: impl Into<String>, path: impl AsRef<Path>) -> Self {
        self.attached.push((name.into(), path.as_ref().to_owned()));
        self
    }

    /// The database belongs to one connection.
    pub(crate) fn is_transient(&self) -> bool {
        self.path.as_os_str().is_empty() || self.path == Path::new(":memory:")
    }
}

fn decode_percent(text: &str) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let decoded = if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            digit(rest.next()).zip(digit(rest.next())).map(|(high, low)| high << 4 | low)
        } else {
            Some(byte)
        };
        bytes.push(decoded.ok_or_else(|| {
            configuration("the URL has a % without two hexadecimal digits; write %25 for the sign itself")
        })?);
    }
    String::from_utf8(bytes).map_err(|_| configuration("the path of the URL is not UTF-8"))
}

fn configuration(message: &'static str) -> Error {
    Error::new(ErrorKind::Configuration, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_urls_and_paths() {
        let path = |url: &str| Options::parse(url).unwrap().path;
        assert_eq!(path("sqlite:///var/lib/shop.db"), Path::new("/var/lib/shop.db"));
        assert_eq!(path("sqlite://shop.db"), Path::new("shop.db"));
        assert_eq!(path("sqlite:a%20b%25.db?mode=rwc"), Path::new("a b%.db"));
        assert_eq!(path("sqlite::memory:"), Path::new(":memory:"));
        assert_eq!(path("a%20b?.db"), Path::new("a%20b?.db"));
        assert!(Options::parse("sqlite:x?mode=ro").unwrap().read_only);
        assert!(
            Options::parse(":memory:").unwrap().is_transient() && Options::parse("sqlite:").unwrap().is_transient()
        );
    }

    #[test]
    fn refuses_other_schemes_without_showing_them() {
        for url in ["postgres://user:secret@host/db", "sqlite:x?key=secret", "sqlite:secret%2"] {
            let error = Options::parse(url).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Configuration);
            assert!(!format!("{error:?}").contains("secret"));
        }
    }
}
