//! Names are quoted, values are never text: nobody gets out of either.

use chrono::{DateTime, Utc};

use super::support::{assert_error, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::dialect::render;
use crate::entity::{ColumnMeta, Role, Table};
use crate::plan::{Output, Shape, Verb};
use crate::value::ScalarKind;
use crate::{Embedded, Entity, ErrorKind, Field};

cases! {
    names_that_would_end_a_statement_are_only_names: [12] [];
    reserved_words_are_only_names: [12] [];
    names_that_statements_of_arx_use_are_only_names: [12] [];
    a_nul_in_a_name_is_refused: [12, 13] [];
    values_that_would_end_a_statement_are_only_values: [12] [];
    values_that_would_end_a_statement_are_only_keys: [12] [];
    values_that_would_end_a_statement_are_only_filters: [12] [];
}

/// Every role a column can have, under a name that is an attack.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "id\"; DROP TABLE items; --")]
struct Evil {
    #[arx(key, generated, column = "id\"; DROP TABLE items; --")]
    id: i64,
    #[arx(column = "a'b`c]d[e\"\"f")]
    text: String,
    #[arx(column = "x); DELETE FROM items; --")]
    number: Option<i32>,
    #[arx(version, column = "$1 ? @P1 :a %s \\")]
    version: i32,
    #[arx(updated_at, column = "/* */ --")]
    updated: DateTime<Utc>,
    #[arx(soft_delete, column = "deleted;")]
    deleted: bool,
    #[arx(column = " '")]
    rank: Field<i32>,
}

fn evil(number: i32) -> Evil {
    Evil {
        id: 0,
        text: format!("text {number}"),
        number: (number % 2 == 0).then_some(number),
        version: 0,
        updated: DateTime::UNIX_EPOCH,
        deleted: false,
        rank: if number % 3 == 0 { Field::Default } else { Field::Set(number) },
    }
}

async fn names_that_would_end_a_statement_are_only_names(context: &Context<'_>) {
    context.create_table::<Item>().await;
    context.repository::<Item>().create_multiple(&Item::many(3)).await.unwrap();
    context.create_table_with::<Evil>(&[(" '", "DEFAULT 7")], &[]).await;
    let repository = context.repository::<Evil>();
    let mut rows: Vec<_> = (0..9).map(evil).collect();
    let keys = repository.create_multiple(&mut rows).await.unwrap();
    let key = repository.create(&mut evil(10)).await.unwrap();
    assert_eq!(repository.create_multiple(&[evil(11), evil(12)]).returning().await.unwrap()[1].rank, Field::Set(7));
    assert_eq!(repository.create_multiple(&[evil(13), evil(14)]).without_keys().await.unwrap(), 2);
    rows.iter_mut().for_each(|row| row.text = format!("{}!", row.text));
    assert_eq!(repository.update_multiple(&mut rows).lock_first().await.unwrap().matched, 9);
    repository.update(&mut rows[0]).columns((Evil::TEXT, Evil::NUMBER)).await.unwrap();
    let found: Vec<_> = repository.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().collect();
    assert_eq!(found, rows);
    assert!(
        repository
            .update_multiple(&[evil(1), evil(2)].map(|row| Evil { id: row.version.into(), ..row })[..1])
            .await
            .is_err()
    );
    let filter = Evil::TEXT.like("%!") & Evil::NUMBER.is_in(&[2, 4]) & Evil::RANK.ne(2) & !Evil::NUMBER.is_null();
    let found =
        repository.retrieve_multiple(filter).order_by((Evil::RANK.desc(), Evil::ID.asc())).limit(5).await.unwrap();
    assert_eq!(found, [rows[4].clone()]);
    assert!(repository.delete(key).await.unwrap());
    assert!(repository.restore(key).await.unwrap());
    assert_eq!(repository.delete_multiple(&keys[..3]).await.unwrap(), 3);
    repository.delete_entity(&rows[5]).await.unwrap();
    assert_eq!(repository.count(()).await.unwrap(), 10);
    assert_eq!(stored::<Evil>(&context.db).await, 14);
    assert_eq!(stored::<Item>(&context.db).await, 3);
    let taken = Evil { id: keys[0], ..evil(1) };
    let error = repository.create(&taken).with_keys().await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &["text 1"]);
}

