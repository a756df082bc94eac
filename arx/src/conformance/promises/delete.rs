//! `delete`, `delete_entity`, `delete_multiple`, `soft_delete` and `restore`.

use chrono::{DateTime, Utc};

use super::support::{assert_error, named, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::plan::Verb;
use crate::{Entity, ErrorKind, Field};

cases! {
    deletes_one_row_by_its_key: [2] [];
    deletes_many_rows_in_one_statement: [3, 10] [];
    deletes_rows_by_keys_of_several_columns: [3] [];
    deletes_an_entity_that_has_no_version: [8] [];
    deleting_nothing_sends_nothing: [3] [];
    a_refused_delete_leaves_every_row: [2, 13] [];
    marks_rows_with_the_time_of_their_deletion: [5, 8] [];
    marks_rows_with_a_flag: [5, 8] [];
    what_is_marked_is_not_there_for_updates: [8] [];
    only_marked_tables_can_restore: [13] [];
    deletes_inside_a_transaction: [2] [];
}

async fn items(context: &Context<'_>, count: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    rows
}

async fn deletes_one_row_by_its_key(context: &Context<'_>) {
    let rows = items(context, 3).await;
    let repository = context.repository::<Item>();
    assert!(repository.delete(rows[1].id).await.unwrap());
    context.assert_traffic(1, 1);
    let key: &i64 = &rows[1].id;
    assert!(!repository.delete(key).await.unwrap());
    assert_eq!(repository.retrieve(rows[1].id).await.unwrap(), None);
    assert_eq!(stored::<Item>(&context.db).await, 2);
}

async fn deletes_many_rows_in_one_statement(context: &Context<'_>) {
    let rows = items(context, 10_000).await;
    let repository = context.repository::<Item>();
    let mut keys: Vec<_> = rows.iter().step_by(2).map(|row| row.id).chain([-1, 1_000_000]).collect();
    fastrand::Rng::with_seed(5).shuffle(&mut keys);
    assert_eq!(repository.delete_multiple(&keys).await.unwrap(), 5_000);
    context.assert_bulk::<Item>(Verb::Delete, keys.len());
    let left = repository.retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap();
    assert!(left.iter().eq(rows.iter().skip(1).step_by(2)));
    assert_eq!(repository.delete_multiple(&keys).await.unwrap(), 0);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "seats")]
struct Seat {
    #[arx(key)]
    row: i32,
    #[arx(key)]
    place: String,
    taken: bool,
}

async fn deletes_rows_by_keys_of_several_columns(context: &Context<'_>) {
    context.create_table::<Seat>().await;
    let seats = context.repository::<Seat>();
    let rows: Vec<_> = (0..100).map(|n| Seat { row: n / 10, place: format!("{}", n % 10), taken: false }).collect();
    seats.create_multiple(&rows).await.unwrap();
    context.log.reset();
    // Parts of different rows that do not belong together.
    let keys = [(1, "1".to_owned()), (2, "2".to_owned()), (99, "1".to_owned())];
    assert_eq!(seats.delete_multiple(&keys).await.unwrap(), 2);
    context.assert_traffic(1, 1);
    assert!(seats.exists(Seat::ROW.eq(1).and(Seat::PLACE.eq("2"))).await.unwrap());
    assert!(seats.delete((1, "2".to_owned())).await.unwrap());
    seats.delete_entity(&rows[0]).await.unwrap();
    assert_eq!(seats.count(()).await.unwrap(), 96);
}

async fn deletes_an_entity_that_has_no_version(context: &Context<'_>) {
    let rows = items(context, 2).await;
    let repository = context.repository::<Item>();
    repository.delete_entity(&rows[0]).await.unwrap();
    context.assert_traffic(1, 1);
    let error = repository.delete_entity(&rows[0]).await.unwrap_err();
    assert_error(&error, ErrorKind::NotFound, &["item 0", "note"]);
    assert_eq!(named(&error), [0]);
    assert_eq!(stored::<Item>(&context.db).await, 1);
}

