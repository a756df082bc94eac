//! `page`: the rows of a page and the total in one round trip.

use rust_decimal::Decimal;

use super::support::assert_error;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{Entity, ErrorKind, Record};

cases! {
    a_page_comes_with_the_total_in_one_round_trip: [3] [];
    a_page_past_the_end_is_empty_and_has_the_total: [3] [];
    a_page_without_a_number_or_a_size_is_refused: [13] [];
    pages_do_not_overlap_where_the_order_says_nothing: [1, 3] [];
    pages_sort_as_reads_do: [5, 6] [];
    pages_have_the_columns_of_a_projection: [6, 12] [];
    pages_leave_out_what_the_filter_and_deletion_leave_out: [3] [];
    pages_pass_over_no_deleted_row_unless_asked: [3] [];
    pages_have_one_text_whatever_their_number: [4, 12] [];
    a_page_in_a_transaction_has_what_it_has_written: [2] [];
    pages_of_a_table_with_any_column_names: [12] [];
}

const MANY: i32 = 25;

async fn items(context: &Context<'_>, count: i32) -> Vec<Item> {
    context.create_table::<Item>().await;
    let mut rows = Item::many(count);
    context.repository::<Item>().create_multiple(&mut rows).await.unwrap();
    context.log.reset();
    rows
}

async fn a_page_comes_with_the_total_in_one_round_trip(context: &Context<'_>) {
    let rows = items(context, MANY).await;
    let repository = context.repository::<Item>();
    for (number, expected) in (1..).zip(rows.chunks(10)) {
        let page = repository.retrieve_multiple(()).order_by(Item::AMOUNT.asc()).page(number, 10).await.unwrap();
        context.assert_traffic(1, 1);
        assert_eq!(page.items, expected);
        assert_eq!((page.number, page.size, page.total, page.pages()), (number, 10, 25, 3));
    }
    let page = repository.retrieve_multiple(()).order_by(Item::AMOUNT.desc()).page(1, 1_000).await.unwrap();
    context.assert_traffic(1, 1);
    assert!(page.items.iter().eq(rows.iter().rev()));
    assert_eq!((page.total, page.pages()), (25, 1));
}

async fn a_page_past_the_end_is_empty_and_has_the_total(context: &Context<'_>) {
    items(context, MANY).await;
    let repository = context.repository::<Item>();
    for number in [4, 5, 1_000_000_000] {
        let page = repository.retrieve_multiple(()).page(number, 10).await.unwrap();
        context.assert_traffic(1, 1);
        assert_eq!((page.items.len(), page.total, page.pages()), (0, 25, 3));
    }
    // The last page may be full: then the next one is past the end.
    assert_eq!(repository.retrieve_multiple(()).page(5, 5).await.unwrap().items.len(), 5);
    assert_eq!(repository.retrieve_multiple(()).page(6, 5).await.unwrap().items.len(), 0);
    let none = repository.retrieve_multiple(Item::AMOUNT.lt(0)).page(1, 10).await.unwrap();
    assert_eq!((none.items.len(), none.total, none.pages()), (0, 0, 0));
}

async fn a_page_without_a_number_or_a_size_is_refused(context: &Context<'_>) {
    items(context, MANY).await;
    let repository = context.repository::<Item>();
    for (number, size) in [(0, 10), (1, 0), (0, 0), (3, u64::MAX), (u64::MAX, u64::MAX), (2, 1 << 63), (1, u64::MAX)] {
        let error = repository.retrieve_multiple(()).page(number, size).await.unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &[]);
        assert!(error.to_string().contains("items"), "{error}");
    }
    let limited = repository.retrieve_multiple(()).limit(3).page(1, 10).await.unwrap_err();
    assert_error(&limited, ErrorKind::InvalidInput, &[]);
    let offset = repository.retrieve_multiple(()).offset(3).page(1, 10).await.unwrap_err();
    assert_error(&offset, ErrorKind::InvalidInput, &[]);
    context.assert_traffic(0, 0);
}

