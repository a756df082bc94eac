//! Filters: each operator, with the values that are hard on it.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::query::IntoFilter;
use crate::{Entity, Filter};

cases! {
    compares_numbers: [4, 5] [];
    compares_texts: [6, 12] [];
    compares_dates_decimals_and_uuids: [6] [];
    none_in_a_filter_is_a_null_test: [5] [];
    null_is_neither_equal_nor_unequal: [5] [];
    takes_lists_of_any_length: [3, 4] [];
    takes_lists_of_every_kind: [4, 6] [];
    takes_lists_with_repeated_and_missing_elements: [5] [];
    patterns_match_what_they_say: [12] [];
    no_character_is_special_in_a_plain_text: [6, 12] [];
    and_or_and_not_bind_as_they_are_written: [4] [];
    filters_have_one_text_whatever_the_values: [4, 12] [];
}

const NOTHING: [i64; 0] = [];

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "samples")]
struct Sample {
    #[arx(key)]
    id: i64,
    number: Option<i32>,
    text: Option<String>,
    flag: bool,
    price: Decimal,
    day: NaiveDate,
    at: DateTime<Utc>,
    token: Uuid,
    data: Vec<u8>,
    ratio: f64,
}

fn sample(id: i64) -> Sample {
    let number = i32::try_from(id).unwrap();
    Sample {
        id,
        number: (id % 4 != 3).then_some(number * 10),
        text: (id % 5 != 4).then(|| format!("text {id}")),
        flag: id % 2 == 0,
        price: Decimal::new(id * 105, 2),
        day: NaiveDate::from_epoch_days(number * 100).unwrap(),
        at: DateTime::from_timestamp_micros(id * 86_400_000_001).unwrap(),
        token: Uuid::from_u128(id.unsigned_abs().into()),
        data: vec![0, id.to_le_bytes()[0]],
        ratio: f64::from(number) / 8.0,
    }
}

async fn fill(context: &Context<'_>) -> Vec<Sample> {
    context.create_table::<Sample>().await;
    let rows: Vec<_> = (0..20).map(sample).collect();
    context.repository::<Sample>().create_multiple(&rows).await.unwrap();
    context.log.reset();
    rows
}

async fn ids<'a>(context: &'a Context<'_>, filter: impl IntoFilter<'a, Sample>) -> Vec<i64> {
    let found = context.repository::<Sample>().retrieve_multiple(filter).order_by(Sample::ID.asc()).await.unwrap();
    found.iter().for_each(|row| assert_eq!(*row, sample(row.id)));
    found.iter().map(|row| row.id).collect()
}

async fn compares_numbers(context: &Context<'_>) {
    fill(context).await;
    assert_eq!(ids(context, Sample::NUMBER.eq(50)).await, [5]);
    assert_eq!(ids(context, Sample::NUMBER.lt(20)).await, [0, 1]);
    assert_eq!(ids(context, Sample::NUMBER.le(20)).await, [0, 1, 2]);
    assert_eq!(ids(context, Sample::NUMBER.gt(170)).await, [18]);
    assert_eq!(ids(context, Sample::NUMBER.ge(170)).await, [17, 18]);
    assert_eq!(ids(context, Sample::NUMBER.between(40, 60)).await, [4, 5, 6]);
    assert_eq!(ids(context, Sample::NUMBER.between(60, 40)).await, NOTHING);
    assert_eq!(ids(context, Sample::ID.ne(3_i64).and(Sample::ID.lt(5_i64))).await, [0, 1, 2, 4]);
    assert_eq!(ids(context, Sample::FLAG.eq(true).and(Sample::ID.lt(5))).await, [0, 2, 4]);
    assert_eq!(ids(context, Sample::ID.eq(i64::MIN)).await, NOTHING);
    assert_eq!(ids(context, Sample::NUMBER.lt(i32::MIN).or(Sample::ID.gt(i64::MAX))).await, NOTHING);
    assert_eq!(ids(context, Sample::RATIO.eq(0.125)).await, [1]);
    assert_eq!(ids(context, Sample::RATIO.between(-0.0, 0.25)).await, [0, 1, 2]);
}

