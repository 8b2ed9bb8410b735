//! Expressions that a table's indexes are on: an index on the very function of a condition serves the condition as it is.

use pgrx::{PgList, pg_sys};

use super::catalog::NO_LOCK;
use super::nodes::{Expression, cells, expressions, list_of};

/// Those of a table that the planner has just looked at. Where the table has partitions or children, these stand for it, and the
/// planner has not looked at its own indexes. An index that is not valid serves nothing, and a partial one only a query whose
/// conditions, if they are given, imply its predicate. In a B-tree, what is behind other columns serves only beside conditions
/// on these.
///
/// # Safety
/// The relation must be the planner's, and the entry that of the same table, which the planner has locked.
#[allow(unsafe_code)]
pub unsafe fn indexed_expressions<'plan>(
    relation: &pg_sys::RelOptInfo,
    entry: &pg_sys::RangeTblEntry,
    conditions: Option<&[Expression<'plan>]>,
) -> Vec<Expression<'plan>> {
    let conditions = conditions.map(|conditions| list_of(conditions.iter().copied()));
    // SAFETY: conditions are expressions. An index has a column of the table for each key, or 0 and an expression in a list, and
    // a list of its predicate's conditions: in the planner's structures, and in PostgreSQL's cache of relations. That gives copies
    // of the lists, in which the table is the first.
    unsafe {
        let mut read = std::ptr::null_mut();
        if let Some(conditions) = conditions {
            pg_sys::pull_varattnos(conditions.cast(), relation.relid, &mut read);
        }
        let is_read = |column: i32| {
            conditions.is_none() || pg_sys::bms_is_member(column - pg_sys::FirstLowInvalidHeapAttributeNumber, read)
        };
        let serving = |method: pg_sys::Oid, keys: &[i32], list: *mut pg_sys::List, predicate: *mut pg_sys::List| {
            let reached = keys.iter().take_while(|key| method != pg_sys::BTREE_AM_OID || **key == 0 || is_read(**key));
            let count = reached.filter(|key| **key == 0).count();
            let is_implied = || match conditions {
                Some(conditions) if !predicate.is_null() => pg_sys::predicate_implied_by(predicate, conditions, false),
                _ => true,
            };
            let serves = count > 0 && is_implied();
            expressions(list).iter().take(if serves { count } else { 0 }).copied()
        };
        let mut found = Vec::new();
        for index in cells::<pg_sys::IndexOptInfo>(relation.indexlist) {
            let index = &**index;
            let count = usize::try_from(index.nkeycolumns).unwrap_or(0);
            let keys = std::slice::from_raw_parts(index.indexkeys, count);
            found.extend(serving(index.relam, keys, index.indexprs, index.indpred));
        }
        if entry.inh && entry.rtekind == pg_sys::RTEKind::RTE_RELATION {
            let table = pg_sys::table_open(entry.relid, NO_LOCK);
            let indexes = PgList::<pg_sys::Oid>::from_pg(pg_sys::RelationGetIndexList(table));
            for index in indexes.iter_oid() {
                let lock = pg_sys::AccessShareLock.cast_signed();
                let index = pg_sys::index_open(index, lock);
                let [list, predicate] =
                    [pg_sys::RelationGetIndexExpressions(index), pg_sys::RelationGetIndexPredicate(index)];
                for list in [list, predicate] {
                    pg_sys::ChangeVarNodes(list.cast(), 1, relation.relid.cast_signed(), 0);
                }
                let form = &*(*index).rd_index;
                let count = usize::try_from(form.indnkeyatts).unwrap_or(0);
                let keys: Vec<_> = form.indkey.values.as_slice(count).iter().map(|key| i32::from(*key)).collect();
                if form.indisvalid {
                    found.extend(serving((*(*index).rd_rel).relam, &keys, list, predicate));
                }
                pg_sys::index_close(index, lock);
            }
            pg_sys::table_close(table, NO_LOCK);
        }
        found
    }
}
