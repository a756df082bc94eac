//! A kept run, checked: every number of its report is computed again from the samples, and every gate judged.

use std::fmt::Write;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::{Pair, Recorded, pairs};
use crate::gate::Gates;
use crate::options::Judge;

/// Computes every pair again, compares it with what was reported, and lists the gates that fail, one a line.
///
/// # Errors
/// When the report is not what the samples say.
pub fn verify(run: &Recorded, gates: &Gates) -> Result<Vec<String>> {
    let computed: Vec<Pair> = run.measured.iter().flat_map(|measured| pairs(measured, gates, run.judge)).collect();
    ensure!(computed.len() == run.pairs.len(), "{} pairs are reported of {}", run.pairs.len(), computed.len());
    for (pair, reported) in computed.iter().zip(&run.pairs) {
        let name = describe(pair);
        differs(&serde_json::to_value(pair)?, reported, "")
            .map_or(Ok(()), |place| Err(anyhow::anyhow!("{name}: {place} is not what the samples say")))?;
    }
    let judge = run.judge.unwrap_or(Judge::Wall);
    Ok(computed.iter().filter(|pair| pair.misses()).map(|pair| miss(pair, judge)).collect())
}

/// Where two values differ, but for the last digits of a number.
fn differs(computed: &Value, reported: &Value, place: &str) -> Option<String> {
    let here = || Some(place.to_owned());
    match (computed, reported) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().find_map(|(name, value)| match b.get(name) {
                Some(other) => differs(value, other, &format!("{place}.{name}")),
                None => Some(format!("{place}.{name}")),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).find_map(|(value, other)| differs(value, other, place))
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            if (a - b).abs() <= 1e-9 * a.abs().max(1.0) { None } else { here() }
        }
        (a, b) if a == b => None,
        _ => here(),
    }
}

fn describe(pair: &Pair) -> String {
    format!("{:?}: {} of {} rows beside {}", pair.database, pair.case.operation.name(), pair.case.rows, pair.rival)
}

fn miss(pair: &Pair, judge: Judge) -> String {
    let mut text = describe(pair);
    if let Some(time) = pair.time.filter(|verdict| !verdict.passes) {
        let ratio = if judge == Judge::Cpu { pair.cpu_ratio } else { pair.ratio };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ": {:.2} ({:.2} to {:.2}) of its time, the limit is {:.2}",
            ratio.median, ratio.low, ratio.high, time.limit
        );
    }
    if let Some(memory) = pair.memory.filter(|verdict| !verdict.passes) {
        let _ = write!(text, ": {:.2} allocations a row, the limit is {:.2}", pair.allocations.0, memory.limit);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_what_differs() {
        let value = json!({"ratio": {"median": 1.0, "low": 0.5}, "rival": "raw"});
        assert_eq!(differs(&value, &value, ""), None);
        let close = json!({"ratio": {"median": 1.000_000_000_000_1, "low": 0.5}, "rival": "raw"});
        assert_eq!(differs(&value, &close, ""), None);
        let other = json!({"ratio": {"median": 1.0, "low": 0.4}, "rival": "raw"});
        assert_eq!(differs(&value, &other, "").as_deref(), Some(".ratio.low"));
        let missing = json!({"ratio": {"median": 1.0, "low": 0.5}});
        assert!(differs(&value, &missing, "").is_some());
    }
}
