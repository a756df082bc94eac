//! `update_where` and `delete_where`: writes by filter, in one statement each.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::support::{assert_error, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{Entity, ErrorKind, Filter};

cases! {
    sets_values_columns_and_expressions_in_one_statement: [6] [];
    every_right_side_sees_the_row_as_it_was: [6] [];
    raises_versions_and_times: [8] [];
    leaves_deleted_rows_alone: [7] [];
    deletes_by_filter_in_one_statement: [2, 7] [];
    marks_by_filter_what_is_not_marked: [7] [];
    a_write_of_every_row_has_to_be_meant: [13] [];
    columns_that_are_not_the_callers_cannot_be_set: [13] [];
    an_update_counts_what_it_matched: [7] [];
    null_stays_null_in_arithmetic: [5] [];
    a_result_out_of_range_is_an_error: [2, 6] [];
    a_version_at_its_end_is_an_error: [2, 6, 8] [];
    decimals_are_computed_exactly_or_not_at_all: [6, 13] [];
    an_update_by_filter_that_fails_changes_nothing: [2] [];
    a_write_by_filter_that_fails_leaves_its_transaction_usable: [2] [];
    writes_by_filter_take_lists_in_few_texts: [3, 4, 12] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "players")]
struct Player {
    #[arx(key)]
    id: i64,
    name: String,
    rank: i32,
    best: i32,
    score: Option<i64>,
    ratio: f64,
    #[arx(version)]
    version: i32,
    #[arx(created_at)]
    created: DateTime<Utc>,
    #[arx(updated_at)]
    updated: DateTime<Utc>,
    #[arx(soft_delete)]
    gone: Option<DateTime<Utc>>,
}

fn player(id: i64) -> Player {
    Player {
        id,
        name: format!("player {id}"),
        rank: i32::try_from(id * 10).unwrap(),
        best: 7,
        score: (id % 2 == 0).then_some(id * 1_000),
        ratio: 0.5,
        version: 0,
        created: DateTime::UNIX_EPOCH,
        updated: DateTime::UNIX_EPOCH,
        gone: None,
    }
}

/// Rows 0 to 9, of which 9 is marked as deleted.
async fn fill(context: &Context<'_>) -> Vec<Player> {
    context.create_table::<Player>().await;
    let mut rows: Vec<_> = (0..10).map(player).collect();
    let players = context.repository::<Player>();
    players.create_multiple(&mut rows).await.unwrap();
    assert!(players.delete(9).await.unwrap());
    context.advance(1_000);
    context.log.reset();
    all(context).await
}

async fn all(context: &Context<'_>) -> Vec<Player> {
    let read = context.repository::<Player>().retrieve_multiple(()).with_deleted().order_by(Player::ID.asc());
    let rows = read.await.unwrap();
    context.log.reset();
    rows
}

/// The row with the marks of a write at this time.
fn written(context: &Context<'_>, row: &Player) -> Player {
    let now = DateTime::from_timestamp_micros(context.now()).unwrap();
    Player { version: row.version + 1, updated: now, ..row.clone() }
}

async fn sets_values_columns_and_expressions_in_one_statement(context: &Context<'_>) {
    let rows = fill(context).await;
    let players = context.repository::<Player>();
    let update = players.update_where(Player::ID.between(2, 5)).set(Player::NAME, "it's; --");
    let update = update.set(Player::RANK, Player::RANK.add(5)).set(Player::BEST, Player::RANK.mul(2));
    let matched = update.set(Player::SCORE, Player::SCORE.sub(1)).set(Player::RATIO, Player::RATIO.mul(-3.0)).await;
    context.assert_traffic(1, 1);
    assert_eq!(matched.unwrap(), 4);
    for (row, stored) in rows.iter().zip(all(context).await) {
        let changed = Player {
            name: "it's; --".to_owned(),
            rank: row.rank + 5,
            best: row.rank * 2,
            score: row.score.map(|score| score - 1),
            ratio: -1.5,
            ..written(context, row)
        };
        assert_eq!(stored, if (2..=5).contains(&row.id) { changed } else { row.clone() });
    }
    let matched = players.update_where(Player::ID.eq(0)).set(Player::BEST, Player::RANK).set(Player::SCORE, None).await;
    assert_eq!(matched.unwrap(), 1);
    let first = &all(context).await[0];
    assert_eq!((first.best, first.score), (0, None));
    let none = players.update_where(Player::ID.gt(100)).set(Player::RANK, 1).await;
    assert_eq!(none.unwrap(), 0);
}

