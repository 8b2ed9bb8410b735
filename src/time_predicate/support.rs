//! The planner support function of the operators that compare a UUID with a time, and of `uuid_recheck`. Other functions, which get
//! no answer, declare it only so that PostgreSQL loads the library before distributing a query's clauses.

use pgrx::datum::Internal;
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::bounds::{bounds_of, is_before_all};
use super::functions::OperatorFunction;
use super::operators::{Predicate, Side};
use super::reader::{Reader, reader_of};
use super::selectivity::recheck_selectivity;
use crate::planner::catalog::{PlannerFunction, lookup};
use crate::planner::expression::{Conjunction, all_of, null_test_of, truth_constant};
use crate::planner::planned::{Expression, Planned, list_of};
use crate::planner::structures::{depend_on_role, support_request};

#[pg_extern(sql = false)]
fn uuid_timestamptz_support(request: Internal) -> Internal {
    let answer = support_request(request).and_then(|request| {
        if let Some(request) = request.read::<pg_sys::SupportRequestSimplify>() {
            return simplify(request).map(Expression::as_ptr);
        }
        if let Some(request) = request.read::<pg_sys::SupportRequestIndexCondition>() {
            return index_condition(request).map(|list| list.cast());
        }
        let estimated = request.read::<pg_sys::SupportRequestSelectivity>()?;
        let is_recheck = PlannerFunction::RECHECK.is(estimated.funcid);
        is_recheck.then(|| estimated.set_selectivity(recheck_selectivity(estimated))).map(|()| request.as_ptr())
    });
    // "No answer" is a null pointer, not an SQL null.
    Internal::from(Some(answer.map_or(pg_sys::Datum::null(), pg_sys::Datum::from)))
}

fn simplify<'plan>(request: Planned<'plan, pg_sys::SupportRequestSimplify>) -> Option<Expression<'plan>> {
    let (root, call) = (request.root(), request.call()?);
    let (function, arguments) = (call.funcid, call.arguments());
    let Some(operator) = OperatorFunction::from_oid(function) else {
        // There is no `PlannerInfo` when PostgreSQL simplifies constraints and the predicates of indexes, or when TimescaleDB, at
        // the start of execution, simplifies clauses again to exclude chunks.
        let is_recheck = root.is_none() && PlannerFunction::RECHECK.is(function);
        return arguments.first().copied().filter(|_| is_recheck);
    };
    let (uuid, time) = operator.operands(arguments)?;
    let reader = reader_of(root, uuid);
    match operator.predicate {
        // The families contain these two comparisons, so they stay as they are.
        Predicate::Is(Side::Since) if reader == Reader::Families => return None,
        Predicate::Is(Side::Before) if reader == Reader::Families && !is_before_all(time) => return None,
        _ => {}
    }
    let parts = match bounds_of(uuid, operator.predicate, time, false, reader) {
        // The result is false, or null for a null UUID. In WHERE, the planner treats null as false.
        Some(Conjunction::Never) => Some(vec![null_test_of(uuid, pg_sys::NullTestType::IS_NULL), truth_constant(None)]),
        bounds => bounds.map(Conjunction::into_clauses),
    };
    depend_on_role(root);
    Some(all_of(&parts?))
}

/// Returns the clause as comparisons of UUIDs, for an index whose operator family supports these but not the clause itself.
fn index_condition(request: Planned<'_, pg_sys::SupportRequestIndexCondition>) -> Option<*mut pg_sys::List> {
    let call = request.call()?;
    let operator = OperatorFunction::from_oid(request.funcid)?;
    let (uuid, time) = operator.operands(call.operator_or_function()?.arguments)?;
    if usize::try_from(request.indexarg) != Ok(operator.uuid_argument) || !request.is_known(time) {
        return None;
    }
    let parts = bounds_of(uuid, operator.predicate, time, false, Reader::Uuids);
    depend_on_role(request.root());
    let Conjunction::All(parts) = parts? else { return None };
    let serves = |member| lookup::op_in_opfamily(member, request.opfamily);
    if !parts.iter().all(|part| part.operator().is_some_and(|call| serves(call.callee))) {
        return None;
    }
    // The index condition is exact, so the clause is not rechecked.
    request.set_lossy(false);
    Some(list_of(parts))
}
