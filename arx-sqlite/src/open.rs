//! Opening the database: flags, pragmas and what is registered with a connection.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arx::error::{Error, ErrorKind, Result};
use arx::plan::Limits;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use crate::link::{Inbox, Link};
use crate::options::{Journal, Options};
use crate::{collation, dialect, error};

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Writes, or reads and writes. The first one opened creates the file.
    Writer,
    /// Only reads.
    Reader,
}

/// Opens one connection.
pub(crate) fn open(options: &Options, role: Role, inbox: &Inbox) -> Result<Connection> {
    let connection =
        Connection::open_with_flags(&options.path, flags(options, role)).map_err(|error| error::of(error, None))?;
    connection.set_prepared_statement_cache_capacity(options.statement_cache);
    wait_for_locks(&connection, options.busy_timeout, &inbox.0).map_err(|error| error::of(error, None))?;
    prepare(&connection, options, role).map_err(|error| error::of(error, None))?;
    if role == Role::Writer && !options.is_transient() && !options.read_only {
        set_journal(&connection, options)?;
    }
    Ok(connection)
}

/// The limits that SQLite was built with.
pub(crate) fn limits(connection: &Connection) -> Result<Limits> {
    let limit = |limit| {
        let value = connection.limit(limit).map_err(|error| error::of(error, None))?;
        usize::try_from(value).map_err(|_| Error::new(ErrorKind::Database, "SQLite reports a negative limit"))
    };
    Ok(dialect::limits(limit(Limit::SQLITE_LIMIT_VARIABLE_NUMBER)?, limit(Limit::SQLITE_LIMIT_LENGTH)?))
}

fn flags(options: &Options, role: Role) -> OpenFlags {
    let access = if options.read_only { OpenFlags::SQLITE_OPEN_READ_ONLY } else { OpenFlags::SQLITE_OPEN_READ_WRITE };
    let creates = options.create_if_missing && !options.read_only && role == Role::Writer;
    let create = if creates { OpenFlags::SQLITE_OPEN_CREATE } else { OpenFlags::empty() };
    access | create | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE
}

/// The bundled SQLite takes `file:..` for a URI, flag or not; a path is to be a path.
fn plain(path: &Path) -> Cow<'_, Path> {
    if path.as_os_str().as_encoded_bytes().starts_with(b"file:") {
        Cow::Owned(Path::new(".").join(path))
    } else {
        Cow::Borrowed(path)
    }
}

fn prepare(connection: &Connection, options: &Options, role: Role) -> rusqlite::Result<()> {
    rusqlite::vtab::array::load_module(connection)?;
    collation::register(connection)?;
    // SQLite takes a quoted name that is no column for a text: a misspelt column would read as its own name.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    for (name, path) in &options.attached {
        let path = plain(path);
        let path = path.to_str().ok_or_else(|| rusqlite::Error::InvalidPath(path.to_path_buf()))?;
        connection.execute("ATTACH DATABASE ?1 AS ?2", [path, name])?;
    }
    connection.pragma_update(None, "foreign_keys", options.foreign_keys)?;
    if let Some(synchronous) = options.synchronous {
        connection.pragma_update(None, "synchronous", synchronous.word())?;
    }
    if let Some(kibibytes) = options.cache_size {
        // A negative size is in KiB, a positive one in pages.
        connection.pragma_update(None, "cache_size", -i64::from(kibibytes))?;
    }
    if role == Role::Reader || options.read_only {
        connection.pragma_update(None, "query_only", true)?;
    }
    Ok(())
}

/// The journal mode is kept in the file, so that the writer sets it for all.
fn set_journal(connection: &Connection, options: &Options) -> Result<()> {
    let wanted = options.journal.word();
    let attached = options.attached.iter().map(|(name, _)| name.as_str());
    for schema in std::iter::once("main").chain(attached) {
        let set =
            connection.pragma_update_and_check(Some(schema), "journal_mode", wanted, |row| row.get::<_, String>(0));
        let set = set.map_err(|error| error::of(error, None))?;
        let is_memory = set.eq_ignore_ascii_case("memory") && options.journal != Journal::Memory;
        if !set.eq_ignore_ascii_case(wanted) && !is_memory {
            return Err(Error::new(
                ErrorKind::Configuration,
                format!("the journal mode {wanted} cannot be set; the file system may not support it"),
            ));
        }
    }
    Ok(())
}

thread_local! {
    /// The waiting of this worker's connection; SQLite's handler takes no state of ours.
    static WAIT: RefCell<Option<Wait>> = const { RefCell::new(None) };
}

struct Wait {
    link: Arc<Link>,
    timeout: Duration,
    since: Instant,
}

/// As `busy_timeout`, but a dropped future ends the wait.
fn wait_for_locks(connection: &Connection, timeout: Duration, link: &Arc<Link>) -> rusqlite::Result<()> {
    let wait = Wait { link: Arc::clone(link), timeout, since: Instant::now() };
    WAIT.with_borrow_mut(|slot| *slot = Some(wait));
    connection.busy_handler(Some(|attempt| {
        WAIT.with_borrow_mut(|wait| wait.as_mut().is_some_and(|wait| wait.again(attempt)))
    }))
}

impl Wait {
    fn again(&mut self, attempt: i32) -> bool {
        if attempt == 0 {
            self.since = Instant::now();
        }
        let left = self.timeout.saturating_sub(self.since.elapsed());
        if left.is_zero() || self.link.is_halted() {
            return false;
        }
        let pause = Duration::from_millis(1 << attempt.clamp(0, 4));
        thread::sleep(pause.min(left));
        true
    }
}
