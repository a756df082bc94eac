//! Batches that are larger than one statement: parameters, rows, bytes.

use super::stored;
use crate::Entity;
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::error::ErrorKind;
use crate::plan::Verb;

cases! {
    case_001_more_cells_than_16_bits_of_parameters: [1, 3] [];
    case_003_forty_thousand_updates: [3] [];
    case_005_a_thousand_and_one_rows: [1, 3] [];
    case_007_a_wide_table_loses_no_row: [1, 3] [];
    case_008_ten_thousand_rows_of_ten_texts: [1, 3] [];
    case_010_a_row_above_the_size_of_a_statement: [3, 13] [];
    case_012_rows_that_only_fit_several_statements: [1, 2, 3] [];
    case_013_blobs_over_a_mebibyte: [6] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "tens")]
struct Ten {
    #[arx(key, generated)]
    id: i32,
    c1: String,
    c2: String,
    c3: String,
    c4: String,
    c5: String,
    c6: String,
    c7: String,
    c8: String,
    c9: String,
    c10: String,
}

impl Ten {
    fn new(row: i32) -> Self {
        let [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10] = std::array::from_fn(|column| format!("{row}.{}", column + 1));
        Self { id: 0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 }
    }

    fn many(count: i32) -> Vec<Self> {
        (0..count).map(Self::new).collect()
    }
}

/// Creates the rows and asserts that each key names its row.
async fn create_tens(context: &Context<'_>, count: i32) {
    let mut rows = Ten::many(count);
    context.log.reset();
    let keys = context.repository::<Ten>().create_multiple(&rows).await.unwrap();
    context.assert_bulk::<Ten>(Verb::Insert, rows.len());
    rows.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
    assert_eq!(stored::<Ten>(context, &keys).await, rows);
}

// node-postgres 2292: the count of parameters wrapped at 65,536, so that 6,681 rows of ten cells sent 66,810
// values and promised 1,274.
async fn case_001_more_cells_than_16_bits_of_parameters(context: &Context<'_>) {
    context.create_table::<Ten>().await;
    let mut total = 0;
    for count in [6_553, 6_554, 6_681] {
        create_tens(context, count).await;
        total += u64::try_from(count).unwrap();
        assert_eq!(context.repository::<Ten>().count(()).await.unwrap(), total);
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "pairs")]
struct Pair {
    #[arx(key)]
    id: i32,
    t2: i32,
}

// pgtyped 542: an update of 40,000 rows needed 80,000 parameters. Some servers and drivers stop at 32,767.
async fn case_003_forty_thousand_updates(context: &Context<'_>) {
    context.create_table::<Pair>().await;
    let pairs = context.repository::<Pair>();
    let mut rows: Vec<_> = (0..66_000).map(|id| Pair { id, t2: 0 }).collect();
    assert_eq!(pairs.create_multiple(&rows).without_keys().await.unwrap(), 66_000);
    for count in [32_768, 40_000, 66_000] {
        rows.iter_mut().take(count).for_each(|row| row.t2 += row.id + 1);
        context.log.reset();
        let done = pairs.update_multiple(&rows[..count]).await.unwrap();
        if count <= 40_000 {
            context.assert_bulk::<Pair>(Verb::Update, count);
        }
        assert_eq!(done.matched, u64::try_from(count).unwrap());
        assert_eq!(pairs.retrieve_multiple(()).order_by(Pair::ID.asc()).await.unwrap(), rows);
    }
    let keys: Vec<_> = rows.iter().rev().map(|row| row.id).collect();
    let found = stored::<Pair>(context, &keys).await;
    assert!(found.iter().eq(rows.iter().rev()));
    assert_eq!(pairs.delete_multiple(&keys[1..]).await.unwrap(), 65_999);
    assert_eq!(pairs.retrieve_multiple(()).await.unwrap(), rows[65_999..]);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "ones")]
struct One {
    #[arx(key, generated)]
    id: i32,
    a: i32,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "twos")]
struct Two {
    #[arx(key, generated)]
    id: i32,
    a: i32,
    b: i32,
}

