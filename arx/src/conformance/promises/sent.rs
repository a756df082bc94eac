//! What is sent: in which order, in how many pieces. Seen by a pool that looks at every command.

use std::sync::{Arc, Mutex};

use super::support::{named, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::connection::{Affected, BoxFuture, Command, Connection, Control, Intent, Pool, RowSink};
use crate::dialect::Dialect;
use crate::entity::Table;
use crate::error::{Error, Result};
use crate::plan::{Source, TableFacts, Verb};
use crate::value::{Encoder, Value};
use crate::{Database, ErrorKind};

cases! {
    keys_are_sent_in_ascending_order: [10] [];
    more_rows_than_one_statement_takes_lose_none: [1, 2, 3] [];
    more_bytes_than_one_statement_takes_lose_none: [1, 2, 3] [];
    rows_that_fail_in_a_later_statement_leave_nothing_of_the_first: [2, 3, 8] [];
}

/// The integer keys of the rows of every command.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<i64>>>);

impl Seen {
    /// One after the other: a batch may take several commands.
    fn take(&self) -> Vec<i64> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

#[derive(Default)]
struct Integers(Vec<i64>);

impl Encoder for Integers {
    fn value(&mut self, value: Value<'_>) {
        if let Value::I64(value) = value {
            self.0.push(value);
        }
    }

    fn fail(&mut self, error: Error) {
        panic!("{error}");
    }
}

struct Watched {
    pool: Arc<dyn Pool>,
    seen: Seen,
}

impl Pool for Watched {
    fn acquire(&self, intent: Intent) -> BoxFuture<'_, Result<Box<dyn Connection>>> {
        Box::pin(async move {
            let watched: Box<dyn Connection> =
                Box::new(WatchedConnection { connection: self.pool.acquire(intent).await?, seen: self.seen.clone() });
            Ok(watched)
        })
    }

    fn dialect(&self) -> Arc<dyn Dialect> {
        self.pool.dialect()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.pool.close()
    }
}

struct WatchedConnection {
    connection: Box<dyn Connection>,
    seen: Seen,
}

impl Connection for WatchedConnection {
    fn dialect(&self) -> &dyn Dialect {
        self.connection.dialect()
    }

    fn run<'a>(&'a mut self, command: Command<'a>, sink: &'a mut dyn RowSink) -> BoxFuture<'a, Result<Affected>> {
        let mut keys = Integers::default();
        command.parameters.rows.write_column(Item::ID.index(), &mut keys);
        self.seen.0.lock().unwrap().extend(keys.0);
        self.connection.run(command, sink)
    }

    fn control(&mut self, control: Control) -> BoxFuture<'_, Result<()>> {
        self.connection.control(control)
    }

    fn inspect(&mut self, table: &'static Table) -> BoxFuture<'_, Result<TableFacts>> {
        self.connection.inspect(table)
    }
}

fn watched(context: &Context<'_>) -> (Database, Seen) {
    let seen = Seen::default();
    let pool = Watched { pool: Arc::clone(context.db.pool()), seen: seen.clone() };
    (Database::new(Arc::new(pool)), seen)
}

async fn keys_are_sent_in_ascending_order(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows: Vec<_> = (-250_i64..250).map(|id| Item { id: id * 1_000_003, ..Item::new(1) }).collect();
    context.repository::<Item>().create_multiple(&rows).with_keys().await.unwrap();
    let mut sorted: Vec<_> = rows.iter().map(|row| row.id).collect();
    let (db, seen) = watched(context);
    let items = db.repository::<Item>();
    fastrand::Rng::with_seed(14).shuffle(&mut rows);
    items.update_multiple(&rows).await.unwrap();
    items.update_multiple(&rows).require_all().await.unwrap();
    assert_eq!(seen.take(), [sorted.clone(), sorted.clone()].concat());
    items.update_multiple(&rows).lock_first().await.unwrap();
    assert!(seen.take().chunks(rows.len()).all(|keys| keys == sorted));
    let keys: Vec<_> = rows[..100].iter().map(|row| row.id).collect();
    items.delete_multiple(&keys).await.unwrap();
    let mut gone = keys;
    gone.sort_unstable();
    assert_eq!(seen.take(), gone);
    // Where the last of equal keys wins, each is sent once.
    let mut twice = rows[100..].to_vec();
    twice.extend_from_slice(&rows[100..]);
    items.update_multiple(&twice).duplicates(crate::LastWins).await.unwrap();
    sorted.retain(|id| rows[100..].iter().any(|row| row.id == *id));
    assert_eq!(seen.take(), sorted);
}

/// More rows than one statement takes here.
fn many(context: &Context<'_>) -> i32 {
    let limits = context.db.pool().dialect().limits().clone();
    match limits.source(Verb::Insert, 70_000) {
        Source::Each => 70_000,
        _ => i32::try_from(limits.max_rows.min(70_000)).unwrap() + 100,
    }
}

async fn more_rows_than_one_statement_takes_lose_none(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut rows = Item::many(many(context));
    let keys = items.create_multiple(&mut rows).await.unwrap();
    assert_eq!(context.log.statements(), context.statements::<Item>(Verb::Insert, rows.len()));
    assert_eq!(keys.len(), rows.len());
    assert!(rows.iter().zip(&keys).all(|(row, key)| row.id == *key));
    rows.iter_mut().for_each(|row| row.amount = -row.amount);
    assert_eq!(items.update_multiple(&rows).await.unwrap().matched, rows.len() as u64);
    assert!(items.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows.iter().cloned()));
    assert_eq!(items.delete_multiple(&keys[1..]).await.unwrap(), rows.len() as u64 - 1);
    assert_eq!(items.retrieve_multiple(()).await.unwrap(), rows[..1]);
}

async fn more_bytes_than_one_statement_takes_lose_none(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    // 96 MiB: above what the dialects of this suite send at once, where they have a limit.
    let large = "x".repeat(12 << 20);
    let row = |number: i32| Item { note: (number % 3 == 1).then(|| large.clone()), ..Item::new(number) };
    let mut rows: Vec<_> = (0..24).map(row).collect();
    let keys = items.create_multiple(&mut rows).await.unwrap();
    let limits = context.db.pool().dialect().limits().clone();
    let is_cut = limits.source(Verb::Insert, 24) != Source::Each && limits.max_bytes < 96 << 20;
    assert!(context.log.statements() >= if is_cut { 2 } else { 1 });
    for (row, key) in rows.iter().zip(keys) {
        assert!(items.retrieve(key).await.unwrap().as_ref() == Some(row), "row {}", row.amount);
    }
    assert_eq!(stored::<Item>(&context.db).await, 24);
}

async fn rows_that_fail_in_a_later_statement_leave_nothing_of_the_first(context: &Context<'_>) {
    context.create_table_with::<Item>(&[("name", "UNIQUE")], &[]).await;
    let items = context.repository::<Item>();
    let mut rows = Item::many(many(context));
    let last = rows.len() - 1;
    rows[last].name = rows[5].name.clone();
    let before = rows.clone();
    let error = items.create_multiple(&mut rows).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UniqueViolation);
    assert!(error.rows().is_empty() || named(&error) == [last]);
    assert!(rows == before);
    assert_eq!(stored::<Item>(&context.db).await, 0);
    let tx = context.db.begin().await.unwrap();
    tx.repository::<Item>().create(&Item::new(-1)).await.unwrap();
    tx.repository::<Item>().create_multiple(&rows).await.unwrap_err();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), 1);
    tx.commit().await.unwrap();
}
