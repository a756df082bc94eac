//! The paired runner: `cargo xtask bench --help`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arx_benches::allocation::Counting;
use arx_benches::batches::{self, Cut};
use arx_benches::case::Database;
use arx_benches::gate::Gates;
use arx_benches::machine::Machine;
use arx_benches::measure::{Arena, Measured};
use arx_benches::options::Options;
use arx_benches::pin::Cores;
use arx_benches::report::{self, Pair, Recorded, Run};
use chrono::Utc;
use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Measures arx beside its rivals and prints how they compare.
#[derive(Parser)]
#[command(name = "runner", args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    options: Options,
}

#[derive(Subcommand)]
enum Command {
    /// Computes every ratio of a run again from its samples, and names the gates that fail.
    Verify {
        /// The samples of one run or more; those of the newest unless given.
        files: Vec<PathBuf>,
    },
    /// Writes the report of a run: Markdown for each database, a page with charts, and the chart of the README.
    Report {
        /// The samples of one run or more; those of the newest unless given.
        files: Vec<PathBuf>,
        /// Where to.
        #[arg(long, default_value = "benches/results")]
        to: PathBuf,
    },
}

// One thread: what the contenders' own threads and the servers do is not disturbed by stolen tasks.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { command, options } = Arguments::parse();
    let outcome = match command {
        None => run(&options).await,
        Some(Command::Verify { files }) => verify(files),
        Some(Command::Report { files, to }) => publish(files, &to),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("runner: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Where runs are kept.
fn folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from).join("bench")
}

/// Whether the run is a success.
async fn run(options: &Options) -> Result<bool> {
    let folder = folder();
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let Outcome { servers, measured, pairs, cuts } = measure(options, &folder).await?;
    let run = Run {
        date: Utc::now(),
        arguments: std::env::args().skip(1).collect(),
        machine: Machine::this(),
        servers: &servers,
        judge: options.judge(),
        measured: &measured,
        cuts: &cuts,
        pairs: &pairs,
    };
    let path = report::write(&folder, &run)?;
    println!("The samples are in {}.", path.display());
    let missed = pairs.iter().filter(|pair| pair.misses()).count();
    if missed > 0 {
        println!("{missed} of {} pairs miss a gate.", pairs.len());
    }
    Ok(missed == 0 || !options.enforce)
}

/// What a run yields.
#[derive(Default)]
struct Outcome {
    servers: Vec<(Database, String)>,
    measured: Vec<Measured>,
    pairs: Vec<Pair>,
    cuts: Vec<Cut>,
}

/// Measures every case on every database, and prints each database's table.
async fn measure(options: &Options, folder: &Path) -> Result<Outcome> {
    let files = tempfile::tempdir_in(folder)?;
    let gates = Gates::declared()?;
    let mut outcome = Outcome::default();
    // Many connections that wait for each other's locks, spinning, would starve on one core.
    let cores = Cores::given().filter(|_| !options.unpinned && options.tasks.is_none());
    for &database in &options.database {
        cores.as_ref().inspect(|cores| cores.all());
        let core = cores.as_ref().filter(|_| database.has_server()).and_then(Cores::one);
        if options.batches {
            let (version, cuts) = batches::measure(database, core, options, files.path()).await?;
            println!("\n{}", report::batches(&format!("Batches on {version}"), &cuts));
            outcome.servers.push((database, version));
            outcome.cuts.extend(cuts);
            continue;
        }
        let mut arena = Arena::open(database, core, options, files.path()).await?;
        outcome.servers.push((database, arena.version().await?));
        let first = outcome.pairs.len();
        let started = Instant::now();
        for case in options.cases().into_iter().filter(|case| case.operation.is_on(database)) {
            if options.minutes.is_some_and(|minutes| started.elapsed() > Duration::from_secs(60 * minutes)) {
                eprintln!("{database:?}: out of time before {} of {} rows", case.operation.name(), case.rows);
                break;
            }
            eprintln!("{database:?}: {} of {} rows", case.operation.name(), case.rows);
            let done = arena.measure(&case, options.trials(case.rows)).await;
            let done = done.with_context(|| format!("{} of {} rows", case.operation.name(), case.rows))?;
            outcome.pairs.extend(report::pairs(&done, &gates, options.judge()));
            outcome.measured.push(done);
        }
        if database.has_server() && !arena.is_pinned() && options.tasks.is_none() {
            eprintln!("{database:?}: not on one core; expect noise");
        }
        println!("\n## {database:?}\n\n{}", report::table(&outcome.pairs[first..]));
    }
    Ok(outcome)
}

/// The runs that are asked for, or the newest.
fn recorded(files: Vec<PathBuf>) -> Result<Vec<(PathBuf, Recorded)>> {
    let files = if files.is_empty() { vec![report::newest(&folder())?] } else { files };
    files.into_iter().map(|file| report::read(&file).map(|run| (file, run))).collect()
}

/// Writes the report of some runs.
fn publish(files: Vec<PathBuf>, to: &Path) -> Result<bool> {
    let runs = recorded(files)?.into_iter().map(|(_, run)| run).collect();
    for written in report::publish(&Recorded::joined(runs)?, &Gates::declared()?, to)? {
        println!("{}", written.display());
    }
    Ok(true)
}

/// Whether the report is what the samples say, and every gate is kept.
fn verify(files: Vec<PathBuf>) -> Result<bool> {
    let mut is_kept = true;
    for (file, run) in recorded(files)? {
        let missed = report::verify(&run, &Gates::declared()?)?;
        println!("{}: {} pairs are what the samples say.", file.display(), run.pairs.len());
        missed.iter().for_each(|miss| println!("missed: {miss}"));
        is_kept &= missed.is_empty();
    }
    Ok(is_kept)
}
