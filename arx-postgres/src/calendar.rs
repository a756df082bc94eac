//! Dates and times: arx counts from 1970, PostgreSQL from 2000; inside array texts they are
//! written out. The extremes of the integers are PostgreSQL's infinities in both countings.

use std::fmt::{self, Write as _};

use arx::value::calendar::{MICROS_PER_DAY, civil, write_time};

const DAYS_TO_2000: i32 = 10_957;
const MICROS_TO_2000: i64 = 946_684_800_000_000;

/// Days as PostgreSQL counts them.
pub(crate) fn days_to_wire(days: i32) -> Option<i32> {
    if matches!(days, i32::MIN | i32::MAX) { Some(days) } else { days.checked_sub(DAYS_TO_2000) }
}

/// Days as arx counts them.
pub(crate) fn days_from_wire(days: i32) -> Option<i32> {
    if matches!(days, i32::MIN | i32::MAX) { Some(days) } else { days.checked_add(DAYS_TO_2000) }
}

/// Microseconds as PostgreSQL counts them.
pub(crate) fn micros_to_wire(micros: i64) -> Option<i64> {
    if matches!(micros, i64::MIN | i64::MAX) { Some(micros) } else { micros.checked_sub(MICROS_TO_2000) }
}

/// Microseconds as arx counts them.
pub(crate) fn micros_from_wire(micros: i64) -> Option<i64> {
    if matches!(micros, i64::MIN | i64::MAX) { Some(micros) } else { micros.checked_add(MICROS_TO_2000) }
}

/// Appends a date.
pub(crate) fn push_date(days: i32, out: &mut String) -> fmt::Result {
    match days {
        i32::MAX => out.write_str("infinity"),
        i32::MIN => out.write_str("-infinity"),
        days => push_day(i64::from(days), "", out),
    }
}

/// Appends a date and time with a zone, which may be empty.
pub(crate) fn push_timestamp(micros: i64, zone: &str, out: &mut String) -> fmt::Result {
    match micros {
        i64::MAX => return out.write_str("infinity"),
        i64::MIN => return out.write_str("-infinity"),
        _ => {}
    }
    let mut time = String::with_capacity(24);
    time.push(' ');
    write_time(micros.rem_euclid(MICROS_PER_DAY), &mut time)?;
    time.push_str(zone);
    push_day(micros.div_euclid(MICROS_PER_DAY), &time, out)
}

/// `2000-01-31`, the time, and the era, which stands last.
fn push_day(days: i64, time: &str, out: &mut String) -> fmt::Result {
    let (year, month, day) = civil(days);
    let (year, era) = if year > 0 { (year, "") } else { (1 - year, " BC") };
    write!(out, "{year:04}-{month:02}-{day:02}{time}{era}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(days: i32) -> String {
        let mut text = String::new();
        push_date(days, &mut text).unwrap();
        text
    }

    #[test]
    fn writes_dates_before_and_after_christ() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(-719_162), "0001-01-01");
        assert_eq!(date(-719_163), "0001-12-31 BC");
        assert_eq!(date(2_932_897), "10000-01-01");
        assert_eq!(date(i32::MAX), "infinity");
    }

    #[test]
    fn writes_instants_before_1970() {
        let mut text = String::new();
        push_timestamp(-1, "+00", &mut text).unwrap();
        assert_eq!(text, "1969-12-31 23:59:59.999999+00");
    }

    #[test]
    fn counts_there_and_back() {
        for days in [i32::MIN, i32::MAX, 0, -719_163, 2_932_897] {
            assert_eq!(days_to_wire(days).and_then(days_from_wire), Some(days));
        }
        for micros in [i64::MIN, i64::MAX, 0, -1, MICROS_TO_2000] {
            assert_eq!(micros_to_wire(micros).and_then(micros_from_wire), Some(micros));
        }
        assert_eq!(micros_to_wire(i64::MIN + 5), None);
    }
}
