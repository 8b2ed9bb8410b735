//! What reads a comparison with a time: something that knows operator families, or something that knows only
//! comparisons of UUIDs.
//!
//! Indexes, partitions and the planner's proofs know the members of operator families. These do not, or may not:
//! - the server of a foreign table, which may lack the extension;
//! - a table access method other than `heap`, which may keep the least and the greatest value of a block and compare by the
//!   type's own operators;
//! - an extension that divides a table into children by inheritance, and compresses these.

use std::cell::Cell;

use pgrx::{PgList, pg_sys};

use super::catalog::{Table, has_children, has_parent};
use super::nodes::Expression;

/// What reads a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    /// Knows operator families.
    Families,
    /// Knows comparisons of UUIDs.
    Uuids,
    /// Knows comparisons of UUIDs, and may refuse UUIDs that are not version 7.
    Children,
}

/// What reads comparisons of this expression.
///
/// # Safety
/// The root must be the planner's, or null.
#[allow(unsafe_code)]
pub unsafe fn reader_of(root: *mut pg_sys::PlannerInfo, expression: Expression<'_>) -> Reader {
    // SAFETY: the root is the planner's, or null. Its lists have members of the types that PostgreSQL gives them.
    unsafe {
        let Some(root) = root.as_mut() else { return Reader::Families };
        let Some(number) = relation_of(root, expression) else { return Reader::Families };
        let Some(table) = table_of(root, number).as_ref() else { return Reader::Families };
        // The target of an INSERT is not read, and the arbiter of ON CONFLICT is found by its index's own expressions.
        let is_insert = (*root.parse).commandType == pg_sys::CmdType::CMD_INSERT;
        if is_insert && usize::try_from((*root.parse).resultRelation) == Ok(number) {
            return Reader::Families;
        }
        if table.rtekind == pg_sys::RTEKind::RTE_RELATION {
            return reader_of_table(table);
        }
        // The parts of a UNION ALL get the condition in this form.
        let parts = PgList::<pg_sys::AppendRelInfo>::from_pg(root.append_rel_list);
        let parts = parts.iter_ptr().filter(|part| usize::try_from((**part).parent_relid) == Ok(number));
        let tables = parts.filter_map(|part| table_of(root, usize::try_from((*part).child_relid).ok()?).as_ref());
        tables
            .filter(|table| table.rtekind == pg_sys::RTEKind::RTE_RELATION)
            .map(reader_of_table)
            .max()
            .unwrap_or(Reader::Families)
    }
}

/// The number of the one relation that an expression reads.
///
/// # Safety
/// The root must be the planner's.
#[allow(unsafe_code)]
unsafe fn relation_of(root: &mut pg_sys::PlannerInfo, expression: Expression<'_>) -> Option<usize> {
    if let Some(column) = expression.column() {
        return if column.levels_up == 0 { usize::try_from(column.table).ok() } else { None };
    }
    let mut relation = 0;
    // SAFETY: the root is the planner's.
    let is_one = unsafe {
        let relations = pg_sys::pull_varnos(root, expression.as_ptr());
        pg_sys::bms_get_singleton_member(relations, &mut relation)
    };
    is_one.then(|| usize::try_from(relation).ok()).flatten()
}

/// The entry of the query's list of tables.
///
/// # Safety
/// The root must be the planner's.
#[allow(unsafe_code)]
unsafe fn table_of(root: &pg_sys::PlannerInfo, number: usize) -> *mut pg_sys::RangeTblEntry {
    // SAFETY: `simple_rte_array` has `simple_rel_array_size` members, of which the first is unused, and before it exists the
    // query's own list of tables has what it will hold.
    unsafe {
        if number == 0 {
            std::ptr::null_mut()
        } else if root.simple_rte_array.is_null() {
            let tables = PgList::<pg_sys::RangeTblEntry>::from_pg((*root.parse).rtable);
            tables.get_ptr(number - 1).unwrap_or(std::ptr::null_mut())
        } else if usize::try_from(root.simple_rel_array_size).is_ok_and(|size| number < size) {
            *root.simple_rte_array.add(number)
        } else {
            std::ptr::null_mut()
        }
    }
}

/// Computed once for a table in a statement, since each comparison needs it. (If the table has changed since, a plan is
/// worse, but not wrong.)
#[allow(unsafe_code)]
fn reader_of_table(entry: &pg_sys::RangeTblEntry) -> Reader {
    thread_local! {
        static LAST: Cell<(pg_sys::Oid, bool, pg_sys::TimestampTz, Reader)> = const { Cell::new((pg_sys::Oid::INVALID, false, 0, Reader::Families)) };
    }
    // SAFETY: reads a variable of the backend.
    let statement = unsafe { pg_sys::GetCurrentStatementStartTimestamp() };
    let (table, inherited, asked, answer) = LAST.get();
    if (table, inherited, asked) == (entry.relid, entry.inh, statement) {
        return answer;
    }
    let answer = look_at_table(entry);
    LAST.set((entry.relid, entry.inh, statement, answer));
    answer
}

fn look_at_table(entry: &pg_sys::RangeTblEntry) -> Reader {
    let Some(table) = Table::of(entry.relid) else { return Reader::Families };
    match table.kind {
        pg_sys::RELKIND_PARTITIONED_TABLE => Reader::Families,
        pg_sys::RELKIND_RELATION | pg_sys::RELKIND_MATVIEW => {
            if entry.inh && has_children(entry.relid) || !table.is_partition && has_parent(entry.relid) {
                Reader::Children
            } else if table.access_method == pg_sys::HEAP_TABLE_AM_OID {
                Reader::Families
            } else {
                Reader::Uuids
            }
        }
        _ => Reader::Uuids,
    }
}
