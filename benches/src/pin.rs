//! One core for the runner and the server's processes behind the contenders' connections.
//!
//! Where a scheduler puts the two ends of a connection changes what a round trip costs by a factor of two or
//! more, stays so for seconds, and is another draw for each connection. On one core the ends take turns, and a
//! call costs what both have to compute for it.
//!
//! Only where there is a server: the threads of a contender in this process may wait for each other
//! in ways that need two cores, and its users have them.

use std::fs;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores that the runner was given.
pub struct Cores(CpuSet);

impl Cores {
    /// All that this process may use; `None` where the system does not tell.
    #[must_use]
    pub fn given() -> Option<Self> {
        sched_getaffinity(None).ok().map(Self)
    }

    /// Keeps this thread, and those that it starts from now on, to the last of the cores, and yields it.
    #[must_use]
    pub fn one(&self) -> Option<usize> {
        let core = (0..CpuSet::MAX_CPU).rev().find(|&core| self.0.is_set(core))?;
        sched_setaffinity(None, &only(core)).ok().map(|()| core)
    }

    /// Gives this thread, and those that it starts from now on, all the cores again.
    pub fn all(&self) {
        // Where it cannot be undone it could not be done either.
        let _ = sched_setaffinity(None, &self.0);
    }
}

/// A server's process or thread on this machine, at the other end of a contender's connection.
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

    /// The thread of MySQL or MariaDB with this number, if it is one of a server here.
    #[must_use]
    pub fn mysql(thread: i32) -> Option<Self> {
        let title = fs::read_to_string(format!("/proc/{thread}/cmdline")).ok()?;
        (title.contains("mysqld") || title.contains("mariadbd")).then_some(Self(thread))
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
