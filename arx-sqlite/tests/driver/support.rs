//! Files that go with their test, raw statements, and futures that are dropped half way.

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use arx::connection::{Command, Connection, Discard, Parameters, RowSink};
use arx::dialect::Statement;
use arx::prelude::*;
use arx::value::Decoder;
use arx_sqlite::{Options, Synchronous};

/// A folder that is removed with its value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("arx-sqlite-driver-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn options(&self) -> Options {
        waiting(Options::new(self.file("test.db")).synchronous(Synchronous::Off))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A future that gets its reply at once cannot be dropped before it.
fn waiting(options: Options) -> Options {
    options.spin(false)
}

pub(crate) async fn memory(ddl: &str) -> Database {
    let database = Database::from(waiting(Options::new(":memory:")).open().await.unwrap());
    database.run(ddl, ()).await.unwrap();
    database
}

/// Runs SQL on a connection and drops what comes back.
pub(crate) async fn run(connection: &mut dyn Connection, sql: &str) -> arx::Result<u64> {
    let statement = Statement::raw(sql, 0);
    let command = Command { statement: &statement, parameters: Parameters::NONE };
    connection.run(command, &mut Discard).await.map(|affected| affected.rows)
}

/// The integer that SQL returns in one row.
#[derive(Record)]
pub(crate) struct Number {
    pub(crate) value: i64,
}

pub(crate) async fn number(database: &Database, sql: &str) -> i64 {
    database.query::<Number>(sql, ()).await.unwrap()[0].value
}

/// The text that SQL returns in one row.
#[derive(Record)]
pub(crate) struct Text {
    pub(crate) value: String,
}

pub(crate) async fn text(database: &Database, sql: &str) -> String {
    database.query::<Text>(sql, ()).await.unwrap().remove(0).value
}

/// Polls the future until it is ready, or drops it when it is pending for the `k`-th time.
pub(crate) async fn drop_at<F: Future>(future: F, k: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut pending = 0;
    std::future::poll_fn(|cx: &mut Context<'_>| match future.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => {
            pending += 1;
            if pending == k { Poll::Ready(None) } else { Poll::Pending }
        }
    })
    .await
}

/// Counts rows, and takes none while it is full.
#[derive(Default)]
pub(crate) struct Slow {
    pub(crate) rows: usize,
    pub(crate) room: usize,
}

impl RowSink for Slow {
    fn row(&mut self, row: &mut dyn Decoder) -> arx::Result<()> {
        row.next(arx::value::ScalarKind::I64)?;
        self.rows += 1;
        Ok(())
    }

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<()> {
        if self.rows < self.room { Poll::Ready(()) } else { Poll::Pending }
    }
}
