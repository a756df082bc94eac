//! However many rows there were and whatever was in them, few statements were prepared.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::support::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::plan::{Source, Verb};
use crate::repository::LastWins;
use crate::{Entity, Field};

cases! {
    a_random_history_needs_few_statements: [3, 4, 5] [];
    a_random_history_of_a_versioned_table_needs_few_statements: [4, 5, 8] [];
    a_column_left_to_the_database_costs_one_text_a_pattern: [4, 5] [];
    a_wide_table_of_nulls_needs_few_statements: [4, 5] [];
}

/// The texts of each verb; those that read rows again after a write are those of the reading verb.
#[derive(Default)]
struct Texts(HashMap<&'static str, HashSet<Arc<str>>>);

impl Texts {
    fn take(&mut self, context: &Context<'_>, verb: &'static str) {
        for text in context.log.texts() {
            let is_read = text.starts_with("SELECT") || text.starts_with("(SELECT");
            self.0.entry(if is_read { "retrieve" } else { verb }).or_default().insert(text);
        }
        context.log.reset();
    }

    fn assert_few(&self, context: &Context<'_>) {
        self.assert_few_patterns(context, 1);
    }

    /// Where a text has the placeholders of so many rows, each pattern of columns has texts of its own.
    fn assert_few_patterns(&self, context: &Context<'_>, patterns: usize) {
        let has_sizes = context.db.pool().dialect().limits().source(Verb::Insert, 1_000) == Source::Values;
        for (verb, texts) in &self.0 {
            let most = if has_sizes { 12 * patterns } else { 12 };
            assert!(texts.len() <= most, "{verb} has {} texts: {texts:#?}", texts.len());
            let is_short = texts.iter().all(|text| text.len() < 20_000);
            assert!(is_short || has_sizes, "{verb} has a text that grows with its rows");
        }
    }
}

async fn a_random_history_needs_few_statements(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut random = fastrand::Rng::with_seed(10);
    let mut texts = Texts::default();
    let mut model: HashMap<i64, Item> = HashMap::new();
    for round in 0..60 {
        let size = if round % 4 == 0 { random.i32(1..10) } else { random.i32(1..1_500) };
        let mut rows = Item::many(size);
        rows.iter_mut().for_each(|row| row.note = random.bool().then(|| format!("{round} {}", random.u32(..))));
        context.log.reset();
        match round % 3 {
            0 => drop(items.create_multiple(&mut rows).await.unwrap()),
            1 => rows = items.create_multiple(&rows).returning().await.unwrap(),
            _ => {
                let keys = items.create_multiple(&rows).await.unwrap();
                rows.iter_mut().zip(keys).for_each(|(row, key)| row.id = key);
            }
        }
        texts.take(context, "create");
        model.extend(rows.into_iter().map(|row| (row.id, row)));
        let mut batch: Vec<_> = model.values().cloned().collect();
        random.shuffle(&mut batch);
        batch.truncate(random.usize(1..1_500));
        for row in &mut batch {
            row.note = random.bool().then(|| format!("{}", random.u32(..)));
            row.amount = random.i32(..);
        }
        let update = items.update_multiple(&batch);
        let update = if round % 2 == 0 { update.require_all() } else { update.duplicates(LastWins) };
        assert_eq!(update.await.unwrap().matched, batch.len() as u64);
        texts.take(context, "update");
        let keys: Vec<_> = batch.iter().map(|row| row.id).collect();
        assert!(items.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(batch.iter().cloned()));
        texts.take(context, "retrieve");
        model.extend(batch.iter().map(|row| (row.id, row.clone())));
        let gone = &keys[..keys.len() / 2];
        assert_eq!(items.delete_multiple(gone).await.unwrap(), gone.len() as u64);
        texts.take(context, "delete");
        gone.iter().for_each(|key| drop(model.remove(key)));
    }
    texts.assert_few(context);
    assert_eq!(stored::<Item>(&context.db).await, model.len() as u64);
    let all = items.retrieve_multiple(()).await.unwrap();
    assert!(all.iter().all(|row| model[&row.id] == *row));
}

async fn a_random_history_of_a_versioned_table_needs_few_statements(context: &Context<'_>) {
    context.create_table::<Document>().await;
    let documents = context.repository::<Document>();
    let mut random = fastrand::Rng::with_seed(11);
    let mut texts = Texts::default();
    let mut rows: Vec<_> =
        (0..800).map(|n| Document { rank: Field::Set(Some(n)), ..Document::new(format!("t{n}")) }).collect();
    documents.create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    for round in 0..60 {
        random.shuffle(&mut rows);
        let size = random.usize(1..800);
        let (batch, rest) = rows.split_at_mut(size);
        batch.iter_mut().for_each(|row| row.rank = Field::Set(random.bool().then(|| random.i32(..))));
        // Every now and then a row is stale: the statements that explain it are few too.
        if round % 5 == 4 && !rest.is_empty() {
            documents.update(&mut rest[0]).await.unwrap();
            let mut stale = batch.to_vec();
            stale.push(Document { version: rest[0].version - 1, ..rest[0].clone() });
            assert!(documents.update_multiple(&mut stale).await.unwrap_err().is_stale_version());
        }
        assert_eq!(documents.update_multiple(&mut *batch).await.unwrap().matched, size as u64);
        texts.take(context, "update");
    }
    texts.assert_few(context);
    let stored = documents.retrieve_multiple(()).order_by(Document::ID.asc()).await.unwrap();
    rows.sort_by_key(|row| row.id);
    assert!(stored == rows);
}

async fn a_column_left_to_the_database_costs_one_text_a_pattern(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let mut random = fastrand::Rng::with_seed(12);
    let mut texts = Texts::default();
    for round in 0..40 {
        let row = |number: usize| Document::new(format!("{round} {number}"));
        let mut rows: Vec<_> = (0..random.usize(1..300)).map(row).collect();
        for row in &mut rows {
            row.rank = match random.u8(0..3) {
                0 => Field::Default,
                1 => Field::Set(None),
                _ => Field::Set(Some(random.i32(..))),
            };
        }
        documents.create_multiple(&mut rows).await.unwrap();
        texts.take(context, "create");
        assert!(rows.iter().all(|row| row.rank != Field::Default));
    }
    texts.assert_few_patterns(context, 2);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "wide")]