async fn every_right_side_sees_the_row_as_it_was(context: &Context<'_>) {
    fill(context).await;
    let players = context.repository::<Player>();
    let one = || Player::ID.eq(3);
    for is_first in [true, false] {
        let update = players.update_where(one());
        let update = match is_first {
            true => update.set(Player::RANK, Player::RANK.add(1)).set(Player::BEST, Player::RANK),
            false => update.set(Player::BEST, Player::RANK).set(Player::RANK, Player::RANK.add(1)),
        };
        assert_eq!(update.await.unwrap(), 1);
    }
    let row = &all(context).await[3];
    assert_eq!((row.rank, row.best), (32, 31));
    // Some databases do one assignment after the other: they refuse what cannot be put in an order.
    let swap = players.update_where(one()).set(Player::RANK, Player::BEST).set(Player::BEST, Player::RANK).await;
    match swap {
        Ok(matched) => assert_eq!((matched, all(context).await[3].rank), (1, 31)),
        Err(error) => {
            assert_error(&error, ErrorKind::Unsupported, &[]);
            assert_eq!(all(context).await[3].rank, 32);
        }
    }
}

async fn raises_versions_and_times(context: &Context<'_>) {
    let mut rows = fill(context).await;
    let players = context.repository::<Player>();
    assert_eq!(players.update_where(()).all().set(Player::BEST, 1).await.unwrap(), 9);
    for (row, stored) in rows.iter().zip(all(context).await).take(9) {
        assert_eq!(stored, Player { best: 1, ..written(context, row) });
    }
    // Who has read a row before is told.
    let stale = players.update(&mut rows[4]).await.unwrap_err();
    assert_error(&stale, ErrorKind::StaleVersion, &[]);
    assert!(players.update_where(Player::VERSION.eq(rows[4].version)).set(Player::BEST, 2).await.unwrap() == 0);
}

async fn leaves_deleted_rows_alone(context: &Context<'_>) {
    let rows = fill(context).await;
    let players = context.repository::<Player>();
    assert_eq!(players.update_where(Player::ID.eq(9)).set(Player::RANK, 0).await.unwrap(), 0);
    assert_eq!(players.update_where(Player::ID.ge(8).or(Player::ID.lt(0))).set(Player::RANK, 0).await.unwrap(), 1);
    assert_eq!(all(context).await[9], rows[9]);
}

async fn deletes_by_filter_in_one_statement(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    items.create_multiple(&Item::many(50)).await.unwrap();
    context.log.reset();
    assert_eq!(items.delete_where(Item::AMOUNT.lt(10).or(Item::NOTE.is_null())).await.unwrap(), 23);
    context.assert_traffic(1, 1);
    assert_eq!(items.delete_where(Item::AMOUNT.lt(10)).await.unwrap(), 0);
    assert_eq!(stored::<Item>(&context.db).await, 27);
    assert_eq!(items.delete_where(()).all().await.unwrap(), 27);
}

async fn marks_by_filter_what_is_not_marked(context: &Context<'_>) {
    let rows = fill(context).await;
    let players = context.repository::<Player>();
    assert_eq!(players.delete_where(Player::ID.ge(7)).await.unwrap(), 2);
    context.assert_traffic(1, 1);
    let stored = all(context).await;
    for id in [7, 8] {
        let marked = written(context, &rows[id]);
        assert_eq!(stored[id], Player { gone: Some(marked.updated), ..marked });
    }
    assert_eq!((&stored[..7], &stored[9]), (&rows[..7], &rows[9]));
    assert_eq!(players.count(()).await.unwrap(), 7);
    assert!(players.restore(8).await.unwrap());
    // The mark can be set by hand too.
    let now = DateTime::from_timestamp_micros(context.now()).unwrap();
    assert_eq!(players.update_where(Player::ID.eq(8)).set(Player::GONE, Some(now)).await.unwrap(), 1);
    assert_eq!(players.delete_where(()).all().await.unwrap(), 7);
    assert_eq!((players.count(()).await.unwrap(), all(context).await.len()), (0, 10));
}

