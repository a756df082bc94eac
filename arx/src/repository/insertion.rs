//! How rows are inserted: planned in groups, sent, and what comes back put in its place.

use std::marker::PhantomData;

use super::batch::{Batch, EntityRows};
use super::fault::{Attempt, find_failing_row};
use super::gather::{Gather, Keys, Records, Take, Values, lost_rows};
use super::reread::reread;
use super::session::{Batched, Executor, Need, Session, Whole, renumber_all};
use super::written::Written;
use crate::connection::{BoxFuture, Discard, Intent};
use crate::entity::{ColumnSet, Entity, Key, Table};
use crate::error::Result;
use crate::plan::{GeneratedKeys, InsertPlan, Matching, Output, Source, Step, TableFacts, Verb, insert};
use crate::value::{Encoder, Value};

/// What is to come back from an insert.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Count,
    Keys,
    Entities,
}

/// An insert that has not run yet.
pub(super) struct Insertion<'a, E> {
    pub(super) executor: Executor<'a>,
    batch: Batch<'a, E>,
    pub(super) given_keys: bool,
    pub(super) find_failing_row: bool,
}

/// Rows that default the same columns, and the statements that insert them.
struct Group {
    defaulted: ColumnSet,
    order: Option<Vec<u32>>,
    steps: Vec<Step>,
    /// What is read afterwards, where an insert returns no more than keys.
    reread: Option<Output>,
}

impl<'a, E: Entity> Insertion<'a, E> {
    pub(super) fn new(executor: Executor<'a>, batch: Batch<'a, E>) -> Self {
        Self { executor, batch, given_keys: false, find_failing_row: false }
    }

    /// The columns that come back for rows which default `defaulted`.
    fn output(&self, want: Want, defaulted: &ColumnSet) -> Output {
        let table = E::TABLE;
        let mut generated = table.generated();
        if self.given_keys {
            generated = generated.without(&table.key);
        }
        let makes_key = !generated.intersection(&table.key).is_empty();
        Output::Columns(match want {
            Want::Entities => table.all(),
            Want::Keys if self.batch.is_mutable() => {
                let columns = generated.union(defaulted);
                if columns.is_empty() { columns } else { columns.union(&table.key) }
            }
            Want::Keys if makes_key => table.key,
            Want::Keys | Want::Count => ColumnSet::EMPTY,
        })
    }

    /// What arx writes into these rows.
    fn written(&self) -> Result<Written> {
        Written::new::<E>(self.executor.clock().now(), self.batch.rows().len(), self.given_keys)
    }

    async fn plan(&self, session: &mut Session<'_>, want: Want, rows: &[E], written: &Written) -> Result<Vec<Group>> {
        let is_each = session.limits().source(Verb::Insert, rows.len()) == Source::Each;
        // One row that is returned needs no looking up; what else the server reports has to be known to be the key.
        let is_returned = rows.len() == 1 && !is_each && session.limits().returning;
        let asks = want != Want::Count && session.limits().inspect && !is_returned;
        let makes_key = !self.given_keys && !E::TABLE.generated().intersection(&E::TABLE.key).is_empty();
        let facts = match asks && makes_key {
            true => session.facts(E::TABLE).await?,
            false => std::sync::Arc::new(TableFacts::new(GeneratedKeys::PerRow)),
        };
        let mut groups = groups(rows, E::TABLE);
        for group in &mut groups {
            let mut output = self.output(want, &group.defaulted);
            if !session.limits().returning {
                (output, group.reread) = reported(E::TABLE, output, makes_key, want == Want::Entities);
            }
            let plan = InsertPlan {
                table: E::TABLE,
                defaulted: group.defaulted,
                stamped: &written.stamped,
                output,
                given_keys: self.given_keys,
            };
            let batch = EntityRows { rows, order: group.order.as_deref(), made: &written.made };
            let steps = insert(session.limits(), &facts, &plan, &Whole(&batch));
            group.steps = steps.map_err(|error| renumber_all(error, &batch).with_operation(operation::<E>()))?;
        }
        Ok(groups)
    }

    /// Inserts; each item that comes back is put at the place of its input row.
    async fn run<T: Take>(
        &self,
        session: &mut Session<'_>,
        (want, written): (Want, &Written),
        take: impl Fn(&Step) -> Option<T>,
    ) -> Result<(u64, Vec<Option<T::Item>>)> {
        let rows = self.batch.rows();
        let groups = self.plan(session, want, rows, written).await?;
        let steps = groups.iter().flat_map(|group| &group.steps);
        session.enter(Need::of(steps, groups.iter().any(|group| group.reread.is_some()))).await?;
        let done = self.insert_groups(session, &groups, written, take).await;
        let done = session.leave(done).await;
        match done {
            Err(error) if self.find_failing_row => {
                Err(find_failing_row(session, error, rows.len(), &Probe { insertion: self, written }).await)
            }
            done => done,
        }
    }

