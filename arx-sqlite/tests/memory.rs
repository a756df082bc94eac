//! A million rows through a stream. A test binary of its own: what it measures is its process.
#![allow(clippy::expect_used)]

use std::sync::Arc;

use arx_sqlite::Options;

#[tokio::test]
async fn a_million_rows_need_little_memory() {
    let path = std::env::temp_dir().join(format!("arx-memory-{}.db", std::process::id()));
    let pool = Options::new(&path).open().await.expect("the database opens");
    arx::conformance::streams_a_million_rows(Arc::new(pool), None).await;
    for end in ["", "-wal", "-shm"] {
        // Closing removes the last two by itself.
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
}
