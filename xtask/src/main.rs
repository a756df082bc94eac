//! Development tasks of arx: `cargo xtask servers | test | bench | ci | bare`.
//!
//! The only place that starts database servers, so that a test never asks whether one happens to be installed. A
//! command line goes in; what the commands print and the exit code come out. Start reading at [`testing`] for what a
//! test run is, and at [`servers`] for where the servers come from.

mod process;
mod workspace;

mod servers;

mod bench;
mod examples;
mod report;
mod testing;

mod checks;

mod bare;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::servers::Fleet;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Development tasks of arx")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start the private servers, print their URLs, run until Ctrl-C.
    Servers {
        /// Only these, separated by commas: postgres15, postgres18, mysql, mariadb.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
    },
    /// Run every test against every database, starting the servers it needs.
    Test {
        /// Only these databases, separated by commas: sqlite, postgres15, postgres18, mysql, mariadb.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// Arguments for `cargo test`: a name filter, or `-- --nocapture`.
        #[arg(last = true)]
        rest: Vec<String>,
    },
    /// Run the benchmark runner with the servers it needs.
    Bench {
        /// Only these servers, separated by commas: postgres15, postgres18, mysql, mariadb; `none` for no server.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// Leave out the other libraries, which take minutes to build the first time.
        #[arg(long)]
        own: bool,
        /// Arguments for the runner: `verify` checks a run that was kept, `report` writes it down.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<String>,
    },
    /// Check the format, lints, docs, sources and features, then run every test.
    Ci,
    /// Run `cargo xtask test` in a bare Debian 12 that has only Rust and a C compiler (root only).
    Bare(bare::Options),
    /// Stop the servers of a run when standard input ends.
    #[command(hide = true)]
    Guard {
        /// The folder of the run.
        run: std::path::PathBuf,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    if let Command::Guard { run } = &command {
        return servers::guard(run);
    }
    process::stop_on_signals()?;
    match command {
        Command::Servers { only } => hold_servers(&only),
        Command::Test { only, rest } => testing::run(&only, &rest),
        Command::Bench { only, own, rest } => bench::run(&only, own, &rest),
        Command::Ci => checks::run(),
        Command::Bare(options) => bare::run(&options),
        Command::Guard { run } => servers::guard(&run),
    }
}

fn hold_servers(only: &[String]) -> Result<()> {
    let fleet = Fleet::start(&servers::select(only, |_| true)?)?;
    let mut variables = Vec::new();
    for server in fleet.servers() {
        println!("# {}, its log: {}", server.name, server.log.display());
        // A shell that reads these lines keeps the first server of each product.
        let shown = if variables.contains(&server.variable) { "# or: export" } else { "export" };
        println!("{shown} {}={}", server.variable, server.url);
        variables.push(server.variable);
    }
    println!("# running until Ctrl-C");
    process::wait_for_stop(|| fleet.check())
}
