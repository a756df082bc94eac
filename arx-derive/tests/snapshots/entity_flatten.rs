#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    const __END_1: usize = 1 + <Address as ::arx::entity::Record>::COLUMNS.len();
    const __COLUMN_3: usize = __END_1 + 1;
    const __COLUMN_4: usize = __END_1 + 2;
    const __END_4: usize = __COLUMN_4 + <Audit as ::arx::entity::Record>::COLUMNS.len();
    #[automatically_derived]
    #[allow(dead_code, unreachable_pub)]
    impl Customer {
        /// The column `customerId`.
        const CUSTOMER_ID: ::arx::query::Column<Self, i64> = ::arx::query::Column::new(
            0,
        );
        /// The columns of `home_address`.
        const HOME_ADDRESS: ::arx::query::Column<Self, Address> = ::arx::query::Column::new(
            1,
        );
        /// The column `lastOrder`.
        const LAST_ORDER: ::arx::query::Column<Self, Option<i64>> = ::arx::query::Column::new(
            __END_1,
        );
        /// The column `deleted`.
        const DELETED: ::arx::query::Column<Self, bool> = ::arx::query::Column::new(
            __COLUMN_3,
        );
        /// The columns of `audit`.
        const AUDIT: ::arx::query::Column<Self, Audit> = ::arx::query::Column::new(
            __COLUMN_4,
        );
        /// The column `type`.
        const TYPE: ::arx::query::Column<Self, String> = ::arx::query::Column::new(
            __END_4,
        );
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Record for Customer {
        const COLUMNS: &'static [::arx::entity::ColumnMeta] = {
            const GROUPS: &[&[::arx::entity::ColumnMeta]] = &[
                &[
                    ::arx::entity::ColumnMeta::new(
                            "customerId",
                            "customer_id",
                            <i64 as ::arx::value::Scalar>::KIND,
                            <i64 as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<i64 as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(<i64 as ::arx::value::Scalar>::DEFAULTABLE)
                        .role(::arx::entity::Role::Key),
                ],
                <Address as ::arx::entity::Record>::COLUMNS,
                &[
                    ::arx::entity::ColumnMeta::new(
                            "lastOrder",
                            "last_order",
                            <Option<i64> as ::arx::value::Scalar>::KIND,
                            <Option<i64> as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<Option<i64> as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(<Option<i64> as ::arx::value::Scalar>::DEFAULTABLE),
                    ::arx::entity::ColumnMeta::new(
                            "deleted",
                            "deleted",
                            <bool as ::arx::value::Scalar>::KIND,
                            <bool as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<bool as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(<bool as ::arx::value::Scalar>::DEFAULTABLE)
                        .role(::arx::entity::Role::SoftDelete),
                ],
                <Audit as ::arx::entity::Record>::COLUMNS,
                &[
                    ::arx::entity::ColumnMeta::new(
                            "type",
                            "type",
                            <String as ::arx::value::Scalar>::KIND,
                            <String as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<String as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(<String as ::arx::value::Scalar>::DEFAULTABLE),
                ],
            ];
            const ALL: [::arx::entity::ColumnMeta; ::arx::entity::total(GROUPS)] = ::arx::entity::columns(
                GROUPS,
            );
            &ALL
        };
        fn decode(row: &mut dyn ::arx::value::Decoder) -> ::arx::error::Result<Self> {
            let field_0 = <i64 as ::arx::value::Scalar>::decode(
                row.next(<i64 as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_1 = <Address as ::arx::entity::Record>::decode(row)?;
            let field_2 = <Option<
                i64,
            > as ::arx::value::Scalar>::decode(
                row.next(<Option<i64> as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_3 = <bool as ::arx::value::Scalar>::decode(
                row.next(<bool as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_4 = <Audit as ::arx::entity::Record>::decode(row)?;
            let field_5 = <String as ::arx::value::Scalar>::decode(
                row.next(<String as ::arx::value::Scalar>::KIND)?,
            )?;
            ::core::result::Result::Ok(Self {
                customer_id: field_0,
                home_address: field_1,
                last_order: field_2,
                deleted: field_3,
                audit: field_4,
                r#type: field_5,
            })
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Entity for Customer {
        const TABLE: &'static ::arx::entity::Table = &::arx::entity::Table::new(
            "Customer",
            ::core::option::Option::None,
            "customer",
            <Self as ::arx::entity::Record>::COLUMNS,
        );
        type Key = i64;
        fn key(&self) -> Self::Key {
            <i64 as ::core::clone::Clone>::clone(&self.customer_id)
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
                        |row| <i64 as ::arx::value::Scalar>::encode(
                            &row.customer_id,
                            out,
                        ),
                    )
                }
                1..__END_1 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <Address as ::arx::entity::Embedded>::encode(
                            &row.home_address,
                            column - 1,
                            out,
                        ),
                    )
                }
                __END_1 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <Option<
                            i64,
                        > as ::arx::value::Scalar>::encode(&row.last_order, out),
                    )
                }
                __COLUMN_3 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <bool as ::arx::value::Scalar>::encode(&row.deleted, out),
                    )
                }
                __COLUMN_4..__END_4 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <Audit as ::arx::entity::Embedded>::encode(
                            &row.audit,
                            column - __COLUMN_4,
                            out,
                        ),
                    )
                }
                __END_4 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| <String as ::arx::value::Scalar>::encode(&row.r#type, out),
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
                <i64 as ::arx::value::Scalar>::encode(&self.customer_id, out);
            }
            <Address as ::arx::entity::Embedded>::encode_row(
                &self.home_address,
                1,
                columns,
                out,
            );
            if columns.contains(__END_1) {
                <Option<i64> as ::arx::value::Scalar>::encode(&self.last_order, out);
            }
            if columns.contains(__COLUMN_3) {
                <bool as ::arx::value::Scalar>::encode(&self.deleted, out);
            }
            <Audit as ::arx::entity::Embedded>::encode_row(
                &self.audit,
                __COLUMN_4,
                columns,
                out,
            );
            if columns.contains(__END_4) {
                <String as ::arx::value::Scalar>::encode(&self.r#type, out);
            }
        }
        fn accept(
            &mut self,
            column: usize,
            value: ::arx::value::Value<'_>,
        ) -> ::arx::error::Result<()> {
            match column {
                0 => self.customer_id = <i64 as ::arx::value::Scalar>::decode(value)?,
                1..__END_1 => {
                    <Address as ::arx::entity::Embedded>::accept(
                        &mut self.home_address,
                        column - 1,
                        value,
                    )?
                }
                __END_1 => {
                    self.last_order = <Option<
                        i64,
                    > as ::arx::value::Scalar>::decode(value)?;
                }
                __COLUMN_3 => {
                    self.deleted = <bool as ::arx::value::Scalar>::decode(value)?;
                }
                __COLUMN_4..__END_4 => {
                    <Audit as ::arx::entity::Embedded>::accept(
                        &mut self.audit,
                        column - __COLUMN_4,
                        value,
                    )?
                }
                __END_4 => self.r#type = <String as ::arx::value::Scalar>::decode(value)?,
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
            <Address as ::arx::entity::Embedded>::defaults(&self.home_address, 1, out);
            <Audit as ::arx::entity::Embedded>::defaults(&self.audit, __COLUMN_4, out);
            set
        }
        fn generate(_column: usize, out: &mut dyn ::arx::value::Encoder) {
            out.fail(::arx::error::Error::encode("arx makes no value for this column"));
        }
    }
};