#[derive(Embedded, Clone, Debug, PartialEq)]
struct Group {
    group: String,
    order: Option<i32>,
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "select")]
struct Select {
    #[arx(key)]
    user: i64,
    #[arx(key)]
    table: i32,
    from: String,
    r#where: Option<String>,
    #[arx(flatten)]
    by: Group,
    #[arx(version)]
    values: i64,
    #[arx(column = "DEFAULT")]
    default: bool,
    #[arx(column = "Naïve Größe 日本")]
    naive: i32,
}

async fn reserved_words_are_only_names(context: &Context<'_>) {
    context.create_table::<Select>().await;
    let repository = context.repository::<Select>();
    let mut rows: Vec<_> = (0..10)
        .map(|n| Select {
            user: n,
            table: 1,
            from: format!("f{n}"),
            r#where: None,
            by: Group { group: "g".to_owned(), order: Some(3) },
            values: 0,
            default: true,
            naive: 5,
        })
        .collect();
    repository.create_multiple(&mut rows).await.unwrap();
    rows.iter_mut().for_each(|row| row.r#where = Some("here".to_owned()));
    repository.update_multiple(&mut rows).await.unwrap();
    let keys: Vec<_> = rows.iter().map(|row| (row.user, row.table)).collect();
    assert!(repository.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows.clone()));
    let filter = Select::WHERE.eq("here") & Select::BY.at(Group::ORDER).ge(3) & Select::DEFAULT.eq(true);
    let found =
        repository.retrieve_multiple(filter).order_by((Select::FROM.desc(), Select::NAIVE.asc())).await.unwrap();
    assert!(found.iter().rev().eq(&rows));
    repository.delete_entity(&rows[0]).await.unwrap();
    assert_eq!(repository.delete_multiple(&keys).await.unwrap(), 9);
}

/// The short names that statements of arx give to their parts.
#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "s")]
struct Parts {
    #[arx(key, generated)]
    ord: i64,
    s: i64,
    t: String,
    arx_source: Option<i32>,
    arx_hit: i32,
    arx_new: i32,
    excluded: i32,
    rowid_: i32,
    #[arx(version)]
    n: i32,
    v: bool,
}

async fn names_that_statements_of_arx_use_are_only_names(context: &Context<'_>) {
    context.create_table::<Parts>().await;
    let repository = context.repository::<Parts>();
    let row = |s: i64| Parts {
        ord: 0,
        s,
        t: "t".to_owned(),
        arx_source: None,
        arx_hit: 1,
        arx_new: 2,
        excluded: 3,
        rowid_: 4,
        n: 0,
        v: true,
    };
    let mut rows: Vec<_> = (0..50).map(row).collect();
    let keys = repository.create_multiple(&mut rows).await.unwrap();
    rows.iter_mut().for_each(|row| row.arx_source = Some(7));
    repository.update_multiple(&mut rows).await.unwrap();
    repository.update_multiple(&mut rows).lock_first().columns(Parts::T).await.unwrap();
    rows[3].n -= 1;
    assert!(repository.update_multiple(&rows).await.unwrap_err().is_stale_version());
    rows[3].n += 1;
    let mut twice = keys.clone();
    twice.push(keys[0]);
    rows.push(rows[0].clone());
    assert!(repository.retrieve_by_keys(&twice).await.unwrap().into_iter().flatten().eq(rows));
    assert_eq!(repository.delete_multiple(&keys).await.unwrap(), 50);
}

// The derive refuses such names; a table that is made by hand can still have one.
static WITH_NUL: [ColumnMeta; 1] = [ColumnMeta::new("a\0b", "id", ScalarKind::I64, false).role(Role::Key)];
static PLAIN: [ColumnMeta; 1] = [ColumnMeta::new("id", "id", ScalarKind::I64, false).role(Role::Key)];
static TABLES: [Table; 4] = [
    Table::new("Odd", None, "odd", &WITH_NUL),
    Table::new("Odd", None, "o\0dd", &PLAIN),
    Table::new("Odd", None, "", &PLAIN),
    Table::new("Odd", Some("s\0"), "odd", &PLAIN),
];

async fn a_nul_in_a_name_is_refused(context: &Context<'_>) {
    for table in &TABLES {
        for verb in [Verb::Select, Verb::Count] {
            let mut shape = Shape::new(verb, table);
            if verb == Verb::Select {
                shape.output = Output::Columns(table.all());
            } else if table.columns[0].name != "id" {
                continue;
            }
            let error = render(&*context.db.pool().dialect(), &shape).unwrap_err();
            assert_error(&error, ErrorKind::InvalidInput, &[]);
        }
    }
}

