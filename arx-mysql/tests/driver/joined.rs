//! Transactions that the application has begun with sqlx.

use arx::{Entity, ErrorKind};
use sqlx::Executor as _;

use crate::on_each;

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

const TABLE: &str = "CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) UNIQUE)";

fn item(name: &str) -> Item {
    Item { id: 0, name: name.to_owned() }
}

#[test]
fn what_is_committed_is_the_applications_to_commit() {
    on_each("joined", async |fixture| {
        fixture.run(TABLE).await;
        for end in ["commit", "rollback", "drop"] {
            let mut transaction = fixture.pool.begin().await.unwrap();
            transaction.execute("INSERT INTO items (name) VALUES ('before')").await.unwrap();
            let tx = arx_mysql::join(&fixture.db, &mut transaction).await.unwrap();
            let keys = tx.repository::<Item>().create_multiple(&[item("a"), item("b")]).await.unwrap();
            assert!(keys[0] < keys[1]);
            let error = tx.repository::<Item>().create(&item("a")).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UniqueViolation);
            match end {
                "commit" => tx.commit().await.unwrap(),
                "rollback" => tx.rollback().await.unwrap(),
                _ => drop(tx),
            }
            transaction.execute("INSERT INTO items (name) VALUES ('after')").await.unwrap();
            transaction.commit().await.unwrap();
            let items = fixture.db.repository::<Item>();
            let names: Vec<_> = items.retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap();
            let names: Vec<_> = names.iter().map(|row| row.name.as_str()).collect();
            let wanted: &[&str] = if end == "commit" { &["before", "a", "b", "after"] } else { &["before", "after"] };
            assert_eq!(names, wanted, "{end}");
            fixture.run("DELETE FROM items").await;
        }
    });
}

#[test]
fn a_database_that_was_never_used_can_be_joined() {
    on_each("fresh", async |fixture| {
        fixture.run(TABLE).await;
        let db = arx_mysql::from_pool(fixture.pool.clone());
        let mut transaction = fixture.pool.begin().await.unwrap();
        let tx = arx_mysql::join(&db, &mut transaction).await.unwrap();
        let rows: Vec<_> = (0..50).map(|number| item(&number.to_string())).collect();
        let keys = tx.repository::<Item>().create_multiple(&rows).await.unwrap();
        let found = tx.repository::<Item>().retrieve_by_keys(&keys).await.unwrap();
        assert!(found.iter().flatten().map(|row| &row.name).eq(rows.iter().map(|row| &row.name)));
        tx.commit().await.unwrap();
        transaction.rollback().await.unwrap();
        assert_eq!(db.repository::<Item>().count(()).await.unwrap(), 0);
    });
}
