//! Servers unpacked into a folder of their own, which stays for the next run.
//!
//! Each program is wrapped so that it runs on the C library and the libraries unpacked beside it: a PostgreSQL 18 built
//! for the newest Debian runs on an older one, and nothing of the machine is used. The wrapper finds the folder from its
//! own path, so the folder can be moved.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use super::Engine;
use super::apt::Apt;
use super::sources::Source;
use crate::{process, workspace};

/// Written last: an installation without it, or by another recipe, is done anew.
const MARKER: &str = "installed-by-xtask";
const TRIES: u64 = 3;

/// What an engine is unpacked from.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) suite: &'static str,
    pub(crate) packages: &'static [&'static str],
    /// The programs to wrap, relative to the folder.
    pub(crate) programs: &'static [&'static str],
}

/// The folder an engine is unpacked in.
pub(crate) fn prefix(base: &Path, engine: &dyn Engine) -> PathBuf {
    base.join(engine.home())
}

/// Installs what is missing, a suite at a time and the suites side by side.
pub(crate) fn install(base: &Path, engines: &[&'static dyn Engine]) -> Result<()> {
    // Two runs in one checkout must not unpack into the same folder.
    let lock = File::create(base.join("lock"))?;
    lock.lock()?;
    let mut suites: BTreeMap<&str, Vec<&dyn Engine>> = BTreeMap::new();
    for engine in engines.iter().filter(|engine| !is_installed(base, **engine)) {
        suites.entry(engine.recipe().suite).or_default().push(*engine);
    }
    if suites.is_empty() {
        return Ok(());
    }
    let source = Source::system()?;
    thread::scope(|scope| {
        let source = &source;
        let spawn = |(suite, engines)| scope.spawn(move || install_suite(base, source, suite, engines));
        let threads: Vec<_> = suites.into_iter().map(spawn).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("an installation panicked"))?)
    })
}

fn is_installed(base: &Path, engine: &dyn Engine) -> bool {
    fs::read_to_string(prefix(base, engine).join(MARKER)).is_ok_and(|text| text == mark(engine))
}

fn mark(engine: &dyn Engine) -> String {
    format!("{:#?}\n", engine.recipe())
}

fn install_suite(base: &Path, source: &Source, suite: &str, engines: Vec<&dyn Engine>) -> Result<()> {
    let folder = base.join(format!("apt-{suite}"));
    let mut attempt = 0;
    loop {
        attempt += 1;
        // The lists are fetched anew for each try: a mirror that moves on between the two steps answers "not found".
        let tried = Apt::new(&folder, source, suite)
            .and_then(|apt| engines.iter().try_for_each(|engine| install_engine(base, &apt, *engine)));
        match tried {
            Ok(()) => break,
            Err(error) if attempt == TRIES => {
                return Err(error.context(format!("install servers from {suite}")));
            }
            Err(error) => {
                eprintln!("xtask: try {attempt} to install from {suite} failed: {error:#}")
            }
        }
        process::check_stop()?;
        thread::sleep(Duration::from_secs(2 * attempt));
    }
    Ok(fs::remove_dir_all(folder)?)
}

fn install_engine(base: &Path, apt: &Apt, engine: &dyn Engine) -> Result<()> {
    let (prefix, recipe) = (prefix(base, engine), engine.recipe());
    if is_installed(base, engine) {
        return Ok(());
    }
    eprintln!("xtask: installing {} into {}", engine.name(), prefix.display());
    if prefix.exists() {
        fs::remove_dir_all(&prefix)?;
    }
    fs::create_dir_all(&prefix)?;
    for package in apt.download(recipe.packages)? {
        process::output(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&prefix), "")?;
    }
    let libraries = libraries(&prefix)?;
    for program in recipe.programs {
        wrap(&prefix, program, &libraries).with_context(|| format!("wrap {program}"))?;
    }
    fs::write(prefix.join(MARKER), mark(engine))?;
    Ok(())
}

/// The loader and the folders with libraries, relative to the prefix.
struct Libraries {
    loader: String,
    folders: Vec<String>,
}

fn libraries(prefix: &Path) -> Result<Libraries> {
    let mut found = Libraries { loader: String::new(), folders: Vec::new() };
    for parent in ["usr/lib", "lib"] {
        for folder in workspace::entries(&prefix.join(parent))? {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !name.ends_with("-linux-gnu") {
                continue;
            }
            found.folders.push(format!("{parent}/{name}"));
            for file in workspace::entries(&folder)? {
                let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if file.starts_with("ld-linux") {
                    found.loader = format!("{parent}/{name}/{file}");
                }
            }
        }
    }
    if found.loader.is_empty() {
        bail!("no dynamic loader in {}", prefix.display());
    }
    Ok(found)
}

/// LOCPATH: the C.UTF-8 locale is a file, too. `--argv0`: PostgreSQL finds its files from the name it was called by.
fn wrap(prefix: &Path, program: &str, libraries: &Libraries) -> Result<()> {
    let path = prefix.join(program);
    let inner = path.with_extension("elf");
    fs::rename(&path, &inner)?;
    let folders: Vec<String> = libraries.folders.iter().map(|folder| format!("$P/{folder}")).collect();
    let script = format!(
        "#!/bin/sh\nP=${{0%/{program}}}\nexport LOCPATH=\"$P/usr/lib/locale\"\n\
         exec \"$P/{loader}\" --inhibit-cache --library-path \"{folders}\" --argv0 \"$0\" \"$P/{program}.elf\" \"$@\"\n",
        loader = libraries.loader,
        folders = folders.join(":"),
    );
    fs::write(&path, script)?;
    fs::set_permissions(&path, Permissions::from_mode(0o755))?;
    Ok(())
}
