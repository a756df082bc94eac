//! Each feature of `arx` compiles alone, and so does none: features that lean on each other break for users first.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::{process, workspace};

/// Checks `arx` with no feature, and with each alone.
pub(crate) fn run() -> Result<()> {
    let manifest = workspace::root().join("arx").join("Cargo.toml");
    let text = fs::read_to_string(&manifest).with_context(|| format!("read {}", manifest.display()))?;
    let mut broken = Vec::new();
    for feature in std::iter::once("").chain(features(&text)) {
        let mut command = process::cargo(["check", "--quiet", "--package", "arx", "--no-default-features"]);
        let shown = if feature.is_empty() { "no feature" } else { feature };
        println!("arx with {shown}");
        if !process::succeeds(command.args(["--features", feature]))? {
            broken.push(shown);
        }
    }
    if !broken.is_empty() {
        bail!("arx does not compile with: {}", broken.join(", "));
    }
    Ok(())
}

/// The names in the `[features]` table of a manifest.
fn features(manifest: &str) -> impl Iterator<Item = &str> {
    let table = manifest.lines().skip_while(|line| line.trim() != "[features]").skip(1);
    let lines = table.take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once('=')).map(|(name, _)| name.trim()).filter(|name| !name.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::features;

    #[test]
    fn reads_the_features_table_only() {
        let manifest =
            "[package]\nname = \"a\"\n[features]\ndefault = [\n  \"one\",\n]\n# two = []\none = []\n\n[lints]\nx = 1";
        assert_eq!(features(manifest).collect::<Vec<_>>(), ["default", "one"]);
        assert_eq!(features("[package]\nname = \"a\"").count(), 0);
    }
}
