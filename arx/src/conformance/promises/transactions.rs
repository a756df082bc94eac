//! Transactions, savepoints, isolation and repetition.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::support::{assert_error, pause, sendable, stored, within};
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::conformance::{Context, Requires};
use crate::{Error, ErrorKind, Isolation, Retry, Tx};

cases! {
    what_is_committed_stays_and_the_rest_does_not: [2, 11] [];
    nothing_is_seen_before_the_commit: [2] [];
    savepoints_are_undone_one_by_one: [2] [];
    a_dropped_savepoint_is_undone_before_the_next_statement: [2, 11] [];
    savepoints_nest_deeply: [2] [];
    a_read_only_transaction_refuses_writes: [13] [];
    isolation_levels_are_what_they_say: [13] [Isolation];
    an_error_leaves_a_transaction_that_rolls_back: [2, 11] [];
    an_aborted_transaction_cannot_commit: [2, 13] [];
    a_closure_commits_or_rolls_back: [2, 11] [];
    an_error_of_the_application_is_not_repeated: [13] [];
    a_serialization_failure_is_repeated: [13] [Conflicts];
    a_failure_that_never_ends_is_given_up: [13] [Conflicts];
    a_deadlock_is_repeated: [10, 13] [RowLocks];
    futures_can_move_between_threads: [11] [];
}

async fn what_is_committed_stays_and_the_rest_does_not(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = context.another(1).await;
    let tx = alone.begin().await.unwrap();
    tx.repository::<Item>().create_multiple(&Item::many(3)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 3);
    let tx = alone.begin().await.unwrap();
    tx.repository::<Item>().create_multiple(&Item::many(3)).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 3);
    let tx = alone.begin().await.unwrap();
    tx.repository::<Item>().create_multiple(&Item::many(3)).await.unwrap();
    drop(tx);
    assert_eq!(within(20, "the next call", stored::<Item>(&alone)).await, 3);
    let tx = alone.begin().await.unwrap();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), 3);
    tx.commit().await.unwrap();
    alone.repository::<Item>().create(&Item::new(1)).await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 4);
}

async fn nothing_is_seen_before_the_commit(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let tx = context.db.begin().await.unwrap();
    tx.repository::<Item>().create_multiple(&Item::many(100)).await.unwrap();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), 100);
    assert_eq!(stored::<Item>(&context.db).await, 0);
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 100);
}

async fn amounts(tx: &Tx<'_>) -> Vec<i32> {
    let found = tx.repository::<Item>().retrieve_multiple(()).order_by(Item::AMOUNT.asc()).await.unwrap();
    found.iter().map(|row| row.amount).collect()
}

async fn savepoints_are_undone_one_by_one(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut tx = context.db.begin().await.unwrap();
    tx.repository::<Item>().create(&Item::new(1)).await.unwrap();
    let inner = tx.begin().await.unwrap();
    inner.repository::<Item>().create(&Item::new(2)).await.unwrap();
    inner.rollback().await.unwrap();
    assert_eq!(amounts(&tx).await, [1]);
    let mut inner = tx.begin().await.unwrap();
    inner.repository::<Item>().create(&Item::new(3)).await.unwrap();
    let innermost = inner.begin().await.unwrap();
    innermost.repository::<Item>().create_multiple(&[Item::new(4), Item::new(5)]).await.unwrap();
    innermost.commit().await.unwrap();
    let innermost = inner.begin().await.unwrap();
    innermost.repository::<Item>().create_multiple(&[Item::new(6), Item::new(7)]).await.unwrap();
    innermost.rollback().await.unwrap();
    inner.commit().await.unwrap();
    assert_eq!(amounts(&tx).await, [1, 3, 4, 5]);
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 4);
    // What an inner one has committed goes with the outer one.
    let mut tx = context.db.begin().await.unwrap();
    let inner = tx.begin().await.unwrap();
    inner.repository::<Item>().create(&Item::new(8)).await.unwrap();
    inner.commit().await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 4);
}