    async fn insert_groups<T: Take>(
        &self,
        session: &mut Session<'_>,
        groups: &[Group],
        written: &Written,
        take: impl Fn(&Step) -> Option<T>,
    ) -> Result<(u64, Vec<Option<T::Item>>)> {
        let rows = self.batch.rows();
        let mut inserted = 0;
        let mut items = Vec::new();
        items.resize_with(rows.len(), || None);
        for group in groups {
            let batch = EntityRows { rows, order: group.order.as_deref(), made: &written.made };
            let Some(output) = &group.reread else {
                for step in &group.steps {
                    inserted += self.insert(session, step, (&batch, written), take(step), &mut items).await?;
                }
                continue;
            };
            let mut keys = Vec::new();
            keys.resize_with(rows.len(), || None);
            for step in &group.steps {
                let take = returns(step).then_some(Keys::<E::Key>(PhantomData));
                inserted += self.insert(session, step, (&batch, written), take, &mut keys).await?;
            }
            let key = |row: usize| keys[row].take().map_or_else(|| written.key_of(&rows[row], row), Ok);
            let keys: Vec<_> = (0..batch.len()).map(|row| batch.input(row)).map(key).collect::<Result<_>>()?;
            reread::<E, T>(session, output.clone(), &keys, &take, |row, item| {
                if let Some(slot) = items.get_mut(batch.input(row)) {
                    *slot = Some(item);
                }
            })
            .await
            .map_err(|error| error.with_operation(operation::<E>()))?;
        }
        Ok((inserted, items))
    }

    /// Runs one step; yields how many rows it inserted.
    async fn insert<T: Take>(
        &self,
        session: &mut Session<'_>,
        step: &Step,
        (batch, written): (&EntityRows<'_, E>, &Written),
        take: Option<T>,
        items: &mut [Option<T::Item>],
    ) -> Result<u64> {
        let Some(take) = take.filter(|_| !session.rehearses()) else {
            return Ok(session.step(step, batch, &written.literals, &mut Discard).await?.rows);
        };
        let mut gather = Gather::new(&take, &step.shape, step.rows.len());
        let inserted = session.step(step, batch, &written.literals, &mut gather).await?.rows;
        let piece = super::session::piece(batch, &step.rows);
        let placed = gather.place(&step.shape.matching, &piece, |row, item| {
            if let Some(slot) = items.get_mut(batch.input(step.rows.start + row)) {
                *slot = Some(item);
            }
        });
        placed.map_err(|error| error.with_operation(operation::<E>()))?;
        Ok(inserted)
    }

    /// Runs where nothing is sent. The rows given are left as they are.
    pub(super) async fn rehearse(self, want: Want) -> Result<()> {
        if self.batch.rows().is_empty() {
            return Ok(());
        }
        let written = self.written()?;
        let mut session = self.executor.open(Intent::Write).await?;
        self.run(&mut session, (want, &written), |_| None::<Keys<E::Key>>).await.map(drop)
    }

    pub(super) async fn count(self) -> Result<u64> {
        if self.batch.rows().is_empty() {
            return Ok(0);
        }
        let written = self.written()?;
        let mut session = self.executor.open(Intent::Write).await?;
        let (inserted, _) = self.run(&mut session, (Want::Count, &written), |_| None::<Keys<E::Key>>).await?;
        Ok(inserted)
    }

    pub(super) async fn entities(self) -> Result<Vec<E>> {
        if self.batch.rows().is_empty() {
            return Ok(Vec::new());
        }
        let written = self.written()?;
        let mut session = self.executor.open(Intent::Write).await?;
        let take = |_: &Step| Some(Records::<E>(PhantomData));
        let (_, items) = self.run(&mut session, (Want::Entities, &written), take).await?;
        items.into_iter().map(|item| item.ok_or_else(lost_rows)).collect()
    }

    pub(super) async fn keys(self) -> Result<Vec<E::Key>> {
        if self.batch.rows().is_empty() {
            return Ok(Vec::new());
        }
        let written = self.written()?;
        if self.batch.is_mutable() {
            return self.write_back(written).await;
        }
        let mut session = self.executor.open(Intent::Write).await?;
        let take = |step: &Step| returns(step).then_some(Keys::<E::Key>(PhantomData));
        let (_, items) = self.run(&mut session, (Want::Keys, &written), take).await?;
        let rows = self.batch.rows();
        items
            .into_iter()
            .enumerate()
            .map(|(row, item)| item.map_or_else(|| written.key_of(&rows[row], row), Ok))
            .collect()
    }

    /// Inserts, then gives the rows what the database and arx have made.
    async fn write_back(mut self, written: Written) -> Result<Vec<E::Key>> {
        let table = E::TABLE;
        let mut session = self.executor.open(Intent::Write).await?;
        // Where only keys can come back, they are taken as such: no allocation for each row.
        if table.defaultable.is_empty() && table.generated().without(&table.key).is_empty() {
            let take = |step: &Step| returns(step).then_some(Keys::<E::Key>(PhantomData));
            let (_, keys) = self.run(&mut session, (Want::Keys, &written), take).await?;
            return self.accept(&written, keys, |entity, key| accept_key(entity, &key));
        }
        let take = |step: &Step| returns(step).then(|| Values::of(table, returned(table, step)));
        let (_, values) = self.run(&mut session, (Want::Keys, &written), take).await?;
        self.accept(&written, values, |entity, returned| {
            let mut values = returned.columns.iter().zip(&returned.values);
            values.try_for_each(|(&column, value)| entity.accept(column, value.value()))
        })
    }

    fn accept<T>(
        &mut self,
        written: &Written,
        returned: Vec<Option<T>>,
        accept: impl Fn(&mut E, T) -> Result<()>,
    ) -> Result<Vec<E::Key>> {
        let mut keys = Vec::with_capacity(returned.len());
        for (row, (entity, returned)) in self.batch.rows_mut().iter_mut().zip(returned).enumerate() {
            for (&column, literal) in written.stamped.iter().zip(&written.literals) {
                entity.accept(column, literal.value())?;
            }
            for (column, values) in &written.made {
                entity.accept(*column, values[row].value())?;
            }
            if let Some(returned) = returned {
                accept(entity, returned)?;
            }
            keys.push(entity.key());
        }
        Ok(keys)
    }
}

/// Gives an entity its key, part by part.
fn accept_key<E: Entity>(entity: &mut E, key: &E::Key) -> Result<()> {
    for (part, column) in E::TABLE.key.iter().enumerate() {
        let mut accepting = Accepting { entity, column, done: Ok(()) };
        key.encode(part, &mut accepting);
        accepting.done?;
    }
    Ok(())
}

/// Takes one value of a key over into an entity.
struct Accepting<'e, E> {
    entity: &'e mut E,
    column: usize,
    done: Result<()>,
}

