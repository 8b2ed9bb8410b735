//! `created_at` without a column: conditions on the time that a function reads out of a UUID become conditions on the UUID.
//!
//! ```text
//! uuidv7_time(id) >= t              id >= t AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) = t               id >= t AND id <= t AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) = other.time      and id >= other.time AND id <= other.time
//! uuidv7_time(id) <@ range          id <@ range AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) < ANY (times)     id < the last of them AND uuidv7_time(id) IS NOT NULL
//! id <= ANY (times)                 id <= the last of them
//! id <@ ANY (ranges)                id <@ one OR id <@ another; if they are not known, id <@ the span of all AND uuid_recheck(the same)
//! ```
//!
//! [`rewrite`](super::rewrite) then spells `id >= t`. Of a version 7 UUID both sides say the same, and of any other the function's
//! time is null. So where only true counts, and false is as good as null, one stands for the other. That is so in WHERE
//! and ON, and in what is combined there by AND and OR, but not below NOT, CASE or a function: there conditions stay.
//!
//! Where the column is of the domain `uuid_v7`, no other version can be, so the test for null is left out, and functions that also
//! know the time of other versions are read likewise. One of them has the microseconds, too; there the comparison of the UUID finds the
//! milliseconds, and the condition is left for these:
//!
//! ```text
//! uuid_extract_time_us(id) > t      id >= uuid_time_milli(t) AND uuid_recheck(uuid_extract_time_us(id) > t)
//! ```
//!
//! [`hook`](super::hook) says when; [`inverse`](super::inverse) has its conditions rewritten on the same occasion.

use std::cell::{Cell, OnceCell};

use pgrx::{Array, is_a, pg_sys};

use super::catalog::{self, CORE_TIME, PlannerFunction, TimeFunction, form_of_function};
use super::inverse::{InvertibleCall, invertible_call};
use super::nodes::{
    Column, Combination, Elements, Expression, all_of, any_of, call_of, cells, collected, expressions,
    expressions_or_null, list_of, not, null_test, time_constant, truth_constant,
};
use super::own_index::indexed_expressions;
use super::rewrite::{is_recheck, points, reader, spelled};
use super::statistics::Others;
use super::version_7::is_checked;
use super::{Order, Predicate, Side};
use crate::datum::Timestamptz;
use crate::error::OrRaise;

/// Of more constants, the stretch from the first to the last is looked through.
const FEW: usize = 100;

/// A condition that is nested on more levels stays as it is. What the planner's functions do with it takes stack for each level, and they
/// raise an error where the planner itself, which calls them from higher up, has enough.
const DEEPEST: usize = 100;

/// What is rewritten for one relation.
pub struct Scope {
    root: *mut pg_sys::PlannerInfo,
    relation: *mut pg_sys::RelOptInfo,
    /// What the table's indexes are on, once it is asked for.
    indexed: OnceCell<Vec<Expression<'static>>>,
    /// Whether a CHECK constraint says of a column that it has version 7, for the column that was asked for last.
    checked: Cell<Option<(i16, bool)>>,
    /// What ANALYZE has seen besides version 7 in a column of a table, for the one that was asked for last.
    others: Cell<Option<(Column, Others)>>,
}

/// The time that a function reads out of a UUID.
pub struct TimeCall<'plan> {
    /// The expression itself.
    pub time: Expression<'plan>,
    pub uuid: Expression<'plan>,
    /// A function of the extension, beside which others are found.
    function: pg_sys::Oid,
    /// Why its UUID is version 7 or null.
    proof: Option<Proof>,
    /// Whether it has the microseconds, too.
    has_micros: bool,
}

/// Why a UUID is of version 7 or null.
#[derive(Clone, Copy, Debug)]
enum Proof {
    Domain(pg_sys::Oid),
    /// A CHECK constraint.
    Constraint,
}

#[allow(unsafe_code)]
impl Scope {
    /// # Safety
    /// The root must be the planner's and the relation one of its own, and the planner must wait as long as the scope is there.
    pub unsafe fn new(root: *mut pg_sys::PlannerInfo, relation: *mut pg_sys::RelOptInfo) -> Scope {
        Scope { root, relation, indexed: OnceCell::new(), checked: Cell::new(None), others: Cell::new(None) }
    }

    /// As C takes it.
    pub fn root_ptr(&self) -> *mut pg_sys::PlannerInfo {
        self.root
    }

    pub fn root(&self) -> &pg_sys::PlannerInfo {
        // SAFETY: who made the scope has seen to it that this is the planner's, which waits.
        unsafe { &*self.root }
    }

    pub fn relation(&self) -> &pg_sys::RelOptInfo {
        // SAFETY: likewise.
        unsafe { &*self.relation }
    }

    /// The entry of one of the query's tables.
    pub fn entry(&self, number: pg_sys::Index) -> Option<&pg_sys::RangeTblEntry> {
        let size = u32::try_from(self.root().simple_rel_array_size).unwrap_or(0);
        // SAFETY: the array has a member for each of the query's tables; the first, and those of joins, may be null.
        (number < size).then(|| unsafe { (*self.root().simple_rte_array.add(number as usize)).as_ref() }).flatten()
    }

    /// As C takes it.
    pub fn relation_ptr(&self) -> *mut pg_sys::RelOptInfo {
        self.relation
    }

