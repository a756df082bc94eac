//! `keyset`: pages that begin after the last row of another, and the cursors between them.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::support::assert_error;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::query::Order;
use crate::repository::{Cursor, KeysetPage, Retrieve};
use crate::{Entity, ErrorKind};

cases! {
    pages_by_key_reach_every_row_once: [1, 3] [];
    pages_by_key_go_by_keys_of_several_columns: [1] [];
    pages_by_key_go_by_values_of_any_kind: [6] [];
    pages_by_key_stay_where_they_are_when_rows_come_and_go: [3] [];
    pages_by_key_have_two_texts: [4, 12] [];
    a_page_by_key_in_a_transaction_has_what_it_has_written: [2] [];
    an_order_that_would_lose_rows_is_refused: [5, 13] [];
    a_cursor_of_another_query_is_refused: [13] [];
    a_cursor_survives_as_text_and_shows_no_value: [12, 13] [];
    a_text_that_is_no_cursor_is_refused: [12, 13] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "players")]
struct Player {
    #[arx(key)]
    id: i64,
    team: String,
    score: i32,
    #[arx(soft_delete)]
    gone: bool,
    note: Option<String>,
}

async fn fill(context: &Context<'_>, count: i64) -> Vec<Player> {
    context.create_table::<Player>().await;
    let player = |id: i64| Player {
        id,
        team: ["a", "a'b", "b", ""][usize::try_from(id % 4).unwrap()].to_owned(),
        score: i32::try_from((id * 13) % 7).unwrap(),
        gone: id % 11 == 10,
        note: None,
    };
    let mut rows: Vec<_> = (0..count).map(player).collect();
    fastrand::Rng::with_seed(3).shuffle(&mut rows);
    context.repository::<Player>().create_multiple(&rows).await.unwrap();
    context.log.reset();
    rows.sort_by_key(|row| row.id);
    rows
}

/// Reads every page; each cursor goes through its text.
async fn walk<'a, E: Entity>(read: impl Fn() -> Retrieve<'a, E>, size: u64) -> Vec<E> {
    let (mut found, mut after): (Vec<E>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let KeysetPage { items, next, .. } = read().keyset(size).after(after).await.unwrap();
        assert_eq!(next.is_some(), items.len() as u64 == size);
        found.extend(items);
        match next {
            Some(next) => after = Some(Cursor::from_text(&next.to_text()).unwrap()),
            None => return found,
        }
    }
}

async fn pages_by_key_reach_every_row_once(context: &Context<'_>) {
    fill(context, 300).await;
    let players = context.repository::<Player>();
    let orders: [fn() -> (Order<Player>, Order<Player>); 5] = [
        || (Player::TEAM.asc(), Player::SCORE.asc()),
        || (Player::TEAM.desc(), Player::SCORE.asc()),
        || (Player::SCORE.asc(), Player::ID.desc()),
        || (Player::SCORE.desc(), Player::SCORE.asc()),
        || (Player::ID.desc(), Player::TEAM.asc()),
    ];
    for (number, order) in orders.into_iter().enumerate() {
        let read = || players.retrieve_multiple(Player::ID.ge(20)).order_by(order());
        let all = players.retrieve_multiple(Player::ID.ge(20)).order_by(order()).order_by(Player::ID.asc());
        let expected = all.await.unwrap();
        for size in [1, 7, 51, 1_000] {
            context.log.reset();
            let found = walk(read, size).await;
            assert_eq!(found, expected, "order {number}, size {size}");
            let pages = expected.len() / usize::try_from(size).unwrap() + 1;
            context.assert_traffic(pages, pages);
        }
    }
    assert_eq!(walk(|| players.retrieve_multiple(()), 9).await.len(), 273);
    assert_eq!(walk(|| players.retrieve_multiple(()).with_deleted(), 9).await.len(), 300);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "squares")]
struct Square {
    color: i32,
    #[arx(key)]
    column: i32,
    #[arx(key)]
    row: String,
}

async fn pages_by_key_go_by_keys_of_several_columns(context: &Context<'_>) {
    context.create_table::<Square>().await;
    let squares = context.repository::<Square>();
    let square = |n: i32| Square { color: n % 2, column: n / 10, row: format!("row {}", n % 10) };
    let mut rows: Vec<_> = (0..100).map(square).collect();
    squares.create_multiple(&rows).await.unwrap();
    assert_eq!(walk(|| squares.retrieve_multiple(()), 7).await, rows);
    let by_row = || squares.retrieve_multiple(()).order_by(Square::ROW.desc());
    rows.sort_by_key(|square| (std::cmp::Reverse(square.row.clone()), square.column));
    assert_eq!(walk(by_row, 7).await, rows);
    let by_color = || squares.retrieve_multiple(()).order_by(Square::COLOR.desc());
    rows.sort_by_key(|square| (-square.color, square.column, square.row.clone()));
    assert_eq!(walk(by_color, 7).await, rows);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "specimens")]
