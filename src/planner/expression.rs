//! Reads and builds the planner's expressions.

use pgrx::{Array, FromDatum, IntoDatum, PgList, is_a, pg_sys};
use rfc9562::Uuid;

use super::catalog::{PlannerFunction, equality_operator, is_deterministic, is_executable, lookup, member};
use super::planned::{Expression, Planned, Tagged, collected, elements, list_of, palloc_array};
use crate::datum::{SqlUuid, Timestamptz, Tstzrange, base_type};
use crate::error::OrRaise;
use crate::raw;

/// A Rust type that represents the values of one PostgreSQL type.
///
/// # Safety
/// `FromDatum` must accept every datum of the PostgreSQL type `OID`.
#[allow(unsafe_code)]
pub unsafe trait FromSqlType: FromDatum {
    const OID: pg_sys::Oid;
}

macro_rules! from_sql_types {
    ($($type:ty, $oid:ident;)*) => {
        $(
            // SAFETY: the Rust type's `FromDatum` reads the representation of this PostgreSQL type.
            #[allow(unsafe_code)]
            unsafe impl FromSqlType for $type {
                const OID: pg_sys::Oid = pg_sys::$oid;
            }
        )*
    };
}

from_sql_types! {
    SqlUuid, UUIDOID;
    Timestamptz, TIMESTAMPTZOID;
    Tstzrange, TSTZRANGEOID;
    Array<'_, i64>, TIMESTAMPTZARRAYOID;
    &[u8], TEXTOID;
    Array<'_, &[u8]>, TEXTARRAYOID;
}

/// A column of a table in the query that an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The table's index in the range table.
    pub table: pg_sys::Index,
    pub number: i16,
}

/// A call of an operator or of a function.
#[derive(Clone, Copy, Debug)]
pub struct Call<'plan> {
    /// The operator, or the function if it is called by its name.
    pub callee: pg_sys::Oid,
    pub function: pg_sys::Oid,
    /// The collation that the call uses, or 0.
    pub collation: pg_sys::Oid,
    pub arguments: &'plan [Expression<'plan>],
}

#[allow(unsafe_code)]
impl<'plan> Expression<'plan> {
    /// Wraps a node that cannot be null: a part that every node of the parent's type has, or one that PostgreSQL has just created.
    ///
    /// # Safety
    /// As for [`Planned::from_ptr`]; a null pointer causes a panic.
    unsafe fn from_non_null<T>(node: *mut T) -> Self {
        // SAFETY: the caller ensures that this is a node.
        unsafe { Planned::from_ptr(node.cast()) }.expect("PostgreSQL raises an error in place of null")
    }

