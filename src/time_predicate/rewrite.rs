//! The planner's support function: comparisons of UUIDs in the place of a comparison with a time.
//!
//! A column is compared with boundary UUIDs by core's own operators, so that all that PostgreSQL can do with a `uuid`
//! column it can do with its time. A boundary is a constant where the time is one, and a call around the time where
//! it becomes known later (`now() - interval '1 day'`, a parameter, a column of another table).
//!
//! - Of an ordinary table the condition stays what it is and the boundaries are handed to its indexes only
//!   (`SupportRequestIndexCondition`): the condition has the better estimate, [`super::selectivity`]'s. Core cannot
//!   interpolate between two UUIDs.
//! - Where partitions or children may be excluded, the boundaries replace the condition (`SupportRequestSimplify`),
//!   since only core's operators can exclude them.

use pgrx::datum::Internal;
use pgrx::prelude::*;
use pgrx::{PgList, is_a, pg_sys};

use super::catalog::{BoundaryFunction, column_can_prune, form_of_function, has_children, uuid_operator};
use super::{Form, Predicate, Side};
use crate::datum::{Timestamptz, Tstzrange, uuid_datum};

/// The support function of all the predicates' functions.
#[pg_extern(immutable, strict, parallel_safe, sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_support(request: Internal) -> Internal {
    let request = request.unwrap().map_or(std::ptr::null_mut(), |datum| datum.cast_mut_ptr::<pg_sys::Node>());
    // SAFETY: PostgreSQL calls a support function with a request node, whose tag tells its type.
    let answer: Option<*mut pg_sys::Node> = unsafe {
        if is_a(request, pg_sys::NodeTag::T_SupportRequestSimplify) {
            simplify(&*request.cast())
        } else if is_a(request, pg_sys::NodeTag::T_SupportRequestIndexCondition) {
            index_condition(&mut *request.cast()).map(|list| list.cast())
        } else {
            None
        }
    };
    // "No answer" is a null pointer, not an SQL null.
    Internal::from(Some(answer.map_or(pg_sys::Datum::null(), pg_sys::Datum::from)))
}

/// # Safety
/// The request must be PostgreSQL's.
#[allow(unsafe_code)]
unsafe fn simplify(request: &pg_sys::SupportRequestSimplify) -> Option<*mut pg_sys::Node> {
    // SAFETY: the call is a FuncExpr of one of the predicates' functions.
    unsafe {
        let call = &*request.fcall;
        let form = form_of_function(call.funcid)?;
        let (uuid, time) = operands(form, call.args)?;
        if !can_exclude_children(request.root, uuid) {
            return None;
        }
        let comparisons = comparisons(call.funcid, form.predicate, uuid, time)?;
        Some(match comparisons.len() {
            1 => comparisons.head()?,
            _ => pg_sys::make_andclause(comparisons.into_pg()).cast(),
        })
    }
}

/// # Safety
/// The request must be PostgreSQL's.
#[allow(unsafe_code)]
unsafe fn index_condition(request: &mut pg_sys::SupportRequestIndexCondition) -> Option<*mut pg_sys::List> {
    // SAFETY: the node is the OpExpr or FuncExpr by which one of the predicates' functions is called.
    unsafe {
        let form = form_of_function(request.funcid)?;
        let arguments = if is_a(request.node, pg_sys::NodeTag::T_OpExpr) {
            (*request.node.cast::<pg_sys::OpExpr>()).args
        } else if is_a(request.node, pg_sys::NodeTag::T_FuncExpr) {
            (*request.node.cast::<pg_sys::FuncExpr>()).args
        } else {
            return None;
        };
        let (uuid, time) = operands(form, arguments)?;
        if usize::try_from(request.indexarg) != Ok(form.uuid_argument)
            || !pg_sys::is_pseudo_constant_for_index(request.root, time, request.index)
        {
            return None;
        }
        let comparisons = comparisons(request.funcid, form.predicate, uuid, time)?;
        for comparison in comparisons.iter_ptr() {
            if !pg_sys::op_in_opfamily((*comparison.cast::<pg_sys::OpExpr>()).opno, request.opfamily) {
                return None;
            }
        }
        request.lossy = false;
        Some(comparisons.into_pg())
    }
}

