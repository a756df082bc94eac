#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[allow(dead_code, unreachable_pub)]
    impl OrderLine {
        /// The column `order`.
        pub(crate) const ORDER: crate::vendored::arx::query::Column<Self, i64> = crate::vendored::arx::query::Column::new(
            0,
        );
        /// The column `line`.
        pub(crate) const LINE: crate::vendored::arx::query::Column<Self, Uuid> = crate::vendored::arx::query::Column::new(
            1,
        );
        /// The column `state`.
        pub(crate) const STATE: crate::vendored::arx::query::Column<Self, State> = crate::vendored::arx::query::Column::new(
            2,
        );
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl crate::vendored::arx::entity::Record for OrderLine {
        const COLUMNS: &'static [crate::vendored::arx::entity::ColumnMeta] = &[
            crate::vendored::arx::entity::ColumnMeta::new(
                    "order",
                    "order",
                    <i64 as crate::vendored::arx::value::Scalar>::KIND,
                    <i64 as crate::vendored::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<i64 as crate::vendored::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<i64 as crate::vendored::arx::value::Scalar>::DEFAULTABLE)
                .role(crate::vendored::arx::entity::Role::Key),
            crate::vendored::arx::entity::ColumnMeta::new(
                    "line",
                    "line",
                    <Uuid as crate::vendored::arx::value::Scalar>::KIND,
                    <Uuid as crate::vendored::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<Uuid as crate::vendored::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<Uuid as crate::vendored::arx::value::Scalar>::DEFAULTABLE)
                .role(crate::vendored::arx::entity::Role::Key)
                .generate(),
            crate::vendored::arx::entity::ColumnMeta::new(
                    "state",
                    "state",
                    <State as crate::vendored::arx::value::Scalar>::KIND,
                    <State as crate::vendored::arx::value::Scalar>::NULLABLE,
                )
                .type_name(<State as crate::vendored::arx::value::Scalar>::TYPE_NAME)
                .defaultable(<State as crate::vendored::arx::value::Scalar>::DEFAULTABLE)
                .type_name(::core::option::Option::Some("line_state"))
                .skip_update(),
        ];
        fn decode(
            row: &mut dyn crate::vendored::arx::value::Decoder,
        ) -> crate::vendored::arx::error::Result<Self> {
            let field_0 = <i64 as crate::vendored::arx::value::Scalar>::decode(
                row.next(<i64 as crate::vendored::arx::value::Scalar>::KIND)?,
            )?;
            let field_1 = <Uuid as crate::vendored::arx::value::Scalar>::decode(
                row.next(<Uuid as crate::vendored::arx::value::Scalar>::KIND)?,
            )?;
            let field_2 = <State as crate::vendored::arx::value::Scalar>::decode(
                row.next(<State as crate::vendored::arx::value::Scalar>::KIND)?,
            )?;
            ::core::result::Result::Ok(Self {
                order: field_0,
                line: field_1,
                state: field_2,
            })
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl crate::vendored::arx::entity::Entity for OrderLine {
        const TABLE: &'static crate::vendored::arx::entity::Table = &crate::vendored::arx::entity::Table::new(
            "OrderLine",
            ::core::option::Option::None,
            "order_line",
            <Self as crate::vendored::arx::entity::Record>::COLUMNS,
        );
        type Key = (i64, Uuid);
        fn key(&self) -> Self::Key {
            (
                <i64 as ::core::clone::Clone>::clone(&self.order),
                <Uuid as ::core::clone::Clone>::clone(&self.line),
            )
        }
        fn encode(
            rows: &[Self],
            order: ::core::option::Option<&[u32]>,
            column: usize,
            out: &mut dyn crate::vendored::arx::value::Encoder,
        ) {
            match column {
                0 => {
                    crate::vendored::arx::entity::each(
                        rows,
                        order,
                        |row| <i64 as crate::vendored::arx::value::Scalar>::encode(
                            &row.order,
                            out,
                        ),
                    )
                }
                1 => {
                    crate::vendored::arx::entity::each(
                        rows,
                        order,
                        |row| <Uuid as crate::vendored::arx::value::Scalar>::encode(
                            &row.line,
                            out,
                        ),
                    )
                }
                2 => {
                    crate::vendored::arx::entity::each(
                        rows,
                        order,
                        |row| <State as crate::vendored::arx::value::Scalar>::encode(
                            &row.state,
                            out,
                        ),
                    )
                }
                _ => {
                    out.fail(
                        crate::vendored::arx::error::Error::encode(
                            "the entity has no such column",
                        ),
                    )
                }
            }
        }
        fn encode_row(
            &self,
            columns: &crate::vendored::arx::entity::ColumnSet,
            out: &mut dyn crate::vendored::arx::value::Encoder,
        ) {
            if columns.contains(0) {
                <i64 as crate::vendored::arx::value::Scalar>::encode(&self.order, out);
            }
            if columns.contains(1) {
                <Uuid as crate::vendored::arx::value::Scalar>::encode(&self.line, out);
            }
            if columns.contains(2) {
                <State as crate::vendored::arx::value::Scalar>::encode(&self.state, out);
            }
        }
        fn accept(
            &mut self,
            column: usize,
            value: crate::vendored::arx::value::Value<'_>,
        ) -> crate::vendored::arx::error::Result<()> {
            match column {
                0 => {
                    self.order = <i64 as crate::vendored::arx::value::Scalar>::decode(
                        value,
                    )?;
                }
                1 => {
                    self.line = <Uuid as crate::vendored::arx::value::Scalar>::decode(
                        value,
                    )?;
                }
                2 => {
                    self.state = <State as crate::vendored::arx::value::Scalar>::decode(
                        value,
                    )?;
                }
                _ => {
                    return ::core::result::Result::Err(
                        crate::vendored::arx::error::Error::decode(
                            "the struct has no such column",
                        ),
                    );
                }
            }
            ::core::result::Result::Ok(())
        }
        fn defaults(&self) -> crate::vendored::arx::entity::ColumnSet {
            let mut set = crate::vendored::arx::entity::ColumnSet::EMPTY;
            let out = &mut set;
            if <State as crate::vendored::arx::value::Scalar>::is_default(&self.state) {
                out.insert(2);
            }
            set
        }
        fn generate(column: usize, out: &mut dyn crate::vendored::arx::value::Encoder) {
            match column {
                1 => {
                    <Uuid as crate::vendored::arx::value::Scalar>::encode(
                        &Uuid::now_v7(),
                        out,
                    )
                }
                _ => {
                    out.fail(
                        crate::vendored::arx::error::Error::encode(
                            "arx makes no value for this column",
                        ),
                    )
                }
            }
        }
    }
};
