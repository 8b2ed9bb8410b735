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

use super::catalog::{PlannerFunction, form_of_function, member, uuid_operator};
use super::nodes::{list_of, null_test, time_constant, unrelabelled, uuid_constant};
use super::reader::{Reader, reader_of};
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
        let reader = reader(request.root, call.funcid, uuid);
        if is_kept(form, time, reader) {
            return None;
        }
        let points = points(call.funcid, form.predicate, time)?;
        let parts = spelled(call.funcid, &points, uuid, reader)?;
        Some(match parts.len() {
            1 => parts.head()?,
            _ => pg_sys::make_andclause(parts.into_pg()).cast(),
        })
    }
}

/// For indexes of other access methods that support core's comparisons of UUIDs.
///
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
        let points = points(request.funcid, form.predicate, time)?;
        let parts = spelled(request.funcid, &points, uuid, Reader::Uuids)?;
        for part in parts.iter_ptr() {
            if !is_a(part, pg_sys::NodeTag::T_OpExpr)
                || !pg_sys::op_in_opfamily((*part.cast::<pg_sys::OpExpr>()).opno, request.opfamily)
            {
                return None;
            }
        }
        request.lossy = false;
        Some(parts.into_pg())
    }
}

/// The UUID and the time, or the range of time, that a predicate compares; without domains that have no constraint.
///
/// # Safety
/// The list must be the arguments of a function or operator.
#[allow(unsafe_code)]
pub unsafe fn operands(form: Form, arguments: *mut pg_sys::List) -> Option<(*mut pg_sys::Node, *mut pg_sys::Node)> {
    // SAFETY: arguments are a list of nodes.
    let arguments = unsafe { PgList::<pg_sys::Node>::from_pg(arguments) };
    let (uuid, time) = (arguments.get_ptr(form.uuid_argument)?, arguments.get_ptr(1 - form.uuid_argument)?);
    // SAFETY: the planner's nodes.
    Some(unsafe { (uuid, unrelabelled(time)) })
}

/// What reads the rewritten comparison.
///
/// # Safety
/// The root must be the planner's or null, the node an expression.
#[allow(unsafe_code)]
pub unsafe fn reader(root: *mut pg_sys::PlannerInfo, function: pg_sys::Oid, uuid: *mut pg_sys::Node) -> Reader {
    // SAFETY: the caller's contract.
    let reader = unsafe { reader_of(root, unrelabelled(uuid)) };
    if member(pg_sys::TIMESTAMPTZOID, pg_sys::BTLessStrategyNumber).is_none() {
        members::warn_of_missing(function);
        return reader.max(Reader::Uuids);
    }
    reader
}

/// Whether a comparison is in its final form already.
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
unsafe fn is_kept(form: Form, time: *mut pg_sys::Node, reader: Reader) -> bool {
    let Predicate::Is(side @ (Side::Before | Side::Since)) = form.predicate else { return false };
    // SAFETY: the caller's contract; a constant has the type of the argument it stands for.
    let constant = unsafe { constant::<Timestamptz>(time) };
    reader == Reader::Families && !constant.is_some_and(|time| matches!(constant_point(side, time), Point::Never))
}

/// The value of a constant that is not null.
///
/// # Safety
/// The node must be an expression of this type.
#[allow(unsafe_code)]
pub unsafe fn constant<T: FromDatum>(expression: *mut pg_sys::Node) -> Option<T> {
    // SAFETY: the caller's contract.
    unsafe {
        if !is_a(expression, pg_sys::NodeTag::T_Const) {
            return None;
        }
        let constant = &*expression.cast::<pg_sys::Const>();
        T::from_datum(constant.constvalue, constant.constisnull)
    }
}

/// A comparison with a point.
#[derive(Clone, Copy, Debug)]
pub enum Point {
    Constant(PointSide, Timestamptz),
    /// An expression of type `timestamptz`.
    Expression(PointSide, *mut pg_sys::Node),
    /// The first UUID within an expression of type `tstzrange`, and its start.
    StartOf(*mut pg_sys::Node),
    /// The last UUID within an expression of type `tstzrange`.
    EndOf(*mut pg_sys::Node),
    /// False, but null of a null UUID.
    Never,
}

