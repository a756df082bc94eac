//! What does not compile, and what the compiler then says.
#![allow(clippy::expect_used)]

use std::path::PathBuf;
use std::process::Command;

/// The toolchain whose wording the `.stderr` files have.
const PINNED: &str = "rustc 1.95.";

/// Above this a message does not help any more.
const MAX_LINES: usize = 25;

#[test]
fn wrong_structs_are_refused_with_advice() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8_lossy(&version.stdout);
    if !version.starts_with(PINNED) {
        eprintln!("skipped: the messages are those of {PINNED}, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/pass/*.rs");
    for topic in topics() {
        cases.compile_fail(topic.join("*.rs"));
    }
}

#[test]
fn every_message_is_short() {
    for topic in topics() {
        for file in files(&topic).into_iter().filter(|file| file.extension().is_some_and(|name| name == "stderr")) {
            let lines = std::fs::read_to_string(&file).expect("a readable file").lines().count();
            assert!(lines <= MAX_LINES, "{} has {lines} lines; {MAX_LINES} are the most", file.display());
        }
    }
}

/// The folders of programs that do not compile.
fn topics() -> Vec<PathBuf> {
    let folders = files(&PathBuf::from("tests/ui")).into_iter();
    folders.filter(|folder| folder.is_dir() && !folder.ends_with("pass")).collect()
}

fn files(folder: &PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of tests");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}
