//! Futures that are dropped half way: the pool stays clean, and a call is there whole or not at all.
//!
//! Each case drops its future at its first `Pending`, then at its second, until it completes.

use std::future::{Future, IntoFuture as _};
use std::sync::atomic::{AtomicI32, Ordering};

use super::support::{drop_at, pause, within};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::{Database, Error, Field, Tx};

cases! {
    a_dropped_create_is_there_whole_or_not_at_all: [2, 11] [];
    a_dropped_create_of_one_row_leaves_a_clean_connection: [2, 11] [];
    a_dropped_update_is_there_whole_or_not_at_all: [2, 11] [];
    a_dropped_delete_is_there_whole_or_not_at_all: [2, 11] [];
    a_dropped_closure_is_there_whole_or_not_at_all: [2, 11] [];
    a_dropped_commit_is_there_whole_or_not_at_all: [2, 11] [];
    a_dropped_begin_leaves_no_transaction: [11] [];
    a_dropped_read_leaves_no_row_to_the_next_one: [11] [];
    a_dropped_verb_in_a_transaction_leaves_nothing_of_itself: [2, 11] [];
    a_dropped_savepoint_or_its_end_leaves_a_usable_transaction: [2, 11] [];
    a_dropped_search_for_a_failing_row_leaves_nothing: [2, 8, 11] [];
    a_dropped_wait_for_a_connection_gives_up_its_place: [11] [];
}

/// Every place at first, then fewer: a long read waits thousands of times.
fn next(place: usize) -> usize {
    if place < 60 { place + 1 } else { place + place / 4 }
}

/// Runs `attempt` with 1, 2, .. and a mark of its own until it says that its future completed.
/// What completed at once is tried again: a case that drops nothing shows nothing.
async fn until_done<F: Future<Output = bool>>(mut attempt: impl FnMut(usize, i32) -> F) {
    static MARK: AtomicI32 = AtomicI32::new(1_000);
    for _ in 0..30 {
        let mut place = 1;
        while !attempt(place, MARK.fetch_add(1, Ordering::SeqCst)).await {
            place = next(place);
            assert!(place < 1_000_000, "the future never completes");
        }
        if place > 1 {
            return;
        }
    }
}

fn marked(count: i32, mark: i32) -> Vec<Item> {
    (0..count).map(|number| Item { amount: mark, ..Item::new(number) }).collect()
}

async fn count(db: &Database, mark: i32) -> u64 {
    db.repository::<Item>().count(Item::AMOUNT.eq(mark)).await.unwrap()
}

/// Proves that the only connection of a pool is in no transaction: it can begin one, sees what
/// others see, and holds no lock that stops them. Yields how many rows have the mark.
async fn prove_clean(context: &Context<'_>, alone: &Database, mark: i32) -> u64 {
    for _ in 0..500 {
        let tx = within(30, "begin", alone.begin().into_future()).await.unwrap();
        let inside = tx.repository::<Item>().count(Item::AMOUNT.eq(mark)).await.unwrap();
        tx.commit().await.unwrap();
        let (first, outside) = (count(&context.db, mark).await, count(alone, mark).await);
        // The server may still be at work on a statement whose connection is gone.
        if inside == outside && first == outside {
            let quote = |name: &str| context.backend.quote(name);
            let touch = format!("UPDATE {} SET {} = {}", quote("items"), quote("name"), quote("name"));
            match within(30, "a write of every row", context.db.run(&touch, ()).into_future()).await {
                Ok(_) => return inside,
                // It met that statement on the way, in another order of the rows.
                Err(error) if error.is_retryable() => {}
                Err(error) => panic!("{error:?}"),
            }
        }
        pause(10).await;
    }
    panic!("the connection of the pool and the others never agree");
}

async fn a_dropped_create_is_there_whole_or_not_at_all(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    until_done(async |place, mark| {
        let mut rows = marked(2_000, mark);
        let done = drop_at(alone.repository::<Item>().create_multiple(&mut rows).into_future(), place).await;
        let found = prove_clean(context, alone, mark).await;
        assert!(found == 0 || found == 2_000, "{found} rows at {place}");
        assert!(done.is_none() || found == 2_000);
        done.is_some()
    })
    .await;
}

async fn a_dropped_create_of_one_row_leaves_a_clean_connection(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    until_done(async |place, mark| {
        let row = Item { amount: mark, ..Item::new(1) };
        let done = drop_at(alone.repository::<Item>().create(&row).into_future(), place).await;
        let found = prove_clean(context, alone, mark).await;
        assert!(found <= 1 && (done.is_none() || found == 1));
        done.is_some()
    })
    .await;
}

