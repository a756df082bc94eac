//! Cutting a batch into statements: by rows, by parameters and by bytes.

use std::ops::Range;

use super::{Limits, Source};
use crate::entity::{ColumnSet, Rows, Table};
use crate::error::{Error, Result, RowFault, RowReason};
use crate::value::{Elements, Encoder, ScalarKind, Value};

/// Cuts `rows` into pieces that one statement each can take.
///
/// # Errors
/// `Encode`, naming the row and its widest column, when a single row is over the limit.
pub(crate) fn split(
    limits: &Limits,
    table: &Table,
    columns: &ColumnSet,
    source: Source,
    rows: &dyn Rows,
) -> Result<Vec<Range<usize>>> {
    let by_count = match source {
        Source::Values => values(limits, columns.len(), rows.len()),
        Source::Each | Source::Nothing => std::iter::once(0..rows.len()).collect(),
        Source::Arrays | Source::Json | Source::Staged => even(rows.len(), limits.max_rows),
    };
    if matches!(source, Source::Each | Source::Nothing) || !may_exceed(limits, table, columns, &by_count) {
        return Ok(by_count);
    }
    by_bytes(limits, table, columns, rows, by_count)
}

/// The largest sizes of the closed set first, each within the limit of parameters.
fn values(limits: &Limits, columns: usize, rows: usize) -> Vec<Range<usize>> {
    let most = (limits.max_parameters / columns.max(1)).min(limits.max_rows).max(1);
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < rows {
        let size = limits.values.iter().copied().find(|&size| size <= rows - start && size <= most).unwrap_or(1);
        pieces.push(start..start + size);
        start += size;
    }
    pieces
}

fn even(rows: usize, most: usize) -> Vec<Range<usize>> {
    (0..rows).step_by(most.max(1)).map(|start| start..rows.min(start + most.max(1))).collect()
}

/// Fixed-width rows are judged without looking at them.
fn may_exceed(limits: &Limits, table: &Table, columns: &ColumnSet, pieces: &[Range<usize>]) -> bool {
    let largest = pieces.iter().map(Range::len).max().unwrap_or_default();
    let width: Option<usize> = columns.iter().map(|column| fixed_width(table.columns[column].kind)).sum();
    width.is_none_or(|width| width.saturating_mul(largest) > limits.max_bytes)
}

fn fixed_width(kind: ScalarKind) -> Option<usize> {
    match kind {
        ScalarKind::Text | ScalarKind::Bytes | ScalarKind::Json | ScalarKind::Decimal | ScalarKind::Array(_) => None,
        ScalarKind::Uuid => Some(20),
        _ => Some(12),
    }
}

fn by_bytes(
    limits: &Limits,
    table: &Table,
    columns: &ColumnSet,
    rows: &dyn Rows,
    pieces: Vec<Range<usize>>,
) -> Result<Vec<Range<usize>>> {
    let sizes = Sizes::of(rows, columns);
    let mut fitting = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (mut start, mut bytes) = (piece.start, 0_usize);
        for row in piece.clone() {
            let size = sizes.row(row);
            if size > limits.max_bytes {
                return Err(too_large(limits, table, columns, rows, row));
            }
            if bytes + size > limits.max_bytes {
                fitting.push(start..row);
                (start, bytes) = (row, 0);
            }
            bytes += size;
        }
        fitting.push(start..piece.end);
    }
    Ok(fitting)
}

fn too_large(limits: &Limits, table: &Table, columns: &ColumnSet, rows: &dyn Rows, row: usize) -> Error {
    let width = |column: usize| {
        let mut size = Measure::default();
        rows.write_row(row, &ColumnSet::of(column), &mut size);
        (size.bytes, column)
    };
    let (bytes, column) = columns.iter().map(width).max().unwrap_or_default();
    Error::encode(format!(
        "the row is too large to send: its column has {bytes} bytes and one statement takes {}; raise the server's limit or store the value elsewhere",
        limits.max_bytes
    ))
    .with_column(table.label(column))
    .with_rows(vec![RowFault::new(row, RowReason::Refused, String::new())])
}

/// The encoded size of each row, a little over rather than under.
pub struct Sizes(Vec<usize>);

impl Sizes {
    /// The sizes of these rows with these columns.
    #[must_use]
    pub fn of(rows: &dyn Rows, columns: &ColumnSet) -> Self {
        let mut sizes = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            let mut measure = Measure::default();
            rows.write_row(row, columns, &mut measure);
            sizes.push(measure.bytes);
        }
        Self(sizes)
    }

    /// The size of one row in bytes.
    #[must_use]
    pub fn row(&self, row: usize) -> usize {
        self.0.get(row).copied().unwrap_or_default()
    }
}

#[derive(Default)]
struct Measure {
    bytes: usize,
}

impl Encoder for Measure {
    fn value(&mut self, value: Value<'_>) {
        self.bytes += 8 + match value {
            Value::Text(text) | Value::Json(text) | Value::Decimal(text) => text.len(),
            Value::Bytes(bytes) => bytes.len(),
            Value::Array(elements) => array_size(elements),
            Value::Uuid(_) => 16,
            _ => 8,
        };
    }

    fn fail(&mut self, _: Error) {}
}

/// As array text, in which a byte may need an escape.
fn array_size(elements: &dyn Elements) -> usize {
    let mut measure = Measure::default();
    match elements.write(&mut measure) {
        Ok(()) => measure.bytes * 2,
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Limits;

    const SIZES: &[usize] = &[256, 128, 64, 32, 16, 8, 4, 2, 1];

    fn limits() -> Limits {
        Limits {
            max_parameters: 65_535,
            max_rows: 1_000,
            max_bytes: 1 << 20,
            values: SIZES,
            insert: &[],
            write: &[],
            read: &[],
            guarded_rows: 0,
            inspect: false,
            aborts: false,
            nan: true,
        }
    }

    #[test]
    fn covers_every_row_once_with_sizes_of_the_closed_set() {
        for rows in [0, 1, 2, 3, 255, 256, 257, 1_000, 10_001] {
            let pieces = values(&limits(), 10, rows);
            assert!(pieces.iter().all(|piece| SIZES.contains(&piece.len())), "{pieces:?}");
            assert_eq!(pieces.iter().cloned().flatten().collect::<Vec<_>>(), (0..rows).collect::<Vec<_>>());
        }
    }

    #[test]
    fn stays_below_the_limit_of_parameters() {
        for columns in 1..200 {
            let limits = Limits { max_parameters: 2_098, ..limits() };
            assert!(values(&limits, columns, 1_000).iter().all(|piece| piece.len() * columns <= 2_098));
        }
    }

    #[test]
    fn cuts_evenly_by_rows() {
        assert_eq!(even(2_500, 1_000), [0..1_000, 1_000..2_000, 2_000..2_500]);
        assert!(even(0, 1_000).is_empty());
    }
}
