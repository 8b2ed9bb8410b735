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
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::catalog::{PlannerFunction, form_of_function, member, uuid_operator, with_c_symbol};
use super::histogram::{Index, Span};
use super::index_end::ColumnIndex;
use super::nodes::{Combination, Expression, OfSqlType, cells, collected, expressions, list_of};
use super::statistics::{Statistics, is_version_7, key_of_time};
use super::{Form, Order, Predicate, Side, window_of_range};
use crate::datum::{SqlUuid, Timestamptz, Tstzrange};

/// Core's guess for a comparison, when nothing is known (`DEFAULT_INEQ_SEL`).
const UNKNOWN_SIDE: f64 = pg_sys::DEFAULT_INEQ_SEL;
/// Core's guess for a range.
const UNKNOWN_WINDOW: f64 = pg_sys::DEFAULT_RANGE_INEQ_SEL;
/// Core's guess for how many different values there are, when nothing is known (`DEFAULT_NUM_DISTINCT`).
const UNKNOWN_DISTINCT: f64 = 200.0;
/// For a window without any row of the sample. The planner rounds up to one row.
const ALMOST_NOTHING: f64 = 1e-10;

/// The restriction selectivity estimator of all the operators.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_timestamptz_sel(root: Internal, operator: pg_sys::Oid, arguments: Internal, relation: i32) -> f64 {
    // SAFETY: PostgreSQL calls an estimator with its planner's root and a list of the operator's arguments.
    unsafe { share(root, operator, arguments, false, |_, _| relation) }
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
    // SAFETY: PostgreSQL calls an estimator of a join with its planner's root and a list of the operator's arguments.
    unsafe {
        share(root, operator, arguments, true, |root, uuid| {
            // The one table that the UUID comes from.
            let mut relation = 0;
            let columns = pg_sys::pull_varnos(root, uuid.as_ptr());
            if pg_sys::bms_get_singleton_member(columns, &mut relation) { relation } else { 0 }
        })
    }
}

/// The share of the rows that pass, of this table in a join.
///
/// # Safety
/// The root must be the planner's, the arguments a list of the operator's.
#[allow(unsafe_code)]
unsafe fn share(
    root: Internal,
    operator: pg_sys::Oid,
    arguments: Internal,
    is_join: bool,
    relation_of: impl FnOnce(*mut pg_sys::PlannerInfo, Expression<'_>) -> i32,
) -> f64 {
    pgrx::check_for_interrupts!();
    let (Some(root), Some(list)) = (root.unwrap(), arguments.unwrap()) else { return UNKNOWN_SIDE };
    let root = root.cast_mut_ptr();
    // SAFETY: an operator's arguments are expressions.
    let arguments = unsafe { expressions(list.cast_mut_ptr()) };
    let Some(asked) = Comparison::of(operator, arguments) else { return UNKNOWN_SIDE };
    let relation = relation_of(root, asked.uuid);
    let query = Query { root, list: list.cast_mut_ptr(), estimator: estimator_of(operator), relation, is_join };
    query.share(&asked).clamp(0.0, 1.0)
}

#[allow(unsafe_code)]
fn estimator_of(operator: pg_sys::Oid) -> pg_sys::Oid {
    // SAFETY: a lookup by OID.
    unsafe { pg_sys::get_oprrest(operator) }
}

/// A comparison of a UUID with a time by one of the extension's operators.
struct Comparison<'plan> {
    function: pg_sys::Oid,
    form: Form,
    uuid: Expression<'plan>,
    time: Expression<'plan>,
    arguments: &'plan [Expression<'plan>],
}

impl<'plan> Comparison<'plan> {
    #[allow(unsafe_code)]
    fn of(operator: pg_sys::Oid, arguments: &'plan [Expression<'plan>]) -> Option<Comparison<'plan>> {
        // SAFETY: a lookup by OID.
        let function = unsafe { pg_sys::get_opcode(operator) };
        let form = form_of_function(function)?;
        let (uuid, time) = operands(form, arguments)?;
        Some(Comparison { function, form, uuid, time, arguments })
    }
}

/// The UUID and the time, or the range of time, that a predicate compares; without domains that have no constraint.
pub fn operands<'plan>(form: Form, arguments: &[Expression<'plan>]) -> Option<(Expression<'plan>, Expression<'plan>)> {
    let (uuid, time) = (*arguments.get(form.uuid_argument)?, *arguments.get(1 - form.uuid_argument)?);
    Some((uuid, time.unrelabelled()))
}