async fn a_dropped_update_is_there_whole_or_not_at_all(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows = marked(2_000, -1);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    let alone = &context.another(1).await;
    for options in 0..3 {
        let rows = &rows;
        until_done(async |place, mark| {
            let changed: Vec<_> = rows.iter().map(|row| Item { amount: mark, ..row.clone() }).collect();
            let update = alone.repository::<Item>().update_multiple(&changed);
            let update = match options {
                0 => update,
                1 => update.require_all(),
                _ => update.lock_first(),
            };
            let done = drop_at(update.into_future(), place).await;
            let found = prove_clean(context, alone, mark).await;
            assert!(found == 0 || found == 2_000, "{found} rows at {place}");
            assert!(done.is_none() || found == 2_000);
            done.is_some()
        })
        .await;
    }
}

async fn a_dropped_delete_is_there_whole_or_not_at_all(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    until_done(async |place, mark| {
        let keys = context.repository::<Item>().create_multiple(&marked(1_000, mark)).await.unwrap();
        let done = drop_at(alone.repository::<Item>().delete_multiple(&keys).into_future(), place).await;
        let found = prove_clean(context, alone, mark).await;
        assert!(found == 0 || found == 1_000, "{found} rows at {place}");
        assert!(done.is_none() || found == 0);
        done.is_some()
    })
    .await;
}

async fn a_dropped_closure_is_there_whole_or_not_at_all(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    until_done(async |place, mark| {
        let body = |mut tx: Tx<'static>| async move {
            let mut rows = marked(300, mark);
            tx.repository::<Item>().create_multiple(&mut rows).await?;
            let inner = tx.begin().await?;
            inner.repository::<Item>().create_multiple(&marked(300, mark)).await?;
            inner.commit().await?;
            tx.repository::<Item>().update_multiple(&rows).require_all().await?;
            Ok::<(), Error>(())
        };
        let done = drop_at(alone.transaction(body).into_future(), place).await;
        let found = prove_clean(context, alone, mark).await;
        assert!(found == 0 || found == 600, "{found} rows at {place}");
        assert!(done.is_none() || found == 600);
        done.is_some()
    })
    .await;
}

async fn a_dropped_commit_is_there_whole_or_not_at_all(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    for is_kept in [true, false] {
        until_done(async |place, mark| {
            let tx = alone.begin().await.unwrap();
            tx.repository::<Item>().create_multiple(&marked(100, mark)).await.unwrap();
            let end = async { if is_kept { tx.commit().await } else { tx.rollback().await } };
            let done = drop_at(end, place).await;
            let found = prove_clean(context, alone, mark).await;
            assert!(found == 0 || found == 100 && is_kept, "{found} rows at {place}");
            assert!(done.is_none() || (found == 100) == is_kept);
            done.is_some()
        })
        .await;
    }
}

async fn a_dropped_begin_leaves_no_transaction(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    for _ in 0..30 {
        until_done(async |place, mark| {
            let done = drop_at(alone.begin().into_future(), place).await;
            let is_done = done.is_some();
            drop(done);
            // A row that is written now must not be in a transaction that somebody has left open.
            alone.repository::<Item>().create(&Item { amount: mark, ..Item::new(1) }).await.unwrap();
            assert_eq!(prove_clean(context, alone, mark).await, 1);
            is_done
        })
        .await;
    }
}

async fn a_dropped_read_leaves_no_row_to_the_next_one(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows = Item::many(5_000);
    let keys = context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    let alone = &context.another(1).await;
    let (rows, keys) = (&rows, &keys);
    until_done(async |place, _| {
        let repository = alone.repository::<Item>();
        let done = drop_at(repository.retrieve_multiple(()).into_future(), place).await;
        assert_eq!(within(30, "a read", repository.retrieve(keys[7]).into_future()).await.unwrap().unwrap(), rows[7]);
        let other = drop_at(repository.retrieve_by_keys(keys).into_future(), place).await;
        assert_eq!(within(30, "a count", repository.count(()).into_future()).await.unwrap(), 5_000);
        done.is_some() && other.is_some()
    })
    .await;
    prove_clean(context, alone, 0).await;
}

/// Rows of two patterns of defaults: two statements, between which a call can be dropped.
fn documents(count: i32, mark: i32) -> Vec<Document> {
    let rank = |number: i32| if number % 2 == 0 { Field::Default } else { Field::Set(Some(mark)) };
    (0..count).map(|number| Document { rank: rank(number), ..Document::new(format!("{mark} {number}")) }).collect()
}

