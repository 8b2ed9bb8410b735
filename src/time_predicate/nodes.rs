//! The planner's expressions: reading them, and making some.

use std::ffi::c_char;
use std::marker::PhantomData;
use std::ptr::NonNull;

use pgrx::{Array, FromDatum, PgList, is_a, pg_sys};
use rfc9562::Uuid;

use super::catalog::{PlannerFunction, is_executable, member, uuid_operator};
use crate::datum::{SqlUuid, Timestamptz, Tstzrange};
use crate::error::OrRaise;
use crate::raw;

/// An expression of a query while PostgreSQL plans it: a node that is what its tag says, with its parts. Nothing changes or frees it
/// while the extension is asked about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Expression<'plan> {
    node: NonNull<pg_sys::Node>,
    plan: PhantomData<&'plan pg_sys::Node>,
}

/// A structure of PostgreSQL that begins with its tag.
///
/// # Safety
/// The tag must be the one that PostgreSQL gives to this structure.
#[allow(unsafe_code)]
unsafe trait Tagged {
    const TAG: pg_sys::NodeTag;
}

macro_rules! tagged {
    ($($structure:ident $tag:ident,)*) => {
        $(
            // SAFETY: the name of a tag is `T_` and the name of the structure: PostgreSQL's nodes/nodes.h.
            #[allow(unsafe_code)]
            unsafe impl Tagged for pg_sys::$structure {
                const TAG: pg_sys::NodeTag = pg_sys::NodeTag::$tag;
            }
        )*
    };
}

tagged! {
    ArrayCoerceExpr T_ArrayCoerceExpr,
    BoolExpr T_BoolExpr,
    CaseExpr T_CaseExpr,
    CaseTestExpr T_CaseTestExpr,
    CaseWhen T_CaseWhen,
    Const T_Const,
    FuncExpr T_FuncExpr,
    NullTest T_NullTest,
    OpExpr T_OpExpr,
    PlaceHolderVar T_PlaceHolderVar,
    RelabelType T_RelabelType,
    RowCompareExpr T_RowCompareExpr,
    ScalarArrayOpExpr T_ScalarArrayOpExpr,
    SubLink T_SubLink,
    Var T_Var,
}

/// What a datum of one type of PostgreSQL is read as.
///
/// # Safety
/// `FromDatum` must read datums of this type.
#[allow(unsafe_code)]
pub unsafe trait OfSqlType: FromDatum {
    const OID: pg_sys::Oid;
}

macro_rules! of_sql_type {
    ($($type:ty, $oid:ident;)*) => {
        $(
            // SAFETY: the SQL functions that take this type declare their argument with that one.
            #[allow(unsafe_code)]
            unsafe impl OfSqlType for $type {
                const OID: pg_sys::Oid = pg_sys::$oid;
            }
        )*
    };
}

of_sql_type! {
    SqlUuid, UUIDOID;
    Timestamptz, TIMESTAMPTZOID;
    Tstzrange, TSTZRANGEOID;
    Array<'_, i64>, TIMESTAMPTZARRAYOID;
}

/// A column of one of the query's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The table's place in the query.
    pub table: pg_sys::Index,
    pub number: i16,
    /// How many queries further out the table is.
    pub levels_up: pg_sys::Index,
}

/// A call of an operator or of a function.
#[derive(Clone, Copy, Debug)]
pub struct Call<'plan> {
    /// The operator, or the function.
    pub callee: pg_sys::Oid,
    /// The collation that it uses; none where there is nothing to collate.
    pub collation: pg_sys::Oid,
    pub arguments: &'plan [Expression<'plan>],
}

/// `element operator ANY (array)`
#[derive(Clone, Copy, Debug)]
pub struct Elements<'plan> {
    pub operator: pg_sys::Oid,
    pub collation: pg_sys::Oid,
    pub element: Expression<'plan>,
    pub array: Expression<'plan>,
}

/// How expressions are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    And,
    Or,
    Not,
}

