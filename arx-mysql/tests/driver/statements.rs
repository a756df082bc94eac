//! Few prepared statements, none of them closed on the way, by the server's own count.

use std::collections::HashMap;

use arx::{Database, Entity, Record, Tx};

use crate::on_each;

// Per verb; 10,000 in all.
const BATCHES: usize = 2_500;

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "items")]
struct Item {
    #[arx(key, generated)]
    id: i64,
    name: Option<String>,
    note: Option<String>,
    amount: Option<i32>,
}

const TABLE: &str =
    "CREATE TABLE items (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20), note TEXT, amount INT)";

/// How many statements this session has prepared and closed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    prepared: u64,
    closed: u64,
}

impl Count {
    async fn read(db: &Database) -> Self {
        #[derive(Record)]
        struct Status {
            name: String,
            value: String,
        }
        let sql = "SHOW SESSION STATUS WHERE Variable_name IN ('Com_stmt_prepare', 'Com_stmt_close')";
        let rows = db.query::<Status>(sql, ()).await.unwrap();
        let found: HashMap<_, u64> = rows.into_iter().map(|row| (row.name, row.value.parse().unwrap())).collect();
        Self { prepared: found["Com_stmt_prepare"], closed: found["Com_stmt_close"] }
    }
}

/// How many statements on the table the server holds for this session, by their first word.
async fn held(db: &Database) -> HashMap<String, i64> {
    #[derive(Record)]
    struct Held {
        verb: String,
        count: i64,
    }
    let sql = "SELECT SUBSTRING_INDEX(sql_text, ' ', 1), COUNT(*) FROM performance_schema.prepared_statements_instances \
               JOIN performance_schema.threads ON thread_id = owner_thread_id \
               WHERE processlist_id = CONNECTION_ID() AND sql_text LIKE '%`items`%' GROUP BY 1";
    db.query::<Held>(sql, ()).await.unwrap().into_iter().map(|row| (row.verb, row.count)).collect()
}

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// Sizes of every magnitude from 1 to 1,000, the small ones more often.
    fn size(&mut self) -> i64 {
        let magnitude = self.below(11).min(self.below(11));
        i64::try_from((self.below(1 << magnitude) + (1 << magnitude)).min(1_000)).unwrap()
    }

    fn keys(&mut self) -> Vec<i64> {
        let first = i64::try_from(self.below(50_000)).unwrap();
        (first..first + self.size()).collect()
    }

    /// Rows with keys from `first` on, each cell NULL or not.
    fn rows(&mut self, first: i64) -> Vec<Item> {
        let size = self.size();
        (first..first + size)
            .map(|id| Item {
                id,
                name: (self.below(2) == 0).then(|| "x".repeat(usize::try_from(id % 7).unwrap())),
                note: (self.below(3) == 0).then(String::new),
                amount: (self.below(4) == 0).then_some(7),
            })
            .collect()
    }
}

/// Runs the batches of one verb, which may prepare a dozen statements and `besides`.
async fn verb(db: &Database, besides: u64, mut batch: impl AsyncFnMut(&Tx<'_>)) {
    let before = Count::read(db).await;
    // Few transactions, for each waits for the disk.
    for _ in 0..BATCHES / 100 {
        let tx = db.begin().await.unwrap();
        for _ in 0..100 {
            batch(&tx).await;
        }
        tx.commit().await.unwrap();
    }
    let after = Count::read(db).await;
    assert_eq!(after.closed, before.closed);
    assert!(after.prepared - before.prepared <= 12 + besides, "{after:?} {before:?}");
}

#[test]
fn ten_thousand_batches_leave_a_dozen_statements_a_verb() {
    on_each("dozen", async |fixture| {
        fixture.run(TABLE).await;
        let db = arx_mysql::Options::new(fixture.options.clone()).max_connections(1).connect().await.unwrap();
        let mut random = Random(1);
        // The look at the catalogue is the other one.
        verb(&db, 1, async |tx| {
            tx.repository::<Item>().create_multiple(&random.rows(0)).await.unwrap();
        })
        .await;
        verb(&db, 0, async |tx| {
            let rows = random.rows(1);
            assert_eq!(tx.repository::<Item>().update_multiple(&rows).await.unwrap().matched, rows.len() as u64);
        })
        .await;
        verb(&db, 0, async |tx| {
            let keys = random.keys();
            assert_eq!(tx.repository::<Item>().retrieve_by_keys(&keys).await.unwrap().len(), keys.len());
        })
        .await;
        verb(&db, 0, async |tx| {
            let keys = random.keys();
            assert!(tx.repository::<Item>().delete_multiple(&keys).await.unwrap() <= keys.len() as u64);
        })
        .await;
        if !fixture.is_mariadb() {
            let held = held(&db).await;
            assert_eq!(held.len(), 4, "{held:?}");
            assert!(held.values().all(|&count| count <= 12), "{held:?}");
        }
    });
}
