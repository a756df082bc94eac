//! Stored procedures and functions: arguments by name and by position, what comes back, and what is refused.

use std::future::IntoFuture as _;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use rust_decimal::Decimal;

use super::support::{assert_error, drop_at, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{ErrorKind, Function, Procedure};

cases! {
    a_procedure_is_called_by_name: [6, 7] [Routines];
    a_procedure_is_called_by_position: [6] [Routines];
    what_is_not_asked_for_does_not_come_back: [13] [Routines];
    every_kind_comes_back_and_so_does_null: [5, 6] [Routines];
    a_procedure_without_parameters_is_called: [3] [Routines];
    a_function_returns_a_value: [5, 6] [Routines];
    arguments_that_do_not_fit_are_refused_before_anything_is_sent: [13] [Routines];
    an_answer_that_does_not_fit_is_refused: [13] [Routines];
    names_of_routines_are_only_names: [12] [Routines];
    values_of_arguments_are_only_values: [6, 12] [Routines];
    a_call_in_a_transaction_is_undone_with_it: [2] [Routines];
    an_atomic_call_is_done_whole_or_not_at_all: [2] [Routines];
    a_routine_that_was_replaced_is_looked_up_again: [13] [Routines];
    a_dropped_call_leaves_a_clean_connection: [11] [Routines];
    a_database_without_routines_says_so: [13] [NoRoutines];
}

/// Doubles an amount, counts, and says when: a parameter of each mode.
async fn create_place_order(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let head = "PROCEDURE place_order(IN item_name varchar(100), IN amount_in int, INOUT counter bigint, \
                OUT total decimal(20, 4), OUT nothing varchar(20))";
    let items = context.backend.quote("items");
    let body = format!(
        "INSERT INTO {items} (name, amount) VALUES (item_name, amount_in); \
         SELECT counter + 1, amount_in * 1.2500, NULL INTO counter, total, nothing;"
    );
    context.create_routine(head, &body).await;
}

fn place_order() -> Procedure<'static> {
    Procedure::new("place_order")
}

async fn a_procedure_is_called_by_name(context: &Context<'_>) {
    create_place_order(context).await;
    for round in 0..3_i64 {
        let call = place_order()
            .output::<Option<String>>("nothing")
            .output::<Decimal>("total")
            .inout("counter", 41 + round)
            .input("amount_in", 3)
            .input("item_name", "lamp");
        let placed = context.db.execute(call).await.unwrap();
        assert_eq!(placed.sets(), 0);
        assert_eq!(placed.output::<i64>("counter").unwrap(), 42 + round);
        assert_eq!(placed.output::<Decimal>("total").unwrap(), Decimal::new(37_500, 4));
        assert_eq!(placed.output::<Option<String>>("nothing").unwrap(), None);
        assert!(placed.messages().is_empty());
        context.assert_traffic(1, 1);
    }
    assert_eq!(stored::<Item>(&context.db).await, 3);
}

async fn a_procedure_is_called_by_position(context: &Context<'_>) {
    create_place_order(context).await;
    let call = place_order()
        .argument("lamp")
        .argument(4)
        .inout_argument(1_i64)
        .output_argument::<Decimal>()
        .output_argument::<Option<String>>();
    let placed = context.db.execute(call).await.unwrap();
    assert_eq!(placed.output_at::<i64>(0).unwrap(), 2);
    assert_eq!(placed.output_at::<Decimal>(1).unwrap(), Decimal::new(50_000, 4));
    assert_eq!(placed.output_at::<Option<String>>(2).unwrap(), None);
    assert_eq!(placed.output_at::<i64>(3).unwrap_err().kind(), ErrorKind::InvalidInput);
    // What was given by position has a name too.
    assert_eq!(placed.output::<i64>("counter").unwrap(), 2);
    let mixed = place_order().argument("lamp").output::<Decimal>("total").input("amount_in", 2).input("counter", 5_i64);
    let placed = context.db.execute(mixed).await.unwrap();
    assert_eq!(placed.output_at::<Decimal>(0).unwrap(), Decimal::new(25_000, 4));
    context.assert_traffic(2, 2);
}

