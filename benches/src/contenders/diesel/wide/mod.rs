//! The wide table by Diesel.

mod on_mysql;
mod on_postgres;
mod on_sqlite;

diesel::table! {
    bench_wide (id) {
        id -> BigInt,
        code -> Text,
        given_name -> Text,
        family_name -> Text,
        title -> Nullable<Text>,
        email -> Nullable<Text>,
        phone -> Nullable<Text>,
        street -> Text,
        city -> Text,
        country -> Text,
        note -> Nullable<Text>,
        visits -> Integer,
        balance -> BigInt,
        discount -> Nullable<SmallInt>,
        score -> Double,
        is_active -> Bool,
        born -> Nullable<Date>,
        created -> Timestamp,
        seen -> Nullable<Timestamp>,
        token -> Binary,
    }
}

/// The rows of one statement: SQLite's placeholders are counted in 15 bits.
const CHUNK: usize = 1_000;
