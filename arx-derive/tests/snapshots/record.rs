#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::entity::Record for Summary {
        const COLUMNS: &'static [::arx::entity::ColumnMeta] = {
            const GROUPS: &[&[::arx::entity::ColumnMeta]] = &[
                &[
                    ::arx::entity::ColumnMeta::new(
                            "id",
                            "id",
                            <i64 as ::arx::value::Scalar>::KIND,
                            <i64 as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<i64 as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(<i64 as ::arx::value::Scalar>::DEFAULTABLE),
                    ::arx::entity::ColumnMeta::new(
                            "order_total",
                            "total",
                            <Option<Decimal> as ::arx::value::Scalar>::KIND,
                            <Option<Decimal> as ::arx::value::Scalar>::NULLABLE,
                        )
                        .type_name(<Option<Decimal> as ::arx::value::Scalar>::TYPE_NAME)
                        .defaultable(
                            <Option<Decimal> as ::arx::value::Scalar>::DEFAULTABLE,
                        ),
                ],
                <Address as ::arx::entity::Record>::COLUMNS,
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
            let field_1 = <Option<
                Decimal,
            > as ::arx::value::Scalar>::decode(
                row.next(<Option<Decimal> as ::arx::value::Scalar>::KIND)?,
            )?;
            let field_2 = <Address as ::arx::entity::Record>::decode(row)?;
            let field_3 = <usize as ::core::default::Default>::default();
            ::core::result::Result::Ok(Self {
                id: field_0,
                total: field_1,
                address: field_2,
                rank: field_3,
            })
        }
    }
};
