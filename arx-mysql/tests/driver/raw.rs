//! Hand-written SQL.

use arx::{Entity, ErrorKind, Record};

use crate::on_each;

#[derive(Record, Debug, PartialEq)]
struct Number {
    n: i64,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

#[test]
fn texts_run_as_what_they_are() {
    on_each("raw", async |fixture| {
        let db = &fixture.db;
        db.run("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name TEXT); INSERT INTO items (name) VALUES ('a')", ())
            .await
            .unwrap();
        assert_eq!(db.run("INSERT INTO items (name) VALUES (?), (?)", ("b", "c")).await.unwrap(), 2);
        let found: Vec<Number> = db.query("SELECT id FROM items WHERE name > ? ORDER BY id", ("a",)).await.unwrap();
        assert_eq!(found, [Number { n: 2 }, Number { n: 3 }]);
        let found: Vec<Number> = db.query("(SELECT 1) UNION ALL (SELECT COUNT(*) FROM items);", ()).await.unwrap();
        assert_eq!(found, [Number { n: 1 }, Number { n: 3 }]);
        db.run("CREATE PROCEDURE two() BEGIN SELECT 1; SELECT 2; END", ()).await.unwrap();
        let found: Vec<Number> = db.query("CALL two()", ()).await.unwrap();
        assert_eq!(found, [Number { n: 1 }, Number { n: 2 }]);
        let error = db.query::<Number>("SELECT 1; SELECT 2", ()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        for _ in 0..6 {
            assert_eq!(db.query::<Number>("SELECT 1", ()).await.unwrap().len(), 1);
        }
    });
}

#[test]
fn what_ends_the_transaction_is_refused_in_it() {
    on_each("ended", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(10))").await;
        let tx = fixture.db.begin().await.unwrap();
        tx.repository::<Item>().create(&Item { id: 0, name: "a".to_owned() }).await.unwrap();
        for sql in ["CREATE TABLE other (a INT)", "COMMIT", "SELECT 1; TRUNCATE items"] {
            assert_eq!(tx.run(sql, ()).await.unwrap_err().kind(), ErrorKind::Unsupported, "{sql}");
        }
        tx.run("CREATE TEMPORARY TABLE other (a INT)", ()).await.unwrap();
        tx.rollback().await.unwrap();
        assert_eq!(fixture.db.repository::<Item>().count(()).await.unwrap(), 0);
    });
}

#[test]
fn a_routine_that_commits_is_told_when_something_cannot_be_undone() {
    on_each("committed", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(10))").await;
        fixture.run("CREATE PROCEDURE ends() COMMIT").await;
        let long = |id: usize| Item { id: 0, name: if id == 2_999 { "too long for it" } else { "a" }.to_owned() };
        let rows: Vec<Item> = (0..3_000).map(long).collect();
        let tx = fixture.db.begin().await.unwrap();
        tx.run("CALL ends()", ()).await.unwrap();
        let error = tx.repository::<Item>().create_multiple(&rows).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TransactionAborted, "{error:?}");
        let error = tx.repository::<Item>().count(()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TransactionAborted, "{error:?}");
        assert_eq!(tx.commit().await.unwrap_err().kind(), ErrorKind::TransactionAborted);
        fixture.db.repository::<Item>().count(()).await.unwrap();
    });
}

#[test]
fn wrong_numbers_of_arguments_are_refused_before_they_are_sent() {
    on_each("arguments", async |fixture| {
        let tx = fixture.db.begin().await.unwrap();
        for (sql, given) in [("SELECT ?", 2), ("SELECT ?, ?", 1), ("SELECT 1", 1)] {
            let arguments: Vec<_> = (0..given).map(|number: i64| arx::value::Literal::of(&number)).collect();
            let error = tx.query::<Number>(sql, arguments).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{sql}: {error:?}");
        }
        assert_eq!(tx.query::<Number>("SELECT ?", (7_i64,)).await.unwrap(), [Number { n: 7 }]);
        tx.commit().await.unwrap();
    });
}

#[test]
fn a_table_that_changes_is_read_as_it_is() {
    on_each("changed", async |fixture| {
        fixture.run("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(10))").await;
        let items = fixture.db.repository::<Item>();
        let key = items.create(&Item { id: 0, name: "x".to_owned() }).await.unwrap();
        for change in ["ADD COLUMN more INT FIRST", "MODIFY name TEXT", "DROP COLUMN more", "MODIFY name CHAR(20)"] {
            assert!(items.retrieve(key).await.unwrap().is_some());
            fixture.run(&format!("ALTER TABLE items {change}")).await;
            assert_eq!(items.retrieve(key).await.unwrap().unwrap().name, "x", "{change}");
            items.update(&Item { id: key, name: "x".to_owned() }).await.unwrap();
        }
    });
}
