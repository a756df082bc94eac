//! What the runner runs on.

use std::fs;

use serde::{Deserialize, Serialize};

/// A machine, as far as it tells.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// How many threads it runs at once.
    pub threads: usize,
    /// Its memory in MiB.
    pub memory: u64,
    /// The kernel.
    pub system: String,
    /// How many programs wanted to run, on average over a minute: the threads that it has, or less, when idle.
    pub load: f64,
}

impl Machine {
    /// This one; what it does not tell is empty.
    #[must_use]
    pub fn this() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let after = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line.split_once(':').map_or("", |(_, value)| value.trim()).to_owned()
        };
        let processors = read("/proc/cpuinfo");
        let memory = after(&read("/proc/meminfo"), "MemTotal");
        let first = |text: String| text.split(' ').next().unwrap_or_default().to_owned();
        Self {
            processor: after(&processors, "model name"),
            // What this process may use is less once it is kept to one core.
            threads: processors.lines().filter(|line| line.starts_with("processor")).count(),
            memory: first(memory).parse::<u64>().unwrap_or(0) / 1_024,
            system: format!("Linux {}", read("/proc/sys/kernel/osrelease").trim()),
            load: first(read("/proc/loadavg")).parse().unwrap_or(0.0),
        }
    }

    /// Whether what was measured there can be put beside what was measured here.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let same =
            |machine: &Self| (machine.processor.clone(), machine.threads, machine.memory, machine.system.clone());
        same(self) == same(other)
    }

    /// In one line.
    #[must_use]
    pub fn describe(&self) -> String {
        let Self { processor, threads, memory, system, load } = self;
        format!("{processor}, {threads} threads, {memory} MiB, {system}; load average at the end {load}")
    }
}