    pub fn operator(self) -> Option<Call<'plan>> {
        self.read::<pg_sys::OpExpr>().map(|call| Call::new(call.opno, call.opfuncid, call.inputcollid, call.args))
    }

    /// Returns `IS DISTINCT FROM` as a call of the equality operator that it uses.
    pub fn distinct(self) -> Option<Call<'plan>> {
        // SAFETY: a DistinctExpr has the structure of an OpExpr.
        let call = unsafe {
            is_a(self.as_ptr(), pg_sys::NodeTag::T_DistinctExpr).then(|| &*self.as_ptr().cast::<pg_sys::OpExpr>())?
        };
        Some(Call::new(call.opno, call.opfuncid, call.inputcollid, call.args))
    }

    pub fn function(self) -> Option<Call<'plan>> {
        self.read::<pg_sys::FuncExpr>().map(|call| Call::new(call.funcid, call.funcid, call.inputcollid, call.args))
    }

    /// Returns `element operator ANY (array)` as a call with these two arguments.
    pub fn any_element(self) -> Option<Call<'plan>> {
        let call = self.read::<pg_sys::ScalarArrayOpExpr>().filter(|call| call.useOr)?;
        Some(Call::new(call.opno, call.opfuncid, call.inputcollid, call.args))
    }

    /// Returns the first operator of a row comparison and the first member of each row.
    pub fn first_of_rows(self) -> Option<(pg_sys::Oid, Expression<'plan>, Expression<'plan>)> {
        let rows = self.read::<pg_sys::RowCompareExpr>()?;
        // SAFETY: the rows' members are expressions, and the operators are a list of OIDs.
        unsafe {
            let operator = PgList::<pg_sys::Oid>::from_pg(rows.opnos).get_oid(0)?;
            Some((operator, *elements(rows.largs).first()?, *elements(rows.rargs).first()?))
        }
    }

    /// Returns AND, OR or NOT, with its parts, unless the stack is too deep: functions that examine nested clauses recurse for each
    /// level.
    pub fn combination(self) -> Option<(pg_sys::BoolExprType::Type, &'plan [Expression<'plan>])> {
        let expression = self.read::<pg_sys::BoolExpr>().filter(|_| !raw::stack_is_too_deep())?;
        // SAFETY: the parts are expressions.
        Some((expression.boolop, unsafe { elements(expression.args) }))
    }

    pub fn operator_or_function(self) -> Option<Call<'plan>> {
        self.operator().or_else(|| self.function())
    }

    /// Returns the argument of a cast to `text` or `varchar` by the output function of the argument's type.
    pub fn output_of(self) -> Option<Self> {
        let texts = [pg_sys::TEXTOID, pg_sys::VARCHAROID];
        self.converted().filter(|_| texts.contains(&self.type_oid()))
    }

    /// Returns the text of a constant, if it is short and consists of ASCII characters, which are the same in every encoding.
    pub fn text(self) -> Option<String> {
        let text = self.unrelabelled().value::<&[u8]>().filter(|text| text.is_ascii() && text.len() < 1000)?;
        str::from_utf8(text).ok().map(str::to_owned)
    }

    /// Returns the column, if the expression is a column of this query. (An outer query's columns are parameters when a table is
    /// planned, but not yet when a support function is called.)
    pub fn column(self) -> Option<Column> {
        let column = self.read::<pg_sys::Var>().filter(|column| column.varlevelsup == 0)?;
        // This number's type differs between PostgreSQL versions, and its special values do not denote tables.
        let table = pg_sys::Index::try_from(column.varno).ok()?;
        Some(Column { table, number: column.varattno })
    }

    /// Returns the column, if the expression is a column of type `timestamptz`.
    pub fn time_column(self) -> Option<Column> {
        self.read::<pg_sys::Var>().filter(|column| column.vartype == pg_sys::TIMESTAMPTZOID)?;
        self.column()
    }

    /// Returns the columns that the expression reads, including those in PlaceHolderVars. `None` stands for an aggregate or a
    /// window function.
    pub fn columns(self) -> impl Iterator<Item = Option<Column>> {
        const FLAGS: u32 =
            pg_sys::PVC_RECURSE_PLACEHOLDERS | pg_sys::PVC_INCLUDE_AGGREGATES | pg_sys::PVC_INCLUDE_WINDOWFUNCS;

        // SAFETY: PostgreSQL returns a list of expressions.
        let parts: &[Expression<'_>] = unsafe { elements(pg_sys::pull_var_clause(self.as_ptr(), FLAGS.cast_signed())) };
        parts.iter().map(|part| part.column())
    }

    /// Builds a reference to the column with the given number and type in the table of this column.
    pub fn column_beside(self, number: i16, type_oid: pg_sys::Oid) -> Option<Self> {
        self.column()?;
        let copy = self.deep_copy();
        // SAFETY: the copy is a Var to which nothing else refers yet.
        let column = unsafe { &mut *copy.as_ptr().cast::<pg_sys::Var>() };
        (column.varattno, column.varattnosyn, column.vartype, column.vartypmod) = (number, number, type_oid, -1);
        Some(copy)
    }

    pub fn is_constant(self) -> bool {
        self.read::<pg_sys::Const>().is_some()
    }

    /// Whether the expression is a constant of type `smallint` or `integer` with the given value.
    pub fn is_integer(self, value: usize) -> bool {
        self.read::<pg_sys::Const>().is_some_and(|constant| {
            let is_integer = [pg_sys::INT2OID, pg_sys::INT4OID].contains(&constant.consttype);
            is_integer && !constant.constisnull && constant.constvalue.value() == value
        })
    }

    /// Returns the value of a constant that is not null and is of type `T` or of a domain over it.
    pub fn value<T: FromSqlType>(self) -> Option<T> {
        let constant = self.read::<pg_sys::Const>()?;
        let is_it = self.base_type() == T::OID;
        // SAFETY: a constant's datum is of the constant's type or, if that is a domain, of its base type.
        is_it.then(|| unsafe { T::from_datum(constant.constvalue, constant.constisnull) }).flatten()
    }

    /// Strips RelabelType nodes: binary-coercible casts, such as that of a domain to its base type.
    pub fn unrelabelled(mut self) -> Self {
        while let Some(argument) = self.relabelled_argument() {
            self = argument;
        }
        self
    }

    /// Casts the expression to a type to which it is binary-coercible.
    pub fn relabelled(self, type_oid: pg_sys::Oid) -> Self {
        if self.type_oid() == type_oid {
            return self;
        }
        node(pg_sys::RelabelType {
            arg: self.as_ptr().cast(),
            resulttype: type_oid,
            resulttypmod: -1,
            relabelformat: pg_sys::CoercionForm::COERCE_IMPLICIT_CAST,
            location: -1,
            ..Default::default()
        })
    }

    /// Strips the PlaceHolderVar around an expression that is evaluated below an outer join or in a part of a UNION ALL.
    pub fn without_placeholder(self) -> Self {
        self.marked().unwrap_or(self)
    }

    pub fn null_test(self) -> Option<(Expression<'plan>, pg_sys::NullTestType::Type)> {
        Some((self.tested()?, self.read::<pg_sys::NullTest>()?.nulltesttype))
    }

    /// Returns an array of `tstzrange`, or of a domain over it, as an array of `tstzrange`.
    pub fn as_ranges(self) -> Option<Self> {
        let array = self.unrelabelled();
        let array = array.coerced_array().unwrap_or(array);
        (array.element_type() == pg_sys::TSTZRANGEOID).then(|| array.relabelled(pg_sys::TSTZRANGEARRAYOID))
    }

    /// Returns the element type of an array, or the base type if the elements are of a domain.
    fn element_type(self) -> pg_sys::Oid {
        lookup::getBaseType(lookup::get_base_element_type(self.type_oid()))
    }

    /// Returns the non-null ranges in a constant array of `tstzrange`, or of a domain over it, if the array has at most `limit`
    /// elements.
    pub fn constant_ranges(self, limit: usize) -> Option<Vec<Self>> {
        let array = self.unrelabelled();
        let value = array.read::<pg_sys::Const>().filter(|_| array.element_type() == pg_sys::TSTZRANGEOID)?;
        // SAFETY: the constant is an array of `tstzrange`, or of a domain over it.
        let ranges = unsafe { Array::<Tstzrange>::from_datum(value.constvalue, value.constisnull)? };
        let constants = ranges.iter().flatten().map(|range| constant(pg_sys::TSTZRANGEOID, -1, range.into_datum()));
        (ranges.len() <= limit).then(|| constants.collect())
    }

    /// Returns the type of the expression, or the base type if the expression is of a domain.
    pub fn base_type(self) -> pg_sys::Oid {
        base_type(self.type_oid())
    }

    /// Whether two expressions are structurally equal.
    pub fn equals(self, other: Expression<'_>) -> bool {
        // SAFETY: both expressions are only read.
        unsafe { pg_sys::equal(self.as_ptr().cast(), other.as_ptr().cast()) }
    }

    /// Whether repeated evaluation gives the same result and repeats no subquery.
    pub fn is_repeatable(self) -> bool {
        !self.is_volatile() && !self.has_subquery()
    }

    /// Returns a deep copy, which is needed because no node may occur twice in a plan.
    pub fn deep_copy(self) -> Self {
        // SAFETY: PostgreSQL copies an expression with all its parts.
        unsafe { Expression::from_non_null(pg_sys::copyObjectImpl(self.as_ptr().cast())) }
    }

    /// Returns the implicitly ANDed clauses of a condition.
    pub fn conjuncts(self) -> Vec<Self> {
        // SAFETY: PostgreSQL returns the condition as a list of expressions.
        collected(unsafe { elements(pg_sys::make_ands_implicit(self.as_ptr().cast())) }.iter().copied())
    }
}

