//! What arx knows of a table before it has met the database: constants, made by the derive.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::ColumnSet;
use crate::value::{Scalar, ScalarKind};

/// What a column is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// Data.
    Plain,
    /// A part of the key.
    Key,
    /// Raised by one with each write, and checked by updates.
    Version,
    /// Set when the row is created.
    CreatedAt,
    /// Set with each write.
    UpdatedAt,
    /// When, or whether, the row was deleted.
    SoftDelete,
}

/// One column of a table or of a projection.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ColumnMeta {
    /// The column's name in the database.
    pub name: &'static str,
    /// The field's name in the struct, for messages.
    pub field: &'static str,
    /// The kind of its values.
    pub kind: ScalarKind,
    /// The name of the database's own type, from `#[arx(type = "..")]` or the scalar.
    pub type_name: Option<&'static str>,
    /// Whether the field has a form for NULL.
    pub nullable: bool,
    /// What the column is there for.
    pub role: Role,
    /// The database makes the value when a row is inserted.
    pub generated: bool,
    /// arx makes the value when a row is inserted.
    pub generate: bool,
    /// A unique constraint covers this column alone.
    pub unique: bool,
    /// The field may be `Field::Default`.
    pub defaultable: bool,
    /// Never written by an insert.
    pub skip_insert: bool,
    /// Never written by an update.
    pub skip_update: bool,
}

impl ColumnMeta {
    /// A data column for values of type `T`.
    #[must_use]
    pub const fn of<T: Scalar>(name: &'static str, field: &'static str) -> Self {
        Self::new(name, field, T::KIND, T::NULLABLE).type_name(T::TYPE_NAME).defaultable(T::DEFAULTABLE)
    }

    /// A data column of this kind.
    #[must_use]
    pub const fn new(name: &'static str, field: &'static str, kind: ScalarKind, nullable: bool) -> Self {
        Self {
            name,
            field,
            kind,
            type_name: None,
            nullable,
            role: Role::Plain,
            generated: false,
            generate: false,
            unique: false,
            defaultable: false,
            skip_insert: false,
            skip_update: false,
        }
    }

    /// With the name of the database's own type.
    #[must_use]
    pub const fn type_name(mut self, name: Option<&'static str>) -> Self {
        self.type_name = name;
        self
    }

    /// With this role.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Made by the database.
    #[must_use]
    pub const fn generated(mut self) -> Self {
        self.generated = true;
        self
    }

    /// Made by arx.
    #[must_use]
    pub const fn generate(mut self) -> Self {
        self.generate = true;
        self
    }

    /// Unique by itself.
    #[must_use]
    pub const fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// May be left to the database.
    #[must_use]
    pub const fn defaultable(mut self, defaultable: bool) -> Self {
        self.defaultable = defaultable;
        self
    }

    /// Never inserted.
    #[must_use]
    pub const fn skip_insert(mut self) -> Self {
        self.skip_insert = true;
        self
    }

    /// Never updated.
    #[must_use]
    pub const fn skip_update(mut self) -> Self {
        self.skip_update = true;
        self
    }
}

/// A table as its entity declares it. Two are equal when they are the same constant's content by name and columns.
#[non_exhaustive]
pub struct Table {
    /// The struct's name, for messages.
    pub entity: &'static str,
    /// The schema; on SQLite the name of an attached database.
    pub schema: Option<&'static str>,
    /// The table's name.
    pub name: &'static str,
    /// The columns.
    pub columns: &'static [ColumnMeta],
    /// The columns of the key.
    pub key: ColumnSet,
    /// The version column.
    pub version: Option<usize>,
    /// The column that is set when a row is created.
    pub created_at: Option<usize>,
    /// The column that is set with each write.
    pub updated_at: Option<usize>,
    /// The column that marks a deleted row.
    pub soft_delete: Option<usize>,
    /// The columns that an insert writes, unless they are defaulted.
    pub insertable: ColumnSet,
    /// The columns that an update writes when none are named; the version is not among them.
    pub updatable: ColumnSet,
    /// The columns that may be `Field::Default`.
    pub defaultable: ColumnSet,
}

impl Table {
    /// The table of `entity` with these columns.
    ///
    /// # Panics
    /// While compiling, when there are more than 1,024 columns, or two with a role that is there once.
    #[must_use]
    pub const fn new(
        entity: &'static str,
        schema: Option<&'static str>,
        name: &'static str,
        columns: &'static [ColumnMeta],
    ) -> Self {
        let (insertable, updatable, defaultable) = written(columns);
        Self {
            entity,
            schema,
            name,
            columns,
            key: key_columns(columns),
            version: only(columns, Role::Version),
            created_at: only(columns, Role::CreatedAt),
            updated_at: only(columns, Role::UpdatedAt),
            soft_delete: only(columns, Role::SoftDelete),
            insertable,
            updatable,
            defaultable,
        }
    }