/// The comparisons that together mean the same as the predicate.
///
/// # Safety
/// `function` must be one of the extension's, the node what its predicate compares a UUID with.
#[allow(unsafe_code)]
pub unsafe fn points(function: pg_sys::Oid, predicate: Predicate, time: *mut pg_sys::Node) -> Option<Vec<Point>> {
    // SAFETY: the caller's contract; a constant has the type of the argument it stands for.
    unsafe {
        let is_constant = is_a(time, pg_sys::NodeTag::T_Const);
        Some(match predicate {
            Predicate::Is(side) if is_constant => vec![constant_point(side, constant(time)?)],
            Predicate::Is(side) => {
                let (side, next) = side.of_point();
                let time = if next { call_of(PlannerFunction::NEXT, function, time)? } else { time };
                vec![Point::Expression(side, time)]
            }
            Predicate::Within if is_constant => match constant::<Tstzrange>(time)?.0 {
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
                vec![Point::StartOf(time), Point::EndOf(pg_sys::copyObjectImpl(time.cast()).cast())]
            }
        })
    }
}

fn constant_point(side: Side, time: Timestamptz) -> Point {
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
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
unsafe fn is_repeatable(expression: *mut pg_sys::Node) -> bool {
    // SAFETY: the caller's contract; a node is read as what its tag says.
    unsafe {
        if pg_sys::contain_volatile_functions(expression) {
            false
        } else if !pg_sys::contain_subplans(expression) {
            true
        } else if is_a(expression, pg_sys::NodeTag::T_FuncExpr) {
            let arguments = PgList::<pg_sys::Node>::from_pg((*expression.cast::<pg_sys::FuncExpr>()).args);
            arguments.iter_ptr().all(|argument| is_repeatable(argument))
        } else if is_a(expression, pg_sys::NodeTag::T_SubLink) {
            let link = &*expression.cast::<pg_sys::SubLink>();
            link.subLinkType == pg_sys::SubLinkType::EXPR_SUBLINK && is_simple(link.subselect.cast())
        } else {
            false
        }
    }
}

/// # Safety
/// The query must be one that was analysed.
#[allow(unsafe_code)]
unsafe fn is_simple(query: *mut pg_sys::Query) -> bool {
    // SAFETY: the caller's contract; lists of the types that a query has.
    unsafe {
        let of_tables = PgList::<pg_sys::RangeTblEntry>::from_pg((*query).rtable).iter_ptr().all(|table| {
            let table = &*table;
            let kinds = [
                pg_sys::RTEKind::RTE_RELATION,
                pg_sys::RTEKind::RTE_JOIN,
                pg_sys::RTEKind::RTE_RESULT,
                #[cfg(any(feature = "pg18", feature = "pg19"))]
                pg_sys::RTEKind::RTE_GROUP,
            ];
            kinds.contains(&table.rtekind) && table.tablesample.is_null()
        });
        of_tables
            && (*query).setOperations.is_null()
            && (*query).limitCount.is_null()
            && (*query).limitOffset.is_null()
            && !(*query).hasDistinctOn
            && !(*query).hasWindowFuncs
            && !(*query).hasSubLinks
            && (*query).rowMarks.is_null()
            && !pg_sys::contain_vars_of_level(query.cast(), 1)
    }
}

/// Writes comparisons of this UUID.
///
/// # Safety
/// `function` must be one of the extension's, the node a UUID.
#[allow(unsafe_code)]
pub unsafe fn spelled(
    function: pg_sys::Oid,
    points: &[Point],
    uuid: *mut pg_sys::Node,
    reader: Reader,
) -> Option<PgList<pg_sys::Node>> {
    // SAFETY: the caller's contract.
    unsafe {
        if points.len() > 1 && (pg_sys::contain_volatile_functions(uuid) || pg_sys::contain_subplans(uuid)) {
            return None;
        }
        let mut parts = PgList::new();
        for point in points {
            let uuid = if parts.is_empty() { uuid } else { pg_sys::copyObjectImpl(uuid.cast()).cast() };
            let by_uuid = |strategy, boundary| comparison(uuid_operator(strategy), uuid, boundary);
            let by_time = |strategy, time| {
                member(pg_sys::TIMESTAMPTZOID, strategy).map(|operator| comparison(operator, uuid, time))
            };
            parts.push(match *point {
                Point::Never => never(uuid),
                Point::Constant(side, time) => {
                    let boundary = v7::lower_bound(time.saturated());
                    let is_version_7 = boundary != Uuid::NIL && boundary != Uuid::MAX;
                    if reader == Reader::Families || reader == Reader::Children && !is_version_7 {
                        by_time(strategy(side), time_constant(time))?
                    } else {
                        by_uuid(strategy(side), uuid_constant(boundary))
                    }
                }
                Point::Expression(side, time) if reader == Reader::Families => by_time(strategy(side), time)?,
                Point::Expression(side, time) => {
                    by_uuid(strategy(side), call_of(PlannerFunction::LOWER_BOUND, function, time)?)
                }
                Point::StartOf(range) if reader == Reader::Families => {
                    by_time(strategy(PointSide::Since), call_of(PlannerFunction::START_OF_RANGE, function, range)?)?
                }
                Point::StartOf(range) => by_uuid(
                    strategy(PointSide::Since),
                    call_of(PlannerFunction::LOWER_BOUND_OF_RANGE, function, range)?,
                ),
                // Also by its last UUID, since an unbounded range contains the Max UUID, and no instant is after that.
                Point::EndOf(range) => by_uuid(
                    pg_sys::BTLessEqualStrategyNumber,
                    call_of(PlannerFunction::UPPER_BOUND_OF_RANGE, function, range)?,
                ),
            });
        }
        Some(parts)
    }
}

/// The btree strategy of the comparison.
fn strategy(side: PointSide) -> u32 {
    match side {
        PointSide::Before => pg_sys::BTLessStrategyNumber,
        PointSide::Since => pg_sys::BTGreaterEqualStrategyNumber,
    }
}

/// # Safety
/// The operator must take what the nodes are and return a boolean.
#[allow(unsafe_code)]
unsafe fn comparison(operator: pg_sys::Oid, left: *mut pg_sys::Node, right: *mut pg_sys::Node) -> *mut pg_sys::Node {
    // SAFETY: the caller's contract.
    unsafe {
        let comparison = pg_sys::make_opclause(
            operator,
            pg_sys::BOOLOID,
            false,
            left.cast(),
            right.cast(),
            pg_sys::InvalidOid,
            pg_sys::InvalidOid,
        );
        pg_sys::set_opfuncid(comparison.cast());
        comparison.cast()
    }
}

/// `id IS NULL AND NULL`, which is false or null. In a WHERE clause the planner drops the NULL.
///
/// # Safety
/// The node must be an expression of type `uuid`.
#[allow(unsafe_code)]
unsafe fn never(uuid: *mut pg_sys::Node) -> *mut pg_sys::Node {
    // SAFETY: the caller's contract.
    unsafe {
        let test = null_test(uuid, pg_sys::NullTestType::IS_NULL);
        pg_sys::make_andclause(list_of(&[test, pg_sys::makeBoolConst(false, true)])).cast()
    }
}

/// A call of this function, which stands beside another one of the extension.
///
/// # Safety
/// The function must take what the node is.
#[allow(unsafe_code)]
pub unsafe fn call_of(
    function: PlannerFunction,
    sibling: pg_sys::Oid,
    argument: *mut pg_sys::Node,
) -> Option<*mut pg_sys::Node> {
    let oid = function.in_schema_of(sibling)?;
    let mut arguments = PgList::new();
    arguments.push(argument);
    // SAFETY: the caller's contract.
    Some(unsafe {
        pg_sys::makeFuncExpr(
            oid,
            function.result,
            arguments.into_pg(),
            pg_sys::InvalidOid,
            pg_sys::InvalidOid,
            pg_sys::CoercionForm::COERCE_EXPLICIT_CALL,
        )
        .cast()
    })
}
