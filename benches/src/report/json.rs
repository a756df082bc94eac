//! The raw samples, for programs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};

use super::Pair;
use crate::batches::Cut;
use crate::case::Database;
use crate::contender::ARX;
use crate::machine::Machine;
use crate::measure::Measured;
use crate::options::Judge;

/// A run, as it is kept.
#[derive(Serialize)]
pub struct Run<'a> {
    /// When it ended.
    #[serde(serialize_with = "as_text")]
    pub date: DateTime<Utc>,
    /// How the runner was called.
    pub arguments: Vec<String>,
    /// Where.
    pub machine: Machine,
    /// The products and versions.
    pub servers: &'a [(Database, String)],
    /// What the gates were on, if there were any.
    pub judge: Option<Judge>,
    /// The samples.
    pub measured: &'a [Measured],
    /// The samples of batches.
    pub cuts: &'a [Cut],
    /// What was made of them.
    pub pairs: &'a [Pair],
}

/// A run that was kept: the samples, and as plain JSON what was made of them.
#[derive(Deserialize)]
pub struct Recorded {
    /// When it ended.
    pub date: String,
    /// How the runner was called.
    pub arguments: Vec<String>,
    /// Where.
    pub machine: Machine,
    /// The products and versions.
    pub servers: Vec<(Database, String)>,
    /// What the gates were on, if there were any.
    pub judge: Option<Judge>,
    /// The samples.
    pub measured: Vec<Measured>,
    /// The samples of batches.
    #[serde(default)]
    pub cuts: Vec<Cut>,
    /// What was made of them.
    pub pairs: Vec<serde_json::Value>,
}

impl Recorded {
    /// What was measured of contenders that are not yet here in this case.
    fn new_in(&self, mut more: Measured) -> Option<Measured> {
        let same: Vec<&Measured> =
            self.measured.iter().filter(|known| (known.database, known.case) == (more.database, more.case)).collect();
        let is_new = |name: &str| !same.iter().any(|known| known.series.iter().any(|series| series.contender == name));
        more.series.retain(|series| series.contender == ARX || is_new(&series.contender));
        (more.series.len() > 1).then_some(more)
    }

    /// Runs of one machine as one: the matrix, tables that grow, many tasks. Of what several have measured, the first
    /// counts.
    ///
    /// # Errors
    /// When there is none, or they are of other machines or judged by other clocks.
    pub fn joined(runs: Vec<Self>) -> Result<Self> {
        let mut runs = runs.into_iter();
        let mut whole = runs.next().context("no run")?;
        for run in runs {
            ensure!(run.machine.is_like(&whole.machine) && run.judge == whole.judge, "the runs cannot be compared");
            whole.arguments.push(";".to_owned());
            whole.arguments.extend(run.arguments);
            let servers = run.servers.into_iter().filter(|server| !whole.servers.contains(server));
            whole.servers.extend(servers.collect::<Vec<_>>());
            let measured: Vec<Measured> = run.measured.into_iter().filter_map(|more| whole.new_in(more)).collect();
            whole.measured.extend(measured);
            whole.pairs.extend(run.pairs);
        }
        Ok(whole)
    }
}

fn as_text<S: Serializer>(date: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&date.to_rfc3339())
}

/// Writes a run to `<folder>/<date>.json`; yields the file.
///
/// # Errors
/// When the file cannot be written.
pub fn write(folder: &Path, run: &Run<'_>) -> Result<PathBuf> {
    let path = folder.join(format!("{}.json", run.date.format("%Y-%m-%dT%H%M%SZ")));
    fs::write(&path, serde_json::to_string(run)?).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}

/// Reads a run.
///
/// # Errors
/// When the file cannot be read, or is of another version.
pub fn read(path: &Path) -> Result<Recorded> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not a run of this runner", path.display()))
}

/// The newest run in the folder.
///
/// # Errors
/// When there is none.
pub fn newest(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    // The names are dates.
    let newest = files.filter(|path| path.extension().is_some_and(|extension| extension == "json")).max();
    newest.with_context(|| format!("no run in {}", folder.display()))
}
