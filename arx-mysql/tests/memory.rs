//! A million rows through a stream. A test binary of its own: what it measures is its process.

mod server;

/// Sessions that are at work on the statement although their client takes no rows.
const WAITING: &str = "SELECT CAST(COUNT(*) AS SIGNED) AS count FROM information_schema.processlist \
    WHERE info LIKE '%arx_measurements%' AND command <> 'Sleep' AND id <> CONNECTION_ID()";

#[tokio::test]
async fn a_million_rows_need_little_memory() {
    for server in server::servers() {
        let pool = arx_mysql::wrap(arx_mysql::Options::new(server.options).max_connections(2).build());
        arx::conformance::streams_a_million_rows(pool, Some(WAITING)).await;
    }
}
