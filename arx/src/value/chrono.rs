//! Dates and times of the `chrono` crate.
//!
//! Columns keep microseconds: the nanoseconds below are cut off, not rounded, so that
//! an instant never moves into the next second.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc};

use super::{Element, Encoder, Scalar, ScalarKind, Value};
use crate::error::{Error, Result};

const EPOCH: NaiveDate = NaiveDate::from_epoch_days(0).unwrap();
const MICROS_PER_SECOND: i64 = 1_000_000;

impl Scalar for NaiveDate {
    const KIND: ScalarKind = ScalarKind::Date;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Date(self.to_epoch_days()));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Date(days) = value else { return Err(value.mismatch(Self::KIND)) };
        NaiveDate::from_epoch_days(days).ok_or_else(|| out_of_range("NaiveDate"))
    }
}

impl Scalar for NaiveTime {
    const KIND: ScalarKind = ScalarKind::Time;

    fn encode(&self, out: &mut dyn Encoder) {
        // A leap second (23:59:60) has no column form; it becomes the last microsecond of its minute.
        let micros = (self.nanosecond() / 1_000).min(999_999);
        out.value(Value::Time(i64::from(self.num_seconds_from_midnight()) * MICROS_PER_SECOND + i64::from(micros)));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Time(micros) = value else { return Err(value.mismatch(Self::KIND)) };
        let time = u32::try_from(micros / MICROS_PER_SECOND).ok().zip(u32::try_from(micros % MICROS_PER_SECOND).ok());
        time.and_then(|(seconds, micros)| NaiveTime::from_num_seconds_from_midnight_opt(seconds, micros * 1_000))
            .ok_or_else(|| out_of_range("NaiveTime"))
    }
}

impl Scalar for NaiveDateTime {
    const KIND: ScalarKind = ScalarKind::Timestamp;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Timestamp(self.and_utc().timestamp_micros()));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Timestamp(micros) = value else { return Err(value.mismatch(Self::KIND)) };
        EPOCH
            .and_time(NaiveTime::MIN)
            .checked_add_signed(TimeDelta::microseconds(micros))
            .ok_or_else(|| out_of_range("NaiveDateTime"))
    }
}

impl Scalar for DateTime<Utc> {
    const KIND: ScalarKind = ScalarKind::Timestamptz;

    fn encode(&self, out: &mut dyn Encoder) {
        out.value(Value::Timestamptz(self.timestamp_micros()));
    }

    fn decode(value: Value<'_>) -> Result<Self> {
        let Value::Timestamptz(micros) = value else { return Err(value.mismatch(Self::KIND)) };
        DateTime::from_timestamp_micros(micros).ok_or_else(|| out_of_range("DateTime<Utc>"))
    }
}

impl Element for NaiveDate {}
impl Element for NaiveTime {}
impl Element for NaiveDateTime {}
impl Element for DateTime<Utc> {}

fn out_of_range(target: &str) -> Error {
    Error::decode(format!("the value is outside what {target} can hold (infinity, or too far away)"))
}
