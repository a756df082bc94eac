//! The SQL of every shape, pinned by the files in `golden`, once for each kind of server. `UPDATE_GOLDEN=1` rewrites them.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use std::fmt::Write as _;
use std::path::Path;

use arx::dialect::{Dialect, render};
use arx::entity::{ColumnMeta, ColumnSet, Role, Table};
use arx::plan::{Lock, Matching, Output, Shape, Source, Verb};
use arx::query::{Arithmetic, Assignment, Comparison, Nulls, Operand, Ordering, Predicate};
use arx::value::ScalarKind;
use arx_mysql::{Capabilities, Mysql};

const fn column(name: &'static str, kind: ScalarKind) -> ColumnMeta {
    ColumnMeta::new(name, name, kind, true)
}

const ID: usize = 0;
const CODE: usize = 1;
const DATA: usize = 2;
const TOKEN: usize = 3;
const VERSION: usize = 4;
const UPDATED: usize = 5;
const GONE: usize = 6;

static CUSTOMERS: Table = Table::new(
    "Customer",
    Some("sales"),
    "customers",
    &[
        column("id", ScalarKind::U64).role(Role::Key).generated(),
        column("co`de", ScalarKind::Text),
        column("data", ScalarKind::Json),
        column("token", ScalarKind::Uuid),
        column("version", ScalarKind::I32).role(Role::Version),
        column("updated", ScalarKind::Timestamptz).role(Role::UpdatedAt),
        column("gone", ScalarKind::Bool).role(Role::SoftDelete),
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

fn set<const N: usize>(columns: [usize; N]) -> ColumnSet {
    columns.into_iter().collect()
}

fn shape(verb: Verb, table: &'static Table, source: Source, bucket: usize) -> Shape {
    let mut shape = Shape::new(verb, table);
    shape.source = source;
    shape.bucket = bucket;
    shape
}

fn write(operand: Operand, columns: &[usize]) -> Vec<Assignment> {
    columns.iter().map(|&column| Assignment::new(column, operand)).collect()
}

/// Servers of each kind: what MySQL 9.7 answers, MariaDB 10.11, and one that can do no more than it must.
fn servers() -> [(&'static str, Mysql); 3] {
    [
        ("mysql", Mysql::with(Capabilities::mysql())),
        ("mariadb", Mysql::with(Capabilities::mariadb())),
        ("least", Mysql::new()),
    ]
}

/// Compares the statements with the files, or writes them. A form that a server does not have is an error there.
fn check(file: &str, shapes: &[(&str, Shape)]) {
    for (server, dialect) in servers() {
        let mut text = String::new();
        for (name, shape) in shapes {
            match render(&dialect as &dyn Dialect, shape) {
                Ok(statement) => {
                    writeln!(text, "-- {name}\n{};\n-- binds {:?}\n", statement.text, statement.binds)
                }
                Err(error) => writeln!(text, "-- {name}\n-- {:?}\n", error.kind()),
            }
            .expect("a String takes it");
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{file}.{server}.sql"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &text).expect("the file is written");
        }
        let pinned = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            pinned == text,
            "{file}.{server}.sql differs; see `git diff` after UPDATE_GOLDEN=1 cargo test -p arx-mysql --test golden\n{text}"
        );
    }
}

#[test]
fn inserts() {
    let insert = |table: &'static Table, rows, columns: ColumnSet, matching| {
        let mut shape = shape(Verb::Insert, table, Source::Values, rows);
        shape.columns = columns;
        shape.matching = matching;
        shape
    };
    let every = set([CODE, DATA, TOKEN]);
    let stamped = |mut shape: Shape| {
        shape.set = write(Operand::Literal, &[VERSION, UPDATED]);
        shape
    };
    let returned = |mut shape: Shape| {
        shape.output = Output::Columns(shape.table.key);
        shape
    };
    check(
        "insert",
        &[
            ("one row, its key reported", stamped(insert(&CUSTOMERS, 1, every, Matching::LastId))),
            ("one row, its key returned", returned(stamped(insert(&CUSTOMERS, 1, every, Matching::PerRow)))),
            ("rows, their keys a block", stamped(insert(&CUSTOMERS, 2, every, Matching::Block { increment: 1 }))),
            ("rows, their keys returned", returned(insert(&CUSTOMERS, 2, every, Matching::SortedIdentity))),
            ("rows, keys given", insert(&CUSTOMERS, 2, set([ID, CODE]), Matching::Nothing)),
            ("rows of defaults", insert(&CUSTOMERS, 2, ColumnSet::EMPTY, Matching::Nothing)),
            ("rows with composite keys", returned(insert(&STOCK, 2, STOCK.all(), Matching::CarriedKey))),
        ],
    );
}

#[test]
fn updates() {
    let update = |rows, versioned: bool| {
        let mut shape = shape(Verb::Update, &CUSTOMERS, Source::Values, rows);
        shape.matched = if versioned { set([ID, VERSION]) } else { set([ID]) };
        shape.columns = shape.matched.union(&set([CODE, DATA, TOKEN]));
        shape.set = write(Operand::Source, &[CODE, DATA, TOKEN]);
        shape.set.extend(write(Operand::Literal, &[UPDATED]));
        shape.set.extend(write(Operand::Increment, &[VERSION]));
        shape
    };
    let filtered = |mut shape: Shape| {
        shape.filter = Predicate::Compare { column: GONE, comparison: Comparison::Eq };
        shape
    };
    let stock = |rows| {
        let mut stock = shape(Verb::Update, &STOCK, Source::Values, rows);
        stock.matched = STOCK.key;
        stock.columns = STOCK.all();
        stock.set = write(Operand::Source, &[2]);
        stock
    };
    let by_filter = |set: Vec<Assignment>| {
        let mut by_filter = filtered(shape(Verb::Update, &CUSTOMERS, Source::Nothing, 0));
        by_filter.set = set;
        by_filter
    };
    let swapped = vec![Assignment::new(CODE, Operand::Column(DATA)), Assignment::new(DATA, Operand::Column(CODE))];
    let shifted = vec![
        Assignment::new(VERSION, Operand::Arithmetic { column: VERSION, operator: Arithmetic::Add }),
        Assignment::new(CODE, Operand::Literal),
        Assignment::new(DATA, Operand::Column(CODE)),
    ];
    check(
        "update",
        &[
            ("one row", update(1, false)),
            ("one row with its version and a filter", filtered(update(1, true))),
            ("few rows", update(2, false)),
            ("few rows with versions and a filter", filtered(update(2, true))),
            ("few rows by composite keys", stock(2)),
            ("many rows with versions and a filter", filtered(update(128, true))),
            ("many rows by keys that only the database compares", stock(128)),
            ("by filter", by_filter(write(Operand::Literal, &[CODE, DATA]))),
            ("each column before one that it is read for", by_filter(shifted)),
            ("columns that are read for each other", by_filter(swapped)),
        ],
    );
}

#[test]
fn deletes() {
    let delete = |table: &'static Table, rows, matched| {
        let mut shape = shape(Verb::Delete, table, Source::Values, rows);
        shape.matched = matched;
        shape.columns = matched;
        shape
    };
    let mut filtered = delete(&CUSTOMERS, 4, CUSTOMERS.key);
    filtered.filter = Predicate::IsNull { column: CODE, negated: false };
    let mut by_filter = shape(Verb::Delete, &CUSTOMERS, Source::Nothing, 0);
    by_filter.filter = Predicate::Between { column: ID, negated: false };
    check(
        "delete",
        &[
            ("one row", delete(&CUSTOMERS, 1, CUSTOMERS.key)),
            ("one row with its version", delete(&CUSTOMERS, 1, CUSTOMERS.key.with(VERSION))),
            ("rows", delete(&CUSTOMERS, 4, CUSTOMERS.key)),
            ("rows with a filter", filtered),
            ("one row by a composite key", delete(&STOCK, 1, STOCK.key)),
            ("rows by composite keys", delete(&STOCK, 2, STOCK.key)),
            ("by filter", by_filter),
            ("all rows", shape(Verb::Delete, &STOCK, Source::Nothing, 0)),
        ],
    );
}

