//! Versions: who wrote in between is found out, named, and nothing of the call stays.

use super::support::{assert_error, named};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Document;
use crate::error::{RowFault, RowReason};
use crate::plan::Verb;
use crate::{Entity, ErrorKind, Field};

cases! {
    an_update_raises_the_version_and_the_time: [5, 8] [];
    every_stale_row_is_named: [2, 8] [];
    every_fault_of_a_large_batch_is_named: [2, 8] [];
    stale_and_missing_rows_are_told_apart: [2, 8] [];
    one_stale_row_is_named: [8] [];
    a_stale_update_in_a_transaction_undoes_only_itself: [2, 8] [];
    a_delete_by_version_finds_stale_and_missing_rows: [8, 13] [];
    a_version_at_the_end_of_its_type_is_refused: [2, 13] [];
    versions_of_every_width: [8] [];
    versioned_rows_with_text_keys: [2, 8] [];
    two_writers_of_one_version_cannot_both_win: [2, 8] [];
}

fn document(number: usize) -> Document {
    Document { rank: Field::Set(Some(0)), ..Document::new(format!("secret {number}")) }
}

async fn documents(context: &Context<'_>, count: usize) -> Vec<Document> {
    context.create_table::<Document>().await;
    let mut rows: Vec<_> = (0..count).map(document).collect();
    context.repository::<Document>().create_multiple(&mut rows).await.unwrap();
    context.advance(1_000_000);
    context.log.reset();
    rows
}

async fn all(context: &Context<'_>) -> Vec<Document> {
    context.repository::<Document>().retrieve_multiple(()).order_by(Document::ID.asc()).await.unwrap()
}

async fn an_update_raises_the_version_and_the_time(context: &Context<'_>) {
    let mut rows = documents(context, 10).await;
    let created = rows[0].created;
    let repository = context.repository::<Document>();
    rows.iter_mut().for_each(|row| row.rank = Field::Set(Some(1)));
    assert_eq!(repository.update_multiple(&mut rows).await.unwrap().matched, 10);
    let is_guarded = context.db.pool().dialect().limits().guarded_rows >= 10;
    context.assert_traffic(1, if is_guarded { 1 } else { 3 });
    for row in &rows {
        assert_eq!((row.version, row.created), (2, created));
        assert_eq!(row.updated.timestamp_micros(), context.now());
    }
    assert_eq!(all(context).await, rows);
    context.advance(5);
    repository.update(&mut rows[3]).await.unwrap();
    assert_eq!((rows[3].version, rows[3].updated.timestamp_micros()), (3, context.now()));
    assert_eq!(all(context).await, rows);
    // A row that is only read keeps its version, and is stale after that.
    let shared = rows[4].clone();
    repository.update(&shared).await.unwrap();
    assert_eq!(repository.update(&shared).await.unwrap_err().kind(), ErrorKind::StaleVersion);
    repository.update(&mut rows[5]).columns(Document::TITLE).await.unwrap();
    assert_eq!(all(context).await[5], rows[5]);
}

async fn every_stale_row_is_named(context: &Context<'_>) {
    let mut rows = documents(context, 10).await;
    let repository = context.repository::<Document>();
    let mut others = rows[4..=5].to_vec();
    repository.update_multiple(&mut others).await.unwrap();
    repository.update(&mut others[1]).await.unwrap();
    let before = all(context).await;
    rows.iter_mut().for_each(|row| row.rank = Field::Set(Some(9)));
    for reversed in [false, true] {
        if reversed {
            rows.reverse();
        }
        let sent = rows.clone();
        context.log.reset();
        let error = repository.update_multiple(&mut rows).await.unwrap_err();
        assert_eq!(context.log.statements(), 2);
        assert_error(&error, ErrorKind::StaleVersion, &["secret"]);
        assert!(error.is_stale_version());
        let places = [4, 5];
        assert_eq!(named(&error), places);
        let keys: Vec<_> = error.rows().iter().map(RowFault::key).collect();
        assert_eq!(keys, places.map(|place| rows[place].id.to_string()));
        let stale = |found| RowReason::Stale { expected: 1, found };
        let found = if reversed { [stale(3), stale(2)] } else { [stale(2), stale(3)] };
        assert_eq!(error.rows().iter().map(RowFault::reason).collect::<Vec<_>>(), found);
        assert_eq!(rows, sent);
        assert_eq!(all(context).await, before);
    }
}

