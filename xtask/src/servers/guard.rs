//! Servers end when xtask ends, however it ends.
//!
//! A guard, which is xtask again in a process of its own, waits for the end of its standard input, stops the servers
//! that the run's folder names and removes the folder. Its input ends when xtask returns, panics or is killed. A run whose
//! guard was killed too is cleaned by the next run.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// A folder with the data of one run; its lock is held as long as xtask lives.
pub(crate) struct Run {
    folder: PathBuf,
    guard: Child,
    _lock: File,
}

impl Run {
    /// Cleans up after runs that died, then starts a new one under `base`.
    pub(crate) fn start(base: &Path) -> Result<Self> {
        for old in crate::workspace::entries(base)? {
            if is_run(&old) && is_abandoned(&old) {
                clear(&old)?;
            }
        }
        let folder = base.join(format!("run-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join("lock"))?;
        lock.lock()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("guard").arg(&folder).process_group(0).stdin(Stdio::piped()).stdout(Stdio::null());
        let guard = command.spawn().context("start the guard")?;
        Ok(Self { folder, guard, _lock: lock })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Remembers a server to be stopped at the end.
    pub(crate) fn watch(&self, process: u32) -> Result<()> {
        let line = format!("{process} {}\n", started(process).unwrap_or_default());
        let mut file = OpenOptions::new().create(true).append(true).open(self.folder.join("servers"))?;
        Ok(file.write_all(line.as_bytes())?)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // Without the guard there is nobody else to do its work.
        let guarded = self.guard.wait().is_ok_and(|status| status.success());
        if !guarded && let Err(error) = clear(&self.folder) {
            eprintln!("xtask: {error:#}");
        }
    }
}

/// The guard's whole life.
pub(crate) fn guard(run: &Path) -> Result<()> {
    // A signal to all processes of a session ends xtask, and so this one's input.
    ctrlc::set_handler(|| ())?;
    // Only the end of the input counts, and a read error is one.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    clear(run)
}

fn is_run(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("run-"))
}

fn is_abandoned(run: &Path) -> bool {
    File::open(run.join("lock")).map_or(true, |lock| lock.try_lock().is_ok())
}

/// Stops the servers of a run and removes its folder.
fn clear(run: &Path) -> Result<()> {
    let list = fs::read_to_string(run.join("servers")).unwrap_or_default();
    let servers: Vec<Server> = list.lines().filter_map(Server::parse).collect();
    // PostgreSQL: INT disconnects the clients, QUIT stops without a checkpoint. MySQL and MariaDB: TERM.
    stop(&servers, &[Signal::SIGINT, Signal::SIGTERM], Duration::from_secs(20));
    stop(&servers, &[Signal::SIGQUIT], Duration::from_secs(5));
    stop(&servers, &[Signal::SIGKILL], Duration::from_secs(5));
    match fs::remove_dir_all(run) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("remove {}", run.display()))
        }
        _ => Ok(()),
    }
}

fn stop(servers: &[Server], signals: &[Signal], patience: Duration) {
    for server in servers.iter().filter(|server| server.is_alive()) {
        for signal in signals {
            // A server that has just ended is what was wanted. KILL also reaches helpers it started in its group.
            let _ = if *signal == Signal::SIGKILL {
                killpg(server.process, *signal)
            } else {
                kill(server.process, *signal)
            };
        }
    }
    let deadline = Instant::now() + patience;
    while servers.iter().any(Server::is_alive) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
}

/// A process and when it started: its number alone may have passed to a stranger.
struct Server {
    process: Pid,
    started: String,
}

impl Server {
    fn parse(line: &str) -> Option<Self> {
        let (process, started) = line.split_once(' ')?;
        Some(Self { process: Pid::from_raw(process.parse().ok()?), started: started.to_owned() })
    }

    fn is_alive(&self) -> bool {
        u32::try_from(self.process.as_raw()).ok().and_then(started).is_some_and(|started| started == self.started)
    }
}

/// The start time of a process that runs; a zombie does not.
fn started(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    let state = fields.next()?;
    if matches!(state, "Z" | "X") { None } else { fields.nth(18).map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_a_process_from_one_that_got_its_number() {
        let own = std::process::id();
        let alive = format!("{own} {}", started(own).unwrap());
        assert!(Server::parse(&alive).unwrap().is_alive());
        assert!(!Server::parse(&format!("{own} 1")).unwrap().is_alive());
        assert!(Server::parse("nonsense").is_none());
    }
}
