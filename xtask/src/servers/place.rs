//! Where servers live and who runs them.
//!
//! PostgreSQL refuses to run as root, so root runs all servers as `nobody`. That user must be able to reach the folder:
//! a checkout under root's home is closed to it, and a folder under the temporary one is used instead.

use std::fs::{self, DirBuilder, File};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use nix::unistd::{User, geteuid};

/// The user that servers run as: `None` is the one that runs xtask.
#[derive(Clone, Copy)]
pub(crate) struct Account(Option<(u32, u32)>);

impl Account {
    /// `nobody` for root, else the user itself.
    pub(crate) fn pick() -> Result<Self> {
        if !geteuid().is_root() {
            return Ok(Self(None));
        }
        let user = User::from_name("nobody")?.context("no user `nobody` to run the servers as")?;
        Ok(Self(Some((user.uid.as_raw(), user.gid.as_raw()))))
    }

    /// A command that this user runs.
    pub(crate) fn command(self, program: &Path) -> Command {
        let mut command = Command::new(program);
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
        command
    }

    /// Makes a folder that only this user can read.
    pub(crate) fn make_folder(self, path: &Path) -> Result<()> {
        DirBuilder::new().mode(0o700).create(path).with_context(|| format!("make {}", path.display()))?;
        self.own(path)
    }

    /// Writes a file that only this user can read.
    pub(crate) fn write_file(self, path: &Path, text: &str) -> Result<()> {
        fs::write(path, text).with_context(|| format!("write {}", path.display()))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        self.own(path)
    }

    fn own(self, path: &Path) -> Result<()> {
        if let Some((user, group)) = self.0 {
            chown(path, Some(user), Some(group)).with_context(|| format!("chown {}", path.display()))?;
        }
        Ok(())
    }

    fn reaches(self, path: &Path) -> bool {
        self.0.is_none() || path.ancestors().all(|part| fs::metadata(part).map_or(true, |meta| meta.mode() & 0o1 != 0))
    }
}

/// The folder for installed servers and runs: `ARX_SERVERS_DIR`, else `target/servers`, else one in the temporary folder.
pub(crate) fn base(account: Account) -> Result<PathBuf> {
    let usual = crate::workspace::root().join("target").join("servers");
    let path = match std::env::var_os("ARX_SERVERS_DIR") {
        Some(path) => std::path::absolute(path)?,
        None if account.reaches(&usual) => usual,
        None => std::env::temp_dir().join(format!("arx-servers-{}", geteuid())),
    };
    DirBuilder::new().mode(0o755).recursive(true).create(&path)?;
    // The temporary folder is open to all: a stranger could have made this one first.
    if fs::metadata(&path)?.uid() != geteuid().as_raw() {
        bail!("{} belongs to another user", path.display());
    }
    if !account.reaches(&path) {
        bail!("user nobody cannot reach {}: open it or set ARX_SERVERS_DIR", path.display());
    }
    Ok(path)
}

/// A password nobody can guess, safe in a URL and in SQL.
pub(crate) fn password() -> Result<String> {
    let mut bytes = [0_u8; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