/// Defines methods that return a part of an expression, or a property that a function of PostgreSQL reports.
macro_rules! properties {
    ($(part $node:ident.$field:ident as $part:ident;)*
     $($(#[$doc:meta])* get $name:ident = $function:ident -> $type:ty;)*) => {
        #[allow(unsafe_code)]
        impl<'plan> Expression<'plan> {
            $(pub fn $part(self) -> Option<Self> {
                // SAFETY: every node of this type has this part, which is an expression.
                self.read::<pg_sys::$node>().map(|node| unsafe { Expression::from_non_null(node.$field) })
            })*
            $($(#[$doc])*
            pub fn $name(self) -> $type {
                // SAFETY: the expression is only read.
                unsafe { pg_sys::$function(self.as_ptr()) }
            })*
        }
    };
}

properties! {
    part ArrayCoerceExpr.arg as coerced_array;
    part CoerceViaIO.arg as converted;
    part NullTest.arg as tested;
    part PlaceHolderVar.phexpr as marked;
    part RelabelType.arg as relabelled_argument;
    get type_oid = exprType -> pg_sys::Oid;
    get collation = exprCollation -> pg_sys::Oid;
    get is_volatile = contain_volatile_functions -> bool;
    get has_subquery = contain_subplans -> bool;
    /// Whether the expression reads a column of this query.
    get reads_columns = contain_var_clause -> bool;
}

#[allow(unsafe_code)]
impl Call<'_> {
    /// The arguments must be those of a node.
    fn new(callee: pg_sys::Oid, function: pg_sys::Oid, collation: pg_sys::Oid, arguments: *mut pg_sys::List) -> Self {
        // SAFETY: only this file calls this function, with the arguments of nodes, which are expressions.
        Call { callee, function, collation, arguments: unsafe { elements(arguments) } }
    }

    /// Whether the call is of a type's equality operator, with a deterministic collation or none.
    pub fn is_equality(&self, type_oid: pg_sys::Oid) -> bool {
        self.callee == equality_operator(type_oid) && is_deterministic(self.collation)
    }
}

/// Whether the clauses, taken together, imply the predicate.
#[allow(unsafe_code)]
pub fn is_implied<'plan>(predicate: &[Expression<'plan>], clauses: &[Expression<'plan>]) -> bool {
    let lists = [predicate, clauses].map(|list| list_of(list.iter().copied()));
    // SAFETY: both lists consist of expressions, which the function only reads.
    unsafe { pg_sys::predicate_implied_by(lists[0], lists[1], false) }
}

fn node<'plan, T: Tagged>(fields: T) -> Expression<'plan> {
    Planned::new(fields).node()
}

/// Conditions that are combined by AND, such as those that replace a clause.
#[derive(Debug)]
pub enum Conjunction<'plan> {
    /// No row can meet all of the conditions.
    Never,
    All(Vec<Expression<'plan>>),
}

impl<'plan> Conjunction<'plan> {
    pub fn and(self, other: impl Into<Self>) -> Self {
        match (self, other.into()) {
            (Conjunction::All(mut own), Conjunction::All(other)) => {
                own.try_reserve(other.len()).or_raise();
                own.extend(other);
                Conjunction::All(own)
            }
            _ => Conjunction::Never,
        }
    }

    pub fn into_clauses(self) -> Vec<Expression<'plan>> {
        match self {
            Conjunction::Never => vec![truth_constant(Some(false))],
            Conjunction::All(clauses) => clauses,
        }
    }
}

