//! rbatis: the methods of `crud!`, and SQL for what is all of a table or a join.

use anyhow::Result;
use async_trait::async_trait;
use rbs::value;
use serde::{Deserialize, Serialize};

use super::USERS;
use crate::contenders::rbatis::{CHUNK, Rbatis};
use crate::published::{self as all, BLACK, Found, Published, Tree, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id AS post_id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = ?";

/// A row that has no key yet leaves it out of an INSERT.
#[derive(Deserialize, Serialize)]
struct User {
    id: Option<i32>,
    name: String,
    hair_color: Option<String>,
}

rbatis::crud!(User {}, "users");

impl From<User> for all::User {
    fn from(User { id, name, hair_color }: User) -> Self {
        Self { id: id.unwrap_or(0), name, hair_color }
    }
}

#[derive(Deserialize, Serialize)]
struct Post {
    id: i32,
    user_id: i32,
    title: String,
    body: Option<String>,
}

rbatis::crud!(Post {}, "posts");

impl From<Post> for all::Post {
    fn from(Post { id, user_id, title, body }: Post) -> Self {
        Self { id, user_id, title, body }
    }
}

#[derive(Deserialize, Serialize)]
struct Comment {
    id: i32,
    post_id: i32,
    text: String,
}

rbatis::crud!(Comment {}, "comments");

impl From<Comment> for all::Comment {
    fn from(Comment { id, post_id, text }: Comment) -> Self {
        Self { id, post_id, text }
    }
}

#[derive(Deserialize)]
struct Line {
    id: i32,
    name: String,
    hair_color: Option<String>,
    post_id: Option<i32>,
    user_id: Option<i32>,
    title: Option<String>,
    body: Option<String>,
}

fn written(Line { id, name, hair_color, post_id, user_id, title, body }: Line) -> (User, Option<Post>) {
    let cells = post_id.zip(user_id).zip(title);
    let post = cells.map(|((id, user_id), title)| Post { id, user_id, title, body });
    (User { id: Some(id), name, hair_color }, post)
}

#[async_trait(?Send)]
impl Published for Rbatis {
    async fn trivial(&mut self) -> Result<Found<all::User>> {
        let users: Vec<User> = self.rbatis.exec_decode(USERS, Vec::new()).await?;
        Ok(found(users))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        let lines: Vec<Line> = self.rbatis.exec_decode(&self.sql(JOIN), vec![value!(BLACK)]).await?;
        Ok(found(lines.into_iter().map(written).collect()))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users: Vec<User> = self.rbatis.exec_decode(USERS, Vec::new()).await?;
        let ids: Vec<i32> = users.iter().filter_map(|user| user.id).collect();
        let posts = Post::select_by_map(&self.rbatis, value! { "user_id": ids }).await?;
        let ids: Vec<i32> = posts.iter().map(|post| post.id).collect();
        let comments = Comment::select_by_map(&self.rbatis, value! { "post_id": ids }).await?;
        let users = users.into_iter().map(Into::into).collect();
        let (posts, comments) = (posts.into_iter().map(Into::into), comments.into_iter().map(Into::into));
        Ok(found(grouped(users, posts.collect(), comments.collect())))
    }

    async fn insert(&mut self, rows: &[all::User]) -> Result<u64> {
        let new = |row: &all::User| User { id: None, name: row.name.clone(), hair_color: row.hair_color.clone() };
        let rows: Vec<User> = rows.iter().map(new).collect();
        Ok(User::insert_batch(&self.rbatis, &rows, CHUNK as u64).await?.rows_affected)
    }
}
