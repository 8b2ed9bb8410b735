//! How many rows pass a comparison with a time, from the statistics of the `uuid` column.
//!
//! ANALYZE keeps a histogram: some hundred UUIDs, with equally many rows between each two. Core cannot interpolate
//! between two UUIDs, and takes the middle for every boundary between them. So for a year of keys in 100 bins, its
//! answer for a day is nothing or three and a half days. Here a boundary is placed between its neighbours in
//! proportion: [`super::histogram`].
//!
//! A condition `id >= a AND id < b` is estimated as one: the share of the span between a and b. The planner asks for
//! each comparison by itself and multiplies. So the first one answers for all that are combined with it by AND, and the
//! others answer 1. Comparisons of the same column with a UUID belong to them, too. Core answers for those, so the
//! first one's answer is divided by core's.

use std::sync::atomic::{AtomicUsize, Ordering};

use pgrx::datum::Internal;
use pgrx::prelude::*;
use pgrx::{PgList, is_a, pg_sys};
use rfc9562::Uuid;

use super::catalog::{form_of_function, uuid_operator};
use super::histogram::{Histogram, Index, Span};
use super::index_end::ColumnIndex;
use super::nodes::{cells, unrelabelled};
use super::rewrite::operands;
use super::{Form, Order, Predicate, Side, window_of_range};
use crate::datum::{Timestamptz, Tstzrange, uuid_value};
use crate::time_ops::time_of;

/// Core's guess for a comparison, when nothing is known (`DEFAULT_INEQ_SEL`).
const UNKNOWN_SIDE: f64 = pg_sys::DEFAULT_INEQ_SEL;
/// Core's guess for a range (`DEFAULT_RANGE_INEQ_SEL`).
const UNKNOWN_WINDOW: f64 = 0.005;
/// For a window without any row of the sample. The planner rounds up to one row.
const ALMOST_NOTHING: f64 = 1e-10;

/// The restriction selectivity estimator of all the operators.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_sel(root: Internal, operator: pg_sys::Oid, arguments: Internal, relation: i32) -> f64 {
    pgrx::check_for_interrupts!();
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

