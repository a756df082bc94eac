//! The conformance suite on MySQL and MariaDB: a database of its own for each case.

#![allow(clippy::expect_used)]

mod server;

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use arx::conformance::{Backend, Open, Requires};
use arx::connection::{BoxFuture, Pool};
use arx::entity::ColumnMeta;
use arx::error::Result;
use arx::value::ScalarKind;
use server::Server;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _};

/// What MySQL has; MariaDB has all but the first.
const MYSQL: [Requires; 9] = [
    Requires::NegativeZero,
    Requires::NulText,
    Requires::RowLocks,
    Requires::Isolation,
    Requires::ServerCounts,
    Requires::Schemas,
    Requires::SizedIntegers,
    Requires::Routines,
    Requires::ResultSets,
];

/// Neither has arrays, types of the application's own, NaN, or snapshots that refuse a write over a newer row; a
/// column's decimals have the scale of the column; a trigger cannot write to its own table; and a key that is no
/// counter is not reported, or row by row only; there are no overloads and no functions of rows. The first is skipped on MariaDB only.
const SKIPS: [&str; 23] = [
    "a_zero_keeps_its_sign",
    "a_database_without_messages_says_so",
    "a_function_returns_rows",
    "a_thousand_rows_come_back_from_a_function",
    "defaults_of_parameters_are_the_databases",
    "overloads_are_chosen_by_their_arguments",
    "a_database_without_routines_says_so",
    "a_failure_that_never_ends_is_given_up",
    "a_serialization_failure_is_repeated",
    "arrays_of_every_kind_survive",
    "arrays_of_hard_texts_survive",
    "arrays_survive_ragged_and_empty",
    "case_016_arrays_all_set_to_null",
    "case_085_every_row_has_an_array_of_its_own",
    "case_087_an_enum_with_a_name_in_upper_case",
    "case_089_a_batch_is_cast_by_its_columns",
    "case_090_a_number_that_is_none",
    "case_110_a_trigger_that_inserts_into_the_same_table",
    "case_169_keys_that_do_not_ascend",
    "decimals_keep_their_scale",
    "floats_that_are_no_numbers_survive",
    "native_enums_survive",
    "the_database_makes_keys_in_no_order",
];

struct Mysql {
    server: Server,
    version: String,
    opened: Mutex<HashSet<String>>,
}

impl Mysql {
    /// The type of a column. Only a short text can be in a key or have a default; blanks at its end count.
    fn typed(&self, column: &ColumnMeta, is_short: bool, is_collated: bool) -> String {
        let collation = match is_collated {
            false => "",
            true => self.server.pick(" COLLATE utf8mb4_0900_bin", " COLLATE utf8mb4_nopad_bin"),
        };
        match (column.kind, column.type_name) {
            (_, Some(name)) => name.to_owned(),
            // A key has at most 3,072 bytes.
            (ScalarKind::Text, None) if is_short => format!("VARCHAR(190){collation}"),
            (ScalarKind::Text, None) => format!("LONGTEXT{collation}"),
            (ScalarKind::Bytes, None) if is_short => "VARBINARY(190)".to_owned(),
            (kind, None) => type_name(kind).to_owned(),
        }
    }

    async fn admin(&self, sql: String) -> Result<(), sqlx::Error> {
        self.server.options.connect().await?.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.map(drop)
    }
}

