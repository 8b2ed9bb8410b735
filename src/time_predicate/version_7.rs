//! Proves that a UUID is version 7, from its domain, a condition, or a CHECK constraint of the table.

use pgrx::pg_sys;

use super::functions::{TimeFunction, is_version_function, time_function};
use crate::planner::catalog::{PlannerFunction, Row, await_constraint, has_validated_constraint, is_built_in, lookup};
use crate::planner::expression::Call;
use crate::planner::planned::{Expression, Planned};
use crate::planner::relation::{checks, expression_of_check, table_of};

/// The versions that CHECK constraints allow in a column, from the weakest constraint to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Versions {
    Any,
    /// `uuid_extract_version(id) = 7`. A UUID without a version, such as the Nil UUID, passes, but has no time.
    SevenOrNone,
    /// Every UUID is version 7 or null.
    Seven,
}

/// Returns the versions that the CHECK constraints of a table allow in a column. Constraints that are not validated are ignored,
/// and so are those with NO INHERIT if the table's children are read.
///
/// If a constraint changes, PostgreSQL invalidates the plans that use the table.
pub fn versions_in_column(entry: Planned<'_, pg_sys::RangeTblEntry>, column: i16) -> Versions {
    let table = table_of(entry);
    let checks = checks(&table).filter(|check| check.ccvalid && !(check.ccnoinherit && entry.inh));
    checks.filter_map(expression_of_check).map(|check| versions_allowed(check, column)).max().unwrap_or(Versions::Any)
}

/// Returns the versions that a constraint, or a part of one, allows. (A constraint is satisfied if it is null, so it must be
/// false for the UUIDs that it excludes.) All columns in the expression are the table's, so their numbers suffice.
fn versions_allowed(check: Expression<'_>, column: i16) -> Versions {
    let is_column = |uuid: Expression<'_>| uuid.unrelabelled().column().is_some_and(|read| read.number == column);
    let is_version_of_column = |call: Call<'_>| version_7_of(call.callee, call.arguments).is_some_and(is_column);
    if let Some((combination, parts)) = check.combination() {
        let of_parts = parts.iter().map(|part| versions_allowed(*part, column));
        return match combination {
            pg_sys::BoolExprType::AND_EXPR => of_parts.max().unwrap_or(Versions::Any),
            pg_sys::BoolExprType::OR_EXPR => of_parts.min().unwrap_or(Versions::Any),
            _ if parts[0].distinct().is_some_and(is_version_of_column) => Versions::Seven,
            _ => Versions::Any,
        };
    }
    let is_time_of_column = |call: Call<'_>| {
        time_function(call.callee) == Some(TimeFunction::OfVersion7)
            && call.arguments.iter().any(|uuid| is_column(*uuid))
    };
    match check.null_test() {
        Some((tested, pg_sys::NullTestType::IS_NOT_NULL)) if tested.function().is_some_and(is_time_of_column) => {
            Versions::Seven
        }
        // `id IS NULL` is false for any UUID.
        Some((tested, pg_sys::NullTestType::IS_NULL)) if is_column(tested) => Versions::Seven,
        None if check.operator().is_some_and(is_version_of_column) => Versions::SevenOrNone,
        _ => Versions::Any,
    }
}

/// Whether a condition is `uuid_extract_version(uuid) = 7`.
pub fn tests_version_7(condition: Expression<'_>, uuid: Expression<'_>) -> bool {
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

/// Returns the domain `uuid_v7` if a type is that domain or a domain over it, and if the constraint of `uuid_v7` is validated.
pub fn version_7_domain(mut oid: pg_sys::Oid) -> Option<pg_sys::Oid> {
    while !is_built_in(oid.to_u32()) {
        let (base, schema) = Row::<pg_sys::FormData_pg_type>::read(&[oid.into()], |row| {
            // Bytes are compared, because the signedness of C's char depends on the platform.
            let is_domain = row.typtype.to_ne_bytes() == [pg_sys::TYPTYPE_DOMAIN];
            let name = row.typname.data.iter().flat_map(|byte| byte.to_ne_bytes()).take_while(|byte| *byte != 0);
            is_domain.then(|| (row.typbasetype, name.eq(*b"uuid_v7").then_some(row.typnamespace)))
        })??;
        let schema_of_extension = || PlannerFunction::TIME_OF_VERSION_7.find().map(lookup::get_func_namespace);
        if schema.is_none() || schema != schema_of_extension() {
            oid = base;
            continue;
        }
        if !has_validated_constraint(oid, c"uuid_v7_check") {
            await_constraint();
            return None;
        }
        return Some(oid);
    }
    None
}