#[allow(unsafe_code)]
impl<'plan> Expression<'plan> {
    /// The expression of a node; none of a null pointer.
    ///
    /// # Safety
    /// The node must be an expression of PostgreSQL's planner, for as long as it plans this query.
    pub unsafe fn of(node: *mut pg_sys::Node) -> Option<Self> {
        NonNull::new(node).map(|node| Expression { node, plan: PhantomData })
    }

    /// One that PostgreSQL made just now.
    ///
    /// # Safety
    /// As of [`Expression::of`]; a null pointer is an error of this program.
    unsafe fn made(node: *mut pg_sys::Node) -> Self {
        Expression { node: NonNull::new(node).expect("PostgreSQL raises an error in place of null"), plan: PhantomData }
    }

    pub fn as_ptr(self) -> *mut pg_sys::Node {
        self.node.as_ptr()
    }

    fn read<T: Tagged>(self) -> Option<&'plan T> {
        // SAFETY: an expression is what its tag says.
        unsafe { is_a(self.as_ptr(), T::TAG).then(|| self.node.cast::<T>().as_ref()) }
    }

    /// An operator's call.
    pub fn operator(self) -> Option<Call<'plan>> {
        let call = self.read::<pg_sys::OpExpr>()?;
        // SAFETY: the arguments of an expression are expressions.
        Some(Call { callee: call.opno, collation: call.inputcollid, arguments: unsafe { expressions(call.args) } })
    }

    /// `IS DISTINCT FROM`, by the operator of equality.
    pub fn distinct(self) -> Option<Call<'plan>> {
        // SAFETY: a DistinctExpr has the structure of an OpExpr; the arguments of an expression are expressions.
        unsafe {
            let call = is_a(self.as_ptr(), pg_sys::NodeTag::T_DistinctExpr)
                .then(|| self.node.cast::<pg_sys::OpExpr>().as_ref())?;
            Some(Call { callee: call.opno, collation: call.inputcollid, arguments: expressions(call.args) })
        }
    }

    /// A function's call.
    pub fn function(self) -> Option<Call<'plan>> {
        let call = self.read::<pg_sys::FuncExpr>()?;
        // SAFETY: the arguments of an expression are expressions.
        Some(Call { callee: call.funcid, collation: call.inputcollid, arguments: unsafe { expressions(call.args) } })
    }

    /// A comparison with the elements of an array, one of which is enough.
    pub fn any_element(self) -> Option<Elements<'plan>> {
        let call = self.read::<pg_sys::ScalarArrayOpExpr>()?;
        // SAFETY: the arguments of an expression are expressions.
        match unsafe { expressions(call.args) } {
            &[element, array] if call.useOr => {
                Some(Elements { operator: call.opno, collation: call.inputcollid, element, array })
            }
            _ => None,
        }
    }

    /// The first operator of a comparison of rows, and the first members of both.
    pub fn first_of_rows(self) -> Option<(pg_sys::Oid, Expression<'plan>, Expression<'plan>)> {
        let rows = self.read::<pg_sys::RowCompareExpr>()?;
        // SAFETY: the rows' members are expressions, the operators a list of OIDs.
        unsafe {
            let operator = PgList::<pg_sys::Oid>::from_pg(rows.opnos).get_oid(0)?;
            Some((operator, *expressions(rows.largs).first()?, *expressions(rows.rargs).first()?))
        }
    }

    /// AND, OR or NOT, with its parts. None if the stack is nearly exhausted: expressions nested that deep are not rewritten, because
    /// callers recurse for each level.
    pub fn combination(self) -> Option<(Combination, &'plan [Expression<'plan>])> {
        let expression = self.read::<pg_sys::BoolExpr>().filter(|_| !raw::stack_is_too_deep())?;
        let combination = match expression.boolop {
            pg_sys::BoolExprType::AND_EXPR => Combination::And,
            pg_sys::BoolExprType::OR_EXPR => Combination::Or,
            _ => Combination::Not,
        };
        // SAFETY: the parts are expressions.
        Some((combination, unsafe { expressions(expression.args) }))
    }

    /// The query of a subquery that is not planned yet and whose result is one value.
    pub fn subquery(self) -> Option<&'plan pg_sys::Query> {
        let link = self.read::<pg_sys::SubLink>()?;
        if link.subLinkType != pg_sys::SubLinkType::EXPR_SUBLINK {
            return None;
        }
        // SAFETY: after parse analysis, what a SubLink has is a Query.
        unsafe { link.subselect.cast::<pg_sys::Query>().as_ref() }
    }

    pub fn column(self) -> Option<Column> {
        let column = self.read::<pg_sys::Var>()?;
        // The type differs between servers, and special numbers are no tables.
        let table = pg_sys::Index::try_from(column.varno).ok()?;
        Some(Column { table, number: column.varattno, levels_up: column.varlevelsup })
    }

    /// The columns that it reads, in placeholders, too. It must have no aggregates and no window functions.
    pub fn columns(self) -> Vec<Column> {
        // SAFETY: an expression, of which PostgreSQL makes a list of Var.
        let columns = unsafe {
            let flags = pg_sys::PVC_RECURSE_PLACEHOLDERS.cast_signed();
            expressions(pg_sys::pull_var_clause(self.as_ptr(), flags))
        };
        columns.iter().filter_map(|column| column.column()).collect()
    }

    /// Another column, of this type, of the table that this column is of.
    pub fn column_beside(self, number: i16, type_oid: pg_sys::Oid) -> Option<Self> {
        self.column()?;
        let copied = self.copied();
        // SAFETY: a copy, which nobody else has yet.
        unsafe {
            let column = copied.node.cast::<pg_sys::Var>().as_mut();
            column.varattno = number;
            column.varattnosyn = number;
            column.vartype = type_oid;
            column.vartypmod = -1;
        }
        Some(copied)
    }

    pub fn is_constant(self) -> bool {
        self.read::<pg_sys::Const>().is_some()
    }

    /// Whether it is this constant, of type `smallint` or `integer`.
    pub fn is_integer(self, value: usize) -> bool {
        self.read::<pg_sys::Const>().is_some_and(|constant| {
            let is_integer = [pg_sys::INT2OID, pg_sys::INT4OID].contains(&constant.consttype);
            is_integer && !constant.constisnull && constant.constvalue.value() == value
        })
    }

    /// The value of a constant that is not null, if it is of this type or of a domain over it.
    pub fn value<T: OfSqlType>(self) -> Option<T> {
        let constant = self.read::<pg_sys::Const>()?;
        // SAFETY: a constant's datum is of the constant's type. What a domain has is of its base type, which is a lookup by OID.
        unsafe {
            let is_it = constant.consttype == T::OID || pg_sys::getBaseType(constant.consttype) == T::OID;
            is_it.then(|| T::from_datum(constant.constvalue, constant.constisnull)).flatten()
        }
    }

    /// Without RelabelType: binary-compatible casts, such as from an unconstrained domain to its base type.
    pub fn unrelabelled(mut self) -> Self {
        while let Some(cast) = self.read::<pg_sys::RelabelType>() {
            // SAFETY: the argument of a cast is an expression.
            self = unsafe { Expression::made(cast.arg.cast()) };
        }
        self
    }

    /// As this type, which its own can be taken for as it is.
    pub fn relabelled(self, type_oid: pg_sys::Oid) -> Self {
        if self.type_oid() == type_oid {
            return self;
        }
        let (none, form) = (pg_sys::InvalidOid, pg_sys::CoercionForm::COERCE_IMPLICIT_CAST);
        // SAFETY: the new node refers to this expression, which lives as long as the plan.
        unsafe { Expression::made(pg_sys::makeRelabelType(self.as_ptr().cast(), type_oid, -1, none, form).cast()) }
    }

    /// What PostgreSQL has marked as computed below an outer join or in a part of a UNION ALL.
    pub fn without_placeholder(self) -> Self {
        match self.read::<pg_sys::PlaceHolderVar>() {
            // SAFETY: what is marked is an expression.
            Some(mark) => unsafe { Expression::made(mark.phexpr.cast()) },
            None => self,
        }
    }

    /// What is tested, and for which.
    pub fn null_test(self) -> Option<(Expression<'plan>, pg_sys::NullTestType::Type)> {
        let test = self.read::<pg_sys::NullTest>()?;
        // SAFETY: what is tested is an expression.
        Some((unsafe { Expression::made(test.arg.cast()) }, test.nulltesttype))
    }

    /// An array of `tstzrange`, or of a domain over it that has no constraint, as one of `tstzrange`.
    pub fn as_ranges(self) -> Option<Self> {
        let array = match self.unrelabelled().read::<pg_sys::ArrayCoerceExpr>() {
            // SAFETY: the argument of a cast is an expression.
            Some(cast) => unsafe { Expression::made(cast.arg.cast()) },
            None => self.unrelabelled(),
        };
        (array.element_type() == pg_sys::TSTZRANGEOID).then(|| array.relabelled(pg_sys::TSTZRANGEARRAYOID))
    }

    /// What the elements of an array are; of a domain, what that is over.
    fn element_type(self) -> pg_sys::Oid {
        // SAFETY: lookups by OID, which answer 0 of what is no array.
        unsafe { pg_sys::getBaseType(pg_sys::get_base_element_type(self.type_oid())) }
    }

    /// The ranges of a constant array of `tstzrange`, or of a domain over it, that are not null, if they are few.
    pub fn constant_ranges(self, few: usize) -> Option<Vec<Self>> {
        let array = self.unrelabelled();
        let constant = array.read::<pg_sys::Const>().filter(|constant| !constant.constisnull)?;
        if array.element_type() != pg_sys::TSTZRANGEOID {
            return None;
        }
        // SAFETY: an array of ranges, which are of variable length and aligned to 8 bytes. As many elements as are counted are there.
        unsafe {
            let array = pg_sys::pg_detoast_datum(constant.constvalue.cast_mut_ptr()).cast::<pg_sys::ArrayType>();
            let (mut elements, mut nulls, mut count) = (std::ptr::null_mut(), std::ptr::null_mut(), 0);
            let (own_type, aligned) = ((*array).elemtype, c_char::from_ne_bytes([pg_sys::TYPALIGN_DOUBLE]));
            pg_sys::deconstruct_array(array, own_type, -1, false, aligned, &mut elements, &mut nulls, &mut count);
            let count = usize::try_from(count).ok().filter(|count| *count <= few)?;
            let ranges = (0..count).filter(|number| !*nulls.add(*number)).map(|number| {
                let none = pg_sys::InvalidOid;
                let range = *elements.add(number);
                Expression::made(pg_sys::makeConst(pg_sys::TSTZRANGEOID, -1, none, -1, range, false, false).cast())
            });
            Some(ranges.collect())
        }
    }

    /// Its type.
    pub fn type_oid(self) -> pg_sys::Oid {
        // SAFETY: an expression, which is only read.
        unsafe { pg_sys::exprType(self.as_ptr()) }
    }

    /// Its type; of a domain, what that is over.
    pub fn base_type(self) -> pg_sys::Oid {
        // SAFETY: a lookup by OID.
        unsafe { pg_sys::getBaseType(self.type_oid()) }
    }

    /// Whether both are the same in every part.
    pub fn equals(self, other: Expression<'_>) -> bool {
        // SAFETY: two expressions, which are only read.
        unsafe { pg_sys::equal(self.as_ptr().cast(), other.as_ptr().cast()) }
    }

    pub fn is_volatile(self) -> bool {
        // SAFETY: an expression, which is only read.
        unsafe { pg_sys::contain_volatile_functions(self.as_ptr()) }
    }

    pub fn has_subquery(self) -> bool {
        // SAFETY: an expression, which is only read.
        unsafe { pg_sys::contain_subplans(self.as_ptr()) }
    }

    /// Whether it reads a column of this query.
    pub fn reads_columns(self) -> bool {
        // SAFETY: an expression, which is only read.
        unsafe { pg_sys::contain_var_clause(self.as_ptr()) }
    }

    /// A copy, since no node may be in a plan twice.
    pub fn copied(self) -> Self {
        // SAFETY: PostgreSQL copies an expression with all its parts.
        unsafe { Expression::made(pg_sys::copyObjectImpl(self.as_ptr().cast()).cast()) }
    }
}

