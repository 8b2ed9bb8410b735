//! Finds calls of functions that read the time from a UUID, and determines whether clauses on these calls are rewritten.

use pgrx::pg_sys;

use super::functions::{CORE_TIME, TimeFunction, time_function};
use super::parser::Parser;
use super::reader::child_of;
use super::version_7::{Versions, version_7_domain, versions_in_column};
use crate::planner::catalog::member;
use crate::planner::planned::{Expression, Planned};
use crate::planner::relation::{checks, expression_of_check, unlocked_table};

/// A time that a function reads from a UUID.
pub struct TimeCall<'plan> {
    pub time: Expression<'plan>,
    pub uuid: Expression<'plan>,
    /// The function, which for a UNION ALL is that of the first part.
    function: pg_sys::Oid,
    /// Whether the UUID is known to be version 7 or null.
    pub is_version_7: bool,
    pub has_micros: bool,
}

impl<'plan> Parser<'plan> {
    /// Parses an expression as the time of a UUID, unless clauses on it must stay as they are.
    pub fn time_call(&self, expression: Expression<'plan>) -> Option<TimeCall<'plan>> {
        let call = self.any_time_call(expression)?;
        let relation = self.relation_of(call.uuid)?;
        (call.uuid.is_repeatable() && !self.has_index_on(relation, expression)).then_some(call)
    }

    /// Parses an expression as the time of a UUID: a call of a function, or a column of a UNION ALL that is such a call in each
    /// part.
    fn any_time_call(&self, expression: Expression<'plan>) -> Option<TimeCall<'plan>> {
        if expression.column().is_some() {
            return self.call_in_union_all(expression);
        }
        let call = expression.function()?;
        let &[uuid] = call.arguments else { return None };
        if expression.type_oid() != pg_sys::TIMESTAMPTZOID || uuid.type_oid() != pg_sys::UUIDOID {
            return None;
        }
        let function = time_function(call.callee)?;
        let domain = version_7_domain(uuid.unrelabelled().type_oid());
        if let Some(domain) = domain {
            self.root.depend_on_domain(domain);
        }
        let versions = if domain.is_some() { Versions::Seven } else { self.versions_of(uuid) };
        if function != TimeFunction::OfVersion7 && versions == Versions::Any {
            return None;
        }
        // PostgreSQL's own function may be called in a database that lacks the extension.
        if call.callee == CORE_TIME && domain.is_none() {
            member(pg_sys::TIMESTAMPTZOID, pg_sys::BTLessStrategyNumber)?;
        }
        let (is_version_7, has_micros) = (versions == Versions::Seven, function == TimeFunction::Microseconds);
        Some(TimeCall { time: expression, uuid, function: call.callee, is_version_7, has_micros })
    }

    /// Returns the versions that CHECK constraints allow, if the expression is a table's column.
    fn versions_of(&self, uuid: Expression<'_>) -> Versions {
        let Some(column) = uuid.unrelabelled().column() else { return Versions::Any };
        let Some(table) = self.root.table(column.table) else { return Versions::Any };
        let is_own = column.table == self.relation.relid;
        if let Some((_, known)) = self.column_versions.get().filter(|(number, _)| is_own && *number == column.number) {
            return known;
        }
        let versions = versions_in_column(table, column.number);
        if is_own {
            self.column_versions.set(Some((column.number, versions)));
        }
        versions
    }

    /// Parses a column of a UNION ALL. Each part must have a call in this column, and the call's UUID in another column. If there
    /// is no such column, one is added where possible.
    fn call_in_union_all(&self, column: Expression<'plan>) -> Option<TimeCall<'plan>> {
        let read = column.time_column()?;
        let number = usize::try_from(read.number).ok()?.checked_sub(1)?;
        if self.root.entry(read.table)?.rtekind != pg_sys::RTEKind::RTE_SUBQUERY {
            return None;
        }
        let parts: Vec<_> = self.root.children(read.table).collect();
        // PostgreSQL puts a PlaceHolderVar around expressions that are evaluated in a part of a UNION ALL.
        let call_in = |part: &Planned<'plan, pg_sys::AppendRelInfo>| {
            self.any_time_call((*part.translated_columns().get(number)?)?.without_placeholder())
        };
        let calls = parts.iter().map(call_in).collect::<Option<Vec<_>>>()?;
        let first = calls.first()?;
        if calls.iter().any(|call| call.has_micros != first.has_micros) {
            return None;
        }
        let count = parts.iter().map(|part| part.translated_columns().len()).max()?;
        let type_oid = first.uuid.unrelabelled().type_oid();
        let known = (0..count).find(|uuid| {
            parts.iter().zip(&calls).all(|(part, call)| {
                let uuid_of_call = call.uuid.unrelabelled();
                let column = part.translated_columns().get(*uuid).copied().flatten();
                column.is_some_and(|column| {
                    column.equals(call.uuid) || uuid_of_call.type_oid() == type_oid && column.equals(uuid_of_call)
                })
            })
        });
        let (uuid, type_oid) = match known {
            Some(uuid) => (uuid, parts.first()?.translated_columns().get(uuid).copied().flatten()?.type_oid()),
            None if self.may_add_column(read.table) => {
                for (part, call) in parts.iter().zip(&calls) {
                    part.add_column(call.uuid.deep_copy());
                }
                (count, pg_sys::UUIDOID)
            }
            None => return None,
        };
        let uuid = column.column_beside(i16::try_from(uuid + 1).ok()?, type_oid)?.relabelled(pg_sys::UUIDOID);
        let is_version_7 = calls.iter().all(|call| call.is_version_7);
        Some(TimeCall { time: column, uuid, is_version_7, ..*first })
    }

    /// Whether a column can be added to a UNION ALL for clauses that only its parts evaluate. The clauses on the UNION ALL must
    /// have been distributed, and no expression may read its whole row.
    fn may_add_column(&self, number: pg_sys::Index) -> bool {
        let Some(parent) = self.root.relation(number) else { return false };
        let reads_row = |clause: Expression<'_>| clause.columns().flatten().any(|column| column.number == 0);
        self.relation.reloptkind == pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL
            && !parent.is_whole_row_read()
            && !parent.restrictions().iter().filter_map(|restriction| restriction.expression()).any(reads_row)
    }

    /// Whether the relation is the current one and is indexed or partitioned by this very call, so that clauses need no change.
    fn has_index_on(&self, relation: pg_sys::Index, expression: Expression<'_>) -> bool {
        let is_it = |other: &Expression<'_>| is_same_call(*other, expression);
        let keys = self.relation.partition_scheme().map_or(0, |scheme| usize::try_from(scheme.partnatts).unwrap_or(0));
        self.relation.relid == relation
            && (self.own_expressions().iter().any(is_it)
                || (0..keys).any(|key| self.relation.partition_expressions(key).iter().any(is_it)))
    }

    /// Whether the first child of the table, or of the first table of a UNION ALL, has a CHECK constraint on the result of the
    /// call's function, as a TimescaleDB chunk may have. When execution starts, a condition on this result can exclude children,
    /// but one on the UUID cannot.
    pub fn divides_children(&self, time: &TimeCall<'_>) -> bool {
        let divided_by = self.divided_by.get_or_init(|| {
            let is_ordinary =
                |table: &Planned<'_, pg_sys::RangeTblEntry>| table.relkind.to_ne_bytes() == [pg_sys::RELKIND_RELATION];
            let relation = self.relation.relid;
            let of_union_all = || self.root.table(self.root.children(relation).next()?.child_relid);
            let table = self.root.table(relation).or_else(of_union_all).filter(is_ordinary)?;
            let child = unlocked_table(child_of(table.relid)?)?;
            let conjuncts = checks(&child).filter_map(expression_of_check).flat_map(Expression::conjuncts);
            let mut functions =
                conjuncts.filter_map(|part| Some(part.operator()?.arguments.first()?.function()?.callee));
            functions.find(|function| time_function(*function).is_some())
        });
        *divided_by == Some(time.function)
    }
}

/// Whether two expressions are calls of the same function with the same argument. Ignores whether an outer join may set a column to
/// null.
fn is_same_call(one: Expression<'_>, other: Expression<'_>) -> bool {
    let (Some(one), Some(other)) = (one.function(), other.function()) else { return false };
    let (&[first], &[second]) = (one.arguments, other.arguments) else { return false };
    let (first, second) = (first.unrelabelled(), second.unrelabelled());
    one.callee == other.callee
        && match (first.column(), second.column()) {
            (Some(first), Some(second)) => (first.table, first.number) == (second.table, second.number),
            _ => first.equals(second),
        }
}
