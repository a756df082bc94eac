//! The errors of one derive: gathered, and reported all at once.

use std::fmt::Display;

use quote::ToTokens;

/// What is wrong so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error on these tokens; the message says what to do next.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds an error.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// All errors, with a last one after which nothing more can be judged.
    pub(crate) fn fail<T>(mut self, last: syn::Error) -> syn::Result<T> {
        self.push(last.clone());
        Err(self.0.unwrap_or(last))
    }

    /// The value, if nothing was wrong.
    pub(crate) fn finish<T>(self, value: T) -> syn::Result<T> {
        match self.0 {
            Some(errors) => Err(errors),
            None => Ok(value),
        }
    }
}

/// The candidate nearest to `word`, if one is near enough to be what was meant.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = candidates.into_iter().map(|candidate| (distance(word, candidate), candidate));
    near.filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3)).min().map(|(_, candidate)| candidate)
}

/// How many characters have to be added, removed or replaced to make one word of the other.
fn distance(from: &str, to: &str) -> usize {
    let mut costs: Vec<usize> = (0..=to.chars().count()).collect();
    for (row, left) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], row + 1);
        for (column, right) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = costs[column + 1];
            costs[column + 1] = replaced.min(diagonal + 1).min(costs[column] + 1);
        }
    }
    costs.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_only_when_it_is_near() {
        assert_eq!(nearest("generatd", ["generate", "generated"]), Some("generate"));
        assert_eq!(nearest("colum", ["key", "column"]), Some("column"));
        assert_eq!(nearest("primary_key", ["key", "column"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
