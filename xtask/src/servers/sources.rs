//! The Debian mirror this machine uses, read from its own package sources.
//!
//! No mirror is named here: a machine behind a proxy or a mirror of its own works as it is set up. Only Debian's own
//! two files are read, since a vendor's file may call its suite `bookworm` too.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Result, bail};

const ONE_LINE: &str = "/etc/apt/sources.list";
const STANZAS: &str = "/etc/apt/sources.list.d/debian.sources";

/// Where packages come from: the fields of a deb822 stanza that do not name a suite.
#[derive(Debug, PartialEq)]
pub(crate) struct Source {
    fields: Vec<(String, String)>,
}

impl Source {
    /// The first source of this machine that has a whole Debian release.
    pub(crate) fn system() -> Result<Self> {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        match parse_one_line(&read(ONE_LINE)).or_else(|| parse_stanzas(&read(STANZAS))) {
            Some(source) => Ok(source),
            None => bail!(
                "no Debian package source in {ONE_LINE} or {STANZAS}: on another system, start the servers by hand \
                 (compose.yaml) and set ARX_POSTGRES_URL, ARX_MYSQL_URL and ARX_MARIADB_URL"
            ),
        }
    }

    /// This source as a stanza for one suite; only the package index is wanted.
    pub(crate) fn stanza(&self, suite: &str) -> String {
        let mut text = format!("Types: deb\nSuites: {suite}\nComponents: main\nTargets: Packages\n");
        for (name, value) in &self.fields {
            let _ = writeln!(text, "{name}: {value}");
        }
        text
    }

    /// The address of the mirror.
    pub(crate) fn mirror(&self) -> &str {
        let uris = self.fields.iter().find(|(name, _)| name == "URIs");
        uris.and_then(|(_, value)| value.split_whitespace().next()).unwrap_or_default()
    }
}

/// Updates and security fixes are suites of their own without most packages.
fn is_release(suite: &str) -> bool {
    !suite.contains(['-', '/'])
}

fn parse_one_line(text: &str) -> Option<Source> {
    text.lines().find_map(|line| {
        let line = line.split('#').next()?.trim().strip_prefix("deb ")?.trim_start();
        let (options, rest) = match line.strip_prefix('[') {
            Some(line) => line.split_once(']')?,
            None => ("", line),
        };
        let mut words = rest.split_whitespace();
        let (uri, suite) = (words.next()?, words.next()?);
        if uri.starts_with("cdrom:") || !is_release(suite) || !words.any(|component| component == "main") {
            return None;
        }
        let mut fields = vec![("URIs".to_owned(), uri.to_owned())];
        let signed = options.split_whitespace().find_map(|option| option.strip_prefix("signed-by="));
        fields.extend(signed.map(|key| ("Signed-By".to_owned(), key.to_owned())));
        Some(Source { fields })
    })
}

fn parse_stanzas(text: &str) -> Option<Source> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut stanzas = vec![Vec::<(String, String)>::new()];
    for line in lines {
        let Some(stanza) = stanzas.last_mut() else {
            break;
        };
        if line.trim().is_empty() {
            stanzas.push(Vec::new());
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = stanza.last_mut() {
                value.push('\n');
                value.push_str(line);
            }
        } else if let Some((name, value)) = line.split_once(':') {
            stanza.push((name.to_owned(), value.trim().to_owned()));
        }
    }
    stanzas.into_iter().find(|stanza| is_debian(stanza)).map(|fields| {
        let own = ["Types", "Suites", "Components", "Targets", "Architectures", "Enabled"];
        Source { fields: fields.into_iter().filter(|(name, _)| !own.contains(&name.as_str())).collect() }
    })
}

fn is_debian(stanza: &[(String, String)]) -> bool {
    let has = |name: &str, test: &dyn Fn(&str) -> bool| {
        stanza.iter().any(|(field, value)| field == name && value.split_whitespace().any(test))
    };
    has("Types", &|word| word == "deb")
        && has("Suites", &is_release)
        && has("Components", &|word| word == "main")
        && has("URIs", &|word| !word.starts_with("cdrom:"))
        && !has("Enabled", &|word| word == "no")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_one_line_file() {
        let text = "# deb http://old buzz main\ndeb http://m/s bookworm-security main\n\
                    deb [arch=amd64 signed-by=/k.gpg] http://m/debian bookworm main contrib # us\n";
        let source = parse_one_line(text).unwrap();
        assert_eq!(source.mirror(), "http://m/debian");
        assert!(source.stanza("sid").ends_with("URIs: http://m/debian\nSigned-By: /k.gpg\n"));
    }

    #[test]
    fn passes_over_what_is_not_a_whole_release() {
        assert_eq!(parse_one_line("deb cdrom:[Debian]/ bookworm main\ndeb http://m x/ \ndeb http://m b contrib"), None);
        assert_eq!(parse_stanzas("Types: deb-src\nURIs: http://m\nSuites: bookworm\nComponents: main\n"), None);
        assert_eq!(parse_stanzas(""), None);
    }

    #[test]
    fn reads_stanzas_and_keeps_an_embedded_key() {
        let text = "Types: deb\nURIs: http://s\nSuites: bookworm-security\nComponents: main\n\n\
                    # ours\nTypes: deb deb-src\nURIs: http://m/debian\nSuites: bookworm bookworm-updates\n\
                    Components: main\nSigned-By:\n -----BEGIN\n .\n -----END\n";
        let source = parse_stanzas(text).unwrap();
        let stanza = source.stanza("sid");
        assert!(stanza.starts_with("Types: deb\nSuites: sid\nComponents: main\n"), "{stanza}");
        assert!(stanza.ends_with("URIs: http://m/debian\nSigned-By: \n -----BEGIN\n .\n -----END\n"), "{stanza}");
    }
}
