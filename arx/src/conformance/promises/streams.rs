//! `stream`: rows one after the other, with few of them in memory.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{Stream, StreamExt as _, TryStreamExt as _};

use super::support::{assert_error, drop_at, within};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::repository::Records;
use crate::{Database, Error, ErrorKind, Record, Scalar};

cases! {
    streams_rows_in_their_order_in_one_round_trip: [3] [];
    streams_what_a_read_would_yield: [3] [];
    a_stream_has_few_rows_in_memory: [3] [];
    a_stream_that_is_never_polled_sends_nothing: [3] [];
    two_streams_run_at_once: [11] [];
    a_stream_dropped_early_leaves_a_clean_connection: [11] [];
    a_stream_dropped_at_any_wait_leaves_a_clean_connection: [11] [];
    an_error_in_the_middle_is_the_last_item: [6, 11] [];
    an_error_before_the_first_row_is_the_only_item: [13] [];
    a_stream_in_a_transaction_has_what_it_has_written: [2, 11] [];
    a_transaction_goes_on_after_a_stream_that_was_dropped_or_failed: [2, 11] [];
    a_call_beside_a_stream_of_its_transaction_is_refused: [11, 13] [];
}

async fn items(context: &Context<'_>, count: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    rows
}

fn stream(db: &Database) -> Records<'_, Item> {
    db.repository::<Item>().retrieve_multiple(()).order_by(Item::ID.asc()).stream()
}

async fn next<R>(stream: &mut (impl Stream<Item = Result<R, Error>> + Unpin)) -> Option<Result<R, Error>> {
    within(30, "a row", stream.next()).await
}

async fn streams_rows_in_their_order_in_one_round_trip(context: &Context<'_>) {
    let rows = items(context, 5_000).await;
    let found: Vec<Item> = stream(&context.db).try_collect().await.unwrap();
    context.assert_traffic(1, 1);
    assert_eq!(found, rows);
    let back = context.repository::<Item>().retrieve_multiple(()).order_by(Item::AMOUNT.desc()).stream();
    let found: Vec<Item> = back.try_collect().await.unwrap();
    assert!(found.iter().eq(rows.iter().rev()));
}

#[derive(Record, Clone, Debug, PartialEq)]
struct Noted {
    note: Option<String>,
    id: i64,
}

async fn streams_what_a_read_would_yield(context: &Context<'_>) {
    let rows = items(context, 900).await;
    let amounts: Vec<i32> = (100..2_000).collect();
    let repository = context.repository::<Item>();
    let read = || repository.retrieve_multiple(Item::AMOUNT.is_in(&amounts)).order_by(Item::ID.asc());
    let found: Vec<Noted> = read().select::<Noted>().limit(600).offset(50).stream().try_collect().await.unwrap();
    let noted = |row: &Item| Noted { note: row.note.clone(), id: row.id };
    assert!(found.iter().cloned().eq(rows[150..750].iter().map(noted)));
    let none = repository.retrieve_multiple(Item::AMOUNT.lt(0)).stream();
    assert_eq!(none.try_collect::<Vec<_>>().await.unwrap(), []);
    context.assert_traffic(2, 2);
    let mut done = pin!(read().limit(1).stream());
    assert!(done.next().await.unwrap().is_ok());
    for _ in 0..3 {
        assert!(done.next().await.is_none(), "an ended stream stays at its end");
    }
}

/// How many rows have been decoded. One case uses it.
static DECODED: AtomicUsize = AtomicUsize::new(0);

mod counted {
    use super::{AtomicUsize, DECODED, Ordering};
    use crate::error::Result;
    use crate::value::{ScalarKind, Value};

    pub(super) const KIND: ScalarKind = ScalarKind::I32;

    pub(super) fn decode(value: Value<'_>) -> Result<i32> {
        AtomicUsize::fetch_add(&DECODED, 1, Ordering::SeqCst);
        <i32 as crate::Scalar>::decode(value)
    }
}

#[derive(Record)]
struct Counted {
    #[arx(with = "counted")]
    amount: i32,
}

async fn a_stream_has_few_rows_in_memory(context: &Context<'_>) {
    items(context, 20_000).await;
    DECODED.store(0, Ordering::SeqCst);
    let read = || context.repository::<Item>().retrieve_multiple(()).order_by(Item::ID.asc());
    let mut stream = read().select::<Counted>().stream();
    for taken in 0..20_000 {
        assert_eq!(next(&mut stream).await.unwrap().unwrap().amount, i32::try_from(taken).unwrap());
        let ahead = DECODED.load(Ordering::SeqCst) - taken;
        assert!(ahead <= 256, "{ahead} rows wait for the reader");
    }
    assert!(next(&mut stream).await.is_none());
}

