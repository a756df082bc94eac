//! What keeps a connection from being made, and pools that run dry.

use std::error::Error as _;
use std::time::Duration;

use arx::prelude::*;

use super::{Fixture, server};

#[derive(Record)]
struct Backend {
    pid: i32,
}

fn url() -> Option<String> {
    server::options()?;
    std::env::var("ARX_POSTGRES_URL").ok()
}

/// The URL with another user's password, host or database.
fn changed(url: &str, change: impl Fn(&str, &str, &str) -> String) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let (authority, database) = rest.rsplit_once('/').unwrap();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    format!("{scheme}://{}", change(user, host, database))
}

#[tokio::test]
async fn a_wrong_password_is_told_from_a_missing_database() {
    let Some(url) = url() else { return };
    let wrong = changed(&url, |user, host, database| {
        let user = user.split(':').next().unwrap_or_default();
        format!("{user}:hunter2@{host}/{database}")
    });
    match arx_postgres::connect(&wrong).await {
        Err(error) => assert_eq!(error.kind(), ErrorKind::Authentication, "{error:?}"),
        Ok(_) => eprintln!("the server trusts this user without a password"),
    }
    let missing = changed(&url, |user, host, _| format!("{user}@{host}/no_such_database"));
    assert_eq!(arx_postgres::connect(&missing).await.unwrap_err().kind(), ErrorKind::UndefinedObject);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error_at_once() {
    let begun = std::time::Instant::now();
    let error = arx_postgres::connect("postgres://user:hunter2@127.0.0.1:1/shop").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionLost);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert!(!format!("{error:?} {error}").contains("hunter2"));
}

#[tokio::test]
async fn a_url_that_cannot_be_read_is_not_repeated() {
    for url in [
        "mysql://root:hunter2@localhost/shop",
        "hunter2",
        "postgres://root:hunter2@[::1/shop",
        "postgres://u:hunter2@h:99999/x",
    ] {
        let error = arx_postgres::connect(url).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Configuration, "{error}");
        let mut text = format!("{error} {error:?}");
        let mut source = error.source();
        while let Some(inner) = source {
            text.push_str(&format!("{inner} {inner:?}"));
            source = inner.source();
        }
        assert!(!text.contains("hunter2"), "{text}");
    }
    let error = arx_postgres::connect("mysql://localhost").await.unwrap_err().to_string();
    assert!(error.contains("postgres://") && error.contains("postgresql://"), "{error}");
}

#[tokio::test]
async fn waiting_for_a_connection_ends() {
    let Some(options) = server::options() else { return };
    let options = arx_postgres::Options::new(options).max_connections(1).acquire_timeout(Duration::from_secs(3));
    let db = options.application_name("arx driver test").connect().await.unwrap();
    let tx = db.begin().await.unwrap();
    let error = db.run("SELECT 1", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    tx.commit().await.unwrap();
    db.run("SELECT 1", ()).await.unwrap();
    db.close().await;
    assert_eq!(db.run("SELECT 1", ()).await.unwrap_err().kind(), ErrorKind::ConnectionLost);
}

#[tokio::test]
async fn a_connection_is_kept_for_the_next_call_and_for_who_waits() {
    let Some(options) = server::options() else { return };
    let options = || arx_postgres::Options::new(options.clone()).max_connections(1);
    let db = options().connect().await.unwrap();
    let backend = async || db.query::<Backend>("SELECT pg_backend_pid()", ()).await.unwrap()[0].pid;
    let first = backend().await;
    for _ in 0..20 {
        assert_eq!(backend().await, first);
    }
    // Nobody waits for ever, whoever has the connection: by turns, all at once, given up half way.
    for round in 0..50 {
        let calls = futures_util::future::join_all((0..8).map(|_| backend()));
        let others = tokio::time::timeout(Duration::from_micros(50 * round), calls).await;
        drop(others);
        let all = futures_util::future::join_all((0..8).map(|_| backend()));
        let found = tokio::time::timeout(Duration::from_secs(20), all).await.expect("nobody is forgotten");
        assert!(found.iter().all(|pid| *pid == found[0]));
    }
    tokio::time::timeout(Duration::from_secs(20), db.close()).await.expect("what is kept is given back");
    // One that has rested is given back, and one that nobody may keep.
    let db = options().ping_after(Duration::ZERO).connect().await.unwrap();
    for _ in 0..5 {
        db.run("SELECT 1", ()).await.unwrap();
    }
    db.close().await;
}

#[tokio::test]
async fn a_kept_connection_that_the_server_has_ended_is_told_once() {
    let Some(options) = server::options() else { return };
    let db = arx_postgres::Options::new(options.clone()).max_connections(1).connect().await.unwrap();
    let pid = db.query::<Backend>("SELECT pg_backend_pid()", ()).await.unwrap()[0].pid;
    let other = arx_postgres::Options::new(options).max_connections(1).connect().await.unwrap();
    other.run("SELECT pg_terminate_backend($1)", (pid,)).await.unwrap();
    let error = db.run("SELECT 1", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{error:?}");
    db.run("SELECT 1", ()).await.unwrap();
}

#[tokio::test]
async fn a_connection_that_the_server_ends_is_not_used_again() {
    let Some(fixture) = Fixture::new("driver_ended", 1).await else { return };
    let tx = fixture.db.begin().await.unwrap();
    let error = tx.run("SELECT pg_terminate_backend(pg_backend_pid())", ()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionLost, "{error:?}");
    assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::ConnectionLost);
    fixture.db.run("SELECT 1", ()).await.unwrap();
}

/// Without a runtime a connection is closed in place; sqlx alone would panic.
#[test]
fn connections_may_outlive_their_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let Some((db, tx, idle)) = runtime.block_on(async {
        let fixture = Fixture::new("driver_outlived", 2).await?;
        let tx = fixture.db.begin().await.unwrap();
        tx.run("CREATE TABLE t (v int8)", ()).await.unwrap();
        let idle = fixture.db.pool().acquire(arx::connection::Intent::Read).await.unwrap();
        Some((fixture.db.clone(), tx, idle))
    }) else {
        return;
    };
    drop(runtime);
    drop((tx, idle));
    drop(db);
}
