//! Estimates how many rows pass a comparison with a time, from the statistics of the `uuid` column.
//!
//! By default, ANALYZE stores a histogram of about a hundred UUIDs, with equally many rows between adjacent ones. Core cannot
//! interpolate between two UUIDs, so it assumes that a UUID between them is in the middle. For a year of keys in 100 bins, core
//! therefore estimates a day as either nothing or one bin, 3.65 days. Here, [`super::histogram`] interpolates.
//!
//! `id >= a AND id < b` is estimated as a whole: the fraction of the rows between a and b. The planner requests a selectivity for
//! each comparison, and multiplies the results. So the first comparison of a column gets the selectivity of all those combined with
//! it by AND, and the others get 1. Comparisons with a UUID are included. Because core estimates these itself, the selectivity of
//! the first comparison is divided by core's estimate of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use pgrx::datum::Internal;
use pgrx::pg_sys;
use pgrx::prelude::*;

use super::column_index::ColumnIndex;
use super::functions::OperatorFunction;
use super::histogram::Span;
use super::in_list::milliseconds;
use super::operators::{Order, Predicate, Side, window_of_range};
use super::statistics::{Statistics, is_key_of_version_7, key_of_time};
use crate::datum::{SqlUuid, Timestamptz, Tstzrange};
use crate::error::OrRaise;
use crate::planner::catalog::{PlannerFunction, lookup};
use crate::planner::expression::{Call, FromSqlType};
use crate::planner::planned::{Expression, Planned};
use crate::planner::structures::{Variable, estimator_arguments};

const UNKNOWN_SIDE: f64 = pg_sys::DEFAULT_INEQ_SEL;
const UNKNOWN_WINDOW: f64 = pg_sys::DEFAULT_RANGE_INEQ_SEL;
/// The least selectivity of a window that can contain rows. The planner rounds the number of rows up to one.
const ALMOST_NOTHING: f64 = 1e-10;

/// Returns the restriction selectivity of a comparison of a UUID with a time.
#[pg_extern(sql = false)]
fn uuid_timestamptz_sel(root: Internal, operator: pg_sys::Oid, arguments: Internal, relation: i32) -> f64 {
    operator_selectivity(root, operator, arguments, Some(relation))
}

/// Returns the join selectivity of a comparison of a UUID with a time. The time is treated as a constant that is not known yet,
/// because core's default, a third for each comparison and a ninth for two, is far too high for a window of time.
#[pg_extern(sql = false)]
fn uuid_timestamptz_joinsel(
    root: Internal,
    operator: pg_sys::Oid,
    arguments: Internal,
    _join_type: i16,
    _special_join: Internal,
) -> f64 {
    operator_selectivity(root, operator, arguments, None)
}

/// Returns the fraction of a relation's rows, or of a join's if `relation` is `None`, that pass the comparison.
fn operator_selectivity(root: Internal, operator: pg_sys::Oid, arguments: Internal, relation: Option<i32>) -> f64 {
    pgrx::check_for_interrupts!();
    let Some((root, arguments)) = estimator_arguments(root, arguments) else { return UNKNOWN_SIDE };
    let Some(comparison) = TimeComparison::new(operator, arguments) else { return UNKNOWN_SIDE };
    // For a join, only columns of the relation that contains the UUID are variables.
    let relation = relation.unwrap_or_else(|| root.relation_read_by(comparison.uuid));
    let estimate = Estimate { root, relation };
    estimate.comparison_selectivity(&comparison).clamp(0.0, 1.0)
}

/// A comparison of a UUID with a time, by one of the extension's operators.
struct TimeComparison<'plan> {
    function: pg_sys::Oid,
    operator: OperatorFunction,
    uuid: Expression<'plan>,
    time: Expression<'plan>,
    arguments: &'plan [Expression<'plan>],
}

