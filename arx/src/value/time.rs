//! Dates and times of the `time` crate; columns keep microseconds, the rest is cut off.

use time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime};

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

const EPOCH: Date = UtcDateTime::UNIX_EPOCH.date();

impl Scalar for Date {
    const KIND: ScalarKind = ScalarKind::Date;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Date(self.to_julian_day() - EPOCH.to_julian_day()));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Date(days) = value else { return Err(value.mismatch(Self::KIND)) };
        EPOCH.checked_add(Duration::days(i64::from(days))).ok_or_else(|| out_of_range("time::Date"))
    }
}

impl Scalar for Time {
    const KIND: ScalarKind = ScalarKind::Time;

    fn encode(&self, out: &mut dyn Encoder) {
        let micros = (*self - Time::MIDNIGHT).whole_microseconds();
        match i64::try_from(micros) {
            Ok(micros) => out.value(Value::Time(micros)),
            Err(_) => out.fail(Error::encode("the time is out of range")),
        }
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Time(micros) = value else { return Err(value.mismatch(Self::KIND)) };
        if !(0..86_400_000_000).contains(&micros) {
            return Err(out_of_range("time::Time"));
        }
        Ok(Time::MIDNIGHT + Duration::microseconds(micros))
    }
}

impl Scalar for PrimitiveDateTime {
    const KIND: ScalarKind = ScalarKind::Timestamp;

    fn encode(&self, out: &mut dyn Encoder) {
        push(self.assume_utc(), out, Value::Timestamp);
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Timestamp(micros) = value else { return Err(value.mismatch(Self::KIND)) };
        let instant = instant(micros, "time::PrimitiveDateTime")?;
        Ok(PrimitiveDateTime::new(instant.date(), instant.time()))
    }
}

impl Scalar for OffsetDateTime {
    const KIND: ScalarKind = ScalarKind::Timestamptz;

    fn encode(&self, out: &mut dyn Encoder) {
        push(*self, out, Value::Timestamptz);
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Timestamptz(micros) = value else { return Err(value.mismatch(Self::KIND)) };
        instant(micros, "time::OffsetDateTime")
    }
}

impl Element for Date {}
impl Element for Time {}
impl Element for PrimitiveDateTime {}
impl Element for OffsetDateTime {}

fn push(instant: OffsetDateTime, out: &mut dyn Encoder, value: fn(i64) -> Value<'static>) {
    match i64::try_from(instant.unix_timestamp_nanos().div_euclid(1_000)) {
        Ok(micros) => out.value(value(micros)),
        Err(_) => out.fail(Error::encode("the instant is out of range")),
    }
}

fn instant(micros: i64, target: &'static str) -> Result<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(micros) * 1_000).map_err(|_| out_of_range(target))
}

fn out_of_range(target: &str) -> Error {
    Error::decode(format!("the value is outside what {target} can hold (infinity, or too far away)"))
}
