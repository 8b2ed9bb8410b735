//! Determines what evaluates a comparison with a time: a reader that uses operator families, or one that knows only comparisons of
//! UUIDs.
//!
//! Indexes, partitions and the planner's proofs use the members of operator families. The following readers may know only
//! comparisons of UUIDs:
//! - a foreign server, which may lack the extension;
//! - a table access method other than `heap`, because it may keep the least and the greatest value of each block and compare them
//!   with the type's own operators;
//! - an extension that divides a table into inheritance children and compresses these.

use std::cell::Cell;

use pgrx::pg_sys;

use super::members;
use crate::planner::catalog::{Row, first_child, is_inherited, lookup, member};
use crate::planner::expression::Column;
use crate::planner::planned::{Expression, Planned};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    /// Indexes, partitions and proofs, which use operator families.
    Families,
    /// A foreign server or a table access method that needs comparisons of UUIDs, or any reader if the families lack the members.
    Uuids,
    /// Inherited columns of inheritance children, which need comparisons of UUIDs and may reject UUIDs that are not version 7.
    Children,
}

/// Returns the reader that compares a UUID with a time. If the extension's members are missing from the operator family, no reader
/// can use the family.
pub fn reader_of(root: Option<Planned<'_, pg_sys::PlannerInfo>>, uuid: Expression<'_>) -> Reader {
    let reader = root.map_or(Reader::Families, |root| reader_in_query(root, uuid.unrelabelled()));
    if member(pg_sys::TIMESTAMPTZOID, pg_sys::BTLessStrategyNumber).is_none() {
        members::warn_of_missing();
        return reader.max(Reader::Uuids);
    }
    reader
}

fn reader_in_query(root: Planned<'_, pg_sys::PlannerInfo>, expression: Expression<'_>) -> Reader {
    let read = expression.column().map(|column| column.table);
    let number = read.unwrap_or_else(|| root.relation_read_by(expression).cast_unsigned());
    let Some((query, table)) = root.query().zip(root.entry(number)) else { return Reader::Families };
    // The target of an INSERT is not read, and ON CONFLICT finds its arbiter index by comparing expressions.
    let is_insert = query.commandType == pg_sys::CmdType::CMD_INSERT;
    if is_insert && u32::try_from(query.resultRelation) == Ok(number) {
        return Reader::Families;
    }
    if table.rtekind == pg_sys::RTEKind::RTE_RELATION {
        return reader_of_table(&table, expression.column());
    }
    // The parts of a UNION ALL inherit the clause in the form that is chosen here.
    let tables = root.children(number).filter_map(|link| root.table(link.child_relid));
    tables.map(|table| reader_of_table(&table, None)).max().unwrap_or(Reader::Families)
}

fn reader_of_table(entry: &pg_sys::RangeTblEntry, column: Option<Column>) -> Reader {
    let table = Row::<pg_sys::FormData_pg_class>::read(&[entry.relid.into()], |row| (row.relam, row.relispartition));
    let Some((access_method, is_partition)) = table else { return Reader::Families };
    // Such an extension knows the columns of the parent, which a child inherits, but not those that only the child has. A known
    // column is looked up instead of pg_inherits, which has no cache.
    let is_child = || match column {
        Some(column) => is_inherited(entry.relid, column.number),
        None => lookup::has_superclass(entry.relid),
    };
    match entry.relkind.to_ne_bytes()[0] {
        pg_sys::RELKIND_PARTITIONED_TABLE => Reader::Families,
        pg_sys::RELKIND_RELATION | pg_sys::RELKIND_MATVIEW => {
            if entry.inh && child_of(entry.relid).is_some() || !is_partition && is_child() {
                Reader::Children
            } else if access_method == pg_sys::HEAP_TABLE_AM_OID {
                Reader::Families
            } else {
                Reader::Uuids
            }
        }
        _ => Reader::Uuids,
    }
}

/// Returns the first child of a table. The last answer is kept during a statement, because each comparison needs it. (If the table
/// changes meanwhile, the plan may be worse, but not wrong.)
pub fn child_of(table: pg_sys::Oid) -> Option<pg_sys::Oid> {
    thread_local! {
        static LAST: Cell<(pg_sys::Oid, pg_sys::TimestampTz, Option<pg_sys::Oid>)> = const { Cell::new((pg_sys::Oid::INVALID, 0, None)) };
    }
    let statement = lookup::GetCurrentStatementStartTimestamp();
    let (last_table, last_statement, mut answer) = LAST.get();
    if (last_table, last_statement) != (table, statement) {
        answer = first_child(table);
        LAST.set((table, statement, answer));
    }
    answer
}