async fn a_dropped_verb_in_a_transaction_leaves_nothing_of_itself(context: &Context<'_>) {
    context.create_table::<Item>().await;
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let alone = &context.another(1).await;
    until_done(async |place, mark| {
        let tx = alone.begin().await.unwrap();
        let mut first = marked(1, mark);
        tx.repository::<Item>().create_multiple(&mut first).await.unwrap();
        let rows = documents(1_000, mark);
        let done = drop_at(tx.repository::<Document>().create_multiple(&rows).into_future(), place).await;
        let of_this = || Document::TITLE.starts_with(&format!("{mark} "));
        // Nothing is left of the call, unless it was dropped at its last word and is there whole;
        // or the transaction says that it cannot go on.
        match within(30, "a count", tx.repository::<Document>().count(of_this()).into_future()).await {
            Ok(found) => {
                assert!(found == 1_000 || done.is_none() && found == 0, "{found} rows at {place}");
                tx.repository::<Item>().update(&first[0]).await.unwrap();
                tx.commit().await.unwrap();
                assert_eq!(prove_clean(context, alone, mark).await, 1, "at {place}");
                assert_eq!(context.repository::<Document>().count(of_this()).await.unwrap(), found);
            }
            Err(error) => {
                assert!(done.is_none(), "{error:?}");
                assert!(tx.commit().await.is_err(), "a transaction that cannot go on has committed");
                assert_eq!(prove_clean(context, alone, mark).await, 0);
                assert_eq!(context.repository::<Document>().count(of_this()).await.unwrap(), 0);
            }
        }
        done.is_some()
    })
    .await;
}

async fn a_dropped_savepoint_or_its_end_leaves_a_usable_transaction(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = &context.another(1).await;
    for end in 0..3 {
        until_done(async |place, mark| {
            let mut tx = alone.begin().await.unwrap();
            tx.repository::<Item>().create_multiple(&marked(1, mark)).await.unwrap();
            let done = if end == 0 {
                drop_at(async { tx.begin().await.map(drop) }, place).await
            } else {
                let inner = tx.begin().await.unwrap();
                inner.repository::<Item>().create_multiple(&marked(10, mark)).await.unwrap();
                drop_at(async { if end == 1 { inner.commit().await } else { inner.rollback().await } }, place).await
            };
            let found =
                match within(30, "a count", tx.repository::<Item>().count(Item::AMOUNT.eq(mark)).into_future()).await {
                    Ok(found) => {
                        tx.commit().await.unwrap();
                        found
                    }
                    Err(error) => {
                        assert!(done.is_none(), "{error:?}");
                        assert!(tx.commit().await.is_err(), "a transaction that cannot go on has committed");
                        0
                    }
                };
            assert!(matches!((end, found), (_, 0 | 1) | (1, 11)), "{found} rows at {place}");
            assert!(done.is_none() || found == if end == 1 { 11 } else { 1 });
            assert_eq!(prove_clean(context, alone, mark).await, found);
            done.is_some()
        })
        .await;
    }
}

async fn a_dropped_search_for_a_failing_row_leaves_nothing(context: &Context<'_>) {
    let check = format!("CHECK ({} < 100000000)", context.backend.quote("amount"));
    context.create_table_with::<Item>(&[], &[&check]).await;
    let alone = &context.another(1).await;
    until_done(async |place, mark| {
        let mut rows = marked(200, mark);
        rows[150].amount = 100_000_001;
        let create = alone.repository::<Item>().create_multiple(&rows).find_failing_row();
        let done = drop_at(create.into_future(), place).await;
        assert_eq!(prove_clean(context, alone, mark).await, 0);
        assert!(done.as_ref().is_none_or(|done| done.as_ref().unwrap_err().rows()[0].index() == 150));
        done.is_some()
    })
    .await;
}

async fn a_dropped_wait_for_a_connection_gives_up_its_place(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = context.another(1).await;
    let tx = alone.begin().await.unwrap();
    for _ in 0..5 {
        let waits = drop_at(alone.begin().into_future(), 1).await;
        assert!(waits.is_none());
        let row = Item::new(1);
        assert!(drop_at(alone.repository::<Item>().create(&row).into_future(), 1).await.is_none());
    }
    tx.commit().await.unwrap();
    for _ in 0..3 {
        let tx = within(30, "begin", alone.begin().into_future()).await.unwrap();
        tx.repository::<Item>().create(&Item::new(2)).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(prove_clean(context, &alone, 2).await, 3);
    assert_eq!(count(&alone, 1).await, 0);
}
