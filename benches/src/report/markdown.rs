//! The table for people.

use std::fmt::Write;

use super::Pair;
use super::document::duration;
use crate::gate::Verdict;

const HEAD: &str = "\
| operation | rows | rival | its call | arx / rival | 95% | CPU, both ends | 95% | CPU, client | gate | allocations/row: arx, rival | bytes/row | statements |
|---|--:|---|--:|--:|---|--:|---|--:|---|---|---|--:|
";

/// A Markdown table of pairs of one database, a line each.
#[must_use]
pub fn table(pairs: &[Pair]) -> String {
    pairs.iter().fold(HEAD.to_owned(), |mut text, pair| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line(pair));
        text
    })
}

fn line(pair: &Pair) -> String {
    let statements = match pair.statements {
        Some((statements, trips)) if statements == trips => format!("{statements}"),
        Some((statements, trips)) => format!("{statements} in {trips} trips"),
        None => String::new(),
    };
    let memory = pair.memory.map_or("", |verdict| if verdict.passes { " pass" } else { " **MISS**" });
    format!(
        "| {} | {} | {} | {} | **{:.2}** | {:.2} to {:.2} | **{:.2}** | {:.2} to {:.2} | {:.2} | {} | {:.2}, {:.2}{} | {:.0}, {:.0} | {} |",
        pair.case.operation.name(),
        pair.case.rows,
        pair.rival,
        duration(pair.rival_call),
        pair.ratio.median,
        pair.ratio.low,
        pair.ratio.high,
        pair.cpu_ratio.median,
        pair.cpu_ratio.low,
        pair.cpu_ratio.high,
        pair.client_ratio.median,
        pair.time.map_or(String::new(), verdict),
        pair.allocations.0,
        pair.allocations.1,
        memory,
        pair.bytes.0,
        pair.bytes.1,
        statements,
    )
}

fn verdict(verdict: Verdict) -> String {
    format!("{:.2} {}", verdict.limit, if verdict.passes { "pass" } else { "**MISS**" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_durations() {
        assert_eq!(duration(7_250.0), "7.2 us");
        assert_eq!(duration(12_345_678.0), "12.35 ms");
    }
}