struct Specimen {
    #[arx(key)]
    token: Uuid,
    flag: bool,
    small: i16,
    price: Decimal,
    ratio: f64,
    part: f32,
    day: NaiveDate,
    at: DateTime<Utc>,
    data: Vec<u8>,
    text: String,
}

async fn pages_by_key_go_by_values_of_any_kind(context: &Context<'_>) {
    context.create_table::<Specimen>().await;
    let specimens = context.repository::<Specimen>();
    let specimen = |n: i16| Specimen {
        token: Uuid::from_u128(u128::from(n.unsigned_abs()) << 100 | 7),
        flag: n % 2 == 0,
        small: -n,
        price: Decimal::new(i64::from(n) * 105 - 1_000, 2),
        ratio: f64::from(n) / 7.0,
        part: f32::from(n / 2) / 3.0,
        day: NaiveDate::from_epoch_days(i32::from(n) * 100).unwrap(),
        at: DateTime::from_timestamp_micros(i64::from(n) * 86_400_000_001).unwrap(),
        data: vec![0, n.to_le_bytes()[0], 255],
        text: format!("'{}\" \\ ü😀", n % 5),
    };
    specimens.create_multiple(&(0..40).map(specimen).collect::<Vec<_>>()).await.unwrap();
    let orders: [fn() -> Order<Specimen>; 10] = [
        || Specimen::TOKEN.asc(),
        || Specimen::FLAG.desc(),
        || Specimen::SMALL.asc(),
        || Specimen::PRICE.desc(),
        || Specimen::RATIO.asc(),
        || Specimen::PART.desc(),
        || Specimen::DAY.desc(),
        || Specimen::AT.asc(),
        || Specimen::DATA.desc(),
        || Specimen::TEXT.asc(),
    ];
    for (number, order) in orders.into_iter().enumerate() {
        let read = || specimens.retrieve_multiple(()).order_by(order());
        let expected = specimens.retrieve_multiple(()).order_by(order()).order_by(Specimen::TOKEN.asc()).await.unwrap();
        assert_eq!(walk(read, 3).await, expected, "order {number}");
    }
}

async fn pages_by_key_stay_where_they_are_when_rows_come_and_go(context: &Context<'_>) {
    let rows = fill(context, 20).await;
    let players = context.repository::<Player>();
    let read = || players.retrieve_multiple(()).with_deleted().keyset(5);
    let first = read().await.unwrap();
    assert_eq!(first.items, rows[..5]);
    // The row at the cursor goes too.
    let gone: Vec<i64> = (0..7).collect();
    context.run(&format!("DELETE FROM {} WHERE id < 7", context.backend.quote("players"))).await;
    players.create(&Player { id: 1, ..rows[0].clone() }).await.unwrap();
    players.create(&Player { id: 6, ..rows[0].clone() }).await.unwrap();
    let second = read().after(first.next).await.unwrap();
    let ids: Vec<_> = second.items.iter().map(|row| row.id).collect();
    assert_eq!(ids, [gone[6], 7, 8, 9, 10]);
}

async fn pages_by_key_have_two_texts(context: &Context<'_>) {
    fill(context, 100).await;
    let players = context.repository::<Player>();
    walk(|| players.retrieve_multiple(Player::ID.ge(3)).order_by(Player::TEAM.asc()), 9).await;
    let texts: std::collections::HashSet<_> = context.log.texts().into_iter().collect();
    assert_eq!(texts.len(), 2, "{texts:#?}");
    assert!(texts.iter().all(|text| !text.contains("a'b")), "{texts:#?}");
}

async fn a_page_by_key_in_a_transaction_has_what_it_has_written(context: &Context<'_>) {
    let rows = fill(context, 12).await;
    let tx = context.db.begin().await.unwrap();
    let inside = tx.repository::<Player>();
    let first = inside.retrieve_multiple(()).keyset(5).await.unwrap();
    inside.create(&Player { id: 100, ..rows[0].clone() }).await.unwrap();
    let second = inside.retrieve_multiple(()).keyset(50).after(first.next).await.unwrap();
    assert_eq!(second.items.last().map(|row| row.id), Some(100));
    assert!(second.next.is_none());
    tx.commit().await.unwrap();
}

