//! Triggers that write beside the statement, and columns that the database computes.

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Document;
use crate::{Entity, ErrorKind, Field, Record};

cases! {
    case_099_a_computed_column_comes_back: [1, 5] [];
    case_101_a_computed_column_is_never_written: [5] [];
    case_110_a_trigger_that_inserts_elsewhere: [1] [];
    case_110_a_trigger_that_inserts_into_the_same_table: [1] [OwnTriggers];
    case_112_a_trigger_beside_a_versioned_update: [7, 8] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "averages")]
struct Average {
    #[arx(key, generated)]
    id: i64,
    sum: i32,
    count: i32,
    #[arx(generated)]
    mean: i32,
    #[arx(generated)]
    label: Option<String>,
}

impl Average {
    fn new(sum: i32, count: i32) -> Self {
        Self { id: 0, sum, count, mean: -1, label: None }
    }
}

async fn create_averages(context: &Context<'_>) {
    let [sum, count] = ["sum", "count"].map(|name| context.backend.quote(name));
    let mean = format!("GENERATED ALWAYS AS ({sum} / {count}) STORED");
    let label = "GENERATED ALWAYS AS (CASE WHEN sum > 100 THEN 'large' END) STORED";
    context.create_table_with::<Average>(&[("mean", &mean), ("label", label)], &[]).await;
}

// EntityFramework-Extensions 431: an insert that asked for a computed column back was refused.
async fn case_099_a_computed_column_comes_back(context: &Context<'_>) {
    create_averages(context).await;
    let averages = context.repository::<Average>();
    let mut rows: Vec<_> = (1..=100).map(|number| Average::new(number * 12, 4)).collect();
    let keys = averages.create_multiple(&mut rows).await.unwrap();
    for (row, number) in rows.iter().zip(1..) {
        assert_eq!(row.mean, number * 3);
        assert_eq!(row.label.as_deref(), (number > 8).then_some("large"));
    }
    assert_eq!(stored::<Average>(context, &keys).await, rows);
    let returned = averages.create_multiple(&[Average::new(9, 3), Average::new(8, 2)]).returning().await.unwrap();
    assert!(returned.iter().map(|row| row.mean).eq([3, 4]));
    let mut one = Average::new(5, 1);
    averages.create(&mut one).await.unwrap();
    assert_eq!((one.mean, one.label), (5, None));
}

// FlexLabs.Upsert 108: a stored generated column stood in the column list and in SET, which no database takes.
async fn case_101_a_computed_column_is_never_written(context: &Context<'_>) {
    create_averages(context).await;
    let averages = context.repository::<Average>();
    let mut rows = vec![Average::new(10, 2), Average::new(20, 2), Average::new(30, 2)];
    averages.create_multiple(&mut rows).await.unwrap();
    rows.iter_mut().for_each(|row| (row.count, row.mean) = (5, 77));
    assert_eq!(averages.update_multiple(&rows).await.unwrap().matched, 3);
    averages.update(&rows[1]).await.unwrap();
    let found = averages.retrieve_multiple(()).order_by(Average::ID.asc()).await.unwrap();
    assert!(found.iter().map(|row| row.mean).eq([2, 4, 6]));
    let error = averages.update_multiple(&rows).columns(Average::MEAN).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::InvalidInput, Some("Average.mean")));
    let given = Average { id: 500, ..Average::new(40, 2) };
    assert_eq!(averages.create_multiple(&[given]).with_keys().await.unwrap(), [500]);
    assert_eq!(stored::<Average>(context, &[500]).await[0].mean, 20);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "events")]
struct Event {
    #[arx(key, generated)]
    id: i64,
    name: String,
    rank: Field<i32>,
}

impl Event {
    fn many(count: i32) -> Vec<Self> {
        (0..count).map(|number| Self { id: 0, name: format!("event {number}"), rank: Field::Default }).collect()
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "audits")]
struct Audit {
    #[arx(key, generated)]
    id: i64,
    name: String,
}

#[derive(Record, Debug, PartialEq)]
struct Name {
    name: String,
}

