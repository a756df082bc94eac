//! Hand-written rusqlite: one cached statement of the very size a call.

use anyhow::Result;
use async_trait::async_trait;
use rusqlite::{Params, Row, ToSql, params_from_iter};

use super::USERS;
use crate::contenders::list;
use crate::contenders::sqlite::raw_rusqlite::Rusqlite;
use crate::published::{BLACK, Comment, Found, Post, Published, Tree, User, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = ?";

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User { id: row.get(0)?, name: row.get(1)?, hair_color: row.get(2)? })
}

fn post(row: &Row<'_>, first: usize) -> rusqlite::Result<Post> {
    let (id, user_id, title) = (row.get(first)?, row.get(first + 1)?, row.get(first + 2)?);
    Ok(Post { id, user_id, title, body: row.get(first + 3)? })
}

fn written(row: &Row<'_>) -> rusqlite::Result<(User, Option<Post>)> {
    let key: Option<i32> = row.get(3)?;
    Ok((user(row)?, key.map(|_| post(row, 3)).transpose()?))
}

fn comment(row: &Row<'_>) -> rusqlite::Result<Comment> {
    Ok(Comment { id: row.get(0)?, post_id: row.get(1)?, text: row.get(2)? })
}

impl Rusqlite {
    fn read<T>(
        &self,
        sql: &str,
        parameters: impl Params,
        make: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        Ok(self.0.prepare_cached(sql)?.query_map(parameters, make)?.collect::<rusqlite::Result<_>>()?)
    }
}

#[async_trait(?Send)]
impl Published for Rusqlite {
    async fn trivial(&mut self) -> Result<Found<User>> {
        Ok(found(self.read(USERS, [], user)?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        Ok(found(self.read(JOIN, [BLACK], written)?))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = self.read(USERS, [], user)?;
        let select =
            format!("SELECT id, user_id, title, body FROM posts WHERE user_id IN ({})", list("?", users.len()));
        let posts = self.read(&select, params_from_iter(users.iter().map(|user| user.id)), |row| post(row, 0))?;
        let select = format!("SELECT id, post_id, text FROM comments WHERE post_id IN ({})", list("?", posts.len()));
        let comments = self.read(&select, params_from_iter(posts.iter().map(|post| post.id)), comment)?;
        Ok(found(grouped(users, posts, comments)))
    }

    async fn insert(&mut self, rows: &[User]) -> Result<u64> {
        let insert = format!("INSERT INTO users (name, hair_color) VALUES {}", list("(?, ?)", rows.len()));
        let cells = rows.iter().flat_map(|row| [&row.name as &dyn ToSql, &row.hair_color]);
        Ok(self.0.prepare_cached(&insert)?.execute(params_from_iter(cells))? as u64)
    }
}
