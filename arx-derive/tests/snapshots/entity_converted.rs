#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[allow(dead_code, unreachable_pub)]
    impl Document {
        /// The column `id`.
        const ID: ::arx::query::Column<Self, i64> = ::arx::query::Column::new(0);
        /// The column `tags`.
        const TAGS: ::arx::query::Column<Self, ::arx::query::Converted<Vec<String>>> = ::arx::query::Column::new(
            1,
        );
        /// The column `note`.
        const NOTE: ::arx::query::Column<Self, ::arx::query::Converted<Option<Note>>> = ::arx::query::Column::new(
            2,
        );
        /// The column `price`.
        const PRICE: ::arx::query::Column<Self, ::arx::query::Converted<Money>> = ::arx::query::Column::new(
            3,
        );
        /// The column `discount`.
        const DISCOUNT: ::arx::query::Column<
            Self,
            ::arx::query::Converted<Option<Money>>,
        > = ::arx::query::Column::new(4);
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Record for Document {
        const COLUMNS: &'static [::arx::entity::ColumnMeta] = &[
            ::arx::entity::ColumnMeta::new(
                    "id",
                    "id",
                    <i64 as ::arx::value::Scalar>::KIND,
                    <i64 as ::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<i64 as ::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<i64 as ::arx::value::Scalar>::DEFAULTABLE)
                .role(::arx::entity::Role::Key),
            ::arx::entity::ColumnMeta::new(
                "tags",
                "tags",
                ::arx::value::ScalarKind::Json,
                false,
            ),
            ::arx::entity::ColumnMeta::new(
                    "note",
                    "note",
                    ::arx::value::ScalarKind::Json,
                    true,
                )
                .type_name(::core::option::Option::Some("jsonb")),
            ::arx::entity::ColumnMeta::new("price", "price", crate::money::KIND, false),
            ::arx::entity::ColumnMeta::new(
                "discount",
                "discount",
                crate::money::KIND,
                true,
            ),
        ];
        fn decode(row: &mut dyn ::arx::value::Decoder) -> ::arx::error::Result<Self> {
            let field_0 = <i64 as ::arx::value::Scalar>::decode(
                row.next(<i64 as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_1 = ::arx::value::decode_json::<
                Vec<String>,
            >(row.next(::arx::value::ScalarKind::Json)?)?;
            let field_2 = ::arx::entity::decode_option(
                row.next(::arx::value::ScalarKind::Json)?,
                ::arx::value::decode_json,
            )?;
            let field_3 = crate::money::decode(row.next(crate::money::KIND)?)?;
            let field_4 = ::arx::entity::decode_option(
                row.next(crate::money::KIND)?,
                crate::money::decode,
            )?;
            ::core::result::Result::Ok(Self {
                id: field_0,
                tags: field_1,
                note: field_2,
                price: field_3,
                discount: field_4,
            })
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Entity for Document {
        const TABLE: &'static ::arx::entity::Table = &::arx::entity::Table::new(
            "Document",
            ::core::option::Option::None,
            "document",
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
                        |row| ::arx::value::encode_json::<Vec<String>>(&row.tags, out),
                    )
                }
                2 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| ::arx::entity::encode_option(
                            &row.note,
                            ::arx::value::ScalarKind::Json,
                            ::arx::value::encode_json,
                            out,
                        ),
                    )
                }
                3 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| crate::money::encode(&row.price, out),
                    )
                }
                4 => {
                    ::arx::entity::each(
                        rows,
                        order,
                        |row| ::arx::entity::encode_option(
                            &row.discount,
                            crate::money::KIND,
                            crate::money::encode,
                            out,
                        ),
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
                ::arx::value::encode_json::<Vec<String>>(&self.tags, out);
            }
            if columns.contains(2) {
                ::arx::entity::encode_option(
                    &self.note,
                    ::arx::value::ScalarKind::Json,
                    ::arx::value::encode_json,
                    out,
                );
            }
            if columns.contains(3) {
                crate::money::encode(&self.price, out);
            }
            if columns.contains(4) {
                ::arx::entity::encode_option(
                    &self.discount,
                    crate::money::KIND,
                    crate::money::encode,
                    out,
                );
            }
        }
        fn accept(
            &mut self,
            column: usize,
            value: ::arx::value::Value<'_>,
        ) -> ::arx::error::Result<()> {
            match column {
                0 => self.id = <i64 as ::arx::value::Scalar>::decode(value)?,
                1 => self.tags = ::arx::value::decode_json::<Vec<String>>(value)?,
                2 => {
                    self.note = ::arx::entity::decode_option(
                        value,
                        ::arx::value::decode_json,
                    )?;
                }
                3 => self.price = crate::money::decode(value)?,
                4 => {
                    self.discount = ::arx::entity::decode_option(
                        value,
                        crate::money::decode,
                    )?;
                }
                _ => {
                    return ::core::result::Result::Err(
                        ::arx::error::Error::decode("the struct has no such column"),
                    );
                }
            }
            ::core::result::Result::Ok(())
        }
        fn defaults(&self) -> ::arx::entity::ColumnSet {
            ::arx::entity::ColumnSet::EMPTY
        }
        fn generate(_column: usize, out: &mut dyn ::arx::value::Encoder) {
            out.fail(::arx::error::Error::encode("arx makes no value for this column"));
        }
    }
};
