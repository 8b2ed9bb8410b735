//! An outward form of a UUID found by the index on the UUID: conditions on what a function makes of a UUID become conditions on
//! the UUID, by the function's inverse.
//!
//! ```text
//! uuid_seal(id) = x               id = uuid_unseal_or_null(x)
//! uuid_seal(id, key) = x          id = uuid_unseal_or_null(x, key)
//! typeid_encode('user', id) = x   id = typeid_decode_or_null(x, 'user')
//! ... = ANY (xs)                  id = ANY (the same of an array)
//! ```
//!
//! Each of these functions makes one value of one UUID, and of another UUID another one. So one side is true exactly if the other
//! is: the inverse gives null for what no UUID becomes, and null is as good as false where [`super::time_calls`] asks. An error that the
//! function raises for some UUIDs (`uuid_seal` for other versions than 7) does not come if the index is asked.

use pgrx::prelude::*;
use pgrx::{PgList, is_a, pg_sys};

use super::catalog::{PlannerFunction, uuid_operator, with_c_symbol};
use super::nodes::cells;

/// A function of one UUID, and its inverse.
#[derive(Clone, Copy, Debug)]
pub struct Inverse {
    /// Which argument the UUID is.
    uuid_argument: usize,
    /// Which one the key or the prefix, if there is one.
    with: Option<usize>,
    /// What the function makes.
    result: pg_sys::Oid,
    of_one: PlannerFunction,
    of_many: PlannerFunction,
}

impl Inverse {
    /// Of the function with this C symbol, if it has one.
    pub fn of_symbol(symbol: &str) -> Option<Inverse> {
        let (uuid_argument, with, result, of_one, of_many) = match symbol {
            "uuid_seal_wrapper" => (0, None, pg_sys::UUIDOID, PlannerFunction::UNSEAL, PlannerFunction::UNSEAL_MANY),
            "uuid_seal_by_key_wrapper" => {
                (0, Some(1), pg_sys::UUIDOID, PlannerFunction::UNSEAL_BY_KEY, PlannerFunction::UNSEAL_MANY_BY_KEY)
            }
            "typeid_encode_wrapper" => {
                (1, Some(0), pg_sys::TEXTOID, PlannerFunction::TYPEID_DECODE, PlannerFunction::TYPEID_DECODE_MANY)
            }
            _ => return None,
        };
        Some(Inverse { uuid_argument, with, result, of_one, of_many })
    }
}

/// A call of such a function.
pub struct InvertibleCall {
    inverse: Inverse,
    function: pg_sys::Oid,
    /// Its UUID.
    pub uuid: *mut pg_sys::Node,
    /// Its key or prefix.
    with: Option<*mut pg_sys::Node>,
}

/// # Safety
/// The node must be an expression of the planner's.
#[allow(unsafe_code)]
pub unsafe fn invertible_call(expression: *mut pg_sys::Node) -> Option<InvertibleCall> {
    // SAFETY: a node is read as what its tag says. The key or the prefix must be known before the table is read.
    unsafe {
        if !is_a(expression, pg_sys::NodeTag::T_FuncExpr) {
            return None;
        }
        let call = &*expression.cast::<pg_sys::FuncExpr>();
        let inverse = with_c_symbol(call.funcid, Inverse::of_symbol).flatten()?;
        let arguments = cells::<pg_sys::Node>(call.args);
        let with = inverse.with.map(|place| arguments.get(place).copied());
        let with = match with {
            None => None,
            Some(with) => Some(with.filter(|with| is_known_before(*with))?),
        };
        Some(InvertibleCall { inverse, function: call.funcid, uuid: *arguments.get(inverse.uuid_argument)?, with })
    }
}

/// Whether an expression reads no column and has one value.
#[allow(unsafe_code)]
unsafe fn is_known_before(expression: *mut pg_sys::Node) -> bool {
    // SAFETY: an expression of the planner's.
    unsafe {
        !pg_sys::contain_var_clause(expression)
            && !pg_sys::contain_volatile_functions(expression)
            && !pg_sys::contain_subplans(expression)
    }
}

#[allow(unsafe_code)]
impl InvertibleCall {
    /// `id = x`, of `function(id) = x`.
    ///
    /// # Safety
    /// The expression must be the planner's, and have the call as one of its arguments.
    pub unsafe fn equal(
        &self,
        root: *mut pg_sys::PlannerInfo,
        expression: &pg_sys::OpExpr,
        other: *mut pg_sys::Node,
    ) -> Option<*mut pg_sys::Node> {
        // SAFETY: the caller's contract.
        unsafe {
            if !self.is_equality(expression.opno, expression.inputcollid) || pg_sys::contain_volatile_functions(other) {
                return None;
            }
            let uuid = self.inverted(root, self.inverse.of_one, other)?;
            let equal = uuid_operator(pg_sys::BTEqualStrategyNumber);
            let none = pg_sys::InvalidOid;
            Some(
                pg_sys::make_opclause(equal, pg_sys::BOOLOID, false, self.copied().cast(), uuid.cast(), none, none)
                    .cast(),
            )
        }
    }