/// What does not change during one estimate.
struct Query {
    /// The planner's.
    root: *mut pg_sys::PlannerInfo,
    /// The list of the arguments that the planner asks about.
    list: *mut pg_sys::List,
    /// This estimator, by which the extension's operators are known.
    estimator: pg_sys::Oid,
    /// The table whose rows are counted, in a join; or 0.
    relation: i32,
    /// Whether the share of a join's rows is asked for.
    is_join: bool,
}

impl Query {
    #[allow(unsafe_code)]
    fn share(&self, asked: &Comparison<'_>) -> f64 {
        let Some(variable) = self.variable(asked.form) else {
            return if asked.form.predicate == Predicate::Within { UNKNOWN_WINDOW } else { UNKNOWN_SIDE };
        };
        let conditions = match self.place(&variable, asked.arguments) {
            Place::BehindAnother => return 1.0,
            Place::First(conditions) => conditions,
            Place::Nowhere => Vec::new(),
        };
        let mut group = Group::default();
        if conditions.is_empty() {
            self.add(&mut group, asked.form, asked.time);
        }
        for condition in conditions {
            self.add_condition(&mut group, asked.form.order, &variable, condition);
        }
        if group.is_null {
            return 0.0;
        }
        if let Some(time) = group.moment() {
            return self.share_of_moment(&variable, time);
        }
        let function = asked.function;
        if let (Some(from), Some(to), Order::Octets) = (group.from, group.to, asked.form.order)
            && group.of_core.is_empty()
            && from.intersection(to).is_of_millisecond()
        {
            return 1.0 / variable.relation().map_or(0.0, |relation| relation.tuples).max(1.0);
        }
        let share = group.share(|span| Some(self.share_of_span(function, asked.form.order, &variable, span)?.0));
        if group.of_core.is_empty() {
            return share;
        }
        let core = self.share_of_core(&group.of_core);
        if core > share { share / core } else { 1.0 }
    }

    /// The share of the millisecond of a time that is not known yet: one row. In a join such a pair stands beside the equality of the
    /// two times. Core estimates that by how many different times both sides have, and takes 200 for a function's results; of UUIDs,
    /// there are as many as rows.
    #[allow(unsafe_code)]
    fn share_of_moment(&self, variable: &Variable, time: Expression<'_>) -> f64 {
        let rows = variable.relation().map_or(0.0, |relation| relation.tuples).max(1.0);
        if !self.is_join {
            return 1.0 / rows;
        }
        let mut other = Variable(pg_sys::VariableStatData::default());
        let mut is_default = false;
        // SAFETY: the root is the planner's. The variable's statistics are released with it.
        let different = unsafe {
            pg_sys::examine_variable(self.root, time.as_ptr(), 0, &mut other.0);
            pg_sys::get_variable_numdistinct(&mut other.0, &mut is_default)
        };
        // Of two functions' results, the one of more rows answers.
        let other_rows = other.relation().map_or(0.0, |relation| relation.tuples);
        if is_default && (other_rows, other.place()) > (rows, variable.place()) {
            return 1.0;
        }
        (different.max(UNKNOWN_DISTINCT) / rows.max(different)).min(1.0)
    }

