//! mysql_async: rows as tuples, statements of the very size a call, cached by the driver.

use anyhow::Result;
use async_trait::async_trait;
use mysql_async::Params;
use mysql_async::prelude::{Queryable, ToValue};

use super::USERS;
use crate::contenders::list;
use crate::contenders::mysql_async::Mysql;
use crate::published::{BLACK, Comment, Found, Post, Published, Tree, User, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = ?";

type Line = (i32, String, Option<String>, Option<i32>, Option<i32>, Option<String>, Option<String>);

fn user((id, name, hair_color): (i32, String, Option<String>)) -> User {
    User { id, name, hair_color }
}

fn post((id, user_id, title, body): (i32, i32, String, Option<String>)) -> Post {
    Post { id, user_id, title, body }
}

fn written((id, name, hair_color, post_id, user_id, title, body): Line) -> (User, Option<Post>) {
    let cells = post_id.zip(user_id).zip(title);
    (user((id, name, hair_color)), cells.map(|((id, user_id), title)| post((id, user_id, title, body))))
}

fn comment((id, post_id, text): (i32, i32, String)) -> Comment {
    Comment { id, post_id, text }
}

#[async_trait(?Send)]
impl Published for Mysql {
    async fn trivial(&mut self) -> Result<Found<User>> {
        Ok(found(self.0.exec_map(USERS, (), user).await?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        Ok(found(self.0.exec_map(JOIN, (BLACK,), written).await?))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = self.0.exec_map(USERS, (), user).await?;
        let select =
            format!("SELECT id, user_id, title, body FROM posts WHERE user_id IN ({})", list("?", users.len()));
        let ids: Vec<i32> = users.iter().map(|user| user.id).collect();
        let posts = self.0.exec_map(select, ids, post).await?;
        let select = format!("SELECT id, post_id, text FROM comments WHERE post_id IN ({})", list("?", posts.len()));
        let ids: Vec<i32> = posts.iter().map(|post| post.id).collect();
        let comments = self.0.exec_map(select, ids, comment).await?;
        Ok(found(grouped(users, posts, comments)))
    }

    async fn insert(&mut self, rows: &[User]) -> Result<u64> {
        let insert = format!("INSERT INTO users (name, hair_color) VALUES {}", list("(?, ?)", rows.len()));
        let cells = rows.iter().flat_map(|row| [row.name.to_value(), row.hair_color.to_value()]);
        self.0.exec_drop(insert, Params::Positional(cells.collect())).await?;
        Ok(self.0.affected_rows())
    }
}