async fn a_write_of_every_row_has_to_be_meant(context: &Context<'_>) {
    let rows = fill(context).await;
    let players = context.repository::<Player>();
    let none: [i64; 0] = [];
    let every = || {
        [
            Filter::all().and(!!Filter::all()),
            Player::ID.eq(1).or(Filter::all()),
            Player::ID.is_not_in(&none),
            !Player::ID.is_in(&none),
            Player::ID.between(1, 2).or(Player::NAME.contains("")),
            Player::NAME.starts_with("").and(Player::ID.is_not_in(&none)),
        ]
    };
    for (filter, same) in every().into_iter().zip(every()) {
        let update = players.update_where(filter).set(Player::RANK, 0);
        for error in [update.await.unwrap_err(), players.delete_where(same).await.unwrap_err()] {
            assert_error(&error, ErrorKind::InvalidInput, &[]);
            assert!(error.to_string().contains("players") && error.to_string().contains(".all()"), "{error}");
        }
    }
    assert_error(&context.repository::<Item>().delete_where(()).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    context.assert_traffic(0, 0);
    assert_eq!(all(context).await, rows);
    // What takes no row, or one, is not meant by that.
    assert_eq!(players.delete_where(Player::ID.is_in(&none).or(Player::ID.eq(-1))).await.unwrap(), 0);
    assert_eq!(players.delete_where(Player::ID.eq(1) & Player::ID.is_not_in(&none)).await.unwrap(), 1);
}

async fn columns_that_are_not_the_callers_cannot_be_set(context: &Context<'_>) {
    let rows = fill(context).await;
    let update = || context.repository::<Player>().update_where(Player::ID.eq(1));
    let now = DateTime::from_timestamp_micros(context.now()).unwrap();
    let refused = [
        (update().set(Player::ID, 5), "Player.id"),
        (update().set(Player::VERSION, 5), "Player.version"),
        (update().set(Player::UPDATED, now), "Player.updated"),
        (update().set(Player::RANK, 5).set(Player::BEST, 6).set(Player::RANK, 7), "Player.rank"),
        (update().set(Player::NAME, Player::NAME.add("secret")), "Player.name"),
        (update(), "set"),
    ];
    for (update, named) in refused {
        let error = update.await.unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &["secret"]);
        assert!(error.to_string().contains(named) && error.to_string().contains("update players"), "{error}");
    }
    let generated = context.repository::<Item>().update_where(Item::AMOUNT.eq(1)).set(Item::ID, 5).await.unwrap_err();
    assert_error(&generated, ErrorKind::InvalidInput, &[]);
    context.assert_traffic(0, 0);
    assert_eq!(all(context).await, rows);
}

async fn an_update_counts_what_it_matched(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    items.create_multiple(&Item::many(20)).await.unwrap();
    for _ in 0..2 {
        // Nothing changes in the second one.
        assert_eq!(items.update_where(Item::AMOUNT.lt(15)).set(Item::NAME, "same").await.unwrap(), 15);
        assert_eq!(items.update_where(Item::AMOUNT.lt(5)).set(Item::AMOUNT, Item::AMOUNT).await.unwrap(), 5);
    }
}

async fn null_stays_null_in_arithmetic(context: &Context<'_>) {
    fill(context).await;
    let players = context.repository::<Player>();
    let update = players.update_where(Player::ID.between(1, 2)).set(Player::SCORE, Player::SCORE.add(3));
    assert_eq!(update.await.unwrap(), 2);
    let stored = all(context).await;
    assert_eq!((stored[1].score, stored[2].score), (None, Some(2_003)));
    let update = players.update_where(Player::ID.eq(2)).set(Player::SCORE, Player::SCORE.add(None)).await;
    assert_eq!((update.unwrap(), all(context).await[2].score), (1, None));
}

