//! Rows that somebody else has changed, and rows that nobody has.

use super::stored;
use crate::Entity;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::error::{RowFault, RowReason};

cases! {
    case_124_a_stale_row_rolls_the_batch_back: [2, 8] [];
    case_126_every_stale_row_is_named: [8] [];
    case_127_a_row_updated_to_what_it_is_was_matched: [7] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "blogs")]
struct Blog {
    #[arx(key)]
    id: i32,
    name: String,
    #[arx(version)]
    token: i64,
}

/// Ten blogs, and the same after the second writer has updated those at `places`.
async fn create_blogs(context: &Context<'_>, places: &[usize]) -> (Vec<Blog>, Vec<Blog>) {
    context.create_table::<Blog>().await;
    let blogs = context.repository::<Blog>();
    let mut rows: Vec<_> = (1..=10).map(|id| Blog { id, name: format!("blog {id}"), token: 0 }).collect();
    blogs.create_multiple(&mut rows).await.unwrap();
    let mut now = rows.clone();
    for &place in places {
        now[place].name = "theirs".to_owned();
        blogs.update(&mut now[place]).await.unwrap();
    }
    (rows, now)
}

async fn all(context: &Context<'_>) -> Vec<Blog> {
    context.repository::<Blog>().retrieve_multiple(()).order_by(Blog::ID.asc()).await.unwrap()
}

// EntityFramework-Extensions 53: a bulk save wrote over a row that had been changed since it was read.
async fn case_124_a_stale_row_rolls_the_batch_back(context: &Context<'_>) {
    let (mut mine, now) = create_blogs(context, &[9]).await;
    let blogs = context.repository::<Blog>();
    mine.iter_mut().for_each(|row| row.name = "mine".to_owned());
    let before = mine.clone();
    let error = blogs.update_multiple(&mut mine).await.unwrap_err();
    assert!(error.is_stale_version());
    assert_eq!(mine, before);
    assert_eq!(all(context).await, now);
    assert!(blogs.update(&mine[9]).await.unwrap_err().is_stale_version());
    assert!(blogs.delete_entity(&mine[9]).await.unwrap_err().is_stale_version());
    assert_eq!(all(context).await, now);
    // Inside a caller's transaction the batch alone is undone.
    let tx = context.db.begin().await.unwrap();
    let mut first = mine.remove(0);
    tx.repository::<Blog>().update(&mut first).await.unwrap();
    assert!(tx.repository::<Blog>().update_multiple(&mine).await.unwrap_err().is_stale_version());
    assert_eq!(tx.repository::<Blog>().update_multiple(&mut mine[..3]).await.unwrap().matched, 3);
    tx.commit().await.unwrap();
    let expected: Vec<_> = [vec![first], mine[..3].to_vec(), now[4..].to_vec()].concat();
    assert_eq!(all(context).await, expected);
}

// efcore 1002: of a batch with two stale rows, the first was reported, or none by name.
async fn case_126_every_stale_row_is_named(context: &Context<'_>) {
    let (mine, now) = create_blogs(context, &[3, 4, 4]).await;
    let blogs = context.repository::<Blog>();
    let stale = |found| RowReason::Stale { expected: 1, found };
    let error = blogs.update_multiple(&mine).await.unwrap_err();
    assert!(error.is_stale_version());
    let rows: Vec<_> = error.rows().iter().map(|row| (row.index(), row.reason(), row.key())).collect();
    assert_eq!(rows, [(3, stale(2), "4"), (4, stale(3), "5")]);
    assert!(error.to_string().contains("row 3 has version 2, not 1, row 4 has version 3, not 1"), "{error}");
    // The places are those of the input, not those in which the rows are sent; missing rows are named beside.
    let mut turned: Vec<_> = mine.iter().rev().cloned().collect();
    turned.insert(1, Blog { id: 77, name: String::new(), token: 1 });
    let error = blogs.update_multiple(&turned).await.unwrap_err();
    assert!(error.is_stale_version());
    let rows: Vec<_> = error.rows().iter().map(|row| (row.index(), row.reason())).collect();
    assert_eq!(rows, [(1, RowReason::Missing), (6, stale(3)), (7, stale(2))]);
    let error = blogs.update_multiple(&[turned[1].clone(), turned[0].clone()]).await.unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.rows().iter().map(RowFault::index).collect::<Vec<_>>(), [0]);
    let error = blogs.update(&mine[4]).await.unwrap_err();
    assert_eq!(error.rows()[0].reason(), stale(3));
    assert_eq!(all(context).await, now);
}

// Pomelo.EntityFrameworkCore.MySql 93: an update to the same values changed no row, which was taken for a conflict.
async fn case_127_a_row_updated_to_what_it_is_was_matched(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut rows = Item::many(5);
    let keys = items.create_multiple(&mut rows).await.unwrap();
    for _ in 0..2 {
        items.update(&rows[2]).await.unwrap();
        assert_eq!(items.update_multiple(&rows).await.unwrap().matched, 5);
        assert_eq!(items.update_multiple(&rows).require_all().await.unwrap().matched, 5);
        assert_eq!(items.update_multiple(&rows[..1]).columns(Item::NOTE).await.unwrap().matched, 1);
    }
    assert_eq!(stored::<Item>(context, &keys).await, rows);
    items.delete(keys[4]).await.unwrap();
    assert_eq!(items.update_multiple(&rows).await.unwrap().matched, 4);
    assert!(items.update(&rows[4]).await.unwrap_err().is_not_found());
    assert_eq!(items.update_multiple(&rows).require_all().await.unwrap_err().rows()[0].index(), 4);
    let (mut blogs, _) = create_blogs(context, &[]).await;
    for version in 2..4 {
        assert_eq!(context.repository::<Blog>().update_multiple(&mut blogs).await.unwrap().matched, 10);
        assert!(blogs.iter().all(|row| row.token == version));
    }
    assert_eq!(all(context).await, blogs);
}
