//! What differs between the databases.

use std::sync::Arc;

use arx::connection::{Affected, Begin, Command, Message, ResultSet, RowSink};
use arx::dialect::Dialect;
use arx::entity::Table;
use arx::error::{Error, Result};
use arx::plan::{Signature, TableFacts};
use arx::query::RoutineName;
use futures_core::stream::BoxStream;
use sqlx::database::HasStatementCache;
use sqlx::{Database, Either};

use crate::error::{Failure, Fault};
use crate::session::Session;

/// A connection of sqlx's to this server.
pub type Link<S> = <<S as Server>::Database as Database>::Connection;

/// What a statement brings back, as sqlx hands it on.
pub type Results<'a, D> =
    BoxStream<'a, Result<Either<<D as Database>::QueryResult, <D as Database>::Row>, sqlx::Error>>;

/// A kind of server.
pub trait Server: Sized + Send + Sync + 'static {
    /// sqlx's name of it.
    type Database: Database + HasStatementCache;

    /// How its statements are written.
    type Dialect: Dialect + Default;

    /// A statement that fails aborts the transaction, and a commit that fails ends it.
    const ERRORS_ABORT: bool;

    /// sqlx counts the answers that are outstanding after the first use of a statement was dropped half way.
    const COUNTS_ANSWERS: bool;

    /// What `error` says of the connection it came over.
    fn fault(error: &sqlx::Error) -> Fault;

    /// An error of a statement on `table`, whose columns are named by their fields.
    fn convert(table: Option<&Table>, error: sqlx::Error) -> Error;

    /// The words that begin a transaction.
    fn begin_words(begin: Begin) -> String;

    /// Sends words without parameters in one round trip.
    fn word(link: &mut Link<Self>, words: String) -> impl Future<Output = Result<(), sqlx::Error>> + Send;

    /// Makes sure that the session of a connection is as arx needs it; `is_own` says that the pool has seen to that.
    ///
    /// # Errors
    /// `Configuration` for a session that cannot be made so, and the connection's.
    fn ready(dialect: &Self::Dialect, link: &mut Link<Self>, is_own: bool) -> impl Future<Output = Result<()>> + Send {
        let _ = (dialect, link, is_own);
        async { Ok(()) }
    }

    /// Whether [`ready`](Self::ready) has nothing to do.
    fn is_ready(dialect: &Self::Dialect, is_own: bool) -> bool {
        let _ = (dialect, is_own);
        true
    }

    /// Looks at the session of a transaction that the application has begun, and leaves it as it is.
    ///
    /// # Errors
    /// `Configuration` for a session that arx cannot work in, and the connection's.
    fn look(
        dialect: Arc<Self::Dialect>,
        link: &mut Link<Self>,
    ) -> impl Future<Output = Result<Arc<Self::Dialect>>> + Send {
        let _ = link;
        async { Ok(dialect) }
    }

    /// Encodes and sends one command, and hands its rows on. It sets the session's step before it sends.
    fn send(
        session: &mut Session<Self>,
        link: &mut Link<Self>,
        command: &Command<'_>,
        sink: &mut dyn RowSink,
    ) -> impl Future<Output = Result<Affected, Failure>> + Send;

    /// As [`send`](Self::send) for a call, whose result sets are kept.
    fn call(
        session: &mut Session<Self>,
        link: &mut Link<Self>,
        command: &Command<'_>,
    ) -> impl Future<Output = Result<Vec<Box<dyn ResultSet>>, Failure>> + Send;

    /// Reads how the table makes its keys.
    fn inspect(
        dialect: &Self::Dialect,
        link: &mut Link<Self>,
        table: &'static Table,
    ) -> impl Future<Output = Result<TableFacts, sqlx::Error>> + Send;

    /// Reads the overloads of a routine.
    fn describe(
        link: &mut Link<Self>,
        routine: RoutineName<'_>,
    ) -> impl Future<Output = Result<Vec<Signature>, sqlx::Error>> + Send;

    /// Reads the messages of the statement before; `None` where the driver does not hand them on.
    fn messages(link: &mut Link<Self>) -> Option<impl Future<Output = Result<Vec<Message>, sqlx::Error>> + Send>;

    /// Why a statement failed, and what that says of the connection.
    fn failure(table: Option<&Table>, error: sqlx::Error) -> Failure {
        Failure { fault: Self::fault(&error), error: Self::convert(table, error) }
    }
}
