//! Rewrites clauses on the time inside a UUID to clauses on the UUID.
//!
//! ```text
//! uuidv7_time(id) >= t              id >= t AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) = t               id >= t AND id <= t AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) <@ range          id <@ range AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) < ANY (times)     id < the latest AND uuidv7_time(id) IS NOT NULL
//! id <= ANY (times)                 id <= the latest
//! id <@ (SELECT range)              id >= the start AND id <= the end of its result
//! id <@ ANY (ranges)                id <@ one OR id <@ another; if many or unknown, id <@ the span AND uuid_recheck(itself)
//! ```
//!
//! [`clause`](super::clause) parses the left column, and [`bounds`](super::bounds) builds the comparisons in the right one. For a
//! version 7 UUID, the two are equivalent, and for any other, the time that the function returns is null. So the right column can
//! replace the left one wherever false has the same effect as null: in WHERE and ON, and in AND and OR at the top of these. Within
//! NOT, only conditions with `<@` and a range are rewritten; within CASE or a function call, no clause is.
//!
//! If the domain `uuid_v7` or a CHECK constraint excludes all other UUIDs, the test for null is omitted, and functions that also
//! read the time of other versions are treated like `uuidv7_time`. (If a CHECK constraint allows UUIDs without a version, they are
//! rewritten with the test.) For the function that returns microseconds, the comparison of the UUID selects whole milliseconds, and
//! the clause itself is rechecked unless the comparison is exact:
//!
//! ```text
//! uuid_extract_time_us(id) > t      id >= date_trunc('milliseconds', t) AND uuid_recheck(uuid_extract_time_us(id) > t)
//! ```
//!
//! [`hook`](super::hook) determines when clauses are rewritten.

use pgrx::pg_sys;

use super::bounds::{bounds_of, implied_bounds, is_exact, is_whole_millisecond};
use super::clause::{Clause, Condition};
use super::functions::without_recheck;
use super::in_list::{MOST_ELEMENTS, milliseconds};
use super::operators::{Predicate, Side};
use super::parser::Parser;
use super::reader::reader_of;
use super::text_form::TextComparison;
use super::time_call::TimeCall;
use crate::error::OrRaise;
use crate::planner::catalog::PlannerFunction;
use crate::planner::expression::{
    Conjunction, all_of, any_of, built_in_call, call_of, comparison_of, not, null_test_of, time_constant, uuid_constant,
};
use crate::planner::planned::{Expression, collected};

/// The nesting depth above which clauses are not changed. The planner's tree walkers recurse for each level. Called from here, with
/// more of the stack in use, they would exceed max_stack_depth earlier than if the planner itself called them.
const DEEPEST: usize = 100;

/// A clause that is added to the comparisons of the UUID.
#[derive(Clone, Copy, PartialEq)]
enum Filter {
    /// The test that the UUID has a time, unless the UUID is known to be version 7.
    HasTime,
    /// A recheck of the clause, whose selectivity the comparisons already include.
    Recheck,
    /// The clause itself, so that the planner can still use it, for example as a join clause.
    Original,
}