/// So many that no statement checks all of them before it writes one.
async fn every_fault_of_a_large_batch_is_named(context: &Context<'_>) {
    let mut rows = documents(context, 1_000).await;
    let repository = context.repository::<Document>();
    repository.update_multiple(&rows[400..402]).await.unwrap();
    repository.delete_multiple(&[rows[7].id, rows[999].id]).await.unwrap();
    let before = all(context).await;
    rows.iter_mut().for_each(|row| row.rank = Field::Set(Some(9)));
    let sent = rows.clone();
    context.log.reset();
    let error = repository.update_multiple(&mut rows).await.unwrap_err();
    // One more reads what is there.
    assert_eq!(context.log.statements(), context.statements::<Document>(Verb::Update, 1_000) + 1);
    assert_error(&error, ErrorKind::StaleVersion, &["secret"]);
    let stale = RowReason::Stale { expected: 1, found: 2 };
    let reasons: Vec<_> = error.rows().iter().map(|row| (row.index(), row.reason())).collect();
    assert_eq!(reasons, [(7, RowReason::Missing), (400, stale), (401, stale), (999, RowReason::Missing)]);
    assert!(rows == sent && all(context).await == before);
    let tx = context.db.begin().await.unwrap();
    tx.repository::<Document>().update(&mut rows[500]).await.unwrap();
    assert_eq!(named(&tx.repository::<Document>().update_multiple(&rows).await.unwrap_err()), [7, 400, 401, 999]);
    tx.commit().await.unwrap();
    assert_eq!(repository.count(Document::RANK.eq(Some(9))).await.unwrap(), 1);
}

async fn stale_and_missing_rows_are_told_apart(context: &Context<'_>) {
    let mut rows = documents(context, 6).await;
    let repository = context.repository::<Document>();
    repository.update(&rows[1]).await.unwrap();
    repository.delete(rows[4].id).await.unwrap();
    let before = all(context).await;
    rows.iter_mut().for_each(|row| row.rank = Field::Set(Some(9)));
    let error = repository.update_multiple(&rows).await.unwrap_err();
    assert_error(&error, ErrorKind::StaleVersion, &["secret"]);
    let reasons: Vec<_> = error.rows().iter().map(|row| (row.index(), row.reason())).collect();
    assert_eq!(reasons, [(1, RowReason::Stale { expected: 1, found: 2 }), (4, RowReason::Missing)]);
    assert_eq!(all(context).await, before);
    let error = repository.update_multiple(&rows[4..5]).await.unwrap_err();
    assert_eq!((error.kind(), named(&error)), (ErrorKind::NotFound, vec![0]));
}

async fn one_stale_row_is_named(context: &Context<'_>) {
    let mut rows = documents(context, 2).await;
    let repository = context.repository::<Document>();
    let mut old = rows[1].clone();
    repository.update(&mut rows[1]).await.unwrap();
    let sent = old.clone();
    let error = repository.update(&mut old).await.unwrap_err();
    assert_error(&error, ErrorKind::StaleVersion, &["secret"]);
    assert_eq!((error.rows()[0].index(), error.rows()[0].reason()), (0, RowReason::Stale { expected: 1, found: 2 }));
    assert_eq!(old, sent);
    assert_eq!(all(context).await, rows);
}

async fn a_stale_update_in_a_transaction_undoes_only_itself(context: &Context<'_>) {
    let mut rows = documents(context, 10).await;
    context.repository::<Document>().update(&rows[7]).await.unwrap();
    let alone = context.another(1).await;
    let tx = alone.begin().await.unwrap();
    let repository = tx.repository::<Document>();
    rows[0].rank = Field::Set(Some(5));
    repository.update(&mut rows[0]).await.unwrap();
    let error = repository.update_multiple(&rows).await.unwrap_err();
    assert_eq!((error.kind(), named(&error)), (ErrorKind::StaleVersion, vec![7]));
    rows[7] = repository.retrieve(rows[7].id).await.unwrap().unwrap();
    assert_eq!(repository.update_multiple(&mut rows).await.unwrap().matched, 10);
    tx.commit().await.unwrap();
    assert_eq!(all(context).await, rows);
    assert_eq!((rows[0].version, rows[7].version, rows[3].version), (3, 3, 2));
}

async fn a_delete_by_version_finds_stale_and_missing_rows(context: &Context<'_>) {
    let mut rows = documents(context, 3).await;
    let repository = context.repository::<Document>();
    let old = rows[0].clone();
    repository.update(&mut rows[0]).await.unwrap();
    let error = repository.delete_entity(&old).await.unwrap_err();
    assert_error(&error, ErrorKind::StaleVersion, &["secret"]);
    assert_eq!(error.rows()[0].reason(), RowReason::Stale { expected: 1, found: 2 });
    assert!(error.to_string().starts_with("delete from documents"), "{error}");
    repository.delete_entity(&rows[0]).await.unwrap();
    let error = repository.delete_entity(&rows[0]).await.unwrap_err();
    assert_error(&error, ErrorKind::NotFound, &["secret"]);
    assert_eq!(all(context).await, rows[1..]);
}

