#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    const __END_1: usize = 1 + <Place as ::arx::entity::Record>::COLUMNS.len();
    #[automatically_derived]
    #[allow(dead_code, unreachable_pub)]
    impl Address {
        /// The column `street`.
        pub const STREET: ::arx::query::Column<Self, String> = ::arx::query::Column::new(
            0,
        );
        /// The columns of `place`.
        pub const PLACE: ::arx::query::Column<Self, Place> = ::arx::query::Column::new(
            1,
        );
        /// The column `zip`.
        pub const ZIP: ::arx::query::Column<Self, Field<String>> = ::arx::query::Column::new(
            __END_1,
        );
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Record for Address {
        const COLUMNS: &'static [::arx::entity::ColumnMeta] = {
            const GROUPS: &[&[::arx::entity::ColumnMeta]] = &[
                &[
                    ::arx::entity::ColumnMeta::new(
                            "street",
                            "street",
                            <String as ::arx::value::Scalar>::KIND,
                            <String as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<String as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(<String as ::arx::value::Scalar>::DEFAULTABLE),
                ],
                <Place as ::arx::entity::Record>::COLUMNS,
                &[
                    ::arx::entity::ColumnMeta::new(
                            "zip",
                            "zip",
                            <Field<String> as ::arx::value::Scalar>::KIND,
                            <Field<String> as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<Field<String> as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(
                            <Field<String> as ::arx::value::Scalar>::DEFAULTABLE,
                        ),
                ],
            ];
            const ALL: [::arx::entity::ColumnMeta; ::arx::entity::total(GROUPS)] = ::arx::entity::columns(
                GROUPS,
            );
            &ALL
        };
        fn decode(row: &mut dyn ::arx::value::Decoder) -> ::arx::error::Result<Self> {
            let field_0 = <String as ::arx::value::Scalar>::decode(
                row.next(<String as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_1 = <Place as ::arx::entity::Record>::decode(row)?;
            let field_2 = <Field<
                String,
            > as ::arx::value::Scalar>::decode(
                row.next(<Field<String> as ::arx::value::Scalar>::KIND)?,
            )?;
            ::core::result::Result::Ok(Self {
                street: field_0,
                place: field_1,
                zip: field_2,
            })
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Embedded for Address {
        fn encode(&self, column: usize, out: &mut dyn ::arx::value::Encoder) {
            match column {
                0 => <String as ::arx::value::Scalar>::encode(&self.street, out),
                1..__END_1 => {
                    <Place as ::arx::entity::Embedded>::encode(
                        &self.place,
                        column - 1,
                        out,
                    )
                }
                __END_1 => {
                    <Field<String> as ::arx::value::Scalar>::encode(&self.zip, out)
                }
                _ => {
                    out.fail(
                        ::arx::error::Error::encode("the struct has no such column"),
                    )
                }
            }
        }
        fn accept(
            &mut self,
            column: usize,
            value: ::arx::value::Value<'_>,
        ) -> ::arx::error::Result<()> {
            match column {
                0 => self.street = <String as ::arx::value::Scalar>::decode(value)?,
                1..__END_1 => {
                    <Place as ::arx::entity::Embedded>::accept(
                        &mut self.place,
                        column - 1,
                        value,
                    )?
                }
                __END_1 => {
                    self.zip = <Field<String> as ::arx::value::Scalar>::decode(value)?;
                }
                _ => {
                    return ::core::result::Result::Err(
                        ::arx::error::Error::decode("the struct has no such column"),
                    );
                }
            }
            ::core::result::Result::Ok(())
        }
        fn defaults(&self, base: usize, out: &mut ::arx::entity::ColumnSet) {
            <Place as ::arx::entity::Embedded>::defaults(&self.place, base + 1, out);
            if <Field<String> as ::arx::value::Scalar>::is_default(&self.zip) {
                out.insert(base + __END_1);
            }
        }
    }
};