/// Their join selectivity estimator. The other side is treated as a constant that is not known yet. Core's default, a third
/// for each comparison and a ninth for two, is far too much for a window of time.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_joinsel(
    root: Internal,
    operator: pg_sys::Oid,
    arguments: Internal,
    _join_type: i16,
    _special_join: Internal,
) -> f64 {
    pgrx::check_for_interrupts!();
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

/// What does not change during one estimate.
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
            let function = pg_sys::get_opcode(operator);
            let Some(form) = form_of_function(function) else { return UNKNOWN_SIDE };
            let Some(variable) = self.variable(form, arguments) else {
                return if form.predicate == Predicate::Within { UNKNOWN_WINDOW } else { UNKNOWN_SIDE };
            };
            let conditions = match self.place(&variable, arguments) {
                Place::BehindAnother => return 1.0,
                Place::First(conditions) => conditions,
                Place::Nowhere => Vec::new(),
            };
            let mut group = Group::default();
            if conditions.is_empty() {
                self.add(&mut group, form, arguments);
            }
            for condition in conditions {
                self.add_condition(&mut group, form.order, &variable, condition);
            }
            if group.is_null {
                return 0.0;
            }
            let share = group.share(|span| self.share_of_span(function, form.order, &variable, span));
            if group.of_core.is_empty() {
                return share;
            }
            // Core estimates its own comparisons, and multiplies with this.
            let core = pg_sys::clauselist_selectivity(
                self.root,
                group.of_core.into_pg(),
                self.relation,
                pg_sys::JoinType::JOIN_INNER,
                std::ptr::null_mut(),
            );
            if core > share { share / core } else { 1.0 }
        }
    }

    /// The variable that is compared with a time, with its statistics, if it may have some.
    ///
    /// # Safety
    /// The list must be the operator's arguments.
    #[allow(unsafe_code)]
    unsafe fn variable(&self, form: Form, arguments: *mut pg_sys::List) -> Option<Variable> {
        let mut variable = Variable(pg_sys::VariableStatData::default());
        let mut other = std::ptr::null_mut();
        let mut is_first = false;
        // SAFETY: the caller's contract. The variable's statistics are released with it, once.
        let found = unsafe {
            pg_sys::get_restriction_variable(
                self.root,
                arguments,
                self.relation,
                &mut variable.0,
                &mut other,
                &mut is_first,
            )
        };
        if !found {
            // PostgreSQL has released them already, and left the pointer.
            variable.0.statsTuple = std::ptr::null_mut();
            return None;
        }
        (is_first == (form.uuid_argument == 0)).then_some(variable)
    }

    /// The place of a comparison among the conditions of its table.
    ///
    /// # Safety
    /// As of [`Query::share`].
    #[allow(unsafe_code)]
    unsafe fn place(&self, variable: &Variable, arguments: *mut pg_sys::List) -> Place {
        // SAFETY: a relation's conditions are lists of RestrictInfo, whose clauses are expressions.
        unsafe {
            let Some(relation) = variable.0.rel.as_ref() else { return Place::Nowhere };
            for conditions in [relation.baserestrictinfo, relation.joininfo] {
                let conditions = cells::<pg_sys::RestrictInfo>(conditions);
                let clause = |number: usize| (*conditions[number]).clause.cast::<pg_sys::Node>();
                let asked = position(conditions.len(), &LAST_CONDITION, |number| is_asked(clause(number), arguments));
                if let Some(asked) = asked {
                    // Among conditions on a join, only those between the same tables are always used together.
                    let tables = (*conditions[asked]).clause_relids;
                    let together = |number: &usize| pg_sys::bms_equal((*conditions[*number]).clause_relids, tables);
                    let earlier =
                        (0..asked).any(|number| self.is_comparison_of(clause(number), variable) && together(&number));
                    return if earlier {
                        Place::BehindAnother
                    } else {
                        Place::First((0..conditions.len()).filter(together).map(clause).collect())
                    };
                }
                for number in rotated(conditions.len(), &LAST_CONDITION) {
                    if let Some(place) = self.place_within(clause(number), variable, arguments) {
                        LAST_CONDITION.store(number, Ordering::Relaxed);
                        return place;
                    }
                }
            }
            Place::Nowhere
        }
    }

    /// As [`Query::place`], inside an expression.
    ///
    /// # Safety
    /// The node must be an expression.
    #[allow(unsafe_code)]
    unsafe fn place_within(
        &self,
        expression: *mut pg_sys::Node,
        variable: &Variable,
        arguments: *mut pg_sys::List,
    ) -> Option<Place> {
        // SAFETY: the caller's contract; the arguments of AND, OR and NOT are expressions.
        unsafe {
            if !is_a(expression, pg_sys::NodeTag::T_BoolExpr) {
                return None;
            }
            let expression = &*expression.cast::<pg_sys::BoolExpr>();
            let parts = cells::<pg_sys::Node>(expression.args);
            let is_and = expression.boolop == pg_sys::BoolExprType::AND_EXPR;
            if is_and && let Some(asked) = parts.iter().position(|part| is_asked(*part, arguments)) {
                let earlier = parts[..asked].iter().any(|part| self.is_comparison_of(*part, variable));
                return Some(if earlier { Place::BehindAnother } else { Place::First(parts.to_vec()) });
            }
            let number = rotated(parts.len(), &LAST_PART)
                .find_map(|number| self.place_within(parts[number], variable, arguments).map(|place| (number, place)));
            number.map(|(number, place)| {
                LAST_PART.store(number, Ordering::Relaxed);
                place
            })
        }
    }

    /// Whether an expression is a comparison of this variable by one of the extension's operators.
    ///
    /// # Safety
    /// The node must be an expression.
    #[allow(unsafe_code)]
    unsafe fn is_comparison_of(&self, expression: *mut pg_sys::Node, variable: &Variable) -> bool {
        // SAFETY: the caller's contract.
        unsafe {
            is_a(expression, pg_sys::NodeTag::T_OpExpr) && {
                let comparison = &*expression.cast::<pg_sys::OpExpr>();
                cells::<pg_sys::Node>(comparison.args).iter().any(|side| variable.is(*side))
                    && estimator_of(comparison.opno) == self.estimator
            }
        }
    }

    /// Adds a condition to a group, if it is a comparison of the group's variable.
    ///
    /// # Safety
    /// As of [`Query::share`]; the node must be an expression.
    #[allow(unsafe_code)]
    unsafe fn add_condition(
        &self,
        group: &mut Group,
        order: Order,
        variable: &Variable,
        expression: *mut pg_sys::Node,
    ) {
        // SAFETY: the caller's contract.
        unsafe {
            if !is_a(expression, pg_sys::NodeTag::T_OpExpr) {
                return;
            }
            let comparison = &*expression.cast::<pg_sys::OpExpr>();
            let &[left, right] = cells::<pg_sys::Node>(comparison.args) else { return };
            if !variable.is(left) && !variable.is(right) {
                return;
            }
            if estimator_of(comparison.opno) == self.estimator {
                let form = form_of_function(pg_sys::get_opcode(comparison.opno)).filter(|form| form.order == order);
                if let Some(form) = form {
                    self.add(group, form, comparison.args);
                }
            } else if order == Order::Octets
                && let Some(side) = side_of_core(comparison.opno)
            {
                let (side, other) = if variable.is(left) { (side, right) } else { (side.mirrored(), left) };
                group.of_core.push(expression);
                group.add(side, self.constant(other, |datum| span_of_side(side, uuid_value(datum).to_u128())));
            }
        }
    }

    /// Adds a comparison by one of the extension's operators to a group.
    ///
    /// # Safety
    /// The list must be the operator's arguments.
    #[allow(unsafe_code)]
    unsafe fn add(&self, group: &mut Group, form: Form, arguments: *mut pg_sys::List) {
        // SAFETY: the caller's contract; a constant has the type of the argument it stands for.
        unsafe {
            let Some((_, time)) = operands(form, arguments) else { return };
            match form.predicate {
                Predicate::Is(side) => group.add(
                    side,
                    self.constant(time, |datum| {
                        let time = Timestamptz::of_datum(datum);
                        match form.order {
                            Order::Octets => span_of_window(side.window(time)),
                            Order::Time => span_of_side(side, key_of_time(time.0)),
                        }
                    }),
                ),
                Predicate::Within => {
                    let span = self.constant(time, |datum| {
                        Tstzrange::from_datum(datum, false)
                            .map_or(Span::ALL, |range| span_of_window(window_of_range(range)))
                    });
                    group.add(Side::Since, span);
                    group.add(Side::Until, span);
                }
            }
        }
    }

    /// The value of an expression in a comparison, if it can be computed now.
    ///
    /// # Safety
    /// The node must be an expression of the type that `read` takes.
    #[allow(unsafe_code)]
    unsafe fn constant(&self, expression: *mut pg_sys::Node, read: impl FnOnce(pg_sys::Datum) -> Span) -> Value {
        // SAFETY: the caller's contract.
        unsafe {
            let value = unrelabelled(pg_sys::estimate_expression_value(self.root, expression));
            if !is_a(value, pg_sys::NodeTag::T_Const) {
                return Value::Unknown;
            }
            let constant = &*value.cast::<pg_sys::Const>();
            if constant.constisnull { Value::Null } else { Value::Known(read(constant.constvalue)) }
        }
    }

    /// The share of the rows with a key in a span, from the variable's statistics, if there are any that may be used.
    ///
    /// # Safety
    /// As of [`Query::share`].
    #[allow(unsafe_code)]
    unsafe fn share_of_span(
        &self,
        function: pg_sys::Oid,
        order: Order,
        variable: &Variable,
        span: Span,
    ) -> Option<f64> {
        if span.is_empty() {
            return Some(0.0);
        }
        let statistics = Statistics::of(variable, function, order)?;
        // The common values count for themselves, the histogram for the rest.
        let common =
            statistics.common.iter().filter(|(key, _)| span.contains(*key)).map(|(_, share)| share).sum::<f64>();
        let rest = 1.0 - statistics.null_share - statistics.common.iter().map(|(_, share)| share).sum::<f64>();
        let Some(histogram) = statistics.histogram else {
            // Half of the unknown part, as in core.
            return Some(common + rest.max(0.0) / 2.0);
        };
        let index = match order {
            // SAFETY: the caller's contract.
            Order::Octets => unsafe { ColumnIndex::of(self.root, &variable.0) },
            Order::Time => None,
        };
        // As in core without an index: outside of the histogram there may still be a hundredth of a bin.
        let is_open = span.first == Span::ALL.first || span.last == Span::ALL.last;
        let least = if is_open && index.is_none() { 0.01 / histogram.bins() } else { ALMOST_NOTHING };
        // SAFETY: the caller's contract; the planner's own relation, if the variable has one.
        let rows = unsafe { variable.0.rel.as_ref() }.map_or(0.0, |relation| relation.tuples);
        let share = histogram.share(span, &index as &dyn Index, rows);
        Some(common + rest.max(0.0) * share.max(least))
    }
}

