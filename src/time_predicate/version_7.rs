//! Proves that a UUID is version 7, from a condition or a CHECK constraint of the table.

use pgrx::pg_sys;

use super::catalog::{TimeFunction, is_version_function, lookup, time_function};
use super::expression::{Combination, Expression};
use super::planner::Planned;
use super::relation::{checks, expression_of_check, table_of};

/// What CHECK constraints prove about the UUIDs in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checked {
    Nothing,
    /// `uuid_extract_version(id) = 7`. A UUID without a version, such as the Nil UUID, passes, but has no time.
    OrWithoutVersion,
    /// Every UUID is version 7 or null.
    Version7,
}

/// Returns what the CHECK constraints of a table prove about the UUIDs in a column. Constraints that are not validated are ignored,
/// and so are those with NO INHERIT if the table's children are read.
///
/// If a constraint changes, PostgreSQL invalidates the plans that use the table.
pub fn checked(entry: Planned<'_, pg_sys::RangeTblEntry>, column: i16) -> Checked {
    let table = table_of(entry);
    let checks = checks(&table).filter(|check| check.ccvalid && !(check.ccnoinherit && entry.inh));
    // All columns in the expression are the table's, so their numbers suffice.
    let says = checks.filter_map(expression_of_check).map(|check| {
        if is_false_of_others(check, column) {
            Checked::Version7
        } else if is_version_compared(check, column) {
            Checked::OrWithoutVersion
        } else {
            Checked::Nothing
        }
    });
    says.max().unwrap_or(Checked::Nothing)
}

/// Whether a constraint is false for all UUIDs in the column that have a version other than 7.
fn is_version_compared(check: Expression<'_>, column: i16) -> bool {
    if let Some((Combination::And, parts)) = check.combination() {
        return parts.iter().any(|part| is_version_compared(*part, column));
    }
    let of = check.operator().and_then(|call| version_7_of(call.callee, call.arguments));
    of.and_then(|uuid| uuid.unrelabelled().column()).is_some_and(|read| read.number == column)
}

/// Whether a constraint is false for all UUIDs in the column that are not version 7, including those without a version. (A
/// constraint is satisfied if it is null.)
fn is_false_of_others(check: Expression<'_>, column: i16) -> bool {
    let is_column = |uuid: Expression<'_>| uuid.unrelabelled().column().is_some_and(|read| read.number == column);
    if let Some((combination, parts)) = check.combination() {
        return match combination {
            Combination::And => parts.iter().any(|part| is_false_of_others(*part, column)),
            Combination::Or => parts.iter().all(|part| is_false_of_others(*part, column)),
            Combination::Not => parts.iter().any(|part| {
                part.distinct().and_then(|call| version_7_of(call.callee, call.arguments)).is_some_and(is_column)
            }),
        };
    }
    match check.null_test() {
        Some((tested, pg_sys::NullTestType::IS_NOT_NULL)) => tested.function().is_some_and(|call| {
            time_function(call.callee) == Some(TimeFunction::OfVersion7)
                && call.arguments.iter().any(|uuid| is_column(*uuid))
        }),
        // `id IS NULL` is false for any UUID.
        Some((tested, _)) => is_column(tested),
        None => false,
    }
}

/// Whether a condition is `uuid_extract_version(uuid) = 7`.
pub fn is_version_7(condition: Expression<'_>, uuid: Expression<'_>) -> bool {
    let of = condition.operator().and_then(|call| version_7_of(call.callee, call.arguments));
    of.is_some_and(|of| of.unrelabelled().equals(uuid.unrelabelled()))
}

/// Returns the UUID whose version an operator tests for equality with 7.
fn version_7_of<'plan>(operator: pg_sys::Oid, arguments: &[Expression<'plan>]) -> Option<Expression<'plan>> {
    const EQUALITIES: [u32; 3] = [pg_sys::F_INT2EQ, pg_sys::F_INT24EQ, pg_sys::F_INT42EQ];
    let compares = EQUALITIES.contains(&lookup::get_opcode(operator).to_u32());
    let &[left, right] = arguments else { return None };
    let version = if right.is_integer(7) { left } else { right };
    let call = version.function().filter(|call| is_version_function(call.callee))?;
    (compares && (left.is_integer(7) || right.is_integer(7))).then(|| call.arguments.first().copied()).flatten()
}
