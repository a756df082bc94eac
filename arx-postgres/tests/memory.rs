//! A million rows through a stream. A test binary of its own: what it measures is its process.

mod server;

/// Sessions that have more to send than their client takes.
const WAITING: &str = "SELECT count(*) AS count FROM pg_stat_activity \
    WHERE wait_event = 'ClientWrite' AND query LIKE '%arx_measurements%' AND pid <> pg_backend_pid()";

#[tokio::test]
async fn a_million_rows_need_little_memory() {
    let Some(options) = server::options() else { return };
    let pool = arx_postgres::wrap(arx_postgres::Options::new(options).max_connections(2).build());
    arx::conformance::streams_a_million_rows(pool, Some(WAITING)).await;
}