/// The place of a comparison.
enum Place {
    /// It is not a condition of the table.
    Nowhere,
    /// Another one of the same variable comes before it, and answers for both.
    BehindAnother,
    /// It comes first. These are the conditions that are combined with it by AND, itself included.
    First(Vec<*mut pg_sys::Node>),
}

/// Where the last condition was found, and the last part of an OR. The planner asks for them in order, so the next
/// search begins there.
static LAST_CONDITION: AtomicUsize = AtomicUsize::new(0);
static LAST_PART: AtomicUsize = AtomicUsize::new(0);

/// All numbers below this one, beginning with the last one found.
fn rotated(count: usize, last: &AtomicUsize) -> impl Iterator<Item = usize> + use<> {
    let last = last.load(Ordering::Relaxed).min(count);
    (last..count).chain(0..last)
}

/// The number for which this holds, remembered for the next search.
fn position(count: usize, last: &AtomicUsize, is_it: impl Fn(usize) -> bool) -> Option<usize> {
    let found = rotated(count, last).find(|number| is_it(*number));
    if let Some(found) = found {
        last.store(found, Ordering::Relaxed);
    }
    found
}

/// Whether the planner asks about this expression. It passes the expression's own list of arguments, or the same
/// arguments if it has commuted an index condition.
///
/// # Safety
/// The node must be an expression, the list an operator's arguments.
#[allow(unsafe_code)]
unsafe fn is_asked(expression: *mut pg_sys::Node, arguments: *mut pg_sys::List) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        if !is_a(expression, pg_sys::NodeTag::T_OpExpr) {
            return false;
        }
        let own = (*expression.cast::<pg_sys::OpExpr>()).args;
        own == arguments
            || match (cells::<pg_sys::Node>(own), cells::<pg_sys::Node>(arguments)) {
                ([left, right], [first, second]) => {
                    (left, right) == (first, second) || (left, right) == (second, first)
                }
                _ => false,
            }
    }
}

