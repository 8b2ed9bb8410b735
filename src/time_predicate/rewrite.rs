//! The planner's support function: what a comparison with a time is rewritten to.
//!
//! Two comparisons stand for all: `id < t` and `id >= t`, where the instant t is a point between two UUIDs. They are members of
//! PostgreSQL's operator family of `uuid`, so indexes, partitions and proofs know them.
//!
//! ```text
//! id <= t              id < uuid_time_next(t)
//! id > t               id >= uuid_time_next(t)
//! id <@ '[a,b)'        id >= a AND id < b
//! id <@ r              id >= uuid_tstzrange_start(r) AND id <= uuidv7_upper_bound(r)
//! id < '1960-01-01'    false, or null where id is null
//! ```
//!
//! For readers that know no families ([`super::reader`]), and if the members are missing, the point becomes the first
//! UUID after it:
//!
//! ```text
//! id < t               id < uuidv7_lower_bound(t)
//! id >= t              id >= uuidv7_lower_bound(t)
//! ```
//!
//! The result for a constant is a constant.

use pgrx::datum::Internal;
use pgrx::prelude::*;
use pgrx::{PgList, is_a, pg_sys};
use rfc9562::{Uuid, v7};

use super::catalog::{PlannerFunction, depend_on_role, form_of_function, member, with_c_symbol};
use super::nodes::{
    Expression, all_of, call_of, compared, expressions, list_of, null_test, time_constant, truth_constant,
    uuid_constant,
};
use super::reader::{Reader, reader_of};
use super::selectivity::{operands, share_of_recheck};
use super::{Form, PointSide, Predicate, Side, members};
use crate::datum::{Timestamptz, Tstzrange};