async fn pages_do_not_overlap_where_the_order_says_nothing(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let mut rows: Vec<_> = (0..200).map(|number| Item { amount: number % 2, ..Item::new(number) }).collect();
    fastrand::Rng::with_seed(11).shuffle(&mut rows);
    let repository = context.repository::<Item>();
    repository.create_multiple(&mut rows).await.unwrap();
    for ordered in [false, true] {
        let mut found = Vec::new();
        for number in 1..=29 {
            let read = repository.retrieve_multiple(());
            let read = if ordered { read.order_by((Item::AMOUNT.desc(), Item::AMOUNT.asc())) } else { read };
            found.extend(read.page(number, 7).await.unwrap().items);
        }
        rows.sort_by_key(|row| (ordered.then_some(-row.amount), row.id));
        assert_eq!(found, rows, "ordered: {ordered}");
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "offers")]
struct Offer {
    #[arx(key)]
    id: i64,
    price: Decimal,
    rank: Option<i32>,
}

async fn pages_sort_as_reads_do(context: &Context<'_>) {
    context.create_table::<Offer>().await;
    let offers = context.repository::<Offer>();
    let offer = |id: i64| Offer {
        id,
        // 9.5, 10.25, 100 and others that do not sort as texts.
        price: Decimal::new((id * 7_919) % 20_000, 2),
        rank: (id % 3 != 0).then_some(i32::try_from(id % 5).unwrap()),
    };
    offers.create_multiple(&(0..60).map(offer).collect::<Vec<_>>()).await.unwrap();
    let orders = || {
        [
            (Offer::PRICE.asc(), Offer::ID.asc()),
            (Offer::PRICE.desc(), Offer::ID.desc()),
            (Offer::RANK.asc().nulls_first(), Offer::PRICE.desc()),
            (Offer::RANK.desc().nulls_last(), Offer::PRICE.asc()),
            (Offer::RANK.desc().nulls_first(), Offer::ID.asc()),
            (Offer::RANK.asc().nulls_last(), Offer::ID.desc()),
            (Offer::RANK.asc(), Offer::ID.desc()),
        ]
    };
    for (number, (order, same)) in orders().into_iter().zip(orders()).enumerate() {
        let all = offers.retrieve_multiple(()).order_by(order).await.unwrap();
        let page = offers.retrieve_multiple(()).order_by(same).page(2, 17).await.unwrap();
        assert_eq!(page.items, all[17..34], "order {number}");
    }
}

#[derive(Record, Clone, Debug, PartialEq)]
struct Named {
    name: String,
    id: i64,
}

async fn pages_have_the_columns_of_a_projection(context: &Context<'_>) {
    let rows = items(context, MANY).await;
    let repository = context.repository::<Item>();
    let read = || repository.retrieve_multiple(()).select::<Named>().order_by(Item::AMOUNT.desc());
    let page = read().page(2, 10).await.unwrap();
    context.assert_traffic(1, 1);
    let named = |row: &Item| Named { name: row.name.clone(), id: row.id };
    let expected: Vec<_> = rows.iter().rev().skip(10).take(10).map(named).collect();
    assert_eq!((page.items, page.total), (expected, 25));
    assert_eq!(read().page(4, 10).await.unwrap().items, []);
}