/// The members of a list of expressions, read in place: of thousands of conditions, each is compared with each.
///
/// # Safety
/// The list must be one of expressions, as in [`Expression::of`].
#[allow(unsafe_code)]
pub unsafe fn expressions<'plan>(list: *mut pg_sys::List) -> &'plan [Expression<'plan>] {
    // SAFETY: an expression is a pointer to a node and nothing else.
    unsafe {
        let nodes = cells::<pg_sys::Node>(list);
        std::slice::from_raw_parts(nodes.as_ptr().cast(), nodes.len())
    }
}

/// As [`expressions`], of a list some members of which may be null pointers.
///
/// # Safety
/// As of [`expressions`].
#[allow(unsafe_code)]
pub unsafe fn expressions_or_null<'plan>(list: *mut pg_sys::List) -> &'plan [Option<Expression<'plan>>] {
    // SAFETY: no expression is a null pointer to a node.
    unsafe {
        let nodes = cells::<pg_sys::Node>(list);
        std::slice::from_raw_parts(nodes.as_ptr().cast(), nodes.len())
    }
}

/// The members of a list of nodes, read in place.
///
/// # Safety
/// The list must be PostgreSQL's, of pointers to this type, and must stay as it is.
#[allow(unsafe_code)]
pub unsafe fn cells<'list, Node: 'list>(list: *mut pg_sys::List) -> &'list [*mut Node] {
    // SAFETY: a list has as many elements as its length says, each a union that holds a pointer; a null pointer is the empty
    // list.
    unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements.cast(), usize::try_from(list.length).unwrap_or(0)),
            None => &[],
        }
    }
}