impl<'plan> TimeComparison<'plan> {
    fn new(operator: pg_sys::Oid, arguments: &'plan [Expression<'plan>]) -> Option<Self> {
        let function = lookup::get_opcode(operator);
        let operator = OperatorFunction::from_oid(function)?;
        let (uuid, time) = operator.operands(arguments)?;
        Some(TimeComparison { function, operator, uuid, time, arguments })
    }

    /// Returns a clause as a comparison of the variable.
    fn from_clause(variable: &Variable, clause: Expression<'plan>) -> Option<Self> {
        let call = clause.operator().filter(|call| call.arguments.iter().any(|side| variable.is(*side)))?;
        TimeComparison::new(call.callee, call.arguments)
    }
}

struct Estimate<'plan> {
    root: Planned<'plan, pg_sys::PlannerInfo>,
    /// Core's `varRelid`: the relation whose columns are variables, or 0 for all relations.
    relation: i32,
}

impl<'plan> Estimate<'plan> {
    fn comparison_selectivity(&self, comparison: &TimeComparison<'plan>) -> f64 {
        let order = comparison.operator.order;
        let Some(variable) = self.variable(comparison) else {
            return if comparison.operator.predicate == Predicate::Within { UNKNOWN_WINDOW } else { UNKNOWN_SIDE };
        };
        let mut group = Group::default();
        match self.find(&variable, &|clause| is_requested(clause, comparison.arguments)) {
            Some(clauses) => {
                // An earlier comparison of the variable gets the selectivity of all comparisons.
                let mut earlier = clauses.clone().take_while(|clause| !is_requested(*clause, comparison.arguments));
                if earlier.any(|clause| TimeComparison::from_clause(&variable, clause).is_some()) {
                    return 1.0;
                }
                clauses.for_each(|clause| self.add_clause(&mut group, order, &variable, clause));
            }
            None => self.add(&mut group, comparison.operator, comparison.time),
        }
        if group.is_null {
            return 0.0;
        }
        // `id >= time AND id < uuid_time_next(time)`, for a time that is not known yet, selects one row.
        if group.is_of_instant() {
            return 1.0 / variable.rows();
        }
        if let (Some(from), Some(to), Order::Bytes) = (group.from, group.to, order)
            && group.of_core.is_empty()
            && from.intersection(to).is_of_millisecond()
        {
            return 1.0 / variable.rows();
        }
        let of_span = |span| Some(self.fractions(comparison.function, order, &variable, span)?.0);
        let selectivity = group.combined_selectivity(of_span);
        if group.of_core.is_empty() {
            return selectivity;
        }
        // The planner multiplies this estimate by core's estimate of its own comparisons.
        let core = self.root.clauselist_selectivity(group.of_core, self.relation);
        if core > selectivity { selectivity / core } else { 1.0 }
    }

    /// Returns the UUID of a comparison, with its statistics, if the UUID is a variable and the time is not.
    fn variable(&self, comparison: &TimeComparison<'plan>) -> Option<Variable> {
        let [uuid, time] =
            [comparison.uuid, comparison.time].map(|side| Variable::examine(self.root, side, self.relation));
        (uuid.relation().is_some() && time.relation().is_none()).then_some(uuid)
    }

