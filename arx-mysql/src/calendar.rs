//! Dates and times as the wire has them: parts in binary, each with its length before it.
//!
//! arx counts days and microseconds since 1970. Kept apart from `encode` and `decode` because both need it.

use std::fmt::{self, Write as _};

use arx::error::{Error, Result};
use arx::value::calendar::{MICROS_PER_DAY, MICROS_PER_SECOND, civil, days, write_time};

/// Appends a date.
///
/// # Errors
/// `Encode` outside the years that MySQL has.
pub(crate) fn encode_date(days: i32, out: &mut Vec<u8>) -> Result<()> {
    out.push(4);
    push_day(i64::from(days), out)
}

/// Appends a date and time.
///
/// # Errors
/// As [`encode_date`].
pub(crate) fn encode_timestamp(micros: i64, out: &mut Vec<u8>) -> Result<()> {
    out.push(11);
    push_day(micros.div_euclid(MICROS_PER_DAY), out)?;
    push_clock(micros.rem_euclid(MICROS_PER_DAY), out)
}

/// Appends a time of day.
///
/// # Errors
/// `Encode` for a time that is none.
pub(crate) fn encode_time(micros: i64, out: &mut Vec<u8>) -> Result<()> {
    if !(0..MICROS_PER_DAY).contains(&micros) {
        return Err(Error::encode("the time is not within one day"));
    }
    // A length, no sign, no days.
    out.extend([12, 0, 0, 0, 0, 0]);
    push_clock(micros, out)
}

fn push_day(days: i64, out: &mut Vec<u8>) -> Result<()> {
    let (year, month, day) = civil(days);
    // MySQL documents 1000 and later; it keeps earlier ones as they are, but year 0 belongs to dates that are none.
    if !(1..=9_999).contains(&year) {
        return Err(Error::encode("MySQL has dates of the years 1 to 9999 only"));
    }
    out.extend(narrow::<u16>(year)?.to_le_bytes());
    out.extend([narrow::<u8>(month)?, narrow::<u8>(day)?]);
    Ok(())
}

fn push_clock(micros: i64, out: &mut Vec<u8>) -> Result<()> {
    let seconds = micros / MICROS_PER_SECOND;
    out.extend([narrow::<u8>(seconds / 3_600)?, narrow::<u8>(seconds / 60 % 60)?, narrow::<u8>(seconds % 60)?]);
    out.extend(narrow::<u32>(micros % MICROS_PER_SECOND)?.to_le_bytes());
    Ok(())
}

fn narrow<T: TryFrom<i64>>(part: i64) -> Result<T> {
    T::try_from(part).map_err(|_| Error::encode("the date or time has no such part"))
}

/// Reads a date: days since 1970.
///
/// # Errors
/// `Decode` for a date that is none, such as `0000-00-00`.
pub(crate) fn decode_date(bytes: &[u8]) -> Result<i32> {
    let (days, _) = decode_parts(bytes)?;
    i32::try_from(days).map_err(|_| malformed())
}

/// Reads a date and time: microseconds since 1970.
///
/// # Errors
/// As [`decode_date`].
pub(crate) fn decode_timestamp(bytes: &[u8]) -> Result<i64> {
    let (days, micros) = decode_parts(bytes)?;
    Ok(days * MICROS_PER_DAY + micros)
}

fn decode_parts(bytes: &[u8]) -> Result<(i64, i64)> {
    let (&length, rest) = bytes.split_first().ok_or_else(malformed)?;
    if usize::from(length) != rest.len() {
        return Err(malformed());
    }
    let [low, high, month, day, clock @ ..] = rest else { return Err(no_date()) };
    let (month, day) = (*month, *day);
    if month == 0 || day == 0 {
        return Err(no_date());
    }
    let days = days(i64::from(u16::from_le_bytes([*low, *high])), i64::from(month), i64::from(day));
    Ok((days, decode_clock(clock)?))
}