async fn compares_texts(context: &Context<'_>) {
    fill(context).await;
    assert_eq!(ids(context, Sample::TEXT.eq("text 5")).await, [5]);
    assert_eq!(ids(context, Sample::TEXT.eq("text 5".to_owned())).await, [5]);
    assert_eq!(ids(context, Sample::TEXT.eq(Some("text 5".to_owned()))).await, [5]);
    assert_eq!(ids(context, Sample::TEXT.between("text 17", "text 18")).await, [17, 18]);
    assert_eq!(ids(context, Sample::TEXT.ge("text 8")).await, [8]);
    assert_eq!(ids(context, Sample::TEXT.eq("' OR 1 = 1 --")).await, NOTHING);
    assert_eq!(ids(context, Sample::TEXT.eq("")).await, NOTHING);
    assert_eq!(ids(context, Sample::DATA.eq(vec![0, 7])).await, [7]);
}

async fn compares_dates_decimals_and_uuids(context: &Context<'_>) {
    let rows = fill(context).await;
    assert_eq!(ids(context, Sample::DAY.eq(rows[3].day)).await, [3]);
    assert_eq!(ids(context, Sample::DAY.gt(rows[17].day)).await, [18, 19]);
    assert_eq!(ids(context, Sample::AT.le(rows[1].at)).await, [0, 1]);
    assert_eq!(ids(context, Sample::AT.lt(rows[1].at)).await, [0]);
    // The scale does not matter, and 10.50 is above 9.45.
    assert_eq!(ids(context, Sample::PRICE.eq(Decimal::new(10_500, 3))).await, [10]);
    assert_eq!(ids(context, Sample::PRICE.ge(Decimal::new(1_785, 2))).await, [17, 18, 19]);
    assert_eq!(ids(context, Sample::PRICE.between(Decimal::new(9, 0), Decimal::new(11, 0))).await, [9, 10]);
    assert_eq!(ids(context, Sample::TOKEN.eq(Uuid::from_u128(4))).await, [4]);
    assert_eq!(ids(context, Sample::TOKEN.ge(Uuid::from_u128(18))).await, [18, 19]);
    let by_price = context.repository::<Sample>().retrieve_multiple(()).order_by(Sample::PRICE.desc()).await.unwrap();
    assert!(by_price.iter().rev().eq(&rows));
}

async fn none_in_a_filter_is_a_null_test(context: &Context<'_>) {
    fill(context).await;
    assert_eq!(ids(context, Sample::NUMBER.eq(None)).await, [3, 7, 11, 15, 19]);
    assert_eq!(ids(context, Sample::NUMBER.is_null()).await, [3, 7, 11, 15, 19]);
    assert_eq!(ids(context, Sample::TEXT.eq(None::<String>)).await, [4, 9, 14, 19]);
    assert_eq!(ids(context, Sample::NUMBER.ne(None)).await.len(), 15);
    assert_eq!(ids(context, Sample::NUMBER.is_not_null()).await.len(), 15);
    assert_eq!(ids(context, Sample::NUMBER.lt(None)).await, NOTHING);
    assert_eq!(ids(context, Sample::NUMBER.between(None, Some(10))).await, NOTHING);
}

async fn null_is_neither_equal_nor_unequal(context: &Context<'_>) {
    fill(context).await;
    assert_eq!(ids(context, Sample::NUMBER.ne(0).and(Sample::ID.lt(5))).await, [1, 2, 4]);
    assert_eq!(ids(context, !Sample::NUMBER.eq(0) & Sample::ID.lt(5)).await, [1, 2, 4]);
    assert_eq!(ids(context, Sample::NUMBER.is_not_in(&[0, 10]).and(Sample::ID.lt(5))).await, [2, 4]);
    assert_eq!(ids(context, !Sample::NUMBER.is_null() & Sample::ID.lt(5)).await, [0, 1, 2, 4]);
    assert_eq!(ids(context, Sample::TEXT.not_like("text 1%").and(Sample::ID.lt(5))).await, [0, 2, 3]);
}