    /// Core's estimate of its own comparisons, which it multiplies with this one's.
    #[allow(unsafe_code)]
    fn share_of_core(&self, comparisons: &[Expression<'_>]) -> f64 {
        let inner = pg_sys::JoinType::JOIN_INNER;
        // SAFETY: the root is the planner's, the list one of expressions.
        unsafe {
            let comparisons = list_of(comparisons.iter().copied());
            pg_sys::clauselist_selectivity(self.root, comparisons, self.relation, inner, std::ptr::null_mut())
        }
    }

    /// The variable that is compared with a time, with its statistics, if it may have some.
    #[allow(unsafe_code)]
    fn variable(&self, form: Form) -> Option<Variable> {
        let mut variable = Variable(pg_sys::VariableStatData::default());
        let mut other = std::ptr::null_mut();
        let mut is_first = false;
        // SAFETY: the root is the planner's, the list the operator's arguments. The variable's statistics are released with it,
        // once.
        let found = unsafe {
            pg_sys::get_restriction_variable(
                self.root,
                self.list,
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
    fn place<'plan>(&self, variable: &'plan Variable, arguments: &[Expression<'plan>]) -> Place<'plan> {
        for conditions in variable.conditions() {
            let count = conditions.count();
            let asked = position(count, &LAST_CONDITION, |number| is_asked(conditions.clause(number), arguments));
            if let Some(asked) = asked {
                // Among conditions on a join, only those between the same tables are always used together.
                let together = |number: &usize| conditions.read_the_same(*number, asked);
                let earlier = (0..asked)
                    .any(|number| self.is_comparison_of(conditions.clause(number), variable) && together(&number));
                return if earlier {
                    Place::BehindAnother
                } else {
                    Place::First(collected((0..count).filter(together).map(|number| conditions.clause(number))))
                };
            }
            for number in rotated(count, &LAST_CONDITION) {
                if let Some(place) = self.place_within(conditions.clause(number), variable, arguments) {
                    LAST_CONDITION.store(number, Ordering::Relaxed);
                    return place;
                }
            }
        }
        Place::Nowhere
    }

    /// As [`Query::place`], inside an expression.
    fn place_within<'plan>(
        &self,
        expression: Expression<'plan>,
        variable: &Variable,
        arguments: &[Expression<'plan>],
    ) -> Option<Place<'plan>> {
        let (combination, parts) = expression.combination()?;
        if combination == Combination::And
            && let Some(asked) = parts.iter().position(|part| is_asked(*part, arguments))
        {
            let earlier = parts[..asked].iter().any(|part| self.is_comparison_of(*part, variable));
            return Some(if earlier { Place::BehindAnother } else { Place::First(collected(parts.iter().copied())) });
        }
        let number = rotated(parts.len(), &LAST_PART)
            .find_map(|number| self.place_within(parts[number], variable, arguments).map(|place| (number, place)));
        number.map(|(number, place)| {
            LAST_PART.store(number, Ordering::Relaxed);
            place
        })
    }

    /// Whether an expression is a comparison of this variable by one of the extension's operators.
    fn is_comparison_of(&self, expression: Expression<'_>, variable: &Variable) -> bool {
        expression.operator().is_some_and(|call| {
            call.arguments.iter().any(|side| variable.is(*side)) && estimator_of(call.callee) == self.estimator
        })
    }

    /// Adds a condition to a group, if it is a comparison of the group's variable.
    fn add_condition<'plan>(
        &self,
        group: &mut Group<'plan>,
        order: Order,
        variable: &Variable,
        expression: Expression<'plan>,
    ) {
        let Some(call) = expression.operator() else { return };
        let &[left, right] = call.arguments else { return };
        if !variable.is(left) && !variable.is(right) {
            return;
        }
        if estimator_of(call.callee) == self.estimator {
            if let Some(comparison) = Comparison::of(call.callee, call.arguments)
                && comparison.form.order == order
            {
                self.add(group, comparison.form, comparison.time);
            }
        } else if order == Order::Octets
            && let Some(side) = side_of_core(call.callee)
        {
            let (side, other) = if variable.is(left) { (side, right) } else { (side.mirrored(), left) };
            group.of_core.push(expression);
            group.add(side, self.value(other, |uuid: SqlUuid| span_of_side(side, uuid.0.to_u128())));
        }
    }

    /// Adds a comparison by one of the extension's operators to a group.
    fn add<'plan>(&self, group: &mut Group<'plan>, form: Form, time: Expression<'plan>) {
        match form.predicate {
            Predicate::Is(side) => {
                let value = self.value(time, |time: Timestamptz| match form.order {
                    Order::Octets => span_of_window(side.window(time)),
                    Order::Time => span_of_side(side, key_of_time(time.0)),
                });
                group.add(side, value);
                match (side, value) {
                    (Side::Since, Value::Unknown) => group.start = Some(time),
                    (Side::Before, Value::Unknown) => group.end = Some(time),
                    _ => {}
                }
            }
            Predicate::Within => {
                let span = self.value(time, |range: Tstzrange| span_of_window(window_of_range(range)));
                group.add(Side::Since, span);
                group.add(Side::Until, span);
            }
        }
    }

    /// The span of an expression in a comparison, if it can be computed now.
    #[allow(unsafe_code)]
    fn value<T: OfSqlType>(&self, expression: Expression<'_>, span: impl FnOnce(T) -> Span) -> Value {
        // SAFETY: the root is the planner's; an expression's estimate is an expression.
        let value = unsafe { Expression::of(pg_sys::estimate_expression_value(self.root, expression.as_ptr())) };
        let Some(value) = value.map(Expression::unrelabelled).filter(|value| value.is_constant()) else {
            return Value::Unknown;
        };
        value.value().map_or(Value::Null, |value| Value::Known(span(value)))
    }

    /// The share of the rows with a key in a span, and that of version 7 among them, from the variable's statistics, if there are any
    /// that may be used.
    #[allow(unsafe_code)]
    fn share_of_span(
        &self,
        function: pg_sys::Oid,
        order: Order,
        variable: &Variable,
        span: Span,
    ) -> Option<(f64, f64)> {
        if span.is_empty() {
            return Some((0.0, 0.0));
        }
        let statistics = Statistics::of(&variable.0, function, order)?;
        // The common values count for themselves, the histogram for the rest.
        let common = |is_it: fn(u128) -> bool| {
            let within = statistics.common.iter().filter(|(key, _)| span.contains(*key) && is_it(*key));
            within.map(|(_, share)| share).sum::<f64>()
        };
        let (common, common_version_7) = (common(|_| true), common(is_version_7));
        let rest = 1.0 - statistics.null_share - statistics.common.iter().map(|(_, share)| share).sum::<f64>();
        let Some(histogram) = statistics.histogram else {
            // Half of the unknown part, as in core.
            return Some((common + rest.max(0.0) / 2.0, common_version_7 + rest.max(0.0) / 2.0));
        };
        // SAFETY: the root is the planner's, the variable one that it found.
        let index = unsafe { ColumnIndex::of(self.root, &variable.0, order) };
        // As in core without an index: outside of the histogram there may still be a hundredth of a bin.
        let is_open = span.first == Span::ALL.first || span.last == Span::ALL.last;
        let least = if is_open && index.is_none() { 0.01 / histogram.bins() } else { ALMOST_NOTHING };
        let rows = variable.relation().map_or(0.0, |relation| relation.tuples);
        let (share, version_7) = histogram.share(span, &index as &dyn Index, rows);
        Some((
            common + rest.max(0.0) * share.max(least),
            common_version_7 + rest.max(0.0) * version_7.max(ALMOST_NOTHING),
        ))
    }

    /// Of a test whether a UUID has a time: the share of version 7 among the rows that pass the comparisons beside it.
    #[allow(unsafe_code)]
    fn share_of_test(
        &self,
        uuid: Expression<'_>,
        test: pg_sys::NullTestType::Type,
        function: pg_sys::Oid,
    ) -> Option<f64> {
        let mut variable = Variable(pg_sys::VariableStatData::default());
        // SAFETY: the root is the planner's. The variable's statistics are released with it. The arguments are expressions.
        let asked = unsafe {
            pg_sys::examine_variable(self.root, uuid.as_ptr(), self.relation, &mut variable.0);
            expressions(self.list)
        };
        let mut group = Group::default();
        let conditions = variable.conditions().find_map(|conditions| {
            let clauses = collected((0..conditions.count()).map(|number| conditions.clause(number)));
            beside(&clauses, asked)
        });
        for condition in conditions.unwrap_or_default() {
            self.add_condition(&mut group, Order::Octets, &variable, condition);
        }
        let span = [group.from, group.to].into_iter().flatten().fold(Span::ALL, Span::intersection);
        let (all, version_7) = self.share_of_span(function, Order::Octets, &variable, span)?;
        // A comparison is not true of null.
        let all = if span == Span::ALL { 1.0 } else { all };
        let share = (version_7 / all.max(ALMOST_NOTHING)).min(1.0);
        Some(if test == pg_sys::NullTestType::IS_NULL { 1.0 - share } else { share })
    }
}

/// Conditions that are combined by AND with the call that has these arguments, itself included.
fn beside<'plan>(conditions: &[Expression<'plan>], arguments: &[Expression<'_>]) -> Option<Vec<Expression<'plan>>> {
    let is_asked = |one: &Expression<'_>| one.function().is_some_and(|call| std::ptr::eq(call.arguments, arguments));
    if conditions.iter().any(is_asked) {
        return Some(conditions.to_vec());
    }
    conditions.iter().find_map(|condition| {
        let (combination, parts) = condition.combination()?;
        if combination == Combination::And {
            beside(parts, arguments)
        } else {
            parts.iter().find_map(|part| beside(std::slice::from_ref(part), arguments))
        }
    })
}

/// What the planner shall expect of [`PlannerFunction::RECHECK`]: of a test for a time, the rows that have one; else all that it is
/// asked about, which other conditions have counted.
///
/// # Safety
/// The request must be PostgreSQL's.
#[allow(unsafe_code)]
pub unsafe fn share_of_recheck(request: &pg_sys::SupportRequestSelectivity) -> f64 {
    // SAFETY: a function's arguments are expressions.
    let arguments = unsafe { expressions(request.args) };
    let share = || {
        let (time, test) = arguments.first()?.null_test()?;
        let call = time.without_placeholder().function()?;
        let query = Query {
            root: request.root,
            list: request.args,
            estimator: timestamptz_estimator(),
            relation: request.varRelid,
            is_join: request.is_join,
        };
        query.share_of_test(*call.arguments.first()?, test, call.callee)
    };
    share().unwrap_or(1.0)
}

/// The estimator of the extension's operators, if they are members of PostgreSQL's family.
fn timestamptz_estimator() -> pg_sys::Oid {
    member(pg_sys::TIMESTAMPTZOID, pg_sys::BTLessStrategyNumber).map_or(pg_sys::Oid::INVALID, estimator_of)
}

/// Conditions of a table, read in place: there may be thousands, and the planner asks about each.
struct Conditions<'plan>(&'plan [*mut pg_sys::RestrictInfo]);

#[allow(unsafe_code)]
impl<'plan> Conditions<'plan> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn clause(&self, number: usize) -> Expression<'plan> {
        // SAFETY: a condition of the planner's has a clause, which is an expression.
        unsafe { Expression::of((*self.0[number]).clause.cast()).expect("a condition has a clause") }
    }

    /// Whether two conditions read the same tables.
    fn read_the_same(&self, one: usize, other: usize) -> bool {
        // SAFETY: the conditions' own sets of tables, which are only read.
        unsafe { pg_sys::bms_equal((*self.0[one]).clause_relids, (*self.0[other]).clause_relids) }
    }
}