/// Reads a time of day: microseconds since midnight.
///
/// # Errors
/// `Decode` for a time below zero or of a day and more, which MySQL has too.
pub(crate) fn decode_time(bytes: &[u8]) -> Result<i64> {
    match bytes {
        [0] => Ok(0),
        [8 | 12, 0, 0, 0, 0, 0, clock @ ..] => decode_clock(clock),
        [8 | 12, ..] => Err(Error::decode(
            "the time is below zero or of 24 hours and more, which no time of day is; read it as TIME_TO_SEC(..)",
        )),
        _ => Err(malformed()),
    }
}

fn decode_clock(clock: &[u8]) -> Result<i64> {
    let (hour, minute, second, micros) = match clock {
        [] => return Ok(0),
        [hour, minute, second] => (hour, minute, second, 0),
        [hour, minute, second, micros @ ..] => {
            let micros: [u8; 4] = micros.try_into().map_err(|_| malformed())?;
            (hour, minute, second, u32::from_le_bytes(micros))
        }
        _ => return Err(malformed()),
    };
    let seconds = i64::from(*hour) * 3_600 + i64::from(*minute) * 60 + i64::from(*second);
    Ok(seconds * MICROS_PER_SECOND + i64::from(micros))
}

fn malformed() -> Error {
    Error::decode("the server sent a malformed date or time")
}

fn no_date() -> Error {
    Error::decode("the date has a month or day of zero, which no calendar has; store NULL instead")
}

/// Appends `2000-01-31`.
pub(crate) fn push_date_text(days: i64, out: &mut String) -> fmt::Result {
    let (year, month, day) = civil(days);
    write!(out, "{year:04}-{month:02}-{day:02}")
}

/// Appends `2000-01-31 12:30:00.000001`.
pub(crate) fn push_timestamp_text(micros: i64, out: &mut String) -> fmt::Result {
    push_date_text(micros.div_euclid(MICROS_PER_DAY), out)?;
    out.push(' ');
    write_time(micros.rem_euclid(MICROS_PER_DAY), out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_there_and_back() {
        for day in [-719_162, -1, 0, 11_016, 11_017, 20_000, 2_932_896] {
            let mut out = Vec::new();
            encode_date(day, &mut out).unwrap();
            assert_eq!(decode_date(&out).unwrap(), day);
        }
        for micros in [-62_135_596_800_000_000, -1, 0, 1, 1_577_934_245_678_901, 253_402_300_799_999_999] {
            let mut out = Vec::new();
            encode_timestamp(micros, &mut out).unwrap();
            assert_eq!(decode_timestamp(&out).unwrap(), micros);
        }
        for micros in [0, 1, MICROS_PER_DAY - 1] {
            let mut out = Vec::new();
            encode_time(micros, &mut out).unwrap();
            assert_eq!(decode_time(&out).unwrap(), micros);
        }
    }

    #[test]
    fn refuses_what_no_calendar_has() {
        assert!(encode_date(-719_163, &mut Vec::new()).is_err(), "year 0");
        assert!(encode_date(2_932_897, &mut Vec::new()).is_err(), "year 10000");
        assert!(decode_date(&[0]).is_err(), "0000-00-00");
        assert!(decode_date(&[4, 0xe7, 7, 0, 0]).is_err(), "2023-00-00");
        assert!(decode_time(&[8, 0, 1, 0, 0, 0, 1, 0, 0]).is_err(), "25:00:00");
        assert!(decode_time(&[8, 1, 0, 0, 0, 0, 1, 0, 0]).is_err(), "-01:00:00");
    }

    #[test]
    fn takes_times_of_every_length() {
        assert_eq!(decode_time(&[0]).unwrap(), 0);
        assert_eq!(decode_timestamp(&[4, 0xb2, 7, 1, 2]).unwrap(), MICROS_PER_DAY);
        assert_eq!(decode_timestamp(&[7, 0xb2, 7, 1, 1, 0, 0, 1]).unwrap(), MICROS_PER_SECOND);
    }

    #[test]
    fn writes_texts() {
        let mut text = String::new();
        push_timestamp_text(-1, &mut text).unwrap();
        assert_eq!(text, "1969-12-31 23:59:59.999999");
    }
}
