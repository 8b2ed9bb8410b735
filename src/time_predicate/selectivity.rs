//! How many rows pass a comparison with a time, from the statistics of the `uuid` column.
//!
//! ANALYZE keeps a histogram: some hundred UUIDs between which lie equally many rows. Core cannot interpolate between
//! two UUIDs and takes the middle for every boundary between them, so that of a year of keys in 100 bins its answer for
//! a day is nothing or three and a half days. Read as a number, a time-ordered UUID grows evenly with its time, and a
//! random one is even anyway: here a boundary is placed between its neighbours in proportion.
//!
//! A condition `id >= a AND id < b` is estimated as one: the share of the window between a and b. The planner asks for
//! each comparison by itself and multiplies, so the first one answers for all that are combined with it by AND, and the
//! others answer 1.

use pgrx::datum::Internal;
use pgrx::prelude::*;
use pgrx::{PgList, is_a, pg_sys};
use rfc9562::window::Window;

use super::catalog::{form_of_function, uuid_operator};
use super::rewrite::{operands, uuid_constant};
use super::{Form, Predicate, Side, window_of_range};
use crate::datum::{Timestamptz, Tstzrange, uuid_value};

/// Core's guess for a comparison, when nothing is known (`DEFAULT_INEQ_SEL`).
const UNKNOWN_SIDE: f64 = pg_sys::DEFAULT_INEQ_SEL;
/// Core's guess for a range (`DEFAULT_RANGE_INEQ_SEL`).
const UNKNOWN_WINDOW: f64 = 0.005;
/// Of a window that no row of the sample can be in. The planner rounds up to one row.
const ALMOST_NOTHING: f64 = 1e-10;

/// The restriction selectivity estimator of all the operators.
#[pg_extern(stable, strict, parallel_safe, sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_sel(root: Internal, operator: pg_sys::Oid, arguments: Internal, relation: i32) -> f64 {
    let (Some(root), Some(arguments)) = (root.unwrap(), arguments.unwrap()) else { return UNKNOWN_SIDE };
    let query = Query { root: root.cast_mut_ptr(), estimator: estimator_of(operator), relation };
    // SAFETY: PostgreSQL calls an estimator with its planner's root and a list of the operator's arguments.
    let share = unsafe { query.share(operator, arguments.cast_mut_ptr()) };
    share.clamp(0.0, 1.0)
}

#[allow(unsafe_code)]
fn estimator_of(operator: pg_sys::Oid) -> pg_sys::Oid {
    // SAFETY: a lookup by OID.
    unsafe { pg_sys::get_oprrest(operator) }
}

/// Their join selectivity estimator: as of a row of the other table that is not known yet. Core would guess a third for
/// each of two comparisons, and a ninth of all rows is a lot for a window of time.
#[pg_extern(stable, strict, parallel_safe, sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_joinsel(
    root: Internal,
    operator: pg_sys::Oid,
    arguments: Internal,
    _join_type: i16,
    _special_join: Internal,
) -> f64 {
    let (Some(root), Some(arguments)) = (root.unwrap(), arguments.unwrap()) else { return UNKNOWN_SIDE };
    let (root, arguments) = (root.cast_mut_ptr(), arguments.cast_mut_ptr());
    // SAFETY: PostgreSQL calls an estimator with its planner's root and a list of the operator's arguments.
    let share = unsafe {
        let relation = relation_of_uuid(root, operator, arguments).unwrap_or(0);
        Query { root, estimator: estimator_of(operator), relation }.share(operator, arguments)
    };
    share.clamp(0.0, 1.0)
}

/// The one table that the UUID of a comparison comes from.
///
/// # Safety
/// The root must be the planner's, the list the operator's arguments.
#[allow(unsafe_code)]
unsafe fn relation_of_uuid(
    root: *mut pg_sys::PlannerInfo,
    operator: pg_sys::Oid,
    arguments: *mut pg_sys::List,
) -> Option<i32> {
    // SAFETY: the caller's contract.
    unsafe {
        let form = form_of_function(pg_sys::get_opcode(operator))?;
        let (uuid, _) = operands(form, arguments)?;
        let mut relation = 0;
        pg_sys::bms_get_singleton_member(pg_sys::pull_varnos(root, uuid), &mut relation).then_some(relation)
    }
}

