//! Keys that the database makes belong to the rows they are given to, or the call is refused.

use std::sync::Arc;

use arx::connection::{Log, Recorded};
use arx::{Entity, ErrorKind};
use sqlx::Executor as _;
use sqlx::mysql::MySqlPoolOptions;
use uuid::Uuid;

use crate::{Fixture, on_each};

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: u64,
    place: i32,
}

fn rows(count: i32) -> Vec<Item> {
    (0..count).map(|place| Item { id: 0, place }).collect()
}

async fn check(db: &arx::Database, count: i32) {
    let rows = rows(count);
    let keys = db.repository::<Item>().create_multiple(&rows).await.unwrap();
    let found = db.repository::<Item>().retrieve_by_keys(&keys).await.unwrap();
    assert!(found.iter().flatten().map(|row| row.place).eq(0..count));
}

#[test]
fn keys_are_far_apart_where_the_server_says_so() {
    on_each("increment", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL)").await;
        let pool = MySqlPoolOptions::new()
            .after_connect(|link, _| {
                let set = "SET auto_increment_increment = 7, auto_increment_offset = 3";
                Box::pin(async move { link.execute(set).await.map(drop) })
            })
            .connect_lazy_with(fixture.options.clone());
        let db = arx_mysql::from_pool(pool);
        check(&db, 300).await;
        let keys = db.repository::<Item>().create_multiple(&rows(3)).await.unwrap();
        assert_eq!((keys[1] - keys[0], keys[2] - keys[1]), (7, 7));
    });
}

#[test]
fn keys_beyond_63_bits_are_made_and_found() {
    on_each("unsigned", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL) AUTO_INCREMENT = 18446744073709550000").await;
        check(&fixture.db, 300).await;
        let items = fixture.db.repository::<Item>();
        let mut rows = rows(5);
        let keys = items.create_multiple(&mut rows).await.unwrap();
        assert!(keys[0] > u64::MAX - 2_000 && rows.iter().map(|row| row.id).eq(keys.iter().copied()));
        rows.iter_mut().for_each(|row| row.place += 100);
        assert_eq!(items.update_multiple(&rows).require_all().await.unwrap().matched, 5);
        assert_eq!(items.retrieve_multiple(Item::ID.is_in(&keys)).order_by(Item::ID.asc()).await.unwrap(), rows);
        assert_eq!(items.delete_multiple(&keys).await.unwrap(), 5);
    });
}

#[test]
fn four_writers_get_their_own_keys() {
    on_each("writers", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL)").await;
        let writer = async || {
            for count in [256, 3, 100, 700] {
                check(&fixture.db, count).await;
            }
        };
        tokio::join!(writer(), writer(), writer(), writer());
    });
}

/// How many statements an insert of so many rows takes.
async fn inserts(fixture: &Fixture, count: i32) -> usize {
    let log = Log::default();
    let db = arx::Database::new(Arc::new(Recorded::new(Arc::clone(fixture.db.pool()), log.clone())));
    db.repository::<Item>().create_multiple(&rows(count)).await.unwrap();
    let statements = log.statements();
    check(&fixture.db, count).await;
    statements
}

#[test]
fn rows_are_inserted_one_by_one_where_their_keys_are_not_known() {
    on_each("unknown", async |fixture| {
        if fixture.is_mariadb() {
            return;
        }
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL)").await;
        assert_eq!(inserts(&fixture, 16).await, 1);
        fixture.db.forget_tables();
        fixture.run("CREATE TRIGGER before_items BEFORE INSERT ON items FOR EACH ROW SET NEW.place = NEW.place").await;
        assert_eq!(inserts(&fixture, 16).await, 16);
        fixture.run("DROP TABLE items").await;
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL) ENGINE = MyISAM").await;
        fixture.db.forget_tables();
        assert_eq!(inserts(&fixture, 16).await, 16);
        fixture.run("DROP TABLE items").await;
        let parts = "PARTITION BY HASH (id) PARTITIONS 3";
        fixture
            .run(&format!(
                "CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL) {parts}"
            ))
            .await;
        fixture.db.forget_tables();
        assert_eq!(inserts(&fixture, 16).await, 16);
    });
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "tokens")]
struct Token {
    #[arx(key, generated)]
    id: Uuid,
    name: String,
}

#[test]
fn keys_that_are_no_counter_are_returned_or_refused() {
    on_each("tokens", async |fixture| {
        fixture.run("CREATE TABLE tokens (id BINARY(16) DEFAULT (UNHEX(REPLACE(UUID(), '-', ''))) PRIMARY KEY, name VARCHAR(20))").await;
        let tokens = fixture.db.repository::<Token>();
        let rows: Vec<_> = (0..5).map(|number| Token { id: Uuid::nil(), name: number.to_string() }).collect();
        let made = tokens.create_multiple(&rows).await;
        if fixture.is_mariadb() {
            let found = tokens.retrieve_by_keys(&made.unwrap()).await.unwrap();
            assert!(found.iter().flatten().map(|row| &row.name).eq(rows.iter().map(|row| &row.name)));
            return;
        }
        assert_eq!(made.unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(tokens.create(&rows[0]).await.unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(tokens.create_multiple(&rows).without_keys().await.unwrap(), 5);
        // A key that the server does not report, although it is an integer.
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED DEFAULT (UUID_SHORT()) PRIMARY KEY, place INT)").await;
        for _ in 0..6 {
            let error = fixture.db.repository::<Item>().create(&crate::keys::rows(1)[0]).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported);
        }
        assert_eq!(fixture.db.repository::<Item>().count(()).await.unwrap(), 0);
    });
}

#[test]
fn a_trigger_that_gives_the_key_is_seen() {
    on_each("given", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, place INT NOT NULL)").await;
        fixture.run("CREATE TRIGGER give BEFORE INSERT ON items FOR EACH ROW SET NEW.id = 1000 - NEW.place").await;
        let keys = fixture.db.repository::<Item>().create_multiple(&rows(5)).await;
        match keys {
            Ok(keys) => assert_eq!(keys, [1_000, 999, 998, 997, 996]),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{error:?}"),
        }
    });
}
