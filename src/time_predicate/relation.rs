//! Opens the tables and indexes of a query, and reads their constraints and keys.

use pgrx::{PgRelation, pg_sys};

use super::catalog::NO_LOCK;
use super::expression::{Expression, elements};
use super::planner::Planned;

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
pub fn expression_of_check(check: &pg_sys::ConstrCheck) -> Option<Expression<'static>> {
    // SAFETY: a constraint's expression is stored as text, which PostgreSQL converts back to nodes.
    unsafe {
        let read = pg_sys::stringToNode(check.ccbin).cast();
        Expression::from_ptr(pg_sys::eval_const_expressions(std::ptr::null_mut(), read))
    }
}

/// The access method, the keys and the predicate of an index.
pub struct Indexed<'plan> {
    pub method: pg_sys::Oid,
    /// Each key's column number, or 0 for an expression.
    pub keys: Vec<i32>,
    pub expressions: &'plan [Expression<'plan>],
    pub predicate: &'plan [Expression<'plan>],
}

impl Indexed<'_> {
    /// Reads an index of the table with the given number in the query, if the index is valid.
    #[allow(unsafe_code)]
    pub fn new(index: &PgRelation, number: pg_sys::Index) -> Option<Self> {
        // SAFETY: an open index has a row in pg_index. Its expressions and its predicate are copies, in which the table has the
        // number 1.
        unsafe {
            let info = (*index.rd_index).indisvalid.then(|| &*pg_sys::BuildIndexInfo(index.as_ptr()))?;
            let [expressions, predicate] = [info.ii_Expressions, info.ii_Predicate].map(|list| {
                pg_sys::ChangeVarNodes(list.cast(), 1, number.cast_signed(), 0);
                elements(list)
            });
            let count = usize::try_from(info.ii_NumIndexKeyAttrs).unwrap_or(0);
            let keys = info.ii_IndexAttrNumbers.iter().take(count).map(|column| i32::from(*column)).collect();
            Some(Indexed { method: info.ii_Am, keys, expressions, predicate })
        }
    }
}
