//! MariaDB 10.11 from Debian 12.

use std::process::Command;

use anyhow::{Context, Result};

use super::Engine;
use super::packages::Recipe;
use super::server::Site;
use super::{mysql, server};
use crate::process;

const PROGRAM: &str = "usr/sbin/mariadbd";

pub(crate) struct Mariadb;

impl Mariadb {
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
        // The server's own default is latin1; Debian's configuration file, which is not read here, sets these two.
        command.args(["--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci"]);
        command
    }
}

impl Engine for Mariadb {
    fn name(&self) -> &'static str {
        "mariadb"
    }

    fn variable(&self) -> &'static str {
        "ARX_MARIADB_URL"
    }

    fn dialect(&self) -> &'static str {
        "arx-mysql"
    }

    fn recipe(&self) -> Recipe {
        Recipe { suite: "bookworm", packages: &["mariadb-server-core", "libc-bin"], programs: &[PROGRAM] }
    }

    fn prepare(&self, site: &server::Site) -> Result<()> {
        site.account.make_folder(&site.data())?;
        site.account.write_file(&site.folder.join("init.sql"), &mysql::users(&site.password))?;
        process::output(Self::command(site).arg("--bootstrap"), &system_tables(site)?)?;
        Ok(())
    }

    fn serve(&self, site: &Site) -> Command {
        let mut command = Self::command(site);
        command.args(mysql::listen(site));
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
        mysql::welcomes(answer)
    }

    fn scheme(&self) -> &'static str {
        "mysql"
    }
}

/// What `mariadb-install-db` sends, in its order; that script wants more programs than the server's package has.
fn system_tables(site: &Site) -> Result<String> {
    let mut script = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n".to_owned();
    for name in [
        "mysql_system_tables",
        "mysql_performance_tables",
        "mysql_system_tables_data",
        "maria_add_gis_sp_bootstrap",
        "mysql_sys_schema",
    ] {
        let path = site.prefix.join(format!("usr/share/mysql/{name}.sql"));
        script += &std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        script += "\n";
    }
    Ok(script)
}
