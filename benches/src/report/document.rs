//! The report of one database: a verdict, where arx loses, a table for each operation, what was not measured.

use anyhow::Result;

use super::chart::{Bar, ratios};
use super::losses::Losses;
use super::page::Part;
use super::{Pair, Recorded, pairs};
use crate::case::{Case, Database, FULL, Operation};
use crate::contender::ARX;
use crate::gate::Gates;
use crate::measure::{Measured, ROUNDS, Sample, Series};
use crate::options::Judge;
use crate::statistics::{Estimate, mean, median};

// A rival is faster where even the lower end of the interval is above this.
const LEVEL: f64 = 1.05;

/// The report of one database of a run.
///
/// # Errors
/// When a chart cannot be drawn.
pub(super) fn document(run: &Recorded, database: Database, gates: &Gates) -> Result<Vec<Part>> {
    let measured: Vec<&Measured> = run.measured.iter().filter(|measured| measured.database == database).collect();
    let pairs: Vec<Pair> = measured.iter().flat_map(|measured| pairs(measured, gates, run.judge)).collect();
    let judge = run.judge.unwrap_or(Judge::Wall);
    let judged = |pair: &Pair| if judge == Judge::Cpu { pair.cpu_ratio } else { pair.ratio };
    let mut parts = vec![
        Part::Paragraph(format!(
            "Measured {} on {}. Runner arguments: `{}`.",
            run.date,
            run.machine.describe(),
            run.arguments.join(" ")
        )),
        Part::Paragraph(reading(judge)),
        Part::Paragraph(verdict(database, &pairs, judged)),
    ];
    let bars = |rival: &str| -> Vec<Bar> {
        let pairs = pairs.iter().filter(|pair| pair.rival == rival);
        pairs.map(|pair| Bar { label: label(&pair.case), ratio: judged(pair) }).collect()
    };
    let raw = raw(database);
    parts.push(Part::Chart(ratios(&format!("arx beside {raw}: less is better for arx"), axis(judge), &bars(raw))?));
    parts.push(Part::Heading("Where arx loses".to_owned()));
    parts.push(losses(&pairs, judged, &Losses::known()?));
    for operation in operations(&measured) {
        parts.push(Part::Heading(operation.name()));
        parts.push(Part::Table(HEAD.to_vec(), rows(&measured, &pairs, operation)));
        for measured in measured.iter().filter(|measured| measured.case.operation == operation) {
            let bars = pairs.iter().filter(|pair| pair.case == measured.case);
            let bars: Vec<Bar> = bars.map(|pair| Bar { label: pair.rival.clone(), ratio: judged(pair) }).collect();
            parts.push(Part::Chart(ratios(
                &format!("{}: arx beside each", label(&measured.case)),
                axis(judge),
                &bars,
            )?));
        }
    }
    parts.push(Part::Heading("Not measured".to_owned()));
    parts.push(absent(&measured));
    Ok(parts)
}

// What most programs do with sets of rows, and what they would otherwise do it with.
const HEADLINE: [Operation; 2] = [Operation::CreateMultiple, Operation::UpdateMultiple];
const WELL_KNOWN: [&str; 6] = ["raw_sqlx", "raw_rusqlite", "sqlx_per_row", "diesel", "sea_orm", "toasty"];
const HEADLINE_ROWS: usize = 1_000;

/// The chart of the README: 1,000 rows written at once, on every database.
///
/// # Errors
/// When it cannot be drawn.
pub(super) fn headline(run: &Recorded, gates: &Gates) -> Result<String> {
    let judge = run.judge.unwrap_or(Judge::Wall);
    let is_shown = |case: &Case| case.rows == HEADLINE_ROWS && case.table == table_of(case) && case.tasks == 1;
    let mut bars = Vec::new();
    for operation in HEADLINE {
        let measured = run.measured.iter().filter(|measured| measured.case.operation == operation);
        for pair in measured.filter(|measured| is_shown(&measured.case)).flat_map(|m| pairs(m, gates, run.judge)) {
            if WELL_KNOWN.contains(&pair.rival.as_str()) {
                let label = format!("{:?} {} / {}", pair.database, operation.name(), pair.rival);
                bars.push(Bar { label, ratio: if judge == Judge::Cpu { pair.cpu_ratio } else { pair.ratio } });
            }
        }
    }
    ratios("1,000 rows at once: left of 1, arx is faster", axis(judge), &bars)
}

/// The rows of the table in the matrix.
fn table_of(case: &Case) -> usize {
    if case.operation.creates() { 0 } else { FULL }
}

/// The contender that stands for the best hand-written code.
fn raw(database: Database) -> &'static str {
    if database == Database::Sqlite { "raw_rusqlite" } else { "raw_sqlx" }
}

fn axis(judge: Judge) -> &'static str {
    match judge {
        Judge::Wall => "time of arx / time of the rival (no unit), median of the trials with its 95% interval",
        Judge::Cpu => "processor time of arx / that of the rival (no unit), median of the trials with its 95% interval",
    }
}

fn reading(judge: Judge) -> String {
    let what = if judge == Judge::Cpu { "processor time, client and server together," } else { "time on the wall" };
    format!(
        "A ratio is the {what} of arx by that of the rival: below 1 arx is faster. It is the median of the trials' \
         ratios, with the interval that holds the true one with 95%. Absolute times are for orientation only."
    )
}

fn label(case: &Case) -> String {
    let tasks = if case.tasks > 1 { format!(", {} tasks", case.tasks) } else { String::new() };
    what(case) + &tasks
}

