//! MySQL 9.7 from Debian's newest, with its defaults and once more with another way to hand out keys.

use std::process::Command;

use anyhow::Result;

use super::Engine;
use super::packages::Recipe;
use super::server::Site;
use crate::process;

const PROGRAM: &str = "usr/sbin/mysqld";

/// One way to start it.
pub(crate) struct Mysql {
    name: &'static str,
    variable: &'static str,
    options: &'static [&'static str],
}

pub(crate) static MYSQL: Mysql = Mysql { name: "mysql", variable: "ARX_MYSQL_URL", options: &[] };

/// Keys are handed out under a lock where a statement does not tell how many it needs; else they are interleaved.
pub(crate) static MYSQL_LOCK1: Mysql =
    Mysql { name: "mysql-lock1", variable: "ARX_MYSQL_LOCK1_URL", options: &["--innodb-autoinc-lock-mode=1"] };

impl Mysql {
    fn command(site: &Site) -> Command {
        let mut command = site.command(PROGRAM);
        command.arg("--no-defaults");
        for (option, path) in [
            ("basedir", "usr"),
            ("lc-messages-dir", "usr/share/mysql"),
            ("character-sets-dir", "usr/share/mysql/charsets"),
            ("plugin-dir", "usr/lib/mysql/plugin"),
        ] {
            command.arg(format!("--{option}={}", site.prefix.join(path).display()));
        }
        command.arg(format!("--datadir={}", site.data().display()));
        // Debian's build names a folder here that only an installation has, and aborts without it.
        command.arg("--secure-file-priv=NULL");
        command
    }
}

impl Engine for Mysql {
    fn name(&self) -> &'static str {
        self.name
    }

    fn variable(&self) -> &'static str {
        self.variable
    }

    fn dialect(&self) -> &'static str {
        "arx-mysql"
    }

    fn home(&self) -> &'static str {
        "mysql"
    }

    fn recipe(&self) -> Recipe {
        Recipe { suite: "sid", packages: &["mysql-server-core", "libc-bin"], programs: &[PROGRAM] }
    }

    fn prepare(&self, site: &Site) -> Result<()> {
        process::output(Self::command(site).arg("--initialize-insecure"), "")?;
        site.account.write_file(&site.folder.join("init.sql"), &users(&site.password))
    }

    fn serve(&self, site: &Site) -> Command {
        let mut command = Self::command(site);
        command.args(listen(site)).args(self.options);
        // The X protocol listens on a fixed port, which a second server could not have.
        command.arg("--mysqlx=OFF");
        command.arg(format!("--init-file={}", site.folder.join("init.sql").display()));
        command
    }

    fn ready(&self) -> &'static str {
        "ready for connections"
    }

    fn hello(&self) -> Vec<u8> {
        Vec::new()
    }

    fn welcomes(&self, answer: &[u8]) -> bool {
        welcomes(answer)
    }

    fn scheme(&self) -> &'static str {
        "mysql"
    }

    fn has_suite(&self) -> bool {
        self.options.is_empty()
    }
}

/// The user and database of the tests; root gets a password too. One statement a line, as an init file wants it.
pub(super) fn users(password: &str) -> String {
    format!(
        "CREATE DATABASE arx;\nCREATE USER arx@'%' IDENTIFIED BY '{password}';\n\
         GRANT ALL ON *.* TO arx@'%' WITH GRANT OPTION;\nALTER USER root@localhost IDENTIFIED BY '{password}';\n"
    )
}

/// Defaults but for what tests need. A time zone that is not UTC shows values that are shifted by it.
pub(super) fn listen(site: &Site) -> Vec<String> {
    // Without a usable folder the socket's default would be a system path; a name relative to the data folder is short.
    let socket = site.sockets().map_or_else(|| "s".into(), |folder| folder.join("mysql.sock"));
    vec![
        "--bind-address=127.0.0.1".to_owned(),
        format!("--port={}", site.port),
        format!("--socket={}", socket.display()),
        format!("--pid-file={}", site.folder.join("pid").display()),
        "--max-connections=200".to_owned(),
        "--default-time-zone=-05:00".to_owned(),
    ]
}

/// The server speaks first: a packet header of four bytes, then the protocol's version 10, or 255 with an error.
pub(super) fn welcomes(answer: &[u8]) -> bool {
    answer.get(4) == Some(&10)
}
