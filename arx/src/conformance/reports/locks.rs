//! Two writers of the same rows.

use std::time::Duration;

use futures_util::future::join;

use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::plan::Verb;
use crate::{Entity, Error, ErrorKind, Retry};

cases! {
    case_131_overlapping_updates_in_opposite_orders: [10] [RowLocks];
    case_131_overlapping_inserts_in_opposite_orders: [2, 10] [RowLocks];
    case_133_flags_of_many_messages_set_by_two: [8, 10] [RowLocks];
    case_133_a_deadlock_is_run_again: [10] [RowLocks];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "query_texts")]
struct QueryText {
    #[arx(key)]
    digest: i64,
    txt: String,
}

fn query_texts(count: i64, txt: &str) -> Vec<QueryText> {
    (0..count).map(|digest| QueryText { digest: digest * 7 % count, txt: txt.to_owned() }).collect()
}

// PerformanceMonitor 1801: two sessions wrote overlapping keys in different orders and deadlocked. Rows that are
// locked in the order of their keys first cannot.
async fn case_131_overlapping_updates_in_opposite_orders(context: &Context<'_>) {
    context.create_table::<QueryText>().await;
    let other = context.another(1).await;
    let (mine, others) = (context.repository::<QueryText>(), other.repository::<QueryText>());
    // Stored from the last key to the first, and read so by one of the sessions: sorted keys alone would not help.
    let last_first: Vec<_> = (0..500).rev().map(|digest| QueryText { digest, txt: String::new() }).collect();
    mine.create_multiple(&last_first).without_keys().await.unwrap();
    // A database that has no such setting has another way to read a table.
    let _ = other.run("SET enable_nestloop = off", ()).await;
    let forth = query_texts(500, "forth");
    let mut back = query_texts(500, "back");
    back.reverse();
    context.log.reset();
    assert_eq!(mine.update_multiple(&forth).lock_first().await.unwrap().matched, 500);
    let updates = context.statements::<QueryText>(Verb::Update, 500);
    context.assert_traffic(1 + updates, 1 + updates + 2);
    for _ in 0..40 {
        let (left, right) = join(
            mine.update_multiple(&forth).lock_first().into_future(),
            others.update_multiple(&back[..400]).lock_first().into_future(),
        )
        .await;
        assert_eq!((left.unwrap().matched, right.unwrap().matched), (500, 400));
    }
    let texts: std::collections::BTreeSet<_> = mine
        .retrieve_multiple(QueryText::DIGEST.is_in(&back[..400].iter().map(|row| row.digest).collect::<Vec<_>>()))
        .await
        .unwrap()
        .into_iter()
        .map(|row| row.txt)
        .collect();
    assert_eq!(texts.len(), 1, "one of the calls was the last, for all of its rows");
    other.close().await;
}

// The same for new keys: one call stores its rows and the other none, by an error that says why.
async fn case_131_overlapping_inserts_in_opposite_orders(context: &Context<'_>) {
    context.create_table::<QueryText>().await;
    let other = context.another(1).await;
    let (mine, others) = (context.repository::<QueryText>(), other.repository::<QueryText>());
    let forth = query_texts(200, "forth");
    let mut back = query_texts(200, "back");
    back.reverse();
    for _ in 0..8 {
        let (left, right) = join(
            mine.create_multiple(&forth).without_keys().into_future(),
            others.create_multiple(&back).without_keys().into_future(),
        )
        .await;
        let mut stored = 0;
        for done in [left, right] {
            match done {
                Ok(rows) => stored += rows,
                Err(error) => assert!(error.is_unique_violation() || error.is_retryable(), "{error:?}"),
            }
        }
        assert_eq!(stored, mine.count(()).await.unwrap());
        assert_eq!(stored, 200);
        context.run("DELETE FROM query_texts").await;
    }
    other.close().await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "user_messages")]
