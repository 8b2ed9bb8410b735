//! A quick answer from an index on a `uuid` column: the entry next to a place in it.
//!
//! The planner's statistics are as old as the last ANALYZE. If a comparison reaches beyond them, core reads the least
//! and the greatest value of a column from an index. This does so, too, and also reads the neighbour of any other UUID.

use pgrx::{PgList, pg_sys};
use rfc9562::{Uuid, time_order};

use super::Order;
use super::catalog::{NO_LOCK, form_of_function, uuid_family};
use super::histogram::Index;
use super::statistics::key_of_time;
use crate::datum::uuid_value;
use crate::time_ops::time_of;

/// The first index of a variable's table with the variable as its first column, in the order of a comparison.
#[derive(Debug)]
pub struct ColumnIndex {
    table: pg_sys::Oid,
    index: pg_sys::Oid,
    family: pg_sys::Oid,
    order: Order,
    is_descending: bool,
}

impl ColumnIndex {
    /// # Safety
    /// The root must be the planner's, the variable one that it found.
    #[allow(unsafe_code)]
    pub unsafe fn of(
        root: *mut pg_sys::PlannerInfo,
        variable: &pg_sys::VariableStatData,
        order: Order,
    ) -> Option<ColumnIndex> {
        // SAFETY: the root and the variable are the planner's; a relation's indexes are IndexOptInfo, whose arrays have a member for each key column.
        unsafe {
            let relation = variable.rel.as_ref()?;
            let number = usize::try_from(relation.relid).ok().filter(|number| *number > 0)?;
            let table = (*(*root).simple_rte_array.add(number)).as_ref()?;
            // A partitioned table's indexes hold no entries themselves.
            if table.rtekind != pg_sys::RTEKind::RTE_RELATION || table.inh {
                return None;
            }
            PgList::<pg_sys::IndexOptInfo>::from_pg(relation.indexlist).iter_ptr().find_map(|index| {
                let found = (*index).relam == pg_sys::BTREE_AM_OID
                    && (*index).indpred.is_null()
                    && !(*index).hypothetical
                    && is_of_order(*(*index).opfamily, order)
                    && pg_sys::match_index_to_operand(variable.var, 0, index);
                found.then(|| ColumnIndex {
                    table: table.relid,
                    index: (*index).indexoid,
                    family: *(*index).opfamily,
                    order,
                    is_descending: *(*index).reverse_sort,
                })
            })
        }
    }

    /// The entry next to a UUID: the greatest below it, or the least above it. It may belong to a row that is no longer
    /// visible, or not yet: this is for an estimate.
    #[allow(unsafe_code, clippy::cast_possible_truncation)] // A strategy is one of five.
    fn neighbour(&self, uuid: Uuid, below: bool) -> Option<Uuid> {
        let strategy = if below { pg_sys::BTLessStrategyNumber } else { pg_sys::BTGreaterStrategyNumber };
        let direction = if below == self.is_descending {
            pg_sys::ScanDirection::ForwardScanDirection
        } else {
            pg_sys::ScanDirection::BackwardScanDirection
        };
        // SAFETY: the planner holds locks on the table and its indexes. The key points to the argument, which outlives the scan. The first key column is a `uuid`, which a comparison with
        // one says is not null. An index tuple that was asked for has its first column behind its header, and behind a bitmap
        // if one of its columns is null.
        unsafe {
            let table = pg_sys::table_open(self.table, NO_LOCK);
            let index = pg_sys::index_open(self.index, NO_LOCK);
            let mut key = pg_sys::ScanKeyData::default();
            pg_sys::ScanKeyEntryInitialize(
                &mut key,
                0,
                1,
                strategy as pg_sys::StrategyNumber,
                pg_sys::UUIDOID,
                pg_sys::InvalidOid,
                pg_sys::get_opcode(pg_sys::get_opfamily_member(
                    self.family,
                    pg_sys::UUIDOID,
                    pg_sys::UUIDOID,
                    strategy as i16,
                )),
                pg_sys::Datum::from(uuid.as_bytes().as_ptr()),
            );
            let scan = pg_sys::index_beginscan(
                table,
                index,
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
            let found = found.then(|| {
                let entry = (*scan).xs_itup;
                let has_nulls = (*entry).t_info & HAS_NULLS != 0;
                let offset = if has_nulls { HEADER_WITH_BITMAP } else { HEADER };
                uuid_value(pg_sys::Datum::from(entry.cast::<u8>().add(offset)))
            });
            pg_sys::index_endscan(scan);
            pg_sys::index_close(index, NO_LOCK);
            pg_sys::table_close(table, NO_LOCK);
            found
        }
    }
}

/// `INDEX_NULL_MASK` of PostgreSQL's `access/itup.h`, and where the first column is: behind eight bytes, or behind those and a
/// bitmap of four, aligned.
const HAS_NULLS: u16 = 0x8000;
const HEADER: usize = 8;
const HEADER_WITH_BITMAP: usize = 16;

/// Whether a family of btree sorts UUIDs in this order.
#[allow(unsafe_code, clippy::cast_possible_truncation)] // A strategy is one of five.
fn is_of_order(family: pg_sys::Oid, order: Order) -> bool {
    const SINCE: i16 = pg_sys::BTGreaterEqualStrategyNumber as i16;
    // SAFETY: lookups by OID, which answer 0 of what is not there.
    let since = || unsafe {
        pg_sys::get_opcode(pg_sys::get_opfamily_member(family, pg_sys::UUIDOID, pg_sys::TIMESTAMPTZOID, SINCE))
    };
    match order {
        Order::Octets => family == uuid_family(),
        Order::Time => form_of_function(since()).is_some_and(|form| form.order == Order::Time),
    }
}

/// Of an index by time, only its newest entry is read: where the histogram, a sample without an order, knows least.
impl Index for Option<ColumnIndex> {
    fn last_below(&self, key: u128) -> Option<u128> {
        let index = self.as_ref()?;
        match index.order {
            Order::Octets => index.neighbour(Uuid::from_u128(key), true).map(Uuid::to_u128),
            Order::Time if key == u128::MAX => {
                index.neighbour(time_order::LAST, true).map(|uuid| key_of_time(time_of(uuid)))
            }
            Order::Time => None,
        }
    }

    fn first_above(&self, key: u128) -> Option<u128> {
        let index = self.as_ref().filter(|index| index.order == Order::Octets)?;
        index.neighbour(Uuid::from_u128(key), false).map(Uuid::to_u128)
    }
}