// efcore 1441: a table with a trigger could not return keys, and what came instead was the key of the row that
// the trigger had inserted elsewhere.
async fn case_110_a_trigger_that_inserts_elsewhere(context: &Context<'_>) {
    context.create_table_with::<Event>(&[("rank", "DEFAULT 3")], &[]).await;
    context.create_table::<Audit>().await;
    let audits = context.repository::<Audit>();
    // The other table's keys run ahead, so that one of them cannot be taken for a right one.
    audits.create(&Audit { id: 10_000, name: "first".to_owned() }).with_keys().await.unwrap();
    let body = "INSERT INTO audits (id, name) SELECT MAX(id) + 1, NEW.name FROM audits;";
    context.create_trigger("AFTER INSERT", "events", body).await;
    let events = context.repository::<Event>();
    let mut one = Event::many(1).remove(0);
    let key = events.create(&mut one).await.unwrap();
    assert_eq!(stored::<Event>(context, &[key]).await, [one]);
    let rows = Event::many(100);
    let keys = events.create_multiple(&rows).await.unwrap();
    assert!(stored::<Event>(context, &keys).await.iter().zip(&rows).all(|(found, row)| found.name == row.name));
    let mut mutable = Event::many(100);
    let keys = events.create_multiple(&mut mutable).await.unwrap();
    assert_eq!(stored::<Event>(context, &keys).await, mutable);
    assert_eq!(events.create_multiple(&rows).without_keys().await.unwrap(), 100);
    assert_eq!(audits.count(()).await.unwrap(), 302);
}

// The same, where the rows of the trigger take keys from between those of the statement.
async fn case_110_a_trigger_that_inserts_into_the_same_table(context: &Context<'_>) {
    context.create_table_with::<Event>(&[("rank", "DEFAULT 3")], &[]).await;
    let body = match context.is_in_process() {
        true => "INSERT INTO events (name) SELECT 'copy' WHERE NEW.name <> 'copy';",
        false => "IF NEW.name <> 'copy' THEN INSERT INTO events (name) VALUES ('copy'); END IF;",
    };
    context.create_trigger("AFTER INSERT", "events", body).await;
    let events = context.repository::<Event>();
    let rows = Event::many(100);
    let keys = events.create_multiple(&rows).await.unwrap();
    assert!(stored::<Event>(context, &keys).await.iter().zip(&rows).all(|(found, row)| found.name == row.name));
    let returned = events.create_multiple(&rows).returning().await.unwrap();
    assert!(returned.iter().zip(&rows).all(|(found, row)| found.name == row.name && found.rank == Field::Set(3)));
    let key = events.create(&rows[5]).await.unwrap();
    assert_eq!(stored::<Event>(context, &[key]).await[0].name, "event 5");
    assert_eq!(events.create_multiple(&rows).without_keys().await.unwrap(), 100);
    let names = events.retrieve_multiple(Event::NAME.eq("copy")).select::<Name>().await.unwrap();
    assert_eq!(names.len(), 301);
    assert_eq!(events.count(()).await.unwrap(), 602);
}

// N.EntityFrameworkCore.Extensions 51: a merge into a table with a row version and a trigger failed. What the
// trigger writes must not count as rows that the update has matched, either.
async fn case_112_a_trigger_beside_a_versioned_update(context: &Context<'_>) {
    context.create_table::<Document>().await;
    context.create_table::<Audit>().await;
    let body = "INSERT INTO audits (name) VALUES (NEW.title); INSERT INTO audits (name) VALUES ('again');";
    context.create_trigger("AFTER UPDATE", "documents", body).await;
    let documents = context.repository::<Document>();
    let mut rows: Vec<_> =
        (0..20).map(|number| Document { rank: Field::Set(None), ..Document::new(number.to_string()) }).collect();
    let keys = documents.create_multiple(&mut rows).await.unwrap();
    assert_eq!(documents.update_multiple(&mut rows).await.unwrap().matched, 20);
    assert_eq!(stored::<Document>(context, &keys).await, rows);
    let stale = Document { version: 1, ..rows[3].clone() };
    rows[3].title = "new".to_owned();
    documents.update(&mut rows[3]).await.unwrap();
    let error = documents.update_multiple(&[rows[0].clone(), stale, rows[5].clone()]).await.unwrap_err();
    assert!(error.is_stale_version());
    assert_eq!(error.rows().iter().map(|row| row.index()).collect::<Vec<_>>(), [1]);
    assert_eq!(context.repository::<Audit>().count(()).await.unwrap(), 42);
    assert_eq!(stored::<Document>(context, &keys).await, rows);
}
