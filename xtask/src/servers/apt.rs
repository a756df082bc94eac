//! Debian packages without installing any: a private apt that reads nothing of the machine but its mirror and proxy.
//!
//! A suite goes in; packages with all the libraries they need come out as files. The status file is empty, so apt
//! takes nothing for installed, not even the C library.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::sources::Source;
use crate::process;

/// Private package lists of one suite.
pub(crate) struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// Prepares the lists of a suite under `folder`, which is written anew.
    pub(crate) fn new(folder: &Path, source: &Source, suite: &str) -> Result<Self> {
        for part in ["lists/partial", "cache/archives/partial", "debs"] {
            fs::create_dir_all(folder.join(part))?;
        }
        let architecture = process::output(Command::new("dpkg").arg("--print-architecture"), "")?;
        fs::write(folder.join("status"), "")?;
        fs::write(folder.join("debian.sources"), source.stanza(suite))?;
        fs::write(folder.join("apt.conf"), configuration(folder, architecture.trim()))?;
        let apt = Self { folder: folder.to_owned() };
        apt.run("apt-get", &["update"])?;
        Ok(apt)
    }

    /// Downloads the packages and the libraries they need; the files.
    pub(crate) fn download(&self, roots: &[&str]) -> Result<Vec<PathBuf>> {
        let skip = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"];
        let options: Vec<String> = skip.iter().map(|kind| format!("--no-{kind}")).collect();
        let mut arguments = vec!["depends", "--recurse"];
        arguments.extend(options.iter().map(String::as_str));
        arguments.extend(roots);
        let names = closure(&self.run("apt-cache", &arguments)?, roots);
        let mut arguments = vec!["download"];
        arguments.extend(names.iter().map(String::as_str));
        self.run("apt-get", &arguments)?;
        let files = crate::workspace::entries(&self.folder.join("debs"))?;
        let wanted = |file: &Path| {
            let name = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('_').next());
            name.is_some_and(|name| names.iter().any(|wanted| wanted == name))
        };
        Ok(files.into_iter().filter(|file| wanted(file)).collect())
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(program);
        command.arg("-c").arg(self.folder.join("apt.conf")).arg("-qq").args(arguments);
        command.current_dir(self.folder.join("debs")).env("LC_ALL", "C");
        process::output(&mut command, "").with_context(|| format!("{program} {}", arguments[0]))
    }
}

/// Read after the machine's own configuration, whose proxy stays in force and whose hooks must not run here. An index
/// that has expired is still signed, and all that a mirror which lags behind has.
fn configuration(folder: &Path, architecture: &str) -> String {
    let path = |name: &str| folder.join(name).display().to_string();
    format!(
        "Dir::Etc::SourceList \"{sources}\";\nDir::Etc::SourceParts \"/dev/null\";\nDir::Etc::Preferences \"/dev/null\";\n\
         Dir::Etc::PreferencesParts \"/dev/null\";\nDir::State::Lists \"{lists}\";\nDir::State::Status \"{status}\";\n\
         Dir::Cache \"{cache}\";\nAPT::Sandbox::User \"\";\nAcquire::Languages \"none\";\nAcquire::Retries \"3\";\nAcquire::Check-Valid-Until \"false\";\n\
         APT::Architecture \"{architecture}\";\n#clear APT::Architectures;\nAPT::Architectures {{ \"{architecture}\"; }};\n\
         #clear APT::Default-Release;\n#clear APT::Update;\n",
        sources = path("debian.sources"),
        lists = path("lists"),
        status = path("status"),
        cache = path("cache"),
    )
}

/// The roots and every library under them. Other packages (perl, debconf, service scripts) only serve an installation.
fn closure(depends: &str, roots: &[&str]) -> Vec<String> {
    let graph = graph(depends);
    let mut queue: VecDeque<&str> = roots.iter().copied().collect();
    let mut seen: HashSet<&str> = queue.iter().copied().collect();
    let mut names = Vec::new();
    while let Some(name) = queue.pop_front() {
        names.push(name.to_owned());
        for needed in graph.get(name).into_iter().flatten() {
            let found = needed.iter().find(|choice| is_library(choice));
            queue.extend(found.filter(|choice| seen.insert(choice)));
        }
    }
    names
}

fn is_library(name: &str) -> bool {
    (name.starts_with("lib") || name == "zlib1g") && !name.ends_with("-perl")
}

/// What each package needs: for each dependency, the packages that meet it.
fn graph(depends: &str) -> HashMap<&str, Vec<Vec<&str>>> {
    let mut graph: HashMap<&str, Vec<Vec<&str>>> = HashMap::new();
    let (mut package, mut alternative) = ("", false);
    for line in depends.lines() {
        let text = line.trim_start();
        let needs = graph.entry(package).or_default();
        if text.len() == line.len() {
            package = text;
        } else if let Some((kind, name)) = text.split_once(": ") {
            // "|Depends" is met by itself or by the line after it; "<name>" is virtual: its providers follow.
            let choice = if name.starts_with('<') { vec![] } else { vec![name] };
            match needs.last_mut() {
                Some(last) if alternative => last.extend(choice),
                _ => needs.push(choice),
            }
            alternative = kind.starts_with('|');
        } else if let Some(last) = needs.last_mut() {
            last.push(text);
        }
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::closure;

    #[test]
    fn follows_libraries_alternatives_and_providers() {
        let depends = "server\n |Depends: locales\n  Depends: liblocale\n  PreDepends: libc6\n  Depends: <libaio1>\n    \
                       libaio1t64\n  Depends: perl\n  Depends: libdbi-perl\nlibc6\n  Depends: libgcc-s1\nperl\n  \
                       Depends: libperl5\n";
        assert_eq!(closure(depends, &["server"]), ["server", "liblocale", "libc6", "libaio1t64", "libgcc-s1"]);
    }

    #[test]
    fn takes_the_package_before_its_substitute() {
        let depends = "server\n  Depends: libsystemd0\n    libelogind0\n |Depends: liba\n  Depends: libb\n";
        assert_eq!(closure(depends, &["server"]), ["server", "libsystemd0", "liba"]);
    }
}
