//! What a case is given: an empty namespace, a database that is recorded, and DDL.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::{Backend, Open, Requires};
use crate::connection::{Log, Recorded};
use crate::entity::{Entity, Table};
use crate::plan::{Shape, Verb, statements};
use crate::repository::{Database, Repository};

/// The time at which the clock of a case stands still: 2020-01-02 03:04:05.678901 UTC.
pub const START: i64 = 1_577_934_245_678_901;

/// One case's surroundings.
pub struct Context<'a> {
    /// The database under test.
    pub backend: &'a dyn Backend,
    /// The database, through the recorder.
    pub db: Database,
    /// What the recorder has counted.
    pub log: Log,
    clock: Arc<AtomicI64>,
    case: &'a str,
}

impl<'a> Context<'a> {
    pub(super) async fn open(backend: &'a dyn Backend, case: &'a str) -> Self {
        let (log, clock) = (Log::default(), Arc::new(AtomicI64::new(START)));
        let pool = backend.open(case, Open { connections: 4 }).await.expect("the namespace opens");
        let db = Self::database(pool, &log, &clock);
        Self { backend, db, log, clock, case }
    }

    fn database(pool: Arc<dyn crate::connection::Pool>, log: &Log, clock: &Arc<AtomicI64>) -> Database {
        let clock = Arc::clone(clock);
        Database::new(Arc::new(Recorded::new(pool, log.clone()))).with_clock(move || clock.load(Ordering::SeqCst))
    }

    /// Another pool on the same namespace, with so many connections, recorded in the same log.
    pub async fn another(&self, connections: u32) -> Database {
        let pool = self.backend.open(self.case, Open { connections }).await.expect("the namespace opens again");
        Self::database(pool, &self.log, &self.clock)
    }

