//! Routines that return rows: functions with sets of rows, procedures with several result sets, and messages.

use super::support::{assert_error, stored};
use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::conformance::tables::Item;
use crate::{ErrorKind, Function, Procedure, Record};

cases! {
    a_function_returns_rows: [3, 6] [Overloads];
    a_thousand_rows_come_back_from_a_function: [3] [Overloads];
    overloads_are_chosen_by_their_arguments: [13] [Overloads];
    defaults_of_parameters_are_the_databases: [5] [Overloads];
    a_procedure_returns_several_sets: [3, 6] [ResultSets];
    a_thousand_rows_come_back_from_a_procedure: [3] [ResultSets];
    texts_bytes_and_documents_come_back: [5, 6] [ResultSets];
    an_error_after_the_first_set_leaves_a_usable_connection: [2, 11] [ResultSets];
    messages_come_with_the_result_when_they_are_asked_for: [13] [ResultSets];
    a_database_without_messages_says_so: [13] [Overloads];
}

#[derive(Record, Clone, Debug, PartialEq)]
struct Line {
    id: i64,
    label: Option<String>,
}

async fn fill(context: &Context<'_>, rows: i32) -> String {
    context.create_table::<Item>().await;
    context.repository::<Item>().create_multiple(&Item::many(rows)).await.unwrap();
    context.backend.quote("items")
}