/// A list as long as a query or its statistics: without memory for it, PostgreSQL's error comes, not Rust's abort.
pub fn collected<T>(elements: impl IntoIterator<Item = T>) -> Vec<T> {
    let elements = elements.into_iter();
    let mut list = Vec::new();
    list.try_reserve_exact(elements.size_hint().0).or_raise();
    for element in elements {
        list.try_reserve(1).or_raise();
        list.push(element);
    }
    list
}

/// A list of these.
pub fn list_of<'plan>(expressions: impl IntoIterator<Item = Expression<'plan>>) -> *mut pg_sys::List {
    let mut list = PgList::new();
    for expression in expressions {
        list.push(expression.as_ptr());
    }
    list.into_pg()
}

/// These, combined by AND; one stands for itself.
#[allow(unsafe_code)]
pub fn all_of<'plan>(parts: &[Expression<'plan>]) -> Expression<'plan> {
    match parts {
        [one] => *one,
        // SAFETY: a list of expressions.
        several => unsafe { Expression::made(pg_sys::make_andclause(list_of(several.iter().copied())).cast()) },
    }
}

/// These, combined by OR; one stands for itself.
#[allow(unsafe_code)]
pub fn any_of<'plan>(parts: &[Expression<'plan>]) -> Expression<'plan> {
    match parts {
        [one] => *one,
        // SAFETY: a list of expressions.
        several => unsafe { Expression::made(pg_sys::make_orclause(list_of(several.iter().copied())).cast()) },
    }
}