    /// The repository of an entity.
    pub fn repository<E: Entity>(&self) -> Repository<'_, E> {
        self.db.repository()
    }

    /// Moves the clock on by so many microseconds.
    pub fn advance(&self, micros: i64) {
        self.clock.fetch_add(micros, Ordering::SeqCst);
    }

    /// What the clock shows, in microseconds since 1970-01-01 UTC.
    pub fn now(&self) -> i64 {
        self.clock.load(Ordering::SeqCst)
    }

    /// Creates the entity's table: each column with the backend's type and NOT NULL where the
    /// field takes no NULL, a generated or primary key, unique columns.
    pub async fn create_table<E: Entity>(&self) {
        self.create_table_with::<E>(&[], &[]).await;
    }

    /// As [`create_table`](Self::create_table), with what follows the type of some columns
    /// (`("rank", "DEFAULT 5")`), instead of it (`("code", "TYPE char(8)")`), and with more lines (`CHECK (..)`, `UNIQUE (..)`).
    pub async fn create_table_with<E: Entity>(&self, columns: &[(&str, &str)], lines: &[&str]) {
        let ddl = self.ddl(E::TABLE, columns, lines);
        self.run(&ddl).await;
        self.log.reset();
    }

    fn ddl(&self, table: &Table, extras: &[(&str, &str)], lines: &[&str]) -> String {
        let quote = |name: &str| self.backend.quote(name);
        let single = table.single_key();
        let mut parts: Vec<String> = Vec::new();
        for (index, column) in table.columns.iter().enumerate() {
            let extra = extras.iter().find(|(name, _)| *name == column.name).map_or(&"", |(_, extra)| extra);
            let is_key = single == Some(index);
            let kind = match is_key && column.generated && extra.is_empty() {
                true => self.backend.generated_key(column),
                false => {
                    // MariaDB takes no NOT NULL for a computed column.
                    let is_free = column.nullable || extra.starts_with("GENERATED");
                    let null = if is_free { "" } else { " NOT NULL" };
                    let key = if is_key { " PRIMARY KEY" } else { "" };
                    let unique = if column.unique { " UNIQUE" } else { "" };
                    // Not every database takes what follows REFERENCES.
                    let (before, after) = if extra.starts_with("REFERENCES") { ("", *extra) } else { (*extra, "") };
                    let typed = match before.strip_prefix("TYPE ") {
                        Some(typed) => typed.to_owned(),
                        None => self.backend.extended_type(column, before),
                    };
                    format!("{typed}{null}{key}{unique} {after}")
                }
            };
            parts.push(format!("{} {kind}", quote(column.name)));
        }
        if single.is_none() {
            let key: Vec<_> = table.key.iter().map(|column| quote(table.columns[column].name)).collect();
            parts.push(format!("PRIMARY KEY ({})", key.join(", ")));
        }
        parts.extend(lines.iter().map(|&line| line.to_owned()));
        let schema = table.schema.map_or(String::new(), |schema| format!("{}.", quote(schema)));
        format!("CREATE TABLE {schema}{} ({})", quote(table.name), parts.join(", "))
    }

    /// Runs hand-written SQL that has to succeed.
    pub async fn run(&self, sql: &str) -> u64 {
        match self.db.run(sql, ()).await {
            Ok(rows) => rows,
            Err(error) => panic!("{error:?}: {:?} in {sql}", std::error::Error::source(&error)),
        }
    }

    /// Asserts how many statements and round trips there were since the last reset, and resets.
    #[track_caller]
    pub fn assert_traffic(&self, statements: usize, round_trips: usize) {
        let texts = self.log.texts();
        assert_eq!(self.log.statements(), statements, "statements: {texts:#?}");
        assert_eq!(self.log.round_trips(), round_trips, "round trips: {texts:#?}");
        self.log.reset();
    }

    /// Asserts the traffic of one verb on so many rows: a statement, or as many as this database needs for
    /// them in a transaction.
    #[track_caller]
    pub fn assert_bulk<E: Entity>(&self, verb: Verb, rows: usize) {
        let statements = self.statements::<E>(verb, rows);
        self.assert_traffic(statements, if statements > 1 { statements + 2 } else { 1 });
    }

    /// How many statements of this verb this database needs for so many rows.
    pub fn statements<E: Entity>(&self, verb: Verb, rows: usize) -> usize {
        let dialect = self.db.pool().dialect();
        let mut shape = Shape::new(verb, E::TABLE);
        shape.columns = E::TABLE.all();
        shape.source = dialect.limits().source(verb, rows);
        statements(dialect.limits(), &shape, rows)
    }

    /// How many texts a filter with one list of any length has.
    pub fn list_texts(&self) -> usize {
        let dialect = self.db.pool().dialect();
        match dialect.limits().lists.len().max(dialect.limits().text_lists.len()) {
            0 => 1,
            // An empty one, and one that is longer than all.
            sizes => sizes + 2,
        }
    }

    /// Whether an insert returns what the database has made; else it is read in the same transaction.
    pub fn returns(&self) -> bool {
        self.db.pool().dialect().limits().returning
    }

    /// Whether the database has this.
    pub fn provides(&self, requires: Requires) -> bool {
        self.backend.provides().contains(&requires)
    }

    /// Makes a trigger that runs these statements for each row; they may use NEW.
    pub async fn create_trigger(&self, when: &str, table: &str, body: &str) {
        for sql in self.backend.trigger(when, table, body) {
            self.run(&sql).await;
        }
    }

    /// Makes a routine; see [`Backend::routine`].
    pub async fn create_routine(&self, head: &str, body: &str) {
        self.run(&self.backend.routine(head, body)).await;
        self.log.reset();
    }

    /// Whether the database is one in process, where a batch is one command of many small steps.
    pub fn is_in_process(&self) -> bool {
        let dialect = self.db.pool().dialect();
        dialect.limits().source(crate::plan::Verb::Insert, 2) == crate::plan::Source::Each
    }

    /// Asserts that the database is usable: no transaction is open, and a row can be written.
    pub async fn assert_usable(&self) {
        self.db.begin().await.expect("a transaction begins").commit().await.expect("it commits");
    }
}