async fn a_stream_that_is_never_polled_sends_nothing(context: &Context<'_>) {
    items(context, 10).await;
    let alone = context.another(1).await;
    let idle = stream(&alone);
    assert_eq!(within(30, "a count", async { alone.repository::<Item>().count(()).await }).await.unwrap(), 10);
    context.assert_traffic(1, 1);
    drop(idle);
    context.assert_traffic(0, 0);
}

async fn two_streams_run_at_once(context: &Context<'_>) {
    let rows = items(context, 4_000).await;
    let both = context.another(2).await;
    let (mut left, mut right) = (stream(&both), stream(&both));
    for row in &rows {
        assert_eq!(next(&mut left).await.unwrap().unwrap(), *row);
        if row.amount % 2 == 1 {
            // The other one lags behind.
            assert_eq!(next(&mut right).await.unwrap().unwrap(), rows[usize::try_from(row.amount / 2).unwrap()]);
        }
    }
    assert!(next(&mut left).await.is_none());
    let rest: Vec<_> = right.try_collect().await.unwrap();
    assert_eq!(rest, rows[2_000..]);
    context.assert_traffic(2, 2);
}

/// The only connection of the pool answers what it is asked, and is in no transaction.
async fn prove_clean(alone: &Database, rows: &[Item]) {
    let repository = alone.repository::<Item>();
    let last = rows.last().unwrap();
    assert_eq!(within(30, "a read", async { repository.retrieve(last.id).await }).await.unwrap().unwrap(), *last);
    let tx = within(30, "begin", async { alone.begin().await }).await.unwrap();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), rows.len() as u64);
    tx.commit().await.unwrap();
}

async fn a_stream_dropped_early_leaves_a_clean_connection(context: &Context<'_>) {
    let rows = items(context, 20_000).await;
    let alone = context.another(1).await;
    for taken in [0, 1, 2, 255, 256, 257, 300, 1_000, 5_000, 19_999, 20_000] {
        let mut stream = stream(&alone);
        for row in &rows[..taken] {
            assert_eq!(next(&mut stream).await.unwrap().unwrap(), *row);
        }
        drop(stream);
        prove_clean(&alone, &rows).await;
    }
}

async fn a_stream_dropped_at_any_wait_leaves_a_clean_connection(context: &Context<'_>) {
    let rows = items(context, 3_000).await;
    let alone = context.another(1).await;
    let (mut place, mut is_done) = (1, false);
    while !is_done {
        let done = drop_at(stream(&alone).try_collect::<Vec<_>>(), place).await;
        is_done = done.is_some();
        assert!(done.is_none_or(|found| found.unwrap() == rows));
        prove_clean(&alone, &rows).await;
        place += 1 + place / 4;
    }
}

#[derive(Scalar, Clone, Copy, Debug, PartialEq)]
enum Answer {
    Yes,
    No,
}

#[derive(Record, Clone, Debug, PartialEq)]
struct Answered {
    amount: i32,
    name: Answer,
}

async fn answers(context: &Context<'_>, unknown: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let name = |number| if number == unknown { "secret" } else { ["Yes", "No"][usize::from(number % 2 == 1)] };
    let mut rows: Vec<_> = (0..3_000).map(|number| Item { name: name(number).into(), ..Item::new(number) }).collect();
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    rows
}

/// Reads up to the error, which has to come after `unknown` rows and to be the last item.
async fn read_to_error(mut stream: Records<'_, Answered>, unknown: i32) {
    for number in 0..unknown {
        let row = next(&mut stream).await.unwrap().unwrap_or_else(|error| panic!("row {number}: {error:?}"));
        assert_eq!(row, Answered { amount: number, name: if number % 2 == 0 { Answer::Yes } else { Answer::No } });
    }
    let error = next(&mut stream).await.unwrap().unwrap_err();
    assert_error(&error, ErrorKind::Decode, &["secret"]);
    assert!(error.to_string().contains("name"), "{error}");
    for _ in 0..3 {
        assert!(next(&mut stream).await.is_none(), "nothing comes after the error");
    }
}

