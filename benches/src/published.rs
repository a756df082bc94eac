//! The four cases of Diesel's own published benchmarks, with their tables, rows and sizes: all users are read, users
//! are read in a left join with their posts, users are read with their posts and comments, users are inserted.
//!
//! A contender does them as its users would, and yields its own rows: they are made into those of all when the clock
//! has stopped.

use std::collections::HashMap;

use anyhow::{Result, bail};
use arx::prelude::*;
use async_trait::async_trait;

use crate::case::{Case, Operation};

/// A user.
#[derive(Entity, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"), derive(sqlx::FromRow))]
#[arx(table = "users")]
pub struct User {
    /// Made by the database.
    #[arx(key, generated)]
    pub id: i32,
    /// Not unique.
    pub name: String,
    /// NULL where nothing is filtered by it.
    pub hair_color: Option<String>,
}

/// A post of a user.
#[derive(Entity, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"), derive(sqlx::FromRow))]
#[arx(table = "posts")]
pub struct Post {
    /// Made by the database.
    #[arx(key, generated)]
    pub id: i32,
    /// Who wrote it.
    pub user_id: i32,
    /// Never NULL.
    pub title: String,
    /// Always NULL.
    pub body: Option<String>,
}

/// A comment on a post.
#[derive(Entity, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"), derive(sqlx::FromRow))]
#[arx(table = "comments")]
pub struct Comment {
    /// Made by the database.
    #[arx(key, generated)]
    pub id: i32,
    /// What it is on.
    pub post_id: i32,
    /// Never NULL.
    pub text: String,
}

/// A line of the left join of users with posts, as one row of seven columns.
#[derive(Record)]
#[cfg_attr(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"), derive(sqlx::FromRow))]
pub struct Joined {
    /// The columns of the user.
    #[arx(flatten)]
    #[cfg_attr(any(feature = "mysql", feature = "postgres", feature = "sqlx-sqlite"), sqlx(flatten))]
    pub user: User,
    /// The post's key, if there is a post.
    pub post_id: Option<i32>,
    /// The post's user.
    pub user_id: Option<i32>,
    /// The post's title.
    pub title: Option<String>,
    /// The post's body.
    pub body: Option<String>,
}

impl Joined {
    /// The user and the post.
    #[must_use]
    pub fn split(self) -> (User, Option<Post>) {
        let Self { user, post_id, user_id, title, body } = self;
        let ids = post_id.zip(user_id).zip(title);
        (user, ids.map(|((id, user_id), title)| Post { id, user_id, title, body }))
    }
}

/// A user and one of their posts.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Written(pub User, pub Option<Post>);

impl<U: Into<User>, P: Into<Post>> From<(U, Option<P>)> for Written {
    fn from((user, post): (U, Option<P>)) -> Self {
        Self(user.into(), post.map(Into::into))
    }
}

/// A user and what hangs on them, in the order of the keys.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tree(pub User, pub Vec<(Post, Vec<Comment>)>);

/// What is read of a user, in the types of a contender.
pub type Branches<U, P, C> = (U, Vec<(P, Vec<C>)>);

impl<U: Into<User>, P: Into<Post>, C: Into<Comment>> From<Branches<U, P, C>> for Tree {
    fn from((user, posts): Branches<U, P, C>) -> Self {
        let sorted = |comments: Vec<C>| {
            let mut comments: Vec<Comment> = comments.into_iter().map(Into::into).collect();
            comments.sort_unstable();
            comments
        };
        let mut posts: Vec<_> = posts.into_iter().map(|(post, comments)| (post.into(), sorted(comments))).collect();
        posts.sort_unstable();
        Self(user.into(), posts)
    }
}

/// What a contender has read, and what makes rows of all out of its own: that is not timed.
pub type Found<T> = Box<dyn FnOnce() -> Vec<T>>;

/// Rows in a contender's own type.
pub fn found<T: From<R>, R: 'static>(rows: Vec<R>) -> Found<T> {
    Box::new(|| rows.into_iter().map(T::from).collect())
}

/// What a contender does that takes part. Rows are in any order.
#[async_trait(?Send)]
pub trait Published {
    /// Reads all users.
    async fn trivial(&mut self) -> Result<Found<User>>;

    /// Reads the users with black hair, each beside each of their posts, or beside none.
    async fn medium(&mut self) -> Result<Found<Written>>;

    /// Reads all users, then the posts of these, then the comments on those; yields them as trees.
    async fn associations(&mut self) -> Result<Found<Tree>>;

    /// Inserts users, all or none; yields how many there were.
    async fn insert(&mut self, _: &[User]) -> Result<u64> {
        bail!("not measured")
    }
}

