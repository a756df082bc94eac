//! The SQL of every shape, pinned by the files in `golden`. `UPDATE_GOLDEN=1` rewrites them.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::Path;

use arx::dialect::{Dialect, render};
use arx::entity::{ColumnMeta, ColumnSet, Role, Table};
use arx::plan::{Lock, Matching, Output, Shape, Source, Verb};
use arx::query::{Arithmetic, Assignment, Comparison, Nulls, Operand, Ordering, Predicate};
use arx::value::ScalarKind;
use arx_postgres::Postgres;

const fn column(name: &'static str, kind: ScalarKind) -> ColumnMeta {
    ColumnMeta::new(name, name, kind, true)
}

const ID: usize = 0;
const CODE: usize = 1;
const MOOD: usize = 2;
const TAGS: usize = 3;
const MOODS: usize = 4;
const VERSION: usize = 5;
const UPDATED: usize = 6;
const ORD: usize = 7;

static CUSTOMERS: Table = Table::new(
    "Customer",
    Some("sales"),
    "customers",
    &[
        column("id", ScalarKind::I64).role(Role::Key).generated(),
        column("co\"de", ScalarKind::Text),
        column("mood", ScalarKind::Text).type_name(Some("sales.mood")),
        column("tags", ScalarKind::Array(&ScalarKind::I32)),
        column("moods", ScalarKind::Array(&ScalarKind::Text)).type_name(Some("mood")),
        column("version", ScalarKind::I32).role(Role::Version),
        column("updated", ScalarKind::Timestamptz).role(Role::UpdatedAt),
        column("ord", ScalarKind::U32).type_name(Some("small")),
    ],
);

static STOCK: Table = Table::new(
    "Stock",
    None,
    "stock",
    &[
        column("place", ScalarKind::I64).role(Role::Key),
        column("part", ScalarKind::Text).role(Role::Key),
        column("amount", ScalarKind::Decimal),
    ],
);

static MARKS: Table = Table::new("Mark", None, "marks", &[column("id", ScalarKind::Uuid).role(Role::Key).generated()]);

fn set<const N: usize>(columns: [usize; N]) -> ColumnSet {
    columns.into_iter().collect()
}

fn shape(verb: Verb, table: &'static Table, source: Source) -> Shape {
    let mut shape = Shape::new(verb, table);
    shape.source = source;
    shape.bucket = usize::from(source == Source::Values);
    shape
}

fn write(operand: Operand, columns: &[usize]) -> Vec<Assignment> {
    columns.iter().map(|&column| Assignment::new(column, operand)).collect()
}

/// Compares the statements with the file, or writes it.
fn check(file: &str, shapes: &[(&str, Shape)]) {
    let dialect = Postgres::new();
    let mut text = String::new();
    for (name, shape) in shapes {
        let statement = render(&dialect as &dyn Dialect, shape).unwrap_or_else(|error| panic!("{name}: {error}"));
        writeln!(text, "-- {name}\n{};\n-- binds {:?}\n", statement.text, statement.binds).expect("a String takes it");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).expect("the file is written");
    }
    let pinned = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        pinned == text,
        "{file} differs; see `git diff` after UPDATE_GOLDEN=1 cargo test -p arx-postgres --test golden\n{text}"
    );
}

#[test]
fn inserts() {
    let insert = |table, source, columns: ColumnSet, matching| {
        let mut shape = shape(Verb::Insert, table, source);
        shape.columns = columns;
        shape.output = Output::Columns(table.key);
        shape.matching = matching;
        shape
    };
    let every = set([CODE, MOOD, TAGS, MOODS, ORD]);
    let key = || Matching::Ordinal { key: Some("(gen_random_uuid())::uuid".into()) };
    let stamped = |mut shape: Shape| {
        shape.set = write(Operand::Literal, &[VERSION, UPDATED]);
        shape
    };
    let nothing = |mut shape: Shape| {
        shape.output = Output::NOTHING;
        shape
    };
    let given = |mut shape: Shape| {
        shape.given_keys = true;
        shape
    };
    check(
        "insert.sql",
        &[
            ("one row", stamped(insert(&CUSTOMERS, Source::Values, every, Matching::PerRow))),
            ("one row of defaults", insert(&CUSTOMERS, Source::Values, ColumnSet::EMPTY, Matching::PerRow)),
            ("one row, key given", given(insert(&CUSTOMERS, Source::Values, set([ID, CODE]), Matching::PerRow))),
            ("rows, keys ascend", stamped(insert(&CUSTOMERS, Source::Arrays, every, Matching::SortedIdentity))),
            ("rows, nothing returned", nothing(insert(&CUSTOMERS, Source::Arrays, set([CODE]), Matching::Nothing))),
            ("rows, keys given", given(insert(&CUSTOMERS, Source::Arrays, set([ID, CODE]), Matching::CarriedKey))),
            ("rows, keys computed", stamped(insert(&CUSTOMERS, Source::Arrays, every, key()))),
            ("rows of defaults", insert(&CUSTOMERS, Source::Arrays, ColumnSet::EMPTY, Matching::SortedIdentity)),
            ("rows of stamps", stamped(insert(&CUSTOMERS, Source::Arrays, ColumnSet::EMPTY, Matching::SortedIdentity))),
            ("rows of computed keys alone", insert(&MARKS, Source::Arrays, ColumnSet::EMPTY, key())),
            ("rows with composite keys", insert(&STOCK, Source::Arrays, STOCK.all(), Matching::CarriedKey)),
        ],
    );
}