async fn an_error_in_the_middle_is_the_last_item(context: &Context<'_>) {
    for unknown in [0, 1, 100, 255, 256, 257, 1_500, 2_999] {
        let rows = answers(context, unknown).await;
        let alone = context.another(1).await;
        let read = alone.repository::<Item>().retrieve_multiple(()).order_by(Item::AMOUNT.asc());
        read_to_error(read.select::<Answered>().stream(), unknown).await;
        prove_clean(&alone, &rows).await;
        context.run(&format!("DROP TABLE {}", context.backend.quote("items"))).await;
    }
}

#[derive(Record, Debug)]
struct Elsewhere {
    #[allow(dead_code)] // Never read: there is no such column.
    elsewhere: i32,
}

async fn an_error_before_the_first_row_is_the_only_item(context: &Context<'_>) {
    items(context, 3).await;
    let repository = context.repository::<Item>();
    let mut unplanned = repository.retrieve_multiple(()).select::<Elsewhere>().stream();
    assert_error(&next(&mut unplanned).await.unwrap().unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert!(next(&mut unplanned).await.is_none());
    context.assert_traffic(0, 0);
    context.run(&format!("DROP TABLE {}", context.backend.quote("items"))).await;
    let mut missing = repository.retrieve_multiple(()).stream();
    assert_error(&next(&mut missing).await.unwrap().unwrap_err(), ErrorKind::UndefinedObject, &[]);
    assert!(next(&mut missing).await.is_none());
    context.assert_usable().await;
}

async fn a_stream_in_a_transaction_has_what_it_has_written(context: &Context<'_>) {
    let rows = items(context, 400).await;
    let tx = context.db.begin().await.unwrap();
    let inside = tx.repository::<Item>();
    inside.create_multiple(&Item::many(200)).without_keys().await.unwrap();
    context.log.reset();
    let found: Vec<_> = inside.retrieve_multiple(()).order_by(Item::ID.asc()).stream().try_collect().await.unwrap();
    // A savepoint before, its release after.
    context.assert_traffic(1, 3);
    assert_eq!((&found[..400], found.len()), (&rows[..], 600));
    inside.delete_multiple(&found[400..].iter().map(|row| row.id).collect::<Vec<_>>()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(context.repository::<Item>().count(()).await.unwrap(), 400);
}

async fn a_transaction_goes_on_after_a_stream_that_was_dropped_or_failed(context: &Context<'_>) {
    let rows = answers(context, 1_500).await;
    let alone = context.another(1).await;
    let tx = alone.begin().await.unwrap();
    let inside = tx.repository::<Item>();
    for taken in [1, 256, 300, 1_400] {
        inside.create(&Item::new(-1)).await.unwrap();
        let mut stream = inside.retrieve_multiple(()).order_by(Item::ID.asc()).stream();
        for row in &rows[..taken] {
            assert_eq!(next(&mut stream).await.unwrap().unwrap(), *row);
        }
        drop(stream);
        let found = within(30, "a read", async { inside.retrieve(rows[taken].id).await }).await.unwrap();
        assert_eq!(found.as_ref(), Some(&rows[taken]), "{taken} taken");
    }
    let read = inside.retrieve_multiple(Item::AMOUNT.ge(0)).order_by(Item::AMOUNT.asc()).select::<Answered>();
    read_to_error(read.stream(), 1_500).await;
    inside.create(&Item::new(-1)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(context.repository::<Item>().count(Item::AMOUNT.eq(-1)).await.unwrap(), 5);
}

async fn a_call_beside_a_stream_of_its_transaction_is_refused(context: &Context<'_>) {
    let rows = items(context, 2_000).await;
    let tx = context.db.begin().await.unwrap();
    let inside = tx.repository::<Item>();
    let mut stream = inside.retrieve_multiple(()).order_by(Item::ID.asc()).stream();
    assert_eq!(next(&mut stream).await.unwrap().unwrap(), rows[0]);
    let beside = within(30, "a call", async { inside.create(&Item::new(1)).await }).await.unwrap_err();
    assert_error(&beside, ErrorKind::InvalidInput, &[]);
    let other = within(30, "a stream", inside.retrieve_multiple(()).stream().try_next()).await.unwrap_err();
    assert_error(&other, ErrorKind::InvalidInput, &[]);
    // The stream itself goes on, and so does the transaction after it.
    let rest: Vec<_> = stream.try_collect().await.unwrap();
    assert_eq!(rest, rows[1..]);
    inside.create(&Item::new(1)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(context.repository::<Item>().count(()).await.unwrap(), 2_001);
}
