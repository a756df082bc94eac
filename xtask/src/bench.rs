//! The benchmark runner with the servers it needs, and its quick mode as a test.

use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::report::Report;
use crate::servers::{self, Fleet, Server};

const PACKAGE: &str = "arx-benches";

/// Runs the runner. It measures one server of a kind: the first PostgreSQL that was started.
pub(crate) fn run(only: &[String], own: bool, rest: &[String]) -> Result<()> {
    let reads_only = rest.first().is_some_and(|word| ["verify", "report"].contains(&word.as_str()));
    let engines = match only {
        _ if reads_only => Vec::new(),
        [none] if none == "none" => Vec::new(),
        [] => servers::select(&[], |engine| engine.name() != "postgres18" && engine.has_suite() && engine.is_due())?,
        _ => servers::select(only, |_| true)?,
    };
    let fleet = Fleet::start(&engines)?;
    let mut command = runner(&["--release"], !own && !reads_only);
    command.args(rest);
    for server in fleet.servers().rev() {
        command.env(server.variable, &server.url);
    }
    if !process::succeeds(&mut command)? {
        bail!("the benchmark runner failed");
    }
    Ok(())
}

/// Runs every case of every contender once with its checks, on SQLite and on the first server of each product.
pub(crate) fn quick(servers: &[&Server], report: &mut Report) -> Result<()> {
    let mut databases = vec!["sqlite"];
    let mut command = runner(&["--quiet"], true);
    for server in servers.iter().rev() {
        command.env(server.variable, &server.url);
    }
    for (variable, database) in
        [("ARX_POSTGRES_URL", "postgres"), ("ARX_MYSQL_URL", "mysql"), ("ARX_MARIADB_URL", "mariadb")]
    {
        if servers.iter().any(|server| server.variable == variable) {
            databases.push(database);
        }
    }
    command.args(["--quick", "--trials", "1", "--database", &databases.join(",")]);
    report.test("benchmarks, quick", || process::succeeds(&mut command))
}

fn runner(options: &[&str], rivals: bool) -> Command {
    let mut command = process::cargo(["run", "--package", PACKAGE, "--bin", "runner"]);
    command.args(options);
    if rivals {
        command.args(["--features", "rivals"]);
    }
    command.arg("--");
    command
}