impl<'plan> From<Expression<'plan>> for Conjunction<'plan> {
    fn from(condition: Expression<'plan>) -> Self {
        Conjunction::All(vec![condition])
    }
}

fn combined<'plan>(how: pg_sys::BoolExprType::Type, parts: &[Expression<'plan>]) -> Expression<'plan> {
    let args = list_of(parts.iter().copied());
    node(pg_sys::BoolExpr { boolop: how, args, location: -1, ..Default::default() })
}

pub fn all_of<'plan>(parts: &[Expression<'plan>]) -> Expression<'plan> {
    if let [one] = parts { *one } else { combined(pg_sys::BoolExprType::AND_EXPR, parts) }
}

pub fn any_of<'plan>(parts: &[Expression<'plan>]) -> Expression<'plan> {
    if let [one] = parts { *one } else { combined(pg_sys::BoolExprType::OR_EXPR, parts) }
}

pub fn not<'plan>(expression: Expression<'plan>) -> Expression<'plan> {
    combined(pg_sys::BoolExprType::NOT_EXPR, &[expression])
}

/// Builds a constant, which is null if there is no value. A length of -1 means a varlena, and a type of more than 8 bytes is
/// passed by reference.
fn constant<'plan>(type_oid: pg_sys::Oid, length: i32, value: Option<pg_sys::Datum>) -> Expression<'plan> {
    node(pg_sys::Const {
        consttype: type_oid,
        consttypmod: -1,
        constlen: length,
        constvalue: value.unwrap_or(pg_sys::Datum::null()),
        constisnull: value.is_none(),
        constbyval: (1..=8).contains(&length),
        location: -1,
        ..Default::default()
    })
}

