//! Dates and times as text of a fixed width, which sorts as time does.
//!
//! Written: `2024-01-31`, `12:34:56.123456`, `2024-01-31 12:34:56.123456` and the same with
//! `+00:00`. Read: these, and the forms that SQLite's own functions write and accept.

use chrono::{Datelike, NaiveDate};

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

/// The longest text: an instant.
pub(crate) const WIDTH: usize = 32;

// "00010203..99": two digits by one copy.
const PAIRS: [u8; 200] = pairs();

const fn pairs() -> [u8; 200] {
    let mut table = [b'0'; 200];
    let mut value = 0;
    let (mut tens, mut ones) = (b'0', b'0');
    while value < 100 {
        table[value * 2] = tens;
        table[value * 2 + 1] = ones;
        ones += 1;
        if ones > b'9' {
            ones = b'0';
            tens += 1;
        }
        value += 1;
    }
    table
}

/// Text that is written from the left.
pub(crate) struct Text {
    bytes: [u8; WIDTH],
    length: usize,
}

impl Text {
    /// Days since 1970-01-01; `None` outside the years 0 to 9999, whose text would not sort.
    pub(crate) fn date(days: i32) -> Option<Self> {
        let mut text = Self { bytes: [0; WIDTH], length: 0 };
        text.push_date(days).then_some(text)
    }

    /// Microseconds since midnight; `None` outside one day.
    pub(crate) fn time(micros: i64) -> Option<Self> {
        let mut text = Self { bytes: [0; WIDTH], length: 0 };
        (0..MICROS_PER_DAY).contains(&micros).then(|| text.push_time(micros).then_some(text))?
    }

    /// Microseconds since 1970-01-01 00:00:00; `None` outside the years 0 to 9999.
    pub(crate) fn timestamp(micros: i64) -> Option<Self> {
        let mut text = Self::date(i32::try_from(micros.div_euclid(MICROS_PER_DAY)).ok()?)?;
        text.push(b" ");
        text.push_time(micros.rem_euclid(MICROS_PER_DAY)).then_some(text)
    }

    /// As [`timestamp`](Self::timestamp), with the offset of UTC.
    pub(crate) fn instant(micros: i64) -> Option<Self> {
        let mut text = Self::timestamp(micros)?;
        text.push(b"+00:00");
        Some(text)
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, part: &[u8]) {
        self.bytes[self.length..self.length + part.len()].copy_from_slice(part);
        self.length += part.len();
    }

    fn push_pair(&mut self, value: usize) {
        self.push(&PAIRS[value * 2..value * 2 + 2]);
    }

    fn push_date(&mut self, days: i32) -> bool {
        let Some(date) = NaiveDate::from_epoch_days(days) else { return false };
        let Some(year) = usize::try_from(date.year()).ok().filter(|year| *year <= 9_999) else { return false };
        self.push_pair(year / 100);
        self.push_pair(year % 100);
        for part in [date.month(), date.day()] {
            let Ok(part) = usize::try_from(part) else { return false };
            self.push(b"-");
            self.push_pair(part);
        }
        true
    }

    fn push_time(&mut self, micros: i64) -> bool {
        let Ok(micros) = usize::try_from(micros) else { return false };
        let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
        self.push_pair(seconds / 3_600);
        self.push(b":");
        self.push_pair(seconds / 60 % 60);
        self.push(b":");
        self.push_pair(seconds % 60);
        self.push(b".");
        self.push_pair(fraction / 10_000);
        self.push_pair(fraction / 100 % 100);
        self.push_pair(fraction % 100);
        true
    }
}

/// Days since 1970-01-01.
pub(crate) fn parse_date(text: &[u8]) -> Option<i32> {
    let (days, rest) = take_date(text)?;
    rest.is_empty().then_some(days)
}

/// Microseconds since midnight.
pub(crate) fn parse_time(text: &[u8]) -> Option<i64> {
    let (micros, rest) = take_time(text)?;
    rest.is_empty().then_some(micros)
}

/// Microseconds since 1970-01-01 00:00:00. A date alone is its midnight.
pub(crate) fn parse_timestamp(text: &[u8]) -> Option<i64> {
    let (micros, rest) = take_timestamp(text)?;
    rest.is_empty().then_some(micros)
}

/// Microseconds since 1970-01-01 00:00:00 UTC. Without an offset the text is in UTC, as
/// `CURRENT_TIMESTAMP` is.
pub(crate) fn parse_instant(text: &[u8]) -> Option<i64> {
    let (micros, rest) = take_timestamp(text)?;
    micros.checked_sub(parse_offset(rest.trim_ascii_start())?)
}

fn take_date(text: &[u8]) -> Option<(i32, &[u8])> {
    let (date, rest) = text.split_at_checked(10)?;
    if (date[4], date[7]) != (b'-', b'-') {
        return None;
    }
    let year = i32::try_from(number(&date[..4])?).ok()?;
    let date = NaiveDate::from_ymd_opt(year, number(&date[5..7])?, number(&date[8..])?)?;
    Some((date.to_epoch_days(), rest))
}

fn take_timestamp(text: &[u8]) -> Option<(i64, &[u8])> {
    let (days, rest) = take_date(text)?;
    let midnight = i64::from(days) * MICROS_PER_DAY;
    match rest.split_first() {
        Some((b' ' | b'T' | b't', rest)) => take_time(rest).map(|(micros, rest)| (midnight + micros, rest)),
        Some(_) => None,
        None => Some((midnight, rest)),
    }
}