/// The place of a comparison.
enum Place<'plan> {
    /// It is not a condition of the table.
    Nowhere,
    /// Another one of the same variable comes before it, and answers for both.
    BehindAnother,
    /// It comes first. These are the conditions that are combined with it by AND, itself included.
    First(Vec<Expression<'plan>>),
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
fn is_asked(expression: Expression<'_>, arguments: &[Expression<'_>]) -> bool {
    expression.operator().is_some_and(|call| {
        std::ptr::eq(call.arguments, arguments)
            || match (call.arguments, arguments) {
                ([left, right], [first, second]) => {
                    (left, right) == (first, second) || (left, right) == (second, first)
                }
                _ => false,
            }
    })
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

/// What the planner can know about the other side.
#[derive(Clone, Copy, Debug)]
enum Value {
    Known(Span),
    Null,
    Unknown,
}

/// Comparisons of one variable that are combined by AND.
#[derive(Default)]
struct Group<'plan> {
    from: Option<Span>,
    to: Option<Span>,
    unknown_from: bool,
    unknown_to: bool,
    /// Times that are not known yet, since and before which.
    start: Option<Expression<'plan>>,
    end: Option<Expression<'plan>>,
    is_null: bool,
    /// Those among them that core estimates.
    of_core: Vec<Expression<'plan>>,
}

