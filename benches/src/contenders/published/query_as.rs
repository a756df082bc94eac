//! What most of sqlx's users write: `query_as` for reads, a `QueryBuilder` for lists.

use anyhow::Result;
use async_trait::async_trait;
use sqlx::QueryBuilder;

use super::USERS;
use crate::published::{BLACK, Comment, Found, Joined, Post, Published, Tree, User, Written, found, grouped};

const JOIN: &str = "SELECT u.id, u.name, u.hair_color, p.id AS post_id, p.user_id, p.title, p.body
    FROM users AS u LEFT JOIN posts AS p ON u.id = p.user_id WHERE u.hair_color = ";

/// The cases of a contender on a database, which takes a list of keys by a function.
macro_rules! published {
    ($contender:ty, $database:ty, $among:ident) => {
        #[async_trait(?Send)]
        impl Published for $contender {
            async fn trivial(&mut self) -> Result<Found<User>> {
                Ok(found(sqlx::query_as::<_, User>(USERS).fetch_all(&self.0).await?))
            }

            async fn medium(&mut self) -> Result<Found<Written>> {
                let mut select = QueryBuilder::<$database>::new(JOIN);
                let select = select.push_bind(BLACK).build_query_as::<Joined>();
                let lines = select.fetch_all(&self.0).await?;
                Ok(found(lines.into_iter().map(Joined::split).collect()))
            }

            async fn associations(&mut self) -> Result<Found<Tree>> {
                let users = sqlx::query_as::<_, User>(USERS).fetch_all(&self.0).await?;
                let mut select = QueryBuilder::new("SELECT id, user_id, title, body FROM posts WHERE user_id ");
                $among(&mut select, users.iter().map(|user| user.id).collect());
                let posts = select.build_query_as::<Post>().fetch_all(&self.0).await?;
                let mut select = QueryBuilder::new("SELECT id, post_id, text FROM comments WHERE post_id ");
                $among(&mut select, posts.iter().map(|post| post.id).collect());
                let comments = select.build_query_as::<Comment>().fetch_all(&self.0).await?;
                Ok(found(grouped(users, posts, comments)))
            }

            async fn insert(&mut self, rows: &[User]) -> Result<u64> {
                let mut insert = QueryBuilder::<$database>::new("INSERT INTO users (name, hair_color) ");
                insert.push_values(rows, |mut tuple, row| {
                    tuple.push_bind(row.name.as_str()).push_bind(row.hair_color.as_deref());
                });
                Ok(insert.build().execute(&self.0).await?.rows_affected())
            }
        }
    };
}

#[cfg(feature = "postgres")]
published!(crate::contenders::postgres::query_as::Sqlx, sqlx::Postgres, any);
#[cfg(feature = "mysql")]
published!(crate::contenders::mysql::query_as::Sqlx, sqlx::MySql, list);
#[cfg(feature = "sqlx-sqlite")]
published!(crate::contenders::sqlite::sqlx::Sqlx, sqlx::Sqlite, list);

#[cfg(feature = "postgres")]
fn any(select: &mut QueryBuilder<sqlx::Postgres>, keys: Vec<i32>) {
    select.push("= ANY(").push_bind(keys).push(")");
}

#[cfg(any(feature = "mysql", feature = "sqlx-sqlite"))]
fn list<D: sqlx::Database>(select: &mut QueryBuilder<D>, keys: Vec<i32>)
where
    i32: for<'q> sqlx::Encode<'q, D> + sqlx::Type<D>,
{
    let mut list = select.push("IN (").separated(", ");
    for key in keys {
        list.push_bind(key);
    }
    list.push_unseparated(")");
}
