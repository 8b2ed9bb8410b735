//! Finds the expressions on which a table has indexes. An index on the expression in a clause supports the clause as it is.

use std::cell::LazyCell;

use pgrx::pg_sys;

use crate::planner::expression::is_implied;
use crate::planner::planned::{Expression, Planned, collected};
use crate::planner::relation::{read_index, table_of};

/// Returns the indexed expressions of a table that the planner has looked up. If the table is read with its children, the
/// planner may not have looked up the table's own indexes, so they are opened here. Ignores invalid indexes and, if `clauses` are
/// given, partial indexes whose predicates they do not imply, and expressions after a B-tree column that no clause reads.
pub fn indexed_expressions<'plan>(
    relation: Planned<'plan, pg_sys::RelOptInfo>,
    entry: Planned<'plan, pg_sys::RangeTblEntry>,
    clauses: Option<&[Expression<'plan>]>,
) -> Vec<Expression<'plan>> {
    let read = LazyCell::new(|| {
        clauses.map(|clauses| collected(clauses.iter().flat_map(|clause| clause.columns().flatten())))
    });
    let is_read = |number: i32| {
        read.as_ref().is_none_or(|read| {
            read.iter().any(|column| column.table == relation.relid && i32::from(column.number) == number)
        })
    };
    let serving = |method: pg_sys::Oid, keys: &[i32], on: &[Expression<'plan>], predicate: &[Expression<'plan>]| {
        if on.is_empty() {
            return Vec::new();
        }
        let reached = keys.iter().take_while(|key| method != pg_sys::BTREE_AM_OID || **key == 0 || is_read(**key));
        let count = reached.filter(|key| **key == 0).count();
        let serves =
            count > 0 && (predicate.is_empty() || clauses.is_none_or(|clauses| is_implied(predicate, clauses)));
        on.iter().take(if serves { count } else { 0 }).copied().collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for index in relation.indexes().iter().filter(|index| index.can_be_scanned()) {
        found.extend(serving(index.relam, index.key_column_numbers(), index.expressions(), index.predicate()));
    }
    if entry.inh && entry.rtekind == pg_sys::RTEKind::RTE_RELATION {
        for index in table_of(entry).indices(pg_sys::AccessShareLock.cast_signed()) {
            found.extend(read_index(&index, relation.relid, serving).unwrap_or_default());
        }
    }
    found
}
