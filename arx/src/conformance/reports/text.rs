//! Text and bytes as they are: empty, padded, long, of any character; and numbers that are none.

use uuid::Uuid;

use super::stored;
use crate::conformance::registry::cases;
use crate::conformance::{Context, Requires};
use crate::error::RowFault;
use crate::{Entity, ErrorKind, Record};

cases! {
    case_081_empty_text_is_not_null: [6] [];
    case_090_a_number_that_is_none: [6, 13] [Nan];
    case_092_infinity_is_stored_or_named: [6, 13] [];
    case_093_text_with_a_nul: [6, 13] [];
    case_094_characters_of_four_bytes: [6] [];
    case_095_long_texts: [6] [];
    case_097_a_uuid_keeps_the_order_of_its_bytes: [6] [];
    case_115_a_padded_key_is_found_under_the_name_it_was_asked_by: [6, 8] [];
    case_115_texts_that_differ_in_blanks_only: [6] [];
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "texts")]
struct Text {
    #[arx(key, generated)]
    id: i64,
    x: String,
    y: Option<String>,
}

impl Text {
    fn new(x: impl Into<String>) -> Self {
        let x = x.into();
        Self { id: 0, y: Some(x.clone()), x }
    }
}

/// Writes the texts in one batch, one by one and by an update, and reads and finds each as it was.
async fn write_texts(context: &Context<'_>, texts: &[String]) {
    context.create_table::<Text>().await;
    let repository = context.repository::<Text>();
    let mut rows: Vec<_> = texts.iter().map(Text::new).collect();
    let keys = repository.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Text>(context, &keys).await, rows);
    for row in &rows {
        let one = repository.create(row).await.unwrap();
        assert_eq!(stored::<Text>(context, &[one]).await, [Text { id: one, ..row.clone() }]);
        assert_eq!(repository.count(Text::X.eq(&row.x) & Text::Y.eq(row.x.as_str())).await.unwrap(), 2);
    }
    let mut turned: Vec<_> = rows.iter().rev().cloned().collect();
    turned.iter_mut().zip(&keys).for_each(|(row, key)| row.id = *key);
    repository.update_multiple(&turned).await.unwrap();
    assert_eq!(stored::<Text>(context, &keys).await, turned);
}

// POE-Stash-indexer-NG 3: an empty text became 0 or NULL on its way through a bulk loader.
async fn case_081_empty_text_is_not_null(context: &Context<'_>) {
    context.create_table::<Text>().await;
    let texts = context.repository::<Text>();
    let row = |y: Option<&str>| Text { id: 0, x: String::new(), y: y.map(str::to_owned) };
    let mut rows = vec![row(None), row(Some("")), row(Some("NULL")), row(Some("\\N")), row(Some(" ")), row(Some("0"))];
    let keys = texts.create_multiple(&mut rows).await.unwrap();
    assert_eq!(stored::<Text>(context, &keys).await, rows);
    assert_eq!(texts.count(Text::X.eq("")).await.unwrap(), 6);
    assert_eq!(texts.retrieve_multiple(Text::Y.eq("")).await.unwrap(), rows[1..2]);
    assert_eq!(texts.retrieve_multiple(Text::Y.is_null()).await.unwrap(), rows[..1]);
    (rows[0].y, rows[1].y) = (Some(String::new()), None);
    texts.update_multiple(&rows).await.unwrap();
    assert_eq!(stored::<Text>(context, &keys).await, rows);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "numbers")]
struct Number {
    #[arx(key)]
    id: i32,
    n: rust_decimal::Decimal,
    f: f64,
    g: Option<f32>,
}

// npgsql 2440: NaN could not be written to a numeric column. Floats take it as it is; Rust's decimals have no NaN,
// so reading one is an error that names the column.
async fn case_090_a_number_that_is_none(context: &Context<'_>) {
    context.create_table::<Number>().await;
    let numbers = context.repository::<Number>();
    let number = |id, f| Number { id, n: rust_decimal::Decimal::ONE, f, g: Some(f32::NAN) };
    let rows = [number(1, f64::NAN), number(2, f64::INFINITY), number(3, 1.5), number(4, f64::NEG_INFINITY)];
    numbers.create_multiple(&rows).await.unwrap();
    numbers.create(&number(5, f64::NAN)).await.unwrap();
    let found = stored::<Number>(context, &[1, 2, 3, 4, 5]).await;
    assert!(found[0].f.is_nan() && found[4].f.is_nan() && found.iter().all(|row| row.g.unwrap().is_nan()));
    assert!(found[1..4].iter().map(|row| row.f).eq([f64::INFINITY, 1.5, f64::NEG_INFINITY]));
    context.run("UPDATE numbers SET n = 'NaN' WHERE id = 3").await;
    let error = numbers.retrieve_multiple(()).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Decode, Some("Number.n")));
    assert!(numbers.retrieve(2).await.unwrap().is_some());
}