/// The memory is allocated with a guard, unlike that of `uuid_datum`, because callers own memory.
pub fn uuid_constant<'plan>(uuid: Uuid) -> Expression<'plan> {
    constant(pg_sys::UUIDOID, 16, Some(palloc_array([*uuid.as_bytes()]).into()))
}

pub fn time_constant<'plan>(time: Timestamptz) -> Expression<'plan> {
    constant(pg_sys::TIMESTAMPTZOID, 8, Some(time.0.into()))
}

pub fn text_constant<'plan>(text: &str) -> Expression<'plan> {
    constant(pg_sys::TEXTOID, -1, text.into_datum())
}

pub fn truth_constant<'plan>(truth: Option<bool>) -> Expression<'plan> {
    constant(pg_sys::BOOLOID, 1, truth.map(pg_sys::Datum::from))
}

/// Builds a call, with the given result type, of PostgreSQL's own function with the given OID (fixed in pg_proc.dat).
pub fn built_in_call<'plan>(function: u32, result: pg_sys::Oid, arguments: &[Expression<'plan>]) -> Expression<'plan> {
    function_call(pg_sys::Oid::from_u32(function), result, arguments)
}

/// Builds the test `IS NULL` or `IS NOT NULL` of an expression, which must not be a row.
pub fn null_test_of<'plan>(expression: Expression<'plan>, test: pg_sys::NullTestType::Type) -> Expression<'plan> {
    let arg = expression.as_ptr().cast();
    node(pg_sys::NullTest { arg, nulltesttype: test, location: -1, ..Default::default() })
}

/// Builds a call of an operator with a result of type `boolean`. The arguments must be of the operator's types.
fn operation<'plan>(
    operator: pg_sys::Oid,
    function: pg_sys::Oid,
    arguments: [Expression<'plan>; 2],
) -> Expression<'plan> {
    node(pg_sys::OpExpr {
        opno: operator,
        opfuncid: function,
        opresulttype: pg_sys::BOOLOID,
        args: list_of(arguments),
        location: -1,
        ..Default::default()
    })
}

/// Builds a comparison of a copy of a UUID with a UUID or a `timestamptz`, using the member of PostgreSQL's operator family that
/// has the given btree strategy. Returns `None` if the arguments are of other types, the member is missing, or the role may not
/// execute the member's function.
pub fn comparison_of<'plan>(
    uuid: Expression<'plan>,
    strategy: u32,
    other: Expression<'plan>,
) -> Option<Expression<'plan>> {
    if uuid.base_type() != pg_sys::UUIDOID {
        return None;
    }
    let operator = member(other.base_type(), strategy)?;
    let function = lookup::get_opcode(operator);
    is_executable(function).then(|| operation(operator, function, [uuid.deep_copy(), other]))
}

/// Builds `uuid = ANY (uuids)`. Returns `None` if the arguments are not of types `uuid` and `uuid[]`.
pub fn equal_any<'plan>(uuid: Expression<'plan>, uuids: Expression<'plan>) -> Option<Expression<'plan>> {
    if (uuid.base_type(), uuids.base_type()) != (pg_sys::UUIDOID, pg_sys::UUIDARRAYOID) {
        return None;
    }
    let opno = member(pg_sys::UUIDOID, pg_sys::BTEqualStrategyNumber)?;
    let (opfuncid, args) = (lookup::get_opcode(opno), list_of([uuid, uuids]));
    Some(node(pg_sys::ScalarArrayOpExpr { opno, opfuncid, useOr: true, args, location: -1, ..Default::default() }))
}

