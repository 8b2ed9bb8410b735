//! Open tables and indexes of the query.

use std::marker::PhantomData;
use std::ops::Deref;

use pgrx::{PgList, pg_sys};

use super::catalog::NO_LOCK;
use super::expression::{Expression, elements};
use super::planner::Planned;

/// An open table of the query. It is closed when this value is dropped, or by PostgreSQL after an error.
pub struct OpenTable<'plan> {
    relation: pg_sys::Relation,
    /// The lock with which it was opened.
    lock: pg_sys::LOCKMODE,
    plan: PhantomData<&'plan ()>,
}

/// An open index of such a table.
pub struct OpenIndex<'table> {
    relation: pg_sys::Relation,
    lock: pg_sys::LOCKMODE,
    table: PhantomData<&'table ()>,
}

macro_rules! open_relations {
    ($($open:ident by $close:ident;)*) => {
        $(#[allow(unsafe_code)]
        impl Deref for $open<'_> {
            type Target = pg_sys::RelationData;

            fn deref(&self) -> &pg_sys::RelationData {
                // SAFETY: the relation is open, so PostgreSQL's descriptor of it remains valid.
                unsafe { &*self.relation }
            }
        }

        #[allow(unsafe_code)]
        impl Drop for $open<'_> {
            fn drop(&mut self) {
                // SAFETY: the relation is open.
                unsafe { pg_sys::$close(self.relation, self.lock) };
            }
        })*
    };
}

open_relations! {
    OpenTable by table_close;
    OpenIndex by index_close;
}

#[allow(unsafe_code)]
impl<'plan> OpenTable<'plan> {
    /// Opens the table of a range table entry, which must be that of a table.
    pub fn new(entry: Planned<'plan, pg_sys::RangeTblEntry>) -> Self {
        assert!(entry.rtekind == pg_sys::RTEKind::RTE_RELATION, "no table");
        // SAFETY: the planner holds a lock on the query's tables.
        OpenTable { relation: unsafe { pg_sys::table_open(entry.relid, NO_LOCK) }, lock: NO_LOCK, plan: PhantomData }
    }

    /// Opens a table that the planner may not have locked. Returns `None` if the table has been dropped.
    pub fn unlocked(table: pg_sys::Oid) -> Option<Self> {
        // SAFETY: the function accepts any OID; while the table is open, PostgreSQL's description of it stays.
        let relation = unsafe { pg_sys::RelationIdGetRelation(table) };
        (!relation.is_null()).then_some(OpenTable { relation, lock: NO_LOCK, plan: PhantomData })
    }

    pub fn as_ptr(&self) -> pg_sys::Relation {
        self.relation
    }

    pub fn checks(&self) -> impl Iterator<Item = &pg_sys::ConstrCheck> {
        // SAFETY: the descriptor of a table states their number, and lives as long as the table is open.
        let checks = unsafe {
            (*self.rd_att)
                .constr
                .as_ref()
                .map(|constraints| std::slice::from_raw_parts(constraints.check, usize::from(constraints.num_check)))
        };
        checks.filter(|checks| !checks.is_empty()).into_iter().flatten()
    }

    pub fn indexes(&self) -> Vec<pg_sys::Oid> {
        // SAFETY: the table is open; the list is a copy.
        unsafe { PgList::<pg_sys::Oid>::from_pg(pg_sys::RelationGetIndexList(self.relation)) }.iter_oid().collect()
    }

    pub fn open_index(&self, index: pg_sys::Oid, lock: pg_sys::LOCKMODE) -> OpenIndex<'_> {
        // SAFETY: the function raises an error if there is no such index.
        OpenIndex { relation: unsafe { pg_sys::index_open(index, lock) }, lock, table: PhantomData }
    }
}

/// Returns the expression of a CHECK constraint, simplified.
#[allow(unsafe_code)]
pub fn expression_of_check(check: &pg_sys::ConstrCheck) -> Option<Expression<'static>> {
    // SAFETY: a constraint's expression is text, which PostgreSQL parses again.
    unsafe {
        let read = pg_sys::stringToNode(check.ccbin).cast();
        Expression::from_ptr(pg_sys::eval_const_expressions(std::ptr::null_mut(), read))
    }
}

#[allow(unsafe_code)]
impl OpenIndex<'_> {
    pub fn as_ptr(&self) -> pg_sys::Relation {
        self.relation
    }

    pub fn row(&self) -> &pg_sys::FormData_pg_index {
        // SAFETY: the field `rd_index` of an open index is its row in pg_index.
        unsafe { &*self.rd_index }
    }

    pub fn method(&self) -> pg_sys::Oid {
        // SAFETY: an open index has a row in pg_class.
        unsafe { (*self.rd_rel).relam }
    }

    /// Returns the number of the column of each key, or 0 for an expression.
    pub fn key_columns(&self) -> Vec<i32> {
        let row = self.row();
        // SAFETY: the array has the stated number of keys.
        let columns = unsafe { row.indkey.values.as_slice(usize::try_from(row.indnkeyatts).unwrap_or(0)) };
        columns.iter().map(|column| i32::from(*column)).collect()
    }

    /// Returns the index's expressions and its predicate, for the table with the given number in the query.
    pub fn expressions<'plan>(&self, number: pg_sys::Index) -> [&'plan [Expression<'plan>]; 2] {
        // SAFETY: the lists are copies, in which the table has the number 1.
        unsafe {
            let lists =
                [pg_sys::RelationGetIndexExpressions(self.relation), pg_sys::RelationGetIndexPredicate(self.relation)];
            lists.map(|list| {
                pg_sys::ChangeVarNodes(list.cast(), 1, number.cast_signed(), 0);
                elements(list)
            })
        }
    }
}
