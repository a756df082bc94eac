//! The private database servers: which there are, and a fleet of running ones.
//!
//! Names of engines go in, URLs come out. Nothing is installed in the system: [`packages`] unpacks the servers into
//! `target/servers`, [`mod@guard`] makes sure they end, and each engine below is a set of files, options and a greeting.

mod apt;
mod guard;
mod mariadb;
mod mysql;
mod packages;
mod place;
mod postgres;
mod server;
mod sources;

use std::process::Command;
use std::thread;

use anyhow::{Result, anyhow, bail};

use self::guard::Run;
pub(crate) use self::guard::guard;
use self::packages::Recipe;
use self::place::Account;
pub(crate) use self::server::Server;
use self::server::Site;
pub(crate) use self::sources::Source;

/// One kind of database server.
pub(crate) trait Engine: Sync {
    /// What `--only` calls it.
    fn name(&self) -> &'static str;
    /// The environment variable that holds its URL.
    fn variable(&self) -> &'static str;
    /// The crate that speaks to it.
    fn dialect(&self) -> &'static str;
    /// The folder of its programs. Engines with the same packages may share one.
    fn home(&self) -> &'static str {
        self.name()
    }
    /// The packages it is unpacked from.
    fn recipe(&self) -> Recipe;
    /// Makes its data folder, with the user and the database `arx`.
    fn prepare(&self, site: &Site) -> Result<()>;
    /// The command that serves the data folder.
    fn serve(&self, site: &Site) -> Command;
    /// What its log says once it is ready.
    fn ready(&self) -> &'static str;
    /// What a client that opens a connection sends first.
    fn hello(&self) -> Vec<u8>;
    /// Whether these first bytes of the answer are those of a server that takes logins.
    fn welcomes(&self, answer: &[u8]) -> bool;
    /// The start of its URLs.
    fn scheme(&self) -> &'static str;
    /// Whether the conformance suite runs on it; else it is there for some tests of its dialect.
    fn has_suite(&self) -> bool {
        true
    }
    /// Whether the workspace has a dialect crate that needs it.
    fn is_due(&self) -> bool {
        crate::workspace::has_crate(self.dialect())
    }
}

/// Every engine, the oldest version of each product first: that one holds the product's URL variable.
pub(crate) static ENGINES: [&dyn Engine; 5] =
    [&postgres::POSTGRES_15, &postgres::POSTGRES_18, &mysql::MYSQL, &mysql::MYSQL_LOCK1, &mariadb::Mariadb];

/// The engines of these names, or those that `default` picks when there is no name.
pub(crate) fn select(only: &[String], default: impl Fn(&dyn Engine) -> bool) -> Result<Vec<&'static dyn Engine>> {
    if let Some(unknown) = only.iter().find(|name| !ENGINES.iter().any(|engine| engine.name() == *name)) {
        bail!("no server is called {unknown:?}: use {}", ENGINES.map(Engine::name).join(", "));
    }
    let wanted = |engine: &&dyn Engine| match only {
        [] => default(*engine),
        names => names.iter().any(|name| name == engine.name()),
    };
    Ok(ENGINES.into_iter().filter(wanted).collect())
}

/// Running servers, stopped when dropped.
pub(crate) struct Fleet {
    servers: Vec<Server>,
    // After the servers: their ends are seen before the guard is waited for.
    _run: Option<Run>,
}

impl Fleet {
    /// Installs and starts these engines side by side, but for those whose URL the environment has.
    pub(crate) fn start(engines: &[&'static dyn Engine]) -> Result<Self> {
        let mut servers: Vec<Server> = Vec::new();
        let mut missing = Vec::new();
        for engine in engines {
            match std::env::var(engine.variable()) {
                Ok(url) if servers.iter().all(|server| server.variable != engine.variable()) => {
                    servers.push(Server::given(*engine, url));
                }
                Ok(_) => {}
                Err(_) => missing.push(*engine),
            }
        }
        if missing.is_empty() {
            return Ok(Self { servers, _run: None });
        }
        let account = Account::pick()?;
        let base = place::base(account)?;
        packages::install(&base, &missing)?;
        let run = Run::start(&base)?;
        let start = |engine| Server::start(engine, &base, &run, account);
        let started: Vec<Result<Server>> = thread::scope(|scope| {
            let threads: Vec<_> = missing.iter().map(|engine| scope.spawn(move || start(*engine))).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join();
            threads
                .into_iter()
                .map(|thread| join(thread).unwrap_or_else(|_| Err(anyhow!("a start panicked"))))
                .collect()
        });
        for server in started {
            servers.push(server?);
        }
        Ok(Self { servers, _run: Some(run) })
    }

    /// The servers, in the order of [`ENGINES`].
    pub(crate) fn servers(&self) -> impl DoubleEndedIterator<Item = &Server> {
        self.servers.iter()
    }

    /// Fails when a server has ended by itself.
    pub(crate) fn check(&self) -> Result<()> {
        self.servers.iter().try_for_each(Server::check)
    }
}