impl<'plan> Group<'plan> {
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

    /// The time, if these are `id >= time AND id < uuid_time_next(time)`.
    fn moment(&self) -> Option<Expression<'plan>> {
        let (start, call) = (self.start?, self.end?.function()?);
        let is_next = with_c_symbol(call.callee, |symbol| symbol == PlannerFunction::NEXT.symbol) == Some(true);
        (is_next && matches!(call.arguments, [time] if time.equals(start))).then_some(start)
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
    #[allow(unsafe_code)]
    fn is(&self, expression: Expression<'_>) -> bool {
        // SAFETY: the planner found it among the arguments, without casts.
        let Some(own) = (unsafe { Expression::of(self.0.var) }) else { return false };
        let expression = expression.unrelabelled();
        match (expression.column(), own.column()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => expression.equals(own),
            _ => false,
        }
    }

    /// Its table, if it is of one.
    #[allow(unsafe_code)]
    fn relation(&self) -> Option<&pg_sys::RelOptInfo> {
        // SAFETY: the planner's own relation, or null.
        unsafe { self.0.rel.as_ref() }
    }

    /// Its table's place in the query, or 0.
    fn place(&self) -> pg_sys::Index {
        self.relation().map_or(0, |relation| relation.relid)
    }

    /// The conditions of its table, and those of joins with it.
    #[allow(unsafe_code)]
    fn conditions(&self) -> impl Iterator<Item = Conditions<'_>> {
        // SAFETY: lists of RestrictInfo.
        self.relation()
            .into_iter()
            .flat_map(|relation| [relation.baserestrictinfo, relation.joininfo])
            .map(|list| Conditions(unsafe { cells(list) }))
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