async fn a_result_out_of_range_is_an_error(context: &Context<'_>) {
    fill(context).await;
    let players = context.repository::<Player>();
    let limits = players.update_where(Player::ID.eq(6)).set(Player::RANK, i32::MAX).set(Player::BEST, i32::MIN);
    limits.set(Player::SCORE, i64::MAX).set(Player::RATIO, f64::MAX).await.unwrap();
    let rows = all(context).await;
    let update = || players.update_where(Player::ID.ge(3));
    let refused = [
        update().set(Player::RANK, Player::RANK.add(1)),
        update().set(Player::RANK, Player::RANK.mul(i32::MIN)),
        update().set(Player::BEST, Player::BEST.sub(1)),
        update().set(Player::SCORE, Player::SCORE.add(1)),
        update().set(Player::SCORE, Player::SCORE.mul(i64::MAX)),
        update().set(Player::RATIO, Player::RATIO.mul(10.0)),
        update().set(Player::RATIO, Player::RATIO.mul(-10.0)),
    ];
    for (number, update) in refused.into_iter().enumerate() {
        let error = update.await.expect_err(&format!("number {number} is out of range"));
        assert_error(&error, ErrorKind::ValueRejected, &["2147483", "92233720", "1.79"]);
        assert_eq!(all(context).await, rows, "number {number}");
    }
    let low = players.update_where(Player::ID.eq(6)).set(Player::SCORE, i64::MIN).set(Player::BEST, 0).await;
    assert_eq!(low.unwrap(), 1);
    let error = update().set(Player::SCORE, Player::SCORE.sub(1)).await.unwrap_err();
    assert_error(&error, ErrorKind::ValueRejected, &[]);
    // Up to the limit all is well.
    assert_eq!(update().set(Player::BEST, Player::BEST.add(i32::MAX - 7)).await.unwrap(), 6);
    assert_eq!(players.update_where(Player::ID.eq(6)).set(Player::RANK, Player::RANK.mul(-1)).await.unwrap(), 1);
    let stored = all(context).await;
    assert_eq!((stored[5].best, stored[6].rank, stored[6].score), (i32::MAX, -i32::MAX, Some(i64::MIN)));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "counters")]
struct Counter {
    #[arx(key)]
    id: i64,
    count: i16,
    #[arx(version)]
    version: i16,
}

async fn a_version_at_its_end_is_an_error(context: &Context<'_>) {
    context.create_table::<Counter>().await;
    let counters = context.repository::<Counter>();
    let rows: Vec<_> = (0..3).map(|id| Counter { id, count: i16::MAX - 1, version: 0 }).collect();
    counters.create_multiple(&rows).await.unwrap();
    let (table, column) = (context.backend.quote("counters"), context.backend.quote("version"));
    context.run(&format!("UPDATE {table} SET {column} = 32767 WHERE id = 1")).await;
    let all = || counters.update_where(()).all().set(Counter::COUNT, Counter::COUNT.add(1));
    assert_error(&all().await.unwrap_err(), ErrorKind::ValueRejected, &["32767"]);
    let others = || counters.update_where(Counter::ID.ne(1)).set(Counter::COUNT, Counter::COUNT.add(1));
    assert_eq!(others().await.unwrap(), 2);
    assert_error(&others().await.unwrap_err(), ErrorKind::ValueRejected, &["32767"]);
    let stored = counters.retrieve_multiple(()).order_by(Counter::ID.asc()).await.unwrap();
    let found: Vec<_> = stored.iter().map(|row| (row.count, row.version)).collect();
    assert_eq!(found, [(32_767, 2), (32_766, 32_767), (32_767, 2)]);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "accounts")]
struct Account {
    #[arx(key)]
    id: i64,
    balance: Decimal,
}

