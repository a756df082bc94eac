//! Hand-written sqlx on PostgreSQL: batches and lists of keys as arrays, rows decoded by position without sqlx's check.

use anyhow::Result;
use async_trait::async_trait;
use futures_util::TryStreamExt;
use sqlx::Row;
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;

use super::USERS;
use crate::contenders::postgres::raw_sqlx::Sqlx;
use crate::published::{BLACK, Comment, Found, Post, Published, Tree, User, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = $1";
const POSTS: &str = "SELECT id, user_id, title, body FROM posts WHERE user_id = ANY($1)";
const COMMENTS: &str = "SELECT id, post_id, text FROM comments WHERE post_id = ANY($1)";
const INSERT: &str = "INSERT INTO users (name, hair_color) SELECT * FROM UNNEST($1::text[], $2::text[])";

fn user(row: &PgRow) -> sqlx::Result<User> {
    Ok(User { id: row.try_get_unchecked(0)?, name: row.try_get_unchecked(1)?, hair_color: row.try_get_unchecked(2)? })
}

fn post(row: &PgRow, first: usize) -> sqlx::Result<Post> {
    Ok(Post {
        id: row.try_get_unchecked(first)?,
        user_id: row.try_get_unchecked(first + 1)?,
        title: row.try_get_unchecked(first + 2)?,
        body: row.try_get_unchecked(first + 3)?,
    })
}

fn written(row: &PgRow) -> sqlx::Result<(User, Option<Post>)> {
    let key: Option<i32> = row.try_get_unchecked(3)?;
    Ok((user(row)?, key.map(|_| post(row, 3)).transpose()?))
}

fn comment(row: &PgRow) -> sqlx::Result<Comment> {
    Ok(Comment { id: row.try_get_unchecked(0)?, post_id: row.try_get_unchecked(1)?, text: row.try_get_unchecked(2)? })
}

impl Sqlx {
    async fn read<T>(
        &self,
        query: Query<'_, Postgres, PgArguments>,
        make: impl Fn(&PgRow) -> sqlx::Result<T>,
    ) -> Result<Vec<T>> {
        let mut rows = query.fetch(&self.0);
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
        Ok(found(self.read(sqlx::query(USERS), user).await?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        Ok(found(self.read(sqlx::query(JOIN).bind(BLACK), written).await?))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = self.read(sqlx::query(USERS), user).await?;
        let ids: Vec<i32> = users.iter().map(|user| user.id).collect();
        let posts = self.read(sqlx::query(POSTS).bind(ids), |row| post(row, 0)).await?;
        let ids: Vec<i32> = posts.iter().map(|post| post.id).collect();
        let comments = self.read(sqlx::query(COMMENTS).bind(ids), comment).await?;
        Ok(found(grouped(users, posts, comments)))
    }

    async fn insert(&mut self, rows: &[User]) -> Result<u64> {
        let insert = sqlx::query(INSERT)
            .bind(rows.iter().map(|user| user.name.as_str()).collect::<Vec<_>>())
            .bind(rows.iter().map(|user| user.hair_color.as_deref()).collect::<Vec<_>>());
        Ok(insert.execute(&self.0).await?.rows_affected())
    }
}
