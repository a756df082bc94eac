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

/// A server's process on this machine, at the other end of a contender's connection.
#[derive(Clone, Copy, Debug)]
pub struct Process(i32);

impl Process {
    /// The PostgreSQL process with this number. `port` is the client's: the title of the process has it, so that a
    /// number from another machine or container is not taken for a process here.
    #[must_use]
    pub fn postgres(process: i32, port: i32) -> Option<Self> {
        let title = fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
        (title.contains("postgres: ") && title.contains(&format!("({port})"))).then_some(Self(process))
    }

    /// Keeps it to the core; whether that worked.
    #[must_use]
    pub fn pin(self, core: usize) -> bool {
        Pid::from_raw(self.0).is_some_and(|pid| sched_setaffinity(Some(pid), &only(core)).is_ok())
    }

    /// The processor time that it has used, in nanoseconds; 0 where the system does not tell.
    #[must_use]
    pub fn time(self) -> f64 {
        let times = fs::read_to_string(format!("/proc/{}/schedstat", self.0)).unwrap_or_default();
        times.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or(0.0)
    }
}

fn only(core: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(core);
    set
}