/// Builds `CASE version WHEN number THEN value END`. The version must be a `smallint`, and the value a UUID.
pub fn when_version<'plan>(version: Expression<'plan>, number: i16, value: Expression<'plan>) -> Expression<'plan> {
    /// The OIDs of PostgreSQL's equality operator of `smallint`, fixed in pg_operator.dat, and of its function.
    const EQUAL: [pg_sys::Oid; 2] = [pg_sys::Oid::from_u32(94), pg_sys::Oid::from_u32(pg_sys::F_INT2EQ)];

    let number = constant(pg_sys::INT2OID, 2, Some(number.into()));
    let when = pg_sys::CaseWhen {
        expr: operation(EQUAL[0], EQUAL[1], [placeholder(pg_sys::INT2OID), number]).as_ptr().cast(),
        result: value.as_ptr().cast(),
        location: -1,
        ..Default::default()
    };
    node(pg_sys::CaseExpr {
        casetype: pg_sys::UUIDOID,
        arg: version.as_ptr().cast(),
        args: list_of([node(when)]),
        defresult: constant(pg_sys::UUIDOID, 16, None).as_ptr().cast(),
        location: -1,
        ..Default::default()
    })
}

/// Builds a CaseTestExpr, which stands for the tested value of a CASE or for each element of an array.
fn placeholder<'plan>(type_oid: pg_sys::Oid) -> Expression<'plan> {
    let collation = lookup::get_typcollation(type_oid);
    node(pg_sys::CaseTestExpr { typeId: type_oid, typeMod: -1, collation, ..Default::default() })
}

/// Builds a conversion of an array of `element` to an array of `result`. `convert` builds the expression that converts an element.
pub fn each_element<'plan>(
    array: Expression<'plan>,
    element: pg_sys::Oid,
    result: pg_sys::Oid,
    convert: impl FnOnce(Expression<'plan>) -> Option<Expression<'plan>>,
) -> Option<Expression<'plan>> {
    if array.base_type() != lookup::get_array_type(element) {
        return None;
    }
    Some(node(pg_sys::ArrayCoerceExpr {
        arg: array.as_ptr().cast(),
        elemexpr: convert(placeholder(element))?.as_ptr().cast(),
        resulttype: lookup::get_array_type(result),
        resulttypmod: -1,
        coerceformat: pg_sys::CoercionForm::COERCE_EXPLICIT_CAST,
        location: -1,
        ..Default::default()
    }))
}

/// Builds a call of a function of the extension. Returns `None` if the function does not exist or does not accept these arguments,
/// or if the role may not execute it.
pub fn call_of<'plan>(function: PlannerFunction, arguments: &[Expression<'plan>]) -> Option<Expression<'plan>> {
    let is_taken = |(argument, declared): (&Expression<'_>, &pg_sys::Oid)| match *declared {
        pg_sys::ANYARRAYOID => argument.element_type() != pg_sys::InvalidOid,
        pg_sys::ANYNONARRAYOID | pg_sys::ANYCOMPATIBLENONARRAYOID => true,
        declared => argument.base_type() == declared,
    };
    if arguments.len() != function.arguments.len() || !arguments.iter().zip(function.arguments).all(is_taken) {
        return None;
    }
    Some(function_call(function.find()?, function.result, arguments))
}

/// Builds a call of a function with the given result type. The arguments must be of the function's types.
fn function_call<'plan>(
    function: pg_sys::Oid,
    result: pg_sys::Oid,
    arguments: &[Expression<'plan>],
) -> Expression<'plan> {
    node(pg_sys::FuncExpr {
        funcid: function,
        funcresulttype: result,
        funcformat: pg_sys::CoercionForm::COERCE_EXPLICIT_CALL,
        args: list_of(arguments.iter().copied()),
        location: -1,
        ..Default::default()
    })
}