impl<'plan> Parser<'plan> {
    /// Rewrites the clauses of WHERE and ON. Returns the IS NOT NULL tests that all rows of this part have passed, so that higher
    /// levels need not repeat them.
    pub fn rewrite_tree(&self, tree: Expression<'plan>) -> Vec<Expression<'plan>> {
        let parts: Vec<_> = tree.tree_parts().map(|part| self.rewrite_tree(part)).collect();
        let join = tree.read::<pg_sys::JoinExpr>().map(|join| join.jointype);
        // A full join supports only equalities as join clauses, and reads all rows of both sides.
        if join == Some(pg_sys::JoinType::JOIN_FULL) {
            return Vec::new();
        }
        if let Some(clauses) = self.rewrite_all(tree.tree_clauses()) {
            tree.set_tree_clauses(clauses);
        }
        if join.is_some_and(|kind| kind != pg_sys::JoinType::JOIN_INNER) {
            return Vec::new();
        }
        let passed = collected(parts.into_iter().flatten());
        let is_test = |one: &&Expression<'_>| {
            without_recheck(**one).null_test().is_some_and(|(_, test)| test == pg_sys::NullTestType::IS_NOT_NULL)
        };
        let own = tree.tree_clauses();
        let is_passed = |one: &Expression<'_>| passed.iter().any(|passed: &Expression<'_>| passed.equals(*one));
        if own.iter().filter(is_test).any(is_passed) {
            tree.set_tree_clauses(collected(own.iter().filter(|one| !is_passed(one)).copied()));
        }
        collected(passed.iter().chain(tree.tree_clauses().iter().filter(is_test)).copied())
    }

    /// Returns the replacements of clauses that are combined by AND, or `None` if no clause changes.
    pub fn rewrite_all(&self, clauses: &[Expression<'plan>]) -> Option<Vec<Expression<'plan>>> {
        conjunction(clauses, |clause| self.rewrite(clause)).map(Conjunction::into_clauses)
    }

    /// Returns the clauses that replace a clause, or `None` if the clause does not change.
    pub fn rewrite(&self, clause: Expression<'plan>) -> Option<Conjunction<'plan>> {
        // The depth is checked here rather than in `rewrite_part`, once for all levels.
        if !self.may_be_rewritten(clause) || is_nested(clause, DEEPEST) {
            return None;
        }
        let parsed = self.parse(clause)?;
        if let Some(list) = self.rechecked_in_list(clause, &parsed) {
            return Some(list.into());
        }
        match self.rewritten(clause, parsed)? {
            Conjunction::All(parts) if clause.combination().is_some() => Some(self.simplified(all_of(&parts))),
            rewritten => Some(rewritten),
        }
    }

    /// Returns the conjuncts of a condition that may contain constants, after constant folding.
    fn simplified(&self, condition: Expression<'plan>) -> Conjunction<'plan> {
        let parts = self.root.folded(condition).conjuncts();
        // After folding, such a constant is false or null.
        if parts.iter().any(|part| part.is_constant()) { Conjunction::Never } else { Conjunction::All(parts) }
    }

    /// Rewrites a clause, or a part of one, as [`Parser::rewrite`] does, but without simplification.
    fn rewrite_part(&self, clause: Expression<'plan>) -> Option<Conjunction<'plan>> {
        self.rewritten(clause, self.parse(clause)?)
    }

    fn rewritten(&self, clause: Expression<'plan>, parsed: Clause<'plan>) -> Option<Conjunction<'plan>> {
        match parsed {
            Clause::All(parts) => conjunction(parts, |part| self.rewrite_part(part)),
            Clause::Any(parts) => {
                let rewritten = collected(parts.iter().map(|part| self.rewrite_part(*part)));
                if rewritten.iter().all(Option::is_none) {
                    return None;
                }
                let arms = parts.iter().zip(rewritten);
                either(arms.map(|(part, arm)| arm.or_else(|| Some((*part).into()))))
            }
            Clause::OfTime(time, condition) => self.rewritten_of_time(clause, &time, condition),
            Clause::AnyOfUuid { uuid, predicate, array } => match predicate {
                // The planner's proofs and indexes support the first two as they are, and no operator compares a UUID by the third.
                Predicate::Is(Side::Before | Side::Since) | Predicate::Equal => None,
                Predicate::Is(side) => self.bounded(uuid, predicate, self.end_of_array(side, array)?),
                Predicate::Within => self.within_any(clause, uuid, array),
            },
            Clause::UuidWithin { uuid, range, is_negated } => match self.bounded(uuid, Predicate::Within, range)? {
                Conjunction::All(within) if is_negated => Some(self.simplified(not(all_of(&within)))),
                Conjunction::Never if is_negated => None,
                within => Some(within),
            },
            // For joins, [`super::join`] uses the bounds.
            Clause::Monotonic(comparison) if comparison.value.reads_columns() => None,
            Clause::Monotonic(comparison) => {
                self.with_bounds(clause, &comparison.call.time, &comparison.ends()?, Filter::Recheck)
            }
            Clause::Invertible(call, other) => Some(self.simplified(call.equality(other)?)),
            Clause::AnyInvertible(call, others) => Some(self.simplified(call.equality_with_any(others)?)),
            Clause::Text(TextComparison { uuid, ranges }) => either(ranges.into_iter().map(|[first, last]| {
                let with = |strategy, end| comparison_of(uuid, strategy, uuid_constant(end)).map(Conjunction::from);
                if first == last {
                    return with(pg_sys::BTEqualStrategyNumber, first);
                }
                let from = with(pg_sys::BTGreaterEqualStrategyNumber, first)?;
                Some(from.and(with(pg_sys::BTLessEqualStrategyNumber, last)?))
            })),
        }
    }

    fn rewritten_of_time(
        &self,
        clause: Expression<'plan>,
        time: &TimeCall<'plan>,
        condition: Condition<'plan>,
    ) -> Option<Conjunction<'plan>> {
        match condition {
            // For joins, [`super::join`] uses the bounds.
            Condition::Comparison(Predicate::Equal, other) if other.reads_columns() => None,
            Condition::Comparison(Predicate::Equal, other)
                if !time.has_micros && other.value().is_some_and(|other| !is_whole_millisecond(other)) =>
            {
                Some(Conjunction::Never)
            }
            Condition::Comparison(predicate, other) => {
                self.with_bounds(clause, time, &[(predicate, other)], Filter::HasTime)
            }
            // The clause is true if the UUID has a time and that time is outside the range.
            Condition::NotWithin(_) if time.has_micros => None,
            Condition::NotWithin(range) => {
                let outside = match self.bounded(time.uuid, Predicate::Within, range)? {
                    Conjunction::Never => Conjunction::All(Vec::new()),
                    Conjunction::All(within) => self.simplified(not(all_of(&within))),
                };
                Some(outside.and(self.has_time(time)))
            }
            Condition::FirstOfRow(side, other) => {
                let predicate = Predicate::Is(if side.is_lower() { Side::Since } else { Side::Until });
                self.with_bounds(clause, time, &[(predicate, other)], Filter::Original)
            }
            Condition::AnyTime(predicate, array) => {
                let is_equality = predicate == Predicate::Equal;
                if is_equality && let Some(rewritten) = self.one_of(time, array) {
                    return Some(rewritten);
                }
                if is_equality && !array.is_repeatable() {
                    return None;
                }
                let end = |side| Some((Predicate::Is(side), self.end_of_array(side, array)?));
                let ends = predicate.sides().into_iter().map(end).collect::<Option<Vec<_>>>()?;
                let filter = if is_equality { Filter::Original } else { Filter::HasTime };
                self.with_bounds(clause, time, &ends, filter)
            }
            Condition::Tested(test) if time.is_version_7 => Some(null_test_of(time.uuid.deep_copy(), test).into()),
            Condition::Tested(_) => Some(self.rechecked_test(time, clause)?.into()),
        }
    }

    /// Returns an expression for the earliest time in an array if the side is a lower one, and for the latest otherwise. Its value
    /// is null if the array contains no times.
    fn end_of_array(&self, side: Side, array: Expression<'plan>) -> Option<Expression<'plan>> {
        let span = call_of(PlannerFunction::TIME_SPAN, &[array.deep_copy()])?;
        let end = if side.is_lower() { pg_sys::F_LOWER_ANYRANGE } else { pg_sys::F_UPPER_ANYRANGE };
        Some(self.root.folded(built_in_call(end, pg_sys::TIMESTAMPTZOID, &[span])))
    }

    /// Rewrites `uuidv7_time(id) IN (t, u)`, with up to [`MOST_ELEMENTS`] constants, to an OR of pairs of bounds.
    fn one_of(&self, time: &TimeCall<'plan>, array: Expression<'plan>) -> Option<Conjunction<'plan>> {
        if time.has_micros {
            return None;
        }
        let times = milliseconds(array).filter(|times| times.len() <= MOST_ELEMENTS)?;
        let equal = |other| self.bounded(time.uuid, Predicate::Equal, time_constant(other));
        let one = either(times.into_iter().map(equal))?;
        Some(if time.is_version_7 { one } else { one.and(self.has_time(time)) })
    }

    /// Rewrites `id <@ ANY (ranges)`, for which PostgreSQL calls no support function.
    fn within_any(
        &self,
        clause: Expression<'plan>,
        uuid: Expression<'plan>,
        array: Expression<'plan>,
    ) -> Option<Conjunction<'plan>> {
        let within = |range| self.bounded(uuid, Predicate::Within, range);
        if let Some(ranges) = array.constant_ranges(MOST_ELEMENTS) {
            return either(ranges.into_iter().map(within));
        }
        // The index condition and the estimate cover the span of the ranges; the recheck excludes rows in the gaps.
        let ranges = array.as_ranges().filter(|ranges| ranges.is_repeatable())?;
        let span = self.root.folded(call_of(PlannerFunction::TIME_SPAN, &[ranges.deep_copy()])?);
        Some(within(span)?.and(call_of(PlannerFunction::RECHECK, &[clause])?))
    }

    /// Returns bounds on the UUID for the conjunction of predicates on its time, with a filter. A recheck of the clause replaces
    /// the test for null if the bounds select whole milliseconds but the clause does not, or if the executor can exclude children
    /// of the table by the clause ([`Parser::divides_children`]).
    fn with_bounds(
        &self,
        clause: Expression<'plan>,
        time: &TimeCall<'plan>,
        predicates: &[(Predicate, Expression<'plan>)],
        mut filter: Filter,
    ) -> Option<Conjunction<'plan>> {
        let is_exact = predicates.iter().all(|(predicate, other)| is_exact(time, *predicate, *other));
        let is_known = predicates.iter().all(|(_, other)| other.is_constant());
        if filter == Filter::HasTime && (!is_exact || !is_known && self.divides_children(time)) {
            filter = Filter::Recheck;
        }
        let bounds = implied_bounds(self.root, time, predicates)?;
        Some(match filter {
            Filter::HasTime if time.is_version_7 => bounds,
            Filter::HasTime => bounds.and(self.has_time(time)),
            Filter::Recheck if !clause.is_repeatable() => return None,
            Filter::Recheck => bounds.and(call_of(PlannerFunction::RECHECK, &[clause])?),
            Filter::Original => Conjunction::from(clause).and(bounds),
        })
    }

    /// Returns the comparisons of the UUID that are equivalent to a predicate.
    fn bounded(
        &self,
        uuid: Expression<'plan>,
        predicate: Predicate,
        other: Expression<'plan>,
    ) -> Option<Conjunction<'plan>> {
        bounds_of(uuid, predicate, other, false, reader_of(Some(self.root), uuid))
    }

    /// Returns the test that a UUID has a time. If ANALYZE has found versions other than 7, the test is wrapped in a recheck, whose
    /// selectivity the extension estimates.
    fn has_time(&self, time: &TimeCall<'plan>) -> Expression<'plan> {
        let test = null_test_of(time.time.deep_copy(), pg_sys::NullTestType::IS_NOT_NULL);
        // Nulls do not matter, because the comparison beside the test is not true for them.
        let is_mixed = self.statistics(time.uuid).is_some_and(|known| known.has_other_versions);
        if is_mixed { self.rechecked_test(time, test).unwrap_or(test) } else { test }
    }

    fn rechecked_test(&self, time: &TimeCall<'plan>, test: Expression<'plan>) -> Option<Expression<'plan>> {
        let known = self.statistics(time.uuid);
        let is_mixed = known.is_some_and(|known| known.has_other_versions || known.null_fraction > 0.0);
        is_mixed.then(|| call_of(PlannerFunction::RECHECK, &[test])).flatten()
    }
}

/// Combines conjunctions by OR. Returns `None` if there is no replacement for one of them.
fn either<'plan>(arms: impl IntoIterator<Item = Option<Conjunction<'plan>>>) -> Option<Conjunction<'plan>> {
    let mut possible = Vec::new();
    for arm in arms {
        if let Conjunction::All(parts) = arm? {
            possible.try_reserve(1).or_raise();
            possible.push(parts);
        }
    }
    Some(match possible.len() {
        0 | 1 => possible.pop().map_or(Conjunction::Never, Conjunction::All),
        _ => any_of(&collected(possible.iter().map(|parts| all_of(parts)))).into(),
    })
}

