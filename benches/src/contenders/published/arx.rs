//! Repositories; the join, for which there is no verb, is hand-written.

use anyhow::Result;
use async_trait::async_trait;

use crate::case::Database;
use crate::contenders::arx::Arx;
use crate::published::{BLACK, Comment, Found, Joined, Post, Published, Tree, User, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = ?";
const JOIN_NUMBERED: &str = "SELECT u.id, u.name, u.hair_color, p.id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = $1";

#[async_trait(?Send)]
impl Published for Arx {
    async fn trivial(&mut self) -> Result<Found<User>> {
        Ok(found(self.database.repository::<User>().retrieve_multiple(()).await?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        let join = if self.server == Database::Postgres { JOIN_NUMBERED } else { JOIN };
        let lines = self.database.query::<Joined>(join, (BLACK,)).await?;
        Ok(found(lines.into_iter().map(Joined::split).collect()))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = self.database.repository::<User>().retrieve_multiple(()).await?;
        let ids: Vec<i32> = users.iter().map(|user| user.id).collect();
        let posts = self.database.repository::<Post>().retrieve_multiple(Post::USER_ID.is_in(&ids)).await?;
        let ids: Vec<i32> = posts.iter().map(|post| post.id).collect();
        let comments = self.database.repository::<Comment>().retrieve_multiple(Comment::POST_ID.is_in(&ids)).await?;
        Ok(found(grouped(users, posts, comments)))
    }

    async fn insert(&mut self, rows: &[User]) -> Result<u64> {
        Ok(self.database.repository::<User>().create_multiple(rows).without_keys().await?)
    }
}
