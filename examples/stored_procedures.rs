//! Calls a stored procedure and a function: arguments by name and by position, what comes back, and a result set.
//!
//! `cargo run --release --example stored_procedures -- --database URL`, with PostgreSQL, MySQL or MariaDB. SQLite has
//! no stored routines: there the call is an error of kind `Unsupported`, which is shown.

use arx::prelude::*;
use arx_examples::{argument, generated_key, open};
use rust_decimal::Decimal;

#[derive(Entity, Clone, Debug)]
#[arx(table = "example_orders")]
struct Order {
    #[arx(key, generated)]
    id: i64,
    customer: i64,
    amount: Decimal,
}

/// What a call returns is read as any record.
#[derive(Record, Debug)]
struct Line {
    id: i64,
    amount: Decimal,
}

const POSTGRES: [&str; 3] = [
    "CREATE OR REPLACE PROCEDURE place_order(IN for_customer bigint, IN price decimal(12, 2), OUT order_id bigint)
     LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO example_orders (customer, amount) VALUES (for_customer, price) RETURNING id INTO order_id;
     END $$",
    "CREATE OR REPLACE FUNCTION order_total(for_customer bigint) RETURNS decimal
     LANGUAGE sql AS $$ SELECT sum(amount) FROM example_orders WHERE customer = for_customer $$",
    "CREATE OR REPLACE FUNCTION orders_of(for_customer bigint) RETURNS TABLE (id bigint, amount decimal)
     LANGUAGE sql AS $$ SELECT id, amount FROM example_orders WHERE customer = for_customer ORDER BY id $$",
];

const MYSQL: [&str; 6] = [
    "DROP PROCEDURE IF EXISTS place_order",
    "CREATE PROCEDURE place_order(IN for_customer BIGINT, IN price DECIMAL(12, 2), OUT order_id BIGINT)
     BEGIN
       INSERT INTO example_orders (customer, amount) VALUES (for_customer, price);
       SET order_id = LAST_INSERT_ID();
     END",
    "DROP FUNCTION IF EXISTS order_total",
    "CREATE FUNCTION order_total(for_customer BIGINT) RETURNS DECIMAL(12, 2) READS SQL DATA
     RETURN (SELECT SUM(amount) FROM example_orders WHERE customer = for_customer)",
    "DROP PROCEDURE IF EXISTS orders_of",
    "CREATE PROCEDURE orders_of(IN for_customer BIGINT)
     SELECT id, amount FROM example_orders WHERE customer = for_customer ORDER BY id",
];

#[tokio::main]
async fn main() -> Result<(), Error> {
    let url = argument("--database").unwrap_or_else(|| "sqlite::memory:".to_owned());
    let db = open(&url).await?;
    let is_postgres = url.starts_with("postgres");
    if url.starts_with("sqlite") {
        match db.execute(Procedure::new("place_order").argument(1_i64)).await {
            Err(error) if error.kind() == ErrorKind::Unsupported => println!("{error}"),
            other => println!("unexpected: {other:?}"),
        }
        return Ok(());
    }
    db.run("DROP TABLE IF EXISTS example_orders", ()).await?;
    let columns = format!("id {}, customer BIGINT NOT NULL, amount DECIMAL(12, 2) NOT NULL", generated_key(&url));
    db.run(&format!("CREATE TABLE example_orders ({columns})"), ()).await?;
    for sql in if is_postgres { POSTGRES.as_slice() } else { MYSQL.as_slice() } {
        db.run(sql, ()).await?;
    }

    // By name, in any order; the parameter that comes back is asked for with its type.
    let call = Procedure::new("place_order").input("price", Decimal::new(19_90, 2)).input("for_customer", 5_i64);
    let placed = db.execute(call.output::<i64>("order_id")).await?;
    println!("placed order {}", placed.output::<i64>("order_id")?);

    // By position; in a transaction, with everything else that belongs to it.
    let tx = db.begin().await?;
    let call = Procedure::new("place_order").argument(5_i64).argument(Decimal::new(5_00, 2)).output_argument::<i64>();
    println!("placed order {}", tx.execute(call).await?.output_at::<i64>(0)?);
    tx.repository::<Order>().create(&Order { id: 0, customer: 6, amount: Decimal::ONE }).await?;
    tx.commit().await?;

    // A function's value, and rows: of a function on PostgreSQL, of a procedure on MySQL and MariaDB.
    let total = db.execute(Function::new("order_total").argument(5_i64)).await?.scalar::<Option<Decimal>>()?;
    println!("total {}", total.unwrap_or_default());
    let orders = if is_postgres {
        db.execute(Function::new("orders_of").argument(5_i64)).await?
    } else {
        db.execute(Procedure::new("orders_of").argument(5_i64)).await?
    };
    for line in orders.rows::<Line>(0)? {
        println!("order {}: {}", line.id, line.amount);
    }

    // What does not fit is refused before anything is sent, and says why.
    if let Err(error) = db.execute(Procedure::new("place_order").input("customer", 5_i64)).await {
        println!("{error}");
    }
    Ok(())
}
