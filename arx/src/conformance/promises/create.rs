//! `create` and `create_multiple`.

use crate::Field;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};

cases! {
    creates_one_row_and_yields_its_key: [1] [];
    creates_many_rows_in_one_statement_with_keys_in_input_order: [1, 2, 3] [];
    writes_back_what_the_database_and_arx_have_made: [1, 5] [];
    creating_nothing_sends_nothing: [3] [];
}

async fn creates_one_row_and_yields_its_key(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let first = items.create(&Item::new(1)).await.unwrap();
    let second = items.create(&Item::new(2)).await.unwrap();
    context.assert_traffic(2, 2);
    assert!(second > first);
    let stored = items.retrieve(second).await.unwrap().unwrap();
    assert_eq!(stored, Item { id: second, ..Item::new(2) });
}

async fn creates_many_rows_in_one_statement_with_keys_in_input_order(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let rows: Vec<_> = Item::many(10_000).into_iter().rev().collect();
    let keys = items.create_multiple(&rows).await.unwrap();
    context.assert_traffic(1, context.bulk_trips());
    let stored = items.retrieve_by_keys(&keys).await.unwrap();
    for (row, (key, stored)) in rows.iter().zip(keys.iter().zip(stored)) {
        assert_eq!(stored.unwrap(), Item { id: *key, ..row.clone() });
    }
}

async fn writes_back_what_the_database_and_arx_have_made(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut rows = vec![Document::new("a"), Document::new("b"), Document::new("c"), Document::new("d")];
    rows[1].rank = Field::Set(None);
    rows[3].rank = Field::Set(Some(9));
    let keys = documents.create_multiple(&mut rows).await.unwrap();
    let ranks: Vec<_> = rows.iter().map(|row| row.rank).collect();
    assert_eq!(ranks, [Field::Set(Some(5)), Field::Set(None), Field::Set(Some(5)), Field::Set(Some(9))]);
    assert_eq!(keys, rows.iter().map(|row| row.id).collect::<Vec<_>>());
    assert!(rows.iter().all(|row| row.version == 1 && row.created.timestamp_micros() == context.now()));
    let stored: Vec<_> = documents.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(stored, rows);
}

async fn creating_nothing_sends_nothing(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    assert_eq!(items.create_multiple(&[]).await.unwrap(), Vec::<i64>::new());
    assert_eq!(items.create_multiple(&[]).without_keys().await.unwrap(), 0);
    assert!(items.create_multiple(&[]).returning().await.unwrap().is_empty());
    context.assert_traffic(0, 0);
}