// edx-analytics-pipeline 27: `inf` was written into the text of the statement, and taken for a column's name.
async fn case_092_infinity_is_stored_or_named(context: &Context<'_>) {
    context.create_table::<Number>().await;
    let numbers = context.repository::<Number>();
    let number = |id, f| Number { id, n: rust_decimal::Decimal::ONE, f, g: None };
    for (place, f) in [(1, f64::INFINITY), (2, f64::NEG_INFINITY), (3, f64::NAN)] {
        let before = numbers.count(()).await.unwrap();
        let rows = [number(place * 10, 0.5), number(place * 10 + 1, f)];
        match numbers.create_multiple(&rows).await {
            Ok(_) => {
                let found = stored::<Number>(context, &[rows[1].id]).await[0].f;
                assert!(found.to_bits() == f.to_bits() || (found.is_nan() && f.is_nan()), "{found}");
            }
            Err(error) => {
                assert!(!context.db.pool().dialect().limits().nan, "{error:?}");
                assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Number.f")));
                assert_eq!(error.rows().iter().map(RowFault::index).collect::<Vec<_>>(), [1]);
                assert_eq!(numbers.count(()).await.unwrap(), before);
                let error = numbers.create(&rows[1]).await.unwrap_err();
                assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Number.f")));
            }
        }
    }
}

// Bulk-Operations 70: text with U+0000 was refused by the server, without a word on which row it was.
async fn case_093_text_with_a_nul(context: &Context<'_>) {
    if context.backend.provides().contains(&Requires::NulText) {
        return write_texts(context, &["a\0b".to_owned(), "\0".to_owned(), "ab\0".to_owned(), "ab".to_owned()]).await;
    }
    context.create_table::<Text>().await;
    let texts = context.repository::<Text>();
    let mut rows =
        vec![Text::new("fine"), Text::new("also fine"), Text { y: Some("a\0b".to_owned()), ..Text::new("x") }];
    let errors = [
        texts.create_multiple(&rows).await.unwrap_err(),
        texts.create_multiple(&rows).without_keys().await.unwrap_err(),
        texts.create_multiple(&rows).returning().await.unwrap_err(),
    ];
    for error in &errors {
        assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Text.y")), "{error:?}");
        assert_eq!(error.rows().iter().map(RowFault::index).collect::<Vec<_>>(), [2]);
    }
    let error = texts.create(&rows[2]).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Text.y")));
    assert_eq!(texts.count(()).await.unwrap(), 0);
    rows[2] = Text::new("x");
    let keys = texts.create_multiple(&mut rows).await.unwrap();
    let bad: Vec<_> = rows.iter().rev().map(|row| Text { x: format!("{}\0", row.x), ..row.clone() }).collect();
    let error = texts.update_multiple(&bad).await.unwrap_err();
    assert_eq!((error.kind(), error.column()), (ErrorKind::Encode, Some("Text.x")));
    assert_eq!(texts.count(Text::X.eq("a\0")).await.unwrap_err().kind(), ErrorKind::Encode);
    assert_eq!(stored::<Text>(context, &keys).await, rows);
}

// logstash-output-jdbc 141: characters beyond the first 65,536 did not fit the connection's character set.
async fn case_094_characters_of_four_bytes(context: &Context<'_>) {
    let texts = ["😭", "a😭b", "𝒳𐍈", "👩‍👩‍👧", "ｱ日本", "é", "e\u{301}", "\u{10ffff}", "\u{feff}x", "\u{202e}abc"];
    write_texts(context, &texts.map(str::to_owned)).await;
}

// tiberius 322: long text did not fit the type that the bulk loader had declared.
async fn case_095_long_texts(context: &Context<'_>) {
    let texts = [255, 256, 4_000, 4_001, 8_000, 8_001, 65_535, 65_536, 1_000_000];
    write_texts(context, &texts.map(|size| "aé".repeat(size / 2) + &size.to_string())).await;
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "guids")]
struct Guid {
    #[arx(key)]
    id: Uuid,
    n: i32,
}