async fn takes_lists_of_any_length(context: &Context<'_>) {
    fill(context).await;
    let all: Vec<i64> = (0..20).collect();
    assert_eq!(ids(context, Sample::ID.is_in(&NOTHING)).await, NOTHING);
    assert_eq!(ids(context, Sample::ID.is_not_in(&NOTHING)).await, all);
    assert_eq!(ids(context, Sample::ID.is_in(&[7_i64])).await, [7]);
    assert_eq!(ids(context, Sample::ID.is_not_in(&[7_i64]).and(Sample::ID.between(6, 8))).await, [6, 8]);
    let long: Vec<i64> = (5..5_005).collect();
    assert_eq!(ids(context, Sample::ID.is_in(&long)).await, all[5..]);
    assert_eq!(ids(context, Sample::ID.is_not_in(&long)).await, all[..5]);
    let texts: Vec<String> = (10..5_010).map(|n| format!("text {n}")).collect();
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = [10, 11, 12, 13, 15, 16, 17, 18];
    assert_eq!(ids(context, Sample::TEXT.is_in(&texts)).await, found);
    assert_eq!(ids(context, Sample::TEXT.is_in(&borrowed)).await, found);
    assert_eq!(ids(context, Sample::TEXT.is_in(&borrowed[..2])).await, [10, 11]);
    assert_eq!(ids(context, Sample::TEXT.is_in(&["text 3", "nothing"])).await, [3]);
    // Nothing is equal to none of no values, and NULL is no exception.
    assert_eq!(ids(context, Sample::TEXT.is_not_in(&borrowed[..0])).await, all);
    assert_eq!(ids(context, Sample::TEXT.is_not_in(&texts)).await, [0, 1, 2, 3, 5, 6, 7, 8]);
}

async fn takes_lists_of_every_kind(context: &Context<'_>) {
    let rows = fill(context).await;
    for count in [1, 3, 20] {
        let some: Vec<_> = rows.iter().rev().take(count).cloned().collect();
        let mut wanted: Vec<_> = some.iter().map(|row| row.id).collect();
        wanted.reverse();
        let prices: Vec<_> = some.iter().map(|row| row.price).collect();
        assert_eq!(ids(context, Sample::PRICE.is_in(&prices)).await, wanted);
        let days: Vec<_> = some.iter().map(|row| row.day).collect();
        assert_eq!(ids(context, Sample::DAY.is_in(&days)).await, wanted);
        let times: Vec<_> = some.iter().map(|row| row.at).collect();
        assert_eq!(ids(context, Sample::AT.is_in(&times)).await, wanted);
        let tokens: Vec<_> = some.iter().map(|row| row.token).collect();
        assert_eq!(ids(context, Sample::TOKEN.is_in(&tokens)).await, wanted);
        let datas: Vec<_> = some.iter().map(|row| row.data.clone()).collect();
        assert_eq!(ids(context, Sample::DATA.is_in(&datas)).await, wanted);
        let ratios: Vec<_> = some.iter().map(|row| row.ratio).collect();
        assert_eq!(ids(context, Sample::RATIO.is_in(&ratios)).await, wanted);
    }
    let numbers: Vec<i64> = (15..5_015).collect();
    let prices: Vec<_> = numbers.iter().map(|number| Decimal::new(number * 1_050, 3)).collect();
    assert_eq!(ids(context, Sample::PRICE.is_in(&prices)).await, [15, 16, 17, 18, 19]);
    assert_eq!(ids(context, Sample::PRICE.is_in(&prices[..0])).await, NOTHING);
    let day = |number: &i64| NaiveDate::default() + chrono::Days::new(number.unsigned_abs() * 100);
    let days: Vec<_> = numbers.iter().map(day).collect();
    assert_eq!(ids(context, Sample::DAY.is_in(&days)).await, [15, 16, 17, 18, 19]);
    assert_eq!(ids(context, Sample::DAY.is_not_in(&days)).await.len(), 15);
    let tokens: Vec<_> = numbers.iter().map(|number| Uuid::from_u128(number.unsigned_abs().into())).collect();
    assert_eq!(ids(context, Sample::TOKEN.is_not_in(&tokens)).await.len(), 15);
    assert_eq!(ids(context, Sample::TOKEN.is_not_in(&tokens[..0])).await.len(), 20);
    let no_data: [Vec<u8>; 0] = [];
    assert_eq!(ids(context, Sample::DATA.is_in(&no_data)).await, NOTHING);
    assert_eq!(ids(context, Sample::FLAG.is_in(&[true])).await.len(), 10);
    assert_eq!(ids(context, Sample::FLAG.is_in(&[true, false])).await.len(), 20);
    assert_eq!(ids(context, Sample::FLAG.is_not_in(&[false])).await.len(), 10);
}

