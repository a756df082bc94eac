//! The examples are run, not only compiled.
//!
//! Each runs without arguments, on the database in memory, and on each server where it takes `--database`. An example
//! that cannot run alone says so in a line `// not run by xtask: <reason>`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::process;
use crate::report::Report;
use crate::servers::Server;
use crate::workspace;

const NOT_RUN: &str = "// not run by xtask: ";
const PACKAGE: &str = "arx-examples";

/// Runs every example alone, if `alone`, and on each server.
pub(crate) fn run(servers: &[&Server], alone: bool, report: &mut Report) -> Result<()> {
    for example in list()? {
        let text = fs::read_to_string(&example.path)?;
        if let Some(reason) = text.lines().find_map(|line| line.strip_prefix(NOT_RUN)) {
            println!("\n==> example {}: not run: {reason}", example.name);
            continue;
        }
        if alone {
            run_one(&example.name, "", &[], report)?;
        }
        if text.contains("--database") {
            for server in servers.iter().filter(|server| server.has_suite) {
                let mut arguments = vec!["--database", server.url.as_str()];
                if text.contains("--rows") {
                    arguments.extend(["--rows", "1000"]);
                }
                run_one(&example.name, server.name, &arguments, report)?;
            }
        }
    }
    Ok(())
}

fn run_one(name: &str, server: &str, arguments: &[&str], report: &mut Report) -> Result<()> {
    let mut command = process::cargo(["run", "--quiet", "--package", PACKAGE, "--example", name, "--"]);
    command.args(arguments);
    let place = if server.is_empty() { String::new() } else { format!(" on {server}") };
    report.test(&format!("example {name}{place}"), || process::succeeds(&mut command))
}

struct Example {
    name: String,
    path: PathBuf,
}

/// Cargo finds examples in a package's `examples` folder; a manifest may also name files beside it.
fn list() -> Result<Vec<Example>> {
    let package = workspace::root().join("examples");
    let mut found = Vec::new();
    for path in workspace::entries(&package)?.into_iter().chain(workspace::entries(&package.join("examples"))?) {
        let main = path.join("main.rs");
        let is_program = path.parent().is_some_and(|parent| parent.ends_with("examples/examples")) && main.is_file();
        if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(Example { name: stem(&path), path });
        } else if is_program {
            found.push(Example { name: stem(&path), path: main });
        }
    }
    Ok(found)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
