//! PostgreSQL 15 from Debian 12 and PostgreSQL 18 from Debian's newest, set up alike.

use std::process::Command;

use anyhow::Result;

use super::packages::Recipe;
use super::server::Site;
use super::{Engine, packages};
use crate::process;

/// One major version.
pub(crate) struct Postgres {
    name: &'static str,
    bin: &'static str,
    recipe: packages::Recipe,
}

pub(crate) static POSTGRES_15: Postgres = Postgres {
    name: "postgres15",
    bin: "usr/lib/postgresql/15/bin",
    recipe: Recipe {
        suite: "bookworm",
        packages: &["postgresql-15", "libc-bin"],
        programs: &["usr/lib/postgresql/15/bin/postgres", "usr/lib/postgresql/15/bin/initdb"],
    },
};

pub(crate) static POSTGRES_18: Postgres = Postgres {
    name: "postgres18",
    bin: "usr/lib/postgresql/18/bin",
    recipe: Recipe {
        suite: "sid",
        packages: &["postgresql-18", "libc-bin"],
        programs: &["usr/lib/postgresql/18/bin/postgres", "usr/lib/postgresql/18/bin/initdb"],
    },
};

impl Postgres {
    fn command(&self, site: &Site, program: &str) -> Command {
        site.command(&format!("{}/{program}", self.bin))
    }
}

impl Engine for Postgres {
    fn name(&self) -> &'static str {
        self.name
    }

    fn variable(&self) -> &'static str {
        "ARX_POSTGRES_URL"
    }

    fn dialect(&self) -> &'static str {
        "arx-postgres"
    }

    fn recipe(&self) -> Recipe {
        Recipe { ..self.recipe }
    }

    fn prepare(&self, site: &Site) -> Result<()> {
        let secret = site.folder.join("password");
        site.account.write_file(&secret, &site.password)?;
        let mut initdb = self.command(site, "initdb");
        // --no-sync spares the new files only; a running server syncs as it does by default.
        initdb.args(["--username=arx", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]);
        initdb.arg("--pwfile").arg(&secret).arg("--pgdata").arg(site.data());
        process::output(&mut initdb, "")?;
        let conf = site.data().join("postgresql.conf");
        let text = std::fs::read_to_string(&conf)? + SETTINGS;
        site.account.write_file(&conf, &text)?;
        // In template1, so that every database has the extension.
        let mut single = self.command(site, "postgres");
        single.arg("--single").arg("-D").arg(site.data()).arg("template1");
        process::output(&mut single, "CREATE EXTENSION pg_stat_statements;\nCREATE DATABASE arx;\n")?;
        Ok(())
    }

    fn serve(&self, site: &Site) -> Command {
        let mut command = self.command(site, "postgres");
        command.arg("-D").arg(site.data()).arg("-p").arg(site.port.to_string());
        let sockets = site.sockets().map(|folder| folder.display().to_string()).unwrap_or_default();
        command.arg("-c").arg(format!("unix_socket_directories={sockets}"));
        command
    }

    fn ready(&self) -> &'static str {
        "database system is ready to accept connections"
    }

    fn hello(&self) -> Vec<u8> {
        startup()
    }

    fn welcomes(&self, answer: &[u8]) -> bool {
        // "R" asks for the password; a server that still starts answers with an error, "E".
        answer.first() == Some(&b'R')
    }

    fn scheme(&self) -> &'static str {
        "postgres"
    }
}

/// Defaults but for what tests need. A time zone that is not UTC shows values that are shifted by it.
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
max_connections = 200
shared_preload_libraries = 'pg_stat_statements'
timezone = 'America/New_York'
";

/// A startup message of protocol 3.0.
fn startup() -> Vec<u8> {
    let body = b"\x00\x03\x00\x00user\0arx\0database\0arx\0\0";
    let length = u32::try_from(body.len() + 4).unwrap_or_default();
    [&length.to_be_bytes()[..], body].concat()
}
