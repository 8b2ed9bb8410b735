//! Reads the neighbors of a key from an index on a `uuid` column.
//!
//! The planner's statistics date from the last ANALYZE. If a comparison reaches beyond them, core reads the column's smallest or
//! greatest value from an index. This file does the same, and also reads the neighbors of any given UUID.

use pgrx::pg_sys;
use rfc9562::{Uuid, time_order};

use super::functions::OperatorFunction;
use super::histogram::Index;
use super::operators::Order;
use super::statistics::key_of_time;
use crate::planner::catalog::{UUID_FAMILY, lookup};
use crate::planner::planned::{Expression, Planned};
use crate::planner::relation::indexed_neighbor;
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
        // If a table is read with its children, its own indexes do not contain all rows.
        let table = root.table(relation.relid).filter(|table| !table.inh)?;
        let serves = |index: &&Planned<'_, pg_sys::IndexOptInfo>| {
            index.families().first().is_some_and(|family| is_of_order(*family, order)) && index.finds(column)
        };
        relation.indexes().iter().find(serves).map(|index| ColumnIndex { table, index: *index, order })
    }

    fn neighbor(&self, uuid: Uuid, below: bool) -> Option<Uuid> {
        indexed_neighbor(self.table, self.index, uuid, below)
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
        Order::Time => OperatorFunction::from_oid(since()).is_some_and(|operator| operator.order == Order::Time),
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
