//! Reads the neighbors of a key from an index on a `uuid` column.
//!
//! The planner's statistics date from the last ANALYZE. If a comparison reaches beyond them, core reads the column's smallest or
//! greatest value from an index. This file does the same, and also reads the neighbors of any given UUID.

use pgrx::{PgRelation, pg_sys};
use rfc9562::{Uuid, time_order};

use super::Order;
use super::catalog::{NO_LOCK, UUID_FAMILY, lookup, operator_function};
use super::expression::Expression;
use super::histogram::Index;
use super::planner::Planned;
use super::relation::table_of;
use super::statistics::key_of_time;
use crate::datum::uuid_value;
use crate::time_ops::time_of;

/// An index whose first column is a variable, in the order of a comparison.
pub struct ColumnIndex<'plan> {
    table: Planned<'plan, pg_sys::RangeTblEntry>,
    index: Planned<'plan, pg_sys::IndexOptInfo>,
    order: Order,
}

impl<'plan> ColumnIndex<'plan> {
    pub fn find(
        root: Planned<'plan, pg_sys::PlannerInfo>,
        relation: Option<Planned<'plan, pg_sys::RelOptInfo>>,
        column: Expression<'_>,
        order: Order,
    ) -> Option<Self> {
        let relation = relation.filter(|relation| relation.relid > 0)?;
        let table = root.entry(relation.relid)?;
        // If a table is read with its children, its own indexes do not contain all rows.
        if table.rtekind != pg_sys::RTEKind::RTE_RELATION || table.inh {
            return None;
        }
        let serves = |index: &&Planned<'_, pg_sys::IndexOptInfo>| {
            index.families().first().is_some_and(|family| is_of_order(*family, order)) && index.finds(column)
        };
        relation.indexes().iter().find(serves).map(|index| ColumnIndex { table, index: *index, order })
    }

    /// Returns the indexed UUID adjacent to the given one: the greatest below it if `below`, and the smallest above it otherwise.
    /// Its row may be invisible, which does not matter for an estimate.
    #[allow(unsafe_code, clippy::cast_possible_truncation)] // There are five strategies.
    fn neighbor(&self, uuid: Uuid, below: bool) -> Option<Uuid> {
        let strategy = if below { pg_sys::BTLessStrategyNumber } else { pg_sys::BTGreaterStrategyNumber };
        let direction = if below == *self.index.descending().first()? {
            pg_sys::ScanDirection::ForwardScanDirection
        } else {
            pg_sys::ScanDirection::BackwardScanDirection
        };
        let family = *self.index.families().first()?;
        let operator = lookup::get_opfamily_member(family, pg_sys::UUIDOID, pg_sys::UUIDOID, strategy as i16);
        let function = lookup::get_opcode(operator);
        let table = table_of(self.table);
        let mut key = pg_sys::ScanKeyData::default();
        let (strategy, none) = (strategy as pg_sys::StrategyNumber, pg_sys::InvalidOid);
        // SAFETY: the planner holds locks on the table and the index. The key points to the argument, which outlives the scan. The
        // scan requests the index tuple, whose first column is a non-null `uuid`, because its comparison with the key is true.
        unsafe {
            let index = PgRelation::with_lock(self.index.indexoid, NO_LOCK);
            let argument = pg_sys::Datum::from(uuid.as_bytes().as_ptr());
            pg_sys::ScanKeyEntryInitialize(&mut key, 0, 1, strategy, pg_sys::UUIDOID, none, function, argument);
            let scan = pg_sys::index_beginscan(
                table.as_ptr(),
                index.as_ptr(),
                &raw mut pg_sys::SnapshotAnyData,
                #[cfg(counted_index_scans)]
                std::ptr::null_mut(),
                1,
                0,
                #[cfg(index_scan_flags)]
                0,
            );
            (*scan).xs_want_itup = true;
            pg_sys::index_rescan(scan, &mut key, 1, std::ptr::null_mut(), 0);
            let found = !pg_sys::index_getnext_tid(scan, direction).is_null();
            let found =
                found.then(|| uuid_value(pg_sys::nocache_index_getattr((*scan).xs_itup, 1, (*scan).xs_itupdesc)));
            pg_sys::index_endscan(scan);
            found
        }
    }
}

/// Whether a btree family sorts UUIDs in the given order.
fn is_of_order(family: pg_sys::Oid, order: Order) -> bool {
    let since = || {
        let strategy = i16::try_from(pg_sys::BTGreaterEqualStrategyNumber).unwrap_or(0);
        lookup::get_opcode(lookup::get_opfamily_member(family, pg_sys::UUIDOID, pg_sys::TIMESTAMPTZOID, strategy))
    };
    match order {
        Order::Bytes => family == UUID_FAMILY,
        Order::Time => operator_function(since()).is_some_and(|operator| operator.order == Order::Time),
    }
}

/// From an index by time, only the newest entry is read, because a histogram of times is least reliable at that end.
impl Index for Option<ColumnIndex<'_>> {
    fn last_below(&self, key: u128) -> Option<u128> {
        let index = self.as_ref()?;
        match index.order {
            Order::Bytes => index.neighbor(Uuid::from_u128(key), true).map(Uuid::to_u128),
            Order::Time if key == u128::MAX => {
                index.neighbor(time_order::LAST, true).map(|uuid| key_of_time(time_of(uuid)))
            }
            Order::Time => None,
        }
    }

    fn first_above(&self, key: u128) -> Option<u128> {
        let index = self.as_ref().filter(|index| index.order == Order::Bytes)?;
        index.neighbor(Uuid::from_u128(key), false).map(Uuid::to_u128)
    }
}