    /// `id = ANY (xs)`, of `function(id) = ANY (xs)`.
    ///
    /// # Safety
    /// As of [`InvertibleCall::equal`].
    pub unsafe fn equal_any(
        &self,
        root: *mut pg_sys::PlannerInfo,
        expression: &pg_sys::ScalarArrayOpExpr,
        array: *mut pg_sys::Node,
    ) -> Option<*mut pg_sys::Node> {
        // SAFETY: the caller's contract; the copy is of zeros but for what is set, as makeNode makes it.
        unsafe {
            if !self.is_equality(expression.opno, expression.inputcollid) || pg_sys::contain_volatile_functions(array) {
                return None;
            }
            let uuids = self.inverted(root, self.inverse.of_many, array)?;
            let made = pg_sys::palloc0(size_of::<pg_sys::ScalarArrayOpExpr>()).cast::<pg_sys::ScalarArrayOpExpr>();
            let mut arguments = PgList::new();
            arguments.push(self.copied());
            arguments.push(uuids);
            (*made).xpr.type_ = pg_sys::NodeTag::T_ScalarArrayOpExpr;
            (*made).opno = uuid_operator(pg_sys::BTEqualStrategyNumber);
            (*made).opfuncid = pg_sys::get_opcode((*made).opno);
            (*made).useOr = true;
            (*made).args = arguments.into_pg();
            (*made).location = -1;
            Some(pg_sys::eval_const_expressions(root, made.cast()))
        }
    }

    /// Whether an operator is the equality of what the function makes. A collation by which different texts are equal is another one.
    unsafe fn is_equality(&self, operator: pg_sys::Oid, collation: pg_sys::Oid) -> bool {
        // SAFETY: lookups by OID; the type's entry stays in the cache.
        unsafe {
            let flag = pg_sys::TYPECACHE_EQ_OPR.cast_signed();
            operator == (*pg_sys::lookup_type_cache(self.inverse.result, flag)).eq_opr
                && (collation == pg_sys::InvalidOid || pg_sys::get_collation_isdeterministic(collation))
        }
    }

    unsafe fn copied(&self) -> *mut pg_sys::Node {
        // SAFETY: an expression of the planner's.
        unsafe { pg_sys::copyObjectImpl(self.uuid.cast()).cast() }
    }

    /// The inverse's call, computed if it is of constants.
    unsafe fn inverted(
        &self,
        root: *mut pg_sys::PlannerInfo,
        function: PlannerFunction,
        value: *mut pg_sys::Node,
    ) -> Option<*mut pg_sys::Node> {
        // SAFETY: the value is of the type that the function makes, or an array of it.
        unsafe {
            let mut arguments = PgList::<pg_sys::Node>::new();
            arguments.push(pg_sys::copyObjectImpl(value.cast()).cast());
            if let Some(with) = self.with {
                arguments.push(pg_sys::copyObjectImpl(with.cast()).cast());
            }
            let call = pg_sys::makeFuncExpr(
                function.in_schema_of(self.function)?,
                function.result,
                arguments.into_pg(),
                pg_sys::InvalidOid,
                pg_sys::InvalidOid,
                pg_sys::CoercionForm::COERCE_EXPLICIT_CALL,
            );
            Some(pg_sys::eval_const_expressions(root, call.cast()))
        }
    }

    /// Whether an index of the table has a call of the function, which serves the condition as it is.
    ///
    /// # Safety
    /// The relation must be the planner's.
    pub unsafe fn has_own_index(&self, relation: &pg_sys::RelOptInfo) -> bool {
        // SAFETY: the planner's lists.
        unsafe {
            cells::<pg_sys::IndexOptInfo>(relation.indexlist).iter().any(|index| {
                cells::<pg_sys::Node>((**index).indexprs).iter().any(|expression| {
                    is_a(*expression, pg_sys::NodeTag::T_FuncExpr)
                        && (*expression.cast::<pg_sys::FuncExpr>()).funcid == self.function
                })
            })
        }
    }
}

/// The support function of these functions. It has no answer, but PostgreSQL loads the library for asking it, before the
/// conditions of a query are handed out.
#[pg_extern(sql = false)]
fn uuid_inverse_support(_request: pgrx::datum::Internal) -> pgrx::datum::Internal {
    pgrx::datum::Internal::from(Some(pg_sys::Datum::null()))
}
