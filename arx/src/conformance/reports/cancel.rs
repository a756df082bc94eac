//! Futures that are dropped, and connections that two tasks want.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use futures_util::StreamExt as _;
use futures_util::future::{join, join3};

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{Database, Error, ErrorKind, Record};

cases! {
    case_136_a_dropped_call_leaves_no_transaction: [11] [];
    case_136_a_call_dropped_inside_a_transaction: [2, 11] [];
    case_138_a_transaction_dropped_at_every_step: [2, 11] [];
    case_140_a_read_dropped_half_way: [11] [];
    case_140_a_stream_dropped_early: [11] [];
    case_142_a_statement_dropped_while_it_is_prepared: [4, 11] [];
    case_148_two_tasks_share_a_connection: [11] [];
}

/// Drops the future when it waits for the `times`th time; `Some` if it was done before.
async fn drop_at<F: Future>(times: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut waits = 0;
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => {
            waits += 1;
            if waits >= times { Poll::Ready(None) } else { Poll::Pending }
        }
    })
    .await
}

/// Writes a row and sees it from outside, which a transaction that is still open would prevent.
async fn prove_clean(context: &Context<'_>, db: &Database, mark: i32) {
    let key = db.repository::<Item>().create(&Item::new(mark)).await.unwrap();
    assert_eq!(stored::<Item>(context, &[key]).await[0].amount, mark);
    assert!(db.repository::<Item>().delete(key).await.unwrap());
    assert_eq!(context.repository::<Item>().retrieve(key).await.unwrap(), None);
}

// sqlx 4385: a future dropped inside BEGIN gave the connection back in the middle of a transaction, so that the
// next borrower wrote into it and lost everything.
async fn case_136_a_dropped_call_leaves_no_transaction(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let db = context.another(1).await;
    let rows = Item::many(300);
    for times in 1..60 {
        let done = drop_at(times, async {
            let tx = db.begin().await?;
            tx.repository::<Item>().create_multiple(&rows).await?;
            // All its work is done; from here on it is dropped before it can say so.
            poll_fn(|cx| {
                cx.waker().wake_by_ref();
                Poll::<Result<(), Error>>::Pending
            })
            .await
        });
        assert!(done.await.is_none());
        prove_clean(context, &db, 1_000_000).await;
        assert_eq!(db.repository::<Item>().count(()).await.unwrap(), 0, "dropped at wait {times}");
    }
    db.close().await;
}

// The same inside a caller's transaction. Either it goes on, with none of the dropped call's rows (or all, when only the
// call's last word was outstanding), or it says that it cannot, and then keeps nothing.
async fn case_136_a_call_dropped_inside_a_transaction(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let db = context.another(1).await;
    let rows = Item::many(300);
    let mut before = 0;
    for times in 1.. {
        assert!(times < 1_000, "the call never ends");
        let tx = db.begin().await.unwrap();
        let items = tx.repository::<Item>();
        items.create(&rows[0]).await.unwrap();
        let done = drop_at(times, items.create_multiple(&rows).into_future()).await;
        let next = items.create(&rows[1]).await;
        let committed = tx.commit().await;
        let now = context.repository::<Item>().count(()).await.unwrap();
        match next {
            Ok(_) => {
                committed.unwrap();
                let kept = now - before;
                assert!(kept == 302 || (kept == 2 && done.is_none()), "{kept} rows, dropped at wait {times}");
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::TransactionAborted, "{error:?}");
                assert_eq!(committed.unwrap_err().kind(), ErrorKind::TransactionAborted);
                assert!(done.is_none() && now == before, "{now} rows, dropped at wait {times}");
            }
        }
        before = now;
        prove_clean(context, &db, 1_000_000).await;
        if let Some(done) = done {
            assert_eq!(done.unwrap().len(), 300);
            break;
        }
    }
    db.close().await;
}

// diesel_async 198: a transaction dropped between its statements stayed open in the pool. Dropped at every wait in
// turn, it leaves all of its rows or none, and a connection for the next.
async fn case_138_a_transaction_dropped_at_every_step(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let db = context.another(1).await;
    let rows = Item::many(50);
    let mut stored_before = 0;
    for times in 1.. {
        assert!(times < 1_000, "the transaction never ends");
        let done = drop_at(
            times,
            db.transaction(async |tx| {
                let items = tx.repository::<Item>();
                let keys = items.create_multiple(&rows).await?;
                items.delete(keys[0]).await?;
                items.create(&rows[0]).await?;
                Ok::<_, Error>(())
            })
            .into_future(),
        );
        let done = done.await;
        prove_clean(context, &db, 1_000_000).await;
        let count = context.repository::<Item>().count(()).await.unwrap();
        // A COMMIT that nobody waits for may still be on its way: it is seen in a later round.
        assert!(count % 50 == 0 && count >= stored_before, "{count} rows, dropped at wait {times}");
        stored_before = count;
        if let Some(done) = done {
            done.unwrap();
            assert!(count >= 50);
            break;
        }
    }
    db.close().await;
}

