//! Finding out which rows are at fault, after what was done has been undone.

use super::gather::Gather;
use super::session::{Batched, Need, Session, Whole, renumber_all};
use crate::connection::BoxFuture;
use crate::entity::{ColumnSet, Entity};
use crate::error::{Error, ErrorKind, Result, RowFault, RowReason};
use crate::plan::{KeyBytes, Lock, Verb, duplicates, versions};
use crate::query::Predicate;
use crate::value::{Decoder, Encoder, Literal, Scalar, Value};

/// Whether the rows of a write were all there, and each once.
pub(super) struct Suspects<'a> {
    /// What was to be done with them, for messages.
    pub(super) verb: Verb,
    /// The rows, in the order in which they were sent.
    pub(super) rows: &'a dyn Batched,
    /// Whether their versions had to be the stored ones.
    pub(super) versioned: bool,
    /// Which rows the write could match besides.
    pub(super) filter: &'a Predicate,
    /// The filter's literals.
    pub(super) literals: &'a [Literal<'static>],
}

/// What is stored for one row that was sent.
struct Stored {
    row: usize,
    version: Option<i64>,
}

impl Suspects<'_> {
    /// The error that names every row which is missing, stale, or stored once for two rows
    /// that were sent.
    pub(super) async fn examine<E: Entity>(&self, session: &mut Session<'_>) -> Error {
        let stored = self.stored::<E>(session).await;
        let faults = stored.and_then(|(stored, keys)| {
            let repeated = self.repeated(&stored, &keys);
            if repeated.is_empty() { self.missing_or_stale::<E>(&stored) } else { Ok(repeated) }
        });
        match faults {
            Ok(faults) => {
                error_for(faults, self.versioned).with_operation(format!("{} {}", self.verb.operation(), E::TABLE.name))
            }
            Err(error) => error,
        }
    }

    /// The error for rows that the database takes for the same one, if there are any.
    pub(super) async fn examine_duplicates<E: Entity>(&self, session: &mut Session<'_>) -> Result<()> {
        let (stored, keys) = self.stored::<E>(session).await?;
        let repeated = self.repeated(&stored, &keys);
        if repeated.is_empty() { Ok(()) } else { Err(duplicates(repeated)) }
    }

    async fn stored<E: Entity>(&self, session: &mut Session<'_>) -> Result<(Vec<Stored>, KeyBytes)> {
        let table = E::TABLE;
        let steps = versions(session.limits(), table, Lock::Update, self.filter.clone(), &Whole(self.rows));
        let (mut stored, mut keys) = (Vec::new(), KeyBytes::default());
        for step in steps.map_err(|error| renumber_all(error, self.rows))? {
            let take = Version { columns: table.version.map_or(table.key, |version| table.key.with(version)), table };
            let mut gather = Gather::new(&take, &step.shape, step.rows.len()).with_keys();
            session.step(&step, self.rows, self.literals, &mut gather).await?;
            let rows = gather.ordinals.iter().map(|ordinal| step.rows.start + ordinal);
            stored.extend(rows.zip(&gather.items).map(|(row, &version)| Stored { row, version }));
            keys.append(&gather.keys);
        }
        Ok((stored, keys))
    }

    /// Rows whose stored key is also the stored key of an earlier row.
    fn repeated(&self, stored: &[Stored], keys: &KeyBytes) -> Vec<RowFault> {
        let mut arrived: Vec<usize> = (0..stored.len()).collect();
        arrived.sort_by_key(|&index| self.rows.input(stored[index].row));
        let mut first = std::collections::HashMap::new();
        let mut faults = Vec::new();
        for index in arrived {
            let input = self.rows.input(stored[index].row);
            let of = *first.entry(keys.get(index)).or_insert(input);
            if of != input {
                faults.push(RowFault::new(input, RowReason::Duplicate { of }, String::new()));
            }
        }
        faults
    }

    fn missing_or_stale<E: Entity>(&self, stored: &[Stored]) -> Result<Vec<RowFault>> {
        let mut found: Vec<Option<&Stored>> = vec![None; self.rows.len()];
        for row in stored {
            if let Some(slot) = found.get_mut(row.row) {
                *slot = Some(row);
            }
        }
        let mut faults = Vec::new();
        for (row, stored) in found.iter().enumerate() {
            let reason = match stored {
                None => Some(RowReason::Missing),
                Some(stored) => self.staleness::<E>(row, stored.version)?,
            };
            if let Some(reason) = reason {
                faults.push(RowFault::new(self.rows.input(row), reason, self.key_text::<E>(row)));
            }
        }
        faults.sort_by_key(RowFault::index);
        Ok(faults)
    }

    fn staleness<E: Entity>(&self, row: usize, stored: Option<i64>) -> Result<Option<RowReason>> {
        let (Some(column), Some(found), true) = (E::TABLE.version, stored, self.versioned) else { return Ok(None) };
        let mut sent = Sent::default();
        self.rows.write_row(row, &ColumnSet::of(column), &mut sent);
        let expected = sent.integer()?;
        Ok((expected != found).then_some(RowReason::Stale { expected, found }))
    }

    fn key_text<E: Entity>(&self, row: usize) -> String {
        let mut sent = Sent::default();
        self.rows.write_row(row, &E::TABLE.key, &mut sent);
        sent.text
    }
}