/// The side of a comparison of two UUIDs by one of core's operators.
fn side_of_core(operator: pg_sys::Oid) -> Option<Side> {
    [
        (pg_sys::BTLessStrategyNumber, Side::Before),
        (pg_sys::BTLessEqualStrategyNumber, Side::Until),
        (pg_sys::BTGreaterEqualStrategyNumber, Side::Since),
        (pg_sys::BTGreaterStrategyNumber, Side::After),
    ]
    .into_iter()
    .find_map(|(strategy, side)| (uuid_operator(strategy) == operator).then_some(side))
}

/// The keys on this side of a key.
fn span_of_side(side: Side, key: u128) -> Span {
    const EMPTY: Span = Span { first: u128::MAX, last: u128::MIN };
    match side {
        Side::Before => key.checked_sub(1).map_or(EMPTY, |last| Span { last, ..Span::ALL }),
        Side::Until => Span { last: key, ..Span::ALL },
        Side::Since => Span { first: key, ..Span::ALL },
        Side::After => key.checked_add(1).map_or(EMPTY, |first| Span { first, ..Span::ALL }),
    }
}

fn span_of_window(window: rfc9562::window::Window) -> Span {
    Span { first: window.first().to_u128(), last: window.last().to_u128() }
}

/// Times in order, from 0 on; a UUID without a time has 0.
fn key_of_time(time: i64) -> u128 {
    u128::from(time.cast_unsigned() ^ (1 << 63))
}

