//! The conformance suite on SQLite: a file of its own for each case.

#![allow(clippy::expect_used)]

use std::path::PathBuf;
use std::sync::Arc;

use arx::conformance::{Backend, Open, Requires};
use arx::connection::{BoxFuture, Pool};
use arx::entity::ColumnMeta;
use arx::error::Result;
use arx::value::ScalarKind;
use arx_sqlite::{Options, Synchronous};

struct Sqlite {
    folder: PathBuf,
}

impl Sqlite {
    fn file(&self, case: &str) -> PathBuf {
        self.folder.join(format!("{case}.db"))
    }
}

impl Backend for Sqlite {
    fn name(&self) -> String {
        "sqlite".to_owned()
    }

    fn provides(&self) -> &'static [Requires] {
        &[Requires::NulText, Requires::DefaultKeys]
    }

    fn skips(&self) -> &'static [&'static str] {
        &[]
    }

    fn block_on(&self, case: BoxFuture<'_, ()>) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("the runtime starts").block_on(case);
    }

    fn open<'a>(&'a self, case: &'a str, options: Open) -> BoxFuture<'a, Result<Arc<dyn Pool>>> {
        Box::pin(async move {
            let readers = usize::try_from(options.connections).unwrap_or(1);
            // What a case shows does not hang on the disk, and the disk would take most of its time.
            let options = Options::new(self.file(case)).readers(readers).synchronous(Synchronous::Off);
            // A future that gets its reply at once cannot be dropped before it.
            let options = options.spin(false);
            let pool: Arc<dyn Pool> = Arc::new(options.open().await?);
            Ok(pool)
        })
    }

    fn remove<'a>(&'a self, case: &'a str) -> BoxFuture<'a, Result<()>> {
        for suffix in ["db", "db-wal", "db-shm"] {
            // A file that is not there, or goes with the folder, needs no removing.
            let _ = std::fs::remove_file(self.folder.join(format!("{case}.{suffix}")));
        }
        Box::pin(async { Ok(()) })
    }

    fn column_type(&self, column: &ColumnMeta) -> String {
        match column.kind {
            ScalarKind::F32 | ScalarKind::F64 => "REAL",
            ScalarKind::Bytes | ScalarKind::Uuid => "BLOB",
            ScalarKind::Bool
            | ScalarKind::I8
            | ScalarKind::I16
            | ScalarKind::I32
            | ScalarKind::I64
            | ScalarKind::U8
            | ScalarKind::U16
            | ScalarKind::U32
            | ScalarKind::U64 => "INTEGER",
            _ => "TEXT",
        }
        .to_owned()
    }

    fn generated_key(&self, column: &ColumnMeta) -> String {
        match column.kind {
            ScalarKind::Uuid => "BLOB NOT NULL DEFAULT (randomblob(16)) PRIMARY KEY".to_owned(),
            _ => "INTEGER PRIMARY KEY".to_owned(),
        }
    }

    fn quote(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

fn main() {
    let folder = std::env::temp_dir().join(format!("arx-sqlite-conformance-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder is created");
    arx::conformance::main(Arc::new(Sqlite { folder }));
}
