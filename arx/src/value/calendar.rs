//! The Gregorian calendar, by eras of 400 years that begin in March. For dialects that write dates out.

use std::fmt::{self, Write};

/// Microseconds in a second.
pub const MICROS_PER_SECOND: i64 = 1_000_000;
/// Microseconds in a day.
pub const MICROS_PER_DAY: i64 = 86_400 * MICROS_PER_SECOND;

/// The year, month and day of a day since 1970-01-01.
#[must_use]
pub const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + (month <= 2) as i64, month, day)
}

/// The day since 1970-01-01 of a year, month and day.
#[must_use]
pub const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Appends a time of day, in microseconds: `12:30:00.000001`.
///
/// # Errors
/// Those of `out`.
pub fn write_time(micros: i64, out: &mut dyn Write) -> fmt::Result {
    let (seconds, micros) = (micros.div_euclid(MICROS_PER_SECOND), micros.rem_euclid(MICROS_PER_SECOND));
    write!(out, "{:02}:{:02}:{:02}.{micros:06}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_there_and_back() {
        for (day, date) in [(0, (1970, 1, 1)), (11_016, (2000, 2, 29)), (-719_162, (1, 1, 1)), (-719_163, (0, 12, 31))]
        {
            assert_eq!(civil(day), date);
            assert_eq!(days(date.0, date.1, date.2), day);
        }
        assert!((-800_000..800_000).step_by(97).all(|day| {
            let (year, month, date) = civil(day);
            days(year, month, date) == day
        }));
    }

    #[test]
    fn writes_times() {
        let mut text = String::new();
        write_time(MICROS_PER_DAY - 1, &mut text).unwrap();
        assert_eq!(text, "23:59:59.999999");
    }
}
