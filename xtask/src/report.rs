//! What a run's output adds up to.
//!
//! The lines that test programs print go in; the closing summary comes out. A conformance suite prints
//! `conformance <database>: <n> cases, <m> skips` and then a line `  skip <case>: <reason>` for each skip.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// The sums of a run.
#[derive(Default)]
pub(crate) struct Report {
    counts: Counts,
    steps: Vec<(String, bool, Duration)>,
    problems: Vec<String>,
}

/// What was read from the output of test programs.
#[derive(Default)]
pub(crate) struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
    conformance: Vec<Conformance>,
}

struct Conformance {
    /// Which server it was: two versions of a product call themselves the same.
    server: String,
    database: String,
    numbers: String,
    skips: Vec<String>,
}

impl Counts {
    /// Reads one line of output.
    pub(crate) fn read(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("test result: ") {
            self.passed += number_before(rest, " passed");
            self.failed += number_before(rest, " failed");
            self.ignored += number_before(rest, " ignored");
        } else if let Some((database, numbers)) =
            line.strip_prefix("conformance ").and_then(|rest| rest.rsplit_once(": "))
        {
            let (database, numbers) = (database.to_owned(), numbers.to_owned());
            self.conformance.push(Conformance { server: String::new(), database, numbers, skips: Vec::new() });
        } else if let (Some(skip), Some(last)) = (line.strip_prefix("  skip "), self.conformance.last_mut()) {
            last.skips.push(skip.to_owned());
        }
    }
}

/// The number that ends where `word` starts.
fn number_before(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().filter(|before| before.len() < text.len());
    before.and_then(|before| before.rsplit(' ').next()).and_then(|number| number.parse().ok()).unwrap_or(0)
}

impl Report {
    /// Runs one step; a step that fails is remembered, so that the steps after it run too.
    pub(crate) fn step(&mut self, title: &str, step: impl FnOnce(&mut Counts) -> Result<bool>) -> Result<()> {
        println!("\n==> {title}");
        let start = Instant::now();
        let passed = step(&mut self.counts)?;
        self.steps.push((title.to_owned(), passed, start.elapsed()));
        Ok(())
    }

    /// Counts a step that is a test itself.
    pub(crate) fn test(&mut self, title: &str, test: impl FnOnce() -> Result<bool>) -> Result<()> {
        self.step(title, |counts| {
            let passed = test()?;
            *(if passed { &mut counts.passed } else { &mut counts.failed }) += 1;
            Ok(passed)
        })
    }

    /// Something that makes the run a failure.
    pub(crate) fn problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// How many conformance suites have ended.
    pub(crate) fn conformance(&self) -> usize {
        self.counts.conformance.len()
    }

    /// Gives the suite that ran on this server, one of those after the first `before`, its name; whether there is one.
    pub(crate) fn name_conformance(&mut self, before: usize, server: &str) -> bool {
        let product = server.trim_end_matches(|last: char| last.is_ascii_digit());
        let suites = self.counts.conformance.iter_mut().skip(before);
        let mut named =
            suites.filter(|suite| suite.server.is_empty() && suite.database.to_lowercase().contains(product));
        named.next().map(|suite| server.clone_into(&mut suite.server)).is_some()
    }

    /// Prints the summary; an error unless everything passed.
    pub(crate) fn finish(self) -> Result<()> {
        println!("\n==> summary");
        for (title, passed, time) in &self.steps {
            println!("{} {title} ({:.1} s)", if *passed { "ok    " } else { "FAILED" }, time.as_secs_f64());
        }
        for suite in &self.counts.conformance {
            println!("conformance on {} ({}): {}", suite.server, suite.database, suite.numbers);
            suite.skips.iter().for_each(|skip| println!("  skip {skip}"));
        }
        self.problems.iter().for_each(|problem| println!("FAILED {problem}"));
        let broken = self.steps.iter().filter(|(_, passed, _)| !passed).count() + self.problems.len();
        // A crate that does not compile fails no test.
        let failed = self.counts.failed.max(u64::try_from(broken)?);
        println!("{} passed, {failed} failed, {} skipped", self.counts.passed, self.counts.ignored);
        if failed > 0 {
            bail!("the tests failed");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Report {
        let mut report = Report::default();
        text.lines().for_each(|line| report.counts.read(line));
        report
    }

    #[test]
    fn adds_up_results() {
        let report = read(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
             test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\nnot a test result: 9 passed",
        );
        let counts = &report.counts;
        assert_eq!((counts.passed, counts.failed, counts.ignored), (15, 2, 1));
        assert!(report.finish().is_err());
    }

    #[test]
    fn reads_conformance_and_its_skips() {
        let mut report = read(
            "conformance SQLite: 80 cases, 0 skips\nconformance PostgreSQL 15.1: 90 cases, 1 skips\n  \
             skip merges_rows: no MERGE: before 17\ntest result: ok. 90 passed; 0 failed;",
        );
        assert!(report.name_conformance(0, "postgres15"));
        assert!(!report.name_conformance(0, "postgres18"), "a suite counts for one server");
        assert!(!report.name_conformance(1, "sqlite"));
        let suite = &report.counts.conformance[1];
        assert_eq!((suite.server.as_str(), suite.numbers.as_str()), ("postgres15", "90 cases, 1 skips"));
        assert_eq!(suite.skips, ["merges_rows: no MERGE: before 17"]);
        assert!(report.finish().is_ok());
    }

    #[test]
    fn a_step_that_fails_no_test_is_a_failure() {
        let mut report = Report::default();
        report.step("does not compile", |_| Ok(false)).unwrap();
        assert!(report.finish().is_err());
    }
}
