//! Parses the clauses that [`rewriter`](super::rewriter) can replace.

use pgrx::pg_sys;

use super::functions::{CORE_TIME, OperatorFunction};
use super::inverse::InvertibleCall;
use super::monotonic::{MonotonicCall, MonotonicComparison};
use super::operators::{Order, Predicate, Side};
use super::parser::Parser;
use super::text_form::{TextComparison, TextOfUuid};
use super::time_call::TimeCall;
use crate::planner::catalog::{PlannerFunction, is_built_in, lookup};
use crate::planner::expression::{Call, call_of};
use crate::planner::planned::{Expression, Planned};

/// What a clause says.
pub enum Clause<'plan> {
    All(&'plan [Expression<'plan>]),
    Any(&'plan [Expression<'plan>]),
    OfTime(TimeCall<'plan>, Condition<'plan>),
    /// `id <= ANY (times)` or `id <@ ANY (ranges)`
    AnyOfUuid {
        uuid: Expression<'plan>,
        predicate: Predicate,
        array: Expression<'plan>,
    },
    /// `id <@ (SELECT range)` or, if `is_negated`, its negation. (The support function has rewritten `id <@` other ranges.)
    UuidWithin {
        uuid: Expression<'plan>,
        range: Expression<'plan>,
        is_negated: bool,
    },
    /// `uuidv7_time(id)::date = d`
    Monotonic(MonotonicComparison<'plan>),
    /// `uuid_seal(id) = x`
    Invertible(InvertibleCall<'plan>, Expression<'plan>),
    /// `uuid_seal(id) = ANY (xs)`
    AnyInvertible(InvertibleCall<'plan>, Expression<'plan>),
    /// `id::text = 'x'`, `id::text = ANY ('{x,y}')` or `id::text LIKE 'x%'`
    Text(TextComparison<'plan>),
}

/// A side of a comparison that is a function of a UUID.
pub enum Operand<'plan> {
    Time(TimeCall<'plan>),
    /// `uuidv7_time(id)::date`
    Monotonic(MonotonicCall<'plan>),
    /// `uuid_seal(id)`
    Invertible(InvertibleCall<'plan>),
    /// `id::text`
    Text(TextOfUuid<'plan>),
}

/// A condition on the time of a UUID.
pub enum Condition<'plan> {
    /// `uuidv7_time(id) >= t` or `t <= uuidv7_time(id)`, where `t` is of type `timestamptz`; `uuidv7_time(id) <@ range` or
    /// `range @> uuidv7_time(id)`.
    Comparison(Predicate, Expression<'plan>),
    /// `NOT (uuidv7_time(id) <@ range)`
    NotWithin(Expression<'plan>),
    /// `(uuidv7_time(id), n) > (t, 5)`, which implies `uuidv7_time(id) >= t`.
    FirstOfRow(Side, Expression<'plan>),
    /// `uuidv7_time(id) >= ANY (times)`
    AnyTime(Predicate, Expression<'plan>),
    /// `uuidv7_time(id) IS NOT NULL` or `IS NULL`
    Tested(pg_sys::NullTestType::Type),
}

impl<'plan> Parser<'plan> {
    /// Whether [`Parser::parse`] may accept an expression as a clause, or [`Parser::operand`] may accept it as a sort key or as an
    /// operand of a join. Because this check runs for each clause of each statement, it neither allocates memory nor looks up
    /// anything in the catalogs.
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
        if let Some((combination, parts)) = clause.combination() {
            match combination {
                pg_sys::BoolExprType::AND_EXPR => Some(Clause::All(parts)),
                pg_sys::BoolExprType::OR_EXPR => Some(Clause::Any(parts)),
                _ => match self.parse(*parts.first()?)? {
                    Clause::OfTime(time, Condition::Comparison(Predicate::Within, range)) => {
                        Some(Clause::OfTime(time, Condition::NotWithin(range)))
                    }
                    Clause::UuidWithin { uuid, range, is_negated: false } => {
                        Some(Clause::UuidWithin { uuid, range, is_negated: true })
                    }
                    _ => None,
                },
            }
        } else if let Some(call) = clause.operator() {
            let comparison = |is_mirrored| self.parse_comparison(call, is_mirrored);
            comparison(false).or_else(|| comparison(true)).or_else(|| self.parse_within(call))
        } else if let Some(call) = clause.function() {
            match (self.operand(*call.arguments.first()?)?, call.arguments) {
                (Operand::Text(text), [_, other]) => text.parse_comparison(call, *other, false).map(Clause::Text),
                _ => None,
            }
        } else if let Some((tested, test)) = clause.null_test() {
            Some(Clause::OfTime(self.time_call(tested)?, Condition::Tested(test)))
        } else if let Some(call) = clause.any_element() {
            self.parse_any(call)
        } else if let Some((operator, left, right)) = clause.first_of_rows() {
            let of_side = |is_mirrored| {
                let (time, other) = if is_mirrored { (right, left) } else { (left, right) };
                let time = self.time_call(time)?;
                match time_comparison(operator, other, is_mirrored)? {
                    (Predicate::Is(side), other) if other.is_repeatable() => {
                        Some(Clause::OfTime(time, Condition::FirstOfRow(side, other)))
                    }
                    _ => None,
                }
            };
            of_side(false).or_else(|| of_side(true))
        } else {
            None
        }
    }

    /// Parses one side of a comparison.
    pub fn operand(&self, expression: Expression<'plan>) -> Option<Operand<'plan>> {
        let monotonic = || self.monotonic_call(expression).map(Operand::Monotonic);
        let invertible = || self.invertible_call(expression).map(Operand::Invertible);
        let text = || self.text_of_uuid(expression).map(Operand::Text);
        let time = self.time_call(expression).map(Operand::Time);
        time.or_else(monotonic).or_else(invertible).or_else(text)
    }

    /// Parses a comparison whose left argument or, if `is_mirrored`, right argument is an [`Operand`].
    pub fn parse_comparison(&self, call: Call<'plan>, is_mirrored: bool) -> Option<Clause<'plan>> {
        let &[left, right] = call.arguments else { return None };
        let (operand, other) = if is_mirrored { (right, left) } else { (left, right) };
        match self.operand(operand)? {
            Operand::Time(time) => {
                let (predicate, other) = time_comparison(call.callee, other, is_mirrored)?;
                Some(Clause::OfTime(time, Condition::Comparison(predicate, other)))
            }
            Operand::Monotonic(result) => result.parse_comparison(call, other, is_mirrored).map(Clause::Monotonic),
            Operand::Invertible(result) => {
                (result.is_compared_by(call) && !other.is_volatile()).then_some(Clause::Invertible(result, other))
            }
            Operand::Text(text) => text.parse_comparison(call, other, is_mirrored).map(Clause::Text),
        }
    }

    fn parse_within(&self, call: Call<'plan>) -> Option<Clause<'plan>> {
        let operator = OperatorFunction::from_oid(call.function).filter(|one| one.predicate == Predicate::Within)?;
        let (uuid, range) = operator.operands(call.arguments)?;
        self.relation_of(uuid).filter(|_| uuid.is_repeatable())?;
        Some(Clause::UuidWithin { uuid, range, is_negated: false })
    }

    fn parse_any(&self, call: Call<'plan>) -> Option<Clause<'plan>> {
        let &[element, array] = call.arguments else { return None };
        let is_supported = |operator: &OperatorFunction| operator.order == Order::Bytes && operator.uuid_argument == 0;
        if element.type_oid() == pg_sys::UUIDOID
            && let Some(OperatorFunction { predicate, .. }) =
                OperatorFunction::from_oid(lookup::get_opcode(call.callee)).filter(is_supported)
        {
            self.relation_of(element).filter(|_| element.is_repeatable())?;
            return Some(Clause::AnyOfUuid { uuid: element, predicate, array });
        }
        match self.operand(element)? {
            Operand::Time(time) => {
                let (predicate, other) = Predicate::from_operator(call.callee, pg_sys::TIMESTAMPTZOID, false)?;
                let of_times = other == pg_sys::TIMESTAMPTZOID;
                of_times.then_some(Clause::OfTime(time, Condition::AnyTime(predicate, array)))
            }
            Operand::Invertible(result) => {
                (result.is_compared_by(call) && !array.is_volatile()).then_some(Clause::AnyInvertible(result, array))
            }
            Operand::Text(text) => text.parse_any(call, array).map(Clause::Text),
            Operand::Monotonic(_) => None,
        }
    }
}

/// Returns the predicate that a comparison states of the time, as if that were on the left, and the other argument: a `tstzrange`,
/// or an expression that is converted to `timestamptz` if necessary.
fn time_comparison<'plan>(
    operator: pg_sys::Oid,
    other: Expression<'plan>,
    is_mirrored: bool,
) -> Option<(Predicate, Expression<'plan>)> {
    if matches!(
        (operator.to_u32(), is_mirrored),
        (pg_sys::OID_RANGE_ELEM_CONTAINED_OP, false) | (pg_sys::OID_RANGE_CONTAINS_ELEM_OP, true)
    ) {
        let range = other.unrelabelled();
        return (range.type_oid() == pg_sys::TSTZRANGEOID).then_some((Predicate::Within, range));
    }
    let (predicate, others) = Predicate::from_operator(operator, pg_sys::TIMESTAMPTZOID, is_mirrored)?;
    let other = match others {
        pg_sys::TIMESTAMPTZOID => other.unrelabelled(),
        pg_sys::DATEOID | pg_sys::TIMESTAMPOID => call_of(PlannerFunction::TIME, &[other])?,
        _ => return None,
    };
    Some((predicate, other))
}