async fn deleting_nothing_sends_nothing(context: &Context<'_>) {
    context.create_table::<Item>().await;
    assert_eq!(context.repository::<Item>().delete_multiple(&[]).await.unwrap(), 0);
    context.assert_traffic(0, 0);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "children")]
struct Child {
    #[arx(key)]
    id: i64,
    parent: i64,
}

async fn a_refused_delete_leaves_every_row(context: &Context<'_>) {
    let rows = items(context, 100).await;
    let quote = |name: &str| context.backend.quote(name);
    let references = format!("REFERENCES {} ({})", quote("items"), quote("id"));
    context.create_table_with::<Child>(&[("parent", &references)], &[]).await;
    context.repository::<Child>().create(&Child { id: 1, parent: rows[60].id }).await.unwrap();
    let alone = context.another(1).await;
    let repository = alone.repository::<Item>();
    let keys: Vec<_> = rows.iter().map(|row| row.id).collect();
    let error = repository.delete_multiple(&keys).await.unwrap_err();
    assert_error(&error, ErrorKind::ForeignKeyViolation, &["item 60"]);
    assert_eq!(stored::<Item>(&alone).await, 100);
    assert_eq!(repository.delete(rows[60].id).await.unwrap_err().kind(), ErrorKind::ForeignKeyViolation);
    assert_eq!(repository.delete_multiple(&keys[..60]).await.unwrap(), 60);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "files")]
struct File {
    #[arx(key, generated)]
    id: i64,
    name: String,
    #[arx(version)]
    version: i32,
    #[arx(updated_at)]
    updated: DateTime<Utc>,
    #[arx(soft_delete)]
    deleted: Option<DateTime<Utc>>,
}

fn files(count: i32) -> Vec<File> {
    let file = |number| File {
        id: 0,
        name: format!("file {number}"),
        version: 0,
        updated: DateTime::UNIX_EPOCH,
        deleted: None,
    };
    (0..count).map(file).collect()
}

async fn marks_rows_with_the_time_of_their_deletion(context: &Context<'_>) {
    context.create_table::<File>().await;
    let repository = context.repository::<File>();
    let mut rows = files(6);
    let keys = repository.create_multiple(&mut rows).await.unwrap();
    context.advance(7);
    assert!(repository.delete(keys[0]).await.unwrap());
    assert!(!repository.delete(keys[0]).await.unwrap());
    assert_eq!(repository.delete_multiple(&keys[..3]).await.unwrap(), 2);
    repository.delete_entity(&rows[3]).await.unwrap();
    assert_eq!(stored::<File>(&context.db).await, 6);
    assert_eq!(repository.count(()).await.unwrap(), 2);
    assert_eq!(repository.retrieve(keys[0]).await.unwrap(), None);
    let marked = repository.retrieve(keys[0]).with_deleted().await.unwrap().unwrap();
    assert_eq!(marked.deleted.unwrap().timestamp_micros(), context.now());
    assert_eq!((marked.updated.timestamp_micros(), marked.version), (context.now(), 2));
    let found = repository.retrieve_by_keys(&keys).await.unwrap();
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, false, false, true, true]);
    assert!(repository.retrieve_by_keys(&keys).with_deleted().await.unwrap().iter().all(Option::is_some));
    let named = |rows: Vec<File>| rows.into_iter().map(|row| row.name).collect::<Vec<_>>();
    let living = repository.retrieve_multiple(File::NAME.ne("x")).order_by(File::ID.asc()).await.unwrap();
    assert_eq!(named(living), ["file 4", "file 5"]);
    assert_eq!(repository.retrieve_multiple(()).with_deleted().await.unwrap().len(), 6);
    assert!(!repository.exists(File::ID.eq(keys[1])).await.unwrap());
    assert!(repository.exists(File::ID.eq(keys[1])).with_deleted().await.unwrap());
    assert_eq!(repository.retrieve_multiple(File::ID.eq(keys[1])).first().await.unwrap(), None);
    assert!(repository.restore(keys[1]).await.unwrap());
    assert!(!repository.restore(keys[1]).await.unwrap());
    assert!(!repository.restore(keys[5]).await.unwrap());
    let back = repository.retrieve(keys[1]).await.unwrap().unwrap();
    assert_eq!((back.deleted, back.version), (None, 3));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "folders")]