async fn what_is_not_asked_for_does_not_come_back(context: &Context<'_>) {
    create_place_order(context).await;
    let call = place_order().argument("lamp").argument(4).inout_argument(1_i64);
    let placed = context.db.execute(call).await.unwrap();
    assert_eq!(placed.output::<i64>("counter").unwrap(), 2);
    for name in ["total", "item_name", "never"] {
        let error = placed.output::<Decimal>(name).unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &["lamp"]);
        assert!(error.to_string().contains(name), "{error}");
    }
}

async fn every_kind_comes_back_and_so_does_null(context: &Context<'_>) {
    let head = "PROCEDURE every_kind(IN empty_too int, OUT a smallint, OUT b int, OUT c bigint, OUT d decimal(28, 8), \
                OUT e varchar(100), OUT f date, OUT g timestamp(6), OUT h double precision)";
    let body = "IF empty_too = 0 THEN SELECT -32768, 2147483647, -9223372036854775808, 12345678901234567890.12345678, \
           'Grüße 🦀', DATE '1999-12-31', TIMESTAMP '2020-01-02 03:04:05.678901', 0.1 INTO a, b, c, d, e, f, g, h; END IF;";
    context.create_routine(head, body).await;
    for empty in [0, 1, 0] {
        let call = Procedure::new("every_kind")
            .argument(empty)
            .output::<i16>("a")
            .output::<i32>("b")
            .output::<i64>("c")
            .output::<Decimal>("d")
            .output::<String>("e")
            .output::<NaiveDate>("f")
            .output::<NaiveDateTime>("g")
            .output::<f64>("h");
        let found = context.db.execute(call).await.unwrap();
        let expected = |value: &str| (empty == 0).then(|| value.to_owned());
        macro_rules! check {
            ($($name:literal: $kind:ty => $value:literal;)+) => {$(
                let value = found.output::<Option<$kind>>($name).unwrap();
                assert_eq!(value.map(|value| value.to_string()), expected($value), "{}", $name);
            )+};
        }
        check! {
            "a": i16 => "-32768";
            "b": i32 => "2147483647";
            "c": i64 => "-9223372036854775808";
            "d": Decimal => "12345678901234567890.12345678";
            "e": String => "Grüße 🦀";
            "f": NaiveDate => "1999-12-31";
            "g": NaiveDateTime => "2020-01-02 03:04:05.678901";
            "h": f64 => "0.1";
        }
    }
}

async fn a_procedure_without_parameters_is_called(context: &Context<'_>) {
    context.create_table::<Item>().await;
    let items = context.backend.quote("items");
    let insert = format!("INSERT INTO {items} (name, amount) VALUES ('x', 1);");
    context.create_routine("PROCEDURE nothing_at_all()", &insert).await;
    let done = context.db.execute(Procedure::new("nothing_at_all")).await.unwrap();
    assert_eq!((done.sets(), done.messages().len()), (0, 0));
    assert_eq!(done.rows::<Item>(0).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert_eq!(done.scalar::<i64>().unwrap_err().kind(), ErrorKind::InvalidInput);
    context.assert_traffic(1, 1);
    assert_eq!(stored::<Item>(&context.db).await, 1);
}

async fn a_function_returns_a_value(context: &Context<'_>) {
    context.create_routine("FUNCTION twice(a decimal(20, 4), b bigint) RETURNS decimal(20, 4)", "RETURN a * b;").await;
    let by_position = Function::new("twice").argument(Decimal::new(15_000, 4)).argument(3_i64);
    let value = context.db.execute(by_position).await.unwrap();
    assert_eq!(value.scalar::<Decimal>().unwrap(), Decimal::new(45_000, 4));
    assert_eq!(value.sets(), 1);
    let by_name = Function::new("twice").input("b", 3_i64).input("a", Decimal::new(20_000, 4));
    let value = context.db.execute(by_name).await.unwrap();
    assert_eq!(value.scalar::<Option<Decimal>>().unwrap(), Some(Decimal::new(60_000, 4)));
    let none = Function::new("twice").argument(None::<Decimal>).argument(3_i64);
    let value = context.db.execute(none).await.unwrap();
    assert_eq!(value.scalar::<Option<Decimal>>().unwrap(), None);
    assert_eq!(value.scalar::<Decimal>().unwrap_err().kind(), ErrorKind::Decode);
    context.assert_traffic(3, 3);
}

async fn arguments_that_do_not_fit_are_refused_before_anything_is_sent(context: &Context<'_>) {
    create_place_order(context).await;
    let calls = [
        ("takes 5 arguments and 1 were given", place_order().argument("lamp")),
        ("takes 5 arguments and 6 were given", (0..6).fold(place_order(), |call, _| call.argument(1))),
        ("no parameter colour", place_order().input("colour", "red")),
        ("item_name is not given", place_order().input("amount_in", 1).input("counter", 1_i64)),
        ("item_name is given twice", place_order().argument("lamp").input("item_name", "lamp")),
        ("before those by name", place_order().input("amount_in", 1).argument("lamp")),
        ("total only comes back", place_order().input("total", Decimal::ONE)),
        ("amount_in does not come back", place_order().output::<i32>("amount_in")),
        ("counter goes both ways", place_order().output::<i64>("counter")),
    ];
    for (message, call) in calls {
        let error = context.db.execute(call).await.unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &["lamp"]);
        let text = error.to_string();
        assert!(text.contains(message) && text.contains("call place_order"), "{text} is not about {message}");
    }
    for call in [
        Procedure::new("no_such_procedure").argument(1),
        Procedure::new("place_order").schema("no_such_schema").argument(1),
        Procedure::new(""),
    ] {
        let error = context.db.execute(call).await.unwrap_err();
        assert_error(&error, ErrorKind::UndefinedObject, &[]);
    }
    let function = context.db.execute(Function::new("place_order").argument("lamp")).await.unwrap_err();
    assert!(function.to_string().contains("Procedure"), "{function}");
    context.assert_traffic(0, 0);
    assert_eq!(stored::<Item>(&context.db).await, 0);
    context.assert_usable().await;
}

