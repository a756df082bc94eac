//! Keys that the database makes, and the rows that they belong to.

use uuid::Uuid;

use super::stored;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::{Document, Item};
use crate::{Entity, Field};

cases! {
    case_022_small_and_large_batches_match_alike: [1] [];
    case_026_updated_rows_keep_their_places: [1] [];
    case_028_ten_thousand_returned_rows_find_their_input: [1, 3] [];
    case_030_uuids_made_by_the_client: [1] [];
    case_030_texts_that_differ_in_case_only: [1] [];
    case_032_three_rows_get_three_keys: [1] [];
    case_034_two_sessions_insert_at_once: [1] [];
    case_036_the_first_key_is_not_taken_for_the_last: [1] [];
    case_038_given_keys_and_then_a_plain_insert: [1, 13] [];
    case_169_rows_are_matched_by_composite_keys: [1] [];
    case_169_keys_that_do_not_ascend: [1] [DefaultKeys];
}

// EFCore.BulkExtensions 286: up to 100 rows the returned keys belonged to other rows; above, they were right.
async fn case_022_small_and_large_batches_match_alike(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    for count in [2, 3, 99, 100, 101, 1_000] {
        let mut rows: Vec<_> = Item::many(count).into_iter().rev().collect();
        let keys = items.create_multiple(&rows).await.unwrap();
        rows.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
        assert_eq!(stored::<Item>(context, &keys).await, rows);
    }
    assert_eq!(items.count(()).await.unwrap(), 1_305);
}

// EFCore.BulkExtensions 299: a list that was updated in the order 1, 25, 45, 36 came back in another.
async fn case_026_updated_rows_keep_their_places(context: &Context<'_>) {
    context.create_table::<Document>().await;
    let documents = context.repository::<Document>();
    let mut all: Vec<_> = (0..50).map(|number| Document::new(format!("title {number}"))).collect();
    let keys = documents.create_multiple(&mut all).await.unwrap();
    let mut picked: Vec<_> = [1, 25, 45, 36, 2].iter().map(|&place| all[place].clone()).collect();
    picked.iter_mut().zip(["a", "b", "c", "d", "e"]).for_each(|(row, title)| row.title = title.to_owned());
    context.advance(1_000);
    assert_eq!(documents.update_multiple(&mut picked).await.unwrap().matched, 5);
    let ids: Vec<_> = [1, 25, 45, 36, 2].iter().map(|&place| keys[place]).collect();
    assert_eq!(picked.iter().map(|row| row.id).collect::<Vec<_>>(), ids);
    assert!(picked.iter().map(|row| row.title.as_str()).eq(["a", "b", "c", "d", "e"]));
    assert!(picked.iter().all(|row| row.version == 2 && row.updated.timestamp_micros() == context.now()));
    assert_eq!(stored::<Document>(context, &ids).await, picked);
}

// sqlalchemy 9618: the order of RETURNING is not promised anywhere, so rows that came back were given to the
// wrong objects in batches of 10,000.
async fn case_028_ten_thousand_returned_rows_find_their_input(context: &Context<'_>) {
    context.create_table_with::<Document>(&[("rank", "DEFAULT 5")], &[]).await;
    let documents = context.repository::<Document>();
    let title = |number: u32| format!("title {}", number.wrapping_mul(2_654_435_761) % 1_000_003);
    let mut rows: Vec<_> = (0..10_000).map(|number| Document::new(title(number))).collect();
    for (row, rank) in rows.iter_mut().zip(0..).filter(|(_, rank)| rank % 7 == 0) {
        row.rank = Field::Set(Some(rank));
    }
    let returned = documents.create_multiple(&rows).returning().await.unwrap();
    assert_eq!(returned.len(), 10_000);
    for (row, found) in rows.iter().zip(&returned) {
        assert_eq!((&found.title, found.version), (&row.title, 1));
        assert_eq!(found.rank.into_option(), Some(row.rank.into_option().unwrap_or(Some(5))));
    }
    let keys: Vec<_> = returned.iter().map(|row| row.id).collect();
    assert_eq!(stored::<Document>(context, &keys).await, returned);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "tokens")]
struct Token {
    #[arx(key, generate = "Uuid::new_v4")]
    id: Uuid,
    x: i32,
    y: Field<i32>,
}

