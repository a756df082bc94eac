//! What must not be in the sources: files longer than a sitting, and names that mean something on one machine only.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::workspace;

const MOST_LINES: usize = 400;

/// In parts, so that this file passes its own check: registry hosts and folders of one machine.
const FORBIDDEN: [&str; 8] = [
    concat!("..", "/shared"),
    concat!("/wo", "rk/"),
    concat!("crates", ".io"),
    concat!("deb.debian", ".org"),
    concat!("security.debian", ".org"),
    concat!("npmjs", ".org"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
];

/// Reads every file of the checkout but for build output; an error lists what was found.
pub(crate) fn run() -> Result<()> {
    let mut found = Vec::new();
    let root = workspace::root();
    walk(&root, &root, &mut found)?;
    if !found.is_empty() {
        bail!("in the sources:\n{}", found.join("\n"));
    }
    Ok(())
}

fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) -> Result<()> {
    for path in workspace::entries(folder)? {
        let name = path.file_name().unwrap_or_default();
        if path.is_symlink() || [".git", "target"].map(OsStr::new).contains(&name) {
            continue;
        }
        if path.is_dir() {
            walk(root, &path, found)?;
        } else if name != "Cargo.lock" {
            // A file that is not text has no lines to judge.
            let text = String::from_utf8(fs::read(&path)?).unwrap_or_default();
            judge(path.strip_prefix(root)?, &text, found);
        }
    }
    Ok(())
}

fn judge(path: &Path, text: &str, found: &mut Vec<String>) {
    let place = path.display();
    let has = |part: &str| path.components().any(|component| component.as_os_str() == part);
    let lines = text.lines().count();
    if path.extension() == Some(OsStr::new("rs")) && has("src") && !has("tests") && !has("xtask") && lines > MOST_LINES
    {
        found.push(format!("{place}: {lines} lines, more than {MOST_LINES}"));
    }
    for (index, line) in text.lines().enumerate() {
        let words = FORBIDDEN.iter().filter(|word| line.contains(**word));
        found.extend(words.map(|word| format!("{place}:{}: names {word}", index + 1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(path: &str, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        judge(Path::new(path), text, &mut found);
        found
    }

    #[test]
    fn long_files_are_found_in_sources_only() {
        let text = "\n".repeat(MOST_LINES + 1);
        assert_eq!(judged("arx/src/plan.rs", &text).len(), 1);
        assert!(judged("arx/tests/plan.rs", &text).is_empty());
        assert!(judged("arx/src/plan.rs", &text[1..]).is_empty());
    }

    #[test]
    fn names_of_one_machine_are_found_with_their_line() {
        let found = judged("README.md", &format!("fine\nsee {}/notes\n", FORBIDDEN[0]));
        assert_eq!(found, [format!("README.md:2: names {}", FORBIDDEN[0])]);
    }
}
