//! Commands that end when xtask is told to end.
//!
//! Each command gets a process group of its own, so that Ctrl-C reaches xtask alone: xtask stops the commands, their
//! callers see a failure, and the servers are stopped on the way out like on any other failure.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

static STOPPED: AtomicBool = AtomicBool::new(false);
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Makes SIGINT, SIGTERM and SIGHUP stop the running commands; a second one ends xtask at once.
pub(crate) fn stop_on_signals() -> Result<()> {
    ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        for group in RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            // A group that has just ended is no error.
            let _ = killpg(*group, Signal::SIGTERM);
        }
    })
    .context("handle signals")
}

/// Fails once xtask has been told to stop.
pub(crate) fn check_stop() -> Result<()> {
    if STOPPED.load(Ordering::SeqCst) {
        bail!("stopped by a signal");
    }
    Ok(())
}

/// Waits for the signal to stop, as long as `check` finds nothing wrong.
pub(crate) fn wait_for_stop(check: impl Fn() -> Result<()>) -> Result<()> {
    while check_stop().is_ok() {
        check()?;
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// The cargo that runs this xtask, in the root of the workspace.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(crate::workspace::root());
    command
}

/// Runs the command with xtask's own output; whether it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> Result<bool> {
    let mut running = Running::spawn(command)?;
    Ok(running.wait()?.success())
}

/// Runs the command with xtask's own output; its failure is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    if !succeeds(command)? {
        bail!("{} failed", describe(command));
    }
    Ok(())
}

/// Runs the command with `input`; what it printed, or an error that quotes it.
pub(crate) fn output(command: &mut Command, input: &str) -> Result<String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running::spawn(command)?;
    let mut stdin = running.child.stdin.take().context("no stdin")?;
    let stdout = read_all(running.child.stdout.take());
    let stderr = read_all(running.child.stderr.take());
    let input = input.to_owned();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let status = running.wait()?;
    // A command that ends before it has read its input breaks the pipe; its status tells.
    let _ = writer.join();
    let (stdout, stderr) = (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
    if !status.success() {
        bail!("{} failed ({status})\n{stdout}{stderr}", describe(command));
    }
    Ok(stdout)
}

/// Runs the command, shows what it prints, and hands each line of its standard output to `each`.
pub(crate) fn tee(command: &mut Command, mut each: impl FnMut(&str)) -> Result<bool> {
    let mut running = Running::spawn(command.stdout(Stdio::piped()))?;
    let mut lines = BufReader::new(running.child.stdout.take().context("no stdout")?);
    let (mut line, mut shown) = (Vec::new(), std::io::stdout());
    while lines.read_until(b'\n', &mut line)? > 0 {
        shown.write_all(&line)?;
        each(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(running.wait()?.success())
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The command line without its arguments' values, which may hold a password.
fn describe(command: &Command) -> String {
    let first = command.get_args().next().unwrap_or_default();
    format!("{} {}", command.get_program().display(), first.display())
}

/// A command that signals reach while it runs.
struct Running {
    child: Child,
    group: Pid,
}

impl Running {
    fn spawn(command: &mut Command) -> Result<Self> {
        check_stop()?;
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let spawned = command.process_group(0).spawn();
        let child = spawned.with_context(|| format!("start {}", command.get_program().display()))?;
        let group = Pid::from_raw(i32::try_from(child.id())?);
        running.push(group);
        Ok(Self { child, group })
    }

    fn wait(&mut self) -> Result<std::process::ExitStatus> {
        let status = self.child.wait()?;
        check_stop()?;
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|group| *group != self.group);
    }
}