    /// Returns the ANDed clauses that include the one whose selectivity the planner requests. They are borrowed from the variable's
    /// relation or its joins, because there may be thousands, and the planner requests the selectivity of each.
    fn find(
        &self,
        variable: &Variable,
        is_requested: &dyn Fn(Expression<'plan>) -> bool,
    ) -> Option<impl Iterator<Item = Expression<'plan>> + Clone> {
        let relation = variable.relation()?;
        let lists = [relation.restrictions(), relation.join_restrictions()];
        let (restrictions, requested, parts) = lists.into_iter().find_map(|restrictions| {
            let is_it = |clause: &&Planned<'plan, pg_sys::RestrictInfo>| clause.expression().is_some_and(is_requested);
            if let Some(requested) = restrictions.iter().find(is_it) {
                return Some((restrictions, Some(*requested), &[][..]));
            }
            let parts = restrictions.iter().find_map(|clause| find_within(clause.expression()?, is_requested))?;
            Some((&[][..], None, parts))
        })?;
        // Among join clauses, only those between the same relations are always applied together.
        let is_beside = move |one: &&Planned<'plan, pg_sys::RestrictInfo>| {
            requested.is_some_and(|requested| one.reads_same_relations_as(requested))
        };
        let restrictions = restrictions.iter().filter(is_beside).filter_map(|one| one.expression());
        Some(restrictions.chain(parts.iter().copied()))
    }

    /// Adds a clause to a group if it compares the variable in the given order.
    fn add_clause(&self, group: &mut Group<'plan>, order: Order, variable: &Variable, clause: Expression<'plan>) {
        if let Some(comparison) = TimeComparison::from_clause(variable, clause) {
            if comparison.operator.order == order {
                self.add(group, comparison.operator, comparison.time);
            }
        } else if order == Order::Bytes
            && let Some(call) = clause.operator()
            && let &[left, right] = call.arguments
            && (variable.is(left) || variable.is(right))
            && let Some(side) = side_of_core(call.callee)
        {
            let (side, other) = if variable.is(left) { (side, right) } else { (side.mirrored(), left) };
            group.of_core.try_reserve(1).or_raise();
            group.of_core.push(clause);
            group.add(side, self.value(other, |uuid: SqlUuid| span_of_side(side, uuid.0.to_u128())));
        }
    }

    /// Adds a comparison by one of the extension's operators to a group.
    fn add(&self, group: &mut Group<'plan>, operator: OperatorFunction, time: Expression<'plan>) {
        match operator.predicate {
            Predicate::Is(side) => {
                let value = self.value(time, |time: Timestamptz| match operator.order {
                    Order::Bytes => span_of_window(side.window(time)),
                    Order::Time => span_of_side(side, key_of_time(time.0)),
                });
                group.add(side, value);
                match (side, value) {
                    (Side::Since, BoundValue::Unknown) => group.start = Some(time),
                    (Side::Before, BoundValue::Unknown) => group.end = Some(time),
                    _ => {}
                }
            }
            // No operator of the extension has this predicate.
            Predicate::Equal => {}
            Predicate::Within => {
                let span = self.value(time, |range: Tstzrange| span_of_window(window_of_range(range)));
                group.add(Side::Since, span);
                group.add(Side::Until, span);
            }
        }
    }

    /// Returns the span for the value of an expression, if the planner can already compute the value.
    fn value<T: FromSqlType>(&self, expression: Expression<'plan>, span: impl FnOnce(T) -> Span) -> BoundValue {
        let value = self.root.estimated_value(expression).unrelabelled();
        if !value.is_constant() {
            return BoundValue::Unknown;
        }
        value.value().map_or(BoundValue::Null, |value| BoundValue::Known(span(value)))
    }

    /// Returns the fraction of the rows whose keys are in a span, and the fraction whose keys are also version 7. Returns `None` if
    /// the variable has no statistics that may be used.
    fn fractions(&self, function: pg_sys::Oid, order: Order, variable: &Variable, span: Span) -> Option<(f64, f64)> {
        if span.is_empty() {
            return Some((0.0, 0.0));
        }
        let statistics = Statistics::from_row(&variable.statistics_row(function)?, order);
        // The most common values are counted one by one; the histogram describes the rest.
        let common = |is_it: fn(u128) -> bool| {
            let within = statistics.common.iter().filter(|(key, _)| span.contains(*key) && is_it(*key));
            within.map(|(_, fraction)| fraction).sum::<f64>()
        };
        let (common, common_version_7) = (common(|_| true), common(is_key_of_version_7));
        let of_common = statistics.common.iter().map(|(_, fraction)| fraction).sum::<f64>();
        let rest = (1.0 - statistics.null_fraction - of_common).max(0.0);
        let Some(histogram) = &statistics.histogram else {
            // As in core, half of the rows without statistics are assumed to be in the span.
            return Some((common + rest / 2.0, common_version_7 + rest / 2.0));
        };
        let column = variable.expression()?;
        let index = ColumnIndex::find(self.root, variable.relation(), column, order);
        // As in core, if no index has the column's ends, a hundredth of a bin is assumed beyond each end of the histogram.
        let is_open = span.first == Span::ALL.first || span.last == Span::ALL.last;
        let least = if is_open && index.is_none() { 0.01 * histogram.fraction_of_bin() } else { ALMOST_NOTHING };
        let (all, version_7) = histogram.fractions(span, &index);
        Some((common + rest * all.max(least), common_version_7 + rest * version_7.max(ALMOST_NOTHING)))
    }

    /// Returns the selectivity of a test whether a UUID has a time, from the fraction of version 7 among the rows that pass the
    /// accompanying comparisons.
    fn test_selectivity(
        &self,
        arguments: &[Expression<'plan>],
        uuid: Expression<'plan>,
        test: pg_sys::NullTestType::Type,
        function: pg_sys::Oid,
    ) -> Option<f64> {
        let variable = Variable::examine(self.root, uuid, self.relation);
        let mut group = Group::default();
        let is_requested =
            |clause: Expression<'plan>| clause.function().is_some_and(|call| std::ptr::eq(call.arguments, arguments));
        if let Some(clauses) = self.find(&variable, &is_requested) {
            clauses.for_each(|clause| self.add_clause(&mut group, Order::Bytes, &variable, clause));
        }
        let span = [group.from, group.to].into_iter().flatten().fold(Span::ALL, Span::intersection);
        let (all, version_7) = self.fractions(function, Order::Bytes, &variable, span)?;
        // Without comparisons, which are not true for null, nulls are tested as well.
        let all = if span == Span::ALL { 1.0 } else { all };
        let fraction = (version_7 / all.max(ALMOST_NOTHING)).min(1.0);
        Some(if test == pg_sys::NullTestType::IS_NULL { 1.0 - fraction } else { fraction })
    }
}

