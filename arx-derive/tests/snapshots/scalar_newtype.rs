#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::value::Scalar for CustomerId {
        const KIND: ::arx::value::ScalarKind = <i64 as ::arx::value::Scalar>::KIND;
        const NULLABLE: bool = <i64 as ::arx::value::Scalar>::NULLABLE;
        const TYPE_NAME: ::core::option::Option<&'static str> = <i64 as ::arx::value::Scalar>::TYPE_NAME;
        const DEFAULTABLE: bool = <i64 as ::arx::value::Scalar>::DEFAULTABLE;
        fn encode(&self, out: &mut dyn ::arx::value::Encoder) {
            <i64 as ::arx::value::Scalar>::encode(&self.0, out);
        }
        fn decode(value: ::arx::value::Value<'_>) -> ::arx::error::Result<Self> {
            <i64 as ::arx::value::Scalar>::decode(value).map(Self)
        }
        fn is_default(&self) -> bool {
            <i64 as ::arx::value::Scalar>::is_default(&self.0)
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::value::Element for CustomerId
    where
        for<'a> i64: ::arx::value::Element,
    {}
};
