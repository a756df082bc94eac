//! What statements in a closed set of sizes are made of, and rows without sqlx's check of each cell's type.

use std::sync::Arc;

use anyhow::{Context, Result};
use sqlx::encode::Encode;
use sqlx::mysql::{MySql, MySqlArguments, MySqlPool, MySqlRow};
use sqlx::types::Type;
use sqlx::{Arguments, AssertSqlSafe, Decode, Row, ValueRef};

/// The rows of the largest INSERT and of the largest UPDATE by a join: larger ones gain nothing.
pub(super) const LARGEST: usize = 256;
/// The rows of the largest UPDATE by CASE, which takes time by the square of them.
pub(super) const MOST_CASES: usize = 64;

/// A statement with its arguments.
pub(super) type Prepared = (AssertSqlSafe<Arc<str>>, MySqlArguments);

/// Texts for 1, 2, 4, .. rows.
pub(super) fn texts(largest: usize, text: &dyn Fn(usize) -> String) -> Vec<Arc<str>> {
    (0..=largest.ilog2()).map(|power| text(1 << power).into()).collect()
}

/// The text for so many rows or the next more.
pub(super) fn padded(texts: &[Arc<str>], rows: usize) -> (AssertSqlSafe<Arc<str>>, usize) {
    let power = rows.next_power_of_two().ilog2() as usize;
    (AssertSqlSafe(Arc::clone(&texts[power])), 1 << power)
}

/// Parts that are each as large a power of two as the rest allows.
pub(super) fn powers<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let power = rest.len().min(LARGEST).checked_ilog2()?;
        let (chunk, after) = rest.split_at(1 << power);
        rest = after;
        Some(chunk)
    })
}

/// Appends an argument.
pub(in crate::contenders) fn add<'q>(
    arguments: &mut MySqlArguments,
    value: impl Encode<'q, MySql> + Type<MySql>,
) -> Result<()> {
    arguments.add(value).map_err(anyhow::Error::from_boxed)
}

/// Runs the statements, in a transaction if there are several.
pub(super) async fn write(
    pool: &MySqlPool,
    mut statements: impl ExactSizeIterator<Item = Result<Prepared>>,
) -> Result<u64> {
    if statements.len() == 1 {
        let (text, arguments) = statements.next().context("no statement")??;
        return Ok(sqlx::query_with(text, arguments).execute(pool).await?.rows_affected());
    }
    let mut affected = 0;
    let mut transaction = pool.begin().await?;
    for statement in statements {
        let (text, arguments) = statement?;
        affected += sqlx::query_with(text, arguments).execute(&mut *transaction).await?.rows_affected();
    }
    transaction.commit().await?;
    Ok(affected)
}

/// The bytes of a cell that is not NULL.
pub(in crate::contenders) fn bytes(row: &MySqlRow, column: usize) -> Result<Option<&[u8]>> {
    let cell = row.try_get_raw(column)?;
    if cell.is_null() {
        return Ok(None);
    }
    Ok(Some(<&[u8] as Decode<MySql>>::decode(cell).map_err(anyhow::Error::from_boxed)?))
}

pub(super) fn integer(row: &MySqlRow, column: usize) -> Result<i64> {
    Ok(i64::from_le_bytes(bytes(row, column)?.context("NULL")?.try_into()?))
}

pub(in crate::contenders) fn text(row: &MySqlRow, column: usize) -> Result<Option<String>> {
    Ok(bytes(row, column)?.map(|bytes| std::str::from_utf8(bytes).map(str::to_owned)).transpose()?)
}