async fn takes_lists_with_repeated_and_missing_elements(context: &Context<'_>) {
    fill(context).await;
    assert_eq!(ids(context, Sample::NUMBER.is_in(&[10, 10, 20, 10])).await, [1, 2]);
    assert_eq!(ids(context, Sample::NUMBER.is_in(&[Some(10), None])).await, [1]);
    // NULL may be any value: nothing is known to be none of these.
    assert_eq!(ids(context, Sample::NUMBER.is_not_in(&[Some(10), None])).await, NOTHING);
    assert_eq!(ids(context, Sample::TEXT.is_in(&["text 1", "text 1"])).await, [1]);
}

async fn patterns_match_what_they_say(context: &Context<'_>) {
    fill(context).await;
    assert_eq!(ids(context, Sample::TEXT.like("text 1%")).await, [1, 10, 11, 12, 13, 15, 16, 17, 18]);
    assert_eq!(ids(context, Sample::TEXT.like("text 1_")).await, [10, 11, 12, 13, 15, 16, 17, 18]);
    assert_eq!(ids(context, Sample::TEXT.like("%8")).await, [8, 18]);
    assert_eq!(ids(context, Sample::TEXT.like("text 5")).await, [5]);
    assert_eq!(ids(context, Sample::TEXT.like(r"text\_%")).await, NOTHING);
    assert_eq!(ids(context, Sample::TEXT.like("")).await, NOTHING);
    assert_eq!(ids(context, Sample::TEXT.like(format!("%{}", 7))).await, [7, 17]);
    assert_eq!(ids(context, Sample::TEXT.not_like("text 1%")).await, [0, 2, 3, 5, 6, 7, 8]);
    assert_eq!(ids(context, Sample::TEXT.starts_with("text 1")).await.len(), 9);
    assert_eq!(ids(context, Sample::TEXT.ends_with("3")).await, [3, 13]);
    assert_eq!(ids(context, Sample::TEXT.contains("xt 1")).await.len(), 9);
    assert_eq!(ids(context, Sample::TEXT.contains("")).await.len(), 16);
}

#[derive(Entity, Clone, Debug, PartialEq)]
#[arx(table = "plain_texts")]
struct PlainText {
    #[arx(key)]
    id: i64,
    text: String,
}

