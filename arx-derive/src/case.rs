//! Names in other cases: `rename_all`, the default table name, the constants.

/// What `rename_all` asks for.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Snake,
    Camel,
    Pascal,
    ScreamingSnake,
    Lower,
    Upper,
    Kebab,
}

impl Case {
    /// Every case by the name it has in `rename_all`.
    pub(crate) const ALL: [(&'static str, Self); 7] = [
        ("snake_case", Self::Snake),
        ("camelCase", Self::Camel),
        ("PascalCase", Self::Pascal),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
        ("lowercase", Self::Lower),
        ("UPPERCASE", Self::Upper),
        ("kebab-case", Self::Kebab),
    ];

    /// The case of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(text, _)| *text == name).map(|(_, case)| case)
    }

    /// The name of a field, a variant or a struct in this case.
    pub(crate) fn apply(self, name: &str) -> String {
        match self {
            Self::Snake => snake(name),
            Self::Camel => camel(name),
            Self::Pascal => snake(name).split('_').map(capitalized).collect(),
            Self::ScreamingSnake => snake(name).to_uppercase(),
            Self::Lower => name.to_lowercase(),
            Self::Upper => name.to_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
        }
    }
}

/// `HTTPServer2Go` becomes `http_server2_go`; underscores that are there stay.
fn snake(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut snake = String::with_capacity(name.len() + 4);
    for (index, &character) in characters.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| characters.get(index));
        let after = characters.get(index + 1);
        let starts = before.is_some_and(|before| before.is_lowercase() || before.is_numeric())
            || before.is_some_and(|before| before.is_uppercase()) && after.is_some_and(|after| after.is_lowercase());
        if character.is_uppercase() && starts {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

fn camel(name: &str) -> String {
    let snake = snake(name);
    let mut words = snake.split('_').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    words.map(capitalized).fold(first, |name, word| name + &word)
}

fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_of_a_field_and_of_a_variant() {
        let cases = |name| Case::ALL.map(|(_, case)| case.apply(name));
        assert_eq!(
            cases("full_name"),
            ["full_name", "fullName", "FullName", "FULL_NAME", "full_name", "FULL_NAME", "full-name"]
        );
        assert_eq!(
            cases("InTransit"),
            ["in_transit", "inTransit", "InTransit", "IN_TRANSIT", "intransit", "INTRANSIT", "in-transit"]
        );
    }

    #[test]
    fn acronyms_and_digits_stay_together() {
        assert_eq!(snake("HTTPServer2Go"), "http_server2_go");
        assert_eq!(snake("UserID"), "user_id");
        assert_eq!(snake("_line_2"), "_line_2");
        assert_eq!(snake("Straße"), "straße");
    }
}