/// What the planner can know about the other side.
#[derive(Clone, Copy, Debug)]
enum Value {
    Known(Span),
    Null,
    Unknown,
}

/// Comparisons of one variable that are combined by AND.
#[derive(Default)]
struct Group {
    from: Option<Span>,
    to: Option<Span>,
    unknown_from: bool,
    unknown_to: bool,
    is_null: bool,
    /// Those among them that core estimates.
    of_core: PgList<pg_sys::Node>,
}

impl Group {
    fn add(&mut self, side: Side, value: Value) {
        let is_from = matches!(side, Side::Since | Side::After);
        let (known, unknown) =
            if is_from { (&mut self.from, &mut self.unknown_from) } else { (&mut self.to, &mut self.unknown_to) };
        match value {
            Value::Known(span) => *known = Some(known.map_or(span, |known| known.intersection(span))),
            Value::Null => self.is_null = true,
            Value::Unknown => *unknown = true,
        }
    }

    /// Core's estimate for a pair of bounds: if one end is unknown, nothing is known about the window. If two bounds
    /// are at the same end, it takes the smaller estimate.
    fn share(&self, share_of: impl Fn(Span) -> Option<f64>) -> f64 {
        match (self.from, self.to) {
            (Some(from), Some(to)) => share_of(from.intersection(to)).unwrap_or(UNKNOWN_WINDOW),
            (None, Some(_)) if self.unknown_from => UNKNOWN_WINDOW,
            (Some(_), None) if self.unknown_to => UNKNOWN_WINDOW,
            (Some(side), None) | (None, Some(side)) => {
                let known = share_of(side).unwrap_or(UNKNOWN_SIDE);
                if self.unknown_from || self.unknown_to { known.min(UNKNOWN_SIDE) } else { known }
            }
            (None, None) => match (self.unknown_from, self.unknown_to) {
                (true, true) => UNKNOWN_WINDOW,
                (false, false) => 1.0,
                _ => UNKNOWN_SIDE,
            },
        }
    }
}

/// The variable side with its statistics.
struct Variable(pg_sys::VariableStatData);

impl Variable {
    /// Whether an expression is this variable.
    ///
    /// # Safety
    /// The node must be an expression.
    #[allow(unsafe_code)]
    unsafe fn is(&self, expression: *mut pg_sys::Node) -> bool {
        let own = self.0.var;
        // SAFETY: the caller's contract; a node is read as what its tag says.
        unsafe {
            let expression = unrelabelled(expression);
            if is_a(expression, pg_sys::NodeTag::T_Var) && is_a(own, pg_sys::NodeTag::T_Var) {
                let (one, other) = (&*expression.cast::<pg_sys::Var>(), &*own.cast::<pg_sys::Var>());
                return (one.varno, one.varattno, one.varlevelsup) == (other.varno, other.varattno, other.varlevelsup);
            }
            (*expression).type_ == (*own).type_ && pg_sys::equal(expression.cast(), own.cast())
        }
    }
}

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

/// ANALYZE's results about a `uuid` variable, as keys of an order.
struct Statistics {
    null_share: f64,
    /// Keys that occur often, each with its share of the rows.
    common: Vec<(u128, f64)>,
    histogram: Option<Histogram>,
}