async fn decimals_are_computed_exactly_or_not_at_all(context: &Context<'_>) {
    context.create_table::<Account>().await;
    let accounts = context.repository::<Account>();
    accounts.create(&Account { id: 1, balance: Decimal::new(110, 2) }).await.unwrap();
    let one = || accounts.update_where(Account::ID.eq(1));
    match one().set(Account::BALANCE, Account::BALANCE.add(Decimal::new(220, 2))).await {
        Ok(matched) => {
            assert_eq!(matched, 1);
            one().set(Account::BALANCE, Account::BALANCE.mul(Decimal::new(-10, 0))).await.unwrap();
            assert_eq!(accounts.retrieve(1).await.unwrap().unwrap().balance, Decimal::new(-33, 0));
        }
        Err(error) => {
            assert_error(&error, ErrorKind::Unsupported, &["2.2"]);
            assert_eq!(accounts.retrieve(1).await.unwrap().unwrap().balance, Decimal::new(110, 2));
        }
    }
    assert_eq!(one().set(Account::BALANCE, Decimal::new(5, 1)).await.unwrap(), 1);
    assert_eq!(accounts.retrieve(1).await.unwrap().unwrap().balance, Decimal::new(5, 1));
}

async fn an_update_by_filter_that_fails_changes_nothing(context: &Context<'_>) {
    let check = format!("CHECK ({} < 24)", context.backend.quote("amount"));
    context.create_table_with::<Item>(&[("name", "UNIQUE")], &[&check]).await;
    let items = context.repository::<Item>();
    items.create_multiple(&Item::many(20)).await.unwrap();
    let before = items.retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap();
    let refused = items.update_where(Item::AMOUNT.ge(10)).set(Item::AMOUNT, Item::AMOUNT.add(5)).await.unwrap_err();
    assert_error(&refused, ErrorKind::CheckViolation, &[]);
    let taken = items.update_where(Item::AMOUNT.ge(10)).set(Item::NAME, "secret").await.unwrap_err();
    assert!(taken.is_unique_violation(), "{taken:?}");
    assert_error(&taken, ErrorKind::UniqueViolation, &["secret"]);
    assert_eq!(items.retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap(), before);
}

async fn a_write_by_filter_that_fails_leaves_its_transaction_usable(context: &Context<'_>) {
    fill(context).await;
    let tx = context.db.begin().await.unwrap();
    let inside = tx.repository::<Player>();
    assert_eq!(inside.update_where(Player::ID.eq(1)).set(Player::BEST, 42).await.unwrap(), 1);
    let high = inside.update_where(Player::ID.gt(1)).set(Player::RANK, Player::RANK.add(i32::MAX)).await.unwrap_err();
    assert_error(&high, ErrorKind::ValueRejected, &[]);
    assert_eq!(inside.delete_where(Player::ID.eq(2)).await.unwrap(), 1);
    tx.commit().await.unwrap();
    let stored = all(context).await;
    assert_eq!((stored[1].best, stored[2].gone.is_some(), stored[3].rank), (42, true, 30));
}

async fn writes_by_filter_take_lists_in_few_texts(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    items.create_multiple(&Item::many(100)).await.unwrap();
    context.log.reset();
    for count in 0..100_usize {
        let amounts: Vec<i32> = (0..i32::try_from(count).unwrap()).collect();
        let update = items.update_where(Item::AMOUNT.is_in(&amounts)).set(Item::NAME, format!("name {count}"));
        assert_eq!(update.await.unwrap(), count as u64);
    }
    let texts: std::collections::HashSet<_> = context.log.texts().into_iter().collect();
    assert!(texts.len() <= context.list_texts(), "{texts:#?}");
    assert!(texts.iter().all(|text| !text.contains("name 7")), "{texts:#?}");
    let keep: Vec<i32> = (5..5_000).collect();
    assert_eq!(items.delete_where(Item::AMOUNT.is_not_in(&keep)).await.unwrap(), 5);
    assert_eq!(items.delete_where(Item::AMOUNT.is_in(&keep)).await.unwrap(), 95);
}
