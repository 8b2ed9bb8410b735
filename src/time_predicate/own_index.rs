//! Expressions that a table's indexes are on: an index on the very function of a condition serves the condition as it is.

use pgrx::{PgList, pg_sys};

use super::catalog::NO_LOCK;
use super::nodes::{Expression, cells, expressions, list_of};

/// Those of a table that the planner has just looked at. Where the table has partitions or children, these stand for it, and the
/// planner has not looked at its own indexes. An index that is not valid serves nothing, and a partial one only a query whose
/// conditions, if they are given, imply its predicate.
///
/// # Safety
/// The relation must be the planner's, and the entry that of the same table, which the planner has locked.
#[allow(unsafe_code)]
pub unsafe fn indexed_expressions<'plan>(
    relation: &pg_sys::RelOptInfo,
    entry: &pg_sys::RangeTblEntry,
    conditions: Option<&[Expression<'plan>]>,
) -> Vec<Expression<'plan>> {
    // SAFETY: an index has lists of expressions and of its predicate's conditions, in the planner's structures and in PostgreSQL's
    // cache of relations. That gives copies, in which the table is the first.
    unsafe {
        let is_implied = |predicate: *mut pg_sys::List| {
            predicate.is_null()
                || conditions
                    .is_none_or(|conditions| pg_sys::predicate_implied_by(predicate, list_of(conditions), false))
        };
        let serves = |expressions: *mut pg_sys::List, predicate| !expressions.is_null() && is_implied(predicate);
        let indexes = cells::<pg_sys::IndexOptInfo>(relation.indexlist).iter();
        let indexes = indexes.filter(|index| serves((***index).indexprs, (***index).indpred));
        let mut found: Vec<_> = indexes.flat_map(|index| expressions((**index).indexprs)).copied().collect();
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
                if (*(*index).rd_index).indisvalid && serves(list, predicate) {
                    found.extend(expressions(list));
                }
                pg_sys::index_close(index, lock);
            }
            pg_sys::table_close(table, NO_LOCK);
        }
        found
    }
}