    /// All columns.
    #[must_use]
    pub const fn all(&self) -> ColumnSet {
        ColumnSet::first(self.columns.len())
    }

    /// The columns that the database makes when a row is inserted.
    #[must_use]
    pub fn generated(&self) -> ColumnSet {
        self.columns.iter().enumerate().filter(|(_, column)| column.generated).map(|(index, _)| index).collect()
    }

    /// The only column of a key that has one.
    #[must_use]
    pub fn single_key(&self) -> Option<usize> {
        let mut key = self.key.iter();
        key.next().filter(|_| key.next().is_none())
    }

    /// `Entity.field`, for messages.
    #[must_use]
    pub fn label(&self, column: usize) -> String {
        let field = self.columns.get(column).map_or("?", |column| column.field);
        format!("{}.{field}", self.entity)
    }

    /// The label of a column, for a message that has its name.
    #[must_use]
    pub fn label_of(&self, name: &str) -> Option<String> {
        let column = self.columns.iter().position(|column| column.name == name)?;
        Some(self.label(column))
    }
}

/// The columns of the key among `columns`.
#[must_use]
pub const fn key_columns(columns: &[ColumnMeta]) -> ColumnSet {
    let mut key = ColumnSet::EMPTY;
    let mut index = 0;
    while index < columns.len() {
        if matches!(columns[index].role, Role::Key) {
            key.insert(index);
        }
        index += 1;
    }
    key
}

/// The only column of this role; a second one may come from a flattened struct, which the macro does not see.
const fn only(columns: &[ColumnMeta], role: Role) -> Option<usize> {
    let mut found = None;
    let mut index = 0;
    while index < columns.len() {
        // Compared as numbers: `==` on enums is not const.
        if columns[index].role as u8 == role as u8 {
            assert!(found.is_none(), "two columns have the same role; an entity has one version, one created_at, ..");
            found = Some(index);
        }
        index += 1;
    }
    found
}

const fn written(columns: &[ColumnMeta]) -> (ColumnSet, ColumnSet, ColumnSet) {
    let (mut insertable, mut updatable, mut defaultable) = (ColumnSet::EMPTY, ColumnSet::EMPTY, ColumnSet::EMPTY);
    let mut index = 0;
    while index < columns.len() {
        let column = &columns[index];
        if !column.generated && !column.skip_insert {
            insertable.insert(index);
        }
        if matches!(column.role, Role::Plain | Role::UpdatedAt) && !column.generated && !column.skip_update {
            updatable.insert(index);
        }
        if column.defaultable {
            defaultable.insert(index);
        }
        index += 1;
    }
    (insertable, updatable, defaultable)
}

/// How many columns these groups have together; for the derive of a struct with `flatten`.
#[must_use]
pub const fn total(groups: &[&[ColumnMeta]]) -> usize {
    let (mut count, mut group) = (0, 0);
    while group < groups.len() {
        count += groups[group].len();
        group += 1;
    }
    count
}

/// The columns of these groups in one array; for the derive of a struct with `flatten`.
#[must_use]
pub const fn columns<const N: usize>(groups: &[&[ColumnMeta]]) -> [ColumnMeta; N] {
    let mut all = [ColumnMeta::new("", "", ScalarKind::Bool, false); N];
    let (mut group, mut next) = (0, 0);
    while group < groups.len() {
        let mut index = 0;
        while index < groups[group].len() {
            all[next] = groups[group][index];
            next += 1;
            index += 1;
        }
        group += 1;
    }
    // The macro sees the names of one struct only. Above this size the compiler would complain of the time.
    assert!(
        N > 256 || !has_repeated_name(&all),
        "two columns have the same name; rename one with #[arx(column = \"..\")]"
    );
    all
}

const fn has_repeated_name(columns: &[ColumnMeta]) -> bool {
    let mut index = 0;
    while index < columns.len() {
        let mut before = 0;
        while before < index {
            if is_same(columns[before].name.as_bytes(), columns[index].name.as_bytes()) {
                return true;
            }
            before += 1;
        }
        index += 1;
    }
    false
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

// A `Table` constant is one per entity, so its address would do; but the compiler may copy a constant
// into several places, so names and columns decide.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.entity, self.schema, self.name, self.columns.as_ptr())
                == (other.entity, other.schema, other.name, other.columns.as_ptr())
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.entity)
    }
}
