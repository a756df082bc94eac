//! The text of every statement, beside what is bound to it. `UPDATE_GOLDEN=1` writes the files anew.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;

use arx::connection::{NoRows, Pool};
use arx::dialect::{Dialect, render};
use arx::entity::{ColumnMeta, ColumnSet, Role, Rows, Table};
use arx::plan::{self, GeneratedKeys, InsertPlan, Lock, Output, Paging, Shape, TableFacts, UpdatePlan, Verb};
use arx::query::{Assignment, Comparison, Nulls, Operand, Ordering, Predicate};
use arx::value::{Encoder, ScalarKind};

static CUSTOMERS: Table = Table::new(
    "Customer",
    Some("sales"),
    "customers",
    &[
        ColumnMeta::new("id", "id", ScalarKind::I64, false).role(Role::Key).generated(),
        ColumnMeta::new("full \"name\"", "name", ScalarKind::Text, true),
        ColumnMeta::new("balance", "balance", ScalarKind::Decimal, false),
        ColumnMeta::new("version", "version", ScalarKind::I32, false).role(Role::Version),
        ColumnMeta::new("created", "created", ScalarKind::Timestamptz, false).role(Role::CreatedAt),
        ColumnMeta::new("updated", "updated", ScalarKind::Timestamptz, false).role(Role::UpdatedAt),
    ],
);

static LINES: Table = Table::new(
    "Line",
    None,
    "order",
    &[
        ColumnMeta::new("order", "order", ScalarKind::Text, false).role(Role::Key),
        ColumnMeta::new("line", "line", ScalarKind::I64, false).role(Role::Key),
        ColumnMeta::new("amount", "amount", ScalarKind::F64, true).defaultable(true),
    ],
);

const NAME: usize = 1;
const BALANCE: usize = 2;
const VERSION: usize = 3;
const CREATED: usize = 4;
const UPDATED: usize = 5;
const AMOUNT: usize = 2;

/// Rows that are only counted.
struct Count(usize);

impl Rows for Count {
    fn len(&self) -> usize {
        self.0
    }

    fn write_column(&self, _: usize, _: &mut dyn Encoder) {}

    fn write_row(&self, _: usize, _: &ColumnSet, _: &mut dyn Encoder) {}
}

struct Golden<'a> {
    dialect: &'a dyn Dialect,
    text: String,
}

impl<'a> Golden<'a> {
    fn new(dialect: &'a dyn Dialect) -> Self {
        Self { dialect, text: String::new() }
    }

    fn shape(&mut self, name: &str, shape: &Shape) -> &mut Self {
        let statement = render(self.dialect, shape).unwrap();
        let binds: Vec<_> = statement.binds.iter().map(|bind| format!("{bind:?}")).collect();
        writeln!(self.text, "-- {name}\n{};\n--   {}\n", statement.text, binds.join(", ")).unwrap();
        self
    }

    /// The one step that all rows take.
    fn step(&mut self, name: &str, steps: arx::Result<Vec<plan::Step>>) -> &mut Self {
        let steps = steps.unwrap();
        assert_eq!(steps.len(), 1, "{name}");
        self.shape(name, &steps[0].shape)
    }

    fn check(&self, file: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &self.text).unwrap();
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == self.text, "{file} differs; with UPDATE_GOLDEN=1 it would be\n{}", self.text);
    }
}

async fn pool() -> std::sync::Arc<dyn Pool> {
    arx_sqlite::pool(":memory:").await.unwrap()
}

fn insert(golden: &mut Golden<'_>, name: &str, keys: GeneratedKeys, change: impl FnOnce(&mut InsertPlan<'_>)) {
    let mut insert = InsertPlan {
        table: &CUSTOMERS,
        defaulted: ColumnSet::EMPTY,
        stamped: &[VERSION, CREATED, UPDATED],
        output: Output::Columns(CUSTOMERS.key),
        given_keys: false,
    };
    change(&mut insert);
    let limits = golden.dialect.limits().clone();
    golden.step(name, plan::insert(&limits, &TableFacts::new(keys), &insert, &Count(500)));
}

#[tokio::test]
async fn inserts() {
    let dialect = pool().await.dialect();
    let golden = &mut Golden::new(&*dialect);
    insert(golden, "rowids from the driver", GeneratedKeys::LastId, |_| {});
    insert(golden, "keys from RETURNING", GeneratedKeys::PerRow, |_| {});
    insert(golden, "whole rows", GeneratedKeys::LastId, |plan| plan.output = Output::Columns(CUSTOMERS.all()));
    insert(golden, "given keys, nothing back", GeneratedKeys::LastId, |plan| {
        (plan.given_keys, plan.output) = (true, Output::NOTHING);
    });
    insert(golden, "a defaulted column", GeneratedKeys::PerRow, |plan| {
        (plan.table, plan.stamped, plan.defaulted) = (&LINES, &[], ColumnSet::of(AMOUNT));
        plan.output = Output::Columns(ColumnSet::of(AMOUNT));
    });
    insert(golden, "only stamps", GeneratedKeys::LastId, |plan| plan.defaulted = ColumnSet::first(3));
    insert(golden, "only defaults", GeneratedKeys::LastId, |plan| {
        (plan.defaulted, plan.stamped) = (CUSTOMERS.all(), &[]);
    });
    golden.check("insert.sql");
}