// efcore 974: one statement takes 1,000 rows of VALUES at most on SQL Server; with few columns the limit of
// parameters is not reached before.
async fn case_005_a_thousand_and_one_rows(context: &Context<'_>) {
    context.create_table::<One>().await;
    context.create_table::<Two>().await;
    for count in [999, 1_000, 1_001, 2_001] {
        let mut ones: Vec<_> = (0..count).map(|a| One { id: 0, a }).collect();
        let keys = context.repository::<One>().create_multiple(&ones).await.unwrap();
        ones.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
        assert_eq!(stored::<One>(context, &keys).await, ones);
        let mut twos: Vec<_> = (0..count).map(|a| Two { id: 0, a, b: -a }).collect();
        let keys = context.repository::<Two>().create_multiple(&mut twos).await.unwrap();
        assert_eq!(stored::<Two>(context, &keys).await, twos);
    }
    assert_eq!(context.repository::<One>().count(()).await.unwrap(), 5_001);
    assert_eq!(context.repository::<Two>().count(()).await.unwrap(), 5_001);
}

macro_rules! wide {
    ($($column:ident)+) => {
        #[derive(Entity, Clone, Debug, PartialEq)]
        #[arx(table = "wide")]
        struct Wide {
            #[arx(key, generated)]
            id: i32,
            $($column: i32,)+
        }

        impl Wide {
            fn new(row: i32) -> Self {
                let mut cells = row * 100..;
                Self { id: 0, $($column: cells.next().unwrap()),+ }
            }
        }
    };
}

// With the key 78 columns.
wide! {
    c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11 c12 c13 c14 c15 c16 c17 c18 c19 c20
    c21 c22 c23 c24 c25 c26 c27 c28 c29 c30 c31 c32 c33 c34 c35 c36 c37 c38 c39 c40
    c41 c42 c43 c44 c45 c46 c47 c48 c49 c50 c51 c52 c53 c54 c55 c56 c57 c58 c59 c60
    c61 c62 c63 c64 c65 c66 c67 c68 c69 c70 c71 c72 c73 c74 c75 c76 c77
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "wide_parts")]
struct Part {
    #[arx(key, generated)]
    id: i32,
    parent: i32,
}

// efcore 29905: where columns times rows passed the limit of parameters, one of the statements was empty, and
// its rows were lost without an error. The counts lie on both sides of 2,100, 32,766 and 65,535 cells.
async fn case_007_a_wide_table_loses_no_row(context: &Context<'_>) {
    context.create_table::<Wide>().await;
    context.create_table_with::<Part>(&[], &["FOREIGN KEY (parent) REFERENCES wide (id)"]).await;
    let mut total = 0;
    for count in [26, 27, 28, 425, 426, 851, 852] {
        let mut rows: Vec<_> = (0..count).map(Wide::new).collect();
        context.log.reset();
        let keys = context.repository::<Wide>().create_multiple(&rows).await.unwrap();
        assert!(context.log.texts().iter().all(|text| text.len() > 20));
        rows.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
        assert_eq!(stored::<Wide>(context, &keys).await, rows);
        total += u64::try_from(count).unwrap();
        assert_eq!(context.repository::<Wide>().count(()).await.unwrap(), total);
        let mut parts: Vec<_> = keys.iter().map(|&parent| Part { id: 0, parent }).collect();
        let part_keys = context.repository::<Part>().create_multiple(&mut parts).await.unwrap();
        assert_eq!(stored::<Part>(context, &part_keys).await, parts);
    }
}

// sqlite-utils 50: `too many SQL variables` above 999 of them, later above 32,766, in inserts and in lists.
async fn case_008_ten_thousand_rows_of_ten_texts(context: &Context<'_>) {
    context.create_table::<Ten>().await;
    create_tens(context, 10_000).await;
    let tens = context.repository::<Ten>();
    let names: Vec<_> = (5_000..45_000).map(|row| format!("{row}.1")).collect();
    context.log.reset();
    let found = tens.retrieve_multiple(Ten::C1.is_in(&names)).await.unwrap();
    context.assert_traffic(1, 1);
    assert_eq!(found.len(), 5_000);
    assert!(found.iter().all(|row| names.contains(&row.c1)));
    assert_eq!(tens.count(Ten::C1.is_not_in(&names)).await.unwrap(), 5_000);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "pages")]
