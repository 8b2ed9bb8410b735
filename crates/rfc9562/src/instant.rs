//! Instants and their display form.

use core::fmt;

/// An instant in microseconds since 1970-01-01 00:00:00 UTC; negative before that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMicros(pub i64);

/// An instant, displayed as ISO 8601 in UTC. Years after 9999 have more digits and no sign, as in PostgreSQL.
pub(crate) struct Iso8601 {
    /// Nanoseconds since 1970-01-01. The instant must not be before the year 1.
    pub(crate) nanos: i128,
    /// The number of decimal places of the seconds.
    pub(crate) digits: usize,
}

impl fmt::Display for Iso8601 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NANOS_PER_SECOND: i128 = 1_000_000_000;
        const SECONDS_PER_DAY: u64 = 86_400;
        /// Days from 0000-03-01 to 1970-01-01.
        const UNIX_DAY: u64 = 719_468;
        const DAYS_PER_400_YEARS: u64 = 146_097;
        const DAYS_PER_100_YEARS: u64 = 36_524;
        const DAYS_PER_4_YEARS: u64 = 1_461;

        let seconds = self.nanos.div_euclid(NANOS_PER_SECOND) + i128::from(UNIX_DAY * SECONDS_PER_DAY);
        let seconds = u64::try_from(seconds).unwrap_or(0);
        // If years begin in March, the leap day comes last, so each month begins on the same day of every year.
        let (day, time) = (seconds / SECONDS_PER_DAY, seconds % SECONDS_PER_DAY);
        let (era, day_of_era) = (day / DAYS_PER_400_YEARS, day % DAYS_PER_400_YEARS);
        // Earlier leap days are subtracted. The last day of a 4-year or 400-year cycle is the 366th day of its year.
        let year_of_era = (day_of_era - day_of_era / (DAYS_PER_4_YEARS - 1) + day_of_era / DAYS_PER_100_YEARS
            - day_of_era / (DAYS_PER_400_YEARS - 1))
            / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // March to July and August to December have 153 days each.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
        write!(f, "{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}")?;
        if self.digits > 0 {
            let unit = 10_i128.pow(9 - u32::try_from(self.digits).unwrap_or(9));
            write!(f, ".{:0width$}", self.nanos.rem_euclid(NANOS_PER_SECOND) / unit, width = self.digits)?;
        }
        f.write_str("Z")
    }
}
