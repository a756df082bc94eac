//! PostgreSQL as a server of sqlx: how a command is sent, and what an error says of the connection.

use std::future::poll_fn;
use std::sync::Arc;

use arx::connection::{Affected, Begin, Command, Message, ResultSet, RowSink};
use arx::entity::Table;
use arx::error::{Error, Result};
use arx::plan::{Signature, TableFacts};
use arx::query::RoutineName;
use arx_sqlx::{Failure, Fault, Results, Server, Session, Step};
use futures_util::StreamExt as _;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Either, Executor as _, SqlSafeStr, SqlStr};

use crate::dialect::Postgres;
use crate::{decode, encode, error, inspect, procedure, script};

impl Server for Postgres {
    type Database = sqlx::Postgres;
    type Dialect = Self;

    const ERRORS_ABORT: bool = true;
    const COUNTS_ANSWERS: bool = true;

    fn fault(error: &sqlx::Error) -> Fault {
        error::fault(error)
    }

    fn convert(table: Option<&Table>, error: sqlx::Error) -> Error {
        error::convert_for(table, error)
    }

    fn begin_words(begin: Begin) -> String {
        let read_only = if begin.read_only { " READ ONLY" } else { "" };
        match begin.isolation {
            Some(level) if begin.read_only => format!("BEGIN ISOLATION LEVEL {},{read_only}", level.name()),
            Some(level) => format!("BEGIN ISOLATION LEVEL {}", level.name()),
            None => format!("BEGIN{read_only}"),
        }
    }

    async fn word(link: &mut PgConnection, words: String) -> Result<(), sqlx::Error> {
        link.execute(sqlx::raw_sql(owned(words))).await.map(drop)
    }

    async fn send(
        session: &mut Session<Self>,
        link: &mut PgConnection,
        command: &Command<'_>,
        sink: &mut dyn RowSink,
    ) -> Result<Affected, Failure> {
        let statement = command.statement;
        let arguments = encode::arguments(command).map_err(Failure::harmless)?;
        session.step = Step::Busy;
        let is_bare = statement.table.is_none() && command.parameters.literals.is_empty();
        let stream: Results<'_, sqlx::Postgres> = if is_bare && script::is_several(&statement.text) {
            link.fetch_many(sqlx::raw_sql(AssertSqlSafe(Arc::clone(&statement.text))))
        } else {
            link.fetch_many(sqlx::query_with(text(command), arguments))
        };
        receive(session, stream, statement.table, sink).await
    }

    async fn call(
        session: &mut Session<Self>,
        link: &mut PgConnection,
        command: &Command<'_>,
    ) -> Result<Vec<Box<dyn ResultSet>>, Failure> {
        let arguments = encode::arguments(command).map_err(Failure::harmless)?;
        session.step = Step::Busy;
        let rows = link.fetch_all(sqlx::query_with(text(command), arguments)).await;
        Ok(procedure::sets(command, rows.map_err(|error| Self::failure(None, error))?))
    }

    async fn inspect(_: &Self, link: &mut PgConnection, table: &'static Table) -> Result<TableFacts, sqlx::Error> {
        inspect::read(link, table).await
    }

    async fn describe(link: &mut PgConnection, routine: RoutineName<'_>) -> Result<Vec<Signature>, sqlx::Error> {
        procedure::read(link, routine).await
    }

    /// The driver keeps them to itself.
    fn messages(_: &mut PgConnection) -> Option<impl Future<Output = Result<Vec<Message>, sqlx::Error>> + Send> {
        None::<std::future::Ready<_>>
    }
}

async fn receive(
    session: &Session<Postgres>,
    mut stream: Results<'_, sqlx::Postgres>,
    table: Option<&Table>,
    sink: &mut dyn RowSink,
) -> Result<Affected, Failure> {
    let (mut affected, mut columns) = (0, None);
    loop {
        poll_fn(|cx| sink.poll_ready(cx)).await;
        match stream.next().await {
            None => return Ok(Affected::rows(affected)),
            Some(Ok(Either::Left(done))) => affected += done.rows_affected(),
            Some(Ok(Either::Right(row))) => {
                if let Err(error) = pass_on(&row, &mut columns, sink) {
                    return Err(Failure { error, fault: session.read_on(stream).await });
                }
            }
            Some(Err(error)) => return Err(Postgres::failure(table, error)),
        }
    }
}

fn owned(text: String) -> SqlStr {
    AssertSqlSafe(text).into_sql_str()
}

/// The text of a command. sqlx keeps statements by their text alone, and the types of hand-written
/// SQL's arguments are the caller's: they have to be in the text.
fn text(command: &Command<'_>) -> SqlStr {
    let text = Arc::clone(&command.statement.text);
    if command.statement.table.is_some() || command.parameters.literals.is_empty() {
        return AssertSqlSafe(text).into_sql_str();
    }
    let mut typed = String::from("/*");
    for literal in command.parameters.literals {
        typed.push(' ');
        typed.push_str(&encode::literal_type(literal));
    }
    typed.push_str(" */ ");
    typed.push_str(&text);
    owned(typed)
}

fn pass_on(row: &PgRow, columns: &mut Option<decode::Columns>, sink: &mut dyn RowSink) -> Result<()> {
    let columns = match columns {
        Some(columns) => columns,
        None => columns.insert(decode::Columns::of(row)?),
    };
    sink.row(&mut columns.decoder(row, 0))
}
