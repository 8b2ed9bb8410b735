//! The reader of a comparison with a time: one that uses operator families, or only comparisons of UUIDs.
//!
//! Indexes, partitions and the planner's proofs use the members of operator families. The following do not, or may not:
//! - the server of a foreign table, which may lack the extension;
//! - a table access method other than `heap`, which may keep the least and the greatest value of a block and compare by the
//!   type's own operators;
//! - an extension that divides a table into children by inheritance, and compresses the children.

use std::cell::Cell;

use pgrx::pg_sys;

use super::catalog::{Table, has_children, lookup};
use super::expression::Expression;
use super::planner::Planned;

/// The reader of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    /// It uses operator families.
    Families,
    /// It uses comparisons of UUIDs.
    Uuids,
    /// It uses comparisons of UUIDs, and may reject UUIDs that are not version 7.
    Children,
}

/// The reader of comparisons of this expression.
pub fn reader_of(root: Option<Planned<'_, pg_sys::PlannerInfo>>, expression: Expression<'_>) -> Reader {
    let Some(root) = root else { return Reader::Families };
    let number = match expression.column() {
        Some(column) if column.levels_up > 0 => return Reader::Families,
        Some(column) => column.table,
        None => root.relation_read_by(expression).cast_unsigned(),
    };
    let Some((query, table)) = root.query().zip(root.entry(number)) else { return Reader::Families };
    // The target of an INSERT is not read, and the arbiter of ON CONFLICT is found by its index's own expressions.
    let is_insert = query.commandType == pg_sys::CmdType::CMD_INSERT;
    if is_insert && u32::try_from(query.resultRelation) == Ok(number) {
        return Reader::Families;
    }
    let is_table = |table: &Planned<'_, pg_sys::RangeTblEntry>| table.rtekind == pg_sys::RTEKind::RTE_RELATION;
    if is_table(&table) {
        return reader_of_table(&table);
    }
    // The parts of a UNION ALL get the clause in this form.
    let tables = root.children(number).filter_map(|link| root.entry(link.child_relid)).filter(is_table);
    tables.map(|table| reader_of_table(&table)).max().unwrap_or(Reader::Families)
}

/// Computed once for a table in a statement, because each comparison needs it. (If the table has changed since, the plan is
/// worse, but not wrong.)
fn reader_of_table(entry: &pg_sys::RangeTblEntry) -> Reader {
    thread_local! {
        static LAST: Cell<(pg_sys::Oid, bool, pg_sys::TimestampTz, Reader)> = const { Cell::new((pg_sys::Oid::INVALID, false, 0, Reader::Families)) };
    }
    let statement = lookup::GetCurrentStatementStartTimestamp();
    let (table, inherited, asked, answer) = LAST.get();
    if (table, inherited, asked) == (entry.relid, entry.inh, statement) {
        return answer;
    }
    let answer = look_at_table(entry);
    LAST.set((entry.relid, entry.inh, statement, answer));
    answer
}

fn look_at_table(entry: &pg_sys::RangeTblEntry) -> Reader {
    let Some(table) = Table::from_oid(entry.relid) else { return Reader::Families };
    match table.kind {
        pg_sys::RELKIND_PARTITIONED_TABLE => Reader::Families,
        pg_sys::RELKIND_RELATION | pg_sys::RELKIND_MATVIEW => {
            if entry.inh && has_children(entry.relid) || !table.is_partition && lookup::has_superclass(entry.relid) {
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
