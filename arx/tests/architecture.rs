//! What ARCHITECTURE.md names has to be there.

use std::path::Path;

/// The words in backticks that look like a path of the repository.
fn named_paths(text: &str) -> Vec<&str> {
    let words = text.split('`').skip(1).step_by(2);
    words
        .filter(|word| word.contains('/') && !word.contains(' ') && !word.contains("..") && !word.contains(':'))
        .collect()
}

#[test]
fn files_named_in_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let paths = named_paths(&text);
    assert!(paths.len() > 20, "only {} paths were found", paths.len());
    let is_there = |path: &&str| root.join(path).exists() || root.join("arx/src").join(path).exists();
    let missing: Vec<_> = paths.into_iter().filter(|path| !is_there(path)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names what is not there: {missing:?}");
}

#[test]
fn promises_are_numbered_from_1_to_13() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for promise in 1..=13 {
        assert!(text.lines().any(|line| line.starts_with(&format!("{promise}. "))), "promise {promise} is not listed");
    }
}
