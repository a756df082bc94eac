//! The names in a server's error message. MySQL sends them in no other way.
//!
//! A message also holds values, which may hold anything: a name is taken from behind the last words that
//! precede it, and from nowhere else. Kept apart from `error` because it reads text.

/// What an error is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names<'m> {
    pub(crate) constraint: Option<&'m str>,
    pub(crate) column: Option<&'m str>,
}

/// The names in the message of the error with this number. A server that speaks another language has none.
pub(crate) fn names(number: u16, message: &str) -> Names<'_> {
    let constraint = match number {
        // "Duplicate entry '..' for key 'customers.code'", on MariaDB 'code'
        1062 | 1586 => after(message, "for key ").map(unqualified),
        // ".. (`shop`.`orders`, CONSTRAINT `orders_customer` FOREIGN KEY .."
        1451 | 1452 => before(message, "CONSTRAINT ", " FOREIGN KEY"),
        // "Check constraint 'is_small' is violated."
        3819 => first(message, "Check constraint "),
        // "CONSTRAINT `is_small` failed for `shop`.`orders`"; of a column, `orders.amount`
        4025 => first(message, "CONSTRAINT ").map(unqualified),
        _ => None,
    };
    let column = match number {
        // "Column 'note' cannot be null", "Field 'note' doesn't have a default value"
        1048 => first(message, "Column "),
        1364 => first(message, "Field "),
        // ".. for column 'note' at row 1", on MariaDB `shop`.`orders`.`note`; ".. for column 'orders.note'."
        1263..=1265 | 1292 | 1366 | 1406 | 3140..=3145 | 3156 => after(message, "column ").map(unqualified),
        _ => None,
    };
    Names { constraint, column }
}

/// The name in quotes behind the last occurrence of these words.
fn after<'m>(message: &'m str, words: &str) -> Option<&'m str> {
    let start = message.rfind(words)? + words.len();
    quoted(message.get(start..)?)
}

/// The name in quotes behind these words at the start of the message.
fn first<'m>(message: &'m str, words: &str) -> Option<&'m str> {
    quoted(message.strip_prefix(words)?)
}

/// The name in quotes between the last occurrence of `words` before the last one of `end`.
fn before<'m>(message: &'m str, words: &str, end: &str) -> Option<&'m str> {
    let message = message.get(..message.rfind(end)?)?;
    after(message, words)
}

/// What stands in the quotes at the start of the text, with more of the same kind behind points.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '`'))?;
    let mut rest = text.get(1..)?;
    loop {
        let end = rest.find(quote)?;
        // `a`.`b`.`c`: the last one is the name.
        match rest.get(end + 1..).and_then(|behind| behind.strip_prefix('.')?.strip_prefix(quote)) {
            Some(next) => rest = next,
            None => return rest.get(..end),
        }
    }
}

/// The name without the table's before a point.
fn unqualified(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraint(number: u16, message: &str) -> Option<&str> {
        names(number, message).constraint
    }

    fn column(number: u16, message: &str) -> Option<&str> {
        names(number, message).column
    }

    #[test]
    fn finds_names_of_constraints() {
        assert_eq!(constraint(1062, "Duplicate entry 'x' for key 'customers.code'"), Some("code"));
        assert_eq!(constraint(1062, "Duplicate entry 'x' for key 'PRIMARY'"), Some("PRIMARY"));
        let message = "Cannot add or update a child row: a foreign key constraint fails (`shop`.`orders`, CONSTRAINT `orders_ibfk_1` FOREIGN KEY (`customer`) REFERENCES `customers` (`id`))";
        assert_eq!(constraint(1452, message), Some("orders_ibfk_1"));
        assert_eq!(constraint(3819, "Check constraint 'is_small' is violated."), Some("is_small"));
        assert_eq!(constraint(4025, "CONSTRAINT `is_small` failed for `shop`.`orders`"), Some("is_small"));
    }

    #[test]
    fn finds_names_of_columns() {
        assert_eq!(column(1048, "Column 'note' cannot be null"), Some("note"));
        assert_eq!(column(1406, "Data too long for column 'note' at row 3"), Some("note"));
        let message = "Incorrect string value: '\\xF0' for column `shop`.`orders`.`note` at row 1";
        assert_eq!(column(1366, message), Some("note"));
        assert_eq!(
            column(3140, "Invalid JSON text: \"x\" at position 0 in value for column 'orders.data'."),
            Some("data")
        );
    }

    #[test]
    fn takes_no_value_for_a_name() {
        let message = "Duplicate entry 'x' for key 'secret' for key 'customers.code'";
        assert_eq!(constraint(1062, message), Some("code"));
        assert_eq!(constraint(1062, "Doppelter Eintrag 'x' für Schlüssel 'code'"), None);
        assert_eq!(column(1048, "Feld 'note' darf nicht NULL sein"), None);
    }
}