/// What does not change while one question is answered.
struct Query {
    root: *mut pg_sys::PlannerInfo,
    /// This estimator, by which the extension's operators are known.
    estimator: pg_sys::Oid,
    /// The table whose rows are counted, in a join; or 0.
    relation: i32,
}

impl Query {
    /// # Safety
    /// The root must be the planner's, the list the operator's arguments.
    #[allow(unsafe_code)]
    unsafe fn share(&self, operator: pg_sys::Oid, arguments: *mut pg_sys::List) -> f64 {
        // SAFETY: the caller's contract.
        unsafe {
            let Some(asked) = self.clause(operator, arguments) else {
                let form = form_of_function(pg_sys::get_opcode(operator));
                let within = form.is_some_and(|form| form.predicate == Predicate::Within);
                return if within { UNKNOWN_WINDOW } else { UNKNOWN_SIDE };
            };
            let mut together = Vec::new();
            for (operator, list) in self.combined_with(&asked, arguments).into_iter().filter_map(|node| self.ours(node))
            {
                if let Some(other) = self.clause(operator, list)
                    && pg_sys::equal(asked.variable.0.var.cast(), other.variable.0.var.cast())
                {
                    // The first of them answers for all, and the rest need not be looked at again for each.
                    if together.is_empty() && list != arguments {
                        return 1.0;
                    }
                    together.push(other);
                }
            }
            self.share_of_all(if together.is_empty() { std::slice::from_ref(&asked) } else { &together })
        }
    }

    /// A comparison of something the planner may have statistics of with a time.
    ///
    /// # Safety
    /// The list must be the operator's arguments.
    #[allow(unsafe_code)]
    unsafe fn clause(&self, operator: pg_sys::Oid, arguments: *mut pg_sys::List) -> Option<Clause> {
        // SAFETY: the caller's contract. The variable's statistics are released with it, once.
        unsafe {
            let function = pg_sys::get_opcode(operator);
            let Form { predicate, uuid_argument } = form_of_function(function)?;
            let mut variable = Variable(pg_sys::VariableStatData::default());
            let mut other = std::ptr::null_mut();
            let mut variable_is_first = false;
            if !pg_sys::get_restriction_variable(
                self.root,
                arguments,
                self.relation,
                &mut variable.0,
                &mut other,
                &mut variable_is_first,
            ) {
                // PostgreSQL has released them already, and left the pointer.
                variable.0.statsTuple = std::ptr::null_mut();
                return None;
            }
            if variable_is_first != (uuid_argument == 0) {
                return None;
            }
            let time = if !is_a(other, pg_sys::NodeTag::T_Const) {
                Time::Unknown
            } else {
                let constant = &*other.cast::<pg_sys::Const>();
                match predicate {
                    _ if constant.constisnull => Time::Null,
                    Predicate::Is(side) => {
                        Time::Known(side.window(Timestamptz::from_datum(constant.constvalue, false)?))
                    }
                    Predicate::Within => {
                        Time::Known(window_of_range(Tstzrange::from_datum(constant.constvalue, false)?))
                    }
                }
            };
            Some(Clause { function, predicate, variable, time })
        }
    }

    /// The expressions that are combined by AND with this one, itself among them; none if the planner asks of one that
    /// stands nowhere.
    ///
    /// # Safety
    /// As of [`Query::share`].
    #[allow(unsafe_code)]
    unsafe fn combined_with(&self, asked: &Clause, arguments: *mut pg_sys::List) -> Vec<*mut pg_sys::Node> {
        // SAFETY: a relation's conditions are lists of RestrictInfo, whose clauses are expressions.
        unsafe {
            let Some(relation) = asked.variable.0.rel.as_ref() else { return Vec::new() };
            for conditions in [relation.baserestrictinfo, relation.joininfo] {
                for condition in members::<pg_sys::RestrictInfo>(conditions) {
                    let clause = (*condition).clause.cast();
                    if is_asked(clause, arguments) {
                        // Of conditions on a join, only those between the same tables are always used together.
                        return members::<pg_sys::RestrictInfo>(conditions)
                            .filter(|other| pg_sys::bms_equal((**other).clause_relids, (*condition).clause_relids))
                            .map(|other| (*other).clause.cast())
                            .collect();
                    }
                    if let Some(found) = combined_within(clause, arguments) {
                        return found;
                    }
                }
            }
            Vec::new()
        }
    }