/// Finds clauses as [`Estimate::find`] does, but inside an expression.
fn find_within<'plan>(
    expression: Expression<'plan>,
    is_requested: &dyn Fn(Expression<'plan>) -> bool,
) -> Option<&'plan [Expression<'plan>]> {
    let (combination, parts) = expression.combination()?;
    if combination == pg_sys::BoolExprType::AND_EXPR && parts.iter().any(|part| is_requested(*part)) {
        return Some(parts);
    }
    let last = LAST_PART.load(Ordering::Relaxed).min(parts.len());
    let mut numbers = (last..parts.len()).chain(0..last);
    let (number, found) = numbers.find_map(|number| Some((number, find_within(parts[number], is_requested)?)))?;
    LAST_PART.store(number, Ordering::Relaxed);
    Some(found)
}

/// Returns the selectivity of [`PlannerFunction::RECHECK`]: for the test that a UUID has a time, the fraction of rows that pass;
/// for a list of times, one row for each; otherwise 1, because other clauses determine the estimate.
pub fn recheck_selectivity(request: Planned<'_, pg_sys::SupportRequestSelectivity>) -> f64 {
    let (root, arguments) = (request.root(), request.arguments());
    let selectivity = || {
        if let Some(list) = arguments.first()?.any_element() {
            return in_list_selectivity(root?, list, request.varRelid);
        }
        let (time, test) = arguments.first()?.null_test()?;
        let call = time.without_placeholder().function()?;
        let estimate = Estimate { root: root?, relation: request.varRelid };
        estimate.test_selectivity(arguments, *call.arguments.first()?, test, call.callee)
    };
    selectivity().unwrap_or(1.0)
}

