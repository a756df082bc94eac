//! The raw samples, for programs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::Pair;
use crate::measure::Measured;

#[derive(Serialize)]
struct Run<'a> {
    date: String,
    arguments: Vec<String>,
    processors: usize,
    measured: &'a [Measured],
    pairs: &'a [Pair],
}

/// Writes a run to `<folder>/<date>.json`; yields the file.
///
/// # Errors
/// When the file cannot be written.
pub fn write(folder: &Path, date: DateTime<Utc>, measured: &[Measured], pairs: &[Pair]) -> Result<PathBuf> {
    let run = Run {
        date: date.to_rfc3339(),
        arguments: std::env::args().skip(1).collect(),
        processors: std::thread::available_parallelism().map_or(0, usize::from),
        measured,
        pairs,
    };
    let path = folder.join(format!("{}.json", date.format("%Y-%m-%dT%H%M%SZ")));
    fs::write(&path, serde_json::to_string(&run)?).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}