#[allow(unsafe_code)]
pub fn not<'plan>(expression: Expression<'plan>) -> Expression<'plan> {
    // SAFETY: the new node refers to this expression, which lives as long as the plan.
    unsafe { Expression::made(pg_sys::make_notclause(expression.as_ptr().cast()).cast()) }
}

#[allow(unsafe_code)]
pub fn uuid_constant<'plan>(uuid: Uuid) -> Expression<'plan> {
    // SAFETY: the datum is a uuid: 16 bytes by reference. Not by uuid_datum, whose error would leave by longjmp, and callers own lists.
    unsafe {
        let bytes = pg_sys::palloc(size_of::<Uuid>()).cast::<[u8; 16]>();
        bytes.write(*uuid.as_bytes());
        let none = pg_sys::InvalidOid;
        Expression::made(pg_sys::makeConst(pg_sys::UUIDOID, -1, none, 16, bytes.into(), false, false).cast())
    }
}

#[allow(unsafe_code)]
pub fn time_constant<'plan>(time: Timestamptz) -> Expression<'plan> {
    // SAFETY: the datum is a timestamptz: 8 bytes by value.
    unsafe {
        let (none, datum) = (pg_sys::InvalidOid, pg_sys::Datum::from(time.0));
        Expression::made(pg_sys::makeConst(pg_sys::TIMESTAMPTZOID, -1, none, 8, datum, false, true).cast())
    }
}