/// The UUID and the time, or the range of time, that a predicate compares; the last without its domain.
///
/// # Safety
/// The list must be the arguments of a function or operator.
#[allow(unsafe_code)]
pub unsafe fn operands(form: Form, arguments: *mut pg_sys::List) -> Option<(*mut pg_sys::Node, *mut pg_sys::Node)> {
    // SAFETY: arguments are a list of nodes.
    let arguments = unsafe { PgList::<pg_sys::Node>::from_pg(arguments) };
    let (uuid, time) = (arguments.get_ptr(form.uuid_argument)?, arguments.get_ptr(1 - form.uuid_argument)?);
    // SAFETY: the planner's nodes.
    Some((uuid, unsafe { unrelabelled(time) }))
}

/// What is of a domain without a constraint, in its base type.
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
unsafe fn unrelabelled(mut expression: *mut pg_sys::Node) -> *mut pg_sys::Node {
    // SAFETY: a node is read as what its tag says.
    unsafe {
        while is_a(expression, pg_sys::NodeTag::T_RelabelType) {
            expression = (*expression.cast::<pg_sys::RelabelType>()).arg.cast();
        }
    }
    expression
}

/// Whether core can leave out children of a table for comparisons of this expression.
///
/// # Safety
/// The root must be the planner's, or null.
#[allow(unsafe_code)]
unsafe fn can_exclude_children(root: *mut pg_sys::PlannerInfo, expression: *mut pg_sys::Node) -> bool {
    // SAFETY: nodes are read as what their tags say. `simple_rte_array` has `simple_rel_array_size` members, of which
    // the first is unused, and before it exists the query's own list of tables has what it will hold.
    unsafe {
        let Some(root) = root.as_ref() else { return false };
        let column = unrelabelled(expression);
        if !is_a(column, pg_sys::NodeTag::T_Var) {
            return false;
        }
        let column = &*column.cast::<pg_sys::Var>();
        let Ok(number) = usize::try_from(column.varno) else { return false };
        if column.varlevelsup != 0 || number == 0 {
            return false;
        }
        let table = if root.simple_rte_array.is_null() {
            PgList::<pg_sys::RangeTblEntry>::from_pg((*root.parse).rtable).get_ptr(number - 1)
        } else if usize::try_from(root.simple_rel_array_size).is_ok_and(|size| number < size) {
            Some(*root.simple_rte_array.add(number))
        } else {
            None
        };
        let Some(table) = table.and_then(|table| table.as_ref()) else { return false };
        // Of the target of an INSERT no child can be left out, and the arbiter of ON CONFLICT is found by its predicate.
        if table.rtekind != pg_sys::RTEKind::RTE_RELATION || !table.inh {
            return false;
        }
        if table.relkind.cast_unsigned() == pg_sys::RELKIND_PARTITIONED_TABLE {
            column_can_prune(table.relid, column.varattno)
        } else {
            // Children by inheritance are excluded by their constraints.
            has_children(table.relid)
        }
    }
}

