//! Writers that meet: in which order rows are locked, and what a deadlock is.

use std::future::IntoFuture;

use futures_util::future::join;

use super::support::within;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::conformance::{Context, Requires};
use crate::{ErrorKind, Isolation, Tx};

cases! {
    writers_that_lock_first_never_deadlock: [10] [RowLocks];
    writers_that_do_not_lock_first_may_be_told_to_run_again: [10, 13] [RowLocks];
    all_or_nothing_updates_of_the_same_rows_never_deadlock: [2, 10] [RowLocks];
    deletes_of_the_same_rows_are_not_counted_twice: [7, 10] [RowLocks];
    a_lock_is_held_to_the_end_of_the_transaction: [10] [RowLocks];
    writers_take_turns: [2, 10] [];
}

async fn two_orders(context: &Context<'_>, count: i32) -> (Vec<Item>, Vec<Item>) {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    let mut backwards = rows.clone();
    backwards.reverse();
    (rows, backwards)
}

fn set(rows: &mut [Item], amount: i32) {
    rows.iter_mut().for_each(|row| row.amount = amount);
}

async fn amounts(context: &Context<'_>) -> Vec<i32> {
    let mut amounts: Vec<_> =
        context.repository::<Item>().retrieve_multiple(()).await.unwrap().iter().map(|row| row.amount).collect();
    amounts.dedup();
    amounts
}

async fn writers_that_lock_first_never_deadlock(context: &Context<'_>) {
    // Few rows of a large table: of a small one, a server may read every row, and lock all that it reads.
    let (mut rows, mut backwards) = two_orders(context, 2_000).await;
    let (one, two) = (context.another(1).await, context.another(1).await);
    let (one, two) = (one.repository::<Item>(), two.repository::<Item>());
    for round in 0..200 {
        set(&mut rows, 2 * round);
        set(&mut backwards, 2 * round + 1);
        let both = join(
            one.update_multiple(&rows[980..1_050]).lock_first().into_future(),
            two.update_multiple(&backwards[980..1_050]).lock_first().into_future(),
        );
        let (first, second) = within(60, "two updates", both).await;
        assert_eq!((first.unwrap().matched, second.unwrap().matched), (70, 70), "round {round}");
    }
}

async fn writers_that_do_not_lock_first_may_be_told_to_run_again(context: &Context<'_>) {
    let (mut rows, mut backwards) = two_orders(context, 300).await;
    let (one, two) = (context.another(1).await, context.another(1).await);
    for round in 0..200 {
        set(&mut rows, 2 * round);
        set(&mut backwards, 2 * round + 1);
        let (one, two) = (one.repository::<Item>(), two.repository::<Item>());
        let both = join(one.update_multiple(&rows).into_future(), two.update_multiple(&backwards).into_future());
        let (first, second) = within(60, "two updates", both).await;
        assert!(first.is_ok() || second.is_ok(), "{first:?} {second:?}");
        for error in [first, second].into_iter().filter_map(Result::err) {
            assert!(error.is_retryable() && error.kind() == ErrorKind::Deadlock, "{error:?}");
        }
        // One of them was the last, and wrote every row.
        assert_eq!(amounts(context).await.len(), 1, "round {round}");
    }
}

async fn all_or_nothing_updates_of_the_same_rows_never_deadlock(context: &Context<'_>) {
    let guarded = context.db.pool().dialect().limits().guarded_rows;
    if guarded == 0 {
        return;
    }
    let count = i32::try_from(guarded).unwrap();
    let (mut rows, mut backwards) = two_orders(context, count).await;
    let (one, two) = (context.another(1).await, context.another(1).await);
    for round in 0..100 {
        set(&mut rows, 2 * round);
        set(&mut backwards, 2 * round + 1);
        let (one, two) = (one.repository::<Item>(), two.repository::<Item>());
        let both = join(
            one.update_multiple(&rows).require_all().into_future(),
            two.update_multiple(&backwards).require_all().into_future(),
        );
        let (first, second) = within(60, "two updates", both).await;
        assert_eq!((first.unwrap().matched, second.unwrap().matched), (guarded as u64, guarded as u64));
        assert_eq!(amounts(context).await.len(), 1, "round {round}");
    }
}

async fn deletes_of_the_same_rows_are_not_counted_twice(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let (one, two) = (context.another(1).await, context.another(1).await);
    for _ in 0..50 {
        let keys = context.repository::<Item>().create_multiple(&Item::many(100)).await.unwrap();
        let mut backwards = keys.clone();
        backwards.reverse();
        let (one, two) = (one.repository::<Item>(), two.repository::<Item>());
        let both = join(one.delete_multiple(&keys).into_future(), two.delete_multiple(&backwards).into_future());
        let (first, second) = within(60, "two deletes", both).await;
        match (first, second) {
            (Ok(first), Ok(second)) => assert_eq!(first + second, 100),
            (Ok(count), Err(error)) | (Err(error), Ok(count)) => {
                assert!(error.is_retryable() && count == 100, "{error:?}")
            }
            (Err(first), Err(second)) => panic!("{first:?} {second:?}"),
        }
        assert_eq!(context.repository::<Item>().count(()).await.unwrap(), 0);
    }
}

async fn a_lock_is_held_to_the_end_of_the_transaction(context: &Context<'_>) {
    let (mut rows, mut backwards) = two_orders(context, 10).await;
    let tx = context.db.begin().await.unwrap();
    set(&mut rows, 5);
    set(&mut backwards, 6);
    tx.repository::<Item>().update_multiple(&rows).lock_first().await.unwrap();
    let other = context.another(1).await;
    let waits = async {
        other.repository::<Item>().update_multiple(&backwards).await.unwrap();
        std::time::Instant::now()
    };
    let ends = async {
        super::support::pause(150).await;
        let before = std::time::Instant::now();
        tx.commit().await.unwrap();
        before
    };
    let (written, committed) = within(60, "the second update", join(waits, ends)).await;
    assert!(written > committed);
    assert_eq!(amounts(context).await, [6]);
}

async fn writers_take_turns(context: &Context<'_>) {
    let (rows, _) = two_orders(context, 1).await;
    let key = rows[0].id;
    let raise = async |times: i32| {
        let db = context.another(1).await;
        for _ in 0..times {
            let body = |tx: Tx<'static>| async move {
                let mut row = tx.repository::<Item>().retrieve(key).await?.unwrap();
                // Another may write between a read and its update: the row is locked by a write first.
                tx.repository::<Item>().update(&row).columns(Item::NAME).await?;
                row.amount = tx.repository::<Item>().retrieve(key).await?.unwrap().amount + 1;
                tx.repository::<Item>().update(&row).await
            };
            let transaction = db.transaction(body).retry(crate::Retry::serialization(50));
            // Elsewhere the second read may repeat what the first one saw.
            match context.provides(Requires::Isolation) {
                true => transaction.isolation(Isolation::ReadCommitted).await.unwrap(),
                false => transaction.await.unwrap(),
            }
        }
    };
    within(60, "twenty transactions", join(raise(10), raise(10))).await;
    assert_eq!(amounts(context).await, [20]);
}