struct Folder {
    #[arx(key)]
    id: i64,
    name: String,
    #[arx(soft_delete)]
    deleted: bool,
}

async fn marks_rows_with_a_flag(context: &Context<'_>) {
    context.create_table::<Folder>().await;
    let folders = context.repository::<Folder>();
    let rows: Vec<_> = (0..10).map(|id| Folder { id, name: format!("folder {id}"), deleted: false }).collect();
    folders.create_multiple(&rows).await.unwrap();
    assert!(folders.delete(3).await.unwrap());
    assert_eq!(folders.delete_multiple(&[3, 4, 5]).await.unwrap(), 2);
    folders.delete_entity(&rows[6]).await.unwrap();
    assert_eq!(folders.delete_entity(&rows[6]).await.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(folders.count(Folder::ID.between(2, 7)).await.unwrap(), 2);
    assert_eq!(folders.count(Folder::ID.eq(3).or(Folder::ID.eq(7))).await.unwrap(), 1);
    assert_eq!(folders.count(()).with_deleted().await.unwrap(), 10);
    assert!(folders.restore(4).await.unwrap());
    assert_eq!(folders.retrieve(4).await.unwrap().as_ref(), Some(&rows[4]));
    assert!(folders.retrieve(3).with_deleted().await.unwrap().unwrap().deleted);
}

async fn what_is_marked_is_not_there_for_updates(context: &Context<'_>) {
    context.create_table::<File>().await;
    let repository = context.repository::<File>();
    let mut rows = files(4);
    let keys = repository.create_multiple(&mut rows).await.unwrap();
    repository.delete_multiple(&keys[1..3]).await.unwrap();
    rows.iter_mut().for_each(|row| row.name = "changed".to_owned());
    let error = repository.update_multiple(&rows).await.unwrap_err();
    assert_eq!((error.kind(), named(&error)), (ErrorKind::NotFound, vec![1, 2]));
    assert_eq!(repository.update(&rows[1]).await.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(repository.count(File::NAME.eq("changed")).with_deleted().await.unwrap(), 0);

    context.create_table::<Folder>().await;
    let folders = context.repository::<Folder>();
    let mut rows: Vec<_> = (0..4).map(|id| Folder { id, name: String::new(), deleted: false }).collect();
    folders.create_multiple(&rows).await.unwrap();
    folders.delete(2).await.unwrap();
    rows.iter_mut().for_each(|row| row.name = "changed".to_owned());
    assert_eq!(folders.update_multiple(&rows).await.unwrap().matched, 3);
    let error = folders.update_multiple(&rows).require_all().await.unwrap_err();
    assert_eq!((error.kind(), named(&error)), (ErrorKind::NotFound, vec![2]));
    assert!(folders.retrieve(2).with_deleted().await.unwrap().unwrap().deleted);
}

async fn only_marked_tables_can_restore(context: &Context<'_>) {
    let rows = items(context, 1).await;
    let error = context.repository::<Item>().restore(rows[0].id).await.unwrap_err();
    assert_error(&error, ErrorKind::Unsupported, &[]);
    assert!(error.to_string().contains("Item"));
    context.assert_traffic(0, 0);
}

async fn deletes_inside_a_transaction(context: &Context<'_>) {
    let rows = items(context, 10).await;
    context.create_table::<Document>().await;
    let mut document = Document { rank: Field::Set(None), ..Document::new("a") };
    context.repository::<Document>().create(&mut document).await.unwrap();
    let tx = context.db.begin().await.unwrap();
    let repository = tx.repository::<Item>();
    let keys: Vec<_> = rows[..5].iter().map(|row| row.id).collect();
    assert_eq!(repository.delete_multiple(&keys).await.unwrap(), 5);
    assert!(repository.delete(rows[5].id).await.unwrap());
    tx.repository::<Document>().delete_entity(&document).await.unwrap();
    assert_eq!(repository.count(()).await.unwrap(), 4);
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 10);
    assert_eq!(stored::<Document>(&context.db).await, 1);
}
