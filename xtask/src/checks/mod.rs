//! What every change must pass: `cargo xtask ci`.
//!
//! Every check runs, whatever the ones before it said, so that one run tells all that is wrong. The tests come last.

mod features;
mod gate;

use anyhow::{Result, bail};

use crate::{process, testing};

type Check = (&'static str, fn() -> Result<()>);

const CHECKS: [Check; 6] = [
    ("format", || process::run(&mut process::cargo(["fmt", "--all", "--check"]))),
    ("sources", gate::run),
    ("clippy", clippy),
    ("docs", docs),
    ("features", features::run),
    ("tests", || testing::run(&[], &[])),
];

/// Runs every check; an error names those that failed.
pub(crate) fn run() -> Result<()> {
    let mut failed = Vec::new();
    for (name, check) in CHECKS {
        println!("\n==> check: {name}");
        if let Err(error) = check() {
            eprintln!("xtask: {error:#}");
            failed.push(name);
        }
        process::check_stop()?;
    }
    if !failed.is_empty() {
        bail!("these checks failed: {}", failed.join(", "));
    }
    Ok(())
}

fn clippy() -> Result<()> {
    process::run(&mut process::cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn docs() -> Result<()> {
    process::run(process::cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}