/// `HH:MM`, `HH:MM:SS` or with a fraction, of which the first six digits count.
fn take_time(text: &[u8]) -> Option<(i64, &[u8])> {
    let (minutes, rest) = text.split_at_checked(5)?;
    let (hour, minute) = (number(&minutes[..2])?, number(&minutes[3..])?);
    let (second, rest) = match rest.split_first() {
        Some((b':', rest)) => rest.split_at_checked(2).and_then(|(second, rest)| Some((number(second)?, rest)))?,
        _ => (0, rest),
    };
    let (micros, rest) = match rest.split_first() {
        Some((b'.', rest)) => take_fraction(rest)?,
        _ => (0, rest),
    };
    if minutes[2] != b':' || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some((i64::from(hour * 3_600 + minute * 60 + second) * MICROS_PER_SECOND + micros, rest))
}

fn take_fraction(text: &[u8]) -> Option<(i64, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = text[..length].iter().map(|byte| i64::from(byte - b'0'));
    let micros = digits.chain(std::iter::repeat(0)).take(6).fold(0, |micros, digit| micros * 10 + digit);
    (length <= 9).then_some((micros, &text[length..]))
}

/// `Z`, `+HH:MM`, `+HHMM`, `+HH`, or nothing, in microseconds.
fn parse_offset(text: &[u8]) -> Option<i64> {
    let (sign, rest) = match text.split_first() {
        None | Some((b'Z' | b'z', [])) => return Some(0),
        Some((b'+', rest)) => (1, rest),
        Some((b'-', rest)) => (-1, rest),
        Some(_) => return None,
    };
    let (hour, rest) = rest.split_at_checked(2)?;
    let minute = rest.strip_prefix(b":").unwrap_or(rest);
    let minute = if rest.is_empty() {
        0
    } else if minute.len() == 2 {
        number(minute)?
    } else {
        return None;
    };
    let hour = number(hour)?;
    (hour < 24 && minute < 60).then_some(sign * i64::from(hour * 3_600 + minute * 60) * MICROS_PER_SECOND)
}

/// Up to nine decimal digits.
fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: Option<Text>) -> String {
        String::from_utf8(text.unwrap().as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn writes_text_of_a_fixed_width() {
        assert_eq!(text(Text::date(19_753)), "2024-01-31");
        assert_eq!(text(Text::date(-719_528)), "0000-01-01");
        assert_eq!(text(Text::time(45_296_123_456)), "12:34:56.123456");
        assert_eq!(text(Text::time(0)), "00:00:00.000000");
        assert_eq!(text(Text::timestamp(-1)), "1969-12-31 23:59:59.999999");
        assert_eq!(text(Text::instant(1_706_704_496_123_456)), "2024-01-31 12:34:56.123456+00:00");
    }

    #[test]
    fn refuses_what_would_not_sort() {
        assert!(Text::date(2_932_897).is_none() && Text::date(-719_529).is_none());
        assert!(Text::date(2_932_896).is_some());
        assert!(Text::time(-1).is_none() && Text::time(MICROS_PER_DAY).is_none());
        assert!(Text::instant(i64::MAX).is_none() && Text::instant(i64::MIN).is_none());
    }

    #[test]
    fn reads_back_what_it_writes() {
        for micros in [0, -1, 1, 1_706_704_496_123_456, -62_167_219_200_000_000, 253_402_300_799_999_999] {
            assert_eq!(parse_timestamp(Text::timestamp(micros).unwrap().as_bytes()), Some(micros));
            assert_eq!(parse_instant(Text::instant(micros).unwrap().as_bytes()), Some(micros));
        }
        for days in [0, -719_528, 2_932_896, 11_016] {
            assert_eq!(parse_date(Text::date(days).unwrap().as_bytes()), Some(days));
        }
    }

    #[test]
    fn reads_what_others_write() {
        let noon = 12 * 3_600 * MICROS_PER_SECOND;
        for text in ["12:00", "12:00:00", "12:00:00.", "12:00:00.000000000"] {
            assert_eq!(parse_time(text.as_bytes()), Some(noon), "{text}");
        }
        let forms = [
            "1970-01-01T12:00:00Z",
            "1970-01-01 12:00",
            "1970-01-01 13:30:00+01:30",
            "1970-01-01 07:00:00 -0500",
            "1970-01-01T14:00+02",
        ];
        for text in forms {
            assert_eq!(parse_instant(text.as_bytes()), Some(noon), "{text}");
        }
        assert_eq!(parse_timestamp(b"1970-01-02"), Some(MICROS_PER_DAY));
        assert_eq!(parse_time(b"00:00:00.1234569"), Some(123_456));
    }

    #[test]
    fn refuses_what_is_no_time() {
        for text in ["", "12", "24:00", "12:60", "12:00:60", "12-00", "12:00:00.0123456789", "1a:00", "12:00Z"] {
            assert_eq!(parse_time(text.as_bytes()), None, "{text}");
        }
        for text in ["2024-02-30", "2024-1-31", "2024/01/31", "+024-01-31", "2024-01-31x"] {
            assert_eq!(parse_date(text.as_bytes()), None, "{text}");
        }
        for text in ["2024-01-31 12:00+1", "2024-01-31 12:00+24:00", "2024-01-31 12:00ZZ", "2024-01-31_12:00"] {
            assert_eq!(parse_instant(text.as_bytes()), None, "{text}");
        }
    }
}