async fn a_dropped_savepoint_is_undone_before_the_next_statement(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = context.another(1).await;
    let mut tx = alone.begin().await.unwrap();
    tx.repository::<Item>().create(&Item::new(1)).await.unwrap();
    let mut inner = tx.begin().await.unwrap();
    inner.repository::<Item>().create(&Item::new(2)).await.unwrap();
    let innermost = inner.begin().await.unwrap();
    innermost.repository::<Item>().create(&Item::new(3)).await.unwrap();
    drop(innermost);
    assert_eq!(amounts(&inner).await, [1, 2]);
    let innermost = inner.begin().await.unwrap();
    innermost.repository::<Item>().create(&Item::new(4)).await.unwrap();
    // Both are dropped, the inner one first.
    drop(innermost);
    drop(inner);
    tx.repository::<Item>().create(&Item::new(5)).await.unwrap();
    assert_eq!(amounts(&tx).await, [1, 5]);
    let inner = tx.begin().await.unwrap();
    inner.repository::<Item>().create(&Item::new(6)).await.unwrap();
    drop(inner);
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 2);
    // A begin that was never awaited to its end leaves nothing behind either.
    let mut tx = alone.begin().await.unwrap();
    drop(super::support::drop_at(tx.begin(), 1).await);
    tx.repository::<Item>().create(&Item::new(7)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 3);
}

async fn savepoints_nest_deeply(context: &Context<'_>) {
    context.create_table::<Item>().await;
    fn nest<'a>(tx: &'a mut Tx<'_>, depth: i32) -> crate::connection::BoxFuture<'a, ()> {
        Box::pin(async move {
            tx.repository::<Item>().create_multiple(&[Item::new(depth), Item::new(-depth)]).await.unwrap();
            if depth < 20 {
                let mut inner = tx.begin().await.unwrap();
                nest(&mut inner, depth + 1).await;
                // Every fourth is undone, and all that is inside it.
                if depth % 4 == 3 { inner.rollback().await.unwrap() } else { inner.commit().await.unwrap() }
            }
        })
    }
    let mut tx = context.db.begin().await.unwrap();
    nest(&mut tx, 1).await;
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 6);
}

async fn a_read_only_transaction_refuses_writes(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows = Item::many(3);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    let tx = context.db.begin().read_only().await.unwrap();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), 3);
    let error = tx.repository::<Item>().create(&Item::new(9)).await.unwrap_err();
    assert_error(&error, ErrorKind::ReadOnly, &["item 9"]);
    tx.rollback().await.unwrap();
    for _ in 0..2 {
        let tx = context.db.begin().read_only().await.unwrap();
        let error = tx.repository::<Item>().update_multiple(&rows).await.unwrap_err();
        assert_error(&error, ErrorKind::ReadOnly, &["item 1"]);
    }
    let tx = context.db.begin().read_only().await.unwrap();
    assert_eq!(tx.repository::<Item>().retrieve(rows[0].id).await.unwrap().as_ref(), Some(&rows[0]));
    tx.commit().await.unwrap();
    let done = context.db.transaction(async |tx: Tx<'static>| tx.repository::<Item>().delete(rows[0].id).await);
    assert_eq!(done.read_only().await.unwrap_err().kind(), ErrorKind::ReadOnly);
    // The next user of the connections may write.
    for _ in 0..6 {
        context.repository::<Item>().create(&Item::new(1)).await.unwrap();
    }
    assert_eq!(stored::<Item>(&context.db).await, 9);
}

async fn isolation_levels_are_what_they_say(context: &Context<'_>) {
    context.create_table::<Item>().await;
    for (isolation, sees) in
        [(Isolation::ReadCommitted, true), (Isolation::RepeatableRead, false), (Isolation::Serializable, false)]
    {
        if isolation == Isolation::Serializable && !context.provides(Requires::Conflicts) {
            // What has been read is locked: the write would wait for this transaction.
            continue;
        }
        let tx = context.db.begin().isolation(isolation).await.unwrap();
        let before = tx.repository::<Item>().count(()).await.unwrap();
        context.repository::<Item>().create(&Item::new(1)).await.unwrap();
        let after = tx.repository::<Item>().count(()).await.unwrap();
        assert_eq!(after, before + u64::from(sees), "{isolation:?}");
        tx.commit().await.unwrap();
    }
}

