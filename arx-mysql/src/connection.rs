//! MySQL and MariaDB as a server of sqlx: how a command is sent, and what an error says of the connection.

use std::future::poll_fn;
use std::sync::Arc;

use arx::connection::{Affected, Begin, Command, Message, ResultSet, RowSink};
use arx::dialect::Statement;
use arx::entity::Table;
use arx::error::{Error, Result};
use arx::plan::{Signature, TableFacts};
use arx::query::RoutineName;
use arx_sqlx::{Failure, Fault, Phase, Results, Server, Session, Step};
use futures_util::StreamExt as _;
use sqlx::mysql::{MySqlArguments, MySqlConnection, MySqlQueryResult, MySqlRow};
use sqlx::{AssertSqlSafe, Either, Executor as _, SqlSafeStr, Statement as _};

use crate::decode::{Columns, ReportedKey};
use crate::dialect::Mysql;
use crate::procedure::Sets;
use crate::settings::Settings;
use crate::{encode, error, inspect, probe, procedure, script};

impl Server for Mysql {
    type Database = sqlx::MySql;
    type Dialect = Self;

    const ERRORS_ABORT: bool = false;
    const COUNTS_ANSWERS: bool = false;

    fn fault(error: &sqlx::Error) -> Fault {
        error::fault(error)
    }

    fn convert(table: Option<&Table>, error: sqlx::Error) -> Error {
        error::convert_for(table, error)
    }

    /// The level is set for the next transaction only; MySQL has no word for it in START itself.
    fn begin_words(begin: Begin) -> String {
        let start = if begin.read_only { "START TRANSACTION READ ONLY" } else { "START TRANSACTION" };
        match begin.isolation {
            None => start.to_owned(),
            Some(level) => format!("SET TRANSACTION ISOLATION LEVEL {}; {start}", level.name()),
        }
    }

    async fn word(link: &mut MySqlConnection, words: String) -> Result<(), sqlx::Error> {
        link.execute(sqlx::raw_sql(AssertSqlSafe(words))).await.map(drop)
    }

    /// Looks at the session, which may be the application's, and asks the server what it can do where nobody has.
    async fn ready(dialect: &Self, link: &mut MySqlConnection, is_own: bool) -> Result<()> {
        let settings = Settings::read(link).await?;
        if !is_own {
            settings.fix(link).await?;
        }
        if !dialect.is_probed() {
            dialect.learn(probe::probe(link).await?);
        }
        dialect.check_increment(settings.increment())
    }

    fn is_ready(dialect: &Self, is_own: bool) -> bool {
        is_own && dialect.is_probed()
    }

    async fn look(dialect: Arc<Self>, link: &mut MySqlConnection) -> Result<Arc<Self>> {
        let settings = Settings::read(link).await?;
        settings.check()?;
        let dialect = if dialect.is_probed() { dialect } else { Arc::new(Self::with(probe::ask(link).await?)) };
        dialect.check_increment(settings.increment())?;
        Ok(dialect)
    }

    async fn send(
        session: &mut Session<Self>,
        link: &mut MySqlConnection,
        command: &Command<'_>,
        sink: &mut dyn RowSink,
    ) -> Result<Affected, Failure> {
        let statement = command.statement;
        if statement.table.is_none() && session.phase() != Phase::Idle && script::ends_transaction(&statement.text) {
            return Err(Failure::harmless(Error::unsupported(
                "the statement would commit or end the transaction that it runs in; run it outside, and end the transaction with commit() or rollback()",
            )));
        }
        let is_bare = statement.table.is_none() && command.parameters.literals.is_empty();
        if is_bare && !script::returns_rows(&statement.text) {
            session.step = Step::Busy;
            let text = AssertSqlSafe(Arc::clone(&statement.text));
            return receive(session, link.fetch_many(sqlx::raw_sql(text)), command, sink, Form::Text).await;
        }
        let arguments = arguments(session, command)?;
        if session.phase() != Phase::Idle || statement.table.is_none() {
            prepare(session, link, command).await?;
        }
        session.step = Step::Busy;
        receive(session, execute(link, command, arguments), command, sink, Form::Binary).await
    }

    async fn call(
        session: &mut Session<Self>,
        link: &mut MySqlConnection,
        command: &Command<'_>,
    ) -> Result<Vec<Box<dyn ResultSet>>, Failure> {
        let arguments = arguments(session, command)?;
        prepare(session, link, command).await?;
        session.step = Step::Busy;
        let mut stream = execute(link, command, arguments);
        let mut sets = Sets::default();
        while let Some(next) = stream.next().await {
            match next.map_err(|error| Self::failure(None, error))? {
                Either::Left(_) => sets.end_set(),
                Either::Right(row) => sets.row(row),
            }
        }
        Ok(sets.finish())
    }

