//! The table of cuts: how many rows a statement should have, and whether arx chooses well.

use super::Recorded;
use super::document::duration;
use super::page::{Part, markdown};
use crate::batches::Cut;
use crate::case::Database;
use crate::contender::ARX;
use crate::statistics::{Estimate, estimate, median};

const HEAD: [&str; 6] = ["row", "bytes a statement", "rows a statement", "time", "beside the best by hand", "95%"];

/// The table of one database as Markdown.
#[must_use]
pub fn batches(title: &str, cuts: &[Cut]) -> String {
    markdown(title, &table(&cuts.iter().collect::<Vec<_>>()))
}

/// What a run says of batches on one database, if it has measured them.
pub(super) fn parts(run: &Recorded, database: Database) -> Vec<Part> {
    let cuts: Vec<&Cut> = run.cuts.iter().filter(|cut| cut.database == database).collect();
    if cuts.is_empty() {
        return Vec::new();
    }
    let measured = format!(
        "Measured {} on {}. Runner arguments: `{}`.",
        run.date,
        run.machine.describe(),
        run.arguments.join(" ")
    );
    let head = [Part::Heading("Batches".to_owned()), Part::Paragraph(measured)];
    head.into_iter().chain(table(&cuts)).collect()
}

fn table(cuts: &[&Cut]) -> Vec<Part> {
    let widths: Vec<&[&Cut]> = cuts.chunk_by(|a, b| a.width == b.width).collect();
    let chosen = widths.iter().filter_map(|cuts| {
        let cut = cuts.iter().find(|cut| cut.size.is_none())?;
        Some(format!("{:.2} for rows of {} bytes", beside(cut, best(cuts)?).median, cut.width))
    });
    let chosen = chosen.collect::<Vec<_>>().join(", ");
    let rows = widths.iter().flat_map(|cuts| cuts.iter().map(|cut| line(cut, best(cuts)))).collect();
    vec![
        Part::Paragraph(format!(
            "**The statements that arx chooses take, of the time of the best by hand: {chosen}.**"
        )),
        Part::Table(HEAD.to_vec(), rows),
    ]
}

/// The fastest by hand.
fn best<'a>(cuts: &[&'a Cut]) -> Option<&'a Cut> {
    let by_hand = cuts.iter().copied().filter(|cut| cut.size.is_some());
    by_hand.min_by(|a, b| median(&a.times).total_cmp(&median(&b.times)))
}

/// The time of a cut by that of another: the median of the trials.
fn beside(cut: &Cut, other: &Cut) -> Estimate {
    estimate(&cut.times.iter().zip(&other.times).map(|(time, other)| time / other).collect::<Vec<_>>())
}

fn line(cut: &Cut, best: Option<&Cut>) -> Vec<String> {
    let ratio = best.map(|best| beside(cut, best));
    vec![
        format!("{} B", cut.width),
        cut.size.map_or_else(|| format!("**{ARX}**"), |size| size.to_string()),
        cut.rows.to_string(),
        duration(median(&cut.times)),
        ratio.map_or_else(String::new, |ratio| format!("{:.2}", ratio.median)),
        ratio.map_or_else(String::new, |ratio| format!("{:.2} to {:.2}", ratio.low, ratio.high)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_with_the_best_by_hand() {
        let cut = |size, time| Cut { database: Database::Sqlite, width: 35, size, rows: 1, times: vec![time; 6] };
        let text = batches("T", &[cut(Some(512), 2e6), cut(Some(4_096), 4e6), cut(None, 1e6)]);
        assert!(text.contains("by hand: 0.50 for rows of 35 bytes"), "{text}");
        assert!(text.contains("| 35 B | 4096 | 1 | 4.00 ms | 2.00 | 2.00 to 2.00 |"), "{text}");
        assert!(text.contains("| 35 B | **arx** | 1 | 1.00 ms | 0.50 |"), "{text}");
    }
}