#[test]
fn updates() {
    let update = |source, versioned: bool| {
        let mut shape = shape(Verb::Update, &CUSTOMERS, source);
        shape.matched = if versioned { set([ID, VERSION]) } else { set([ID]) };
        shape.columns = shape.matched.union(&set([CODE, MOOD, TAGS]));
        shape.set = write(Operand::Source, &[CODE, MOOD, TAGS]);
        shape.set.extend(write(Operand::Literal, &[UPDATED]));
        shape.set.extend(write(Operand::Increment, &[VERSION]));
        shape
    };
    let filtered = |mut shape: Shape| {
        shape.filter = Predicate::Compare { column: MOOD, comparison: Comparison::Ne };
        shape
    };
    let guarded = |mut shape: Shape| {
        shape.guarded = true;
        shape
    };
    let mut stock = shape(Verb::Update, &STOCK, Source::Arrays);
    stock.matched = STOCK.key;
    stock.columns = STOCK.all();
    stock.set = write(Operand::Source, &[2]);
    let mut returning = update(Source::Arrays, true);
    returning.output = Output::Columns(set([ID, UPDATED]));
    let mut by_filter = filtered(shape(Verb::Update, &CUSTOMERS, Source::Nothing));
    by_filter.set = write(Operand::Literal, &[CODE, MOOD]);
    by_filter.set.extend(write(Operand::Increment, &[VERSION]));
    let arithmetic = |column, operator| Operand::Arithmetic { column, operator };
    let mut computed = by_filter.clone();
    computed.set = vec![
        Assignment::new(VERSION, arithmetic(VERSION, Arithmetic::Multiply)),
        Assignment::new(CODE, Operand::Column(MOOD)),
        Assignment::new(UPDATED, Operand::Literal),
    ];
    let mut decimal = shape(Verb::Update, &STOCK, Source::Nothing);
    decimal.set = vec![Assignment::new(2, arithmetic(2, Arithmetic::Add))];
    check(
        "update.sql",
        &[
            ("one row", update(Source::Values, false)),
            ("one row with its version and a filter", filtered(update(Source::Values, true))),
            ("rows", update(Source::Arrays, false)),
            ("rows with versions and a filter", filtered(update(Source::Arrays, true))),
            ("rows with versions, all or none", guarded(update(Source::Arrays, true))),
            ("rows with a filter, all or none", guarded(filtered(update(Source::Arrays, false)))),
            ("rows, returned", returning),
            ("rows by composite keys", stock.clone()),
            ("rows by keys that only the database compares, all or none", guarded(stock)),
            ("by filter", by_filter),
            ("by filter, computed", computed),
            ("every row, computed", decimal),
        ],
    );
}

#[test]
fn deletes() {
    let delete = |table: &'static Table, source, matched| {
        let mut shape = shape(Verb::Delete, table, source);
        shape.matched = matched;
        shape.columns = matched;
        shape
    };
    let mut filtered = delete(&CUSTOMERS, Source::Arrays, CUSTOMERS.key);
    filtered.filter = Predicate::IsNull { column: CODE, negated: false };
    let mut by_filter = shape(Verb::Delete, &CUSTOMERS, Source::Nothing);
    by_filter.filter = Predicate::Between { column: ID, negated: false };
    by_filter.output = Output::Columns(CUSTOMERS.key);
    check(
        "delete.sql",
        &[
            ("one row", delete(&CUSTOMERS, Source::Values, CUSTOMERS.key)),
            ("one row with its version", delete(&CUSTOMERS, Source::Values, CUSTOMERS.key.with(VERSION))),
            ("rows", delete(&CUSTOMERS, Source::Arrays, CUSTOMERS.key)),
            ("rows with a filter", filtered),
            ("rows with their versions", delete(&CUSTOMERS, Source::Arrays, CUSTOMERS.key.with(VERSION))),
            ("one row by a composite key", delete(&STOCK, Source::Values, STOCK.key)),
            ("rows by composite keys", delete(&STOCK, Source::Arrays, STOCK.key)),
            ("by filter", by_filter),
            ("all rows", shape(Verb::Delete, &STOCK, Source::Nothing)),
        ],
    );
}