#[test]
fn selects_by_keys() {
    let select = |table: &'static Table, source, rows, matching| {
        let mut shape = shape(Verb::Select, table, source, rows);
        shape.matched = table.key;
        shape.columns = table.key;
        shape.output = Output::Columns(table.key);
        shape.matching = matching;
        shape
    };
    let ordinal = || Matching::Ordinal { key: None };
    let locked = |mut shape: Shape| {
        shape.order = shape.table.key.iter().map(Ordering::ascending).collect();
        shape.lock = Lock::Update;
        shape.filter = Predicate::Compare { column: 2, comparison: Comparison::Eq };
        shape
    };
    check(
        "select_by_keys",
        &[
            ("one row", select(&CUSTOMERS, Source::Values, 1, Matching::CarriedKey)),
            ("one row with its ordinal", select(&STOCK, Source::Values, 1, ordinal())),
            ("rows", select(&CUSTOMERS, Source::Values, 4, Matching::CarriedKey)),
            ("rows by composite keys", select(&STOCK, Source::Values, 2, Matching::CarriedKey)),
            ("many rows", select(&CUSTOMERS, Source::Json, 0, Matching::CarriedKey)),
            ("rows with their ordinals", select(&STOCK, Source::Json, 0, ordinal())),
            ("rows with their ordinals, one by one", select(&STOCK, Source::Values, 2, ordinal())),
            ("rows locked in order", locked(select(&STOCK, Source::Json, 0, ordinal()))),
            ("rows locked one by one", locked(select(&STOCK, Source::Values, 2, ordinal()))),
        ],
    );
}