impl Statistics {
    /// Those of the variable. `None` if it has none, or if the user may not see the column and the function is not
    /// leakproof.
    #[allow(unsafe_code)]
    fn of(variable: &Variable, function: pg_sys::Oid, order: Order) -> Option<Statistics> {
        let tuple = variable.0.statsTuple;
        if tuple.is_null() {
            return None;
        }
        let mut variable = variable.0;
        let key = |uuid: Uuid| match order {
            Order::Octets => uuid.to_u128(),
            Order::Time => key_of_time(time_of(uuid)),
        };
        // SAFETY: the tuple is a row of pg_statistic.
        unsafe {
            if !pg_sys::statistic_proc_security_check(&mut variable, function) {
                return None;
            }
            let null_share = f64::from((*pg_sys::GETSTRUCT(tuple).cast::<pg_sys::FormData_pg_statistic>()).stanullfrac);
            let common = slot(tuple, pg_sys::STATISTIC_KIND_MCV, pg_sys::InvalidOid, pg_sys::ATTSTATSSLOT_NUMBERS);
            let by_uuid = uuid_operator(pg_sys::BTLessStrategyNumber);
            let bounds = slot(tuple, pg_sys::STATISTIC_KIND_HISTOGRAM, by_uuid, 0);
            let bounds = bounds.map(|(bounds, _)| bounds.into_iter().map(key).collect::<Vec<_>>());
            Some(Statistics {
                null_share,
                common: common.map_or(Vec::new(), |(uuids, shares)| uuids.into_iter().map(key).zip(shares).collect()),
                histogram: bounds.and_then(|bounds| match order {
                    Order::Octets => Histogram::new(bounds, is_version_7),
                    Order::Time => histogram_of_times(bounds),
                }),
            })
        }
    }
}

fn is_version_7(key: u128) -> bool {
    Uuid::from_u128(key).version() == Some(7)
}

/// Whether ANALYZE has seen UUIDs of other versions than 7 in a column of a table, and of its children if these are read, too.
#[allow(unsafe_code, clippy::cast_possible_wrap, clippy::unnecessary_cast)]
pub fn has_other_versions(table: pg_sys::Oid, column: i16, with_children: bool) -> bool {
    let cache = pg_sys::SysCacheIdentifier::STATRELATTINH as i32;
    // SAFETY: a lookup by values of the types that the cache's key has; the tuple is a row of pg_statistic and is read before it is
    // released.
    unsafe {
        let tuple = pg_sys::SearchSysCache3(cache, table.into(), column.into(), with_children.into());
        if tuple.is_null() {
            return false;
        }
        let common = slot(tuple, pg_sys::STATISTIC_KIND_MCV, pg_sys::InvalidOid, 0);
        let bounds = slot(tuple, pg_sys::STATISTIC_KIND_HISTOGRAM, uuid_operator(pg_sys::BTLessStrategyNumber), 0);
        pg_sys::ReleaseSysCache(tuple);
        let mut seen = [common, bounds].into_iter().flatten().flat_map(|(uuids, _)| uuids);
        seen.any(|uuid| uuid.version() != Some(7))
    }
}

/// The times of UUIDs in the order of their octets. For versions 6 and 7 the times are in order, too. For version 1
/// they are a sample without an order. When sorted, it shows the distribution, but the distance of two neighbours is
/// chance, so only each fifth counts. Some rows lie outside of it, as far as two neighbours are apart.
fn histogram_of_times(mut times: Vec<u128>) -> Option<Histogram> {
    const STEP: usize = 5;
    if !times.is_sorted() {
        times.sort_unstable();
        let &[first, .., last] = &times[..] else { return None };
        let distance = (last - first) / times.len() as u128;
        times = times.into_iter().step_by(STEP).collect();
        times[0] = first.saturating_sub(distance);
        times.pop_if(|key| *key > last.saturating_sub(distance));
        times.push(last.saturating_add(distance));
    }
    Histogram::new(times, |_| true)
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
) -> Option<(Vec<Uuid>, Vec<f64>)> {
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
