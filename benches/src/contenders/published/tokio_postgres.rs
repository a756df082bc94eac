//! tokio-postgres: statements prepared once, COPY for many rows.

use std::pin::pin;

use anyhow::Result;
use async_trait::async_trait;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Row, Statement};

use super::USERS;
use crate::contenders::tokio_postgres::Postgres;
use crate::published::{BLACK, Comment, Found, Post, Published, Tree, User, Written, found, grouped};

pub(in crate::contenders) struct Statements {
    users: Statement,
    join: Statement,
    posts: Statement,
    comments: Statement,
    insert: Statement,
}

impl Statements {
    pub(in crate::contenders) async fn prepare(client: &Client) -> Result<Self> {
        let join = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
            FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = $1";
        let posts = "SELECT id, user_id, title, body FROM posts WHERE user_id = ANY($1)";
        Ok(Self {
            users: client.prepare(USERS).await?,
            join: client.prepare(join).await?,
            posts: client.prepare(posts).await?,
            comments: client.prepare("SELECT id, post_id, text FROM comments WHERE post_id = ANY($1)").await?,
            insert: client.prepare("INSERT INTO users (name, hair_color) VALUES ($1, $2)").await?,
        })
    }
}

fn user(row: &Row) -> Result<User, Error> {
    Ok(User { id: row.try_get(0)?, name: row.try_get(1)?, hair_color: row.try_get(2)? })
}

fn post(row: &Row, first: usize) -> Result<Post, Error> {
    let (id, user_id, title) = (row.try_get(first)?, row.try_get(first + 1)?, row.try_get(first + 2)?);
    Ok(Post { id, user_id, title, body: row.try_get(first + 3)? })
}

fn written(row: &Row) -> Result<(User, Option<Post>), Error> {
    let key: Option<i32> = row.try_get(3)?;
    Ok((user(row)?, key.map(|_| post(row, 3)).transpose()?))
}

fn comment(row: &Row) -> Result<Comment, Error> {
    Ok(Comment { id: row.try_get(0)?, post_id: row.try_get(1)?, text: row.try_get(2)? })
}

fn all<T>(rows: &[Row], make: impl Fn(&Row) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    rows.iter().map(make).collect()
}

#[async_trait(?Send)]
impl Published for Postgres {
    async fn trivial(&mut self) -> Result<Found<User>> {
        Ok(found(all(&self.client.query(&self.published.users, &[]).await?, user)?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        Ok(found(all(&self.client.query(&self.published.join, &[&BLACK]).await?, written)?))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = all(&self.client.query(&self.published.users, &[]).await?, user)?;
        let ids: Vec<i32> = users.iter().map(|user| user.id).collect();
        let posts = all(&self.client.query(&self.published.posts, &[&ids]).await?, |row| post(row, 0))?;
        let ids: Vec<i32> = posts.iter().map(|post| post.id).collect();
        let comments = all(&self.client.query(&self.published.comments, &[&ids]).await?, comment)?;
        Ok(found(grouped(users, posts, comments)))
    }

    async fn insert(&mut self, rows: &[User]) -> Result<u64> {
        if let [row] = rows {
            return Ok(self.client.execute(&self.published.insert, &[&row.name, &row.hair_color]).await?);
        }
        let sink = self.client.copy_in("COPY users (name, hair_color) FROM STDIN BINARY").await?;
        let mut writer = pin!(BinaryCopyInWriter::new(sink, &[Type::VARCHAR, Type::VARCHAR]));
        for row in rows {
            writer.as_mut().write(&[&row.name, &row.hair_color]).await?;
        }
        Ok(writer.finish().await?)
    }
}