/// The name of a case's database: at most 64 characters, and not that of another case.
fn database(case: &str) -> String {
    let hash = case.bytes().fold(5_381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    let short: String = case.chars().take(50).collect();
    if short.len() == case.len() { case.to_owned() } else { format!("{short}_{hash:x}") }
}

impl Backend for Mysql {
    fn name(&self) -> String {
        format!("{} {}", self.server.name, self.version)
    }

    fn provides(&self) -> &'static [Requires] {
        self.server.pick(&MYSQL, &MYSQL[1..])
    }

    fn skips(&self) -> &'static [&'static str] {
        self.server.pick(&SKIPS[1..], &SKIPS)
    }

    fn block_on(&self, case: BoxFuture<'_, ()>) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("the runtime starts").block_on(case);
    }

    fn open<'a>(&'a self, case: &'a str, options: Open) -> BoxFuture<'a, Result<Arc<dyn Pool>>> {
        Box::pin(async move {
            let name = database(case);
            let is_first = self.opened.lock().expect("no case panics here").insert(case.to_owned());
            if is_first {
                // A run that failed has left its databases behind.
                let sql = format!("DROP DATABASE IF EXISTS `{name}`; CREATE DATABASE `{name}`");
                self.admin(sql).await.expect("the database is created");
            }
            let connect = self.server.options.clone().database(&name).statement_cache_capacity(500);
            Ok(arx_mysql::Options::new(connect).max_connections(options.connections).lazy())
        })
    }

    fn remove<'a>(&'a self, case: &'a str) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            self.admin(format!("DROP DATABASE `{}`", database(case))).await.expect("the database is removed");
            Ok(())
        })
    }

    fn column_type(&self, column: &ColumnMeta) -> String {
        let is_indexed = column.unique || column.role == arx::entity::Role::Key;
        self.typed(column, is_indexed, true)
    }

    fn extended_type(&self, column: &ColumnMeta, extra: &str) -> String {
        let is_key = column.unique || column.role == arx::entity::Role::Key;
        let is_short = is_key || ["UNIQUE", "DEFAULT", "COLLATE"].iter().any(|word| extra.contains(word));
        format!("{} {extra}", self.typed(column, is_short, !extra.contains("COLLATE")))
    }

    fn trigger(&self, when: &str, table: &str, body: &str) -> Vec<String> {
        vec![format!("CREATE TRIGGER beside {when} ON {table} FOR EACH ROW BEGIN {body} END")]
    }

    fn routine(&self, head: &str, body: &str) -> String {
        let rights = if head.starts_with("FUNCTION") { "READS SQL DATA" } else { "" };
        format!("CREATE {head} {rights} BEGIN {body} END")
    }

    fn generated_key(&self, column: &ColumnMeta) -> String {
        format!("{} AUTO_INCREMENT PRIMARY KEY", type_name(column.kind))
    }

    fn quote(&self, name: &str) -> String {
        format!("`{}`", name.replace('`', "``"))
    }
}

fn type_name(kind: ScalarKind) -> &'static str {
    match kind {
        ScalarKind::Bool => "TINYINT(1)",
        ScalarKind::I8 => "TINYINT",
        ScalarKind::I16 => "SMALLINT",
        ScalarKind::I32 => "INT",
        ScalarKind::I64 => "BIGINT",
        ScalarKind::U8 => "TINYINT UNSIGNED",
        ScalarKind::U16 => "SMALLINT UNSIGNED",
        ScalarKind::U32 => "INT UNSIGNED",
        ScalarKind::U64 => "BIGINT UNSIGNED",
        ScalarKind::F32 => "FLOAT",
        ScalarKind::F64 => "DOUBLE",
        ScalarKind::Decimal => "DECIMAL(65, 30)",
        ScalarKind::Bytes => "LONGBLOB",
        ScalarKind::Uuid => "BINARY(16)",
        ScalarKind::Date => "DATE",
        ScalarKind::Time => "TIME(6)",
        ScalarKind::Timestamp | ScalarKind::Timestamptz => "DATETIME(6)",
        ScalarKind::Json => "JSON",
        _ => "LONGTEXT",
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("the runtime starts");
    let backend = |server: Server| {
        let version = runtime.block_on(server::version(&server.options));
        Arc::new(Mysql { server, version, opened: Mutex::default() }) as Arc<dyn Backend>
    };
    arx::conformance::main_of(server::servers().into_iter().map(backend).collect());
}
