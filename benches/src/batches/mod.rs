//! How many rows a statement should have: hand-written inserts of the same rows, cut into statements of ever more bytes,
//! beside what arx makes of them.
//!
//! Rows of one width are inserted in one transaction, without their keys, so that nothing but the size of the
//! statements differs. The cuts take turns; every trial begins with another, and the first of all does not count.

mod by_hand;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use self::by_hand::ByHand;
use crate::case::Database;
use crate::contender::{self, ARX, Contender};
use crate::customer::{Customer, customer};
use crate::fixture::{self, Fixture};
use crate::options::Options;

/// The bytes of a statement's rows.
const SIZES: [usize; 5] = [512, 4 << 10, 32 << 10, 256 << 10, 1 << 20];
/// The bytes of a row.
const WIDTHS: [usize; 4] = [35, 200, 1 << 10, 5 << 10];
/// The bytes of all rows.
const TOTAL: usize = 4 << 20;

/// One way to cut rows of one width into statements, and what it takes.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Cut {
    /// Where.
    pub database: Database,
    /// The bytes of a row.
    pub width: usize,
    /// The bytes of a statement's rows; `None` for arx, which chooses.
    pub size: Option<usize>,
    /// The rows of a statement; for arx on average, and on SQLite of a command, which runs a statement for each row.
    pub rows: usize,
    /// The time of each trial on the wall, in nanoseconds.
    pub times: Vec<f64>,
}

/// Measures all cuts on a database; yields its product and version, too.
///
/// # Errors
/// The database's, or rows are missing.
pub async fn measure(
    database: Database,
    core: Option<usize>,
    options: &Options,
    folder: &Path,
) -> Result<(String, Vec<Cut>)> {
    let mut stand = Stand::open(database, core, options, folder).await?;
    let total = if options.quick { TOTAL >> 6 } else { TOTAL };
    let mut all = Vec::new();
    for width in WIDTHS {
        eprintln!("{database:?}: statements for rows of {width} bytes");
        let rows = wide(total / width, width);
        let mut cuts = stand.cuts(database, width, &rows).await?;
        for trial in 0..=options.trials(rows.len()) {
            for turn in 0..cuts.len() {
                let place = (trial + turn) % cuts.len();
                let cut = &mut cuts[place];
                let time = stand.time(cut, &rows).await;
                let time = time.with_context(|| format!("{} rows of {width} bytes a statement", cut.rows))?;
                cut.times.extend(Some(time).filter(|_| trial > 0));
            }
        }
        all.append(&mut cuts);
    }
    Ok((stand.fixture.version().await?, all))
}

/// Rows of so many bytes: the code has 12, the balance 8, and the name all others.
fn wide(count: usize, width: usize) -> Vec<Customer> {
    let mut random = fastrand::Rng::with_seed(1);
    let numbers = (1..).take(count);
    let rows = numbers.map(|number| {
        let name = std::iter::repeat_with(|| random.alphanumeric()).take(width - 20).collect();
        Customer { name: Some(name), ..customer(0, number, &mut random) }
    });
    rows.collect()
}

/// Both, at one table.
struct Stand {
    arx: Box<dyn Contender>,
    by_hand: Box<dyn ByHand>,
    fixture: Box<dyn Fixture>,
}

impl Stand {
    async fn open(database: Database, core: Option<usize>, options: &Options, folder: &Path) -> Result<Self> {
        // One connection each: the first trial prepares all that the others run.
        let (place, mut fixture) = fixture::open(database, "batches", 1, folder).await?;
        let place = place.delayed(Duration::from_millis(options.latency))?;
        let entry = contender::entries(database).into_iter().find(|entry| entry.name == ARX);
        let arx = (entry.context("arx is not on this database")?.open)(&place).await?;
        let by_hand = by_hand::open(&place).await?;
        let is_pinned = match (core, fixture.processes().await?) {
            (Some(core), Some(found)) => found.iter().all(|process| process.pin(core)),
            _ => false,
        };
        if database.has_server() && !is_pinned {
            eprintln!("{database:?}: not on one core; expect noise");
        }
        Ok(Self { arx, by_hand, fixture })
    }

    /// The cuts by hand, those of as many rows as another left out, and that of arx.
    async fn cuts(&mut self, database: Database, width: usize, rows: &[Customer]) -> Result<Vec<Cut>> {
        let cut = |size, rows| Cut { database, width, size, rows, times: Vec::new() };
        let most = self.by_hand.most_rows().min(rows.len());
        let mut cuts: Vec<Cut> = SIZES.iter().map(|&size| cut(Some(size), (size / width).clamp(1, most))).collect();
        cuts.dedup_by_key(|cut| cut.rows);
        let log = self.arx.record(true).context("arx counts its statements")?;
        let mut chosen = cut(None, rows.len());
        self.time(&chosen, rows).await?;
        chosen.rows = rows.len().div_ceil(log.statements().max(1));
        self.arx.record(false);
        cuts.push(chosen);
        Ok(cuts)
    }

    /// Inserts the rows into an empty table; yields the time that it takes.
    async fn time(&mut self, cut: &Cut, rows: &[Customer]) -> Result<f64> {
        self.fixture.clear().await?;
        self.fixture.tidy().await?;
        let started = Instant::now();
        match cut.size {
            Some(_) => self.by_hand.insert(rows, cut.rows).await?,
            None => drop(self.arx.create_multiple_without_keys(rows).await?),
        }
        let time = started.elapsed().as_nanos() as f64;
        let count = self.fixture.count().await?;
        ensure!(count == rows.len(), "the table has {count} rows of {}", rows.len());
        Ok(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_their_width() {
        for width in WIDTHS {
            let rows = wide(2, width);
            let bytes = |row: &Customer| row.code.len() + row.name.as_ref().map_or(0, String::len) + 8;
            assert!(rows.iter().all(|row| bytes(row) == width) && rows[0] != rows[1]);
        }
    }
}
