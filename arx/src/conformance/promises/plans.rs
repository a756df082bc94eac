//! `.plan()` of every builder: what it tells is what the call then sends, and it sends nothing itself.

use std::sync::Arc;

use super::support::assert_error;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::repository::{Plan, PlannedScope, Repository};
use crate::{Entity, ErrorKind, Field, LastWins, Record};

cases! {
    plans_of_creates_tell_what_is_sent: [3, 12] [];
    plans_of_updates_tell_what_is_sent: [3, 8] [];
    plans_of_deletes_tell_what_is_sent: [3] [];
    plans_of_reads_tell_what_is_sent: [3] [];
    plans_of_hand_written_sql_tell_what_is_sent: [12] [];
    plans_in_a_transaction_tell_of_savepoints: [2] [];
    a_plan_counts_rows_and_parameters: [3, 4] [];
    a_plan_shows_no_value: [12] [];
    a_plan_of_nothing_is_empty: [3] [];
    a_plan_of_a_refused_call_is_its_error: [13] [];
}

/// Asserts that the plan is what the recorder has seen since the last reset.
#[track_caller]
fn assert_sent(context: &Context<'_>, plan: &Plan) {
    let mut sent: Vec<(Arc<str>, usize)> = Vec::new();
    for text in context.log.texts() {
        match sent.iter_mut().find(|(known, _)| *known == text) {
            Some((_, commands)) => *commands += 1,
            None => sent.push((text, 1)),
        }
    }
    let planned: Vec<_> = plan.statements.iter().map(|known| (Arc::clone(&known.text), known.commands)).collect();
    assert_eq!(planned, sent);
    assert_eq!(plan.round_trips, context.log.round_trips(), "{plan}");
    let words = plan.round_trips - sent.iter().map(|(_, commands)| commands).sum::<usize>();
    assert_eq!(words, if plan.scope == PlannedScope::None { 0 } else { 2 }, "{plan}");
    assert!(!sent.is_empty());
    context.log.reset();
}

/// Plans a call and makes it: the call is written once and evaluated twice.
macro_rules! assert_planned {
    ($context:expr, $call:expr) => {{
        $context.log.reset();
        let plan = $call.plan().await.unwrap();
        $context.assert_traffic(0, 0);
        $call.await.unwrap();
        assert_sent($context, &plan);
        plan
    }};
}

fn documents(count: usize, mark: &str) -> Vec<Document> {
    let rank = |number: usize| if number.is_multiple_of(2) { Field::Default } else { Field::Set(Some(1)) };
    (0..count).map(|number| Document { rank: rank(number), ..Document::new(format!("{mark} {number}")) }).collect()
}

async fn create_documents(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
}

async fn plans_of_creates_tell_what_is_sent(context: &Context<'_>) {
    context.create_table::<Item>().await;
    create_documents(context).await;
    let items = context.repository::<Item>();
    assert_planned!(context, items.create(&Item::new(1)));
    let mut row = Item::new(2);
    assert_planned!(context, items.create(&mut row));
    for count in [1, 3, 700] {
        let mut rows = Item::many(count);
        assert_planned!(context, items.create_multiple(&rows));
        assert_planned!(context, items.create_multiple(&rows).without_keys());
        assert_planned!(context, items.create_multiple(&rows).returning());
        assert_planned!(context, items.create_multiple(&mut rows).find_failing_row());
    }
    let given: Vec<_> = (0..10).map(|number| Item { id: 1_000_000 + i64::from(number), ..Item::new(number) }).collect();
    assert_planned!(context, items.create_multiple(&given).with_keys());
    let documents_of = context.repository::<Document>();
    for count in [1, 2, 9, 300] {
        let rows = documents(count, &format!("read {count}"));
        assert_planned!(context, documents_of.create_multiple(&rows));
        let mut rows = documents(count, &format!("written {count}"));
        let before = rows.clone();
        let plan = documents_of.create_multiple(&mut rows).plan().await.unwrap();
        assert_eq!(rows, before, "a plan leaves the rows as they are");
        documents_of.create_multiple(&mut rows).await.unwrap();
        assert_ne!(rows, before);
        // What the first of the two has sent.
        context.log.reset();
        documents_of.create_multiple(&mut documents(count, &format!("again {count}"))).await.unwrap();
        assert_sent(context, &plan);
        assert_planned!(context, documents_of.create_multiple(&documents(count, &format!("{count}"))).returning());
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "labels")]
struct Label {
    #[arx(key)]
    code: String,
    text: String,
}

