//! Rewrites clauses on the result of a function of a UUID to clauses on the UUID, with the inverse of the function, so that
//! they use the index on the UUID.
//!
//! ```text
//! uuid_seal(id) = x               id = CASE uuid_extract_version(x) WHEN 4 THEN uuid_unseal(x) END
//! uuid_seal(id, key) = x          id = CASE uuid_extract_version(x) WHEN 4 THEN uuid_unseal(x, key) END
//! typeid_encode('user', id) = x   id = typeid_decode_or_null(x, 'user')
//! ... = ANY (xs)                  id = ANY (the same of each element)
//! ```
//!
//! Each of these functions is injective, so one side is true if and only if the other is. The right side is null for values that
//! no UUID yields, and null is equivalent to false where [`super::clause`] applies. Errors that the function raises for some
//! UUIDs (`uuid_seal` for versions other than 7) do not occur if the index is used.
//!
//! The plan calls `uuid_unseal`. For a role that may not execute that function, clauses are not rewritten, so the role cannot
//! learn its result from the plan.

use pgrx::pg_sys;

use super::catalog::{PlannerFunction, c_symbol, is_equality};
use super::expression::{Expression, call_of, comparison, each_element, equal_any, when_version};

/// A function of one UUID, and its inverse.
#[derive(Clone, Copy, Debug)]
pub struct Inverse {
    /// The position of the UUID among the arguments.
    uuid_argument: usize,
    /// The position of the key or the prefix, if there is one.
    with: Option<usize>,
    result: pg_sys::Oid,
    function: PlannerFunction,
}

impl Inverse {
    /// Returns the inverse of the function with the given C symbol, if it has one.
    pub fn from_symbol(symbol: &str) -> Option<Inverse> {
        let (uuid_argument, with, result, function) = match symbol {
            "uuid_seal_wrapper" => (0, None, pg_sys::UUIDOID, PlannerFunction::UNSEAL),
            "uuid_seal_by_key_wrapper" => (0, Some(1), pg_sys::UUIDOID, PlannerFunction::UNSEAL_BY_KEY),
            "typeid_encode_wrapper" => (1, Some(0), pg_sys::TEXTOID, PlannerFunction::TYPEID_DECODE),
            _ => return None,
        };
        Some(Inverse { uuid_argument, with, result, function })
    }
}

/// A call of a function with an inverse.
pub struct InvertibleCall<'plan> {
    inverse: Inverse,
    function: pg_sys::Oid,
    pub uuid: Expression<'plan>,
    with: Option<Expression<'plan>>,
}

pub fn invertible_call(expression: Expression<'_>) -> Option<InvertibleCall<'_>> {
    let call = expression.function()?;
    let inverse = Inverse::from_symbol(&c_symbol(call.callee)?)?;
    // The key or the prefix must be known before the table is read.
    let is_known = |with: &Expression<'_>| !with.reads_columns() && !with.is_volatile() && !with.has_subquery();
    let with = match inverse.with {
        None => None,
        Some(with) => Some(call.arguments.get(with).copied().filter(is_known)?),
    };
    Some(InvertibleCall { inverse, function: call.callee, uuid: *call.arguments.get(inverse.uuid_argument)?, with })
}

impl<'plan> InvertibleCall<'plan> {
    /// Returns `id = x`, for `function(id) = x` with the given operator.
    pub fn equal(
        &self,
        operator: pg_sys::Oid,
        collation: pg_sys::Oid,
        other: Expression<'plan>,
    ) -> Option<Expression<'plan>> {
        if !self.is_equality(operator, collation) || other.is_volatile() {
            return None;
        }
        comparison(self.uuid.copied(), pg_sys::BTEqualStrategyNumber, self.inverted(other)?)
    }

    /// Returns `id = ANY (xs)`, for `function(id) = ANY (xs)` with the given operator.
    pub fn equal_any(
        &self,
        operator: pg_sys::Oid,
        collation: pg_sys::Oid,
        array: Expression<'plan>,
    ) -> Option<Expression<'plan>> {
        if !self.is_equality(operator, collation) || array.is_volatile() {
            return None;
        }
        let each =
            each_element(array.copied(), self.inverse.result, pg_sys::UUIDOID, |element| self.inverted(element))?;
        equal_any(self.uuid.copied(), each)
    }

    /// Whether an operator is the equality of the function's results.
    fn is_equality(&self, operator: pg_sys::Oid, collation: pg_sys::Oid) -> bool {
        is_equality(self.inverse.result, operator, collation)
    }

    /// Returns an expression for the UUID for which the function returns the given value, or for null if there is no such UUID.
    fn inverted(&self, value: Expression<'plan>) -> Option<Expression<'plan>> {
        let arguments: Vec<_> = [Some(value), self.with].into_iter().flatten().map(Expression::copied).collect();
        let call = call_of(self.inverse.function, self.function, &arguments)?;
        if self.inverse.result != pg_sys::UUIDOID {
            return Some(call);
        }
        // For a UUID of another version, `uuid_unseal` would raise an error.
        Some(when_version(call_of(PlannerFunction::VERSION, self.function, &[value.copied()])?, 4, call))
    }

    /// Whether an expression is a call of the same function, in which case an index on it supports the condition without a
    /// change.
    pub fn is_like(&self, expression: Expression<'_>) -> bool {
        expression.function().is_some_and(|call| call.callee == self.function)
    }
}