struct Page {
    #[arx(key, generated)]
    id: i64,
    title: String,
    body: String,
}

impl Page {
    fn new(title: &str, size: usize) -> Self {
        Self { id: 0, title: title.to_owned(), body: "x".repeat(size) }
    }
}

/// A database that takes more than this in one statement is not driven to its limit.
const MOST: usize = 128 << 20;

// activerecord-import 437: a body above max_allowed_packet could not be split away, and the error told neither
// which row it was nor how large.
async fn case_010_a_row_above_the_size_of_a_statement(context: &Context<'_>) {
    context.create_table::<Page>().await;
    let pages = context.repository::<Page>();
    let limit = context.db.pool().dialect().limits().max_bytes;
    if limit > MOST {
        let keys = pages.create_multiple(&[Page::new("a", 1), Page::new("b", 16 << 20)]).await.unwrap();
        assert_eq!(stored::<Page>(context, &keys).await[1].body.len(), 16 << 20);
        return;
    }
    let rows = [Page::new("a", 1), Page::new("b", 10), Page::new("c", limit), Page::new("d", 1)];
    let error = pages.create_multiple(&rows).await.unwrap_err();
    context.assert_traffic(0, 0);
    assert_eq!(error.kind(), ErrorKind::Encode);
    assert_eq!(error.rows().iter().map(crate::error::RowFault::index).collect::<Vec<_>>(), [2]);
    assert_eq!(error.column(), Some("Page.body"));
    let message = error.to_string();
    assert!(message.contains(&limit.to_string()) && message.len() < 300, "{message}");
    assert_eq!(pages.count(()).await.unwrap(), 0);
    let mut first = Page::new("a", 1);
    pages.create(&mut first).await.unwrap();
    let error = pages.update_multiple(&[Page::new("b", 1), Page { id: first.id, ..Page::new("c", limit) }]).await;
    assert_eq!(error.unwrap_err().rows()[0].index(), 1);
    assert_eq!(pages.retrieve(first.id).await.unwrap().unwrap(), first);
}

// sequelize 7451: a batch above max_allowed_packet failed as a whole, though each row would have fitted.
async fn case_012_rows_that_only_fit_several_statements(context: &Context<'_>) {
    context.create_table::<Page>().await;
    let limit = context.db.pool().dialect().limits().max_bytes;
    // Two of these rows fit into a statement, three do not, where the limit is one to drive at.
    let size = limit.min(MOST / 2) / 8 * 3;
    let mut rows: Vec<_> = ["a", "b", "c"].iter().map(|title| Page::new(title, size)).collect();
    let keys = context.repository::<Page>().create_multiple(&rows).await.unwrap();
    let (statements, trips) = if limit > MOST { (1, 1) } else { (2, 4) };
    context.assert_traffic(statements, trips);
    rows.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
    for row in &rows {
        assert!(context.repository::<Page>().retrieve(row.id).await.unwrap().unwrap() == *row, "{}", row.title);
    }
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "blobs")]
struct Blob {
    #[arx(key, generated)]
    id: i64,
    bytes: Vec<u8>,
}

// MySqlConnector 834: blobs over 1 MiB arrived damaged through the bulk loader.
async fn case_013_blobs_over_a_mebibyte(context: &Context<'_>) {
    context.create_table::<Blob>().await;
    let every: Vec<u8> = (0..=u8::MAX).collect();
    let sizes = [0, 1, 255, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20];
    let blob = |size: usize| Blob { id: 0, bytes: every.iter().copied().cycle().take(size).collect() };
    let mut rows: Vec<_> = sizes.into_iter().map(blob).collect();
    let keys = context.repository::<Blob>().create_multiple(&mut rows).await.unwrap();
    assert!(stored::<Blob>(context, &keys).await == rows);
    rows.iter_mut().for_each(|row| row.bytes.reverse());
    assert_eq!(context.repository::<Blob>().update_multiple(&rows).await.unwrap().matched, 7);
    assert!(stored::<Blob>(context, &keys).await == rows);
}