fn update(golden: &mut Golden<'_>, name: &str, change: impl FnOnce(&mut UpdatePlan)) -> Shape {
    let mut update = UpdatePlan {
        table: &CUSTOMERS,
        written: ColumnSet::of(NAME).with(BALANCE),
        stamped: vec![UPDATED],
        versioned: true,
        all_or_nothing: true,
        filter: Predicate::All,
    };
    change(&mut update);
    let steps = plan::update(&golden.dialect.limits().clone(), &update, &Count(3)).unwrap();
    golden.shape(name, &steps[0].shape);
    steps[0].shape.clone()
}

#[tokio::test]
async fn updates() {
    let dialect = pool().await.dialect();
    let golden = &mut Golden::new(&*dialect);
    update(golden, "by key and version", |_| {});
    let filter = Predicate::Compare { column: NAME, comparison: Comparison::Ne };
    let shape = update(golden, "with a filter", |plan| (plan.versioned, plan.filter) = (false, filter.clone()));
    let line = update(golden, "a composite key", |plan| {
        (plan.table, plan.written, plan.stamped) = (&LINES, ColumnSet::of(AMOUNT), vec![]);
    });
    let mut returning = line;
    returning.output = Output::Columns(LINES.key);
    golden.shape("keys that only SQLite can compare", &returning);
    let mut filtered = Shape::new(Verb::Update, &CUSTOMERS);
    filtered.set = vec![Assignment::new(BALANCE, Operand::Literal), Assignment::new(VERSION, Operand::Increment)];
    filtered.filter = shape.filter;
    golden.shape("by filter", &filtered);
    golden.check("update.sql");
}

#[tokio::test]
async fn deletes() {
    let dialect = pool().await.dialect();
    let golden = &mut Golden::new(&*dialect);
    let limits = dialect.limits();
    golden.step("by key", plan::delete_keys(limits, &CUSTOMERS, &Count(2)));
    golden.step("by key and version", plan::delete_versioned(limits, &CUSTOMERS, &Count(2)));
    golden.step("a composite key", plan::delete_keys(limits, &LINES, &Count(2)));
    let mut filtered = Shape::new(Verb::Delete, &LINES);
    golden.shape("every row", &filtered);
    filtered.filter = Predicate::IsNull { column: AMOUNT, negated: false };
    filtered.output = Output::Columns(LINES.key);
    golden.shape("by filter, keys back", &filtered);
    golden.check("delete.sql");
}

fn predicates() -> Predicate {
    Predicate::And(vec![
        Predicate::Compare { column: BALANCE, comparison: Comparison::Ge },
        Predicate::Between { column: CREATED, negated: true },
        Predicate::Or(vec![
            Predicate::In { column: 0, negated: false },
            Predicate::In { column: BALANCE, negated: true },
            Predicate::Like { column: NAME, negated: false },
        ]),
        Predicate::Not(Box::new(Predicate::IsNull { column: NAME, negated: true })),
    ])
}

#[tokio::test]
async fn selects() {
    let dialect = pool().await.dialect();
    let golden = &mut Golden::new(&*dialect);
    let limits = dialect.limits();
    golden.step(
        "by key",
        plan::select_keys(limits, &CUSTOMERS, Output::Columns(CUSTOMERS.all()), Predicate::All, false, &Count(3)),
    );
    golden.step(
        "by a composite key",
        plan::select_keys(limits, &LINES, Output::Columns(LINES.all()), Predicate::All, true, &Count(3)),
    );
    golden.step("versions", plan::versions(limits, &CUSTOMERS, Lock::Update, Predicate::All, &Count(3)));
    let all = || Output::Columns(CUSTOMERS.all());
    golden.shape("every row", &plan::select(Verb::Select, &CUSTOMERS, all(), Predicate::All, Paging::default()));
    let mut last = Ordering::descending(BALANCE);
    last.nulls = Nulls::Last;
    let paging = Paging { order: vec![last, Ordering::ascending(0)], limit: true, offset: true };
    let list = Output::List(vec![NAME, 0]);
    golden.shape("by filter", &plan::select(Verb::Select, &CUSTOMERS, list, predicates(), paging.clone()));
    let offset = Paging { order: vec![], limit: false, ..paging };
    golden.shape(
        "an offset alone",
        &plan::select(Verb::Select, &LINES, Output::Columns(LINES.key), Predicate::All, offset),
    );
    for verb in [Verb::Count, Verb::Exists] {
        let shape = plan::select(verb, &CUSTOMERS, Output::NOTHING, predicates(), Paging::default());
        golden.shape(&format!("{verb:?}"), &shape);
    }
    golden.check("select.sql");
}

#[tokio::test]
async fn what_has_no_form_is_unsupported() {
    let dialect = pool().await.dialect();
    for source in [plan::Source::Values, plan::Source::Arrays, plan::Source::Json, plan::Source::Staged] {
        for verb in [Verb::Insert, Verb::Update, Verb::Delete, Verb::Select] {
            let mut shape = Shape::new(verb, &LINES);
            (shape.source, shape.columns) = (source, LINES.all());
            assert_eq!(render(&*dialect, &shape).unwrap_err().kind(), arx::ErrorKind::Unsupported, "{shape:?}");
        }
    }
    assert_eq!(NoRows.len(), 0);
    assert_eq!(arx_sqlite::procedure::unsupported("p").kind(), arx::ErrorKind::Unsupported);
}
