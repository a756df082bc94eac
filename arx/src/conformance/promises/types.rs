//! What a value goes through in the cases of `types_*`: every way to write it, every way to read it.

use std::fmt::Debug;

use crate::conformance::Context;
use crate::{Entity, Filter};

/// Writes these rows by every verb and expects them back as they were. `keyed` gives a row
/// another key.
pub(super) async fn survive<E>(context: &Context<'_>, rows: Vec<E>, keyed: fn(&E, i64) -> E)
where
    E: Entity<Key = i64> + Clone + PartialEq + Debug,
{
    context.create_table::<E>().await;
    let repository = context.repository::<E>();
    let count = i64::try_from(rows.len()).unwrap();
    let rows: Vec<E> = rows.iter().zip(0..).map(|(row, id)| keyed(row, id)).collect();
    let keys: Vec<i64> = (0..count).collect();
    // In a batch, with every row as the first one once: its values must not decide the types.
    for start in 0..rows.len() {
        let mut batch = rows.clone();
        batch.rotate_left(start);
        repository.create_multiple(&batch).await.unwrap();
        expect(context, &keys, &rows).await;
        assert_eq!(repository.delete_multiple(&keys).await.unwrap(), keys.len() as u64);
    }
    // One by one.
    for row in &rows {
        repository.create(row).await.unwrap();
        assert_eq!(repository.retrieve(row.key()).await.unwrap().as_ref(), Some(row));
    }
    let read = repository.retrieve_multiple(Filter::all()).await.unwrap();
    assert_eq!(read.len(), rows.len());
    assert!(read.iter().all(|row| rows.contains(row)));
    // Each row takes the values of the next.
    let mut moved: Vec<E> = (0..rows.len()).map(|place| rows[(place + 1) % rows.len()].clone()).collect();
    moved = moved.iter().zip(0..).map(|(row, id)| keyed(row, id)).collect();
    assert_eq!(repository.update_multiple(&moved).await.unwrap().matched, rows.len() as u64);
    expect(context, &keys, &moved).await;
    for row in &rows {
        repository.update(row).await.unwrap();
    }
    expect(context, &keys, &rows).await;
    let more: Vec<E> = rows.iter().zip(count..).map(|(row, id)| keyed(row, id)).collect();
    assert_eq!(repository.create_multiple(&more).returning().await.unwrap(), more);
    assert_eq!(repository.create_multiple(&more[..0]).returning().await.unwrap(), []);
    let more: Vec<E> = rows.iter().zip(2 * count..).map(|(row, id)| keyed(row, id)).collect();
    assert_eq!(repository.create_multiple(&more).without_keys().await.unwrap(), more.len() as u64);
    expect(context, &more.iter().map(Entity::key).collect::<Vec<_>>(), &more).await;
}

async fn expect<E>(context: &Context<'_>, keys: &[i64], rows: &[E])
where
    E: Entity<Key = i64> + PartialEq + Debug,
{
    let found = context.repository::<E>().retrieve_by_keys(keys).await.unwrap();
    for (found, row) in found.iter().zip(rows) {
        assert_eq!(found.as_ref(), Some(row));
    }
    assert_eq!(found.len(), rows.len());
}

/// Expects that this filter finds exactly the rows with these keys.
pub(super) async fn expect_found<E>(context: &Context<'_>, filter: Filter<'_, E>, keys: &[i64])
where
    E: Entity<Key = i64> + Debug,
{
    let shape = format!("{filter:?}");
    let found = context.repository::<E>().retrieve_multiple(filter).await.unwrap();
    let mut found: Vec<i64> = found.iter().map(Entity::key).collect();
    found.sort_unstable();
    assert_eq!(found, keys, "{shape}");
}
