//! The paired runner: `cargo xtask bench -- --help`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use arx_benches::allocation::Counting;
use arx_benches::measure::{Arena, Measured};
use arx_benches::options::Options;
use arx_benches::pin::Cores;
use arx_benches::report::{self, Pair};
use chrono::Utc;
use clap::Parser;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// One thread: what the contenders' own threads and the servers do is not disturbed by stolen tasks.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run(&Options::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("runner: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the run is a success.
async fn run(options: &Options) -> Result<bool> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let folder = target.join("bench");
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let files = tempfile::tempdir_in(&folder)?;
    let mut measured: Vec<Measured> = Vec::new();
    let mut pairs: Vec<Pair> = Vec::new();
    let cores = Cores::given().filter(|_| !options.unpinned);
    for &database in &options.database {
        cores.as_ref().inspect(|cores| cores.all());
        let core = cores.as_ref().filter(|_| database.has_server()).and_then(Cores::one);
        let mut arena = Arena::open(database, core, &options.contender, files.path()).await?;
        let first = pairs.len();
        for case in options.cases() {
            eprintln!("{database:?}: {} of {} rows", case.operation.name(), case.rows);
            let done = arena.measure(&case, options.trials()).await;
            let done = done.with_context(|| format!("{} of {} rows", case.operation.name(), case.rows))?;
            pairs.extend(report::pairs(&done, options.judge()));
            measured.push(done);
        }
        if database.has_server() && !arena.is_pinned() {
            eprintln!("{database:?}: not on one core; expect noise");
        }
        println!("\n## {database:?}\n\n{}", report::table(&pairs[first..]));
    }
    let path = report::write_json(&folder, Utc::now(), &measured, &pairs)?;
    println!("The samples are in {}.", path.display());
    let missed = pairs.iter().filter(|pair| pair.misses()).count();
    if missed > 0 {
        println!("{missed} of {} pairs miss a gate.", pairs.len());
    }
    Ok(missed == 0 || !options.enforce)
}
