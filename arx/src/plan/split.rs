//! Cutting a batch into statements: by rows, by parameters and by bytes.

use std::ops::Range;

use super::{Limits, Matching, Shape, Source, Step, Verb};
use crate::entity::{ColumnSet, Rows, Table};
use crate::error::{Error, Result, RowFault, RowReason};
use crate::value::{Elements, Encoder, ScalarKind, Value};

/// The steps of this shape for `rows`, as many as it takes.
///
/// # Errors
/// `Encode`, naming the row and its widest column, when a single row is over the limit.
pub(super) fn steps(limits: &Limits, shape: &Shape, rows: &dyn Rows) -> Result<Vec<Step>> {
    let pieces = split(limits, shape, rows)?;
    Ok(pieces.into_iter().map(|rows| step(limits, shape, rows)).collect())
}

/// The step of this shape for some rows.
pub(super) fn step(limits: &Limits, shape: &Shape, rows: Range<usize>) -> Step {
    let mut shape = shape.clone();
    if shape.source == Source::Values {
        shape.bucket = filled(buckets(limits, &shape), rows.len());
    }
    Step { shape, rows }
}

/// The sizes that this shape's rows are filled up to; none where it has exactly as many as there are.
fn buckets(limits: &Limits, shape: &Shape) -> &'static [usize] {
    match (shape.source, shape.verb, &shape.matching) {
        (Source::Values, Verb::Update, _) => limits.buckets.update,
        (Source::Values, Verb::Delete, _) => limits.buckets.delete,
        (Source::Values, Verb::Select, Matching::Ordinal { .. }) => limits.buckets.ordinal,
        (Source::Values, Verb::Select, _) => limits.buckets.read,
        _ => &[],
    }
}

/// The smallest of these ascending sizes that holds `count`, or `count` itself.
pub(super) fn filled(sizes: &[usize], count: usize) -> usize {
    sizes.iter().copied().find(|&size| size >= count).unwrap_or(count)
}

/// Placeholders for one row; an update may name the key once more for each column that it writes.
fn cells(shape: &Shape) -> usize {
    let columns = shape.columns.len();
    if shape.verb == Verb::Update { columns + columns * shape.table.key.len() } else { columns }
}

/// How many statements of this shape so many rows take, if their size in bytes does not matter.
#[must_use]
pub fn statements(limits: &Limits, shape: &Shape, rows: usize) -> usize {
    by_count(limits, shape, rows).len()
}

fn by_count(limits: &Limits, shape: &Shape, rows: usize) -> Vec<Range<usize>> {
    let is_single = matches!(shape.matching, Matching::PerRow | Matching::LastId);
    match (shape.source, buckets(limits, shape)) {
        (Source::Values, _) if is_single => even(rows, 1),
        (Source::Values, []) => values(limits, shape.columns.len(), rows),
        (Source::Values, sizes) => {
            let most = most(limits, cells(shape));
            even(rows, sizes.iter().copied().rfind(|&size| size <= most).unwrap_or(1))
        }
        (Source::Each | Source::Nothing, _) => std::iter::once(0..rows).collect(),
        (Source::Arrays | Source::Json | Source::Staged, _) => even(rows, limits.max_rows),
    }
}

/// Cuts `rows` into pieces that one statement each can take.
fn split(limits: &Limits, shape: &Shape, rows: &dyn Rows) -> Result<Vec<Range<usize>>> {
    let pieces = by_count(limits, shape, rows.len());
    let is_whole = matches!(shape.source, Source::Each | Source::Nothing);
    if is_whole || !may_exceed(limits, shape.table, &shape.columns, &pieces) {
        return Ok(pieces);
    }
    by_bytes(limits, shape, rows, pieces)
}

/// The largest sizes of the closed set first, each within the limit of parameters.
fn values(limits: &Limits, columns: usize, rows: usize) -> Vec<Range<usize>> {
    let most = most(limits, columns);
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < rows {
        let size = limits.values.iter().copied().find(|&size| size <= rows - start && size <= most).unwrap_or(1);
        pieces.push(start..start + size);
        start += size;
    }
    pieces
}

/// The rows that one statement with so many placeholders a row can have.
fn most(limits: &Limits, cells: usize) -> usize {
    (limits.max_parameters / cells.max(1)).min(limits.max_rows).max(1)
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

fn by_bytes(limits: &Limits, shape: &Shape, rows: &dyn Rows, pieces: Vec<Range<usize>>) -> Result<Vec<Range<usize>>> {
    let (table, columns) = (shape.table, &shape.columns);
    let sizes = Sizes::of(rows, columns);
    // An update may name the key once more for each column that it writes.
    let names_keys = shape.verb == Verb::Update && shape.source == Source::Values;
    let keys = names_keys.then(|| Sizes::of(rows, &table.key));
    let mut fitting = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (mut start, mut bytes) = (piece.start, 0_usize);
        for row in piece.clone() {
            let size = sizes.row(row);
            if size > limits.max_bytes {
                return Err(too_large(limits, table, columns, rows, row));
            }
            let size = size + keys.as_ref().map_or(0, |keys| keys.row(row) * columns.len());
            if bytes + size > limits.max_bytes && row > start {
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

/// Adds up the encoded size of values, a little over rather than under.
#[derive(Default)]
pub(crate) struct Measure {
    pub(crate) bytes: usize,
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
    use crate::plan::{Buckets, Limits};

    const SIZES: &[usize] = &[256, 128, 64, 32, 16, 8, 4, 2, 1];

    fn limits() -> Limits {
        Limits {
            max_parameters: 65_535,
            max_rows: 1_000,
            max_bytes: 1 << 20,
            values: SIZES,
            buckets: Buckets::NONE,
            lists: &[],
            text_lists: &[],
            insert: &[],
            write: &[],
            read: &[],
            ordinal: &[],
            returning: true,
            guarded_rows: 0,
            listed_texts: false,
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
    fn fills_up_to_the_next_size() {
        assert_eq!([1, 2, 3, 4, 5].map(|count| filled(&[1, 2, 4], count)), [1, 2, 4, 4, 5]);
        assert_eq!(filled(&[], 3), 3);
    }

    #[test]
    fn cuts_evenly_by_rows() {
        assert_eq!(even(2_500, 1_000), [0..1_000, 1_000..2_000, 2_000..2_500]);
        assert!(even(0, 1_000).is_empty());
    }
}