async fn pages_leave_out_what_the_filter_and_deletion_leave_out(context: &Context<'_>) {
    let rows = items(context, 60).await;
    let repository = context.repository::<Item>();
    // Lists of every length: the filter stands twice in the text.
    for count in [0, 1, 2, 3, 7, 60] {
        let amounts: Vec<i32> = (0..count).collect();
        let names: Vec<String> = (0..60).map(|number| format!("item {number}")).collect();
        let filter = Item::AMOUNT.is_in(&amounts).and(Item::NAME.is_in(&names)).and(Item::AMOUNT.ne(4));
        let page = repository.retrieve_multiple(filter).order_by(Item::ID.asc()).page(1, 5).await.unwrap();
        context.assert_traffic(1, 1);
        let expected: Vec<_> = rows.iter().filter(|row| row.amount < count && row.amount != 4).collect();
        assert_eq!(page.total, expected.len() as u64);
        assert!(page.items.iter().eq(expected.into_iter().take(5)), "{count} elements");
    }
    let either = Item::NOTE.is_null().or(Item::NAME.starts_with("item 1"));
    let page = repository.retrieve_multiple(either).page(2, 8).await.unwrap();
    let expected: Vec<_> =
        rows.iter().filter(|row| row.note.is_none() || row.name.starts_with("item 1")).cloned().collect();
    assert_eq!((page.items.as_slice(), page.total), (&expected[8..16], expected.len() as u64));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "tasks")]
struct Task {
    #[arx(key)]
    id: i64,
    #[arx(soft_delete)]
    done: bool,
}

async fn pages_pass_over_no_deleted_row_unless_asked(context: &Context<'_>) {
    context.create_table::<Task>().await;
    let tasks = context.repository::<Task>();
    tasks.create_multiple(&(0..30).map(|id| Task { id, done: id % 3 == 0 }).collect::<Vec<_>>()).await.unwrap();
    let page = tasks.retrieve_multiple(Task::ID.ge(3)).page(1, 4).await.unwrap();
    assert_eq!((page.total, page.items.iter().map(|task| task.id).collect()), (18, vec![4, 5, 7, 8]));
    let page = tasks.retrieve_multiple(Task::ID.ge(3)).with_deleted().page(1, 4).await.unwrap();
    assert_eq!((page.total, page.items.iter().map(|task| task.id).collect()), (27, vec![3, 4, 5, 6]));
}

async fn pages_have_one_text_whatever_their_number(context: &Context<'_>) {
    items(context, MANY).await;
    let repository = context.repository::<Item>();
    for number in 1..20 {
        let filter = Item::NAME.ne(format!("item {number}; --"));
        repository.retrieve_multiple(filter).order_by(Item::NAME.asc()).page(number, number).await.unwrap();
    }
    let texts = context.log.texts();
    assert!(texts.iter().all(|text| *text == texts[0] && !text.contains("; --")), "{texts:#?}");
    context.assert_traffic(19, 19);
}

async fn a_page_in_a_transaction_has_what_it_has_written(context: &Context<'_>) {
    items(context, MANY).await;
    let tx = context.db.begin().await.unwrap();
    let inside = tx.repository::<Item>();
    inside.create_multiple(&Item::many(5)).without_keys().await.unwrap();
    context.log.reset();
    let page = inside.retrieve_multiple(()).order_by(Item::ID.desc()).page(1, 10).await.unwrap();
    context.assert_traffic(1, 1);
    assert_eq!((page.total, page.items.len()), (30, 10));
    tx.rollback().await.unwrap();
    assert_eq!(context.repository::<Item>().retrieve_multiple(()).page(1, 1).await.unwrap().total, 25);
}

/// Names that a page's own words could be mistaken for.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "p")]
struct Odd {
    #[arx(key)]
    n: i64,
    c: String,
    p: i64,
    #[arx(column = "ARX_ROW")]
    row: bool,
    arx_row_: i64,
}

async fn pages_of_a_table_with_any_column_names(context: &Context<'_>) {
    context.create_table::<Odd>().await;
    let odds = context.repository::<Odd>();
    let rows: Vec<_> = (0..9).map(|n| Odd { n, c: format!("c{n}"), p: -n, row: n % 2 == 0, arx_row_: n * n }).collect();
    odds.create_multiple(&rows).await.unwrap();
    let page = odds.retrieve_multiple(Odd::ROW.eq(true)).order_by((Odd::P.asc(), Odd::C.desc())).page(1, 3).await;
    let expected: Vec<_> = rows.iter().rev().filter(|odd| odd.row).take(3).cloned().collect();
    let page = page.unwrap();
    assert_eq!((page.items, page.total), (expected, 5));
}