    /// The members of an equivalence class that read this relation alone; for one of an inheritance tree or a UNION ALL, what the
    /// members of its parent become there.
    ///
    /// # Safety
    /// The class must be the planner's, and the number that of one of its relations.
    pub unsafe fn members_of<'plan>(
        &self,
        class: *mut pg_sys::EquivalenceClass,
        number: pg_sys::Index,
    ) -> Vec<Expression<'plan>> {
        // SAFETY: the planner's arrays have a member for each relation, if null, and a class has members with expressions.
        unsafe {
            let root = self.root();
            let links = root.append_rel_array;
            let link = if links.is_null() { links } else { links.add(number as usize) };
            if let Some(parent) = link.as_ref().and_then(|link| link.as_ref()) {
                let mut members = self.members_of(class, parent.parent_relid);
                for member in &mut members {
                    let translated = pg_sys::adjust_appendrel_attrs(self.root, member.as_ptr(), 1, link);
                    *member = Expression::of(translated).unwrap_or(*member);
                }
                return members;
            }
            let relation = *root.simple_rel_array.add(number as usize);
            let members = cells::<pg_sys::EquivalenceMember>((*class).ec_members).iter().filter(|member| {
                !(***member).em_is_child && pg_sys::bms_equal((***member).em_relids, (*relation).relids)
            });
            members.filter_map(|member| Expression::of((**member).em_expr.cast())).collect()
        }
    }

    /// What ANALYZE has seen besides version 7 in the column that an expression is.
    pub fn others(&self, uuid: Expression<'_>) -> Others {
        let Some(column) = uuid.unrelabelled().column() else { return Others::default() };
        if let Some((last, answer)) = self.others.get()
            && last == column
        {
            return answer;
        }
        let entry = self.entry(column.table).filter(|entry| entry.rtekind == pg_sys::RTEKind::RTE_RELATION);
        let answer = entry.map_or(Others::default(), |entry| Others::of(entry.relid, column.number, entry.inh));
        self.others.set(Some((column, answer)));
        answer
    }

    /// The test that a UUID has a time. Where ANALYZE has seen other versions, the extension says how many rows
    /// pass.
    fn test<'plan>(&self, time: &TimeCall<'plan>) -> Expression<'plan> {
        let test = null_test(time.time.copied(), pg_sys::NullTestType::IS_NOT_NULL);
        // A comparison is not true of null.
        if !self.others(time.uuid).versions {
            return test;
        }
        self.estimated(time, test).unwrap_or(test)
    }

    fn estimated<'plan>(&self, time: &TimeCall<'plan>, test: Expression<'plan>) -> Option<Expression<'plan>> {
        if self.others(time.uuid) != Others::default() {
            call_of(PlannerFunction::RECHECK, time.function, &[test])
        } else {
            None
        }
    }

    /// Rewrites the conditions of WHERE and ON. Returns the tests for null that all rows of this part have passed: on a higher level,
    /// they need not be made again.
    ///
    /// # Safety
    /// The node must be a part of the query's join tree.
    pub unsafe fn rewrite_tree<'plan>(&self, node: *mut pg_sys::Node) -> Vec<Expression<'plan>> {
        // SAFETY: a join tree of the planner's, whose conditions are lists by now.
        unsafe {
            let mut passed = Vec::new();
            let quals = if is_a(node, pg_sys::NodeTag::T_FromExpr) {
                let from = &mut *node.cast::<pg_sys::FromExpr>();
                for part in cells::<pg_sys::Node>(from.fromlist) {
                    passed.extend(self.rewrite_tree(*part));
                }
                &mut from.quals
            } else if is_a(node, pg_sys::NodeTag::T_JoinExpr) {
                let join = &mut *node.cast::<pg_sys::JoinExpr>();
                let sides = [self.rewrite_tree(join.larg), self.rewrite_tree(join.rarg)];
                match join.jointype {
                    pg_sys::JoinType::JOIN_INNER => passed = sides.concat(),
                    // It is made by equalities alone, and reads all rows of both sides.
                    pg_sys::JoinType::JOIN_FULL => return passed,
                    _ => {
                        self.rewrite_quals(&mut join.quals);
                        return passed;
                    }
                }
                &mut join.quals
            } else {
                return passed;
            };
            self.rewrite_quals(quals);
            if is_a(*quals, pg_sys::NodeTag::T_List) {
                let is_test = |one: &&Expression<'_>| {
                    let test = without_recheck(**one).null_test();
                    test.is_some_and(|(_, test)| test == pg_sys::NullTestType::IS_NOT_NULL)
                };
                let own = expressions(quals.cast());
                let is_passed = |one: &Expression<'_>| passed.iter().any(|passed: &Expression<'_>| passed.equals(*one));
                if own.iter().filter(is_test).any(is_passed) {
                    *quals = list_of(own.iter().filter(|one| !is_passed(one)).copied()).cast();
                }
                passed.extend(expressions(quals.cast()).iter().filter(is_test));
            }
            passed
        }
    }

    /// # Safety
    /// The node must be the conditions of a part of the join tree.
    unsafe fn rewrite_quals(&self, quals: &mut *mut pg_sys::Node) {
        // SAFETY: by now conditions are a list of expressions, combined by AND.
        unsafe {
            if is_a(*quals, pg_sys::NodeTag::T_List) {
                let mut list = quals.cast::<pg_sys::List>();
                self.rewrite_list(&mut list);
                *quals = list.cast();
            }
        }
    }

    /// Rewrites a list of conditions that are combined by AND.
    ///
    /// # Safety
    /// The list must be the planner's, of expressions.
    pub unsafe fn rewrite_list(&self, conditions: &mut *mut pg_sys::List) {
        // SAFETY: a list of expressions, as the caller says.
        if let Some(rewritten) = conjunction(unsafe { expressions(*conditions) }, |one| self.condition(one)) {
            *conditions = list_of(rewritten);
        }
    }

    /// What stands for a condition, combined by AND; none if it stays.
    pub fn condition<'plan>(&self, condition: Expression<'plan>) -> Option<Vec<Expression<'plan>>> {
        if condition.combination().is_none() {
            return self.part(condition);
        }
        if is_nested(condition, DEEPEST) {
            return None;
        }
        // Once for all that is inside.
        self.part(condition).map(|parts| self.simplified(all_of(&parts)))
    }

    /// As [`Scope::condition`], of one inside of others, but not simplified.
    fn part<'plan>(&self, condition: Expression<'plan>) -> Option<Vec<Expression<'plan>>> {
        pgrx::check_for_interrupts!();
        if let Some((combination, parts)) = condition.combination() {
            return self.combined(combination, parts);
        }
        if let Some(call) = condition.operator() {
            let &[left, right] = call.arguments else { return None };
            return self
                .operator(condition, call.callee, left, right)
                .or_else(|| self.inverted(call.callee, call.collation, left, right));
        }
        if let Some((tested, test)) = condition.null_test() {
            let time = self.time_call(tested)?;
            return Some(vec![match time.is_version_7() {
                true => null_test(time.uuid.copied(), test),
                false => self.estimated(&time, condition)?,
            }]);
        }
        if let Some(elements) = condition.any_element() {
            return self.any_element(condition, &elements).or_else(|| self.any_inverted(&elements));
        }
        self.row(condition)
    }

    /// `uuid_seal(id) = x`, and the same the other way round.
    fn inverted<'plan>(
        &self,
        operator: pg_sys::Oid,
        collation: pg_sys::Oid,
        left: Expression<'plan>,
        right: Expression<'plan>,
    ) -> Option<Vec<Expression<'plan>>> {
        let (call, other) = match self.invertible(left) {
            Some(call) => (call, right),
            None => (self.invertible(right)?, left),
        };
        Some(vec![self.computed(call.equal(operator, collation, other)?)])
    }

    /// `uuid_seal(id) = ANY (xs)`.
    fn any_inverted<'plan>(&self, elements: &Elements<'plan>) -> Option<Vec<Expression<'plan>>> {
        let call = self.invertible(elements.element)?;
        Some(vec![self.computed(call.equal_any(elements.operator, elements.collation, elements.array)?)])
    }

    /// A call of a function with an inverse, where conditions on it shall be rewritten now.
    fn invertible<'plan>(&self, expression: Expression<'plan>) -> Option<InvertibleCall<'plan>> {
        let call = invertible_call(expression)?;
        let relation = self.relation_of(call.uuid)?;
        let has_own_index = self.relation().relid == relation
            && self.own_expressions().iter().any(|expression| call.is_like(*expression));
        (is_repeatable(call.uuid) && !has_own_index).then_some(call)
    }

    fn combined<'plan>(&self, combination: Combination, parts: &[Expression<'plan>]) -> Option<Vec<Expression<'plan>>> {
        match combination {
            Combination::And => conjunction(parts, |part| self.part(part)),
            Combination::Or => {
                let rewritten = collected(parts.iter().map(|part| self.part(*part)));
                if rewritten.iter().all(Option::is_none) {
                    return None;
                }
                let parts = parts.iter().zip(rewritten).map(|(part, rewritten)| match rewritten.as_deref() {
                    None => *part,
                    Some([]) => truth_constant(Some(true)),
                    Some(parts) => all_of(parts),
                });
                Some(vec![any_of(&collected(parts))])
            }
            Combination::Not => self.negation(*parts.first()?),
        }
    }

    /// `NOT uuidv7_time(id) <@ range`: outside of it, and a time all the same.
    fn negation<'plan>(&self, negated: Expression<'plan>) -> Option<Vec<Expression<'plan>>> {
        let call = negated.operator()?;
        let &[left, right] = call.arguments else { return None };
        let (time, range) = self.containment(call.callee, left, right)?;
        if time.has_micros {
            return None;
        }
        let parts = self.written(&time, None, &[(Predicate::Within, range)], false)?;
        let mut parts = self.simplified(not(all_of(&parts)));
        parts.push(self.test(&time));
        Some(parts)
    }

    /// What PostgreSQL computes of an expression beforehand.
    fn computed<'plan>(&self, expression: Expression<'plan>) -> Expression<'plan> {
        // SAFETY: the root is the planner's; what becomes of an expression is an expression.
        unsafe {
            let computed = pg_sys::eval_const_expressions(self.root, expression.as_ptr());
            Expression::of(computed).unwrap_or(expression)
        }
    }

    /// The parts of what PostgreSQL makes of a condition.
    fn simplified<'plan>(&self, condition: Expression<'plan>) -> Vec<Expression<'plan>> {
        let simple = self.computed(condition);
        // SAFETY: what is made of a condition is a list of conditions.
        unsafe { expressions(pg_sys::make_ands_implicit(simple.as_ptr().cast())).to_vec() }
    }

    /// `uuidv7_time(id) >= t`, `uuidv7_time(id) <@ range`, and the same the other way round.
    fn operator<'plan>(
        &self,
        condition: Expression<'plan>,
        operator: pg_sys::Oid,
        left: Expression<'plan>,
        right: Expression<'plan>,
    ) -> Option<Vec<Expression<'plan>>> {
        if let Some((time, range)) = self.containment(operator, left, right) {
            return self.written(&time, Some(condition), &[(Predicate::Within, range)], true);
        }
        let (time, other, is_first) = self.time_and_other(left, right)?;
        let (comparison, other) = compared(operator, is_first, other, &time)?;
        match comparison {
            Comparison::Side(side) => self.written(&time, Some(condition), &[(Predicate::Is(side), other)], true),
            Comparison::Equal => {
                if !is_repeatable(other) {
                    return None;
                }
                if !time.has_micros && other.value().is_some_and(|other| !is_whole_millisecond(other)) {
                    return Some(vec![truth_constant(Some(false))]);
                }
                let sides = [Side::Since, Side::Until].map(|side| (Predicate::Is(side), other));
                if !other.reads_columns() {
                    return self.written(&time, Some(condition), &sides, true);
                }
                // Two tables can be joined by it in other ways, too.
                let mut parts = vec![condition];
                parts.extend(self.written(&time, None, &sides, false)?);
                Some(parts)
            }
        }
    }

    /// Which side is the time of a UUID, the other one, and whether the time is the left one.
    fn time_and_other<'plan>(
        &self,
        left: Expression<'plan>,
        right: Expression<'plan>,
    ) -> Option<(TimeCall<'plan>, Expression<'plan>, bool)> {
        Some(match self.time_call(left) {
            Some(time) => (time, right, true),
            None => (self.time_call(right)?, left, false),
        })
    }

    /// The time and the range of `uuidv7_time(id) <@ range`.
    fn containment<'plan>(
        &self,
        operator: pg_sys::Oid,
        left: Expression<'plan>,
        right: Expression<'plan>,
    ) -> Option<(TimeCall<'plan>, Expression<'plan>)> {
        let (time, range) = match operator.to_u32() {
            pg_sys::OID_RANGE_ELEM_CONTAINED_OP => (left, right),
            pg_sys::OID_RANGE_CONTAINS_ELEM_OP => (right, left),
            _ => return None,
        };
        let range = range.unrelabelled();
        if range.type_oid() != pg_sys::TSTZRANGEOID {
            return None;
        }
        Some((self.time_call(time)?, range))
    }

    /// `(uuidv7_time(id), n) > (t, 5)`: the first column cannot be before t.
    fn row<'plan>(&self, condition: Expression<'plan>) -> Option<Vec<Expression<'plan>>> {
        let (operator, left, right) = condition.first_of_rows()?;
        let (time, other, is_first) = self.time_and_other(left, right)?;
        let (Comparison::Side(side), other) = compared(operator, is_first, other, &time)? else { return None };
        if !is_repeatable(other) {
            return None;
        }
        let side = match side {
            Side::Before | Side::Until => Side::Until,
            Side::Since | Side::After => Side::Since,
        };
        let mut parts = vec![condition];
        parts.extend(self.written(&time, None, &[(Predicate::Is(side), other)], false)?);
        Some(parts)
    }

    /// `uuidv7_time(id) >= ANY (times)` and `uuidv7_time(id) IN (t, u)`.
    fn any_element<'plan>(
        &self,
        condition: Expression<'plan>,
        elements: &Elements<'plan>,
    ) -> Option<Vec<Expression<'plan>>> {
        if elements.element.type_oid() == pg_sys::UUIDOID {
            return self.any_element_beside_uuid(condition, elements);
        }
        let (time, array) = (self.time_call(elements.element)?, elements.array);
        let comparison = catalog::comparison_of_times(elements.operator)?;
        if (comparison.left, comparison.right) != (pg_sys::TIMESTAMPTZOID, pg_sys::TIMESTAMPTZOID) {
            return None;
        }
        let least = || self.bound(PlannerFunction::LEAST, time.function, array);
        let greatest = || self.bound(PlannerFunction::GREATEST, time.function, array);
        match Comparison::of_strategy(comparison.strategy)? {
            Comparison::Side(side @ (Side::Before | Side::Until)) => {
                self.written(&time, Some(condition), &[(Predicate::Is(side), greatest()?)], true)
            }
            Comparison::Side(side @ (Side::Since | Side::After)) => {
                self.written(&time, Some(condition), &[(Predicate::Is(side), least()?)], true)
            }
            Comparison::Equal => {
                if let Some(parts) = self.one_of(&time, array) {
                    return Some(parts);
                }
                if !is_repeatable(array) {
                    return None;
                }
                let sides = [(Predicate::Is(Side::Since), least()?), (Predicate::Is(Side::Until), greatest()?)];
                let mut parts = vec![condition];
                parts.extend(self.written(&time, None, &sides, false)?);
                Some(parts)
            }
        }
    }

    /// The least or the greatest element of an array.
    fn bound<'plan>(
        &self,
        which: PlannerFunction,
        sibling: pg_sys::Oid,
        array: Expression<'plan>,
    ) -> Option<Expression<'plan>> {
        call_of(which, sibling, &[array.copied()]).map(|bound| self.computed(bound))
    }

    /// `id <= ANY (times)`, `id > ANY (times)` and `id <@ ANY (ranges)`, of which PostgreSQL asks no support function.
    fn any_element_beside_uuid<'plan>(
        &self,
        condition: Expression<'plan>,
        elements: &Elements<'plan>,
    ) -> Option<Vec<Expression<'plan>>> {
        let (uuid, array) = (elements.element, elements.array);
        // SAFETY: a lookup by OID.
        let function = unsafe { pg_sys::get_opcode(elements.operator) };
        let form = form_of_function(function).filter(|form| form.order == Order::Octets && form.uuid_argument == 0)?;
        self.relation_of(uuid)?;
        if !is_repeatable(uuid) {
            return None;
        }
        match form.predicate {
            Predicate::Is(Side::Until) => {
                let last = self.bound(PlannerFunction::GREATEST, function, array)?;
                self.comparisons(function, uuid, &[(Predicate::Is(Side::Until), last)])
            }
            Predicate::Is(Side::After) => {
                let first = self.bound(PlannerFunction::LEAST, function, array)?;
                self.comparisons(function, uuid, &[(Predicate::Is(Side::After), first)])
            }
            // The planner's own proofs and index conditions know these.
            Predicate::Is(Side::Before | Side::Since) => None,
            Predicate::Within => {
                let Some(ranges) = array.constant_ranges(FEW) else {
                    return self.within_span(condition, function, elements);
                };
                let mut parts = Vec::new();
                for range in ranges {
                    parts.push(all_of(&self.comparisons(function, uuid, &[(Predicate::Within, range)])?));
                }
                // Of none, false.
                Some(self.simplified(any_of(&parts)))
            }
        }
    }

    /// `id <@ ANY (ranges)`: an index finds what is from the first start to the last end. That is counted, too; the condition leaves out
    /// what is between two ranges.
    fn within_span<'plan>(
        &self,
        condition: Expression<'plan>,
        function: pg_sys::Oid,
        elements: &Elements<'plan>,
    ) -> Option<Vec<Expression<'plan>>> {
        let ranges = elements.array.as_ranges().filter(|ranges| is_repeatable(*ranges))?;
        let span = self.computed(call_of(PlannerFunction::SPAN, function, &[ranges.copied()])?);
        let mut parts = self.comparisons(function, elements.element, &[(Predicate::Within, span)])?;
        parts.push(call_of(PlannerFunction::RECHECK, function, &[condition])?);
        Some(parts)
    }

    /// `uuidv7_time(id) IN (t, u)` of a few constants: one or the other.
    fn one_of<'plan>(&self, time: &TimeCall<'plan>, array: Expression<'plan>) -> Option<Vec<Expression<'plan>>> {
        if time.has_micros {
            return None;
        }
        let array = array.value::<Array<'_, i64>>().filter(|array| array.len() <= FEW)?;
        let mut elements: Vec<_> = array.iter().flatten().map(Timestamptz).collect();
        elements.sort_unstable_by_key(|element| element.0);
        elements.dedup_by_key(|element| element.0);
        if elements.is_empty() {
            return None;
        }
        elements.retain(|element| is_whole_millisecond(*element));
        if elements.is_empty() {
            return Some(vec![truth_constant(Some(false))]);
        }
        let mut parts = Vec::new();
        for element in elements {
            let element = time_constant(element);
            let sides = [Side::Since, Side::Until].map(|side| (Predicate::Is(side), element));
            parts.push(all_of(&self.written(time, None, &sides, false)?));
        }
        let mut parts = self.simplified(any_of(&parts));
        if !time.is_version_7() {
            parts.push(self.test(time));
        }
        Some(parts)
    }

    /// Comparisons of the UUID, with the test that it has a time. Of microseconds, the comparisons find and count the milliseconds;
    /// then the condition that they stand for decides, unless it stays anyway.
    fn written<'plan>(
        &self,
        time: &TimeCall<'plan>,
        condition: Option<Expression<'plan>>,
        conditions: &[(Predicate, Expression<'plan>)],
        with_test: bool,
    ) -> Option<Vec<Expression<'plan>>> {
        let mut decides = None;
        let mut of_millis = Vec::new();
        for &(predicate, other) in conditions {
            if !time.has_micros || is_same_of_millis(predicate, other) {
                of_millis.push((predicate, other));
                continue;
            }
            decides = condition;
            let widened = |function| call_of(function, time.function, &[other]).map(|call| self.computed(call));
            of_millis.push(match predicate {
                Predicate::Is(Side::Before | Side::Until) => (Predicate::Is(Side::Until), other),
                Predicate::Is(Side::Since | Side::After) => {
                    (Predicate::Is(Side::Since), widened(PlannerFunction::MILLISECOND)?)
                }
                Predicate::Within => (Predicate::Within, widened(PlannerFunction::MILLISECONDS)?),
            });
        }
        let mut parts = self.comparisons(time.function, time.uuid, &of_millis)?;
        let is_never = parts.iter().any(|part| part.is_constant());
        if is_never {
            return Some(parts);
        }
        if with_test && !time.is_version_7() {
            parts.push(self.test(time));
        }
        if let Some(condition) = decides {
            if !is_repeatable(condition) {
                return None;
            }
            parts.push(call_of(PlannerFunction::RECHECK, time.function, &[condition])?);
        }
        Some(parts)
    }

    /// The conditions of a UUID, combined by AND, by a function of the extension.
    fn comparisons<'plan>(
        &self,
        function: pg_sys::Oid,
        uuid: Expression<'plan>,
        conditions: &[(Predicate, Expression<'plan>)],
    ) -> Option<Vec<Expression<'plan>>> {
        let mut all = Vec::new();
        for (predicate, other) in conditions {
            all.extend(points(function, *predicate, other.copied())?);
        }
        let uuid = uuid.copied();
        // SAFETY: the root is the planner's.
        let reader = unsafe { reader(self.root, function, uuid) };
        let parts = spelled(function, &all, uuid, reader)?;
        // What holds of no UUID. Here null is as good as false.
        let is_never = parts.iter().any(|part| part.combination().is_some());
        Some(if is_never { vec![truth_constant(Some(false))] } else { parts })
    }

    /// Reads an expression as the time of a UUID, if conditions on it shall be rewritten now.
    pub fn time_call<'plan>(&self, expression: Expression<'plan>) -> Option<TimeCall<'plan>> {
        let call = self.any_time_call(expression)?;
        let relation = self.relation_of(call.uuid)?;
        if !is_repeatable(call.uuid) || self.has_index_on(relation, expression) {
            return None;
        }
        if let Some(Proof::Domain(domain)) = call.proof {
            // SAFETY: the root is the planner's.
            unsafe { pg_sys::record_plan_type_dependency(self.root, domain) };
        }
        Some(call)
    }

    /// Reads an expression as the time of a UUID: a call of a function, or the column of a UNION ALL that has such a call in each
    /// part.
    fn any_time_call<'plan>(&self, expression: Expression<'plan>) -> Option<TimeCall<'plan>> {
        if expression.column().is_some() {
            return self.time_column(expression);
        }
        let call = expression.function()?;
        let &[uuid] = call.arguments else { return None };
        if expression.type_oid() != pg_sys::TIMESTAMPTZOID || uuid.type_oid() != pg_sys::UUIDOID {
            return None;
        }
        let function = catalog::time_function(call.callee)?;
        let domain = catalog::version_7_domain(uuid.unrelabelled().type_oid());
        let proof = match domain {
            Some(domain) => Some(Proof::Domain(domain.oid)),
            None => self.is_checked(uuid).then_some(Proof::Constraint),
        };
        let has_micros = function == TimeFunction::Microseconds;
        let function = match (function, domain) {
            (TimeFunction::OfVersion7, _) => call.callee,
            (TimeFunction::OfSeveral | TimeFunction::Microseconds, Some(domain)) => domain.function,
            (TimeFunction::OfSeveral | TimeFunction::Microseconds, None)
                if proof.is_some() && call.callee != CORE_TIME =>
            {
                call.callee
            }
            (TimeFunction::OfSeveral | TimeFunction::Microseconds, None) => return None,
        };
        Some(TimeCall { time: expression, uuid, function, proof, has_micros })
    }

    /// Whether a CHECK constraint says that a column has version 7 or null.
    fn is_checked(&self, uuid: Expression<'_>) -> bool {
        let Some(column) = uuid.unrelabelled().column().filter(|column| column.levels_up == 0) else { return false };
        let Some(entry) = self.entry(column.table) else { return false };
        if entry.rtekind != pg_sys::RTEKind::RTE_RELATION {
            return false;
        }
        // SAFETY: a table of the query, which the planner has locked.
        let is_checked = || unsafe { is_checked(entry.relid, entry.inh, column.number) };
        if column.table != self.relation().relid {
            return is_checked();
        }
        match self.checked.get() {
            Some((number, answer)) if number == column.number => answer,
            _ => {
                let answer = is_checked();
                self.checked.set(Some((column.number, answer)));
                answer
            }
        }
    }

    /// The column of a UNION ALL, each part of which has a call there, with its UUID in one column of the UNION ALL.
    fn time_column<'plan>(&self, column: Expression<'plan>) -> Option<TimeCall<'plan>> {
        let place = column.column()?;
        if column.type_oid() != pg_sys::TIMESTAMPTZOID || place.levels_up != 0 {
            return None;
        }
        let number = usize::try_from(place.number).ok()?.checked_sub(1)?;
        if self.entry(place.table)?.rtekind != pg_sys::RTEKind::RTE_SUBQUERY {
            return None;
        }
        // SAFETY: the parts of the query's UNION ALL and inheritance trees. Their columns are expressions, or null for one that was
        // dropped.
        let parts: Vec<&mut pg_sys::AppendRelInfo> = unsafe {
            let parts = cells::<pg_sys::AppendRelInfo>(self.root().append_rel_list).iter();
            parts.filter(|part| (***part).parent_relid == place.table).map(|part| &mut **part).collect()
        };
        // SAFETY: likewise.
        let columns_of = |part: &pg_sys::AppendRelInfo| unsafe { expressions_or_null(part.translated_vars) };
        let mut calls = Vec::new();
        for part in &parts {
            // PostgreSQL marks what is computed in a part of a UNION ALL.
            calls.push(self.any_time_call((*columns_of(part).get(number)?)?.without_placeholder())?);
        }
        let first = calls.first()?;
        if calls.iter().any(|call| call.has_micros != first.has_micros) {
            return None;
        }
        let count = parts.iter().map(|part| columns_of(part).len()).max()?;
        let type_oid = first.uuid.unrelabelled().type_oid();
        let known = (0..count).find(|uuid| {
            parts.iter().zip(&calls).all(|(part, call)| {
                let uuid_of_call = call.uuid.unrelabelled();
                let column = columns_of(part).get(*uuid).copied().flatten();
                column.is_some_and(|column| {
                    column.equals(call.uuid) || uuid_of_call.type_oid() == type_oid && column.equals(uuid_of_call)
                })
            })
        });
        let (uuid, type_oid) = match known {
            Some(uuid) => (uuid, columns_of(parts.first()?).get(uuid).copied().flatten()?.type_oid()),
            None if self.may_add_column(place.table) => {
                for (part, call) in parts.into_iter().zip(&calls) {
                    // SAFETY: a list of expressions, each for a column of the parent, to which no other name for this one refers.
                    part.translated_vars =
                        unsafe { pg_sys::lappend(part.translated_vars, call.uuid.copied().as_ptr().cast()) };
                }
                (count, pg_sys::UUIDOID)
            }
            None => return None,
        };
        let uuid = column.column_beside(i16::try_from(uuid + 1).ok()?, type_oid)?.relabelled(pg_sys::UUIDOID);
        let proof = if calls.iter().all(TimeCall::is_version_7) { first.proof } else { None };
        Some(TimeCall { time: column, uuid, function: first.function, proof, has_micros: first.has_micros })
    }

    /// Whether a UNION ALL can have one more column, for conditions that only its parts read: its own have been handed out, and
    /// nothing reads it as a row.
    fn may_add_column(&self, number: pg_sys::Index) -> bool {
        // SAFETY: the planner's relation of this number, with its array of columns, of which 0 is the whole row, and its conditions.
        unsafe {
            if self.relation().reloptkind != pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL {
                return false;
            }
            let Some(parent) = (*self.root().simple_rel_array.add(number as usize)).as_ref() else { return false };
            let row = usize::try_from(-parent.min_attr).unwrap_or(0);
            (*parent.attr_needed.add(row)).is_null()
                && cells::<pg_sys::RestrictInfo>(parent.baserestrictinfo).iter().all(|restriction| {
                    let clause = Expression::of((**restriction).clause.cast());
                    clause.is_some_and(|clause| clause.columns().iter().all(|column| column.number != 0))
                })
        }
    }

    /// The one relation that an expression reads, if it is the one at hand, or one that no hook is called for.
    pub fn relation_of(&self, expression: Expression<'_>) -> Option<pg_sys::Index> {
        let columns = expression.columns();
        let number = columns.first()?.table;
        let of_one = columns.iter().all(|column| column.table == number && column.levels_up == 0);
        let is_table = self.entry(number)?.rtekind == pg_sys::RTEKind::RTE_RELATION;
        (of_one && (!is_table || number == self.relation().relid)).then_some(number)
    }

    /// What the table's indexes are on, of those that may serve the query.
    fn own_expressions(&self) -> &[Expression<'static>] {
        self.indexed.get_or_init(|| {
            let Some(entry) = self.entry(self.relation().relid) else { return Vec::new() };
            let mut conditions = Vec::new();
            // The query's conditions are on the parent.
            let is_child = self.relation().reloptkind == pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL;
            // SAFETY: the query's own join tree, and the planner's relation and its entry, which live as long as the hook's call.
            unsafe {
                add_conditions((*self.root().parse).jointree.cast(), &mut conditions);
                for list in cells::<pg_sys::List>(entry.securityQuals) {
                    conditions.extend_from_slice(expressions(*list));
                }
                indexed_expressions(self.relation(), entry, (!is_child).then_some(&conditions))
            }
        })
    }

    /// Whether the table has an index or partitions by this very expression, which then serve it as they are.
    fn has_index_on(&self, relation: pg_sys::Index, expression: Expression<'_>) -> bool {
        let own = self.relation();
        if own.relid != relation {
            return false;
        }
        let is_it = |other: &Expression<'_>| same_call(*other, expression);
        // SAFETY: the planner's lists of expressions, of each column that partitions are by.
        unsafe {
            self.own_expressions().iter().any(is_it)
                || own.part_scheme.as_ref().is_some_and(|scheme| {
                    let keys = usize::try_from(scheme.partnatts).unwrap_or(0);
                    (0..keys).any(|key| expressions(*own.partexprs.add(key)).iter().any(is_it))
                })
        }
    }
}

