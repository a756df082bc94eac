//! The claim "works on a bare Debian 12" put to the test.
//!
//! A root folder made by debootstrap gets a C compiler, this machine's Rust toolchain and a clean clone; then
//! `cargo xtask test` runs inside. How packages are reached (resolver, certificates, proxy) is copied from this machine
//! at run time, never kept in the repository.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::servers::Source;
use crate::{process, workspace};

const SUITE: &str = "bookworm";
/// Inside the root.
const CLONE: &str = "/arx";
const RUST: &str = "/opt/rust";

#[derive(Args)]
pub(crate) struct Options {
    /// The folder to make the root in; kept for the next time. Default: a folder under `target`.
    #[arg(long)]
    root: Option<PathBuf>,
    /// The repository to clone. Default: this one.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Run as an ordinary user instead of as root.
    #[arg(long)]
    as_user: bool,
    /// The xtask command to run. Default: `test`.
    #[arg(last = true)]
    rest: Vec<String>,
}

/// Makes the root if it is not there, clones, runs.
pub(crate) fn run(options: &Options) -> Result<()> {
    if !nix::unistd::geteuid().is_root() {
        bail!("a Debian root can only be made by root");
    }
    let root = options.root.clone().unwrap_or_else(|| workspace::root().join("target/bare"));
    let root = std::path::absolute(root)?;
    if !root.join("ready").is_file() {
        make_root(&root)?;
    }
    let _mounts = Mounts::new(&root)?;
    connect(&root)?;
    clone(&root, options.from.as_deref().unwrap_or(&workspace::root()))?;
    let mut command = enter(&root, options.as_user);
    command.args(["cargo", "xtask"]).args(&options.rest);
    if options.rest.is_empty() {
        command.arg("test");
    }
    process::run(&mut command).context("in the bare root")
}

fn make_root(root: &Path) -> Result<()> {
    if !Path::new("/usr/sbin/debootstrap").exists() {
        process::run(Command::new("apt-get").args(["install", "-y", "debootstrap"]))?;
    }
    if root.exists() {
        fs::remove_dir_all(root)?;
    }
    fs::create_dir_all(root)?;
    let mirror = Source::system()?.mirror().to_owned();
    process::run(Command::new("debootstrap").args(["--variant=minbase", SUITE]).arg(root).arg(mirror))?;
    connect(root)?;
    let _mounts = Mounts::new(root)?;
    process::run(enter(root, false).args(["apt-get", "update"]))?;
    let install = ["apt-get", "install", "-y", "--no-install-recommends", "gcc", "libc6-dev"];
    process::run(enter(root, false).args(install).env("DEBIAN_FRONTEND", "noninteractive"))?;
    let sysroot = process::output(Command::new("rustc").args(["--print", "sysroot"]), "")?;
    process::run(Command::new("cp").arg("-a").arg(sysroot.trim()).arg(inside(root, RUST)))?;
    process::run(enter(root, false).args(["useradd", "--create-home", "developer"]))?;
    Ok(fs::write(root.join("ready"), "")?)
}

/// What reaching packages takes on this machine.
fn connect(root: &Path) -> Result<()> {
    for file in ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"] {
        copy(Path::new(file), &inside(root, file))?;
    }
    for file in workspace::entries(Path::new("/etc/apt/apt.conf.d"))? {
        if fs::read_to_string(&file).is_ok_and(|text| text.contains("Proxy") || text.contains("CaInfo")) {
            copy(&file, &inside(root, &file.display().to_string()))?;
        }
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    if let Some(config) = home.map(|home| home.join("config.toml")) {
        copy(&config, &inside(root, "/.cargo/config.toml"))?;
    }
    Ok(())
}

/// Copies a file, if it is there.
fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_file() {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    // The old one may be a link to a place that is not in the root.
    if to.is_symlink() {
        fs::remove_file(to)?;
    }
    fs::copy(from, to).with_context(|| format!("copy {}", from.display()))?;
    Ok(())
}

fn clone(root: &Path, from: &Path) -> Result<()> {
    let to = inside(root, CLONE);
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    process::run(Command::new("git").args(["clone", "--quiet", "--no-local"]).arg(from).arg(&to))?;
    process::run(enter(root, false).args(["chown", "-R", "developer:developer", CLONE]))
}

/// A command in the root, with a bare environment.
fn enter(root: &Path, as_user: bool) -> Command {
    let mut command = Command::new("/usr/sbin/chroot");
    if as_user {
        command.arg("--userspec=developer:developer");
    }
    let folder = if inside(root, CLONE).exists() { CLONE } else { "/" };
    command.arg(root).args(["/usr/bin/env", "--chdir", folder]).env_clear();
    command.env("PATH", format!("{RUST}/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
    command.env("HOME", if as_user { "/home/developer" } else { "/root" }).env("CI", "true");
    command.env("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt");
    command.envs(std::env::vars_os().filter(|(name, _)| is_proxy(name)));
    command
}

fn is_proxy(name: &OsString) -> bool {
    name.to_string_lossy().to_ascii_lowercase().ends_with("_proxy")
}

/// An absolute path seen from outside the root.
fn inside(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}

/// The kernel's file systems in the root, taken away when dropped.
struct Mounts(Vec<PathBuf>);

impl Mounts {
    fn new(root: &Path) -> Result<Self> {
        let mut mounts = Self(Vec::new());
        for (kind, name) in [("proc", "proc"), ("devtmpfs", "dev"), ("tmpfs", "dev/shm")] {
            let folder = root.join(name);
            fs::create_dir_all(&folder)?;
            let mut command = Command::new("mount");
            if kind == "devtmpfs" {
                command.args(["--bind", "/dev"]);
            } else {
                command.args(["-t", kind, kind]);
            }
            process::run(command.arg(&folder))?;
            mounts.0.push(folder);
        }
        Ok(mounts)
    }
}

impl Drop for Mounts {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // Not through `process`, which refuses to start anything once a signal has come.
            let unmounted = Command::new("umount").arg(folder).status();
            if !unmounted.is_ok_and(|status| status.success()) {
                eprintln!("xtask: {} is still mounted", folder.display());
            }
        }
    }
}
