//! The command line of the runner.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use crate::case::{Case, Database, MANY, MATRIX, Operation, crowd, growing};

/// What the gates are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Judge {
    /// The clock on the wall.
    Wall,
    /// The processor time of client and server: for a machine that does other work too. It does not see
    /// what only waits.
    Cpu,
}

/// What to measure, and how.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Only these databases.
    #[arg(long, value_delimiter = ',', default_values = ["sqlite", "postgres", "mysql", "mariadb"])]
    pub database: Vec<Database>,
    /// Only these contenders: to profile one. Ratios need arx and another.
    #[arg(long, value_delimiter = ',')]
    pub contender: Vec<String>,
    /// Only these operations.
    #[arg(long, value_delimiter = ',')]
    pub operation: Vec<Operation>,
    /// Other numbers of rows a call, for the operations on many rows.
    #[arg(long, value_delimiter = ',')]
    pub sizes: Vec<usize>,
    /// Instead of the matrix, what updates cost in tables of so many rows.
    #[arg(long, value_delimiter = ',', conflicts_with = "sizes")]
    pub tables: Vec<usize>,
    /// Instead of the matrix, what so many tasks do at once; for contenders with a pool.
    #[arg(long, conflicts_with_all = ["sizes", "tables"])]
    pub tasks: Option<usize>,
    /// Instead of the matrix, how many rows a statement should have, and how many arx gives it.
    #[arg(long, conflicts_with_all = ["contender", "operation", "sizes", "tables", "tasks"])]
    pub batches: bool,
    /// How many trials; six, the fewest that have an interval, of calls that take seconds.
    #[arg(long, default_value_t = 15)]
    pub trials: usize,
    /// Small sizes and two trials: shows that everything works and is checked, and judges nothing.
    #[arg(long)]
    pub quick: bool,
    /// Adds so many milliseconds each way between the contenders and a server.
    #[arg(long, default_value_t = 0)]
    pub latency: u64,
    /// Goes on with the next database when so many minutes have passed on one; measured cases are reported.
    #[arg(long)]
    pub minutes: Option<u64>,
    /// Which time the gates are on.
    #[arg(long, default_value = "wall")]
    pub judge: Judge,
    /// Lets the scheduler place threads and servers, instead of keeping them to one core.
    #[arg(long)]
    pub unpinned: bool,
    /// Fails when a gate is missed.
    #[arg(long)]
    pub enforce: bool,
}

impl Options {
    /// The cases to measure.
    #[must_use]
    pub fn cases(&self) -> Vec<Case> {
        let wanted = |case: &&Case| self.operation.is_empty() || self.operation.contains(&case.operation);
        if let Some(tasks) = self.tasks {
            return crowd(tasks.max(2)).into_iter().filter(|case| wanted(&case)).collect();
        }
        if !self.tables.is_empty() {
            return growing(&self.tables).into_iter().filter(|case| wanted(&case)).collect();
        }
        let same = |a: &Case, b: &Case| (a.operation, a.rows, a.table) == (b.operation, b.rows, b.table);
        let mut cases: Vec<Case> = Vec::new();
        for case in MATRIX.iter().filter(wanted).flat_map(|case| self.sized(*case)) {
            let case = if self.quick { case.quick() } else { case };
            if !cases.iter().any(|known| same(known, &case)) {
                cases.push(case);
            }
        }
        cases
    }

    /// The case itself, or one for each of the sizes that were asked for.
    fn sized(&self, case: Case) -> Vec<Case> {
        let is_of_rows =
            !matches!(case.operation, Operation::Page | Operation::Scalars) && !case.operation.is_one_row();
        if self.sizes.is_empty() || !is_of_rows {
            return vec![case];
        }
        let calls = |rows: usize| (case.calls * case.rows / rows.max(1)).clamp(1, 50);
        let sizes =
            self.sizes.iter().filter(|&&rows| rows > 0 && (case.table == 0 || rows * calls(rows) <= case.table));
        sizes.map(|&rows| Case { rows, calls: calls(rows), ..case }).collect()
    }

    /// What the gates are on, if there are any.
    #[must_use]
    pub fn judge(&self) -> Option<Judge> {
        Some(self.judge).filter(|_| !self.quick)
    }

    /// The number of trials of calls for so many rows.
    #[must_use]
    pub fn trials(&self, rows: usize) -> usize {
        let most = match rows {
            _ if self.quick => 2,
            rows if rows > MANY => 6,
            _ => usize::MAX,
        };
        self.trials.clamp(1, most)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn parse(words: &[&str]) -> Options {
        Line::parse_from(["runner"].iter().chain(words)).options
    }

    #[test]
    fn measures_the_matrix() {
        let options = parse(&[]);
        assert_eq!(options.cases(), MATRIX);
        assert!(MATRIX.iter().all(|case| options.trials(case.rows) >= if case.rows > MANY { 6 } else { 15 }));
    }

    #[test]
    fn chooses_operations_and_sizes() {
        let options = parse(&["--operation", "create,update_multiple", "--sizes", "50,500"]);
        let chosen: Vec<_> = options.cases().iter().map(|case| (case.operation, case.rows)).collect();
        assert_eq!(chosen, [(Operation::Create, 1), (Operation::UpdateMultiple, 50), (Operation::UpdateMultiple, 500)]);
    }

    #[test]
    fn is_quick() {
        let options = parse(&["--quick"]);
        let is_small = |case: &Case| case.rows <= 100 && case.table <= 1_000 && options.trials(case.rows) == 2;
        assert!(options.cases().iter().all(is_small));
    }
}
