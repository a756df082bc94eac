//! Reading what an insert has made, where the database returns no more than keys.

use super::batch::KeyRows;
use super::gather::{Gather, Take, lost_rows};
use super::session::{Session, Whole, piece};
use crate::connection::Discard;
use crate::entity::Entity;
use crate::error::Result;
use crate::plan::{Output, Step, select_keys};
use crate::query::Predicate;

/// Reads these columns of the rows with these keys; each item is handed on with the place of its key.
///
/// It has to run in the transaction of the insert: another one may change the rows as soon as they are seen.
pub(super) async fn reread<E: Entity, T: Take>(
    session: &mut Session<'_>,
    output: Output,
    keys: &[E::Key],
    take: impl Fn(&Step) -> Option<T>,
    mut put: impl FnMut(usize, T::Item),
) -> Result<()> {
    let table = E::TABLE;
    let rows = KeyRows { keys, order: None, columns: table.key };
    let by_ordinal = !table.key.iter().all(|column| table.columns[column].kind.is_comparable());
    let steps = select_keys(session.limits(), table, output, Predicate::All, by_ordinal, &Whole(&rows))?;
    for step in &steps {
        if session.rehearses() {
            session.step(step, &rows, &[], &mut Discard).await?;
            continue;
        }
        let take = take(step).ok_or_else(lost_rows)?;
        let mut gather = Gather::new(&take, &step.shape, step.rows.len());
        session.step(step, &rows, &[], &mut gather).await?;
        gather.place(&step.shape.matching, &piece(&rows, &step.rows), |row, item| put(step.rows.start + row, item))?;
    }
    Ok(())
}
