//! A server that holds as many prepared statements as it may. A program of its own, for all sessions share the limit.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod server;

use arx::{Database, Entity, ErrorKind};
use server::Server;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};

const FEW: u64 = 50;

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

async fn admin(server: &Server, sql: String) {
    server.options.connect().await.unwrap().execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
}

async fn set_limit(server: &Server, limit: u64) {
    admin(server, format!("SET GLOBAL max_prepared_stmt_count = {limit}")).await;
}

fn rows() -> Vec<Item> {
    vec![Item { id: 0, name: "x".to_owned() }; 3]
}

/// Prepares statements until the server holds no more; what it says then to a batch.
async fn exhaust(db: &Database) -> arx::Error {
    for number in 0..=FEW {
        if db.run(&format!("DO ? + {number}"), (1_i64,)).await.is_err() {
            break;
        }
    }
    let error = db.repository::<Item>().create_multiple(&rows()).await.unwrap_err();
    // The pool works on with what is prepared, and with what need not be.
    db.run("DO 1", ()).await.unwrap();
    db.run("DO ? + 0", (1_i64,)).await.unwrap();
    db.begin().await.unwrap().commit().await.unwrap();
    error
}

#[test]
fn a_server_without_room_for_statements_says_what_to_raise() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for server in server::servers() {
        runtime.block_on(async {
            admin(&server, "DROP DATABASE IF EXISTS exhausted; CREATE DATABASE exhausted".to_owned()).await;
            let options = arx_mysql::Options::new(server.options.clone().database("exhausted")).max_connections(1);
            let (pool, db) = (options.clone().build(), options.connect().await.unwrap());
            db.run("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name TEXT)", ()).await.unwrap();
            let limit = sqlx::query_scalar("SELECT @@max_prepared_stmt_count").fetch_one(&pool).await.unwrap();
            set_limit(&server, FEW).await;
            // In a task of its own: the limit is set back even where it panics.
            let exhausted = db.clone();
            let outcome = tokio::spawn(async move { exhaust(&exhausted).await }).await;
            set_limit(&server, limit).await;
            let error = outcome.unwrap();
            assert_eq!(error.kind(), ErrorKind::Database, "{error:?}");
            assert!(error.to_string().contains("raise max_prepared_stmt_count"), "{error}");
            let items = db.repository::<Item>();
            assert_eq!(items.count(()).await.unwrap(), 0);
            assert_eq!(items.create_multiple(&rows()).await.unwrap().len(), 3);
        });
    }
}
