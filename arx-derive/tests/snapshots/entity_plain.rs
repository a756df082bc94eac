#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[allow(dead_code, unreachable_pub)]
    impl Customer {
        /// The column `id`.
        const ID: ::arx::query::Column<Self, i64> = ::arx::query::Column::new(0);
        /// How the customer is called.
        pub const NAME: ::arx::query::Column<Self, Option<String>> = ::arx::query::Column::new(
            1,
        );
        /// The column `version`.
        const VERSION: ::arx::query::Column<Self, i32> = ::arx::query::Column::new(2);
        /// The column `created`.
        const CREATED: ::arx::query::Column<Self, DateTime<Utc>> = ::arx::query::Column::new(
            3,
        );
        /// The column `updated`.
        const CHANGED: ::arx::query::Column<Self, DateTime<Utc>> = ::arx::query::Column::new(
            4,
        );
        /// The column `rank`.
        const RANK: ::arx::query::Column<Self, Field<i32>> = ::arx::query::Column::new(
            5,
        );
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Record for Customer {
        const COLUMNS: &'static [::arx::entity::ColumnMeta] = &[
            ::arx::entity::ColumnMeta::new(
                    "id",
                    "id",
                    <i64 as ::arx::value::Scalar>::KIND,
                    <i64 as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<i64 as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<i64 as ::arx::value::Scalar>::DEFAULTABLE)
                .role(::arx::entity::Role::Key)
                .generated(),
            ::arx::entity::ColumnMeta::new(
                    "full_name",
                    "name",
                    <Option<String> as ::arx::value::Scalar>::KIND,
                    <Option<String> as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<Option<String> as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<Option<String> as ::arx::value::Scalar>::DEFAULTABLE)
                .unique(),
            ::arx::entity::ColumnMeta::new(
                    "version",
                    "version",
                    <i32 as ::arx::value::Scalar>::KIND,
                    <i32 as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<i32 as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<i32 as ::arx::value::Scalar>::DEFAULTABLE)
                .role(::arx::entity::Role::Version),
            ::arx::entity::ColumnMeta::new(
                    "created",
                    "created",
                    <DateTime<Utc> as ::arx::value::Scalar>::KIND,
                    <DateTime<Utc> as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<DateTime<Utc> as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<DateTime<Utc> as ::arx::value::Scalar>::DEFAULTABLE)
                .role(::arx::entity::Role::CreatedAt),
            ::arx::entity::ColumnMeta::new(
                    "updated",
                    "updated",
                    <DateTime<Utc> as ::arx::value::Scalar>::KIND,
                    <DateTime<Utc> as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<DateTime<Utc> as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<DateTime<Utc> as ::arx::value::Scalar>::DEFAULTABLE)
                .role(::arx::entity::Role::UpdatedAt),
            ::arx::entity::ColumnMeta::new(
                    "rank",
                    "rank",
                    <Field<i32> as ::arx::value::Scalar>::KIND,
                    <Field<i32> as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<Field<i32> as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<Field<i32> as ::arx::value::Scalar>::DEFAULTABLE),
        ];
        fn decode(row: &mut dyn ::arx::value::Decoder) -> ::arx::error::Result<Self> {
            let field_0 = <i64 as ::arx::value::Scalar>::decode(
                row.next(<i64 as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_1 = <Option<
                String,
            > as ::arx::value::Scalar>::decode(
                row.next(<Option<String> as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_2 = <i32 as ::arx::value::Scalar>::decode(
                row.next(<i32 as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_3 = <DateTime<
                Utc,
            > as ::arx::value::Scalar>::decode(
                row.next(<DateTime<Utc> as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_4 = <DateTime<
                Utc,
            > as ::arx::value::Scalar>::decode(
                row.next(<DateTime<Utc> as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_5 = <Field<
                i32,
            > as ::arx::value::Scalar>::decode(
                row.next(<Field<i32> as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_6 = <Cache as ::core::default::Default>::default();
            ::core::result::Result::Ok(Self {
                id: field_0,
                name: field_1,
                version: field_2,
                created: field_3,
                updated: field_4,
                rank: field_5,
                cache: field_6,
            })
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Entity for Customer {
        const TABLE: &'static ::arx::entity::Table = &::arx::entity::Table::new(
            "Customer",
            ::core::option::Option::Some("sales"),
            "customers",
            <Self as ::arx::entity::Record>::COLUMNS,
        );
        type Key = i64;
        fn key(&self) -> Self::Key {
            <i64 as ::core::clone::Clone>::clone(&self.id)
        }
        fn encode(
            rows: &[Self],
            order: ::core::option::Option<&[u32]>,
            column: usize,
            out: &mut dyn ::arx::value::Encoder,
        ) {
            match column {
                0 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <i64 as ::arx::value::Scalar>::encode(&row.id, out),
                    )
                }
                1 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <Option<
                            String,
                        > as ::arx::value::Scalar>::encode(&row.name, out),
                    )
                }
                2 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <i32 as ::arx::value::Scalar>::encode(&row.version, out),
                    )
                }
                3 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <DateTime<
                            Utc,
                        > as ::arx::value::Scalar>::encode(&row.created, out),
                    )
                }
                4 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <DateTime<
                            Utc,
                        > as ::arx::value::Scalar>::encode(&row.updated, out),
                    )
                }
                5 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <Field<
                            i32,
                        > as ::arx::value::Scalar>::encode(&row.rank, out),
                    )
                }
                _ => {
                    out.fail(
                        ::arx::error::Error::encode("the entity has no such column"),
                    )
                }
            }
        }
        fn encode_row(
            &self,
            columns: &::arx::entity::ColumnSet,
            out: &mut dyn ::arx::value::Encoder,
        ) {
            if columns.contains(0) {
                <i64 as ::arx::value::Scalar>::encode(&self.id, out);
            }
            if columns.contains(1) {
                <Option<String> as ::arx::value::Scalar>::encode(&self.name, out);
            }
            if columns.contains(2) {
                <i32 as ::arx::value::Scalar>::encode(&self.version, out);
            }
            if columns.contains(3) {
                <DateTime<Utc> as ::arx::value::Scalar>::encode(&self.created, out);
            }
            if columns.contains(4) {
                <DateTime<Utc> as ::arx::value::Scalar>::encode(&self.updated, out);
            }
            if columns.contains(5) {
                <Field<i32> as ::arx::value::Scalar>::encode(&self.rank, out);
            }
        }
        fn accept(
            &mut self,
            column: usize,
            value: ::arx::value::Value<'_>,
        ) -> ::arx::error::Result<()> {
            match column {
                0 => self.id = <i64 as ::arx::value::Scalar>::decode(value)?,
                1 => self.name = <Option<String> as ::arx::value::Scalar>::decode(value)?,
                2 => self.version = <i32 as ::arx::value::Scalar>::decode(value)?,
                3 => {
                    self.created = <DateTime<
                        Utc,
                    > as ::arx::value::Scalar>::decode(value)?;
                }
                4 => {
                    self.updated = <DateTime<
                        Utc,
                    > as ::arx::value::Scalar>::decode(value)?;
                }
                5 => self.rank = <Field<i32> as ::arx::value::Scalar>::decode(value)?,
                _ => {
                    return ::core::result::Result::Err(
                        ::arx::error::Error::decode("the struct has no such column"),
                    );
                }
            }
            ::core::result::Result::Ok(())
        }
        fn defaults(&self) -> ::arx::entity::ColumnSet {
            let mut set = ::arx::entity::ColumnSet::EMPTY;
            let out = &mut set;
            if <Field<i32> as ::arx::value::Scalar>::is_default(&self.rank) {
                out.insert(5);
            }
            set
        }
        fn generate(_column: usize, out: &mut dyn ::arx::value::Encoder) {
            out.fail(::arx::error::Error::encode("arx makes no value for this column"));
        }
    }
};
