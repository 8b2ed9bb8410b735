//! Parses the clauses that [`rewriter`](super::rewriter) can replace.

use pgrx::pg_sys;
use rfc9562::Uuid;
use rfc9562::window::Window;

use super::catalog::{CORE_TIME, PlannerFunction, btree_operator, is_built_in, lookup, operator_function};
use super::expression::{Call, Combination, Expression, call_of};
use super::inverse::InvertibleCall;
use super::monotonic::MonotonicComparison;
use super::planner::Planned;
use super::rewriter::Rewriter;
use super::time_call::TimeCall;
use super::{OperatorFunction, Order, Predicate, Side};

/// What a clause says.
pub enum Clause<'plan> {
    All(&'plan [Expression<'plan>]),
    Any(&'plan [Expression<'plan>]),
    OfTime(TimeCall<'plan>, Condition<'plan>),
    /// `id <= ANY (times)` or `id <@ ANY (ranges)`, with the operator's function.
    AnyOfUuid {
        function: pg_sys::Oid,
        uuid: Expression<'plan>,
        predicate: Predicate,
        array: Expression<'plan>,
    },
    /// `uuidv7_time(id)::date = d`
    Monotonic(MonotonicComparison<'plan>),
    /// `uuid_seal(id) = x`
    Invertible(InvertibleCall<'plan>, Expression<'plan>),
    /// `uuid_seal(id) = ANY (xs)`
    AnyInvertible(InvertibleCall<'plan>, Expression<'plan>),
    /// `id::text = 'x'` or `id::text = ANY ('{x,y}')`: the UUID is one of those with these texts.
    EqualToAny(Expression<'plan>, Vec<Uuid>),
    /// `id::text LIKE 'x%'`: the UUID is one of those with this prefix.
    InWindow(Expression<'plan>, Window),
}

/// A condition on the time of a UUID.
pub enum Condition<'plan> {
    /// `uuidv7_time(id) >= t` or `t <= uuidv7_time(id)`, where `t` is of type `timestamptz`; `uuidv7_time(id) <@ range` or
    /// `range @> uuidv7_time(id)`.
    Comparison(Predicate, Expression<'plan>),
    NotWithin(Expression<'plan>),
    /// `(uuidv7_time(id), n) > (t, 5)`, which implies `uuidv7_time(id) >= t`.
    FirstOfRow(Side, Expression<'plan>),
    /// `uuidv7_time(id) >= ANY (times)`
    AnyTime(Predicate, Expression<'plan>),
    /// `uuidv7_time(id) IS NOT NULL` or `IS NULL`
    Tested(pg_sys::NullTestType::Type),
}

impl<'plan> Rewriter<'plan> {
    /// Whether [`Rewriter::parse`] may accept a clause. Because this check runs for each clause of each statement, it neither
    /// allocates memory nor looks up anything in the catalogs.
    pub fn may_be_rewritten(&self, clause: Expression<'plan>) -> bool {
        let any = |parts: &[Expression<'plan>]| parts.iter().any(|part| self.may_be_rewritten(*part));
        let is_query = |entry: Planned<'_, pg_sys::RangeTblEntry>| entry.rtekind == pg_sys::RTEKind::RTE_SUBQUERY;
        let of = |part: Option<Expression<'plan>>| part.is_some_and(|part| self.may_be_rewritten(part));
        match clause.tag() {
            pg_sys::NodeTag::T_OpExpr | pg_sys::NodeTag::T_FuncExpr => {
                clause.operator_or_function().is_some_and(|call| {
                    !is_built_in(call.function.to_u32()) || call.function == CORE_TIME || any(call.arguments)
                })
            }
            // A column of a subquery, such as a UNION ALL whose parts compute the time.
            pg_sys::NodeTag::T_Var => {
                clause.time_column().and_then(|column| self.root.entry(column.table)).is_some_and(is_query)
            }
            pg_sys::NodeTag::T_BoolExpr => clause.combination().is_some_and(|(_, parts)| any(parts)),
            pg_sys::NodeTag::T_NullTest => of(clause.null_test().map(|(tested, _)| tested)),
            pg_sys::NodeTag::T_RelabelType => of(clause.relabelled_argument()),
            pg_sys::NodeTag::T_ScalarArrayOpExpr => clause
                .any_element()
                .is_some_and(|call| !is_built_in(call.callee.to_u32()) || of(call.arguments.first().copied())),
            pg_sys::NodeTag::T_RowCompareExpr => {
                clause.first_of_rows().is_some_and(|(_, left, right)| any(&[left, right]))
            }
            pg_sys::NodeTag::T_CoerceViaIO => clause.output_of().is_some(),
            _ => false,
        }
    }

    pub fn parse(&self, clause: Expression<'plan>) -> Option<Clause<'plan>> {
        pgrx::check_for_interrupts!();
        let parsed = if let Some((combination, parts)) = clause.combination() {
            match combination {
                Combination::And => Some(Clause::All(parts)),
                Combination::Or => Some(Clause::Any(parts)),
                Combination::Not => match self.parse(*parts.first()?)? {
                    Clause::OfTime(time, Condition::Comparison(Predicate::Within, range)) => {
                        Some(Clause::OfTime(time, Condition::NotWithin(range)))
                    }
                    _ => None,
                },
            }
        } else if let Some(call) = clause.operator() {
            self.parse_operator(call)
        } else if let Some((tested, test)) = clause.null_test() {
            Some(Clause::OfTime(self.time_call(tested)?, Condition::Tested(test)))
        } else if let Some(call) = clause.any_element() {
            self.parse_any(call)
        } else if let Some((operator, left, right)) = clause.first_of_rows() {
            match self.time_comparison_of_either(operator, [left, right])? {
                (time, Predicate::Is(side), other) if other.is_repeatable() => {
                    Some(Clause::OfTime(time, Condition::FirstOfRow(side, other)))
                }
                _ => None,
            }
        } else {
            None
        };
        parsed.or_else(|| self.parse_text(clause))
    }

    fn parse_operator(&self, call: Call<'plan>) -> Option<Clause<'plan>> {
        let &[left, right] = call.arguments else { return None };
        if let Some((time, predicate, other)) = self.time_comparison_of_either(call.callee, [left, right]) {
            return Some(Clause::OfTime(time, Condition::Comparison(predicate, other)));
        }
        let by_inverse = |side, other: Expression<'plan>| {
            let call = self.invertible_call(side, call)?;
            (!other.is_volatile()).then_some(Clause::Invertible(call, other))
        };
        let monotonic = |is_mirrored| self.monotonic_comparison(call, is_mirrored).map(Clause::Monotonic);
        by_inverse(left, right)
            .or_else(|| by_inverse(right, left))
            .or_else(|| monotonic(false))
            .or_else(|| monotonic(true))
    }

    fn parse_any(&self, call: Call<'plan>) -> Option<Clause<'plan>> {
        let &[element, array] = call.arguments else { return None };
        if element.type_oid() == pg_sys::UUIDOID {
            let function = lookup::get_opcode(call.callee);
            let is_supported =
                |operator: &OperatorFunction| operator.order == Order::Bytes && operator.uuid_argument == 0;
            if let Some(OperatorFunction { predicate, .. }) = operator_function(function).filter(is_supported) {
                self.relation_of(element).filter(|_| element.is_repeatable())?;
                return Some(Clause::AnyOfUuid { function, uuid: element, predicate, array });
            }
        } else if let Some(time) = self.time_call(element) {
            let (strategy, other) = btree_operator(call.callee, pg_sys::TIMESTAMPTZOID, false)?;
            let predicate = Predicate::from_strategy(strategy).filter(|_| other == pg_sys::TIMESTAMPTZOID)?;
            return Some(Clause::OfTime(time, Condition::AnyTime(predicate, array)));
        }
        let call = self.invertible_call(element, call)?;
        (!array.is_volatile()).then_some(Clause::AnyInvertible(call, array))
    }

    fn time_comparison_of_either(
        &self,
        operator: pg_sys::Oid,
        operands: [Expression<'plan>; 2],
    ) -> Option<(TimeCall<'plan>, Predicate, Expression<'plan>)> {
        [false, true].into_iter().find_map(|is_mirrored| self.time_comparison(operator, operands, is_mirrored))
    }

    /// Returns the operand that is the time of a UUID, on the right if `is_mirrored`, the predicate as if that operand were on the
    /// left, and the other operand: a `tstzrange`, or an expression that is converted to `timestamptz` if necessary.
    pub fn time_comparison(
        &self,
        operator: pg_sys::Oid,
        [left, right]: [Expression<'plan>; 2],
        is_mirrored: bool,
    ) -> Option<(TimeCall<'plan>, Predicate, Expression<'plan>)> {
        let (time, other) = if is_mirrored { (right, left) } else { (left, right) };
        let time = self.time_call(time)?;
        if matches!(
            (operator.to_u32(), is_mirrored),
            (pg_sys::OID_RANGE_ELEM_CONTAINED_OP, false) | (pg_sys::OID_RANGE_CONTAINS_ELEM_OP, true)
        ) {
            let range = other.unrelabelled();
            return (range.type_oid() == pg_sys::TSTZRANGEOID).then_some((time, Predicate::Within, range));
        }
        let (strategy, others) = btree_operator(operator, pg_sys::TIMESTAMPTZOID, is_mirrored)?;
        let predicate = Predicate::from_strategy(strategy)?;
        let predicate = if is_mirrored { predicate.mirrored() } else { predicate };
        let other = match others {
            pg_sys::TIMESTAMPTZOID => other.unrelabelled(),
            pg_sys::DATEOID | pg_sys::TIMESTAMPOID => call_of(PlannerFunction::TIME, time.function, &[other])?,
            _ => return None,
        };
        Some((time, predicate, other))
    }
}
