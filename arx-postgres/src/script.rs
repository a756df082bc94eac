//! Whether a text is several statements.
//!
//! Only the simple protocol takes several at once, and only the other one binds arguments and
//! sends rows in binary. Kept apart from `session` because it reads SQL, if barely.

use arx::dialect::scan::{Token, is_word, quoted, word};

/// Whether something follows a semicolon that is not in a string, a name or a comment.
pub(crate) fn is_several(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let mut ended = false;
    while let Some(&byte) = rest.first() {
        let (token, length) = token(rest);
        match token {
            Token::Blank => {}
            Token::End => ended = true,
            Token::Other if ended => return true,
            Token::Other => {}
        }
        debug_assert!(length > 0, "no progress at {byte}");
        rest = rest.get(length..).unwrap_or_default();
    }
    false
}

/// The token at the start of a text that is not empty, and its length.
fn token(text: &[u8]) -> (Token, usize) {
    match text {
        [byte, ..] if byte.is_ascii_whitespace() => (Token::Blank, 1),
        [b';', ..] => (Token::End, 1),
        [b'-', b'-', ..] => (Token::Blank, text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())),
        [b'/', b'*', ..] => (Token::Blank, comment(text)),
        [b'E' | b'e', b'\'', ..] => (Token::Other, 1 + quoted(&text[1..], b'\'', true)),
        [quote @ (b'\'' | b'"'), ..] => (Token::Other, quoted(text, *quote, false)),
        [b'$', ..] => (Token::Other, dollar(text)),
        // A word is one token: an E or a dollar inside it begins nothing.
        _ => (Token::Other, word(text)),
    }
}

/// The length of a comment; comments nest.
fn comment(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let step = match text.get(at..at + 2) {
            Some(b"/*") => {
                depth += 1;
                2
            }
            Some(b"*/") => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of `$tag$ .. $tag$`, or of a lone dollar.
fn dollar(text: &[u8]) -> usize {
    let tag = text.iter().skip(1).position(|&byte| !is_word(byte) || byte == b'$').map(|end| end + 2);
    let Some(tag) = tag.and_then(|end| text.get(..end)).filter(|tag| tag.last() == Some(&b'$')) else { return 1 };
    let body = &text[tag.len()..];
    body.windows(tag.len()).position(|window| window == tag).map_or(text.len(), |end| end + 2 * tag.len())
}

#[cfg(test)]
mod tests {
    use super::is_several;

    #[test]
    fn finds_a_second_statement() {
        for text in [
            "SELECT 1; SELECT 2",
            "SELECT ';'; SELECT 2",
            r"SELECT E'\';'; SELECT 2",
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $x$ SELECT 1; $x$; SELECT 2",
            "/* ; /* nested ; */ */ SELECT 1; -- ;\n SELECT 2",
        ] {
            assert!(is_several(text), "{text}");
        }
    }

    #[test]
    fn takes_one_statement_for_one() {
        for text in [
            "",
            ";",
            "SELECT 1;",
            "SELECT 1; -- the end",
            "SELECT 1; /* the end */ ;",
            "SELECT 'a;b', \"c;d\", 'it''s; so'",
            r"SELECT E'it\'s; so', type';x'",
            "DO $$ BEGIN PERFORM 1; PERFORM 2; END $$",
            "SELECT $1; ",
            "SELECT '; unterminated",
        ] {
            assert!(!is_several(text), "{text}");
        }
    }
}