#[derive(Record)]
struct Spelled {
    text: String,
}

// mssql-jdbc 2986: a uuid that was sent as text through a bulk loader had its first eight bytes turned round.
async fn case_097_a_uuid_keeps_the_order_of_its_bytes(context: &Context<'_>) {
    context.create_table::<Guid>().await;
    let guids = context.repository::<Guid>();
    let id = Uuid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff);
    let rows = [Guid { id, n: 1 }, Guid { id: Uuid::max(), n: 2 }, Guid { id: Uuid::nil(), n: 3 }];
    guids.create_multiple(&rows).await.unwrap();
    assert_eq!(stored::<Guid>(context, &[Uuid::nil(), id]).await, [rows[2].clone(), rows[0].clone()]);
    // PostgreSQL has no `hex`, and a type that is text already.
    let spelled = match context.db.query::<Spelled>("SELECT lower(hex(id)) FROM guids WHERE n = 1", ()).await {
        Ok(spelled) => spelled,
        Err(_) => {
            let sql = "SELECT replace(CAST(id AS text), '-', '') FROM guids WHERE n = 1";
            context.db.query::<Spelled>(sql, ()).await.unwrap()
        }
    };
    assert_eq!(spelled[0].text, "00112233445566778899aabbccddeeff");
    assert_eq!(
        guids.retrieve_multiple(Guid::ID.is_in(&[id, Uuid::max()])).order_by(Guid::N.asc()).await.unwrap(),
        rows[..2]
    );
    assert_eq!(guids.delete_multiple(&[Uuid::max(), id]).await.unwrap(), 2);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "padded")]
struct Padded {
    #[arx(key)]
    code: String,
    n: i32,
}

// link-move 67: the key 'bar' met the stored 'bar ', which the database takes for the same, and the map of rows by
// their keys had no such entry.
async fn case_115_a_padded_key_is_found_under_the_name_it_was_asked_by(context: &Context<'_>) {
    let padding = if context.is_in_process() { "COLLATE RTRIM" } else { "TYPE char(8)" };
    context.create_table_with::<Padded>(&[("code", padding)], &[]).await;
    let padded = context.repository::<Padded>();
    let row = |code: &str, n| Padded { code: code.to_owned(), n };
    padded.create_multiple(&[row("bar ", 1), row("foo", 2), row("x", 3)]).await.unwrap();
    let keys = ["none", "bar", "x", "bar"].map(str::to_owned);
    let found = padded.retrieve_by_keys(&keys).await.unwrap();
    assert!(found.iter().map(|row| row.as_ref().map(|row| row.n)).eq([None, Some(1), Some(3), Some(1)]));
    assert_eq!(padded.retrieve("bar").await.unwrap().unwrap().n, 1);
    assert_eq!(padded.update_multiple(&[row("foo", 20), row("bar", 10)]).require_all().await.unwrap().matched, 2);
    padded.update(&row("x", 30)).await.unwrap();
    assert_eq!(padded.delete_multiple(&["bar".to_owned(), "none".to_owned()]).await.unwrap(), 1);
    let left = padded.retrieve_multiple(()).order_by(Padded::N.asc()).await.unwrap();
    assert!(left.iter().map(|row| (row.code.trim_end(), row.n)).eq([("foo", 20), ("x", 30)]));
}

// The same, where blanks count: each key has its own row.
async fn case_115_texts_that_differ_in_blanks_only(context: &Context<'_>) {
    context.create_table::<Padded>().await;
    let padded = context.repository::<Padded>();
    let keys = ["bar", "bar ", " bar", "bar\t", "", " "].map(str::to_owned);
    let mut rows: Vec<_> = keys.iter().zip(1..).map(|(code, n)| Padded { code: code.clone(), n }).collect();
    padded.create_multiple(&rows).await.unwrap();
    assert_eq!(stored::<Padded>(context, &keys).await, rows);
    rows.iter_mut().for_each(|row| row.n += 10);
    assert_eq!(padded.update_multiple(&rows).await.unwrap().matched, 6);
    assert_eq!(stored::<Padded>(context, &keys).await, rows);
    assert_eq!(padded.delete_multiple(&keys[..1]).await.unwrap(), 1);
    assert_eq!(stored::<Padded>(context, &keys[1..]).await, rows[1..]);
}