struct UserMessage {
    #[arx(key)]
    user: i32,
    #[arx(key)]
    message: i64,
    flags: i32,
    #[arx(version)]
    version: i32,
}

// zulip 19054: two requests set the flags of the same messages and deadlocked, since neither had an order. A
// versioned update locks in the order of the keys before it changes a row: one wins, the other is told.
async fn case_133_flags_of_many_messages_set_by_two(context: &Context<'_>) {
    context.create_table::<UserMessage>().await;
    let other = context.another(1).await;
    let (mine, others) = (context.repository::<UserMessage>(), other.repository::<UserMessage>());
    let mut rows: Vec<_> = (0..300).map(|message| UserMessage { user: 1, message, flags: 0, version: 0 }).collect();
    mine.create_multiple(&mut rows).await.unwrap();
    for round in 1..=50 {
        let mut forth = rows.clone();
        let mut back: Vec<_> = rows.iter().rev().cloned().collect();
        forth.iter_mut().for_each(|row| row.flags = round);
        back.iter_mut().for_each(|row| row.flags = -round);
        let (left, right) =
            join(mine.update_multiple(&forth).into_future(), others.update_multiple(&back).into_future()).await;
        let won = match (left, right) {
            (Ok(done), Err(error)) | (Err(error), Ok(done)) => {
                // The keys are sent sorted, but a plan may lock in another order: the loser is then told to run again.
                assert!(error.is_stale_version() || error.is_retryable(), "{error:?}");
                done.matched
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(won, 300);
        rows = mine.retrieve_multiple(()).order_by(UserMessage::MESSAGE.asc()).await.unwrap();
        assert!(rows.iter().all(|row| row.version == round + 1 && row.flags == rows[0].flags));
    }
    other.close().await;
}

// The same, where the program itself takes the locks in two orders: the deadlock has a kind of its own, and the
// transaction that lost runs again.
async fn case_133_a_deadlock_is_run_again(context: &Context<'_>) {
    context.create_table::<QueryText>().await;
    let table = context.repository::<QueryText>();
    table.create_multiple(&query_texts(2, "")).await.unwrap();
    let other = context.another(1).await;
    let row = |digest, txt: &str| QueryText { digest, txt: txt.to_owned() };
    // Each locks its first row before it wants the other's.
    let (first, second) = (context.db.begin().await.unwrap(), other.begin().await.unwrap());
    first.repository::<QueryText>().update(&row(0, "first")).await.unwrap();
    second.repository::<QueryText>().update(&row(1, "second")).await.unwrap();
    let (left, right) = (row(1, "first"), row(0, "second"));
    let finish = async |tx: crate::Tx<'_>, row: &QueryText| {
        let done = tx.repository::<QueryText>().update(row).await;
        match done {
            Ok(()) => tx.commit().await,
            Err(error) => tx.rollback().await.and(Err(error)),
        }
    };
    let (one, two) = join(finish(first, &left), finish(second, &right)).await;
    let error = match (one, two) {
        (Ok(()), Err(error)) | (Err(error), Ok(())) => error,
        other => panic!("{other:?}"),
    };
    assert!(error.kind() == ErrorKind::Deadlock && error.is_retryable(), "{error:?}");
    let retry = Retry::serialization(20).backoff(Duration::from_millis(1), Duration::from_millis(50));
    let write = async |db: &crate::Database, from: i64, txt: &str| {
        db.transaction(async |tx| {
            let table = tx.repository::<QueryText>();
            table.update(&row(from, txt)).await?;
            table.update(&row(1 - from, txt)).await?;
            Ok::<_, Error>(())
        })
        .retry(retry)
        .await
    };
    for _ in 0..5 {
        let (left, right) = join(write(&context.db, 0, "left"), write(&other, 1, "right")).await;
        left.and(right).unwrap();
        let rows = table.retrieve_multiple(()).await.unwrap();
        assert_eq!(rows[0].txt, rows[1].txt);
    }
    other.close().await;
}
