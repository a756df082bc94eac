//! SeaORM: related entities, loaded by its loader; `insert_many`.

use anyhow::Result;
use async_trait::async_trait;
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use crate::contenders::sea_orm::SeaOrm;
use crate::published::{self as all, BLACK, Found, Published, Tree, Written, found};

mod users {
    #![allow(missing_docs, unreachable_pub, reason = "the derive makes items without documentation")]

    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "users")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub name: String,
        pub hair_color: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(has_many = "super::posts::Entity")]
        Posts,
    }

    impl Related<super::posts::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Posts.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod posts {
    #![allow(missing_docs, unreachable_pub, reason = "the derive makes items without documentation")]

    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "posts")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub user_id: i32,
        pub title: String,
        pub body: Option<String>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(belongs_to = "super::users::Entity", from = "Column::UserId", to = "super::users::Column::Id")]
        Users,
        #[sea_orm(has_many = "super::comments::Entity")]
        Comments,
    }

    impl Related<super::users::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Users.def()
        }
    }

    impl Related<super::comments::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Comments.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod comments {
    #![allow(missing_docs, unreachable_pub, reason = "the derive makes items without documentation")]

    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "comments")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i32,
        pub post_id: i32,
        pub text: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {
        #[sea_orm(belongs_to = "super::posts::Entity", from = "Column::PostId", to = "super::posts::Column::Id")]
        Posts,
    }

    impl Related<super::posts::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::Posts.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

impl From<users::Model> for all::User {
    fn from(users::Model { id, name, hair_color }: users::Model) -> Self {
        Self { id, name, hair_color }
    }
}

impl From<posts::Model> for all::Post {
    fn from(posts::Model { id, user_id, title, body }: posts::Model) -> Self {
        Self { id, user_id, title, body }
    }
}

impl From<comments::Model> for all::Comment {
    fn from(comments::Model { id, post_id, text }: comments::Model) -> Self {
        Self { id, post_id, text }
    }
}

fn new(row: &all::User) -> users::ActiveModel {
    users::ActiveModel { name: Set(row.name.clone()), hair_color: Set(row.hair_color.clone()), ..Default::default() }
}

#[async_trait(?Send)]
impl Published for SeaOrm {
    async fn trivial(&mut self) -> Result<Found<all::User>> {
        Ok(found(users::Entity::find().all(&self.database).await?))
    }

    async fn medium(&mut self) -> Result<Found<Written>> {
        let join = users::Entity::find().find_also_related(posts::Entity).filter(users::Column::HairColor.eq(BLACK));
        Ok(found(join.all(&self.database).await?))
    }

    async fn associations(&mut self) -> Result<Found<Tree>> {
        let users = users::Entity::find().all(&self.database).await?;
        let posts = users.load_many(posts::Entity, &self.database).await?;
        let counts: Vec<usize> = posts.iter().map(Vec::len).collect();
        let posts: Vec<posts::Model> = posts.into_iter().flatten().collect();
        let comments = posts.load_many(comments::Entity, &self.database).await?;
        let mut posts = posts.into_iter().zip(comments);
        let trees = users.into_iter().zip(counts);
        Ok(found(trees.map(|(user, count)| (user, posts.by_ref().take(count).collect::<Vec<_>>())).collect()))
    }

    async fn insert(&mut self, rows: &[all::User]) -> Result<u64> {
        let insert = users::Entity::insert_many(rows.iter().map(new));
        Ok(insert.exec_without_returning(&self.database).await?)
    }
}