struct Wide {
    #[arx(key)]
    id: i64,
    a: Option<i32>,
    b: Option<String>,
    c: Option<bool>,
    d: Option<f64>,
    e: Option<Vec<u8>>,
    f: Option<rust_decimal::Decimal>,
    g: Option<chrono::NaiveDate>,
    h: Option<uuid::Uuid>,
}

async fn a_wide_table_of_nulls_needs_few_statements(context: &Context<'_>) {
    context.create_table::<Wide>().await;
    let wide = context.repository::<Wide>();
    let mut random = fastrand::Rng::with_seed(13);
    let mut texts = Texts::default();
    let mut row = |id: i64| Wide {
        id,
        a: random.bool().then_some(1),
        b: random.bool().then(|| "x".to_owned()),
        c: random.bool().then_some(true),
        d: random.bool().then_some(0.5),
        e: random.bool().then(|| vec![1]),
        f: random.bool().then(|| rust_decimal::Decimal::new(15, 1)),
        g: random.bool().then(chrono::NaiveDate::default),
        h: random.bool().then(|| uuid::Uuid::from_u128(1)),
    };
    let mut next = 0;
    for size in (1..=40).chain([300, 1, 2, 77]) {
        let mut rows: Vec<_> = (next..next + size).map(&mut row).collect();
        next += size;
        assert_eq!(wide.create_multiple(&rows).await.unwrap().len(), rows.len());
        texts.take(context, "create");
        rows.iter_mut().for_each(|changed| *changed = row(changed.id));
        wide.update_multiple(&rows).await.unwrap();
        texts.take(context, "update");
        let keys: Vec<_> = rows.iter().map(|row| row.id).collect();
        assert!(wide.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows));
        texts.take(context, "retrieve");
    }
    texts.assert_few(context);
}