impl<'plan> TimeCall<'plan> {
    /// Whether its UUID is version 7 or null.
    pub fn is_version_7(&self) -> bool {
        self.proof.is_some()
    }
}

/// Adds the conditions of a part of the join tree to a list.
///
/// # Safety
/// The node must be a part of the query's join tree.
#[allow(unsafe_code)]
unsafe fn add_conditions<'plan>(node: *mut pg_sys::Node, list: &mut Vec<Expression<'plan>>) {
    // SAFETY: a join tree of the planner's, whose conditions are lists by now.
    unsafe {
        let quals = if is_a(node, pg_sys::NodeTag::T_FromExpr) {
            let from = &*node.cast::<pg_sys::FromExpr>();
            for part in cells::<pg_sys::Node>(from.fromlist) {
                add_conditions(*part, list);
            }
            from.quals
        } else if is_a(node, pg_sys::NodeTag::T_JoinExpr) {
            let join = &*node.cast::<pg_sys::JoinExpr>();
            add_conditions(join.larg, list);
            add_conditions(join.rarg, list);
            join.quals
        } else {
            return;
        };
        if is_a(quals, pg_sys::NodeTag::T_List) {
            list.extend_from_slice(expressions(quals.cast()));
        }
    }
}

/// Conditions that are combined by AND, if something in them changes.
fn conjunction<'plan>(
    conditions: &[Expression<'plan>],
    rewrite: impl Fn(Expression<'plan>) -> Option<Vec<Expression<'plan>>>,
) -> Option<Vec<Expression<'plan>>> {
    let rewritten = collected(conditions.iter().map(|condition| rewrite(*condition)));
    if rewritten.iter().all(Option::is_none) {
        return None;
    }
    let mut written: Vec<Expression<'plan>> = Vec::new();
    for (condition, parts) in conditions.iter().zip(&rewritten) {
        // Each may be compared with each.
        pgrx::check_for_interrupts!();
        let parts = parts.as_deref().unwrap_or(std::slice::from_ref(condition));
        // One that stays beside what follows from it is seen again when the hook is called for the query's next table.
        let stays = parts.len() > 1 && parts.iter().any(|part| part.equals(*condition));
        for part in parts {
            let is_there = |other: &Expression<'_>| other.equals(*part);
            let is_old = || conditions.iter().zip(&rewritten).any(|(other, parts)| parts.is_none() && is_there(other));
            // One test of a time is enough for all conditions on it.
            let is_known = without_recheck(*part).null_test().is_some() && written.iter().any(is_there)
                || stays && !part.equals(*condition) && is_old();
            if !is_known {
                written.try_reserve(1).or_raise();
                written.push(*part);
            }
        }
    }
    Some(written)
}