    /// The operator and arguments of an expression, if it is one of the extension's comparisons.
    ///
    /// # Safety
    /// The node must be an expression.
    #[allow(unsafe_code)]
    unsafe fn ours(&self, expression: *mut pg_sys::Node) -> Option<(pg_sys::Oid, *mut pg_sys::List)> {
        // SAFETY: the caller's contract.
        unsafe {
            if !is_a(expression, pg_sys::NodeTag::T_OpExpr) {
                return None;
            }
            let expression = &*expression.cast::<pg_sys::OpExpr>();
            (estimator_of(expression.opno) == self.estimator).then_some((expression.opno, expression.args))
        }
    }

    /// The share of the rows of which all these comparisons of one variable are true.
    ///
    /// # Safety
    /// As of [`Query::share`].
    #[allow(unsafe_code)]
    unsafe fn share_of_all(&self, clauses: &[Clause]) -> f64 {
        if clauses.iter().any(|clause| matches!(clause.time, Time::Null)) {
            return 0.0;
        }
        let mut known: Option<(Window, &Clause)> = None;
        let (mut from, mut to) = (false, false);
        for clause in clauses {
            match clause.time {
                Time::Known(window) => {
                    known = Some((known.map_or(window, |(known, _)| known.intersection(window)), clause));
                }
                _ => {
                    from |= clause.predicate != Predicate::Is(Side::Before)
                        && clause.predicate != Predicate::Is(Side::Until);
                    to |= clause.predicate != Predicate::Is(Side::Since)
                        && clause.predicate != Predicate::Is(Side::After);
                }
            }
        }
        let unknown = match (from, to) {
            (true, true) => UNKNOWN_WINDOW,
            (false, false) => 1.0,
            _ => UNKNOWN_SIDE,
        };
        let Some((window, clause)) = known else { return unknown };
        // SAFETY: the caller's contract.
        let known = unsafe { self.share_of_window(clause, window) };
        let guess = if window.first() == Window::ALL.first() || window.last() == Window::ALL.last() {
            UNKNOWN_SIDE
        } else {
            UNKNOWN_WINDOW
        };
        unknown * known.unwrap_or(guess)
    }

    /// The share of the rows whose UUID is in a window, from the variable's statistics, if there are any that may be
    /// used.
    ///
    /// # Safety
    /// As of [`Query::share`].
    #[allow(unsafe_code)]
    unsafe fn share_of_window(&self, clause: &Clause, window: Window) -> Option<f64> {
        if window.is_empty() {
            return Some(0.0);
        }
        let statistics = Statistics::of(clause)?;
        // The common values stand for themselves, the histogram for the rest.
        let common =
            statistics.common.iter().filter(|(uuid, _)| window.contains(*uuid)).map(|(_, share)| share).sum::<f64>();
        let rest = 1.0 - statistics.null_share - statistics.common.iter().map(|(_, share)| share).sum::<f64>();
        let Some(histogram) = statistics.histogram else {
            // As core does: half of what is unknown.
            return Some(common + rest.max(0.0) / 2.0);
        };
        if !histogram.ends_before(window) {
            return Some(common + rest.max(0.0) * histogram.share(window));
        }
        // Rows newer than the statistics. Core looks up the newest in an index; how many there are since then it cannot
        // tell, but a window among them holds no more than its length would in the histogram.
        // SAFETY: the caller's contract.
        let since = unsafe { self.core_share_since(clause, window.first()) };
        if window.last() == Window::ALL.last() {
            return Some(since);
        }
        let common_since =
            statistics.common.iter().filter(|(uuid, _)| *uuid >= window.first()).map(|(_, share)| share).sum::<f64>();
        Some(common + (since - common_since).max(0.0).min(rest.max(0.0) * histogram.density(window)))
    }

