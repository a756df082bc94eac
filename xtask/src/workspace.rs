//! Where things are in the checkout.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The root of the checkout that this xtask was built from.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().map_or_else(|| package.to_owned(), Path::to_owned)
}

/// Whether the workspace has this crate.
pub(crate) fn has_crate(name: &str) -> bool {
    root().join(name).join("Cargo.toml").is_file()
}

/// The entries of a folder, sorted; nothing when the folder is not there.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = fs::read_dir(folder).with_context(|| format!("read the folder {}", folder.display()))?;
    let mut paths = read.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
