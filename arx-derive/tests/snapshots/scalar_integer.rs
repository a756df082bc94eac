#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::value::Scalar for Level {
        const KIND: ::arx::value::ScalarKind = ::arx::value::ScalarKind::I16;
        fn encode(&self, out: &mut dyn ::arx::value::Encoder) {
            out.value(
                ::arx::value::Value::I16(
                    match self {
                        Self::Low => Self::Low as i16,
                        Self::High => Self::High as i16,
                    },
                ),
            );
        }
        fn decode(value: ::arx::value::Value<'_>) -> ::arx::error::Result<Self> {
            match value {
                ::arx::value::Value::I16(number) if number == Self::Low as i16 => {
                    ::core::result::Result::Ok(Self::Low)
                }
                ::arx::value::Value::I16(number) if number == Self::High as i16 => {
                    ::core::result::Result::Ok(Self::High)
                }
                ::arx::value::Value::I16(_) => {
                    ::core::result::Result::Err(
                        ::arx::error::Error::decode(
                            "the number is not a variant of Level",
                        ),
                    )
                }
                other => {
                    ::core::result::Result::Err(
                        other.mismatch(<Self as ::arx::value::Scalar>::KIND),
                    )
                }
            }
        }
    }
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::value::Element for Level {}
};
