//! Which attributes of one field contradict each other, as tables.

use crate::attr::Attributes;
use crate::errors::Errors;
use crate::model::Role;
use crate::name::Name;

/// The attributes that give a column a role.
pub(super) const ROLES: [(Name, Role); 5] = [
    (Name::Key, Role::Key),
    (Name::Version, Role::Version),
    (Name::CreatedAt, Role::CreatedAt),
    (Name::UpdatedAt, Role::UpdatedAt),
    (Name::SoftDelete, Role::SoftDelete),
];

/// Pairs that contradict each other, and what to do about it.
const PAIRS: &[(Name, Name, &str)] = &[
    (Name::Generated, Name::Generate, "the database makes a `generated` value, arx a `generate` one; keep one"),
    (Name::Generated, Name::Default, "the database always makes a `generated` value; keep one"),
    (Name::Generated, Name::Version, "arx counts the version itself; remove `generated`"),
    (Name::Generated, Name::CreatedAt, "arx sets `created_at` itself; keep one"),
    (Name::Generated, Name::UpdatedAt, "arx sets `updated_at` itself; keep one"),
    (Name::Generated, Name::SoftDelete, "arx sets `soft_delete` itself; keep one"),
    (Name::Generate, Name::Default, "arx makes a `generate` value, so the database has nothing to fill in; keep one"),
    (Name::Json, Name::With, "both say how the field is written; keep one"),
    (Name::Json, Name::Default, "a JSON column cannot be a `Field`; keep one"),
    (Name::With, Name::Default, "a column written by a module cannot be a `Field`; keep one"),
    (Name::Key, Name::Json, "databases do not compare JSON; store the key as it is"),
    (Name::Key, Name::With, "a key is a Scalar itself; wrap it in a newtype that derives `arx::Scalar`"),
    (Name::Key, Name::SkipInsert, "write `#[arx(key, generated)]` for a key that the database makes"),
    (Name::Version, Name::SkipInsert, "arx writes the version with each insert; remove one"),
    (Name::Version, Name::SkipUpdate, "arx raises the version with each update; remove one"),
    (Name::CreatedAt, Name::SkipInsert, "arx sets `created_at` with the insert; remove one"),
    (Name::UpdatedAt, Name::SkipUpdate, "arx sets `updated_at` with each update; remove one"),
];

/// Reports every contradiction on the attribute that was written later.
pub(super) fn check(attributes: &Attributes, errors: &mut Errors) {
    for &(left, right, advice) in PAIRS {
        let mut both = attributes.iter().filter(|given| given.name == left || given.name == right);
        if let (Some(first), Some(second)) = (both.next(), both.next()) {
            let message = format!("`{}` contradicts `{}`: {advice}", second.name.text(), first.name.text());
            errors.at(&second.at, message);
        }
    }
    check_roles(attributes, errors);
    check_alone(attributes, Name::Skip, &[], "a skipped field is no column", errors);
    check_alone(attributes, Name::Flatten, &[Name::Constant], "its columns are described where they are", errors);
    if let (Some(generate), false) = (attributes.get(Name::Generate), attributes.has(Name::Key)) {
        errors.at(&generate.at, "`generate` makes keys; add `key`, or set the field before the row is created");
    }
}

fn check_roles(attributes: &Attributes, errors: &mut Errors) {
    let mut roles = attributes.iter().filter(|given| ROLES.iter().any(|(name, _)| *name == given.name));
    let Some(first) = roles.next() else { return };
    for other in roles {
        let message = format!("a column is there for one thing, and this one is `{}`; remove one", first.name.text());
        errors.at(&other.at, message);
    }
}

/// `alone` takes no other attribute beside it but `friends`.
fn check_alone(attributes: &Attributes, alone: Name, friends: &[Name], reason: &str, errors: &mut Errors) {
    if !attributes.has(alone) {
        return;
    }
    for other in attributes.iter().filter(|given| given.name != alone && !friends.contains(&given.name)) {
        let (other_text, alone) = (other.name.text(), alone.text());
        errors.at(&other.at, format!("`{other_text}` has no meaning beside `{alone}`: {reason}; remove one"));
    }
}
