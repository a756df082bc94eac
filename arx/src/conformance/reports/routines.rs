//! Calls of stored procedures.

use crate::conformance::Context;
use crate::conformance::registry::cases;
use crate::{Procedure, Record};

cases! {
    case_080_warnings_nobody_sees: [13] [ResultSets];
    case_160_what_comes_back_before_the_last_set: [6] [ResultSets];
    case_162_a_trailing_set: [3] [ResultSets];
}

#[derive(Record, Debug, PartialEq)]
struct One {
    number: i64,
}

// mysql-net/MySqlConnector#1005: rows were dropped with 30 warnings, which the result did not show.
async fn case_080_warnings_nobody_sees(context: &Context<'_>) {
    let warn = "SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT = 'a row was dropped';";
    context.create_routine("PROCEDURE drops_rows()", warn).await;
    let done = context.db.execute(Procedure::new("drops_rows").messages(true)).await.unwrap();
    assert_eq!(done.messages().iter().map(|message| message.text()).collect::<Vec<_>>(), ["a row was dropped"]);
}

// DapperLib/Dapper#268: the return value was NULL before the second set had been read.
async fn case_160_what_comes_back_before_the_last_set(context: &Context<'_>) {
    context
        .create_routine("PROCEDURE sets(IN a bigint, IN b bigint, OUT c bigint)", "SET c = a + b; SELECT a; SELECT b;")
        .await;
    let call = Procedure::new("sets").argument(1_i64).argument(2_i64).output::<i64>("c");
    let done = context.db.execute(call).await.unwrap();
    assert_eq!(done.output::<i64>("c").unwrap(), 3);
    assert_eq!(done.rows::<One>(1).unwrap(), [One { number: 2 }]);
    assert_eq!(done.rows::<One>(0).unwrap(), [One { number: 1 }]);
    assert_eq!(done.sets(), 2);
}

// mysql-net/MySqlConnector#135: the packet that ends a CALL was taken for a third set.
async fn case_162_a_trailing_set(context: &Context<'_>) {
    context.create_routine("PROCEDURE two_sets()", "SELECT 1; SELECT 2;").await;
    let done = context.db.execute(Procedure::new("two_sets")).await.unwrap();
    assert_eq!(done.sets(), 2);
    assert_eq!(done.rows::<One>(1).unwrap(), [One { number: 2 }]);
    context.create_routine("PROCEDURE one_empty_set()", "SELECT 1 FROM (SELECT 1) a WHERE 1 = 0;").await;
    assert_eq!(context.db.execute(Procedure::new("one_empty_set")).await.unwrap().sets(), 1);
    context.create_routine("PROCEDURE no_set()", "SET @nothing = 1;").await;
    assert_eq!(context.db.execute(Procedure::new("no_set")).await.unwrap().sets(), 0);
}