/// Comparisons of UUIDs which together say what the predicate says, one or two: both null where it is null.
///
/// # Safety
/// `function` must be one of the extension's, the nodes a UUID and what the predicate compares it with.
#[allow(unsafe_code)]
unsafe fn comparisons(
    function: pg_sys::Oid,
    predicate: Predicate,
    uuid: *mut pg_sys::Node,
    time: *mut pg_sys::Node,
) -> Option<PgList<pg_sys::Node>> {
    // SAFETY: the caller's contract; a constant has the type of the argument it stands for.
    unsafe {
        let constant = match is_a(time, pg_sys::NodeTag::T_Const) {
            true => Some(&*time.cast::<pg_sys::Const>()),
            false => None,
        };
        if constant.is_some_and(|constant| constant.constisnull) {
            return None;
        }
        let boundaries = match (predicate, constant) {
            (Predicate::Is(side), Some(constant)) => {
                let time = Timestamptz::from_datum(constant.constvalue, false)?;
                vec![(strategy(side), uuid_constant(side.boundary(time)))]
            }
            (Predicate::Within, Some(constant)) => {
                boundaries_of_range(Tstzrange::from_datum(constant.constvalue, false)?)
            }
            (Predicate::Is(side), None) => {
                let boundary = match side {
                    Side::Before | Side::Since => BoundaryFunction::LOWER,
                    Side::Until | Side::After => BoundaryFunction::UPPER,
                };
                vec![(strategy(side), call(boundary.beside(function)?, time))]
            }
            // Twice in the plan, the range must be the same both times.
            (Predicate::Within, None) if is_repeatable(time) => {
                let from = call(BoundaryFunction::LOWER_OF_RANGE.beside(function)?, time);
                let to = call(
                    BoundaryFunction::UPPER_OF_RANGE.beside(function)?,
                    pg_sys::copyObjectImpl(time.cast()).cast(),
                );
                vec![(strategy(Side::Since), from), (strategy(Side::Until), to)]
            }
            (Predicate::Within, None) => return None,
        };
        if boundaries.len() > 1 && !is_repeatable(uuid) {
            return None;
        }
        let mut comparisons = PgList::new();
        for (strategy, boundary) in boundaries {
            let uuid = if comparisons.is_empty() { uuid } else { pg_sys::copyObjectImpl(uuid.cast()).cast() };
            let comparison = pg_sys::make_opclause(
                uuid_operator(strategy),
                pg_sys::BOOLOID,
                false,
                uuid.cast(),
                boundary.cast(),
                pg_sys::InvalidOid,
                pg_sys::InvalidOid,
            );
            pg_sys::set_opfuncid(comparison.cast());
            comparisons.push(comparison.cast());
        }
        Some(comparisons)
    }
}

/// Btree strategies and boundaries of a range of time. The empty range and the unbounded one need one each, so that a
/// null UUID stays neither within nor without.
fn boundaries_of_range(range: Tstzrange) -> Vec<(u32, *mut pg_sys::Node)> {
    let Some((from, to)) = range.0 else {
        return vec![(pg_sys::BTLessStrategyNumber, uuid_constant(rfc9562::Uuid::NIL))];
    };
    let sides = [Side::of_lower(from), Side::of_upper(to)];
    let boundaries: Vec<_> =
        sides.into_iter().flatten().map(|(side, time)| (strategy(side), uuid_constant(side.boundary(time)))).collect();
    if boundaries.is_empty() {
        return vec![(pg_sys::BTGreaterEqualStrategyNumber, uuid_constant(rfc9562::Uuid::NIL))];
    }
    boundaries
}

/// The btree strategy of the operator on UUIDs with the same name.
fn strategy(side: Side) -> u32 {
    match side {
        Side::Before => pg_sys::BTLessStrategyNumber,
        Side::Until => pg_sys::BTLessEqualStrategyNumber,
        Side::Since => pg_sys::BTGreaterEqualStrategyNumber,
        Side::After => pg_sys::BTGreaterStrategyNumber,
    }
}

/// Whether an expression may be computed more than once in the place of once.
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
unsafe fn is_repeatable(expression: *mut pg_sys::Node) -> bool {
    // SAFETY: the caller's contract.
    unsafe { !pg_sys::contain_volatile_functions(expression) && !pg_sys::contain_subplans(expression) }
}

#[allow(unsafe_code)]
pub fn uuid_constant(uuid: rfc9562::Uuid) -> *mut pg_sys::Node {
    // SAFETY: the datum is a uuid: 16 bytes by reference.
    unsafe { pg_sys::makeConst(pg_sys::UUIDOID, -1, pg_sys::InvalidOid, 16, uuid_datum(uuid), false, false).cast() }
}

/// # Safety
/// The function must return a uuid and take what the node is.
#[allow(unsafe_code)]
unsafe fn call(function: pg_sys::Oid, argument: *mut pg_sys::Node) -> *mut pg_sys::Node {
    let mut arguments = PgList::new();
    arguments.push(argument);
    // SAFETY: the caller's contract.
    unsafe {
        pg_sys::makeFuncExpr(
            function,
            pg_sys::UUIDOID,
            arguments.into_pg(),
            pg_sys::InvalidOid,
            pg_sys::InvalidOid,
            pg_sys::CoercionForm::COERCE_EXPLICIT_CALL,
        )
        .cast()
    }
}
