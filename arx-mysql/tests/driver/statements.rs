//! Few prepared statements, none of them closed on the way, by the server's own count.

use std::collections::HashMap;

use arx::{Database, Entity, Record};

use crate::{Fixture, on_each};

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: Option<String>,
    note: Option<String>,
    amount: Option<i32>,
}

#[derive(Record)]
struct Status {
    name: String,
    value: String,
}

async fn status(db: &Database) -> HashMap<String, u64> {
    let sql = "SHOW SESSION STATUS WHERE Variable_name IN ('Com_stmt_prepare', 'Com_stmt_close')";
    let rows = db.query::<Status>(sql, ()).await.unwrap();
    rows.into_iter().map(|row| (row.name, row.value.parse().unwrap())).collect()
}

fn rows(random: &mut u64, first: i64) -> Vec<Item> {
    let mut next = || {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *random >> 33
    };
    // Sizes of every magnitude alike, from 1 to 1,000.
    let size = i64::try_from(next() % (1 << (next() % 10 + 1)) + 1).unwrap().min(1_000);
    let row = |id| Item {
        id: first + id,
        name: next().is_multiple_of(2).then(|| "x".repeat(usize::try_from(id % 7).unwrap())),
        note: next().is_multiple_of(3).then(String::new),
        amount: next().is_multiple_of(4).then_some(7),
    };
    (0..size).map(row).collect()
}

async fn batches(fixture: &Fixture, count: usize) {
    fixture
        .run("CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20), note TEXT, amount INT)")
        .await;
    let own = arx_mysql::Options::new(fixture.options.clone()).max_connections(1);
    let db = own.connect().await.unwrap();
    let items = db.repository::<Item>();
    let mut random = 1;
    let before = status(&db).await;
    for _ in 0..count {
        items.create_multiple(&rows(&mut random, 0)).await.unwrap();
    }
    let inserted = status(&db).await;
    // The look at the catalogue is the other one.
    assert!(inserted["Com_stmt_prepare"] - before["Com_stmt_prepare"] <= 12 + 1, "{inserted:?} {before:?}");
    for _ in 0..count {
        items.update_multiple(&rows(&mut random, 1)).await.unwrap();
    }
    let updated = status(&db).await;
    assert!(updated["Com_stmt_prepare"] - inserted["Com_stmt_prepare"] <= 12, "{updated:?}");
    for _ in 0..count {
        let keys: Vec<_> = rows(&mut random, 5).iter().map(|row| row.id * 3).collect();
        items.retrieve_by_keys(&keys).await.unwrap();
        items.delete_multiple(&keys[..keys.len().min(50)]).await.unwrap();
    }
    let deleted = status(&db).await;
    assert!(deleted["Com_stmt_prepare"] - updated["Com_stmt_prepare"] <= 24, "{deleted:?}");
    assert_eq!(deleted["Com_stmt_close"], before["Com_stmt_close"]);
}

#[test]
fn batches_of_every_size_leave_a_dozen_statements() {
    on_each("dozen", async |fixture| batches(&fixture, 300).await);
}

/// Some minutes: `cargo test -p arx-mysql --release --test driver -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn ten_thousand_batches_leave_a_dozen_statements() {
    on_each("thousands", async |fixture| batches(&fixture, 10_000).await);
}