// sqlalchemy 11160: uuids that the client had made came back in another spelling and matched no row.
async fn case_030_uuids_made_by_the_client(context: &Context<'_>) {
    context.create_table_with::<Token>(&[("y", "DEFAULT 9")], &[]).await;
    let tokens = context.repository::<Token>();
    let rows: Vec<_> = (0..500).map(|x| Token { id: Uuid::nil(), x, y: Field::Default }).collect();
    let keys = tokens.create_multiple(&rows).await.unwrap();
    let returned = tokens.create_multiple(&rows).returning().await.unwrap();
    let mut mutable = rows.clone();
    let written = tokens.create_multiple(&mut mutable).await.unwrap();
    assert_eq!(mutable.iter().map(|row| row.id).collect::<Vec<_>>(), written);
    for keys in [keys, returned.iter().map(|row| row.id).collect(), written] {
        let found = stored::<Token>(context, &keys).await;
        assert!(found.iter().map(|row| (row.id, row.x, row.y)).eq(keys.iter().zip(0..).map(|(&id, x)| (
            id,
            x,
            Field::Set(9)
        ))));
    }
    assert!(returned.iter().map(|row| row.x).eq(0..500));
    assert!(mutable.iter().all(|row| row.y == Field::Set(9)));
    assert_eq!(tokens.count(()).await.unwrap(), 1_500);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "codes")]
struct Code {
    #[arx(key)]
    code: String,
    x: i32,
    y: Field<i32>,
}

// sqlalchemy 11160, the other half: keys as text, some of which are others' in upper case.
async fn case_030_texts_that_differ_in_case_only(context: &Context<'_>) {
    context.create_table_with::<Code>(&[("y", "DEFAULT 9")], &[]).await;
    let codes = context.repository::<Code>();
    let text = |x: i32| if x % 2 == 0 { format!("{:X}", 1_000 - x) } else { format!("{:x}", 1_001 - x) };
    let mut rows: Vec<_> = (0..200).map(|x| Code { code: text(x), x, y: Field::Default }).collect();
    rows.retain(|row| row.x % 2 == 0 || row.code.chars().any(char::is_alphabetic));
    let returned = codes.create_multiple(&rows[..50]).returning().await.unwrap();
    assert!(returned.iter().map(|row| (&row.code, row.x)).eq(rows[..50].iter().map(|row| (&row.code, row.x))));
    let sent: Vec<_> = rows[50..].iter().map(|row| row.code.clone()).collect();
    let keys = codes.create_multiple(&mut rows[50..]).await.unwrap();
    assert_eq!(keys, sent);
    assert_eq!(stored::<Code>(context, &keys).await, rows[50..]);
}

// sqlite-jdbc 613: an insert of three rows gave one key, the last, to the first row.
async fn case_032_three_rows_get_three_keys(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut rows = [Item::new(7), Item::new(8), Item::new(9)];
    let keys = items.create_multiple(&mut rows).await.unwrap();
    assert_eq!(keys, [rows[0].id, rows[1].id, rows[2].id]);
    assert!(keys[0] < keys[1] && keys[1] < keys[2]);
    assert!(rows.iter().map(|row| row.amount).eq([7, 8, 9]));
    assert_eq!(stored::<Item>(context, &keys).await, rows);
    // The largest key is in use: the next ones cannot be counted back from the last.
    items.create(&Item { id: i64::from(i32::MAX), ..Item::new(1) }).with_keys().await.unwrap();
    let keys = items.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Item>(context, &keys).await, rows);
}

// activerecord-import 279: with two writers the keys of one insert need not be a block.
async fn case_034_two_sessions_insert_at_once(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let other = context.another(2).await;
    for round in 0..3 {
        let mine: Vec<_> = (0..1_000).map(|number| Item::new(round * 10_000 + number)).collect();
        let theirs: Vec<_> = (5_000..6_000).map(|number| Item::new(round * 10_000 + number)).collect();
        let (items, others) = (context.repository::<Item>(), other.repository::<Item>());
        let both = futures_util::future::join(async { items.create_multiple(&mine).await.unwrap() }, async {
            others.create_multiple(&theirs).await.unwrap()
        });
        let (my_keys, their_keys) = both.await;
        for (keys, rows) in [(my_keys, mine), (their_keys, theirs)] {
            let found = stored::<Item>(context, &keys).await;
            assert!(found.iter().map(|row| row.amount).eq(rows.iter().map(|row| row.amount)));
        }
    }
    assert_eq!(context.repository::<Item>().count(()).await.unwrap(), 6_000);
    other.close().await;
}

// matrixone 27295: of the keys of one insert the server reported the last, and the driver counted up from it. Rows of
// earlier and later inserts stand where such keys would point.
async fn case_036_the_first_key_is_not_taken_for_the_last(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let mut known = Vec::new();
    for round in 0..4 {
        let rows: Vec<_> = (0..4).map(|number| Item::new(round * 10 + number)).collect();
        let keys = items.create_multiple(&rows).await.unwrap();
        known.extend(keys.iter().zip(&rows).map(|(&key, row)| (key, row.amount)));
    }
    for (key, amount) in known {
        assert_eq!(items.retrieve(key).await.unwrap().map(|row| row.amount), Some(amount));
    }
}

