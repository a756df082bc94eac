//! What a test run is: every test of the workspace, against every database, and every example.
//!
//! Names of databases go in; the report that comes out tells, for each database, how many conformance cases ran and
//! which were skipped. A database that should have been tested and was not is a failure.

use anyhow::Result;

use crate::bench;
use crate::examples;
use crate::process;
use crate::report::Report;
use crate::servers::{self, Fleet, Server};
use crate::workspace;

const SQLITE: &str = "sqlite";

/// One `cargo test`, the servers it sees and the databases it must test.
struct Phase<'a> {
    title: String,
    arguments: Vec<String>,
    servers: Vec<&'a Server>,
    databases: Vec<&'a str>,
}

/// Runs the tests. A filter in `rest` leaves out the examples and the check for databases that were not tested.
pub(crate) fn run(only: &[String], rest: &[String]) -> Result<()> {
    let names: Vec<String> = only.iter().filter(|name| *name != SQLITE).cloned().collect();
    let with_sqlite = only.len() > names.len() || only.is_empty() && workspace::has_crate("arx-sqlite");
    let engines = if !only.is_empty() && names.is_empty() {
        Vec::new()
    } else {
        servers::select(&names, |engine| engine.is_due())?
    };
    let fleet = Fleet::start(&engines)?;
    let servers: Vec<&Server> = fleet.servers().collect();
    let mut report = Report::default();
    let phases = if only.is_empty() { all(&servers, with_sqlite) } else { some(&servers, with_sqlite) };
    for phase in phases {
        run_phase(&phase, rest, &mut report)?;
    }
    if rest.is_empty() {
        examples::run(&servers, only.is_empty(), &mut report)?;
        if only.is_empty() {
            bench::quick(&servers, &mut report)?;
        }
    }
    if let Err(error) = fleet.check() {
        report.problem(format!("{error:#}"));
    }
    drop(fleet);
    report.finish()
}

/// The whole workspace with the first server of each product, then the dialect's crate again for each further one.
fn all<'a>(servers: &[&'a Server], with_sqlite: bool) -> Vec<Phase<'a>> {
    let is_first = |server: &&Server| {
        let same = servers.iter().find(|other| other.variable == server.variable);
        same.is_some_and(|first| first.name == server.name)
    };
    let (first, further): (Vec<&Server>, Vec<&Server>) = servers.iter().partition(|server| is_first(server));
    let suites = first.iter().filter(|server| server.has_suite).map(|server| server.name);
    let databases = with_sqlite.then_some(SQLITE).into_iter().chain(suites).collect();
    let whole = Phase { title: "workspace".into(), arguments: vec!["--workspace".into()], servers: first, databases };
    std::iter::once(whole).chain(further.into_iter().map(|server| dialect(server, &[]))).collect()
}

/// The dialect's crate alone for each database, with the servers that have no suite of their own.
fn some<'a>(servers: &[&'a Server], with_sqlite: bool) -> Vec<Phase<'a>> {
    let sqlite = with_sqlite.then(|| Phase {
        title: SQLITE.into(),
        arguments: vec!["--package".into(), "arx-sqlite".into()],
        servers: Vec::new(),
        databases: vec![SQLITE],
    });
    let (main, beside): (Vec<&Server>, Vec<&Server>) = servers.iter().partition(|server| server.has_suite);
    sqlite.into_iter().chain(main.into_iter().map(|server| dialect(server, &beside))).collect()
}

fn dialect<'a>(server: &'a Server, beside: &[&'a Server]) -> Phase<'a> {
    let beside = beside.iter().copied().filter(|other| other.dialect == server.dialect);
    Phase {
        title: server.name.to_owned(),
        arguments: vec!["--package".into(), server.dialect.to_owned()],
        servers: std::iter::once(server).chain(beside).collect(),
        databases: vec![server.name],
    }
}

fn run_phase(phase: &Phase<'_>, rest: &[String], report: &mut Report) -> Result<()> {
    let mut command = process::cargo(["test", "--no-fail-fast"]);
    command.args(&phase.arguments).args(rest);
    for server in &phase.servers {
        command.env(server.variable, &server.url);
    }
    let before = report.conformance();
    report
        .step(&format!("cargo test: {}", phase.title), |counts| process::tee(&mut command, |line| counts.read(line)))?;
    for database in &phase.databases {
        if !report.name_conformance(before, database) && rest.is_empty() {
            report.problem(format!("no conformance suite ran on {database}"));
        }
    }
    Ok(())
}