async fn a_function_returns_rows(context: &Context<'_>) {
    let items = fill(context, 10).await;
    let body = format!("RETURN QUERY SELECT i.id, i.note FROM {items} i WHERE i.amount < most ORDER BY i.id;");
    context.create_routine("FUNCTION lines(most int) RETURNS TABLE (id bigint, label text)", &body).await;
    let lines = context.db.execute(Function::new("lines").argument(4)).await.unwrap();
    let found = lines.rows::<Line>(0).unwrap();
    assert_eq!(found.iter().map(|line| line.id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(found[0].label, None);
    assert_eq!(found[1].label.as_deref(), Some("note 1"));
    context.assert_traffic(1, 1);
    let none = context.db.execute(Function::new("lines").input("most", 0)).await.unwrap();
    assert_eq!((none.sets(), none.rows::<Line>(0).unwrap().len()), (1, 0));
    // Rows of the table itself, and more than one value.
    context
        .create_routine(
            &format!("FUNCTION whole() RETURNS SETOF {items}"),
            &format!("RETURN QUERY SELECT * FROM {items};"),
        )
        .await;
    let whole = context.db.execute(Function::new("whole")).await.unwrap();
    assert_eq!(
        whole.rows::<Item>(0).unwrap(),
        context.repository::<Item>().retrieve_multiple(()).order_by(Item::ID.asc()).await.unwrap()
    );
    assert_eq!(whole.scalar::<i64>().unwrap_err().kind(), ErrorKind::InvalidInput);
    let head = "FUNCTION pair(a bigint, OUT twice bigint, OUT word text)";
    context.create_routine(head, "SELECT a * 2, 'x' INTO twice, word;").await;
    let pair = context.db.execute(Function::new("pair").argument(4_i64)).await.unwrap();
    assert_eq!(pair.rows::<Line>(0).unwrap(), [Line { id: 8, label: Some("x".into()) }]);
}

async fn a_thousand_rows_come_back_from_a_function(context: &Context<'_>) {
    let items = fill(context, 1_000).await;
    let body = format!("RETURN QUERY SELECT i.id, i.note FROM {items} i ORDER BY i.id;");
    context.create_routine("FUNCTION lines() RETURNS TABLE (id bigint, label text)", &body).await;
    let lines = context.db.execute(Function::new("lines")).await.unwrap();
    let ids: Vec<_> = lines.rows::<Line>(0).unwrap().into_iter().map(|line| line.id).collect();
    assert_eq!(ids, (1..=1_000).collect::<Vec<_>>());
    // They can be read again.
    assert_eq!(lines.rows::<Line>(0).unwrap().len(), 1_000);
}

async fn overloads_are_chosen_by_their_arguments(context: &Context<'_>) {
    for (parameters, answer) in
        [("a bigint", "number"), ("a text", "text"), ("a bigint, b bigint", "two"), ("", "none")]
    {
        context
            .create_routine(&format!("FUNCTION which({parameters}) RETURNS text"), &format!("RETURN '{answer}';"))
            .await;
    }
    let which = || Function::new("which");
    for (call, answer) in [
        (which().argument(1_i64), "number"),
        (which().argument(1_i16), "number"),
        (which().argument("1"), "text"),
        (which().argument(1_i64).argument(2_i64), "two"),
        (which().input("b", 1_i64).input("a", 2_i64), "two"),
        (which(), "none"),
    ] {
        assert_eq!(context.db.execute(call).await.unwrap().scalar::<String>().unwrap(), answer);
    }
    for call in [which().argument(true), which().argument("x").argument("y"), which().input("c", 1)] {
        let error = context.db.execute(call).await.unwrap_err();
        assert_error(&error, ErrorKind::InvalidInput, &["x"]);
        assert!(error.to_string().contains("4 overloads"), "{error}");
    }
    // Of equal distance: which of them is meant is for the caller to say.
    for parameters in ["a int, b bigint", "a bigint, b int"] {
        context.create_routine(&format!("FUNCTION either({parameters}) RETURNS text"), "RETURN 'x';").await;
    }
    let error = context.db.execute(Function::new("either").argument(1_i16).argument(1_i16)).await.unwrap_err();
    assert_error(&error, ErrorKind::InvalidInput, &[]);
    let exact = context.db.execute(Function::new("either").argument(1_i32).argument(1_i64)).await.unwrap();
    assert_eq!(exact.scalar::<String>().unwrap(), "x");
}

async fn defaults_of_parameters_are_the_databases(context: &Context<'_>) {
    let head = "FUNCTION greet(name text, word text DEFAULT 'Hello', mark text DEFAULT '!') RETURNS text";
    context.create_routine(head, "RETURN word || ' ' || name || mark;").await;
    let greet = || Function::new("greet").argument("Ann");
    for (call, answer) in [
        (greet(), "Hello Ann!"),
        (greet().argument("Bye"), "Bye Ann!"),
        (greet().input("mark", "?"), "Hello Ann?"),
        (greet().input("mark", "?").input("word", "So"), "So Ann?"),
    ] {
        assert_eq!(context.db.execute(call).await.unwrap().scalar::<String>().unwrap(), answer);
    }
    context
        .create_routine(
            "FUNCTION total(VARIADIC parts bigint[]) RETURNS bigint",
            "RETURN (SELECT sum(p) FROM unnest(parts) p);",
        )
        .await;
    let total = Function::new("total").argument(1_i64).argument(2_i64).argument(4_i64);
    assert_eq!(context.db.execute(total).await.unwrap().scalar::<Option<i64>>().unwrap(), Some(7));
}

async fn a_procedure_returns_several_sets(context: &Context<'_>) {
    let items = fill(context, 10).await;
    let body = format!(
        "SELECT id, note FROM {items} WHERE amount < most ORDER BY id; UPDATE {items} SET amount = amount + 1; \
         SELECT * FROM {items} WHERE 1 = 0; SELECT COUNT(*) FROM {items}; SET most = most * 2;"
    );
    context.create_routine("PROCEDURE report(INOUT most int)", &body).await;
    for (most, rows) in [(4, 4), (0, 0)] {
        let report = context.db.execute(Procedure::new("report").inout("most", most)).await.unwrap();
        assert_eq!(report.sets(), 3);
        assert_eq!(report.rows::<Line>(0).unwrap().len(), rows);
        assert_eq!(report.rows::<Item>(1).unwrap(), []);
        assert_eq!(report.output::<i32>("most").unwrap(), most * 2);
        assert_eq!(report.rows::<Line>(3).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(report.rows::<Line>(2).unwrap_err().kind(), ErrorKind::Decode);
        context.assert_traffic(1, 1);
    }
}

async fn a_thousand_rows_come_back_from_a_procedure(context: &Context<'_>) {
    let items = fill(context, 1_000).await;
    context.create_routine("PROCEDURE all_lines()", &format!("SELECT id, note FROM {items} ORDER BY id;")).await;
    let lines = context.db.execute(Procedure::new("all_lines")).await.unwrap();
    assert_eq!(lines.sets(), 1);
    let ids: Vec<_> = lines.rows::<Line>(0).unwrap().into_iter().map(|line| line.id).collect();
    assert_eq!(ids, (1..=1_000).collect::<Vec<_>>());
}

async fn texts_bytes_and_documents_come_back(context: &Context<'_>) {
    let head = "PROCEDURE gives(OUT a text, OUT b varbinary(20), OUT c json, OUT d binary(16), OUT e time(6), OUT f bigint unsigned)";
    let body = "SELECT 'Grüße 🦀', x'00ff', '{\"a\": 1}', x'00112233445566778899aabbccddeeff', '12:34:56.789012', \
                18446744073709551615 INTO a, b, c, d, e, f;";
    context.create_routine(head, body).await;
    let call = Procedure::new("gives").output::<String>("a").output::<Vec<u8>>("b").output::<serde_json::Value>("c");
    let call = call.output::<uuid::Uuid>("d").output::<chrono::NaiveTime>("e").output::<u64>("f");
    let given = context.db.execute(call).await.unwrap();
    assert_eq!(given.output::<String>("a").unwrap(), "Grüße 🦀");
    assert_eq!(given.output::<Vec<u8>>("b").unwrap(), [0, 255]);
    assert_eq!(given.output::<serde_json::Value>("c").unwrap(), serde_json::json!({"a": 1}));
    assert_eq!(given.output::<uuid::Uuid>("d").unwrap().as_bytes()[15], 0xff);
    assert_eq!(given.output::<chrono::NaiveTime>("e").unwrap().to_string(), "12:34:56.789012");
    assert_eq!(given.output::<u64>("f").unwrap(), u64::MAX);
    // Bytes that are no text are not read as one.
    assert_eq!(given.output::<String>("b").unwrap_err().kind(), ErrorKind::Decode);
}

async fn an_error_after_the_first_set_leaves_a_usable_connection(context: &Context<'_>) {
    let items = fill(context, 100).await;
    let body = format!(
        "INSERT INTO {items} (name, amount) VALUES ('x', 1); SELECT id, note FROM {items}; \
         SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'secret 4711'; SELECT 1;"
    );
    context.create_routine("PROCEDURE fails()", &body).await;
    let alone = context.another(1).await;
    for round in 0..3 {
        let error = alone.execute(Procedure::new("fails").atomic()).await.unwrap_err();
        assert_error(&error, ErrorKind::Database, &["4711"]);
        assert_eq!(stored::<Item>(&alone).await, 100, "round {round}");
    }
    let tx = alone.begin().await.unwrap();
    tx.execute(Procedure::new("fails")).await.unwrap_err();
    tx.rollback().await.unwrap();
    assert_eq!(stored::<Item>(&alone).await, 100);
}

async fn messages_come_with_the_result_when_they_are_asked_for(context: &Context<'_>) {
    context
        .create_routine(
            "PROCEDURE warns()",
            "SELECT 1; SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'take care', MYSQL_ERRNO = 1642;",
        )
        .await;
    let quiet = context.db.execute(Procedure::new("warns")).await.unwrap();
    assert!(quiet.messages().is_empty());
    context.assert_traffic(1, 1);
    let warned = context.db.execute(Procedure::new("warns").messages(true)).await.unwrap();
    context.assert_traffic(1, 2);
    let [message] = warned.messages() else { panic!("{:?}", warned.messages()) };
    assert_eq!((message.level(), message.code(), message.text()), ("Warning", 1642, "take care"));
    assert!(!format!("{warned:?}").contains("take care"));
    assert_eq!(warned.scalar::<i64>().unwrap(), 1);
    let none = context.db.execute(Procedure::new("warns").messages(false)).await.unwrap();
    assert!(none.messages().is_empty());
}

async fn a_database_without_messages_says_so(context: &Context<'_>) {
    context.create_routine("PROCEDURE quiet()", "NULL;").await;
    let error = context.db.execute(Procedure::new("quiet").messages(true)).await.unwrap_err();
    assert_error(&error, ErrorKind::Unsupported, &[]);
    context.db.execute(Procedure::new("quiet")).await.unwrap();
}