    /// Core's estimate of `variable >= uuid`.
    ///
    /// # Safety
    /// As of [`Query::share`].
    #[allow(unsafe_code)]
    unsafe fn core_share_since(&self, clause: &Clause, uuid: rfc9562::Uuid) -> f64 {
        let mut arguments = PgList::new();
        arguments.push(clause.variable.0.var);
        arguments.push(uuid_constant(uuid));
        // SAFETY: the estimator takes the root, an operator, its arguments and the relation, and returns a float8.
        let share = unsafe {
            pgrx::direct_function_call(
                pg_sys::scalargesel,
                &[
                    Some(pg_sys::Datum::from(self.root)),
                    uuid_operator(pg_sys::BTGreaterEqualStrategyNumber).into_datum(),
                    Some(pg_sys::Datum::from(arguments.into_pg())),
                    self.relation.into_datum(),
                ],
            )
        };
        share.unwrap_or(UNKNOWN_SIDE)
    }
}

/// As [`Query::combined_with`], inside an expression.
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
unsafe fn combined_within(
    expression: *mut pg_sys::Node,
    arguments: *mut pg_sys::List,
) -> Option<Vec<*mut pg_sys::Node>> {
    // SAFETY: the caller's contract; the arguments of AND, OR and NOT are expressions.
    unsafe {
        if !is_a(expression, pg_sys::NodeTag::T_BoolExpr) {
            return None;
        }
        let expression = &*expression.cast::<pg_sys::BoolExpr>();
        if expression.boolop == pg_sys::BoolExprType::AND_EXPR
            && members(expression.args).any(|part| is_asked(part, arguments))
        {
            return Some(members(expression.args).collect());
        }
        members(expression.args).find_map(|part| combined_within(part, arguments))
    }
}

/// The members of a list of nodes, read in place: of thousands of conditions, each is compared with each.
///
/// # Safety
/// The list must be PostgreSQL's, of pointers to this type.
#[allow(unsafe_code)]
unsafe fn members<'list, Node: 'list>(list: *mut pg_sys::List) -> impl Iterator<Item = *mut Node> + use<'list, Node> {
    // SAFETY: a list has as many elements as its length says; a null pointer is the empty one.
    let cells = unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements, usize::try_from(list.length).unwrap_or(0)),
            None => &[],
        }
    };
    // SAFETY: the caller's contract.
    cells.iter().map(|cell| unsafe { cell.ptr_value.cast() })
}

/// Whether the planner asks of this expression: it passes the expression's own list of arguments.
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
unsafe fn is_asked(expression: *mut pg_sys::Node, arguments: *mut pg_sys::List) -> bool {
    // SAFETY: the caller's contract.
    unsafe { is_a(expression, pg_sys::NodeTag::T_OpExpr) && (*expression.cast::<pg_sys::OpExpr>()).args == arguments }
}

/// One comparison.
struct Clause {
    /// The operator's function.
    function: pg_sys::Oid,
    predicate: Predicate,
    variable: Variable,
    time: Time,
}

/// What the planner can know of the other side.
enum Time {
    Known(Window),
    Null,
    Unknown,
}

/// The variable side with its statistics.
struct Variable(pg_sys::VariableStatData);

impl Drop for Variable {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        if let Some(release) = self.0.freefunc
            && !self.0.statsTuple.is_null()
        {
            // SAFETY: what PostgreSQL's macro ReleaseVariableStats does.
            unsafe { release(self.0.statsTuple) }
        }
    }
}

/// What ANALYZE found out about a `uuid` variable.
struct Statistics {
    null_share: f64,
    /// Values that occur often, each with its share of the rows.
    common: Vec<(rfc9562::Uuid, f64)>,
    histogram: Option<Histogram>,
}

impl Statistics {
    /// Of the clause's variable, unless there are none, or the user may see neither the column nor what a function
    /// that is not leakproof makes of it.
    #[allow(unsafe_code)]
    fn of(clause: &Clause) -> Option<Statistics> {
        let tuple = clause.variable.0.statsTuple;
        if tuple.is_null() {
            return None;
        }
        let mut variable = clause.variable.0;
        // SAFETY: the tuple is a row of pg_statistic.
        unsafe {
            if !pg_sys::statistic_proc_security_check(&mut variable, clause.function) {
                return None;
            }
            let null_share = f64::from((*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_statistic>()).stanullfrac);
            let common = slot(tuple, pg_sys::STATISTIC_KIND_MCV, pg_sys::InvalidOid, pg_sys::ATTSTATSSLOT_NUMBERS);
            let by_uuid = uuid_operator(pg_sys::BTLessStrategyNumber);
            let bounds = slot(tuple, pg_sys::STATISTIC_KIND_HISTOGRAM, by_uuid, 0);
            Some(Statistics {
                null_share,
                common: common.map_or(Vec::new(), |(uuids, shares)| uuids.into_iter().zip(shares).collect()),
                histogram: bounds.and_then(|(bounds, _)| Histogram::new(bounds)),
            })
        }
    }
}