// linq2db 4702: after an insert that kept the keys it was given, plain inserts met them. What arx documents: a
// sequence does not learn of given keys. So a plain insert either passes them over or is refused; it takes no key twice.
async fn case_038_given_keys_and_then_a_plain_insert(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let rows: Vec<_> = [3, 1, 2].iter().map(|&id| Item { id, ..Item::new(i32::try_from(id).unwrap()) }).collect();
    assert_eq!(items.create_multiple(&rows).with_keys().await.unwrap(), [3, 1, 2]);
    assert_eq!(items.create(&Item { id: 5, ..Item::new(5) }).with_keys().await.unwrap(), 5);
    let mut keys = Vec::new();
    for attempt in 0..10 {
        match items.create(&Item::new(100 + attempt)).await {
            Ok(key) => keys.push(key),
            Err(error) => assert!(error.is_unique_violation(), "{error:?}"),
        }
    }
    assert!(keys.len() >= 6, "{keys:?}");
    assert!(!keys.iter().any(|key| [1, 2, 3, 5].contains(key)));
    assert_eq!(stored::<Item>(context, &[3, 1, 2]).await, rows);
    assert_eq!(items.count(()).await.unwrap(), 4 + u64::try_from(keys.len()).unwrap());
    // Given again, a key is refused, and so is the whole batch.
    let again = [Item { id: 1_000, ..Item::new(1) }, Item { id: 3, ..Item::new(1) }];
    assert!(items.create_multiple(&again).with_keys().await.unwrap_err().is_unique_violation());
    assert_eq!(items.retrieve(1_000).await.unwrap(), None);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "shards")]
struct Shard {
    #[arx(key)]
    tenant: i32,
    name: String,
    #[arx(key)]
    number: i64,
    rank: Field<i32>,
}

// cockroachdb docs 11957: INSERT .. RETURNING promises no order, and a distributed database uses that.
async fn case_169_rows_are_matched_by_composite_keys(context: &Context<'_>) {
    context.create_table_with::<Shard>(&[("rank", "DEFAULT 4")], &[]).await;
    let shards = context.repository::<Shard>();
    let shard = |place: i32| {
        let (tenant, number) = (place * 7_919 % 13 - 6, i64::from(place) * 104_729 % 1_009);
        Shard { tenant, name: format!("{tenant}/{number}"), number, rank: Field::Default }
    };
    let rows: Vec<_> = (0..1_000).map(shard).collect();
    let returned = shards.create_multiple(&rows[..500]).returning().await.unwrap();
    assert!(returned.iter().zip(&rows).all(|(found, row)| found.name == row.name && found.rank == Field::Set(4)));
    let mut mutable = rows[500..].to_vec();
    let keys = shards.create_multiple(&mut mutable).await.unwrap();
    assert!(keys.iter().copied().eq(rows[500..].iter().map(|row| (row.tenant, row.number))));
    assert_eq!(stored::<Shard>(context, &keys).await, mutable);
    assert!(mutable.iter().zip(&rows[500..]).all(|(found, row)| found.name == row.name && found.rank == Field::Set(4)));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "handles")]
struct Handle {
    #[arx(key, generated)]
    id: Uuid,
    number: i32,
    other: Field<i32>,
}

// The same report, with keys of the database's own making that have no order to be sorted by.
async fn case_169_keys_that_do_not_ascend(context: &Context<'_>) {
    context.create_table_with::<Handle>(&[("other", "DEFAULT 2")], &[]).await;
    let handles = context.repository::<Handle>();
    let rows: Vec<_> = (0..1_000).map(|number| Handle { id: Uuid::nil(), number, other: Field::Default }).collect();
    let keys = handles.create_multiple(&rows).await.unwrap();
    context.assert_traffic(1, 1);
    let mut mutable = rows.clone();
    let more = handles.create_multiple(&mut mutable).await.unwrap();
    let returned = handles.create_multiple(&rows).returning().await.unwrap();
    assert!(stored::<Handle>(context, &keys).await.iter().map(|row| row.number).eq(0..1_000));
    assert_eq!(stored::<Handle>(context, &more).await, mutable);
    assert!(mutable.iter().zip(0..).all(|(row, number)| row.number == number && row.other == Field::Set(2)));
    assert!(returned.iter().map(|row| row.number).eq(0..1_000));
    let key = handles.create(&rows[7]).await.unwrap();
    assert_eq!(stored::<Handle>(context, &[key]).await[0].number, 7);
}
