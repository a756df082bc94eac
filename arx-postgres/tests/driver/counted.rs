//! What the server itself counts: statements that were run, and statements that are prepared.

use std::sync::Arc;

use arx::Database;
use arx::connection::{Log, Recorded};
use arx::prelude::*;

use crate::Fixture;

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "counted")]
struct Counted {
    #[arx(key, generated)]
    id: i64,
    name: Option<String>,
    amount: Option<i32>,
    note: Option<String>,
}

/// The server counts by text, and both tests send the same texts.
static ALONE: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

const TABLE: &str = "CREATE UNLOGGED TABLE counted (id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text, amount int4, note text)";

/// A sequence of numbers without a pattern that matters here, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn row(&mut self) -> Counted {
        let nulls = self.below(8);
        Counted {
            id: 0,
            name: (nulls & 1 == 0).then(|| format!("name {nulls}")),
            amount: (nulls & 2 == 0).then_some(i32::try_from(nulls).unwrap()),
            note: (nulls & 4 == 0).then(String::new),
        }
    }
}

/// How often statements about the table were run in this database, as the server has counted.
async fn calls(fixture: &Fixture) -> Option<i64> {
    let is_there: bool = fixture.value("SELECT to_regclass('public.pg_stat_statements') IS NOT NULL").await;
    if !is_there {
        println!("the server has no pg_stat_statements; only the recorder counts");
        return None;
    }
    let sql = "SELECT coalesce(sum(calls), 0)::int8 FROM public.pg_stat_statements \
        WHERE query LIKE '%INTO \"counted\"%' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())";
    Some(fixture.value(sql).await)
}

#[tokio::test]
async fn ten_thousand_rows_are_two_statements_at_most() {
    let _alone = ALONE.lock().await;
    let Some(fixture) = Fixture::new("counted_calls", 1).await else { return };
    fixture.run(TABLE).await;
    let log = Log::default();
    let db = Database::new(Arc::new(Recorded::new(Arc::clone(fixture.db.pool()), log.clone())));
    let mut numbers = Numbers(1);
    let rows: Vec<_> = (0..10_000).map(|_| numbers.row()).collect();
    let before = calls(&fixture).await;
    let keys = db.repository::<Counted>().create_multiple(&rows).await.unwrap();
    assert!(log.statements() <= 2, "{:?}", log.texts());
    if let (Some(before), Some(after)) = (before, calls(&fixture).await) {
        assert!((1..=2).contains(&(after - before)), "the server has counted {}", after - before);
    }
    let stored = db.repository::<Counted>().retrieve_by_keys(&keys).await.unwrap();
    for (row, (key, stored)) in rows.into_iter().zip(keys.iter().zip(stored)) {
        assert_eq!(stored, Some(Counted { id: *key, ..row }));
    }
}

#[tokio::test]
async fn a_thousand_random_batches_leave_few_prepared_statements() {
    let _alone = ALONE.lock().await;
    let Some(fixture) = Fixture::new("counted_prepared", 1).await else { return };
    fixture.run(TABLE).await;
    let counted = fixture.db.repository::<Counted>();
    let mut numbers = Numbers(2);
    for batch in 0..1_000 {
        let count = 1 + numbers.below(2_000);
        let mut rows: Vec<_> = (0..count).map(|_| numbers.row()).collect();
        let keys = counted.create_multiple(&mut rows).await.unwrap();
        assert!(keys.is_sorted(), "keys are in the order of the input");
        if batch % 20 == 0 {
            counted.update_multiple(&rows).await.unwrap();
            assert_eq!(counted.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().count(), keys.len());
            assert_eq!(counted.delete_multiple(&keys[1..]).await.unwrap(), count - 1);
        }
    }
    let mut link = fixture.pool.acquire().await.unwrap();
    for (verb, pattern) in [("insert", "INSERT%"), ("update", "UPDATE%"), ("delete", "DELETE%"), ("select", "SELECT%")]
    {
        let sql =
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE $1 AND statement LIKE '%\"counted\"%'";
        let prepared: i64 = sqlx::query_scalar(sql).bind(pattern).fetch_one(&mut *link).await.unwrap();
        assert!((1..=8).contains(&prepared), "{prepared} prepared statements for {verb}");
    }
}
