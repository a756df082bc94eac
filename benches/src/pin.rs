//! One core for everything: the runner, the contenders' threads, the servers' processes behind their
//! connections.
//!
//! Where a scheduler puts the two ends of a connection changes what a round trip costs by a factor of two or
//! more, stays so for seconds, and is another draw for each connection. On one core the ends take turns, and a
//! call costs what both have to compute for it.

use std::fs;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The last core that this process may use.
#[must_use]
pub fn core() -> Option<usize> {
    let allowed = sched_getaffinity(None).ok()?;
    (0..CpuSet::MAX_CPU).rev().find(|&core| allowed.is_set(core))
}

/// Keeps this thread, and those that it starts from now on, to the core; whether that worked.
#[must_use]
pub fn this_thread(core: usize) -> bool {
    sched_setaffinity(None, &only(core)).is_ok()
}

/// Keeps a PostgreSQL process on this machine to the core. `port` is the client's: the title of the process has
/// it, so that a number from another machine or container is not taken for a process here.
#[must_use]
pub fn postgres(process: i32, port: i32, core: usize) -> bool {
    let title = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let is_it = title.starts_with("postgres: ") && title.contains(&format!("({port})"));
    is_it && Pid::from_raw(process).is_some_and(|pid| sched_setaffinity(Some(pid), &only(core)).is_ok())
}

fn only(core: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(core);
    set
}