async fn an_answer_that_does_not_fit_is_refused(context: &Context<'_>) {
    create_place_order(context).await;
    let call = place_order().argument("lamp").argument(4).inout_argument(1_i64).output::<Decimal>("total");
    let placed = context.db.execute(call.output::<String>("nothing")).await.unwrap();
    for error in [
        placed.output::<DateTime<Utc>>("total").unwrap_err(),
        placed.output::<String>("nothing").unwrap_err(),
        placed.output::<bool>("counter").unwrap_err(),
    ] {
        assert_error(&error, ErrorKind::Decode, &[]);
        assert!(error.to_string().contains("call place_order"), "{error}");
        assert!(error.column().is_some());
    }
    assert_eq!(placed.output::<Decimal>("total").unwrap(), Decimal::new(50_000, 4));
}

async fn names_of_routines_are_only_names(context: &Context<'_>) {
    let name = "it's \"a\" `name`); DROP TABLE items; --";
    context.create_table::<Item>().await;
    let quoted = context.backend.quote(name);
    let parameter = context.backend.quote("a \"b\" `c`");
    context.create_routine(&format!("FUNCTION {quoted}({parameter} bigint) RETURNS bigint"), "RETURN 7;").await;
    let called = Function::new(name).input("a \"b\" `c`", 1_i64);
    assert_eq!(context.db.execute(called).await.unwrap().scalar::<i64>().unwrap(), 7);
    for name in ["nul\0", "x); DROP TABLE items; --"] {
        assert!(context.db.execute(Procedure::new(name)).await.is_err());
    }
    assert_eq!(stored::<Item>(&context.db).await, 0);
}

async fn values_of_arguments_are_only_values(context: &Context<'_>) {
    context.create_routine("FUNCTION same(a varchar(200)) RETURNS varchar(200)", "RETURN a;").await;
    for text in ["'); DROP TABLE items; --", "\\", "?", "$1", "%s", "", "🦀 Grüße", "\u{1}\n\t"] {
        let same = context.db.execute(Function::new("same").argument(text)).await.unwrap();
        assert_eq!(same.scalar::<String>().unwrap(), text);
        let owned = Some(text.to_owned());
        let same = context.db.execute(Function::new("same").input("a", owned.clone())).await.unwrap();
        assert_eq!(same.scalar::<Option<String>>().unwrap(), owned);
    }
    let texts = context.log.texts();
    assert!(texts.iter().all(|sql| *sql == texts[0]), "the value is in the text: {texts:?}");
}