    async fn inspect(
        dialect: &Self,
        link: &mut MySqlConnection,
        table: &'static Table,
    ) -> Result<TableFacts, sqlx::Error> {
        inspect::read(link, table, dialect.capabilities()).await
    }

    async fn describe(link: &mut MySqlConnection, routine: RoutineName<'_>) -> Result<Vec<Signature>, sqlx::Error> {
        procedure::read(link, routine).await
    }

    fn messages(link: &mut MySqlConnection) -> Option<impl Future<Output = Result<Vec<Message>, sqlx::Error>> + Send> {
        Some(procedure::warnings(link))
    }
}

fn arguments(session: &Session<Mysql>, command: &Command<'_>) -> Result<MySqlArguments, Failure> {
    encode::arguments(command, session.dialect.capabilities().max_packet).map_err(Failure::harmless)
}

fn execute<'a>(
    link: &'a mut MySqlConnection,
    command: &Command<'_>,
    arguments: MySqlArguments,
) -> Results<'a, sqlx::MySql> {
    let text = AssertSqlSafe(Arc::clone(&command.statement.text));
    link.fetch_many(sqlx::query_with::<_, MySqlArguments>(text, arguments))
}

/// Prepares a statement by itself. sqlx 0.9.0 does not count the answers to a first use: dropped in there, the
/// connection is lost. Dropped in the statement that follows, a transaction can go on. Nor does it notice a
/// wrong number of arguments before it waits for an answer.
async fn prepare(
    session: &mut Session<Mysql>,
    link: &mut MySqlConnection,
    command: &Command<'_>,
) -> Result<(), Failure> {
    session.step = Step::Adrift;
    let text = AssertSqlSafe(Arc::clone(&command.statement.text)).into_sql_str();
    let prepared = link.prepare(text).await;
    session.step = Step::Ready;
    let prepared = prepared.map_err(|error| Mysql::failure(command.statement.table, error))?;
    let given = command.parameters.literals.len();
    let wanted = prepared.parameters().and_then(Either::right).unwrap_or(given);
    if command.statement.table.is_none() && wanted != given {
        let message = format!("the statement has {wanted} placeholders and {given} arguments were given");
        return Err(Failure::harmless(Error::invalid_input(message)));
    }
    Ok(())
}

/// Reads what comes back.
async fn receive(
    session: &Session<Mysql>,
    mut stream: Results<'_, sqlx::MySql>,
    command: &Command<'_>,
    sink: &mut dyn RowSink,
    form: Form,
) -> Result<Affected, Failure> {
    let statement = command.statement;
    let (mut affected, mut returned, mut columns) = (0, 0, None);
    loop {
        poll_fn(|cx| sink.poll_ready(cx)).await;
        let passed = match stream.next().await {
            // A result set tells no number of rows.
            None => return Ok(Affected::rows(if affected == 0 { returned } else { affected })),
            Some(Ok(Either::Left(done))) => {
                affected += done.rows_affected();
                report_keys(statement, command.parameters.rows.len(), &done, sink)
            }
            Some(Ok(Either::Right(row))) => {
                returned += 1;
                pass_on(&row, &mut columns, sink, form)
            }
            Some(Err(error)) => return Err(Mysql::failure(statement.table, error)),
        };
        if let Err(error) = passed {
            // sqlx counts an answer as read when it is asked for the next one.
            return Err(Failure { error, fault: session.read_on(stream).await });
        }
    }
}

/// Hands on the keys that the server reports instead of rows.
fn report_keys(statement: &Statement, rows: usize, done: &MySqlQueryResult, sink: &mut dyn RowSink) -> Result<()> {
    let Some(increment) = statement.block.or(statement.last_id.then_some(1)) else { return Ok(()) };
    let first = done.last_insert_id();
    // A trigger, a view or a default has made the key; or some rows were passed over.
    if first == 0 || done.rows_affected() != rows as u64 {
        return Err(Error::unsupported(
            "the server did not report the keys that it made: a trigger, a view or a default has made them; use .without_keys()",
        ));
    }
    (0..rows as u64).try_for_each(|row| sink.row(&mut ReportedKey::new(first + row * increment)))
}

/// How rows are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Of a prepared statement.
    Binary,
    /// Of a text, which may be several statements. Not read.
    Text,
}

fn pass_on(row: &MySqlRow, columns: &mut Option<Columns>, sink: &mut dyn RowSink, form: Form) -> Result<()> {
    if form == Form::Text {
        return Err(Error::unsupported(
            "a text of several statements cannot return rows; run the one that does by itself",
        ));
    };
    sink.row(&mut columns.get_or_insert_with(|| Columns::of(row)).decoder(row))
}