/// The support function of all the predicates' functions.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_support(request: Internal) -> Internal {
    let request = request.unwrap().map_or(std::ptr::null_mut(), |datum| datum.cast_mut_ptr::<pg_sys::Node>());
    // SAFETY: PostgreSQL calls a support function with a request node, whose tag tells its type.
    let answer: Option<*mut pg_sys::Node> = unsafe {
        if is_a(request, pg_sys::NodeTag::T_SupportRequestSimplify) {
            simplify(&*request.cast()).map(Expression::as_ptr)
        } else if is_a(request, pg_sys::NodeTag::T_SupportRequestIndexCondition) {
            index_condition(&mut *request.cast()).map(|list| list.cast())
        } else if is_a(request, pg_sys::NodeTag::T_SupportRequestSelectivity) {
            let asked = &mut *request.cast::<pg_sys::SupportRequestSelectivity>();
            is_recheck(asked.funcid).then(|| {
                asked.selectivity = share_of_recheck(asked);
                request
            })
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
unsafe fn simplify<'plan>(request: &pg_sys::SupportRequestSimplify) -> Option<Expression<'plan>> {
    // SAFETY: the call is a FuncExpr of one of the predicates' functions.
    let (function, arguments) = unsafe { ((*request.fcall).funcid, expressions((*request.fcall).args)) };
    let form = form_of_function(function)?;
    let (uuid, time) = operands(form, arguments)?;
    // SAFETY: the root of a request is the planner's, or null.
    let reader = unsafe { reader(request.root, function, uuid) };
    if is_kept(form, time, reader) {
        return None;
    }
    let parts = points(function, form.predicate, time).and_then(|points| spelled(function, &points, uuid, reader));
    // SAFETY: the root of a request is the planner's, or null.
    unsafe { depend_on_role(request.root) };
    Some(all_of(&parts?))
}

/// Whether this function only hands on what other conditions have counted.
pub fn is_recheck(function: pg_sys::Oid) -> bool {
    with_c_symbol(function, |symbol| symbol == PlannerFunction::RECHECK.symbol) == Some(true)
}

/// For indexes of other access methods that support core's comparisons of UUIDs.
///
/// # Safety
/// The request must be PostgreSQL's.
#[allow(unsafe_code)]
unsafe fn index_condition(request: &mut pg_sys::SupportRequestIndexCondition) -> Option<*mut pg_sys::List> {
    // SAFETY: the node is the OpExpr or FuncExpr by which one of the predicates' functions is called.
    let node = unsafe { Expression::of(request.node)? };
    let form = form_of_function(request.funcid)?;
    let (uuid, time) = operands(form, node.operator().or_else(|| node.function())?.arguments)?;
    if usize::try_from(request.indexarg) != Ok(form.uuid_argument) {
        return None;
    }
    // SAFETY: the request's own root and index.
    if !unsafe { pg_sys::is_pseudo_constant_for_index(request.root, time.as_ptr(), request.index) } {
        return None;
    }
    let points = points(request.funcid, form.predicate, time);
    let parts = points.and_then(|points| spelled(request.funcid, &points, uuid, Reader::Uuids));
    // SAFETY: the root of a request is the planner's.
    unsafe { depend_on_role(request.root) };
    let parts = parts?;
    // SAFETY: a lookup by OIDs.
    let serves = |operator| unsafe { pg_sys::op_in_opfamily(operator, request.opfamily) };
    if !parts.iter().all(|part| part.operator().is_some_and(|call| serves(call.callee))) {
        return None;
    }
    request.lossy = false;
    Some(list_of(parts))
}

/// What reads the rewritten comparison.
///
/// # Safety
/// The root must be the planner's, or null.
#[allow(unsafe_code)]
pub unsafe fn reader(root: *mut pg_sys::PlannerInfo, function: pg_sys::Oid, uuid: Expression<'_>) -> Reader {
    // SAFETY: the root is the planner's, or null, as the caller says.
    let reader = unsafe { reader_of(root, uuid.unrelabelled()) };
    if member(pg_sys::TIMESTAMPTZOID, pg_sys::BTLessStrategyNumber).is_none() {
        members::warn_of_missing(function);
        return reader.max(Reader::Uuids);
    }
    reader
}

/// Whether a comparison is in its final form already.
fn is_kept(form: Form, time: Expression<'_>, reader: Reader) -> bool {
    let Predicate::Is(side @ (Side::Before | Side::Since)) = form.predicate else { return false };
    let constant = time.value::<Timestamptz>();
    reader == Reader::Families && !constant.is_some_and(|time| matches!(constant_point(side, time), Point::Never))
}

/// A comparison with a point.
#[derive(Clone, Copy, Debug)]
pub enum Point<'plan> {
    Constant(PointSide, Timestamptz),
    /// An expression of type `timestamptz`.
    Expression(PointSide, Expression<'plan>),
    /// The first UUID within an expression of type `tstzrange`, and its start.
    StartOf(Expression<'plan>),
    /// The last UUID within an expression of type `tstzrange`.
    EndOf(Expression<'plan>),
    /// False, but null of a null UUID.
    Never,
}

/// The comparisons that together mean the same as the predicate. `function` is one of the extension's, beside which others are found;
/// `time` what its predicate compares a UUID with.
pub fn points<'plan>(
    function: pg_sys::Oid,
    predicate: Predicate,
    time: Expression<'plan>,
) -> Option<Vec<Point<'plan>>> {
    Some(match predicate {
        Predicate::Is(side) if time.is_constant() => vec![constant_point(side, time.value()?)],
        Predicate::Is(side) => {
            let (side, next) = side.of_point();
            let time = if next { call_of(PlannerFunction::NEXT, function, &[time])? } else { time };
            vec![Point::Expression(side, time)]
        }
        Predicate::Within if time.is_constant() => match time.value::<Tstzrange>()?.0 {
            None => vec![Point::Never],
            Some((from, to)) => {
                let ends = [Side::of_lower(from), Side::of_upper(to)];
                let points: Vec<_> =
                    ends.into_iter().flatten().map(|(side, time)| constant_point(side, time)).collect();
                if points.is_empty() { vec![constant_point(Side::Since, Timestamptz(i64::MIN))] } else { points }
            }
        },
        Predicate::Within => {
            if !is_repeatable(time) {
                return None;
            }
            vec![Point::StartOf(time), Point::EndOf(time.copied())]
        }
    })
}

fn constant_point<'plan>(side: Side, time: Timestamptz) -> Point<'plan> {
    let (side, next) = side.of_point();
    let time = if next { time.next() } else { time };
    // No UUID is before an instant before 1970.
    if side == PointSide::Before && v7::lower_bound(time.saturated()) == Uuid::NIL {
        Point::Never
    } else {
        Point::Constant(side, time)
    }
}

/// Whether an expression may be in a plan twice: it is not volatile, and a subquery in it gives the same result each
/// time. Only a simple subquery surely does: it reads tables only, picks no rows out of several, and does not use the
/// outer row.
fn is_repeatable(expression: Expression<'_>) -> bool {
    if expression.is_volatile() {
        false
    } else if !expression.has_subquery() {
        true
    } else if let Some(call) = expression.function() {
        call.arguments.iter().all(|argument| is_repeatable(*argument))
    } else {
        expression.subquery().is_some_and(is_simple)
    }
}

#[allow(unsafe_code)]
fn is_simple(query: &pg_sys::Query) -> bool {
    // SAFETY: a query that was analysed has a list of its tables; it is only read.
    unsafe {
        let of_tables = PgList::<pg_sys::RangeTblEntry>::from_pg(query.rtable).iter_ptr().all(|table| {
            let table = &*table;
            let kinds = [
                pg_sys::RTEKind::RTE_RELATION,
                pg_sys::RTEKind::RTE_JOIN,
                pg_sys::RTEKind::RTE_RESULT,
                #[cfg(group_tables)]
                pg_sys::RTEKind::RTE_GROUP,
            ];
            kinds.contains(&table.rtekind) && table.tablesample.is_null()
        });
        of_tables
            && query.setOperations.is_null()
            && query.limitCount.is_null()
            && query.limitOffset.is_null()
            && !query.hasDistinctOn
            && !query.hasWindowFuncs
            && !query.hasSubLinks
            && query.rowMarks.is_null()
            && !pg_sys::contain_vars_of_level(std::ptr::from_ref(query).cast_mut().cast(), 1)
    }
}

/// Writes comparisons of this UUID. `function` is one of the extension's.
pub fn spelled<'plan>(
    function: pg_sys::Oid,
    points: &[Point<'plan>],
    uuid: Expression<'plan>,
    reader: Reader,
) -> Option<Vec<Expression<'plan>>> {
    if points.len() > 1 && (uuid.is_volatile() || uuid.has_subquery()) {
        return None;
    }
    let mut parts = Vec::with_capacity(points.len());
    for point in points {
        let uuid = if parts.is_empty() { uuid } else { uuid.copied() };
        let call = |callee, argument| call_of(callee, function, &[argument]);
        parts.push(match *point {
            Point::Never => never(uuid),
            Point::Constant(side, time) => {
                let boundary = v7::lower_bound(time.saturated());
                let is_version_7 = boundary != Uuid::NIL && boundary != Uuid::MAX;
                if reader == Reader::Families || reader == Reader::Children && !is_version_7 {
                    compared(uuid, strategy(side), time_constant(time))?
                } else {
                    compared(uuid, strategy(side), uuid_constant(boundary))?
                }
            }
            Point::Expression(side, time) if reader == Reader::Families => compared(uuid, strategy(side), time)?,
            Point::Expression(side, time) => compared(uuid, strategy(side), call(PlannerFunction::LOWER_BOUND, time)?)?,
            Point::StartOf(range) => {
                let by_time = reader == Reader::Families;
                let start =
                    if by_time { PlannerFunction::START_OF_RANGE } else { PlannerFunction::LOWER_BOUND_OF_RANGE };
                compared(uuid, strategy(PointSide::Since), call(start, range)?)?
            }
            // Also by its last UUID, since an unbounded range contains the Max UUID, and no instant is after that.
            Point::EndOf(range) => {
                let last = call(PlannerFunction::UPPER_BOUND_OF_RANGE, range)?;
                compared(uuid, pg_sys::BTLessEqualStrategyNumber, last)?
            }
        });
    }
    Some(parts)
}

/// The btree strategy of the comparison.
fn strategy(side: PointSide) -> u32 {
    match side {
        PointSide::Before => pg_sys::BTLessStrategyNumber,
        PointSide::Since => pg_sys::BTGreaterEqualStrategyNumber,
    }
}

/// `id IS NULL AND NULL`, which is false or null. In a WHERE clause the planner drops the NULL.
fn never(uuid: Expression<'_>) -> Expression<'_> {
    all_of(&[null_test(uuid, pg_sys::NullTestType::IS_NULL), truth_constant(None)])
}
