//! Reads the statistics of a column of type `uuid`.

use std::cell::RefCell;
use std::rc::Rc;

use pgrx::pg_sys;
use rfc9562::Uuid;

use super::histogram::Histogram;
use super::operators::Order;
use crate::planner::catalog::{Row, statistics_changes};
use crate::planner::planned::collected;
use crate::time_ops::time_of;

/// The statistics of a `uuid` variable, with the UUIDs as keys in a given order.
pub struct Statistics {
    pub null_fraction: f64,
    /// Whether ANALYZE has found versions other than 7.
    pub has_other_versions: bool,
    /// The most common values, as keys, each with its fraction of the rows.
    pub common: Vec<(u128, f64)>,
    pub histogram: Option<Histogram>,
}

/// The table, the column, whether children are included, the order of the keys, and the number of changes of any statistics.
type Key = (u32, i16, bool, Order, u32);

thread_local! {
    /// The last result of [`Statistics::from_row`], which is kept until statistics change.
    static LAST: RefCell<Option<(Key, Rc<Statistics>)>> = const { RefCell::new(None) };
}

impl Statistics {
    /// Returns the statistics in a row of `pg_statistic`, or in a row that another library provides in its place, with keys in the
    /// given order. The last result is kept, because the planner requests the same statistics several times.
    pub fn from_row(row: &Row<'_, pg_sys::FormData_pg_statistic>, order: Order) -> Rc<Statistics> {
        let key = row
            .is_stored()
            .then(|| (row.starelid.to_u32(), row.staattnum, row.stainherit, order, statistics_changes()));
        if let Some((known, statistics)) = LAST.with_borrow(Option::clone)
            && key == Some(known)
        {
            return statistics;
        }
        let statistics = Rc::new(Statistics::read(row, order));
        LAST.set(key.map(|key| (key, Rc::clone(&statistics))));
        statistics
    }

    fn read(row: &Row<'_, pg_sys::FormData_pg_statistic>, order: Order) -> Statistics {
        let key = |uuid: Uuid| match order {
            Order::Bytes => uuid.to_u128(),
            Order::Time => key_of_time(time_of(uuid)),
        };
        let common = row.uuids_of_kind(pg_sys::STATISTIC_KIND_MCV, pg_sys::ATTSTATSSLOT_NUMBERS);
        let bounds = row.uuids_of_kind(pg_sys::STATISTIC_KIND_HISTOGRAM, 0);
        let has_others = |(uuids, _): &(Vec<Uuid>, _)| uuids.iter().any(|uuid| uuid.version() != Some(7));
        let has_other_versions = [&common, &bounds].into_iter().flatten().any(has_others);
        let bounds = bounds.map(|(bounds, _)| collected(bounds.into_iter().map(key)));
        Statistics {
            null_fraction: row.stanullfrac.into(),
            has_other_versions,
            common: common
                .map_or(Vec::new(), |(uuids, fractions)| collected(uuids.into_iter().map(key).zip(fractions))),
            histogram: bounds.and_then(|bounds| match order {
                Order::Bytes => Histogram::new(bounds, is_key_of_version_7),
                Order::Time => histogram_of_times(bounds),
            }),
        }
    }

    /// Returns the mean fraction of the rows in a span of the given number of keys.
    pub fn fraction_of_span(&self, length: u128) -> Option<f64> {
        self.histogram.as_ref().map(|histogram| (length as f64 / histogram.span() as f64).min(1.0))
    }
}

/// Maps a time to its key, so that keys have the order of the times. `-infinity`, the time of a UUID that has none, becomes 0.
pub fn key_of_time(time: i64) -> u128 {
    u128::from(time.cast_unsigned() ^ (1 << 63))
}

pub fn is_key_of_version_7(key: u128) -> bool {
    Uuid::from_u128(key).version() == Some(7)
}

/// Returns the histogram of times, which are given in the byte order of their UUIDs. With version 6 or 7, this is the order of the
/// times; with version 1, they are an unsorted sample. Sorted, the sample shows the distribution, but the distances between
/// neighbors are random, so only every fifth time is used. For rows outside the sample, the histogram extends beyond both ends by
/// the mean distance between two neighbors.
fn histogram_of_times(mut times: Vec<u128>) -> Option<Histogram> {
    const STEP: usize = 5;
    if !times.is_sorted() {
        times.sort_unstable();
        let &[first, .., last] = &times[..] else { return None };
        let distance = (last - first) / times.len() as u128;
        times = collected(times.into_iter().step_by(STEP));
        times[0] = first.saturating_sub(distance);
        times.pop_if(|key| *key > last.saturating_sub(distance));
        times.push(last.saturating_add(distance));
        return Histogram::new(times, |_| true).map(Histogram::with_guessed_end);
    }
    Histogram::new(times, |_| true)
}