/// Rewrites clauses that are combined by AND, and omits repeated null tests. Returns `None` if no clause changes.
fn conjunction<'plan>(
    clauses: &[Expression<'plan>],
    rewrite: impl Fn(Expression<'plan>) -> Option<Conjunction<'plan>>,
) -> Option<Conjunction<'plan>> {
    let rewritten = collected(clauses.iter().map(|clause| rewrite(*clause)));
    if rewritten.iter().all(Option::is_none) {
        return None;
    }
    let mut all: Vec<Expression<'plan>> = Vec::new();
    for (clause, rewritten) in clauses.iter().zip(rewritten) {
        // This loop may compare each clause with every other.
        pgrx::check_for_interrupts!();
        let parts = match rewritten {
            None => vec![*clause],
            Some(Conjunction::Never) => return Some(Conjunction::Never),
            Some(Conjunction::All(parts)) => parts,
        };
        // If a clause is kept beside the clauses that it implies, the hook rewrites it again for the query's next table, and must
        // not add the implied clauses again.
        let stays = parts.len() > 1 && parts.iter().any(|part| part.equals(*clause));
        for part in parts {
            let is_there = |other: &Expression<'_>| other.equals(part);
            // One null test of a time suffices for all clauses on that time.
            let is_known = without_recheck(part).null_test().is_some() && all.iter().any(is_there)
                || stays && !part.equals(*clause) && clauses.iter().any(is_there);
            if !is_known {
                all.try_reserve(1).or_raise();
                all.push(part);
            }
        }
    }
    Some(Conjunction::All(all))
}

/// Whether AND, OR and NOT are nested more than `levels` deep in an expression.
fn is_nested(expression: Expression<'_>, levels: usize) -> bool {
    let Some((_, parts)) = expression.combination() else { return false };
    levels == 0 || parts.iter().any(|part| is_nested(*part, levels - 1))
}