/// Puts rows to what they belong to: for contenders that have nothing of their own for it.
#[must_use]
pub fn grouped(users: Vec<User>, posts: Vec<Post>, comments: Vec<Comment>) -> Vec<Branches<User, Post, Comment>> {
    let mut of_post: HashMap<i32, Vec<Comment>> = HashMap::with_capacity(posts.len());
    for comment in comments {
        of_post.entry(comment.post_id).or_default().push(comment);
    }
    let mut of_user: HashMap<i32, Vec<(Post, Vec<Comment>)>> = HashMap::with_capacity(users.len());
    for post in posts {
        let comments = of_post.remove(&post.id).unwrap_or_default();
        of_user.entry(post.user_id).or_default().push((post, comments));
    }
    let with_posts = |user: User| {
        let posts = of_user.remove(&user.id).unwrap_or_default();
        (user, posts)
    };
    users.into_iter().map(with_posts).collect()
}

/// What is in the tables, in the order of the keys.
#[derive(Default)]
pub struct Data {
    /// The users.
    pub users: Vec<User>,
    /// Their posts.
    pub posts: Vec<Post>,
    /// The comments on these.
    pub comments: Vec<Comment>,
}

/// The filter of `medium`.
pub const BLACK: &str = "black";

impl Data {
    /// What a case begins with.
    #[must_use]
    pub fn of(case: &Case) -> Self {
        let by_turns = |number: usize| Some(if number.is_multiple_of(2) { BLACK } else { "brown" });
        match case.operation {
            Operation::PublishedTrivial => Self { users: users(case.rows, |_| None), ..Self::default() },
            Operation::PublishedMedium => Self { users: users(case.rows, by_turns), ..Self::default() },
            Operation::PublishedAssociations => Self::associated(users(case.rows, by_turns)),
            _ => Self::default(),
        }
    }

    /// Ten posts of each user, and ten comments on each.
    fn associated(users: Vec<User>) -> Self {
        let by = |user: &User| {
            let user_id = user.id;
            (0..10).map(move |number| (user_id, format!("Post {number} by user {user_id}")))
        };
        let posts = (1..).zip(users.iter().flat_map(by));
        let posts: Vec<_> = posts.map(|(id, (user_id, title))| Post { id, user_id, title, body: None }).collect();
        let on = |post: &Post| {
            let post_id = post.id;
            (0..10).map(move |number| (post_id, format!("Comment {number} on post {post_id}")))
        };
        let comments = (1..).zip(posts.iter().flat_map(on));
        let comments = comments.map(|(id, (post_id, text))| Comment { id, post_id, text }).collect();
        Self { users, posts, comments }
    }

    /// What `medium` has to find.
    #[must_use]
    pub fn written(self) -> Vec<Written> {
        let mut of_user: HashMap<i32, Vec<Post>> = HashMap::new();
        for post in self.posts {
            of_user.entry(post.user_id).or_default().push(post);
        }
        let lines = |user: User| match of_user.remove(&user.id) {
            Some(posts) => posts.into_iter().map(|post| Written(user.clone(), Some(post))).collect(),
            None => vec![Written(user, None)],
        };
        let is_black = |user: &User| user.hair_color.as_deref() == Some(BLACK);
        self.users.into_iter().filter(is_black).flat_map(lines).collect()
    }

    /// What `associations` has to find.
    #[must_use]
    pub fn trees(self) -> Vec<Tree> {
        grouped(self.users, self.posts, self.comments).into_iter().map(Tree::from).collect()
    }
}

fn users(count: usize, hair_color: impl Fn(usize) -> Option<&'static str>) -> Vec<User> {
    let user =
        |(id, number)| User { id, name: format!("User {number}"), hair_color: hair_color(number).map(str::to_owned) };
    (1..).zip(0..count).map(user).collect()
}

/// The rows of one call of `insert`, without keys.
#[must_use]
pub fn batch(rows: usize) -> Vec<User> {
    users(rows, |_| Some("hair_color")).into_iter().map(|user| User { id: 0, ..user }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_rows_in_any_order() {
        let whole = || Data::associated(users(3, |_| None));
        let Data { mut users, mut posts, mut comments } = whole();
        users.reverse();
        fastrand::Rng::with_seed(1).shuffle(&mut posts);
        fastrand::Rng::with_seed(2).shuffle(&mut comments);
        let mut trees: Vec<Tree> = grouped(users, posts, comments).into_iter().map(Tree::from).collect();
        trees.sort_unstable();
        assert_eq!(trees, whole().trees());
        let comments = |tree: &Tree| tree.1.iter().map(|(_, comments)| comments.len()).sum::<usize>();
        assert_eq!(trees.iter().map(comments).collect::<Vec<_>>(), [100, 100, 100]);
    }

    #[test]
    fn joins_every_second_user() {
        let case = Case { operation: Operation::PublishedMedium, rows: 5, calls: 1, table: 0, tasks: 1 };
        let written = Data::of(&case).written();
        assert_eq!(written.iter().map(|line| line.0.name.as_str()).collect::<Vec<_>>(), ["User 0", "User 2", "User 4"]);
        assert!(written.iter().all(|line| line.1.is_none()));
    }
}