// pgx 610: a result that was not read to its end kept the connection busy for ever.
async fn case_140_a_read_dropped_half_way(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let rows = Item::many(5_000);
    context.repository::<Item>().create_multiple(&rows).without_keys().await.unwrap();
    let db = context.another(1).await;
    let items = db.repository::<Item>();
    for times in (1..8).chain([10, 15, 25, 50, 100, 1_000, 10_000]) {
        let read = drop_at(times, items.retrieve_multiple(()).into_future()).await;
        assert!(read.is_none_or(|rows| rows.unwrap().len() == 5_000));
        let few = items.retrieve_multiple(Item::AMOUNT.lt(3)).order_by(Item::AMOUNT.asc()).await.unwrap();
        assert!(few.iter().map(|row| row.amount).eq(0..3), "dropped at wait {times}");
        // In a transaction the same connection goes on.
        let tx = db.begin().await.unwrap();
        let read = drop_at(times, tx.repository::<Item>().retrieve_multiple(()).into_future()).await;
        assert!(read.is_none_or(|rows| rows.unwrap().len() == 5_000));
        drop(tx);
        prove_clean(context, &db, 1_000_000).await;
    }
    db.close().await;
}

// pgx 610: a result that was not read to its end left its connection busy for ever.
async fn case_140_a_stream_dropped_early(context: &Context<'_>) {
    context.create_table::<Item>().await;
    context.repository::<Item>().create_multiple(&Item::many(5_000)).without_keys().await.unwrap();
    let db = context.another(1).await;
    for taken in [1, 300, 4_999] {
        let mut rows = db.repository::<Item>().retrieve_multiple(()).order_by(Item::AMOUNT.asc()).stream();
        for number in 0..taken {
            assert_eq!(rows.next().await.unwrap().unwrap().amount, number);
        }
        drop(rows);
        prove_clean(context, &db, 1_000_000).await;
    }
    db.close().await;
}

#[derive(Record)]
struct Total {
    total: i64,
}

// pgx 1156: a timeout between preparing a statement and using it left a statement in the cache that the server did
// not know.
async fn case_142_a_statement_dropped_while_it_is_prepared(context: &Context<'_>) {
    context.create_table::<Item>().await;
    context.repository::<Item>().create_multiple(&Item::many(10)).await.unwrap();
    let db = context.another(1).await;
    let mut ended = 0;
    for times in 1..60 {
        // A text that no connection has met yet.
        let sql = format!("SELECT COUNT(*) FROM items WHERE amount >= {times} - {times}");
        ended += u32::from(drop_at(times, db.query::<Total>(&sql, ()).into_future()).await.is_some());
        for _ in 0..2 {
            assert_eq!(db.query::<Total>(&sql, ()).await.unwrap()[0].total, 10, "dropped at wait {times}");
        }
    }
    assert!(ended > 0);
    prove_clean(context, &db, 1_000_000).await;
    db.close().await;
}

// psycopg 1130: two tasks that shared a connection met 'another command is already in progress'. Here a transaction
// is borrowed by both, and the second waits.
async fn case_148_two_tasks_share_a_connection(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let tx = context.db.begin().await.unwrap();
    let (rows, items) = (Item::many(500), tx.repository::<Item>());
    let (left, right, count) = join3(
        items.create_multiple(&rows).into_future(),
        items.create_multiple(&rows).into_future(),
        items.count(()).into_future(),
    )
    .await;
    let (left, right) = (left.unwrap(), right.unwrap());
    assert!(count.unwrap() <= 1_000);
    tx.commit().await.unwrap();
    for keys in [left, right] {
        assert!(stored::<Item>(context, &keys).await.iter().map(|row| row.amount).eq(0..500));
    }
    // A pool of one connection: the tasks take turns.
    let db = context.another(1).await;
    let items = db.repository::<Item>();
    let (left, right) = join(items.create(&rows[0]).into_future(), items.create_multiple(&rows).into_future()).await;
    assert_ne!(left.unwrap(), right.unwrap()[0]);
    assert_eq!(items.count(()).await.unwrap(), 1_501);
    db.close().await;
}