impl<E: Entity> Encoder for Accepting<'_, E> {
    fn value(&mut self, value: Value<'_>) {
        self.done = self.entity.accept(self.column, value);
    }

    fn fail(&mut self, error: crate::error::Error) {
        self.done = Err(error);
    }
}

/// An insert of the first rows only, to see whether they are refused; the caller undoes it.
struct Probe<'p, 'a, E> {
    insertion: &'p Insertion<'a, E>,
    written: &'p Written,
}

impl<E: Entity> Attempt for Probe<'_, '_, E> {
    fn attempt<'s>(&'s self, session: &'s mut Session<'_>, count: usize) -> BoxFuture<'s, Result<()>> {
        Box::pin(async move {
            let rows = self.insertion.batch.rows().get(..count).unwrap_or_default();
            for group in self.insertion.plan(session, Want::Count, rows, self.written).await? {
                let batch = EntityRows { rows, order: group.order.as_deref(), made: &self.written.made };
                for step in &group.steps {
                    session.step(step, &batch, &self.written.literals, &mut Discard).await?;
                }
            }
            Ok(())
        })
    }
}

fn returns(step: &Step) -> bool {
    !step.shape.output.is_empty() || matches!(step.shape.matching, Matching::LastId | Matching::Block { .. })
}

/// What an insert that returns no columns reports of this output, and what is to be read afterwards.
fn reported(table: &Table, output: Output, makes_key: bool, whole: bool) -> (Output, Option<Output>) {
    let key = Output::Columns(if makes_key { table.key } else { ColumnSet::EMPTY });
    let is_known = output.columns().iter().all(|&column| table.key.contains(column)) && (makes_key || !whole);
    (if output.is_empty() { Output::NOTHING } else { key }, Some(output).filter(|_| !is_known))
}

/// The columns that a step's rows carry.
fn returned(table: &Table, step: &Step) -> Vec<usize> {
    match step.shape.matching {
        Matching::LastId | Matching::Block { .. } => table.key.iter().collect(),
        _ => step.shape.output.columns(),
    }
}

fn operation<E: Entity>() -> String {
    format!("insert into {}", E::TABLE.name)
}

/// Rows by the columns that they leave to the database; one group where no column can be left.
fn groups<E: Entity>(rows: &[E], table: &Table) -> Vec<Group> {
    if table.defaultable.is_empty() {
        return vec![Group { defaulted: ColumnSet::EMPTY, order: None, steps: Vec::new(), reread: None }];
    }
    let mut groups: Vec<Group> = Vec::new();
    for (row, entity) in (0_u32..).zip(rows) {
        let defaulted = entity.defaults();
        match groups.iter_mut().find(|group| group.defaulted == defaulted) {
            Some(group) => group.order.get_or_insert_default().push(row),
            None => groups.push(Group { defaulted, order: Some(vec![row]), steps: Vec::new(), reread: None }),
        }
    }
    if let [only] = groups.as_mut_slice() {
        only.order = None;
    }
    groups
}