#[test]
fn selects_by_filter() {
    let select = |filter| {
        let mut shape = shape(Verb::Select, &CUSTOMERS, Source::Nothing, 0);
        shape.output = Output::List(vec![UPDATED, ID]);
        shape.filter = filter;
        shape
    };
    let compare = |column| Predicate::Compare { column, comparison: Comparison::Eq };
    let within = |column, negated, size| {
        let mut shape = select(Predicate::In { column, negated });
        shape.lists = vec![size];
        shape
    };
    let mut paged = select(Predicate::All);
    let nulls = |nulls, mut ordering: Ordering| {
        ordering.nulls = nulls;
        ordering
    };
    paged.order = vec![nulls(Nulls::Last, Ordering::descending(CODE)), nulls(Nulls::First, Ordering::ascending(ID))];
    paged.offset = true;
    let mut page = paged.clone();
    page.verb = Verb::Page;
    page.limit = true;
    let beyond = |column, comparison| Predicate::Compare { column, comparison };
    let then = Predicate::And(vec![beyond(UPDATED, Comparison::Eq), beyond(ID, Comparison::Gt)]);
    let after = Predicate::Or(vec![beyond(UPDATED, Comparison::Lt), then]);
    let mut keyset = select(Predicate::And(vec![beyond(UPDATED, Comparison::Le), after]));
    (keyset.order, keyset.limit) = (vec![Ordering::descending(UPDATED), Ordering::ascending(ID)], true);
    let mut locked = select(compare(ID));
    locked.lock = Lock::Update;
    let counted = |verb| {
        let mut shape = shape(verb, &CUSTOMERS, Source::Nothing, 0);
        shape.filter = Predicate::Or(vec![compare(CODE), Predicate::Not(Box::new(compare(DATA)))]);
        shape
    };
    check(
        "select_by_filter",
        &[
            ("all", select(Predicate::All)),
            ("in a list", within(ID, false, Some(2))),
            ("in a list of none", within(ID, false, Some(0))),
            ("not in a list of none", within(ID, true, Some(0))),
            ("in a long list of numbers", within(ID, false, None)),
            ("not in a long list of uuids", within(TOKEN, true, None)),
            ("in a list of texts that is too long", within(CODE, false, None)),
            ("like", select(Predicate::Like { column: CODE, negated: true })),
            ("between", select(Predicate::Between { column: UPDATED, negated: true })),
            ("without a limit", paged),
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
    let mut staged = shape(Verb::Insert, &STOCK, Source::Staged, 0);
    staged.columns = STOCK.all();
    let arrays = shape(Verb::Delete, &STOCK, Source::Arrays, 0);
    let mut guarded = shape(Verb::Update, &STOCK, Source::Values, 2);
    guarded.guarded = true;
    for (_, dialect) in servers() {
        for shape in [&staged, &arrays, &guarded] {
            let error = render(&dialect, shape).expect_err("no form");
            assert_eq!(error.kind(), arx::ErrorKind::Unsupported, "{error}");
        }
    }
}
