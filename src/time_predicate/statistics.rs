//! What ANALYZE has kept about a column of type `uuid`.

use pgrx::pg_sys;
use rfc9562::Uuid;

use super::Order;
use super::catalog::uuid_operator;
use super::histogram::Histogram;
use super::nodes::collected;
use crate::datum::uuid_value;
use crate::time_ops::time_of;

/// ANALYZE's results about a `uuid` variable, as keys of an order.
pub struct Statistics {
    pub null_share: f64,
    /// Keys that occur often, each with its share of the rows.
    pub common: Vec<(u128, f64)>,
    pub histogram: Option<Histogram>,
}

impl Statistics {
    /// Those of the variable. `None` if it has none, or if the user may not see the column and the function is not
    /// leakproof.
    #[allow(unsafe_code)]
    pub fn of(variable: &pg_sys::VariableStatData, function: pg_sys::Oid, order: Order) -> Option<Statistics> {
        let tuple = variable.statsTuple;
        if tuple.is_null() {
            return None;
        }
        let mut variable = *variable;
        let key = |uuid: Uuid| match order {
            Order::Octets => uuid.to_u128(),
            Order::Time => key_of_time(time_of(uuid)),
        };
        // SAFETY: the tuple is a row of pg_statistic.
        unsafe {
            if !pg_sys::statistic_proc_security_check(&mut variable, function) {
                return None;
            }
            let null_share = f64::from((*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_statistic>()).stanullfrac);
            let common = slot(tuple, pg_sys::STATISTIC_KIND_MCV, pg_sys::InvalidOid, pg_sys::ATTSTATSSLOT_NUMBERS);
            let by_uuid = uuid_operator(pg_sys::BTLessStrategyNumber);
            let bounds = slot(tuple, pg_sys::STATISTIC_KIND_HISTOGRAM, by_uuid, 0);
            let bounds = bounds.map(|(bounds, _)| collected(bounds.into_iter().map(key)));
            Some(Statistics {
                null_share,
                common: common.map_or(Vec::new(), |(uuids, shares)| collected(uuids.into_iter().map(key).zip(shares))),
                histogram: bounds.and_then(|bounds| match order {
                    Order::Octets => Histogram::new(bounds, is_version_7),
                    Order::Time => histogram_of_times(bounds),
                }),
            })
        }
    }
}

/// Times in order, from 0 on; a UUID without a time has 0.
pub fn key_of_time(time: i64) -> u128 {
    u128::from(time.cast_unsigned() ^ (1 << 63))
}

pub fn is_version_7(key: u128) -> bool {
    Uuid::from_u128(key).version() == Some(7)
}

/// What ANALYZE has seen in a column besides version 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    pub versions: bool,
    pub nulls: bool,
}

impl Others {
    /// In a column of a table, and of its children if these are read, too.
    #[allow(unsafe_code, clippy::cast_possible_wrap, clippy::unnecessary_cast)]
    pub fn of(table: pg_sys::Oid, column: i16, with_children: bool) -> Others {
        let cache = pg_sys::SysCacheIdentifier::STATRELATTINH as i32;
        // SAFETY: a lookup by values of the types that the cache's key has; the tuple is a row of pg_statistic and is read before it
        // is released.
        unsafe {
            let tuple = pg_sys::SearchSysCache3(cache, table.into(), column.into(), with_children.into());
            if tuple.is_null() {
                return Others::default();
            }
            let nulls = (*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_statistic>()).stanullfrac > 0.0;
            let common = slot(tuple, pg_sys::STATISTIC_KIND_MCV, pg_sys::InvalidOid, 0);
            let by_uuid = uuid_operator(pg_sys::BTLessStrategyNumber);
            let bounds = slot(tuple, pg_sys::STATISTIC_KIND_HISTOGRAM, by_uuid, 0);
            pg_sys::ReleaseSysCache(tuple);
            let mut seen = [common, bounds].into_iter().flatten().flat_map(|(uuids, _)| uuids);
            Others { versions: seen.any(|uuid| uuid.version() != Some(7)), nulls }
        }
    }
}

/// The times of UUIDs in the order of their bytes. For versions 6 and 7 the times are in order, too. For version 1
/// they are a sample without an order. When sorted, it shows the distribution, but the distance of two neighbours is
/// chance, so only each fifth counts. Some rows lie outside of it, as far as two neighbours are apart.
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

/// The UUIDs of one kind of statistics and, if asked for with `numbers`, the numbers that belong to them.
///
/// # Safety
/// The tuple must be a row of pg_statistic.
#[allow(unsafe_code)]
unsafe fn slot(
    tuple: pg_sys::HeapTuple,
    kind: u32,
    operator: pg_sys::Oid,
    numbers: u32,
) -> Option<(Vec<Uuid>, Vec<f64>)> {
    let mut slot = pg_sys::AttStatsSlot::default();
    let flags = (pg_sys::ATTSTATSSLOT_VALUES | numbers).cast_signed();
    // SAFETY: the tuple is a row of pg_statistic; values and numbers are read before the slot is freed, if they are UUIDs.
    unsafe {
        if !pg_sys::get_attstatsslot(&mut slot, tuple, kind.cast_signed(), operator, flags) {
            return None;
        }
        let found = (pg_sys::getBaseType(slot.valuetype) == pg_sys::UUIDOID).then(|| {
            let values = usize::try_from(slot.nvalues).unwrap_or(0);
            let numbers = usize::try_from(slot.nnumbers).unwrap_or(0);
            (
                collected((0..values).map(|i| uuid_value(*slot.values.add(i)))),
                collected((0..numbers).map(|i| f64::from(*slot.numbers.add(i)))),
            )
        });
        pg_sys::free_attstatsslot(&mut slot);
        found
    }
}