async fn a_call_in_a_transaction_is_undone_with_it(context: &Context<'_>) {
    create_place_order(context).await;
    let mut tx = context.db.begin().await.unwrap();
    let call = || place_order().argument("lamp").argument(4).inout_argument(1_i64);
    assert_eq!(tx.execute(call()).await.unwrap().output::<i64>("counter").unwrap(), 2);
    let inner = tx.begin().await.unwrap();
    inner.execute(call()).await.unwrap();
    inner.rollback().await.unwrap();
    assert_eq!(tx.repository::<Item>().count(()).await.unwrap(), 1);
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 0);
}

/// Inserts a row and then violates a constraint.
async fn create_half_way(context: &Context<'_>) {
    context.create_table_with::<Item>(&[], &["UNIQUE (amount)"]).await;
    let items = context.backend.quote("items");
    let insert = |amount: i32| format!("INSERT INTO {items} (name, amount) VALUES ('x', {amount});");
    context.create_routine("PROCEDURE half_way()", &[insert(1), insert(2), insert(1)].concat()).await;
}

async fn an_atomic_call_is_done_whole_or_not_at_all(context: &Context<'_>) {
    create_half_way(context).await;
    let error = context.db.execute(Procedure::new("half_way").atomic()).await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &[]);
    context.assert_traffic(1, 3);
    assert_eq!(stored::<Item>(&context.db).await, 0);
    let tx = context.db.begin().await.unwrap();
    tx.repository::<Item>().create(&Item::new(9)).await.unwrap();
    let error = tx.execute(Procedure::new("half_way").atomic()).await.unwrap_err();
    assert_error(&error, ErrorKind::UniqueViolation, &[]);
    tx.commit().await.unwrap();
    assert_eq!(stored::<Item>(&context.db).await, 1);
    context.assert_usable().await;
}

async fn a_routine_that_was_replaced_is_looked_up_again(context: &Context<'_>) {
    context.create_routine("FUNCTION changes(a bigint) RETURNS bigint", "RETURN a;").await;
    let alone = context.another(1).await;
    let one = alone.execute(Function::new("changes").argument(1_i64)).await.unwrap();
    assert_eq!(one.scalar::<i64>().unwrap(), 1);
    context.run("DROP FUNCTION changes").await;
    context.create_routine("FUNCTION changes(a bigint, b varchar(20)) RETURNS varchar(20)", "RETURN b;").await;
    // What is known of it is outdated: the server refuses, or there is no such thing any more.
    let error = alone.execute(Function::new("changes").argument(1_i64)).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UndefinedObject | ErrorKind::InvalidInput), "{error:?}");
    let two = alone.execute(Function::new("changes").argument(1_i64).argument("x")).await.unwrap();
    assert_eq!(two.scalar::<String>().unwrap(), "x");
}

async fn a_dropped_call_leaves_a_clean_connection(context: &Context<'_>) {
    create_place_order(context).await;
    let alone = context.another(1).await;
    let mut place = 1;
    loop {
        let call = place_order().argument("lamp").argument(4).inout_argument(1_i64);
        let done = drop_at(alone.execute(call).into_future(), place).await;
        // A connection that another call's answer is left on would give it to this one.
        let next = place_order().argument("next").argument(4).inout_argument(100_i64);
        let next = alone.execute(next).await.unwrap();
        assert_eq!(next.output::<i64>("counter").unwrap(), 101);
        alone.begin().await.unwrap().commit().await.unwrap();
        match done {
            None => place += 1,
            Some(done) => return assert_eq!(done.unwrap().output::<i64>("counter").unwrap(), 2),
        }
    }
}

async fn a_database_without_routines_says_so(context: &Context<'_>) {
    let procedure = context.db.execute(place_order().argument(1)).await.unwrap_err();
    assert_error(&procedure, ErrorKind::Unsupported, &[]);
    let tx = context.db.begin().await.unwrap();
    let function = tx.execute(Function::new("twice").argument(1)).await.unwrap_err();
    assert_error(&function, ErrorKind::Unsupported, &[]);
    assert!(function.to_string().contains("call twice"), "{function}");
    tx.commit().await.unwrap();
    context.assert_usable().await;
}