const ATTACKS: [&str; 18] = [
    "'; DROP TABLE items; --",
    "\"; DROP TABLE items; --",
    "\\'; DROP TABLE items; --",
    "' OR '1'='1",
    "1; DELETE FROM items",
    "') ; DROP TABLE items; --",
    "\\",
    "\\\\'",
    "''",
    "$1",
    "?",
    ":name",
    "@P1",
    "%27",
    "{\"a\": \"'}",
    "},{",
    "\u{2019}; DROP TABLE items",
    "\u{bf}\u{27} OR 1=1 --",
];

async fn values_that_would_end_a_statement_are_only_values(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let row =
        |(text, amount): (&&str, i32)| Item { id: 0, name: (*text).to_owned(), note: Some((*text).to_owned()), amount };
    let mut rows: Vec<_> = ATTACKS.iter().zip(0..).map(row).collect();
    let keys = items.create_multiple(&mut rows).await.unwrap();
    assert!(items.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows.clone()));
    rows.iter_mut().for_each(|row| row.name.push_str(row.note.as_deref().unwrap()));
    items.update_multiple(&rows).await.unwrap();
    for row in &mut rows {
        row.note = Some(format!("{0}{0}{0}", row.name));
        items.update(&*row).await.unwrap();
        items.create(&*row).await.unwrap();
        assert_eq!(items.retrieve(row.id).await.unwrap().as_ref(), Some(&*row));
    }
    assert_eq!(stored::<Item>(&context.db).await, 2 * ATTACKS.len() as u64);
    // No text of any statement carries one of them.
    assert!(context.log.texts().iter().all(|text| !text.contains("DROP") && !text.contains("OR '1'")));
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "codes")]
struct Code {
    #[arx(key)]
    code: String,
    #[arx(key)]
    place: i32,
    size: i32,
}

async fn values_that_would_end_a_statement_are_only_keys(context: &Context<'_>) {
    context.create_table::<Code>().await;
    let codes = context.repository::<Code>();
    let mut rows: Vec<_> =
        ATTACKS.iter().zip(0..).map(|(code, size)| Code { code: (*code).to_owned(), place: 1, size }).collect();
    let keys = codes.create_multiple(&rows).await.unwrap();
    assert!(codes.retrieve_by_keys(&keys).await.unwrap().into_iter().flatten().eq(rows.clone()));
    rows.iter_mut().for_each(|row| row.size += 1);
    assert_eq!(codes.update_multiple(&rows).require_all().await.unwrap().matched, ATTACKS.len() as u64);
    for row in &rows {
        assert_eq!(codes.retrieve(row.key()).await.unwrap().as_ref(), Some(row));
        codes.update(row).await.unwrap();
    }
    assert!(codes.delete(&keys[0]).await.unwrap());
    assert_eq!(codes.delete_multiple(&keys).await.unwrap(), ATTACKS.len() as u64 - 1);
}

async fn values_that_would_end_a_statement_are_only_filters(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.repository::<Item>();
    let rows: Vec<_> = ATTACKS.iter().map(|text| Item { name: (*text).to_owned(), ..Item::new(1) }).collect();
    items.create_multiple(&rows).await.unwrap();
    for attack in ATTACKS {
        let list = [attack, "x"];
        let name = |filter| async move {
            items
                .retrieve_multiple(filter)
                .order_by(Item::ID.asc())
                .await
                .unwrap()
                .into_iter()
                .map(|row| row.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(name(Item::NAME.eq(attack)).await, [attack]);
        assert_eq!(name(Item::NAME.is_in(&list)).await, [attack]);
        assert_eq!(name(Item::NAME.between(attack, attack)).await, [attack]);
        assert_eq!(items.count(Item::NAME.ne(attack)).await.unwrap(), ATTACKS.len() as u64 - 1);
        let containing: Vec<_> = ATTACKS.into_iter().filter(|text| text.contains(attack)).collect();
        assert_eq!(name(Item::NAME.contains(attack)).await, containing);
        // As a pattern it may mean something else, but never more than a pattern.
        if !attack.ends_with('\\') {
            items.count(Item::NAME.like(attack)).await.unwrap();
        }
    }
    assert_eq!(stored::<Item>(&context.db).await, ATTACKS.len() as u64);
}
