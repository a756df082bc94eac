//! A kept run as files for people: Markdown for each database, one HTML page for all.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Recorded;
use super::document::{document, headline};
use super::page::{Part, html, markdown};
use crate::gate::Gates;

/// Writes `<date>-<database>.md` for each database of the run, `<date>.html`, and `headline.svg`; yields the files.
///
/// # Errors
/// When a file cannot be written.
pub fn publish(run: &Recorded, gates: &Gates, folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let day = run.date.get(..10).unwrap_or(&run.date);
    let mut files = Vec::new();
    let mut reports: Vec<(String, Vec<Part>)> = Vec::new();
    for (database, version) in &run.servers {
        let is_measured = run.measured.iter().any(|measured| measured.database == *database);
        let mut parts = if is_measured { document(run, *database, gates)? } else { Vec::new() };
        parts.extend(super::batches::parts(run, *database));
        let name = format!("{database:?}").to_lowercase();
        let title = format!("arx on {version}");
        files.push(write(folder.join(format!("{day}-{name}.md")), &markdown(&title, &parts))?);
        reports.push((title, parts));
    }
    files.push(write(folder.join("headline.svg"), &headline(run, gates)?)?);
    files.push(write(folder.join(format!("{day}.html")), &html(&format!("arx benchmarks, {day}"), &reports))?);
    Ok(files)
}

fn write(path: PathBuf, text: &str) -> Result<PathBuf> {
    fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    Ok(path)
}
