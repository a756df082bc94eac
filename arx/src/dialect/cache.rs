//! What a dialect remembers: statements by shape, facts by table, signatures by routine.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Statement;
use crate::entity::Table;
use crate::error::Result;
use crate::plan::{Shape, Signature, TableFacts};
use crate::query::{RoutineKind, RoutineName};

// Filters that a program composes freely must not grow the cache without end. Shapes of the
// verbs themselves are few, so starting afresh now and then costs nothing that can be measured.
const CAPACITY: usize = 1_024;

/// The tables of one name, with what is known of each.
type Facts = Vec<(&'static Table, Arc<TableFacts>)>;

/// A routine's name, owned.
type Routine = (RoutineKind, Option<Box<str>>, Box<str>);

/// Statements and facts, shared by all connections of a pool.
#[derive(Default)]
pub struct Cache {
    statements: Mutex<HashMap<Shape, Arc<Statement>, foldhash::fast::RandomState>>,
    facts: Mutex<HashMap<&'static str, Facts>>,
    routines: Mutex<HashMap<Routine, Arc<[Signature]>>>,
}

impl Cache {
    /// The statement of this shape; `write` makes it where it is not known.
    ///
    /// # Errors
    /// What `write` returns.
    pub fn statement(&self, shape: &Shape, write: impl FnOnce() -> Result<Statement>) -> Result<Arc<Statement>> {
        let mut statements = self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = statements.get(shape) {
            return Ok(Arc::clone(statement));
        }
        let statement = Arc::new(write()?);
        if statements.len() >= CAPACITY {
            statements.clear();
        }
        statements.insert(shape.clone(), Arc::clone(&statement));
        Ok(statement)
    }

    /// What is known of the table.
    #[must_use]
    pub fn facts(&self, table: &'static Table) -> Option<Arc<TableFacts>> {
        let facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = facts.get(table.name)?;
        tables.iter().find(|(known, _)| *known == table).map(|(_, facts)| Arc::clone(facts))
    }

    /// Remembers what was found out about the table.
    pub fn remember(&self, table: &'static Table, found: Arc<TableFacts>) {
        let mut facts = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = facts.entry(table.name).or_default();
        tables.retain(|(known, _)| *known != table);
        tables.push((table, found));
    }

    /// The overloads of the routine.
    #[must_use]
    pub fn signatures(&self, routine: RoutineName<'_>) -> Option<Arc<[Signature]>> {
        self.routines.lock().unwrap_or_else(PoisonError::into_inner).get(&owned(routine)).map(Arc::clone)
    }

    /// Remembers the overloads of the routine.
    pub fn remember_routine(&self, routine: RoutineName<'_>, found: Arc<[Signature]>) {
        let mut routines = self.routines.lock().unwrap_or_else(PoisonError::into_inner);
        if routines.len() >= CAPACITY {
            routines.clear();
        }
        routines.insert(owned(routine), found);
    }

    /// Forgets the routine, which may have been replaced.
    pub fn forget_routine(&self, routine: RoutineName<'_>) {
        self.routines.lock().unwrap_or_else(PoisonError::into_inner).remove(&owned(routine));
    }

    /// Forgets what is known of every table and routine: after a migration.
    pub fn forget(&self) {
        self.routines.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.statements.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn owned(routine: RoutineName<'_>) -> Routine {
    (routine.kind, routine.schema.map(Into::into), routine.name.into())
}