#[test]
fn selects_by_keys() {
    let select = |table: &'static Table, source, matching| {
        let mut shape = shape(Verb::Select, table, source);
        shape.matched = table.key;
        shape.columns = table.key;
        shape.output = Output::Columns(table.all());
        shape.matching = matching;
        shape
    };
    let ordinal = || Matching::Ordinal { key: None };
    let locked = |mut shape: Shape| {
        shape.output = Output::Columns(shape.table.key);
        shape.order = shape.table.key.iter().map(Ordering::ascending).collect();
        shape.lock = Lock::Update;
        shape.filter = Predicate::IsNull { column: 2, negated: true };
        shape
    };
    check(
        "select_by_keys.sql",
        &[
            ("one row", select(&CUSTOMERS, Source::Values, Matching::CarriedKey)),
            ("one row with its ordinal", select(&STOCK, Source::Values, ordinal())),
            ("rows", select(&CUSTOMERS, Source::Arrays, Matching::CarriedKey)),
            ("rows with their ordinals", select(&CUSTOMERS, Source::Arrays, ordinal())),
            ("rows by composite keys", select(&STOCK, Source::Arrays, Matching::CarriedKey)),
            ("rows locked in order", locked(select(&CUSTOMERS, Source::Arrays, ordinal()))),
            ("rows by composite keys locked in order", locked(select(&STOCK, Source::Arrays, ordinal()))),
            ("one row locked", locked(select(&CUSTOMERS, Source::Values, ordinal()))),
        ],
    );
}

#[test]
fn selects_by_filter() {
    let select = |filter| {
        let mut shape = shape(Verb::Select, &CUSTOMERS, Source::Nothing);
        shape.output = Output::List(vec![UPDATED, ID]);
        shape.filter = filter;
        shape
    };
    let compare = |column| Predicate::Compare { column, comparison: Comparison::Eq };
    let within = |column, negated| Predicate::In { column, negated };
    let mut paged = select(Predicate::All);
    paged.order = vec![Ordering::descending(CODE), Ordering::ascending(ID)];
    paged.limit = true;
    paged.offset = true;
    let mut page = select(within(ID, false));
    let mut last = Ordering::descending(CODE);
    last.nulls = Nulls::Last;
    (page.verb, page.order, page.limit, page.offset) = (Verb::Page, vec![last, Ordering::ascending(ID)], true, true);
    let beyond = |column, comparison| Predicate::Compare { column, comparison };
    let then = Predicate::And(vec![beyond(UPDATED, Comparison::Eq), beyond(ID, Comparison::Gt)]);
    let after = Predicate::Or(vec![beyond(UPDATED, Comparison::Lt), then]);
    let mut keyset = select(Predicate::And(vec![beyond(UPDATED, Comparison::Le), after]));
    (keyset.order, keyset.limit) = (vec![Ordering::descending(UPDATED), Ordering::ascending(ID)], true);
    let mut locked = select(compare(ID));
    locked.lock = Lock::Update;
    let counted = |verb| {
        let mut shape = shape(verb, &CUSTOMERS, Source::Nothing);
        shape.filter = Predicate::Or(vec![compare(CODE), Predicate::Not(Box::new(compare(TAGS)))]);
        shape
    };
    check(
        "select_by_filter.sql",
        &[
            ("all", select(Predicate::All)),
            (
                "compared with types of the database's own",
                select(Predicate::And(vec![compare(MOOD), compare(MOODS), compare(ORD)])),
            ),
            ("in lists", select(Predicate::And(vec![within(ID, false), within(MOOD, true), within(ORD, false)]))),
            ("like", select(Predicate::Like { column: CODE, negated: true })),
            ("between", select(Predicate::Between { column: UPDATED, negated: true })),
            ("paged", paged),
            ("a page", page),
            ("a page by key", keyset),
            ("locked", locked),
            ("counted", counted(Verb::Count)),
            ("existing", counted(Verb::Exists)),
        ],
    );
}

#[test]
fn what_has_no_form_is_an_error() {
    let dialect = Postgres::new();
    let mut staged = shape(Verb::Insert, &STOCK, Source::Staged);
    staged.columns = STOCK.all();
    // PostgreSQL would not notice that the result is too large for the field.
    let mut unsized_sum = shape(Verb::Update, &CUSTOMERS, Source::Nothing);
    let operand = Operand::Arithmetic { column: ORD, operator: Arithmetic::Add };
    unsized_sum.set = vec![Assignment::new(ORD, operand)];
    let mut two = shape(Verb::Insert, &STOCK, Source::Values);
    two.bucket = 2;
    let mut list = shape(Verb::Select, &CUSTOMERS, Source::Nothing);
    list.filter = Predicate::In { column: TAGS, negated: false };
    for shape in [staged, unsized_sum, two, list] {
        let error = render(&dialect, &shape).expect_err("no form");
        assert_eq!(error.kind(), arx::ErrorKind::Unsupported, "{error}");
    }
}
