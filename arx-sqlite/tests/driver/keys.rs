//! Keys that SQLite makes, keys that only SQLite can compare, and names that must be quoted.

use arx::ErrorKind;
use arx::connection::{Log, Recorded};
use arx::prelude::*;

use crate::support::{Folder, memory, number};

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

fn items(count: usize) -> Vec<Item> {
    (0..count).map(|n| Item { id: 0, name: format!("item {n}") }).collect()
}

/// Keys of a batch after a hole, and whether they came from RETURNING.
async fn create(ddl: &str) -> (Vec<i64>, bool) {
    let pool = arx_sqlite::pool(":memory:").await.unwrap();
    let log = Log::default();
    let database = Database::new(std::sync::Arc::new(Recorded::new(pool, log.clone())));
    database.run(ddl, ()).await.unwrap();
    let keys = database.repository::<Item>().create_multiple(&items(3)).await.unwrap();
    let names = database.repository::<Item>().retrieve_by_keys(&keys).await.unwrap();
    let names: Vec<_> = names.into_iter().map(|item| item.unwrap().name).collect();
    assert_eq!(names, ["item 0", "item 1", "item 2"]);
    (keys, log.texts().iter().any(|text| text.contains("RETURNING")))
}

#[tokio::test]
async fn rowids_are_reported_by_the_driver() {
    for ddl in [
        "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)",
        "CREATE TABLE items (ID integer primary key autoincrement, name TEXT)",
    ] {
        assert_eq!(create(ddl).await, (vec![1, 2, 3], false), "{ddl}");
    }
}

#[tokio::test]
async fn other_keys_are_returned() {
    let descending = "CREATE TABLE items (id INTEGER PRIMARY KEY DESC DEFAULT (abs(random()) >> 20), name TEXT)";
    let no_rowid = "CREATE TABLE items (id INTEGER PRIMARY KEY DEFAULT (abs(random()) >> 20), name TEXT) WITHOUT ROWID";
    let big = "CREATE TABLE items (id BIGINT PRIMARY KEY DEFAULT (abs(random()) >> 20), name TEXT)";
    for ddl in [descending, no_rowid, big] {
        assert!(create(ddl).await.1, "{ddl}");
    }
}

#[tokio::test]
async fn a_trigger_that_inserts_elsewhere_does_not_change_the_keys() {
    let ddl = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE log (id INTEGER PRIMARY KEY, note TEXT);
        INSERT INTO log VALUES (1000, 'first');
        CREATE TRIGGER logged AFTER INSERT ON items BEGIN INSERT INTO log (note) VALUES (new.name); END";
    assert_eq!(create(ddl).await, (vec![1, 2, 3], false));
}

#[tokio::test]
async fn a_row_that_a_trigger_ignores_has_no_key() {
    let ddl = "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TRIGGER ignored BEFORE INSERT ON items WHEN new.name = 'item 1' BEGIN SELECT RAISE(IGNORE); END";
    let database = memory(ddl).await;
    let error = database.repository::<Item>().create_multiple(&items(3)).await.unwrap_err();
    assert_eq!(error.rows()[0].index(), 1);
    assert_eq!(database.repository::<Item>().count(()).await.unwrap(), 0);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "codes")]
struct Code {
    #[arx(key)]
    code: String,
    n: i64,
}

fn code(code: &str, n: i64) -> Code {
    Code { code: code.to_owned(), n }
}

#[tokio::test]
async fn keys_that_ignore_case_are_compared_by_sqlite() {
    let database = memory("CREATE TABLE codes (code TEXT PRIMARY KEY COLLATE NOCASE, n INTEGER)").await;
    let codes = database.repository::<Code>();
    codes.create_multiple(&[code("a", 1), code("b", 2)]).await.unwrap();
    let error = codes.update_multiple(&[code("A", 3), code("a", 4)]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert_eq!(error.rows()[0].index(), 1);
    assert_eq!(codes.update_multiple(&[code("A", 3), code("B", 4)]).await.unwrap().matched, 2);
    let found = codes.retrieve_by_keys(&["B".to_owned(), "x".to_owned(), "A".to_owned()]).await.unwrap();
    assert_eq!(found, [Some(code("b", 4)), None, Some(code("a", 3))]);
    assert_eq!(number(&database, "SELECT sum(n) FROM codes").await, 7);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "odd\"; DROP TABLE odd; --", schema = "the \"other\"; one")]
struct Odd {
    #[arx(key, generated)]
    id: i64,
    #[arx(column = "a\"b`c]; --")]
    value: i64,
}

#[tokio::test]
async fn odd_names_and_attached_databases() {
    let folder = Folder::new();
    let pool = folder.options().attach("the \"other\"; one", folder.file("other file.db")).open().await.unwrap();
    let database = Database::from(pool);
    let columns = r#"(id INTEGER PRIMARY KEY, "a""b`c]; --" INTEGER)"#;
    let ddl = format!(r#"CREATE TABLE "the ""other""; one"."odd""; DROP TABLE odd; --" {columns}"#);
    // A semicolon inside a name makes no script of it.
    database.run(&ddl, ()).await.unwrap();
    let odd = database.repository::<Odd>();
    let keys = odd.create_multiple(&[Odd { id: 0, value: 5 }, Odd { id: 0, value: 6 }]).await.unwrap();
    assert_eq!(keys, [1, 2]);
    odd.update(&Odd { id: 2, value: 7 }).await.unwrap();
    let found = odd.retrieve_multiple(Odd::VALUE.gt(5)).order_by(Odd::VALUE.desc()).await.unwrap();
    assert_eq!(found, [Odd { id: 2, value: 7 }]);
    odd.delete(1).await.unwrap();
    assert_eq!(odd.count(()).await.unwrap(), 1);
    let tx = database.begin().read_only().await.unwrap();
    assert!(tx.repository::<Odd>().exists(Odd::ID.eq(2)).await.unwrap());
}

#[tokio::test]
async fn a_table_of_the_same_name_elsewhere_is_another_table() {
    #[derive(Entity, Clone, Debug)]
    #[arx(table = "items", schema = "other")]
    struct Other {
        #[arx(key, generated)]
        id: i64,
        name: String,
    }
    let folder = Folder::new();
    let database = Database::from(folder.options().attach("other", folder.file("other.db")).open().await.unwrap());
    database.run("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)", ()).await.unwrap();
    database.run("CREATE TABLE other.items (id BIGINT PRIMARY KEY DEFAULT 77, name TEXT)", ()).await.unwrap();
    assert_eq!(database.repository::<Item>().create(&items(1)[0]).await.unwrap(), 1);
    let other = Other { id: 0, name: "x".to_owned() };
    assert_eq!(database.repository::<Other>().create(&other).await.unwrap(), 77);
    assert_eq!(other.id, 0);
}