async fn plans_of_updates_tell_what_is_sent(context: &Context<'_>) {
    context.create_table::<Item>().await;
    create_documents(context).await;
    context.create_table::<Label>().await;
    let items = context.repository::<Item>();
    let mut rows = Item::many(700);
    items.create_multiple(&mut rows).await.unwrap();
    assert_planned!(context, items.update(&rows[0]));
    for count in [1, 3, 60, 700] {
        let some = &rows[..count];
        assert_planned!(context, items.update_multiple(some));
        assert_planned!(context, items.update_multiple(some).require_all());
        assert_planned!(context, items.update_multiple(some).columns(Item::NAME).lock_first());
        assert_planned!(context, items.update_multiple(some).duplicates(LastWins).find_failing_row());
    }
    let versioned = context.repository::<Document>();
    let mut rows = documents(40, "versioned");
    versioned.create_multiple(&mut rows).await.unwrap();
    for count in [1, 3, 40] {
        let before = rows.clone();
        let plan = versioned.update_multiple(&mut rows[..count]).columns(Document::TITLE).plan().await.unwrap();
        assert_eq!(rows, before, "a plan leaves the rows as they are");
        context.log.reset();
        versioned.update_multiple(&mut rows[..count]).columns(Document::TITLE).await.unwrap();
        assert_sent(context, &plan);
    }
    let labels = context.repository::<Label>();
    let rows: Vec<_> = (0..50).map(|n| Label { code: format!("code {n}"), text: "text".into() }).collect();
    assert_planned!(context, labels.create_multiple(&rows));
    assert_planned!(context, labels.update_multiple(&rows));
    assert_planned!(context, labels.update_multiple(&rows).require_all());
    assert_planned!(context, items.update_where(Item::AMOUNT.lt(50)).set(Item::AMOUNT, Item::AMOUNT.add(1)));
    assert_planned!(context, versioned.update_where(()).all().set(Document::RANK, Some(3)));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "folders")]
struct Folder {
    #[arx(key)]
    id: i64,
    #[arx(version)]
    version: i32,
    #[arx(soft_delete)]
    deleted: bool,
}

async fn plans_of_deletes_tell_what_is_sent(context: &Context<'_>) {
    context.create_table::<Item>().await;
    context.create_table::<Folder>().await;
    let items = context.repository::<Item>();
    let mut rows = Item::many(900);
    let keys = items.create_multiple(&mut rows).await.unwrap();
    assert_planned!(context, items.delete(keys[0]));
    assert_planned!(context, items.delete_entity(&rows[1]));
    assert_planned!(context, items.delete_multiple(&keys[2..3]));
    assert_planned!(context, items.delete_multiple(&keys[3..10]).duplicates(LastWins));
    assert_planned!(context, items.delete_multiple(&keys[10..800]));
    assert_planned!(context, items.delete_where(Item::AMOUNT.is_in(&[801, 802, 803])));
    assert_planned!(context, items.delete_where(()).all());
    let folders = context.repository::<Folder>();
    let mut rows: Vec<_> = (0..50).map(|id| Folder { id, version: 0, deleted: false }).collect();
    folders.create_multiple(&mut rows).await.unwrap();
    assert_planned!(context, folders.delete(0));
    assert_planned!(context, folders.restore(0));
    assert_planned!(context, folders.delete_entity(&rows[1]));
    assert_planned!(context, folders.delete_multiple(&[2, 3, 4, 5]));
    assert_planned!(context, folders.delete_where(Folder::ID.gt(40)));
}

#[derive(Record)]
struct Named {
    #[allow(dead_code)] // It is planned more often than read.
    name: String,
}

async fn plans_of_reads_tell_what_is_sent(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let keys = items.create_multiple(&Item::many(2_500)).await.unwrap();
    assert_planned!(context, items.retrieve(keys[0]));
    for count in [1, 5, 300, 2_500] {
        assert_planned!(context, items.retrieve_by_keys(&keys[..count]).with_deleted());
    }
    assert_planned!(context, items.retrieve_by_keys(&[keys[0], keys[0]]));
    let amounts: Vec<i32> = (0..1_500).collect();
    let read = || items.retrieve_multiple(Item::AMOUNT.is_in(&amounts)).order_by(Item::NAME.asc());
    assert_planned!(context, read());
    assert_planned!(context, read().select::<Named>().limit(3).offset(4));
    assert_planned!(context, read().first());
    assert_planned!(context, read().count());
    assert_planned!(context, read().exists());
    assert_planned!(context, read().page(2, 10));
    assert_planned!(context, read().select::<Named>().page(200, 10));
    assert_planned!(context, read().keyset(10));
    let cursor = read().keyset(10).await.unwrap().next;
    assert_planned!(context, read().keyset(10).after(cursor.clone()));
    assert_planned!(context, items.count(()));
    assert_planned!(context, items.exists(Item::NOTE.is_null()));
}

