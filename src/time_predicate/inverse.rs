//! Rewrites clauses on a function of a UUID to clauses on the UUID, using the function's inverse, so that an index on the UUID can
//! be used.
//!
//! ```text
//! uuid_seal(id) = x               id = CASE uuid_extract_version(x) WHEN 4 THEN uuid_unseal(x) END
//! uuid_seal(id, key) = x          id = CASE uuid_extract_version(x) WHEN 4 THEN uuid_unseal(x, key) END
//! typeid_encode('user', id) = x   id = typeid_decode_or_null(x, 'user')
//! ... = ANY (xs)                  id = ANY (the inverse of each element)
//! ```
//!
//! Each of these functions is injective, so the left clause is true if and only if the right one is. The right clause is null for
//! values that the function never returns, and null is equivalent to false where clauses are rewritten. The errors that a function
//! raises for some UUIDs (`uuid_seal` for versions other than 7) do not occur in the right clause.
//!
//! The plan calls `uuid_unseal`. For a role that may not execute that function, clauses are not rewritten, so that the role cannot
//! learn the function's result from the plan.

use pgrx::pg_sys;

use super::functions;
use super::parser::Parser;
use crate::planner::catalog::{PlannerFunction, c_symbol};
use crate::planner::expression::{Call, call_of, comparison_of, each_element, equal_any, when_version};
use crate::planner::planned::Expression;

/// A call of an invertible function.
pub struct InvertibleCall<'plan> {
    inverse: PlannerFunction,
    result: pg_sys::Oid,
    uuid: Expression<'plan>,
    /// The key or the prefix, if there is one.
    with: Option<Expression<'plan>>,
}

impl<'plan> Parser<'plan> {
    /// Parses an expression as a call whose function has an inverse.
    pub fn invertible_call(&self, expression: Expression<'plan>) -> Option<InvertibleCall<'plan>> {
        let call = expression.function()?;
        let (result, inverse) = match &*c_symbol(call.callee)? {
            functions::uuid_seal => (pg_sys::UUIDOID, PlannerFunction::UNSEAL),
            functions::uuid_seal_by_key => (pg_sys::UUIDOID, PlannerFunction::UNSEAL_BY_KEY),
            functions::typeid_encode => (pg_sys::TEXTOID, PlannerFunction::TYPEID_DECODE),
            _ => return None,
        };
        let (uuid, with) = match *call.arguments {
            [uuid] => (uuid, None),
            [prefix, uuid] if result == pg_sys::TEXTOID => (uuid, Some(prefix)),
            [uuid, key] => (uuid, Some(key)),
            _ => return None,
        };
        // The key or the prefix must be known before the table is read.
        let is_known = |with: Expression<'_>| !with.reads_columns() && with.is_repeatable();
        if !uuid.is_repeatable() || !with.is_none_or(is_known) {
            return None;
        }
        // An index on such a call supports the condition as it is.
        let is_like = |own: &Expression<'_>| own.function().is_some_and(|own| own.callee == call.callee);
        let is_own = self.relation_of(uuid)? == self.relation.relid;
        let has_index = is_own && self.own_expressions().iter().any(is_like);
        (!has_index).then_some(InvertibleCall { inverse, result, uuid, with })
    }
}

impl<'plan> InvertibleCall<'plan> {
    /// Whether a comparison is by the equality operator of the result's type.
    pub fn is_compared_by(&self, comparison: Call<'plan>) -> bool {
        comparison.is_equality(self.result)
    }

    /// Returns `id = (the inverse of x)`, for `function(id) = x`.
    pub fn equality(&self, other: Expression<'plan>) -> Option<Expression<'plan>> {
        comparison_of(self.uuid, pg_sys::BTEqualStrategyNumber, self.inverted(other)?)
    }

    /// Returns `id = ANY (the inverses of xs)`, for `function(id) = ANY (xs)`.
    pub fn equality_with_any(&self, array: Expression<'plan>) -> Option<Expression<'plan>> {
        let each = each_element(array.deep_copy(), self.result, pg_sys::UUIDOID, |element| self.inverted(element))?;
        equal_any(self.uuid.deep_copy(), each)
    }

    /// Returns an expression that yields the UUID for which the function returns the given value, or null if there is none.
    fn inverted(&self, value: Expression<'plan>) -> Option<Expression<'plan>> {
        let arguments: Vec<_> = [Some(value), self.with].into_iter().flatten().map(Expression::deep_copy).collect();
        let call = call_of(self.inverse, &arguments)?;
        if self.result != pg_sys::UUIDOID {
            return Some(call);
        }
        // For a value of a version other than 4, `uuid_unseal` would raise an error.
        Some(when_version(call_of(PlannerFunction::VERSION, &[value.deep_copy()])?, 4, call))
    }
}