async fn an_order_that_would_lose_rows_is_refused(context: &Context<'_>) {
    fill(context, 12).await;
    let players = context.repository::<Player>();
    let nullable = players.retrieve_multiple(()).order_by((Player::TEAM.asc(), Player::NOTE.asc())).keyset(5);
    let error = nullable.await.unwrap_err();
    assert_error(&error, ErrorKind::InvalidInput, &[]);
    assert!(error.to_string().contains("Player.note"), "{error}");
    let placed = players.retrieve_multiple(()).order_by(Player::NOTE.desc().nulls_last()).keyset(5);
    assert_error(&placed.await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_error(&players.retrieve_multiple(()).keyset(0).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_error(&players.retrieve_multiple(()).keyset(u64::MAX).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_error(&players.retrieve_multiple(()).offset(1).keyset(5).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    context.assert_traffic(0, 0);
}

async fn a_cursor_of_another_query_is_refused(context: &Context<'_>) {
    fill(context, 50).await;
    context.create_table::<Item>().await;
    let players = context.repository::<Player>();
    let ids = [1_i64, 2, 3, 4];
    let read = || players.retrieve_multiple(Player::TEAM.eq("a")).order_by(Player::SCORE.asc());
    let cursor = read().keyset(2).await.unwrap().next.unwrap();
    context.log.reset();
    let others = [
        players.retrieve_multiple(Player::TEAM.eq("b")).order_by(Player::SCORE.asc()),
        players.retrieve_multiple(Player::TEAM.ne("a")).order_by(Player::SCORE.asc()),
        players.retrieve_multiple(Player::TEAM.eq("a")).order_by(Player::SCORE.desc()),
        players.retrieve_multiple(Player::TEAM.eq("a")).order_by((Player::SCORE.asc(), Player::TEAM.asc())),
        players.retrieve_multiple(Player::TEAM.eq("a")),
        players.retrieve_multiple(Player::TEAM.eq("a").and(Player::ID.is_in(&ids))).order_by(Player::SCORE.asc()),
        players.retrieve_multiple(()).order_by(Player::SCORE.asc()),
        read().with_deleted(),
    ];
    for other in others {
        let error = other.keyset(2).after(cursor.clone()).await.unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &[]);
    }
    let items = context.repository::<Item>().retrieve_multiple(Item::NAME.eq("a")).order_by(Item::AMOUNT.asc());
    assert_error(&items.keyset(2).after(cursor.clone()).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    context.assert_traffic(0, 0);
    let in_list = |ids| players.retrieve_multiple(Player::ID.is_in(ids)).keyset(2);
    let of_list = in_list(&ids[..]).await.unwrap().next.unwrap();
    assert_error(&in_list(&ids[..3]).after(of_list.clone()).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    assert_eq!(in_list(&ids[..]).after(of_list).await.unwrap().items.len(), 2);
    // The size may change from page to page.
    assert_eq!(read().keyset(3).after(cursor).await.unwrap().items.len(), 3);
}

async fn a_cursor_survives_as_text_and_shows_no_value(context: &Context<'_>) {
    fill(context, 20).await;
    let players = context.repository::<Player>();
    let read = || players.retrieve_multiple(()).order_by(Player::TEAM.desc());
    let page = read().keyset(3).await.unwrap();
    assert!(!format!("{page:?}").contains("place"), "{page:?}");
    let cursor = page.next.unwrap();
    assert_eq!(format!("{cursor:?}"), "Cursor");
    let text = cursor.to_text();
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{text}");
    let back = Cursor::from_text(&text).unwrap();
    assert_eq!(back, cursor);
    let (left, right) = (read().keyset(3).after(back).await.unwrap(), read().keyset(3).after(cursor).await.unwrap());
    assert_eq!(left, right);
}

async fn a_text_that_is_no_cursor_is_refused(context: &Context<'_>) {
    fill(context, 20).await;
    let players = context.repository::<Player>();
    let read = || players.retrieve_multiple(()).order_by((Player::TEAM.desc(), Player::SCORE.asc())).keyset(3);
    let text = read().await.unwrap().next.unwrap().to_text();
    context.log.reset();
    for text in ["", "0", "00", "zz", "Customer", "' OR 1 = 1 --", "😀😀", &text.to_uppercase(), &text[1..]] {
        assert_error(&Cursor::from_text(text).unwrap_err(), ErrorKind::InvalidInput, &["OR 1", "zz"]);
    }
    // What is cut off, added or changed in length is noticed before anything is sent.
    for damaged in [&text[..text.len() - 2], &text[..16], &format!("{text}00"), &format!("{}ffffffff", &text[..16])] {
        let cursor = Cursor::from_text(damaged).unwrap();
        assert_error(&read().after(cursor).await.unwrap_err(), ErrorKind::InvalidInput, &[]);
    }
    context.assert_traffic(0, 0);
    // Any other place is one in the same rows; bytes that are no text are refused.
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let mut bytes = text.clone().into_bytes();
        let place = random.usize(16..bytes.len());
        bytes[place] = b"0123456789abcdef"[random.usize(0..16)];
        let cursor = Cursor::from_text(&String::from_utf8(bytes).unwrap()).unwrap();
        if let Err(error) = read().after(cursor).await {
            assert!(matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Encode), "{error:?}");
        }
    }
    context.assert_usable().await;
}