async fn plans_of_hand_written_sql_tell_what_is_sent(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let table = context.backend.quote("items");
    let (delete, count) = (format!("DELETE FROM {table} WHERE 1 = 0"), format!("SELECT name FROM {table}"));
    let plan = assert_planned!(context, context.db.run(&delete, ()));
    assert_eq!(&*plan.statements[0].text, delete);
    assert_planned!(context, context.db.query::<Named>(&count, ()));
}

async fn plans_in_a_transaction_tell_of_savepoints(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut tx = context.db.begin().await.unwrap();
    for depth in 0..2 {
        let inner = if depth == 0 { &tx } else { &tx.begin().await.unwrap() };
        let items: Repository<'_, Item> = inner.repository();
        let mut rows = Item::many(300);
        let plan = assert_planned!(context, items.create_multiple(&rows));
        assert_ne!(plan.scope, PlannedScope::Transaction);
        items.create_multiple(&mut rows).await.unwrap();
        assert_planned!(context, items.update_multiple(&rows).require_all().lock_first());
        assert_planned!(context, items.update_where(Item::AMOUNT.lt(5)).set(Item::NAME, "x"));
        assert_planned!(context, items.delete_multiple(&[rows[0].id, rows[1].id]));
        assert_planned!(context, items.retrieve_multiple(()).page(1, 5));
        // A plan that is dropped half way leaves the transaction as it is.
        drop(items.create_multiple(&rows).plan());
        assert_planned!(context, items.create(&rows[5]));
    }
    tx.commit().await.unwrap();
    // What the inner one has written went with it.
    assert_eq!(context.repository::<Item>().count(()).await.unwrap(), 300 + 300 - 2 + 1);
}

async fn a_plan_counts_rows_and_parameters(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let plan = items.create_multiple(&Item::many(500)).without_keys().plan().await.unwrap();
    assert_eq!(plan.statements.iter().map(|statement| statement.rows).sum::<usize>(), 500);
    let parameters: usize = plan.statements.iter().map(|statement| statement.parameters).sum();
    assert!([3, 1, 1_500].contains(&parameters), "a parameter for each column, for all, or for each cell: {plan}");
    let bytes: usize = plan.statements.iter().map(|statement| statement.bytes).sum();
    assert!((500 * 20..500 * 100).contains(&bytes), "{plan}");
    let plan = items.retrieve_multiple(Item::AMOUNT.between(1, 2)).limit(3).plan().await.unwrap();
    let [only] = &plan.statements[..] else { panic!("{plan}") };
    assert_eq!((only.commands, only.rows, only.parameters, plan.round_trips), (1, 0, 3, 1));
    let plan = items.update(&Item::new(1)).plan().await.unwrap();
    assert_eq!((plan.statements[0].rows, plan.statements[0].parameters), (1, 4));
}

async fn a_plan_shows_no_value(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let row = Item { name: "secret".into(), note: Some("hidden".into()), amount: 987_654, id: 0 };
    let plans = [
        items.create(&row).plan().await.unwrap(),
        items.update_where(Item::NAME.eq("secret")).set(Item::AMOUNT, Item::AMOUNT.add(987_654)).plan().await.unwrap(),
        items.retrieve_multiple(Item::NOTE.is_in(&["hidden"])).page(987_654, 3).plan().await.unwrap(),
    ];
    for plan in plans {
        let texts = [format!("{plan}"), format!("{plan:?}")];
        for secret in ["secret", "hidden", "987654"] {
            assert!(texts.iter().all(|text| !text.contains(secret)), "{texts:?}");
        }
        assert!(texts[0].starts_with("1 round trip\n1 command, "), "{plan}");
        assert!(texts[0].contains(&*plan.statements[0].text), "{plan}");
    }
}

async fn a_plan_of_nothing_is_empty(context: &Context<'_>) {
    let items = context.repository::<Item>();
    let none: [Item; 0] = [];
    let plans = [
        items.create_multiple(&none).plan().await.unwrap(),
        items.update_multiple(&none).plan().await.unwrap(),
        items.delete_multiple(&[]).plan().await.unwrap(),
        items.retrieve_by_keys(&[]).plan().await.unwrap(),
    ];
    for plan in plans {
        assert_eq!((plan.statements.len(), plan.round_trips, plan.scope), (0, 0, PlannedScope::None));
        assert_eq!(plan.to_string(), "0 round trips");
    }
}

async fn a_plan_of_a_refused_call_is_its_error(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let twice = [Item::new(1), Item::new(1)];
    assert_error(&items.update_multiple(&twice).plan().await.unwrap_err(), ErrorKind::DuplicateKey, &[]);
    assert_error(&items.delete_where(()).plan().await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_error(&items.retrieve_multiple(()).page(0, 5).plan().await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_error(&items.restore(1).plan().await.unwrap_err(), ErrorKind::Unsupported, &[]);
    context.assert_traffic(0, 0);
}