fn error_for(faults: Vec<RowFault>, versioned: bool) -> Error {
    let is_duplicate = |fault: &RowFault| matches!(fault.reason(), RowReason::Duplicate { .. });
    if faults.iter().any(is_duplicate) {
        return duplicates(faults);
    }
    let is_missing = |fault: &RowFault| fault.reason() == RowReason::Missing;
    if !faults.is_empty() && faults.iter().all(is_missing) {
        return Error::new(ErrorKind::NotFound, "rows that had to exist do not; nothing was written").with_rows(faults);
    }
    let message = match (faults.is_empty(), versioned) {
        (true, _) => "rows were changed while they were being written; nothing was written, run the call again",
        (false, _) => "rows were changed since they were read; nothing was written, read them again",
    };
    Error::new(ErrorKind::StaleVersion, message).with_rows(faults)
}

/// Takes the version of a row, passing over its key.
struct Version {
    columns: ColumnSet,
    table: &'static crate::entity::Table,
}

impl super::gather::Take for Version {
    type Item = Option<i64>;

    fn take(&self, row: &mut dyn Decoder) -> Result<Self::Item> {
        let mut version = None;
        for column in self.columns.iter() {
            let value = row.next(self.table.columns[column].kind)?;
            if Some(column) == self.table.version {
                version = Some(integer(value)?);
            }
        }
        Ok(version)
    }
}

fn integer(value: Value<'_>) -> Result<i64> {
    match value {
        Value::I16(value) => Ok(value.into()),
        Value::I32(value) => Ok(value.into()),
        other => i64::decode(other),
    }
}

/// The values of one row that was sent.
#[derive(Default)]
struct Sent {
    text: String,
    integer: Option<i64>,
}

impl Sent {
    fn integer(&self) -> Result<i64> {
        self.integer.ok_or_else(|| Error::decode("the version is not an integer"))
    }
}

impl Encoder for Sent {
    fn value(&mut self, value: Value<'_>) {
        if !self.text.is_empty() {
            self.text.push_str(", ");
        }
        self.integer = integer(value).ok();
        self.text.push_str(&value.to_string());
    }

    fn fail(&mut self, _: Error) {}
}

/// Part of a write that can be tried again.
pub(super) trait Attempt: Sync {
    /// Writes the first `count` rows.
    fn attempt<'s>(&'s self, session: &'s mut Session<'_>, count: usize) -> BoxFuture<'s, Result<()>>;
}

/// The error with the row that a constraint refused: the last of the shortest beginning of
/// the batch that is refused. Everything that is tried is undone.
pub(super) async fn find_failing_row(
    session: &mut Session<'_>,
    error: Error,
    rows: usize,
    write: &dyn Attempt,
) -> Error {
    if !can_be_searched(&error) {
        return error;
    }
    let (mut passes, mut fails) = (0, rows);
    while fails - passes > 1 {
        let middle = passes + (fails - passes) / 2;
        if session.enter(Need::Undo).await.is_err() {
            return error;
        }
        let tried = write.attempt(session, middle).await;
        if session.undo().await.is_err() {
            return error;
        }
        match tried {
            Ok(()) => passes = middle,
            Err(found) if found.kind() == error.kind() => fails = middle,
            Err(_) => return error,
        }
    }
    error.with_rows(vec![RowFault::new(fails - 1, RowReason::Refused, String::new())])
}

fn can_be_searched(error: &Error) -> bool {
    let is_constraint = matches!(
        error.kind(),
        ErrorKind::UniqueViolation
            | ErrorKind::ForeignKeyViolation
            | ErrorKind::NotNullViolation
            | ErrorKind::CheckViolation
            | ErrorKind::ValueRejected
    );
    is_constraint && error.rows().is_empty()
}