async fn an_error_leaves_a_transaction_that_rolls_back(context: &Context<'_>) {
    context.create_table_with::<Item>(&[("name", "UNIQUE")], &[]).await;
    let alone = context.another(1).await;
    alone.repository::<Item>().create(&Item::new(1)).await.unwrap();
    for end in 0..3 {
        let tx = alone.begin().await.unwrap();
        tx.repository::<Item>().create(&Item::new(2)).await.unwrap();
        let error = tx.repository::<Item>().create(&Item::new(1)).await.unwrap_err();
        assert_error(&error, ErrorKind::UniqueViolation, &["item 1"]);
        match end {
            0 => tx.rollback().await.unwrap(),
            1 => drop(tx),
            _ => drop(tx.commit().await),
        }
        // A database that aborts transactions has kept nothing; the others have what was committed.
        let kept = u64::from(end == 2 && !context.db.pool().dialect().limits().aborts);
        assert_eq!(within(20, "the next call", stored::<Item>(&alone)).await, 1 + kept);
    }
    alone.repository::<Item>().create(&Item::new(3)).await.unwrap();
}

async fn an_aborted_transaction_cannot_commit(context: &Context<'_>) {
    context.create_table_with::<Item>(&[("name", "UNIQUE")], &[]).await;
    let alone = context.another(1).await;
    let mut tx = alone.begin().await.unwrap();
    tx.repository::<Item>().create(&Item::new(1)).await.unwrap();
    let inner = tx.begin().await.unwrap();
    inner.repository::<Item>().create(&Item::new(1)).await.unwrap_err();
    inner.rollback().await.unwrap();
    tx.repository::<Item>().create(&Item::new(2)).await.unwrap();
    tx.repository::<Item>().create(&Item::new(2)).await.unwrap_err();
    if context.db.pool().dialect().limits().aborts {
        let error = tx.repository::<Item>().create(&Item::new(3)).await.unwrap_err();
        assert_error(&error, ErrorKind::TransactionAborted, &["item 3"]);
        assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
        assert_eq!(stored::<Item>(&alone).await, 0);
    } else {
        tx.repository::<Item>().create(&Item::new(3)).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(stored::<Item>(&alone).await, 3);
    }
    alone.repository::<Item>().create(&Item::new(4)).await.unwrap();
}

async fn a_closure_commits_or_rolls_back(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let alone = context.another(1).await;
    let keys = alone
        .transaction(|tx: Tx<'static>| async move {
            tx.repository::<Item>().create_multiple(&Item::many(2)).await?;
            tx.repository::<Item>().create_multiple(&Item::many(3)).await
        })
        .await
        .unwrap();
    assert_eq!((keys.len(), stored::<Item>(&alone).await), (3, 5));
    let error = alone
        .transaction(|tx: Tx<'static>| async move {
            tx.repository::<Item>().create_multiple(&Item::many(2)).await?;
            Err::<(), _>(Error::invalid_input("changed my mind"))
        })
        .await
        .unwrap_err();
    assert_eq!((error.kind(), stored::<Item>(&alone).await), (ErrorKind::InvalidInput, 5));
    // The closure may also end the transaction itself.
    let done = alone.transaction(|tx: Tx<'static>| async move {
        tx.repository::<Item>().create(&Item::new(1)).await?;
        tx.commit().await
    });
    done.await.unwrap();
    let done = alone.transaction(|tx: Tx<'static>| async move {
        tx.repository::<Item>().create(&Item::new(1)).await?;
        tx.rollback().await
    });
    done.await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 6);
}

/// An application's own error.
#[derive(Debug)]
struct Refused;

impl From<Error> for Refused {
    fn from(_: Error) -> Self {
        Self
    }
}

async fn an_error_of_the_application_is_not_repeated(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let attempts = AtomicU32::new(0);
    let done: Result<(), Refused> = context
        .db
        .transaction(|tx: Tx<'static>| {
            attempts.fetch_add(1, Ordering::SeqCst);
            async move {
                tx.repository::<Item>().create(&Item::new(1)).await?;
                Err(Refused)
            }
        })
        .retry(Retry::serialization(5))
        .await;
    assert!(done.is_err());
    assert_eq!((attempts.load(Ordering::SeqCst), stored::<Item>(&context.db).await), (1, 0));
}