/// True, false or null.
#[allow(unsafe_code)]
pub fn truth_constant<'plan>(truth: Option<bool>) -> Expression<'plan> {
    // SAFETY: it takes any values.
    unsafe { Expression::made(pg_sys::makeBoolConst(truth == Some(true), truth.is_none())) }
}

/// Whether an expression is null, or is not. It must not be a row.
#[allow(unsafe_code)]
pub fn null_test<'plan>(expression: Expression<'plan>, test: pg_sys::NullTestType::Type) -> Expression<'plan> {
    // SAFETY: a node of its type, of zeros but for what is set, as makeNode makes it.
    unsafe {
        let made = pg_sys::palloc0(size_of::<pg_sys::NullTest>()).cast::<pg_sys::NullTest>();
        (*made).xpr.type_ = pg_sys::NodeTag::T_NullTest;
        (*made).arg = expression.as_ptr().cast();
        (*made).nulltesttype = test;
        (*made).location = -1;
        Expression::made(made.cast())
    }
}

/// A UUID compared with a UUID or a `timestamptz`, by the member of PostgreSQL's operator family with this btree strategy. None if
/// they are something else, the member is missing, or the role may not execute it.
#[allow(unsafe_code)]
pub fn compared<'plan>(uuid: Expression<'plan>, strategy: u32, other: Expression<'plan>) -> Option<Expression<'plan>> {
    if uuid.base_type() != pg_sys::UUIDOID {
        return None;
    }
    let operator = member(other.base_type(), strategy)?;
    // SAFETY: a lookup by OID.
    if !is_executable(unsafe { pg_sys::get_opcode(operator) }) {
        return None;
    }
    let (left, right, none) = (uuid.as_ptr().cast(), other.as_ptr().cast(), pg_sys::InvalidOid);
    // SAFETY: the operator takes a uuid and what the other side is, and returns a boolean. `set_opfuncid` finds its function.
    Some(unsafe {
        let comparison = pg_sys::make_opclause(operator, pg_sys::BOOLOID, false, left, right, none, none);
        pg_sys::set_opfuncid(comparison.cast());
        Expression::made(comparison.cast())
    })
}

/// `uuid = ANY (uuids)`. None if they are something else.
#[allow(unsafe_code)]
pub fn equal_any<'plan>(uuid: Expression<'plan>, uuids: Expression<'plan>) -> Option<Expression<'plan>> {
    if (uuid.base_type(), uuids.base_type()) != (pg_sys::UUIDOID, pg_sys::UUIDARRAYOID) {
        return None;
    }
    let made = node::<pg_sys::ScalarArrayOpExpr>();
    made.opno = uuid_operator(pg_sys::BTEqualStrategyNumber);
    (made.useOr, made.args, made.location) = (true, list_of([uuid, uuids]), -1);
    // SAFETY: a lookup by OID, and a node of its type.
    Some(unsafe {
        made.opfuncid = pg_sys::get_opcode(made.opno);
        Expression::made(std::ptr::from_mut(made).cast())
    })
}

/// A node of this type, of zeros but for its tag, as makeNode makes it.
#[allow(unsafe_code)]
fn node<T: Tagged>() -> &'static mut T {
    // SAFETY: PostgreSQL's nodes are numbers, truth values and pointers, of which zeros are values. It frees them after the statement.
    unsafe {
        let made = pg_sys::palloc0(size_of::<T>()).cast::<T>();
        (*made.cast::<pg_sys::Node>()).type_ = T::TAG;
        &mut *made
    }
}

