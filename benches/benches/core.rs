//! What arx itself costs, without a server: planning, writing SQL, encoding and decoding rows of four columns.
//!
//! `cargo bench -p arx-benches` measures, with `-- --test` each runs once.

#![allow(missing_docs, reason = "criterion's macros make items without documentation")]
#![allow(clippy::unwrap_used, reason = "nothing here can fail but by a fault of arx")]

use std::hint::black_box;
use std::sync::Arc;

use arx::Error;
use arx::dialect::{Dialect, render};
use arx::entity::{ColumnSet, Entity, Record, Rows};
use arx::plan::{self, GeneratedKeys, InsertPlan, Output, Shape, Step, TableFacts, UpdatePlan};
use arx::query::Predicate;
use arx::value::{Decoder, Encoder, ScalarKind, Value};
use arx_benches::customer::{Customer, customers};
use arx_mysql::{Capabilities, Mysql};
use arx_postgres::Postgres;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tokio::runtime::Runtime;

const ROWS: usize = 1_000;

/// Rows as a driver sees them.
struct Batch(Vec<Customer>);

impl Batch {
    fn new() -> Self {
        Self(customers(ROWS))
    }
}

impl Rows for Batch {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn write_column(&self, column: usize, out: &mut dyn Encoder) {
        Customer::encode(&self.0, None, column, out);
    }

    fn write_row(&self, row: usize, columns: &ColumnSet, out: &mut dyn Encoder) {
        self.0[row].encode_row(columns, out);
    }
}

/// A database in memory, and what runs it.
fn sqlite() -> (Runtime, arx::Database) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(arx_sqlite::connect("sqlite::memory:")).unwrap();
    (runtime, database)
}

/// A dialect, and how a table makes its keys there.
type Named = (&'static str, Arc<dyn Dialect>, TableFacts);

fn dialects() -> [Named; 4] {
    let facts = TableFacts::new;
    [
        ("sqlite", sqlite().1.pool().dialect(), facts(GeneratedKeys::LastId)),
        ("postgres", Arc::new(Postgres::new()), facts(GeneratedKeys::Ascending)),
        ("mysql", Arc::new(Mysql::with(Capabilities::mysql())), facts(GeneratedKeys::Block { increment: 1 })),
        ("mariadb", Arc::new(Mysql::with(Capabilities::mariadb())), facts(GeneratedKeys::Ascending)),
    ]
}

fn insert((_, dialect, facts): &Named, rows: &Batch) -> Vec<Step> {
    let table = Customer::TABLE;
    let output = Output::Columns(table.key);
    let plan = InsertPlan { table, defaulted: ColumnSet::EMPTY, stamped: &[], output, given_keys: false };
    plan::insert(dialect.limits(), facts, &plan, rows).unwrap()
}

fn update((_, dialect, _): &Named, rows: &Batch) -> Vec<Step> {
    let table = Customer::TABLE;
    let plan = UpdatePlan {
        table,
        written: table.insertable,
        stamped: Vec::new(),
        versioned: false,
        all_or_nothing: false,
        filter: Predicate::All,
    };
    plan::update(dialect.limits(), &plan, rows).unwrap()
}

/// The steps of a batch: how many statements, of which rows.
fn plan(criterion: &mut Criterion) {
    let rows = Batch::new();
    let mut group = criterion.benchmark_group("plan");
    for named in &dialects() {
        group.bench_function(format!("insert/{}", named.0), |bencher| bencher.iter(|| insert(named, black_box(&rows))));
        group.bench_function(format!("update/{}", named.0), |bencher| bencher.iter(|| update(named, black_box(&rows))));
    }
    group.finish();
}

/// The text of a batch's first statement: written anew, and found in the cache.
fn write(criterion: &mut Criterion) {
    let rows = Batch::new();
    let mut group = criterion.benchmark_group("render");
    for named in &dialects() {
        let (name, dialect, _) = named;
        let first = |steps: Vec<Step>| -> Shape { steps.first().unwrap().shape.clone() };
        for (verb, shape) in [("insert", first(insert(named, &rows))), ("update", first(update(named, &rows)))] {
            group.bench_function(format!("{verb}/{name}/cold"), |bencher| {
                bencher.iter(|| {
                    dialect.cache().forget();
                    render(&**dialect, black_box(&shape)).unwrap()
                });
            });
            group.bench_function(format!("{verb}/{name}/cached"), |bencher| {
                bencher.iter(|| render(&**dialect, black_box(&shape)).unwrap());
            });
        }
    }
    group.finish();
}

/// A driver's buffer: each value with its length before it.
#[derive(Default)]
struct Buffer(Vec<u8>);

impl Buffer {
    fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(&bytes.len().to_le_bytes());
        self.0.extend_from_slice(bytes);
    }
}

impl Encoder for Buffer {
    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::I64(number) => self.push(&number.to_le_bytes()),
            Value::Text(text) => self.push(text.as_bytes()),
            _ => self.push(&[]),
        }
    }

    fn fail(&mut self, _: Error) {}
}

/// The parameters of a batch: a column of all rows after the other, as arrays have them, and row by row.
fn encode(criterion: &mut Criterion) {
    let rows = Batch::new();
    let columns = Customer::TABLE.insertable;
    let mut buffer = Buffer::default();
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("columns", |bencher| {
        bencher.iter(|| {
            buffer.0.clear();
            columns.iter().for_each(|column| rows.write_column(column, &mut buffer));
            black_box(buffer.0.len())
        });
    });
    group.bench_function("rows", |bencher| {
        bencher.iter(|| {
            buffer.0.clear();
            (0..ROWS).for_each(|row| rows.write_row(row, &columns, &mut buffer));
            black_box(buffer.0.len())
        });
    });
    group.finish();
}

/// A row that came back.
struct Cells<'a> {
    row: &'a Customer,
    position: usize,
}

impl Decoder for Cells<'_> {
    fn next(&mut self, kind: ScalarKind) -> arx::Result<Value<'_>> {
        self.position += 1;
        Ok(match self.position {
            1 => Value::I64(self.row.id),
            2 => Value::Text(&self.row.code),
            3 => self.row.name.as_deref().map_or(Value::Null(kind), Value::Text),
            _ => Value::I64(self.row.balance),
        })
    }

    fn position(&self) -> usize {
        self.position
    }
}

/// Entities from rows: those of a decoder that does nothing, and a whole read of SQLite's in memory.
fn decode(criterion: &mut Criterion) {
    let rows = customers(ROWS);
    let mut group = criterion.benchmark_group("decode");
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("entities", |bencher| {
        bencher.iter(|| -> Vec<Customer> {
            rows.iter().map(|row| Customer::decode(&mut Cells { row, position: 0 }).unwrap()).collect()
        });
    });
    let (runtime, database) = sqlite();
    let table = "CREATE TABLE bench_customers
        (id INTEGER PRIMARY KEY, code TEXT NOT NULL, name TEXT, balance INTEGER NOT NULL)";
    runtime.block_on(database.run(table, ()).into_future()).unwrap();
    runtime.block_on(database.repository().create_multiple(&rows).into_future()).unwrap();
    group.bench_function("sqlite", |bencher| {
        bencher.iter(|| -> Vec<Customer> {
            runtime.block_on(database.repository().retrieve_multiple(()).into_future()).unwrap()
        });
    });
    group.finish();
}

criterion_group!(core, plan, write, encode, decode);
criterion_main!(core);
