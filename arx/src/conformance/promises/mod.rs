//! Cases for what arx promises, by verb.

mod create;

use super::Case;

/// The cases of this module.
pub(super) fn cases() -> Vec<Case> {
    [create::CASES].concat()
}