fn in_list_selectivity(root: Planned<'_, pg_sys::PlannerInfo>, list: Call<'_>, relation: i32) -> Option<f64> {
    let &[element, array] = list.arguments else { return None };
    // For other comparisons with array elements, the bounds determine the estimate.
    if Predicate::from_operator(list.callee, pg_sys::TIMESTAMPTZOID, false)?.0 != Predicate::Equal {
        return None;
    }
    let uuid = *element.without_placeholder().function()?.arguments.first()?;
    let times = milliseconds(array)?.len() as f64;
    Some((times / Variable::examine(root, uuid, relation).rows()).min(1.0))
}

/// The position of the part that [`find_within`] found last, where the next search starts, because the planner requests the
/// selectivities of all parts in order. For 3,000 windows combined by OR, planning takes about a third less time than otherwise.
static LAST_PART: AtomicUsize = AtomicUsize::new(0);

/// Whether the planner requests the selectivity of an expression. The planner passes the expression's own list of arguments or, if
/// it has commuted an index condition, another list of these arguments.
fn is_requested(expression: Expression<'_>, arguments: &[Expression<'_>]) -> bool {
    expression.operator().is_some_and(|call| {
        std::ptr::eq(call.arguments, arguments)
            || call.arguments == arguments
            || matches!(call.arguments, &[left, right] if arguments == [right, left])
    })
}

/// Returns the side that an operator selects, if it is one of core's inequalities on `uuid`.
fn side_of_core(operator: pg_sys::Oid) -> Option<Side> {
    match Predicate::from_operator(operator, pg_sys::UUIDOID, false)? {
        (Predicate::Is(side), pg_sys::UUIDOID) => Some(side),
        _ => None,
    }
}

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

/// The value with which a variable is compared: the span that the comparison selects, if the planner knows the value.
#[derive(Clone, Copy, Debug)]
enum BoundValue {
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
    /// The times in `>=` and in `<` whose values are not known yet.
    start: Option<Expression<'plan>>,
    end: Option<Expression<'plan>>,
    is_null: bool,
    /// The comparisons that core estimates.
    of_core: Vec<Expression<'plan>>,
}

impl<'plan> Group<'plan> {
    fn add(&mut self, side: Side, value: BoundValue) {
        let is_from = side.is_lower();
        let (known, unknown) =
            if is_from { (&mut self.from, &mut self.unknown_from) } else { (&mut self.to, &mut self.unknown_to) };
        match value {
            BoundValue::Known(span) => *known = Some(known.map_or(span, |known| known.intersection(span))),
            BoundValue::Null => self.is_null = true,
            BoundValue::Unknown => *unknown = true,
        }
    }

    /// Whether the comparisons include `id >= time AND id < uuid_time_next(time)`.
    fn is_of_instant(&self) -> bool {
        let Some((start, call)) = self.start.zip(self.end.and_then(Expression::function)) else { return false };
        PlannerFunction::NEXT.is(call.callee) && matches!(call.arguments, [time] if time.equals(start))
    }

    /// Returns the selectivity of the comparisons. If only one of a window's two ends is known, core's default for a range applies.
    /// Of a known and an unknown bound on the same side, the smaller estimate is used, as in core.
    fn combined_selectivity(&self, of_span: impl Fn(Span) -> Option<f64>) -> f64 {
        match (self.from, self.to) {
            (Some(from), Some(to)) => of_span(from.intersection(to)).unwrap_or(UNKNOWN_WINDOW),
            (None, Some(_)) if self.unknown_from => UNKNOWN_WINDOW,
            (Some(_), None) if self.unknown_to => UNKNOWN_WINDOW,
            (Some(side), None) | (None, Some(side)) => {
                let known = of_span(side).unwrap_or(UNKNOWN_SIDE);
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

impl Variable {
    fn is(&self, expression: Expression<'_>) -> bool {
        let Some(own) = self.expression() else { return false };
        let expression = expression.unrelabelled();
        match (expression.column(), own.column()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => expression.equals(own),
            _ => false,
        }
    }

    /// Returns the number of rows of the variable's relation, at least one.
    fn rows(&self) -> f64 {
        self.relation().map_or(0.0, |relation| relation.tuples).max(1.0)
    }
}
