//! Hand-written sqlx on MySQL and MariaDB: one statement of the very size a call, cached by sqlx, rows decoded by
//! position without sqlx's check.

use anyhow::{Context, Result};
use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::mysql::{MySqlArguments, MySqlRow};
use sqlx::{Arguments, AssertSqlSafe};

use super::USERS;
use crate::contenders::list;
use crate::contenders::mysql::parts::{add, bytes, text};
use crate::contenders::mysql::raw_sqlx::Sqlx;
use crate::published::{BLACK, Comment, Found, Post, Published, Tree, User, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = ?";

fn key(row: &MySqlRow, column: usize) -> Result<i32> {
    Ok(i32::from_le_bytes(bytes(row, column)?.context("NULL")?.try_into()?))
}

fn user(row: &MySqlRow) -> Result<User> {
    Ok(User { id: key(row, 0)?, name: text(row, 1)?.context("NULL")?, hair_color: text(row, 2)? })
}

fn post(row: &MySqlRow, first: usize) -> Result<Post> {
    let title = text(row, first + 2)?.context("NULL")?;
    Ok(Post { id: key(row, first)?, user_id: key(row, first + 1)?, title, body: text(row, first + 3)? })
}

fn written(row: &MySqlRow) -> Result<(User, Option<Post>)> {
    Ok((user(row)?, bytes(row, 3)?.map(|_| post(row, 3)).transpose()?))
}

fn comment(row: &MySqlRow) -> Result<Comment> {
    Ok(Comment { id: key(row, 0)?, post_id: key(row, 1)?, text: text(row, 2)?.context("NULL")? })
}

fn keys(keys: impl ExactSizeIterator<Item = i32>) -> Result<MySqlArguments> {
    let mut arguments = MySqlArguments::default();
    arguments.reserve(keys.len(), keys.len() * 4);
    for key in keys {
        add(&mut arguments, key)?;
    }
    Ok(arguments)
}

impl Sqlx {
    async fn read<T>(
        &self,
        sql: String,
        arguments: MySqlArguments,
        make: impl Fn(&MySqlRow) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut rows = sqlx::query_with(AssertSqlSafe(sql), arguments).fetch(&self.pool);
        let mut found = Vec::new();
        while let Some(row) = rows.try_next().await? {
            found.push(make(&row)?);
        }
        Ok(found)
    }
}

#[async_trait(?Send)]
impl Published for Sqlx {
    async fn trivial(&mut self) -> Result<Found<User>> {
        Ok(found(self.read(USERS.to_owned(), MySqlArguments::default(), user).await?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        let mut arguments = MySqlArguments::default();
        add(&mut arguments, BLACK)?;
        Ok(found(self.read(JOIN.to_owned(), arguments, written).await?))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = self.read(USERS.to_owned(), MySqlArguments::default(), user).await?;
        let select =
            format!("SELECT id, user_id, title, body FROM posts WHERE user_id IN ({})", list("?", users.len()));
        let posts = self.read(select, keys(users.iter().map(|user| user.id))?, |row| post(row, 0)).await?;
        let select = format!("SELECT id, post_id, text FROM comments WHERE post_id IN ({})", list("?", posts.len()));
        let comments = self.read(select, keys(posts.iter().map(|post| post.id))?, comment).await?;
        Ok(found(grouped(users, posts, comments)))
    }

    async fn insert(&mut self, rows: &[User]) -> Result<u64> {
        let insert = format!("INSERT INTO users (name, hair_color) VALUES {}", list("(?, ?)", rows.len()));
        let mut arguments = MySqlArguments::default();
        arguments.reserve(rows.len() * 2, rows.len() * 24);
        for row in rows {
            add(&mut arguments, row.name.as_str())?;
            add(&mut arguments, row.hair_color.as_deref())?;
        }
        Ok(sqlx::query_with(AssertSqlSafe(insert), arguments).execute(&self.pool).await?.rows_affected())
    }
}
