//! The planner support function of the operators that compare a UUID with a time, and of `uuid_recheck`.

use pgrx::datum::Internal;
use pgrx::prelude::*;
use pgrx::{is_a, pg_sys};
use rfc9562::{Uuid, v7};

use super::bounds::{Bounds, comparisons};
use super::catalog::{PlannerFunction, depend_on_role, lookup, member, operator_function, with_c_symbol};
use super::expression::{Expression, all_of, expressions, list_of, null_test, truth_constant};
use super::members;
use super::planner::Planned;
use super::reader::{Reader, reader_of};
use super::selectivity::{operands, selectivity_of_recheck};
use super::{Predicate, Side};
use crate::datum::Timestamptz;

#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_support(request: Internal) -> Internal {
    let request = request.unwrap().map_or(std::ptr::null_mut(), |datum| datum.cast_mut_ptr::<pg_sys::Node>());
    // SAFETY: PostgreSQL calls a support function with a request node, whose tag tells its type.
    let answer: Option<*mut pg_sys::Node> = unsafe {
        if is_a(request, pg_sys::NodeTag::T_SupportRequestSimplify) {
            Planned::from_ptr(request.cast()).and_then(simplify).map(Expression::as_ptr)
        } else if is_a(request, pg_sys::NodeTag::T_SupportRequestIndexCondition) {
            Planned::from_ptr(request.cast()).and_then(index_condition).map(|list| list.cast())
        } else if is_a(request, pg_sys::NodeTag::T_SupportRequestSelectivity) {
            let asked = &mut *request.cast::<pg_sys::SupportRequestSelectivity>();
            is_recheck(asked.funcid).then(|| {
                asked.selectivity = selectivity_of_recheck(asked);
                request
            })
        } else {
            None
        }
    };
    // "No answer" is a null pointer, not an SQL null.
    Internal::from(Some(answer.map_or(pg_sys::Datum::null(), pg_sys::Datum::from)))
}

#[allow(unsafe_code)]
fn simplify<'plan>(request: Planned<'plan, pg_sys::SupportRequestSimplify>) -> Option<Expression<'plan>> {
    // SAFETY: the root is the planner's, or null; the call is a FuncExpr of one of the operators' functions.
    let (root, function, arguments) =
        unsafe { (Planned::from_ptr(request.root), (*request.fcall).funcid, expressions((*request.fcall).args)) };
    let compared = operator_function(function)?;
    let (uuid, time) = operands(compared, arguments)?;
    let reader = reader(root, function, uuid);
    let is_final =
        matches!(compared.predicate, Predicate::Is(Side::Before | Side::Since)) && reader == Reader::Families;
    if is_final && !is_before_1970(compared.predicate, time) {
        return None;
    }
    let parts = match Bounds::new(function, compared.predicate, time) {
        // False, but null of a null. In WHERE, the planner drops the null.
        Some(Bounds::Never) => Some(vec![null_test(uuid, pg_sys::NullTestType::IS_NULL), truth_constant(None)]),
        Some(Bounds::All(bounds)) => comparisons(function, &bounds, uuid, reader),
        None => None,
    };
    depend_on_role(root);
    Some(all_of(&parts?))
}

/// Whether a comparison is with a constant that no UUID precedes.
fn is_before_1970(predicate: Predicate, time: Expression<'_>) -> bool {
    predicate == Predicate::Is(Side::Before)
        && time.value::<Timestamptz>().is_some_and(|time| v7::lower_bound(time.saturated()) == Uuid::NIL)
}

/// Whether this is the recheck function, whose argument other clauses have already counted.
pub fn is_recheck(function: pg_sys::Oid) -> bool {
    with_c_symbol(function, |symbol| symbol == PlannerFunction::RECHECK.symbol) == Some(true)
}

/// For indexes of other access methods that support core's comparisons of UUIDs.
#[allow(unsafe_code)]
fn index_condition(request: Planned<'_, pg_sys::SupportRequestIndexCondition>) -> Option<*mut pg_sys::List> {
    // SAFETY: the node is the OpExpr or FuncExpr by which one of the operators' functions is called, the root is the planner's.
    let (root, node) = unsafe { (Planned::from_ptr(request.root), Expression::from_ptr(request.node)?) };
    let compared = operator_function(request.funcid)?;
    let (uuid, time) = operands(compared, node.operator().or_else(|| node.function())?.arguments)?;
    // SAFETY: the request's own root and index.
    let is_known = || unsafe { pg_sys::is_pseudo_constant_for_index(request.root, time.as_ptr(), request.index) };
    if usize::try_from(request.indexarg) != Ok(compared.uuid_argument) || !is_known() {
        return None;
    }
    let parts = match Bounds::new(request.funcid, compared.predicate, time) {
        Some(Bounds::All(bounds)) => comparisons(request.funcid, &bounds, uuid, Reader::Uuids),
        _ => None,
    };
    depend_on_role(root);
    let parts = parts?;
    let serves = |operator| lookup::op_in_opfamily(operator, request.opfamily);
    if !parts.iter().all(|part| part.operator().is_some_and(|call| serves(call.callee))) {
        return None;
    }
    // SAFETY: it says that the index decides alone.
    unsafe { request.change(|request| request.lossy = false) };
    Some(list_of(parts))
}

/// The reader of comparisons of the UUID. If the members of the operator family are missing, nothing can use them.
pub fn reader(root: Option<Planned<'_, pg_sys::PlannerInfo>>, function: pg_sys::Oid, uuid: Expression<'_>) -> Reader {
    let reader = reader_of(root, uuid.unrelabelled());
    if member(pg_sys::TIMESTAMPTZOID, pg_sys::BTLessStrategyNumber).is_none() {
        members::warn_of_missing(function);
        return reader.max(Reader::Uuids);
    }
    reader
}
