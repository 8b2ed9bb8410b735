//! Opens the tables and indexes of a query, and the children of its tables, and reads their constraints, keys and entries.

use pgrx::{PgRelation, pg_sys};
use rfc9562::Uuid;

use super::catalog::{NO_LOCK, lookup};
use super::planned::{Expression, Planned, collected, elements};
use crate::datum::uuid_value;

/// Opens the table of a range table entry, which must be of kind RTE_RELATION.
#[allow(unsafe_code)]
pub fn table_of(entry: Planned<'_, pg_sys::RangeTblEntry>) -> PgRelation {
    assert!(entry.rtekind == pg_sys::RTEKind::RTE_RELATION, "no table");
    // SAFETY: the planner holds locks on the query's tables.
    unsafe { PgRelation::with_lock(entry.relid, NO_LOCK) }
}

/// Opens a table that the planner may not have locked. Returns `None` if the table has been dropped.
#[allow(unsafe_code)]
pub fn unlocked_table(table: pg_sys::Oid) -> Option<PgRelation> {
    // SAFETY: the function accepts any OID, and returns null or a reference, which the `PgRelation` releases.
    let table = unsafe { PgRelation::from_pg_owned(pg_sys::RelationIdGetRelation(table)) };
    (!table.is_null()).then_some(table)
}

#[allow(unsafe_code)]
pub fn checks(table: &PgRelation) -> impl Iterator<Item = &pg_sys::ConstrCheck> {
    // SAFETY: the descriptor of an open table stays valid. If it counts any CHECK constraints, it has an array of that many.
    let checks = unsafe {
        let constraints = (*table.rd_att).constr.as_ref().filter(|constraints| constraints.num_check > 0);
        constraints.map(|some| std::slice::from_raw_parts(some.check, usize::from(some.num_check)))
    };
    checks.into_iter().flatten()
}

/// Returns the simplified expression of a CHECK constraint.
#[allow(unsafe_code)]
pub fn expression_of_check<'plan>(check: &pg_sys::ConstrCheck) -> Option<Expression<'plan>> {
    // SAFETY: a constraint's expression is stored as text, which PostgreSQL converts back to nodes.
    unsafe {
        let read = pg_sys::stringToNode(check.ccbin).cast();
        Expression::from_ptr(pg_sys::eval_const_expressions(std::ptr::null_mut(), read))
    }
}

/// Reads an index of the table with the given number in the query, if the index is valid: the access method, each key's column
/// number, or 0 for an expression, the expressions, and the predicate.
#[allow(unsafe_code)]
pub fn read_index<'plan, T>(
    index: &PgRelation,
    number: pg_sys::Index,
    read: impl FnOnce(pg_sys::Oid, &[i32], &[Expression<'plan>], &[Expression<'plan>]) -> T,
) -> Option<T> {
    // SAFETY: an open index has a row in pg_index. Its expressions and its predicate are copies, in which the table has the
    // number 1.
    let (info, [expressions, predicate]) = unsafe {
        let info = (*index.rd_index).indisvalid.then(|| &*pg_sys::BuildIndexInfo(index.as_ptr()))?;
        let lists = [info.ii_Expressions, info.ii_Predicate].map(|list| {
            pg_sys::ChangeVarNodes(list.cast(), 1, number.cast_signed(), 0);
            elements(list)
        });
        (info, lists)
    };
    let count = usize::try_from(info.ii_NumIndexKeyAttrs).unwrap_or(0);
    let keys = collected(info.ii_IndexAttrNumbers.iter().take(count).map(|column| i32::from(*column)));
    Some(read(info.ii_Am, &keys, expressions, predicate))
}

/// Returns the UUID in an index of the table that is adjacent to the given one: the greatest below it if `below`, and the smallest
/// above it otherwise. Its row may be invisible, which does not matter for an estimate.
#[allow(unsafe_code, clippy::cast_possible_truncation)] // There are five strategies.
pub fn indexed_neighbor(
    table: Planned<'_, pg_sys::RangeTblEntry>,
    index: Planned<'_, pg_sys::IndexOptInfo>,
    uuid: Uuid,
    below: bool,
) -> Option<Uuid> {
    let strategy = if below { pg_sys::BTLessStrategyNumber } else { pg_sys::BTGreaterStrategyNumber };
    let direction = if below == *index.descending().first()? {
        pg_sys::ScanDirection::ForwardScanDirection
    } else {
        pg_sys::ScanDirection::BackwardScanDirection
    };
    let family = *index.families().first().filter(|_| index.key_types()[0] == pg_sys::UUIDOID)?;
    let operator = lookup::get_opfamily_member(family, pg_sys::UUIDOID, pg_sys::UUIDOID, strategy as i16);
    let function = lookup::get_opcode(operator);
    let table = table_of(table);
    let mut key = pg_sys::ScanKeyData::default();
    let (strategy, none) = (strategy as pg_sys::StrategyNumber, pg_sys::InvalidOid);
    // SAFETY: the planner holds locks on the table's indexes.
    let index = unsafe { PgRelation::with_lock(index.indexoid, NO_LOCK) };
    let argument = pg_sys::Datum::from(uuid.as_bytes().as_ptr());
    // SAFETY: the function writes only to the key.
    unsafe { pg_sys::ScanKeyEntryInitialize(&mut key, 0, 1, strategy, pg_sys::UUIDOID, none, function, argument) };
    // SAFETY: the index is on the table. Any row may be read, because only the index's own copy of the UUID is used.
    let scan = unsafe {
        pg_sys::index_beginscan(
            table.as_ptr(),
            index.as_ptr(),
            &raw mut pg_sys::SnapshotAnyData,
            #[cfg(counted_index_scans)]
            std::ptr::null_mut(),
            1,
            0,
            #[cfg(index_scan_flags)]
            0,
        )
    };
    // SAFETY: the key points to the argument, which outlives the scan. The scan requests the index tuple, whose first column is a
    // non-null `uuid`, because its comparison with the key is true.
    unsafe {
        (*scan).xs_want_itup = true;
        pg_sys::index_rescan(scan, &mut key, 1, std::ptr::null_mut(), 0);
        let found = !pg_sys::index_getnext_tid(scan, direction).is_null();
        let found = found.then(|| uuid_value(pg_sys::nocache_index_getattr((*scan).xs_itup, 1, (*scan).xs_itupdesc)));
        pg_sys::index_endscan(scan);
        found
    }
}
