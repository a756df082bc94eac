//! Diesel, by its own suite: checked types, associations, batches as arrays, whose statements it caches.

use anyhow::Result;
use async_trait::async_trait;
use diesel::prelude::*;

use crate::published::{self as all, BLACK, Found, Published, Tree, Written, found};

use schema::{comments, posts, users};

mod schema {
    diesel::table! {
        users (id) {
            id -> Integer,
            name -> Text,
            hair_color -> Nullable<Text>,
        }
    }

    diesel::table! {
        posts (id) {
            id -> Integer,
            user_id -> Integer,
            title -> Text,
            body -> Nullable<Text>,
        }
    }

    diesel::table! {
        comments (id) {
            id -> Integer,
            post_id -> Integer,
            text -> Text,
        }
    }

    diesel::joinable!(comments -> posts (post_id));
    diesel::joinable!(posts -> users (user_id));
    diesel::allow_tables_to_appear_in_same_query!(users, posts, comments);
}

#[derive(Queryable, Identifiable)]
struct User {
    id: i32,
    name: String,
    hair_color: Option<String>,
}

impl From<User> for all::User {
    fn from(User { id, name, hair_color }: User) -> Self {
        Self { id, name, hair_color }
    }
}

#[derive(Queryable, Identifiable, Associations)]
#[diesel(belongs_to(User))]
struct Post {
    id: i32,
    user_id: i32,
    title: String,
    body: Option<String>,
}

impl From<Post> for all::Post {
    fn from(Post { id, user_id, title, body }: Post) -> Self {
        Self { id, user_id, title, body }
    }
}

#[derive(Queryable, Identifiable, Associations)]
#[diesel(belongs_to(Post))]
struct Comment {
    id: i32,
    post_id: i32,
    text: String,
}

impl From<Comment> for all::Comment {
    fn from(Comment { id, post_id, text }: Comment) -> Self {
        Self { id, post_id, text }
    }
}

/// A row as Diesel writes it. It owns its texts: a statement for borrowed ones would not be cached.
#[derive(Insertable)]
#[diesel(table_name = users, treat_none_as_default_value = false)]
struct NewUser {
    name: String,
    hair_color: Option<String>,
}

impl From<&all::User> for NewUser {
    fn from(row: &all::User) -> Self {
        Self { name: row.name.clone(), hair_color: row.hair_color.clone() }
    }
}

fn array<const ROWS: usize>(rows: &[all::User]) -> [NewUser; ROWS] {
    std::array::from_fn(|place| NewUser::from(&rows[place]))
}

/// The cases of a contender, whose queries are run by a trait, and awaited or not.
macro_rules! published {
    ($module:ident, $run:path $(, $wait:ident)?) => {
        mod $module {
            use $run;

            use super::*;
            use crate::contenders::diesel::$module::Diesel;

            #[async_trait(?Send)]
            impl Published for Diesel {
                async fn trivial(&mut self) -> Result<Found<all::User>> {
                    Ok(found(users::table.load::<User>(&mut self.0)$(.$wait)??))
                }

                async fn medium(&mut self) -> Result<Found<Written>> {
                    let join = users::table.left_outer_join(posts::table).filter(users::hair_color.eq(BLACK));
                    Ok(found(join.load::<(User, Option<Post>)>(&mut self.0)$(.$wait)??))
                }

                async fn associations(&mut self) -> Result<Found<Tree>> {
                    let users = users::table.load::<User>(&mut self.0)$(.$wait)??;
                    let posts = Post::belonging_to(&users).load::<Post>(&mut self.0)$(.$wait)??;
                    let comments = Comment::belonging_to(&posts).load::<Comment>(&mut self.0)$(.$wait)??;
                    let comments = comments.grouped_by(&posts);
                    let posts = posts.into_iter().zip(comments).grouped_by(&users);
                    Ok(found(users.into_iter().zip(posts).collect()))
                }

                async fn insert(&mut self, rows: &[all::User]) -> Result<u64> {
                    let insert = diesel::insert_into(users::table);
                    let inserted = match rows.len() {
                        1 => insert.values(array::<1>(rows)).execute(&mut self.0)$(.$wait)?,
                        10 => insert.values(array::<10>(rows)).execute(&mut self.0)$(.$wait)?,
                        25 => insert.values(array::<25>(rows)).execute(&mut self.0)$(.$wait)?,
                        50 => insert.values(array::<50>(rows)).execute(&mut self.0)$(.$wait)?,
                        100 => insert.values(array::<100>(rows)).execute(&mut self.0)$(.$wait)?,
                        _ => {
                            let rows: Vec<NewUser> = rows.iter().map(NewUser::from).collect();
                            insert.values(rows).execute(&mut self.0)$(.$wait)?
                        }
                    };
                    Ok(inserted? as u64)
                }
            }
        }
    };
}

published!(on_sqlite, diesel::RunQueryDsl);
published!(on_postgres, diesel_async::RunQueryDsl, await);
published!(on_mysql, diesel_async::RunQueryDsl, await);