/// Adds one to a row's amount in a transaction into which another one breaks, so often.
async fn interrupted(context: &Context<'_>, breaks: u32, retries: u32) -> (Result<(), Error>, u32, i32) {
    context.create_table::<Item>().await;
    let key = context.repository::<Item>().create(&Item::new(0)).await.unwrap();
    let other = context.another(1).await;
    let attempts = AtomicU32::new(0);
    let raise = |tx: Tx<'static>| {
        let attempt = attempts.fetch_add(1, Ordering::SeqCst);
        let other = &other;
        async move {
            let items = tx.repository::<Item>();
            let mut row = items.retrieve(key).await?.unwrap();
            if attempt < breaks {
                let between = Item { amount: row.amount + 10, ..row.clone() };
                other.repository::<Item>().update(&between).await.unwrap();
            }
            row.amount += 1;
            items.update(&row).await
        }
    };
    let retry = Retry::serialization(retries).backoff(Duration::from_millis(1), Duration::from_millis(3));
    let done = context.db.transaction(raise).isolation(Isolation::RepeatableRead).retry(retry).await;
    let amount = context.repository::<Item>().retrieve(key).await.unwrap().unwrap().amount;
    (done, attempts.load(Ordering::SeqCst), amount)
}

async fn a_serialization_failure_is_repeated(context: &Context<'_>) {
    let (done, attempts, amount) = interrupted(context, 2, 5).await;
    done.unwrap();
    assert_eq!((attempts, amount), (3, 21));
    context.assert_usable().await;
}

async fn a_failure_that_never_ends_is_given_up(context: &Context<'_>) {
    let (done, attempts, amount) = interrupted(context, u32::MAX, 2).await;
    let error = done.unwrap_err();
    assert_error(&error, ErrorKind::SerializationFailure, &["item 0"]);
    assert!(error.is_retryable());
    assert_eq!((attempts, amount), (3, 30));
    context.assert_usable().await;
}

async fn a_deadlock_is_repeated(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows = Item::many(2);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    let (attempts, holders) = (AtomicU32::new(0), AtomicU32::new(0));
    let cross = |first: Item, second: Item| {
        let (attempts, holders) = (&attempts, &holders);
        let raise = move |tx: Tx<'static>| {
            attempts.fetch_add(1, Ordering::SeqCst);
            let (first, second) = (first.clone(), second.clone());
            async move {
                tx.repository::<Item>().update(&first).await?;
                holders.fetch_add(1, Ordering::SeqCst);
                while holders.load(Ordering::SeqCst) < 2 {
                    pause(5).await;
                }
                tx.repository::<Item>().update(&second).await
            }
        };
        context.db.transaction(raise).retry(Retry::serialization(5)).into_future()
    };
    let (one, two) = (cross(rows[0].clone(), rows[1].clone()), cross(rows[1].clone(), rows[0].clone()));
    let (one, two) = within(60, "two transactions", futures_util::future::join(one, two)).await;
    one.unwrap();
    two.unwrap();
    assert!(attempts.load(Ordering::SeqCst) >= 3);
}

async fn futures_can_move_between_threads(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let db = context.db.clone();
    let mut row = Item::new(1);
    let whole = async move {
        let mut tx = sendable(db.begin().into_future()).await?;
        let inner = sendable(tx.begin()).await?;
        let key = sendable(inner.repository::<Item>().create(&mut row).into_future()).await?;
        sendable(inner.commit()).await?;
        let rows = [row.clone()];
        sendable(tx.repository::<Item>().update_multiple(&rows).into_future()).await?;
        let filter = Item::NAME.is_in(&["item 1"]);
        sendable(tx.repository::<Item>().retrieve_multiple(filter).into_future()).await?;
        sendable(tx.commit()).await?;
        let body = |tx: Tx<'static>| async move { tx.repository::<Item>().delete(key).await };
        sendable(db.transaction(body).retry(Retry::serialization(1)).into_future()).await
    };
    assert!(sendable(whole).await.unwrap());
}