/// `CASE version WHEN number THEN value END`, of a UUID's version.
#[allow(unsafe_code)]
pub fn when_version<'plan>(version: Expression<'plan>, number: i16, value: Expression<'plan>) -> Expression<'plan> {
    /// PostgreSQL's operator of two `smallint`, fixed in pg_operator.dat.
    const EQUAL: pg_sys::Oid = pg_sys::Oid::from_u32(94);

    let (none, case, when) = (pg_sys::InvalidOid, node::<pg_sys::CaseExpr>(), node::<pg_sys::CaseWhen>());
    // SAFETY: nodes of the types that these fields have; the simplified node is as good as this one.
    unsafe {
        let number = pg_sys::makeConst(pg_sys::INT2OID, -1, none, 2, number.into(), false, true);
        let asked = placeholder(pg_sys::INT2OID).as_ptr();
        let is_equal = pg_sys::make_opclause(EQUAL, pg_sys::BOOLOID, false, asked.cast(), number.cast(), none, none);
        pg_sys::set_opfuncid(is_equal.cast());
        (when.expr, when.result, when.location) = (is_equal, value.as_ptr().cast(), -1);
        (case.casetype, case.arg, case.location) = (value.type_oid(), version.as_ptr().cast(), -1);
        case.args = list_of([Expression::made(std::ptr::from_mut(when).cast())]);
        case.defresult = pg_sys::makeNullConst(case.casetype, -1, none).cast();
        Expression::made(pg_sys::eval_const_expressions(std::ptr::null_mut(), std::ptr::from_mut(case).cast()))
    }
}

/// What stands for the value of a CASE, or for an element of an array, in what is computed of it.
#[allow(unsafe_code)]
fn placeholder<'plan>(type_oid: pg_sys::Oid) -> Expression<'plan> {
    let place = node::<pg_sys::CaseTestExpr>();
    // SAFETY: a lookup by OID, and a node of its type.
    unsafe {
        (place.typeId, place.typeMod, place.collation) = (type_oid, -1, pg_sys::get_typcollation(type_oid));
        Expression::made(std::ptr::from_mut(place).cast())
    }
}

/// An array of what `made` makes of each element of an array, which has elements of the type `element`, and the result of `result`.
#[allow(unsafe_code)]
pub fn each_element<'plan>(
    array: Expression<'plan>,
    element: pg_sys::Oid,
    result: pg_sys::Oid,
    made: impl FnOnce(Expression<'plan>) -> Option<Expression<'plan>>,
) -> Option<Expression<'plan>> {
    // SAFETY: lookups by OID.
    let (arrays, results) = unsafe { (pg_sys::get_array_type(element), pg_sys::get_array_type(result)) };
    if array.base_type() != arrays {
        return None;
    }
    let each = node::<pg_sys::ArrayCoerceExpr>();
    // SAFETY: nodes of the types that these fields have.
    unsafe {
        each.arg = array.as_ptr().cast();
        each.elemexpr = made(placeholder(element))?.as_ptr().cast();
        (each.resulttype, each.resulttypmod, each.location) = (results, -1, -1);
        each.coerceformat = pg_sys::CoercionForm::COERCE_EXPLICIT_CAST;
        Some(Expression::made(pg_sys::eval_const_expressions(std::ptr::null_mut(), std::ptr::from_mut(each).cast())))
    }
}

/// A call of this function, which stands beside another one of the extension. None if the function is not there, does not take
/// these, or the role may not execute it.
#[allow(unsafe_code)]
pub fn call_of<'plan>(
    function: PlannerFunction,
    sibling: pg_sys::Oid,
    arguments: &[Expression<'plan>],
) -> Option<Expression<'plan>> {
    if !arguments.iter().map(|argument| argument.base_type()).eq(function.arguments.iter().copied()) {
        return None;
    }
    let oid = function.in_schema_of(sibling)?;
    let (none, form) = (pg_sys::InvalidOid, pg_sys::CoercionForm::COERCE_EXPLICIT_CALL);
    // SAFETY: a function of this result, with arguments of the types that it takes.
    Some(unsafe {
        Expression::made(
            pg_sys::makeFuncExpr(oid, function.result, list_of(arguments.iter().copied()), none, none, form).cast(),
        )
    })
}