/// The UUIDs of one kind of statistics and, if asked for with `numbers`, the numbers that belong to them.
///
/// # Safety
/// The tuple must be a row of pg_statistic.
#[allow(unsafe_code)]
unsafe fn slot(
    tuple: pg_sys::HeapTuple,
    kind: u32,
    operator: pg_sys::Oid,
    numbers: u32,
) -> Option<(Vec<rfc9562::Uuid>, Vec<f64>)> {
    let mut slot = pg_sys::AttStatsSlot::default();
    let flags = (pg_sys::ATTSTATSSLOT_VALUES | numbers).cast_signed();
    // SAFETY: the caller's contract; values and numbers are read before the slot is freed, if they are UUIDs.
    unsafe {
        if !pg_sys::get_attstatsslot(&mut slot, tuple, kind.cast_signed(), operator, flags) {
            return None;
        }
        let found = (pg_sys::getBaseType(slot.valuetype) == pg_sys::UUIDOID).then(|| {
            let values = usize::try_from(slot.nvalues).unwrap_or(0);
            let numbers = usize::try_from(slot.nnumbers).unwrap_or(0);
            (
                (0..values).map(|i| uuid_value(*slot.values.add(i))).collect(),
                (0..numbers).map(|i| f64::from(*slot.numbers.add(i))).collect(),
            )
        });
        pg_sys::free_attstatsslot(&mut slot);
        found
    }
}

/// UUIDs in ascending order between which lie equally many rows.
struct Histogram(Vec<u128>);

impl Histogram {
    fn new(bounds: Vec<rfc9562::Uuid>) -> Option<Histogram> {
        let bounds: Vec<_> = bounds.into_iter().map(rfc9562::Uuid::to_u128).collect();
        (bounds.len() > 1).then_some(Histogram(bounds))
    }

    fn first(&self) -> u128 {
        self.0.first().copied().unwrap_or(u128::MIN)
    }

    fn last(&self) -> u128 {
        self.0.last().copied().unwrap_or(u128::MAX)
    }

    #[allow(clippy::cast_precision_loss)]
    fn bins(&self) -> f64 {
        (self.0.len() - 1) as f64
    }

    /// Whether the window lies after all of it.
    fn ends_before(&self, window: Window) -> bool {
        window.first().to_u128() > self.last()
    }

    /// The share of the rows in the window.
    fn share(&self, window: Window) -> f64 {
        let below_end = window.last().to_u128().checked_add(1).map_or(1.0, |end| self.below(end));
        let share = below_end - self.below(window.first().to_u128());
        let open = window.first() == Window::ALL.first() || window.last() == Window::ALL.last();
        // As core does: outside of the histogram there may still be a hundredth of a bin.
        share.max(if open { 0.01 / self.bins() } else { ALMOST_NOTHING })
    }

    /// The share of the rows below this value.
    #[allow(clippy::cast_precision_loss)]
    fn below(&self, value: u128) -> f64 {
        let bin = self.0.partition_point(|bound| *bound < value);
        match (bin.checked_sub(1).and_then(|before| self.0.get(before)), self.0.get(bin)) {
            (None, _) => 0.0,
            (_, None) => 1.0,
            // The value is above `low` and not above `high`, so they differ.
            (Some(low), Some(high)) => {
                let within = (value - low) as f64 / (high - low) as f64;
                ((bin - 1) as f64 + within) / self.bins()
            }
        }
    }

    /// The length of a window as a share of the histogram's.
    #[allow(clippy::cast_precision_loss)]
    fn density(&self, window: Window) -> f64 {
        let length = window.last().to_u128() - window.first().to_u128();
        length as f64 / self.last().saturating_sub(self.first()).max(1) as f64
    }
}
