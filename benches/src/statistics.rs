//! Medians, and how sure they are.

use serde::Serialize;

/// A median with the interval that holds the true one with a probability of at least 95%.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The median of the sample.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The median of what is left of any order; 0 for nothing.
#[must_use]
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        even if even.is_multiple_of(2) => f64::midpoint(sorted[middle - 1], sorted[middle]),
        _ => sorted[middle],
    }
}

/// The mean; 0 for nothing.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The smallest value that so many percent of the values do not exceed; 0 for nothing.
#[must_use]
pub fn percentile(values: &[f64], percent: usize) -> f64 {
    let rank = (values.len() * percent).div_ceil(100);
    sorted(values).get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// The median and its interval by order statistics: how many of `n` values lie below the true
/// median is binomial whatever their distribution, so that no model and no random numbers are
/// needed. With fewer than six values the interval is all of them, and less sure.
#[must_use]
pub fn estimate(values: &[f64]) -> Estimate {
    let sorted = sorted(values);
    let Some(last) = sorted.len().checked_sub(1) else { return Estimate { median: 0.0, low: 0.0, high: 0.0 } };
    let outside = rank(sorted.len());
    Estimate { median: median(&sorted), low: sorted[outside], high: sorted[last - outside] }
}

/// How many of the smallest and of the largest values can be left out of the interval.
fn rank(count: usize) -> usize {
    let mut chance = 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX));
    let mut below = chance;
    let mut rank = 0;
    // `below` is the chance that at most `rank` values lie on one side of the true median.
    while below <= 0.025 && rank < count {
        rank += 1;
        chance *= (count - rank + 1) as f64 / rank as f64;
        below += chance;
    }
    rank.saturating_sub(1)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn takes_percentiles() {
        let values: Vec<f64> = (1..=200).map(f64::from).collect();
        assert_eq!((percentile(&values, 95), percentile(&values, 99)), (190.0, 198.0));
        assert_eq!((percentile(&values[..3], 95), percentile(&[], 95)), (3.0, 0.0));
    }

    #[test]
    fn leaves_out_as_many_as_the_binomial_allows() {
        // The ranks that tables of the sign test give: 4 and 12 of 15, 1 and 6 of 6, 6 and 15 of 20.
        assert_eq!([5, 6, 15, 20].map(rank), [0, 0, 3, 5]);
        let values: Vec<f64> = (1..=15).map(f64::from).collect();
        assert_eq!(estimate(&values), Estimate { median: 8.0, low: 4.0, high: 12.0 });
    }
}