fn what(case: &Case) -> String {
    match case.operation {
        operation if operation.is_one_row() && !(operation.changes() && case.table != FULL) => operation.name(),
        Operation::Scalars => format!("{} scalars", case.rows),
        Operation::Page => format!("page of {} of {} rows", case.rows, case.table),
        Operation::UpdateWhere => format!("update_where, {} of {} rows", case.rows, case.table),
        // Tables of another size are compared with each other.
        operation if operation.changes() && case.table != FULL => {
            format!("{}, {} of {} rows", operation.name(), case.rows, case.table)
        }
        operation => format!("{}, {} rows", operation.name(), case.rows),
    }
}

/// One sentence: how many cases are level with the best hand-written code, and which gates fail.
fn verdict(database: Database, pairs: &[Pair], judged: impl Fn(&Pair) -> Estimate) -> String {
    let raw_pairs: Vec<&Pair> = pairs.iter().filter(|pair| pair.rival == raw(database)).collect();
    let level = raw_pairs.iter().filter(|pair| judged(pair).low <= LEVEL).count();
    let (gated, missed) = pairs.iter().fold((0, Vec::new()), |(gated, mut missed), pair| {
        if pair.misses() {
            missed.push(format!("{} beside {}", label(&pair.case), pair.rival));
        }
        (gated + usize::from(pair.time.is_some() || pair.memory.is_some()), missed)
    });
    let gates = match (gated, missed.len()) {
        (0, _) => String::new(),
        (_, 0) => format!("; it keeps all gates of {gated} pairs"),
        (_, count) => format!("; of {gated} gated pairs it misses {count}: {}", missed.join("; ")),
    };
    format!(
        "**arx is level with {} (within 5%) or faster in {level} of {} cases{gates}.**",
        raw(database),
        raw_pairs.len()
    )
}

fn losses(pairs: &[Pair], judged: impl Fn(&Pair) -> Estimate, known: &Losses) -> Part {
    let lost = pairs.iter().filter(|pair| judged(pair).low > LEVEL);
    let lost: Vec<String> = lost
        .map(|pair| {
            let Estimate { median, low, high } = judged(pair);
            let reason = known.reason(pair).unwrap_or("not looked into yet");
            format!("{} beside {}: {median:.2} ({low:.2} to {high:.2}): {reason}", label(&pair.case), pair.rival)
        })
        .collect();
    if lost.is_empty() {
        return Part::Paragraph("Nowhere by more than 5%, with 95% certainty.".to_owned());
    }
    Part::List(lost)
}

fn operations(measured: &[&Measured]) -> Vec<Operation> {
    let mut operations = Vec::new();
    for measured in measured {
        if !operations.contains(&measured.case.operation) {
            operations.push(measured.case.operation);
        }
    }
    operations
}

const HEAD: [&str; 12] = [
    "contender",
    "rows",
    "a call",
    "p95",
    "p99",
    "arx / it",
    "95%",
    "CPU",
    "allocations/row",
    "bytes/row",
    "peak, KiB",
    "statements, trips",
];

/// A line for each contender in each case of the operation.
fn rows(measured: &[&Measured], pairs: &[Pair], operation: Operation) -> Vec<Vec<String>> {
    let measured = measured.iter().filter(|measured| measured.case.operation == operation);
    let lines = measured.flat_map(|measured| {
        measured.series.iter().map(|series| {
            let is_pair = |pair: &&Pair| pair.case == measured.case && pair.rival == series.contender;
            line(&measured.case, series, pairs.iter().find(is_pair))
        })
    });
    lines.collect()
}

fn line(case: &Case, series: &Series, pair: Option<&Pair>) -> Vec<String> {
    let middle = |value: fn(&Sample) -> f64| {
        let means = series.trials.iter().map(|blocks: &[Sample; ROUNDS]| mean(&blocks.map(|block| value(&block))));
        median(&means.collect::<Vec<_>>())
    };
    let of_rows = (case.calls * case.rows) as f64;
    let rows = if case.operation == Operation::Page || case.operation.changes() {
        format!("{} of {}", case.rows, case.table)
    } else {
        case.rows.to_string()
    };
    let (ratio, interval, cpu) = match pair {
        Some(pair) => (
            format!("{:.2}", pair.ratio.median),
            format!("{:.2} to {:.2}", pair.ratio.low, pair.ratio.high),
            format!("{:.2}", pair.cpu_ratio.median),
        ),
        None => (String::new(), String::new(), String::new()),
    };
    let per_call = |count: usize| format!("{:.0}", count as f64 / case.calls as f64);
    let statements = series.statements;
    vec![
        if series.contender == ARX { format!("**{ARX}**") } else { series.contender.clone() },
        rows,
        duration(middle(|sample| sample.wall) / case.calls as f64),
        duration(middle(|sample| sample.p95)),
        duration(middle(|sample| sample.p99)),
        ratio,
        interval,
        cpu,
        format!("{:.2}", series.allocated.allocations as f64 / of_rows),
        format!("{:.0}", series.allocated.bytes as f64 / of_rows),
        format!("{:.0}", series.allocated.peak as f64 / 1_024.0),
        statements.map_or_else(String::new, |(sent, trips)| format!("{}, {}", per_call(sent), per_call(trips))),
    ]
}

/// A time with its unit.
pub(super) fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        short if short < 1e6 => format!("{:.1} us", short / 1e3),
        long => format!("{:.2} ms", long / 1e6),
    }
}

fn absent(measured: &[&Measured]) -> Part {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for measured in measured {
        for absent in &measured.absent {
            let reason = format!("{}: {}", absent.contender, absent.reason);
            let case = label(&measured.case);
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, cases)) => cases.push(case),
                None => reasons.push((reason, vec![case])),
            }
        }
    }
    if reasons.is_empty() {
        return Part::Paragraph("Every contender did everything.".to_owned());
    }
    Part::List(reasons.into_iter().map(|(reason, cases)| format!("{reason} ({})", cases.join("; "))).collect())
}