async fn a_version_at_the_end_of_its_type_is_refused(context: &Context<'_>) {
    let mut rows = documents(context, 3).await;
    let quote = |name: &str| context.backend.quote(name);
    context.run(&format!("UPDATE {} SET {} = {}", quote("documents"), quote("version"), i32::MAX)).await;
    rows.iter_mut().for_each(|row| row.version = i32::MAX);
    let before = all(context).await;
    assert_eq!(before, rows);
    let repository = context.repository::<Document>();
    let error = repository.update_multiple(&mut rows).await.unwrap_err();
    assert_error(&error, ErrorKind::Encode, &["secret"]);
    assert_eq!((error.column(), named(&error)), (Some("Document.version"), vec![0]));
    assert_eq!(repository.update_multiple(&rows).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(repository.update(&rows[0]).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(rows, before);
    assert_eq!(all(context).await, before);
}

macro_rules! versioned {
    ($($name:ident $type:ty;)+) => {$(
        #[derive(Entity, Clone, Debug, PartialEq)]
        struct $name {
            #[arx(key)]
            id: i64,
            #[arx(version)]
            version: $type,
            name: String,
        }
    )+};
}

versioned! {
    Small i16;
    Wide i64;
}

async fn versions_of_every_width(context: &Context<'_>) {
    context.create_table::<Small>().await;
    context.create_table::<Wide>().await;
    let mut small: Vec<_> = (0..5).map(|id| Small { id, version: 0, name: String::new() }).collect();
    let mut wide: Vec<_> = (0..5).map(|id| Wide { id, version: 0, name: String::new() }).collect();
    context.repository::<Small>().create_multiple(&mut small).await.unwrap();
    context.repository::<Wide>().create_multiple(&mut wide).await.unwrap();
    for version in 2..5 {
        context.repository::<Small>().update_multiple(&mut small).await.unwrap();
        context.repository::<Wide>().update_multiple(&mut wide).await.unwrap();
        assert!(small.iter().all(|row| row.version == version));
        assert!(wide.iter().all(|row| row.version == i64::from(version)));
    }
    small[3].version = 1;
    wide[3].version = 1;
    let error = context.repository::<Small>().update_multiple(&small).await.unwrap_err();
    assert_eq!(error.rows()[0].reason(), RowReason::Stale { expected: 1, found: 4 });
    let error = context.repository::<Wide>().update_multiple(&wide).await.unwrap_err();
    assert_eq!(error.rows()[0].reason(), RowReason::Stale { expected: 1, found: 4 });
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "pages")]
struct Page {
    #[arx(key)]
    path: String,
    #[arx(version)]
    version: i32,
    body: String,
}

async fn versioned_rows_with_text_keys(context: &Context<'_>) {
    context.create_table::<Page>().await;
    let pages = context.repository::<Page>();
    let mut rows: Vec<_> =
        (0..10).rev().map(|n| Page { path: format!("p{n}"), version: 0, body: String::new() }).collect();
    pages.create_multiple(&mut rows).await.unwrap();
    pages.update_multiple(&mut rows).await.unwrap();
    pages.update(&rows[4]).await.unwrap();
    pages.update(&rows[5]).await.unwrap();
    rows.iter_mut().for_each(|row| row.body = "new".to_owned());
    let error = pages.update_multiple(&rows).await.unwrap_err();
    assert_error(&error, ErrorKind::StaleVersion, &["p5", "p4", "new"]);
    assert_eq!(named(&error), [4, 5]);
    assert_eq!(error.rows().iter().map(RowFault::key).collect::<Vec<_>>(), ["p5", "p4"]);
    assert_eq!(pages.count(Page::BODY.eq("new")).await.unwrap(), 0);
    rows[4].version = 3;
    rows[5].version = 3;
    assert_eq!(pages.update_multiple(&mut rows).await.unwrap().matched, 10);
    assert!(rows.iter().enumerate().all(|(n, row)| row.version == if n == 4 || n == 5 { 4 } else { 3 }));
}

async fn two_writers_of_one_version_cannot_both_win(context: &Context<'_>) {
    let rows = documents(context, 20).await;
    let mut backwards = rows.clone();
    backwards.reverse();
    let (one, two) = (context.another(1).await, context.another(1).await);
    let (first, second) = futures_util::future::join(
        one.repository::<Document>().update_multiple(&rows).into_future(),
        two.repository::<Document>().update_multiple(&backwards).into_future(),
    )
    .await;
    let outcomes = [first, second];
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    for error in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
        assert!(error.is_stale_version() || error.is_retryable() || error.kind() == ErrorKind::Timeout, "{error:?}");
    }
    assert!(all(context).await.iter().all(|row| row.version == 2));
}
