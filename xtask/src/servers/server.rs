//! One server: started, waited for, watched.
//!
//! An engine goes in; a URL that takes logins comes out, or the last lines of the log that tell why not.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::guard::Run;
use super::place::{self, Account};
use super::{Engine, packages};
use crate::process;

const PATIENCE: Duration = Duration::from_secs(120);
const TRIES: usize = 3;

/// Where a server finds its programs and puts its files.
pub(crate) struct Site {
    pub(crate) prefix: PathBuf,
    /// A folder of the server's own user.
    pub(crate) folder: PathBuf,
    pub(crate) account: Account,
    pub(crate) password: String,
    pub(crate) port: u16,
}

impl Site {
    /// A command of the engine, with nothing of xtask's environment but the path.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = self.account.command(&self.prefix.join(program));
        command.current_dir(&self.folder).env_clear().stdin(Stdio::null());
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("LC_ALL", "C.UTF-8");
        // A server that starts clears its folder for temporary files: it must not be another's.
        command.env("TMPDIR", &self.folder);
        command
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The folder for the unix socket, when its path is short enough to be one (107 bytes with the name).
    pub(crate) fn sockets(&self) -> Option<&Path> {
        Some(self.folder.as_path()).filter(|folder| folder.as_os_str().len() < 85)
    }
}

/// A server that takes logins.
pub(crate) struct Server {
    pub(crate) name: &'static str,
    pub(crate) variable: &'static str,
    pub(crate) dialect: &'static str,
    pub(crate) has_suite: bool,
    pub(crate) url: String,
    pub(crate) log: PathBuf,
    ended: Arc<OnceLock<String>>,
}

impl Server {
    /// A server that somebody else started.
    pub(crate) fn given(engine: &dyn Engine, url: String) -> Self {
        Self::new(engine, url, PathBuf::from("not kept here"))
    }

    fn new(engine: &dyn Engine, url: String, log: PathBuf) -> Self {
        let (name, variable, dialect) = (engine.name(), engine.variable(), engine.dialect());
        Self { name, variable, dialect, has_suite: engine.has_suite(), url, log, ended: Arc::default() }
    }

    /// Starts an engine on a free port and waits until it takes logins.
    pub(crate) fn start(engine: &dyn Engine, base: &Path, run: &Run, account: Account) -> Result<Self> {
        let folder = run.folder().join(engine.name());
        account.make_folder(&folder)?;
        let (prefix, password) = (packages::prefix(base, engine), place::password()?);
        let mut site = Site { prefix, folder, account, password, port: 0 };
        engine.prepare(&site).with_context(|| format!("prepare {}", engine.name()))?;
        for _ in 1..TRIES {
            site.port = free_port()?;
            match Self::launch(engine, &site, run) {
                // Another process took the port between the look and the start.
                Err(error) if format!("{error:#}").contains("ddress already in use") => {}
                other => return other,
            }
        }
        site.port = free_port()?;
        Self::launch(engine, &site, run)
    }

    fn launch(engine: &dyn Engine, site: &Site, run: &Run) -> Result<Self> {
        let url = format!("{}://arx:{}@127.0.0.1:{}/arx", engine.scheme(), site.password, site.port);
        let server = Self::new(engine, url, run.folder().join(format!("{}.log", engine.name())));
        let log = File::create(&server.log)?;
        let mut command = engine.serve(site);
        command.stdout(log.try_clone()?).stderr(log).process_group(0);
        let mut child = command.spawn().with_context(|| format!("start {}", engine.name()))?;
        run.watch(child.id())?;
        let ended = Arc::clone(&server.ended);
        // Also collects the process, so that the guard sees its end.
        thread::spawn(move || ended.set(child.wait().map_or_else(|error| error.to_string(), describe)));
        server.wait(engine, site.port)?;
        Ok(server)
    }

    fn wait(&self, engine: &dyn Engine, port: u16) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            process::check_stop()?;
            self.check()?;
            if self.log_text().contains(engine.ready()) && takes_logins(engine, port) {
                return Ok(());
            }
            if Instant::now() > deadline {
                bail!("{} is not ready after {PATIENCE:?}\n{}", self.name, self.last_lines());
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Fails when the server has ended by itself.
    pub(crate) fn check(&self) -> Result<()> {
        match self.ended.get() {
            Some(how) => bail!("{} ended by itself ({how})\n{}", self.name, self.last_lines()),
            None => Ok(()),
        }
    }

    fn log_text(&self) -> String {
        let bytes = fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn last_lines(&self) -> String {
        let text = self.log_text();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(25)..].join("\n")
    }
}

fn describe(status: ExitStatus) -> String {
    status.to_string()
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn takes_logins(engine: &dyn Engine, port: u16) -> bool {
    let greet = || -> std::io::Result<Vec<u8>> {
        let mut stream =
            TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)), Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        stream.write_all(&engine.hello())?;
        let mut answer = [0_u8; 5];
        stream.read_exact(&mut answer)?;
        Ok(answer.to_vec())
    };
    greet().is_ok_and(|answer| engine.welcomes(&answer))
}