/// What is handed to [`PlannerFunction::RECHECK`], if a condition is that.
pub fn without_recheck(condition: Expression<'_>) -> Expression<'_> {
    let call = condition.function().filter(|call| is_recheck(call.callee));
    call.and_then(|call| call.arguments.first().copied()).unwrap_or(condition)
}

/// Whether AND, OR and NOT are nested in an expression on more levels than these.
fn is_nested(expression: Expression<'_>, levels: usize) -> bool {
    let Some((_, parts)) = expression.combination() else { return false };
    levels == 0 || parts.iter().any(|part| is_nested(*part, levels - 1))
}

/// Whether two calls are of the same function and column, though an outer join may have changed one's.
fn same_call(one: Expression<'_>, other: Expression<'_>) -> bool {
    let (Some(one), Some(other)) = (one.function(), other.function()) else { return false };
    let (&[first], &[second]) = (one.arguments, other.arguments) else { return false };
    let (first, second) = (first.unrelabelled(), second.unrelabelled());
    one.callee == other.callee
        && match (first.column(), second.column()) {
            (Some(first), Some(second)) => (first.table, first.number) == (second.table, second.number),
            _ => first.equals(second),
        }
}

/// Whether a condition says the same of the millisecond as of the microsecond in it.
fn is_same_of_millis(predicate: Predicate, other: Expression<'_>) -> bool {
    matches!(predicate, Predicate::Is(Side::Before | Side::Since)) && other.value().is_some_and(is_whole_millisecond)
}

/// Whether a time can be that of a UUID. (Infinity cannot.)
fn is_whole_millisecond(time: Timestamptz) -> bool {
    time.0 % 1000 == 0
}

/// How a time is compared with another.
#[derive(Clone, Copy, Debug)]
enum Comparison {
    Side(Side),
    Equal,
}

impl Comparison {
    fn of_strategy(strategy: u32) -> Option<Comparison> {
        Some(match strategy {
            pg_sys::BTLessStrategyNumber => Comparison::Side(Side::Before),
            pg_sys::BTLessEqualStrategyNumber => Comparison::Side(Side::Until),
            pg_sys::BTEqualStrategyNumber => Comparison::Equal,
            pg_sys::BTGreaterEqualStrategyNumber => Comparison::Side(Side::Since),
            pg_sys::BTGreaterStrategyNumber => Comparison::Side(Side::After),
            _ => return None,
        })
    }
}

/// How the operator compares the time with the other side, which becomes a `timestamptz` if it is a `date` or a `timestamp`.
fn compared<'plan>(
    operator: pg_sys::Oid,
    is_first: bool,
    other: Expression<'plan>,
    time: &TimeCall<'plan>,
) -> Option<(Comparison, Expression<'plan>)> {
    let found = catalog::comparison_of_times(operator)?;
    let comparison = match Comparison::of_strategy(found.strategy)? {
        Comparison::Side(side) if !is_first => Comparison::Side(side.mirrored()),
        comparison => comparison,
    };
    let (own, others) = if is_first { (found.left, found.right) } else { (found.right, found.left) };
    let other = match others {
        _ if own != pg_sys::TIMESTAMPTZOID => return None,
        pg_sys::TIMESTAMPTZOID => other.unrelabelled(),
        pg_sys::DATEOID => call_of(PlannerFunction::TIME_OF_DATE, time.function, &[other])?,
        pg_sys::TIMESTAMPOID => call_of(PlannerFunction::TIME_OF_TIMESTAMP, time.function, &[other])?,
        _ => return None,
    };
    Some((comparison, other))
}

/// Whether an expression may be computed twice, at little cost and with one result.
fn is_repeatable(expression: Expression<'_>) -> bool {
    !expression.is_volatile() && !expression.has_subquery()
}
