#[allow(deprecated, unused_lifetimes, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::arx::value::Scalar for Mood {
        const KIND: ::arx::value::ScalarKind = ::arx::value::ScalarKind::Text;
        const TYPE_NAME: ::core::option::Option<&'static str> = ::core::option::Option::Some(
            "mood",
        );
        fn encode(&self, out: &mut dyn ::arx::value::Encoder) {
            out.value(
                ::arx::value::Value::Text(
                    match self {
                        Self::VerySad => "very_sad",
                        Self::Happy => "joyful",
                    },
                ),
            );
        }
        fn decode(value: ::arx::value::Value<'_>) -> ::arx::error::Result<Self> {
            match value {
                ::arx::value::Value::Text("very_sad") => {
                    ::core::result::Result::Ok(Self::VerySad)
                }
                ::arx::value::Value::Text("joyful") => {
                    ::core::result::Result::Ok(Self::Happy)
                }
                ::arx::value::Value::Text(_) => {
                    ::core::result::Result::Err(
                        ::arx::error::Error::decode("the text is not a variant of Mood"),
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
    impl ::arx::value::Element for Mood {}
};