async fn no_character_is_special_in_a_plain_text(context: &Context<'_>) {
    context.create_table::<PlainText>().await;
    let texts = context.repository::<PlainText>();
    let special =
        ["50%", "50x", "a_b", "axb", r"a\b", r"a\\b", r"a\%b", "ab", "%", "_", r"\", "", "a'b", "[a]", "😀%", "*"];
    let rows: Vec<_> = special.iter().zip(0..).map(|(text, id)| PlainText { id, text: (*text).to_owned() }).collect();
    texts.create_multiple(&rows).await.unwrap();
    for part in special {
        let wanted = |test: fn(&str, &str) -> bool| -> Vec<&PlainText> {
            rows.iter().filter(|row| test(&row.text, part)).collect()
        };
        let found =
            texts.retrieve_multiple(PlainText::TEXT.contains(part)).order_by(PlainText::ID.asc()).await.unwrap();
        assert!(found.iter().eq(wanted(|text, part| text.contains(part))), "contains {part}: {found:?}");
        let found =
            texts.retrieve_multiple(PlainText::TEXT.starts_with(part)).order_by(PlainText::ID.asc()).await.unwrap();
        assert!(found.iter().eq(wanted(|text, part| text.starts_with(part))), "starts with {part}: {found:?}");
        let found =
            texts.retrieve_multiple(PlainText::TEXT.ends_with(part)).order_by(PlainText::ID.asc()).await.unwrap();
        assert!(found.iter().eq(wanted(|text, part| text.ends_with(part))), "ends with {part}: {found:?}");
        let found = texts.retrieve_multiple(PlainText::TEXT.eq(part)).await.unwrap();
        assert!(found.iter().eq(wanted(|text, part| text == part)), "equals {part}: {found:?}");
    }
}

async fn and_or_and_not_bind_as_they_are_written(context: &Context<'_>) {
    fill(context).await;
    let id = |id: i64| Sample::ID.eq(id);
    let even = || Sample::FLAG.eq(true);
    assert_eq!(ids(context, id(1).or(id(2)).and(even())).await, [2]);
    assert_eq!(ids(context, id(1).or(id(2).and(even()))).await, [1, 2]);
    assert_eq!(ids(context, even().and(id(1).or(id(2)))).await, [2]);
    assert_eq!(ids(context, (id(1) | id(2) | id(4)) & even()).await, [2, 4]);
    assert_eq!(ids(context, id(1) | id(2) & even() | id(3)).await, [1, 2, 3]);
    assert_eq!(ids(context, !(id(1) | id(2)) & Sample::ID.lt(4)).await, [0, 3]);
    assert_eq!(ids(context, !id(1) & !id(2) & Sample::ID.lt(4)).await, [0, 3]);
    assert_eq!(ids(context, !!id(1)).await, [1]);
    assert_eq!(ids(context, !(even() & Sample::ID.lt(4)) & Sample::ID.lt(6)).await, [1, 3, 4, 5]);
    assert_eq!(ids(context, Filter::all().and(id(5)).and(Filter::all())).await, [5]);
    assert_eq!(ids(context, id(5).or(Filter::all())).await.len(), 20);
    assert_eq!(ids(context, (id(5) & even()) | (id(6) & even()) | !Filter::all()).await, [6]);
    let (low, high) = (Sample::NUMBER.between(10, 20), Sample::NUMBER.is_in(&[40, 50]));
    assert_eq!(ids(context, (low | high) & Sample::TEXT.like("text%") & Sample::ID.ne(2)).await, [1, 5]);
}

async fn filters_have_one_text_whatever_the_values(context: &Context<'_>) {
    fill(context).await;
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..50 {
        let list: Vec<i64> = (0..random.usize(0..300)).map(|_| random.i64(0..20)).collect();
        let text = format!("'{}%", random.u32(..));
        let filter = Sample::ID.is_in(&list) & Sample::TEXT.contains(&text) & Sample::NUMBER.gt(random.i32(..));
        context.repository::<Sample>().count(filter).await.unwrap();
    }
    let texts: std::collections::HashSet<_> = context.log.texts().into_iter().collect();
    assert!(texts.len() <= context.list_texts(), "{} texts", texts.len());
}
