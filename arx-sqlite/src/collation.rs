//! Decimals in filters and orders.
//!
//! Decimals are stored as text, because SQLite's own numbers would round them; compared as
//! text, `10` comes before `9`. So each connection has a collation that compares their digits.

use std::cmp::Ordering;

use arx::entity::ColumnMeta;
use arx::value::ScalarKind;
use rusqlite::Connection;

/// What stands after a decimal column or value that is compared.
pub(crate) const COLLATE: &str = " COLLATE arx_decimal";

/// Whether values of this column are compared by the collation.
pub(crate) fn is_collated(column: &ColumnMeta) -> bool {
    column.kind == ScalarKind::Decimal
}

/// Makes the collation known to a connection.
pub(crate) fn register(connection: &Connection) -> rusqlite::Result<()> {
    connection.create_collation(c"arx_decimal", compare)
}

/// Compares two decimals by value, so that `1.5` equals `1.50`. Text that is no decimal
/// comes after every decimal.
fn compare(left: &str, right: &str) -> Ordering {
    match (Decimal::parse(left), Decimal::parse(right)) {
        (Some(left), Some(right)) => left.compare(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(right),
    }
}

/// The digits of a decimal without zeros that do not count.
struct Decimal<'a> {
    is_negative: bool,
    whole: &'a str,
    fraction: &'a str,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
            || digits.is_empty()
            || digits == "."
        {
            return None;
        }
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Self { is_negative: text.starts_with('-') && !is_zero, whole, fraction })
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let by_length = self.whole.len().cmp(&other.whole.len());
        by_length.then_with(|| self.whole.cmp(other.whole)).then_with(|| self.fraction.cmp(other.fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_digits_by_value() {
        let ascending =
            ["-100", "-20.5", "-3.25", "-3.2", "0", "0.05", "0.5", "9", "10", "10.01", "99999999999999999999.1", "x"];
        for (left, &a) in ascending.iter().enumerate() {
            for (right, &b) in ascending.iter().enumerate() {
                assert_eq!(compare(a, b), left.cmp(&right), "{a} {b}");
            }
        }
        for (a, b) in [("1.5", "1.50"), ("-0", "0.00"), ("007", "+7"), (".5", "0.5"), ("3.", "3")] {
            assert_eq!(compare(a, b), Ordering::Equal, "{a} {b}");
        }
    }
}
