//! `created_at` without a column: conditions on the time that a function reads out of a UUID become conditions on the UUID.
//!
//! ```text
//! uuidv7_time(id) >= t              id >= t AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) = t               id >= t AND id <= t AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) = other.time      and id >= other.time AND id <= other.time
//! uuidv7_time(id) <@ range          id <@ range AND uuidv7_time(id) IS NOT NULL
//! uuidv7_time(id) < ANY (times)     id < the last of them AND uuidv7_time(id) IS NOT NULL
//! id <= ANY (times)                 id <= the last of them
//! id <@ ANY (ranges)                id <@ one OR id <@ another
//! ```
//!
//! [`rewrite`](super::rewrite) then spells `id >= t`. Of a version 7 UUID both sides say the same, and of any other the function's
//! time is null. So where only true counts, and false is as good as null, one stands for the other. That is so in WHERE
//! and ON, and in what is combined there by AND and OR, but not below NOT, CASE or a function: there conditions stay.
//!
//! Where the column is of the domain `uuid_v7`, no other version can be, so the test for null is left out, and functions that also
//! know the time of other versions are read likewise.
//!
//! PostgreSQL asks no support function of `timestamptz >= timestamptz`, which is its own. But it has the functions' support
//! function called while it simplifies the conditions, so the library is loaded by then; and before it hands the conditions out to
//! tables and joins, it asks for each table's indexes, and lets a hook have a look at them. [`inverse`](super::inverse) has its conditions
//! rewritten on the same occasion.

use pgrx::prelude::*;
use pgrx::{Array, GucContext, GucFlags, GucRegistry, GucSetting, PgList, is_a, pg_sys};

use super::catalog::{self, PlannerFunction, TimeFunction, form_of_function};
use super::inverse::{InvertibleCall, invertible_call};
use super::nodes::{cells, list_of, null_test, time_constant, unrelabelled};
use super::rewrite::{call_of, constant, points, reader, spelled};
use super::selectivity::has_other_versions;
use super::sort::{Stand, is_never_null, sort_by_uuid};
use super::{Order, Predicate, Side};
use crate::datum::Timestamptz;

static REWRITE_TIME: GucSetting<bool> = GucSetting::<bool>::new(true);

#[cfg(not(feature = "pg19"))]
static mut PREVIOUS_HOOK: pg_sys::get_relation_info_hook_type = None;
#[cfg(feature = "pg19")]
static mut PREVIOUS_HOOK: pg_sys::build_simple_rel_hook_type = None;

/// Defines the setting, and takes its place among those that look at each table.
#[allow(unsafe_code)]
pub fn initialize() {
    GucRegistry::define_bool_guc(
        c"uuidrfc.rewrite_time",
        c"Lets conditions on the time inside a UUID use what is there for conditions on the UUID.",
        c"Off, uuidv7_time(id) is computed for each row. The rows that come are the same.",
        &REWRITE_TIME,
        GucContext::Suset,
        GucFlags::from_bits_retain(pg_sys::GUC_ALLOW_IN_PARALLEL.cast_signed()),
    );
    // SAFETY: called once, while the library is loaded, on the only thread.
    unsafe {
        #[cfg(not(feature = "pg19"))]
        {
            PREVIOUS_HOOK = pg_sys::get_relation_info_hook;
            pg_sys::get_relation_info_hook = Some(look_at_relation);
        }
        #[cfg(feature = "pg19")]
        {
            PREVIOUS_HOOK = pg_sys::build_simple_rel_hook;
            pg_sys::build_simple_rel_hook = Some(look_at_relation);
        }
    }
}

#[cfg(not(feature = "pg19"))]
#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn look_at_relation(
    root: *mut pg_sys::PlannerInfo,
    table: pg_sys::Oid,
    is_parent: bool,
    relation: *mut pg_sys::RelOptInfo,
) {
    // SAFETY: PostgreSQL calls the hook with its planner's own; the one before is another library's hook.
    unsafe {
        if let Some(previous) = PREVIOUS_HOOK {
            previous(root, table, is_parent, relation);
        }
        rewrite_conditions(root, relation);
    }
}

#[cfg(feature = "pg19")]
#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn look_at_relation(
    root: *mut pg_sys::PlannerInfo,
    relation: *mut pg_sys::RelOptInfo,
    entry: *mut pg_sys::RangeTblEntry,
) {
    // SAFETY: PostgreSQL calls the hook with its planner's own; the one before is another library's hook.
    unsafe {
        if let Some(previous) = PREVIOUS_HOOK {
            previous(root, relation, entry);
        }
        rewrite_conditions(root, relation);
    }
}

/// # Safety
/// The root must be the planner's, the relation one of its own that is just being made.
#[allow(unsafe_code)]
unsafe fn rewrite_conditions(root: *mut pg_sys::PlannerInfo, relation: *mut pg_sys::RelOptInfo) {
    // SAFETY: the caller's contract; the lists have members of the types that PostgreSQL gives them.
    unsafe {
        // Without conditions, the planner was asked for the cost of a CLUSTER or of a parallel CREATE INDEX.
        if !REWRITE_TIME.get() || (*(*root).parse).jointree.is_null() {
            return;
        }
        let scope = Scope { root, relation };
        for index in cells::<pg_sys::IndexOptInfo>((*relation).indexlist) {
            scope.rewrite_list(&mut (**index).indpred);
        }
        match (*relation).reloptkind {
            pg_sys::RelOptKind::RELOPT_BASEREL => {
                scope.rewrite_tree((*(*root).parse).jointree.cast());
                sort_by_uuid(&mut *root, |expression| scope.stand_of(expression));
                if let Some(entry) = scope.entry((*relation).relid) {
                    for number in 0..cells::<pg_sys::List>((*entry).securityQuals).len() {
                        let cell = (*(*entry).securityQuals).elements.add(number).cast::<*mut pg_sys::List>();
                        scope.rewrite_list(&mut *cell);
                    }
                }
            }
            pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL => scope.rewrite_parent(),
            _ => {}
        }
    }
}

/// Of more constants, the stretch from the first to the last is looked through.
const FEW: usize = 100;

/// What is rewritten for one relation.
struct Scope {
    root: *mut pg_sys::PlannerInfo,
    relation: *mut pg_sys::RelOptInfo,
}

/// The time that a function reads out of a UUID.
struct TimeCall {
    /// The expression itself.
    time: *mut pg_sys::Node,
    uuid: *mut pg_sys::Node,
    /// A function of the extension, beside which others are found.
    function: pg_sys::Oid,
    /// The domain by which its UUID is version 7 or null.
    domain: Option<pg_sys::Oid>,
}

#[allow(unsafe_code)]
impl Scope {
    unsafe fn entry(&self, number: pg_sys::Index) -> Option<*mut pg_sys::RangeTblEntry> {
        // SAFETY: the array has a member for each of the query's tables.
        unsafe {
            let root = &*self.root;
            let size = u32::try_from(root.simple_rel_array_size).unwrap_or(0);
            (number < size).then(|| *root.simple_rte_array.add(number as usize)).filter(|entry| !entry.is_null())
        }
    }

    /// The UUID of a time, if their orders are the same. That is so of the domain, where null is null of both, and of rows that
    /// have a time. (Where ANALYZE has seen other versions among the rows, reading past these may take longer than sorting.)
    unsafe fn stand_of(&self, expression: *mut pg_sys::Node) -> Option<Stand> {
        // SAFETY: the planner's expression and its query.
        unsafe {
            let call = self.time_call(expression)?;
            let is_never_null = is_never_null((*(*self.root).parse).jointree.cast(), expression);
            let is_same = call.domain.is_some() || is_never_null && !self.has_other_versions(call.uuid);
            is_same.then_some(Stand { uuid: call.uuid, is_never_null })
        }
    }

    /// Whether a column is known to have UUIDs of other versions than 7.
    unsafe fn has_other_versions(&self, uuid: *mut pg_sys::Node) -> bool {
        // SAFETY: a node is read as what its tag says.
        unsafe {
            let column = unrelabelled(uuid);
            is_a(column, pg_sys::NodeTag::T_Var) && {
                let column = &*column.cast::<pg_sys::Var>();
                let entry = pg_sys::Index::try_from(column.varno).ok().and_then(|number| self.entry(number));
                entry.is_some_and(|entry| has_other_versions((*entry).relid, column.varattno, (*entry).inh))
            }
        }
    }

    /// The conditions of WHERE and ON.
    unsafe fn rewrite_tree(&self, node: *mut pg_sys::Node) {
        // SAFETY: a join tree of the planner's, whose conditions are lists by now.
        unsafe {
            if is_a(node, pg_sys::NodeTag::T_FromExpr) {
                let from = &mut *node.cast::<pg_sys::FromExpr>();
                for part in cells::<pg_sys::Node>(from.fromlist) {
                    self.rewrite_tree(*part);
                }
                self.rewrite_quals(&mut from.quals);
            } else if is_a(node, pg_sys::NodeTag::T_JoinExpr) {
                let join = &mut *node.cast::<pg_sys::JoinExpr>();
                self.rewrite_tree(join.larg);
                self.rewrite_tree(join.rarg);
                // A full join is made by equalities alone, and reads all rows of both sides.
                if join.jointype != pg_sys::JoinType::JOIN_FULL {
                    self.rewrite_quals(&mut join.quals);
                }
            }
        }
    }

    unsafe fn rewrite_quals(&self, quals: &mut *mut pg_sys::Node) {
        // SAFETY: as of [`Scope::rewrite_tree`].
        unsafe {
            if is_a(*quals, pg_sys::NodeTag::T_List) {
                let mut list = quals.cast::<pg_sys::List>();
                self.rewrite_list(&mut list);
                *quals = list.cast();
            }
        }
    }

    /// Of a UNION ALL alone, no hook is called before its conditions are handed out. But it is called for the first of its parts
    /// before that part gets a copy of them.
    unsafe fn rewrite_parent(&self) {
        // SAFETY: a part of an inheritance tree or a UNION ALL has an entry that tells its parent, which is there.
        unsafe {
            let (root, relation) = (&*self.root, &*self.relation);
            let link = *root.append_rel_array.add(relation.relid as usize);
            let Some(link) = link.as_ref() else { return };
            let parent = *root.simple_rel_array.add(link.parent_relid as usize);
            let Some(parent) = parent.as_mut().filter(|parent| parent.rtekind == pg_sys::RTEKind::RTE_SUBQUERY) else {
                return;
            };
            let mut written = PgList::<pg_sys::RestrictInfo>::new();
            let mut changed = false;
            for condition in cells::<pg_sys::RestrictInfo>(parent.baserestrictinfo) {
                match self.condition((**condition).clause.cast()) {
                    Some(parts) if parts.iter().all(|part| !is_a(*part, pg_sys::NodeTag::T_Const)) => {
                        changed = true;
                        for part in parts {
                            let part = restriction(self.root, part, &**condition);
                            let is_there = |other: &*mut pg_sys::RestrictInfo| {
                                pg_sys::equal((**other).clause.cast(), (*part).clause.cast())
                            };
                            if !cells(written.as_ptr()).iter().any(is_there) {
                                written.push(part);
                            }
                        }
                    }
                    _ => written.push(*condition),
                }
            }
            if changed {
                parent.baserestrictinfo = written.into_pg();
            }
        }
    }

    /// Rewrites a list of conditions that are combined by AND.
    unsafe fn rewrite_list(&self, conditions: &mut *mut pg_sys::List) {
        // SAFETY: the planner's list of expressions.
        unsafe {
            if let Some(rewritten) = self.conjunction(*conditions) {
                *conditions = list_of(&rewritten);
            }
        }
    }

    /// The list, if something in it changes.
    unsafe fn conjunction(&self, conditions: *mut pg_sys::List) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the planner's list of expressions.
        unsafe {
            let conditions = cells::<pg_sys::Node>(conditions);
            let rewritten: Vec<_> = conditions.iter().map(|condition| self.condition(*condition)).collect();
            if rewritten.iter().all(Option::is_none) {
                return None;
            }
            let mut written: Vec<*mut pg_sys::Node> = Vec::new();
            for (condition, parts) in conditions.iter().zip(rewritten) {
                for part in parts.unwrap_or_else(|| vec![*condition]) {
                    // One test of a time is enough for all conditions on it.
                    let is_test = is_a(part, pg_sys::NodeTag::T_NullTest);
                    if !(is_test && written.iter().any(|other| pg_sys::equal(other.cast_const().cast(), part.cast()))) {
                        written.push(part);
                    }
                }
            }
            Some(written)
        }
    }

    /// What stands for a condition, combined by AND; none if it stays.
    unsafe fn condition(&self, condition: *mut pg_sys::Node) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: a node is read as what its tag says.
        unsafe {
            match (*condition).type_ {
                pg_sys::NodeTag::T_OpExpr => {
                    self.operator(condition.cast()).or_else(|| self.inverted(&*condition.cast()))
                }
                pg_sys::NodeTag::T_ScalarArrayOpExpr => {
                    self.any_element(condition.cast()).or_else(|| self.any_inverted(&*condition.cast()))
                }
                pg_sys::NodeTag::T_RowCompareExpr => self.row(condition.cast()),
                pg_sys::NodeTag::T_BoolExpr => self.combination(&*condition.cast()),
                _ => None,
            }
        }
    }

    /// `uuid_seal(id) = x`, and the same the other way round.
    unsafe fn inverted(&self, expression: &pg_sys::OpExpr) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: an operator's arguments are expressions of the operator's types.
        unsafe {
            let &[left, right] = cells::<pg_sys::Node>(expression.args) else { return None };
            let (call, other) = match self.invertible(left) {
                Some(call) => (call, right),
                None => (self.invertible(right)?, left),
            };
            Some(vec![call.equal(self.root, expression, other)?])
        }
    }

    /// `uuid_seal(id) = ANY (xs)`.
    unsafe fn any_inverted(&self, expression: &pg_sys::ScalarArrayOpExpr) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the arguments are an element and an array, of the operator's types.
        unsafe {
            let &[left, array] = cells::<pg_sys::Node>(expression.args) else { return None };
            if !expression.useOr {
                return None;
            }
            Some(vec![self.invertible(left)?.equal_any(self.root, expression, array)?])
        }
    }

    /// A call of a function with an inverse, where conditions on it shall be rewritten now.
    unsafe fn invertible(&self, expression: *mut pg_sys::Node) -> Option<InvertibleCall> {
        // SAFETY: an expression of the planner's.
        unsafe {
            let call = invertible_call(expression)?;
            let relation = self.relation_of(call.uuid)?;
            let is_volatile = pg_sys::contain_volatile_functions(call.uuid) || pg_sys::contain_subplans(call.uuid);
            let has_own_index = (*self.relation).relid == relation && call.has_own_index(&*self.relation);
            (!is_volatile && !has_own_index).then_some(call)
        }
    }

    unsafe fn combination(&self, expression: &pg_sys::BoolExpr) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the arguments are expressions.
        unsafe {
            match expression.boolop {
                pg_sys::BoolExprType::AND_EXPR => self.conjunction(expression.args),
                pg_sys::BoolExprType::OR_EXPR => {
                    let parts = cells::<pg_sys::Node>(expression.args);
                    let rewritten: Vec<_> = parts.iter().map(|part| self.condition(*part)).collect();
                    if rewritten.iter().all(Option::is_none) {
                        return None;
                    }
                    let parts = parts.iter().zip(rewritten).map(|(part, rewritten)| match rewritten.as_deref() {
                        None => *part,
                        Some([]) => pg_sys::makeBoolConst(true, false),
                        Some([one]) => *one,
                        Some(several) => pg_sys::make_andclause(list_of(several)).cast(),
                    });
                    Some(self.simplified(pg_sys::make_orclause(list_of(&parts.collect::<Vec<_>>())).cast()))
                }
                _ => self.negation(*cells::<pg_sys::Node>(expression.args).first()?),
            }
        }
    }

    /// `NOT uuidv7_time(id) <@ range`: outside of it, and a time all the same.
    unsafe fn negation(&self, negated: *mut pg_sys::Node) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the argument of NOT is an expression.
        unsafe {
            if !is_a(negated, pg_sys::NodeTag::T_OpExpr) {
                return None;
            }
            let (time, range) = self.containment(negated.cast())?;
            let parts = self.written(&time, &[(Predicate::Within, range)], false)?;
            let outside = pg_sys::make_notclause(pg_sys::make_andclause(list_of(&parts)));
            let mut parts = self.simplified(outside.cast());
            parts.push(test_of(&time));
            Some(parts)
        }
    }

    /// The parts of what PostgreSQL makes of a condition.
    unsafe fn simplified(&self, condition: *mut pg_sys::Node) -> Vec<*mut pg_sys::Node> {
        // SAFETY: an expression of the planner's.
        unsafe {
            let simple = pg_sys::eval_const_expressions(self.root, condition);
            cells::<pg_sys::Node>(pg_sys::make_ands_implicit(simple.cast())).to_vec()
        }
    }

    /// `uuidv7_time(id) >= t`, `uuidv7_time(id) <@ range`, and the same the other way round.
    unsafe fn operator(&self, expression: *mut pg_sys::OpExpr) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: an operator's arguments are expressions of the operator's types.
        unsafe {
            if let Some((time, range)) = self.containment(expression) {
                return self.written(&time, &[(Predicate::Within, range)], true);
            }
            let &[left, right] = cells::<pg_sys::Node>((*expression).args) else { return None };
            let operator = (*expression).opno;
            let (time, other, is_first) = match self.time_call(left) {
                Some(time) => (time, right, true),
                None => (self.time_call(right)?, left, false),
            };
            let (comparison, other) = compared(operator, is_first, other, &time)?;
            match comparison {
                Comparison::Side(side) => self.written(&time, &[(Predicate::Is(side), other)], true),
                Comparison::Equal => {
                    if !is_repeatable(other) {
                        return None;
                    }
                    if constant(other).is_some_and(|other| !is_whole_millisecond(other)) {
                        return Some(vec![pg_sys::makeBoolConst(false, false)]);
                    }
                    let sides = [Side::Since, Side::Until].map(|side| (Predicate::Is(side), other));
                    if !pg_sys::contain_var_clause(other) {
                        return self.written(&time, &sides, true);
                    }
                    // Two tables can be joined by it in other ways, too.
                    let mut parts = vec![expression.cast()];
                    parts.extend(self.written(&time, &sides, false)?);
                    Some(parts)
                }
            }
        }
    }

    /// The time and the range of `uuidv7_time(id) <@ range`.
    unsafe fn containment(&self, expression: *mut pg_sys::OpExpr) -> Option<(TimeCall, *mut pg_sys::Node)> {
        // SAFETY: an operator's arguments are expressions of the operator's types.
        unsafe {
            let &[left, right] = cells::<pg_sys::Node>((*expression).args) else { return None };
            let (time, range) = match (*expression).opno.to_u32() {
                pg_sys::OID_RANGE_ELEM_CONTAINED_OP => (left, right),
                pg_sys::OID_RANGE_CONTAINS_ELEM_OP => (right, left),
                _ => return None,
            };
            let range = unrelabelled(range);
            if pg_sys::exprType(range) != pg_sys::TSTZRANGEOID {
                return None;
            }
            Some((self.time_call(time)?, range))
        }
    }

    /// `(uuidv7_time(id), n) > (t, 5)`: the first column cannot be before t.
    unsafe fn row(&self, expression: *mut pg_sys::RowCompareExpr) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the lists have a member for each column.
        unsafe {
            let (&[left, ..], &[right, ..]) =
                (cells::<pg_sys::Node>((*expression).largs), cells::<pg_sys::Node>((*expression).rargs))
            else {
                return None;
            };
            let operator = PgList::<pg_sys::Oid>::from_pg((*expression).opnos).get_oid(0)?;
            let (time, other, is_first) = match self.time_call(left) {
                Some(time) => (time, right, true),
                None => (self.time_call(right)?, left, false),
            };
            let (Comparison::Side(side), other) = compared(operator, is_first, other, &time)? else { return None };
            if !is_repeatable(other) {
                return None;
            }
            let side = match side {
                Side::Before | Side::Until => Side::Until,
                Side::Since | Side::After => Side::Since,
            };
            let mut parts = vec![expression.cast()];
            parts.extend(self.written(&time, &[(Predicate::Is(side), other)], false)?);
            Some(parts)
        }
    }

    /// `uuidv7_time(id) >= ANY (times)` and `uuidv7_time(id) IN (t, u)`.
    unsafe fn any_element(&self, expression: *mut pg_sys::ScalarArrayOpExpr) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the arguments are an element and an array, of the operator's types.
        unsafe {
            let &[left, array] = cells::<pg_sys::Node>((*expression).args) else { return None };
            if !(*expression).useOr {
                return None;
            }
            if pg_sys::exprType(left) == pg_sys::UUIDOID {
                return self.any_element_beside_uuid(expression, left, array);
            }
            let time = self.time_call(left)?;
            let comparison = catalog::comparison_of_times((*expression).opno)?;
            if (comparison.left, comparison.right) != (pg_sys::TIMESTAMPTZOID, pg_sys::TIMESTAMPTZOID) {
                return None;
            }
            let least = || call_of(PlannerFunction::LEAST, time.function, pg_sys::copyObjectImpl(array.cast()).cast());
            let greatest =
                || call_of(PlannerFunction::GREATEST, time.function, pg_sys::copyObjectImpl(array.cast()).cast());
            let bound = |element: *mut pg_sys::Node| pg_sys::eval_const_expressions(self.root, element);
            match Comparison::of_strategy(comparison.strategy)? {
                Comparison::Side(side @ (Side::Before | Side::Until)) => {
                    self.written(&time, &[(Predicate::Is(side), bound(greatest()?))], true)
                }
                Comparison::Side(side @ (Side::Since | Side::After)) => {
                    self.written(&time, &[(Predicate::Is(side), bound(least()?))], true)
                }
                Comparison::Equal => {
                    if let Some(parts) = self.one_of(&time, array) {
                        return Some(parts);
                    }
                    if !is_repeatable(array) {
                        return None;
                    }
                    let sides = [
                        (Predicate::Is(Side::Since), bound(least()?)),
                        (Predicate::Is(Side::Until), bound(greatest()?)),
                    ];
                    let mut parts = vec![expression.cast()];
                    parts.extend(self.written(&time, &sides, false)?);
                    Some(parts)
                }
            }
        }
    }

    /// `id <= ANY (times)`, `id > ANY (times)` and `id <@ ANY (ranges)`, of which PostgreSQL asks no support function.
    unsafe fn any_element_beside_uuid(
        &self,
        expression: *mut pg_sys::ScalarArrayOpExpr,
        uuid: *mut pg_sys::Node,
        array: *mut pg_sys::Node,
    ) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the array is of what the predicate compares a UUID with.
        unsafe {
            let function = pg_sys::get_opcode((*expression).opno);
            let form =
                form_of_function(function).filter(|form| form.order == Order::Octets && form.uuid_argument == 0)?;
            self.relation_of(uuid)?;
            if !is_repeatable(uuid) {
                return None;
            }
            let bound = |element| {
                let bound = call_of(element, function, pg_sys::copyObjectImpl(array.cast()).cast())?;
                Some(pg_sys::eval_const_expressions(self.root, bound))
            };
            match form.predicate {
                Predicate::Is(Side::Until) => {
                    let last = bound(PlannerFunction::GREATEST)?;
                    self.comparisons(function, uuid, &[(Predicate::Is(Side::Until), last)])
                }
                Predicate::Is(Side::After) => {
                    let first = bound(PlannerFunction::LEAST)?;
                    self.comparisons(function, uuid, &[(Predicate::Is(Side::After), first)])
                }
                // The planner's own proofs and index conditions know these.
                Predicate::Is(Side::Before | Side::Since) => None,
                Predicate::Within => {
                    let mut parts = Vec::new();
                    for range in constant_ranges(array).filter(|ranges| ranges.len() <= FEW)? {
                        match self.comparisons(function, uuid, &[(Predicate::Within, range)])?.as_slice() {
                            [one] => parts.push(*one),
                            several => parts.push(pg_sys::make_andclause(list_of(several)).cast()),
                        }
                    }
                    // Of none, false.
                    Some(self.simplified(pg_sys::make_orclause(list_of(&parts)).cast()))
                }
            }
        }
    }

    /// `uuidv7_time(id) IN (t, u)` of a few constants: one or the other.
    unsafe fn one_of(&self, time: &TimeCall, array: *mut pg_sys::Node) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the array is of timestamptz.
        unsafe {
            let mut elements = constant::<Array<'_, i64>>(array)?.iter().flatten().map(Timestamptz).collect::<Vec<_>>();
            elements.sort_unstable_by_key(|element| element.0);
            elements.dedup_by_key(|element| element.0);
            if elements.is_empty() || elements.len() > FEW {
                return None;
            }
            elements.retain(|element| is_whole_millisecond(*element));
            if elements.is_empty() {
                return Some(vec![pg_sys::makeBoolConst(false, false)]);
            }
            let mut parts = Vec::new();
            for element in elements {
                let sides = [Side::Since, Side::Until].map(|side| (Predicate::Is(side), time_constant(element)));
                match self.written(time, &sides, false)?.as_slice() {
                    [one] => parts.push(*one),
                    several => parts.push(pg_sys::make_andclause(list_of(several)).cast()),
                }
            }
            let one_of = if parts.len() == 1 { parts[0] } else { pg_sys::make_orclause(list_of(&parts)).cast() };
            let mut parts = self.simplified(one_of);
            if time.domain.is_none() {
                parts.push(test_of(time));
            }
            Some(parts)
        }
    }

    /// Comparisons of the UUID, with the test that it has a time.
    unsafe fn written(
        &self,
        time: &TimeCall,
        conditions: &[(Predicate, *mut pg_sys::Node)],
        with_test: bool,
    ) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: as of [`Scope::comparisons`].
        let mut parts = unsafe { self.comparisons(time.function, time.uuid, conditions)? };
        // SAFETY: a node is read as what its tag says.
        let is_never = unsafe { parts.iter().any(|part| is_a(*part, pg_sys::NodeTag::T_Const)) };
        if with_test && time.domain.is_none() && !is_never {
            parts.push(test_of(time));
        }
        Some(parts)
    }

    /// The conditions of a UUID, combined by AND, by a function of the extension.
    unsafe fn comparisons(
        &self,
        function: pg_sys::Oid,
        uuid: *mut pg_sys::Node,
        conditions: &[(Predicate, *mut pg_sys::Node)],
    ) -> Option<Vec<*mut pg_sys::Node>> {
        // SAFETY: the conditions' expressions are of the types that the predicates compare with.
        unsafe {
            let mut all = Vec::new();
            for (predicate, other) in conditions {
                all.extend(points(function, *predicate, pg_sys::copyObjectImpl(other.cast()).cast())?);
            }
            let uuid = pg_sys::copyObjectImpl(uuid.cast()).cast();
            let parts = spelled(function, &all, uuid, reader(self.root, function, uuid))?;
            let parts: Vec<_> = parts.iter_ptr().collect();
            // What holds of no UUID. Here null is as good as false.
            let is_never = parts.iter().any(|part| is_a(*part, pg_sys::NodeTag::T_BoolExpr));
            Some(if is_never { vec![pg_sys::makeBoolConst(false, false)] } else { parts })
        }
    }

    /// Reads an expression as the time of a UUID, if conditions on it shall be rewritten now.
    unsafe fn time_call(&self, expression: *mut pg_sys::Node) -> Option<TimeCall> {
        // SAFETY: the planner's expression.
        unsafe {
            let call = self.any_time_call(expression)?;
            let relation = self.relation_of(call.uuid)?;
            if !is_repeatable(call.uuid) || self.has_index_on(relation, expression) {
                return None;
            }
            if let Some(domain) = call.domain {
                pg_sys::record_plan_type_dependency(self.root, domain);
            }
            Some(call)
        }
    }

    /// Reads an expression as the time of a UUID: a call of a function, or the column of a UNION ALL that has such a call in each
    /// part.
    unsafe fn any_time_call(&self, expression: *mut pg_sys::Node) -> Option<TimeCall> {
        // SAFETY: a node is read as what its tag says.
        unsafe {
            if is_a(expression, pg_sys::NodeTag::T_Var) {
                return self.time_column(expression.cast());
            }
            if !is_a(expression, pg_sys::NodeTag::T_FuncExpr) {
                return None;
            }
            let call = &*expression.cast::<pg_sys::FuncExpr>();
            if call.funcresulttype != pg_sys::TIMESTAMPTZOID {
                return None;
            }
            let &[uuid] = cells::<pg_sys::Node>(call.args) else { return None };
            if pg_sys::exprType(uuid) != pg_sys::UUIDOID {
                return None;
            }
            let function = catalog::time_function(call.funcid)?;
            let domain = catalog::version_7_domain(pg_sys::exprType(unrelabelled(uuid)));
            let function = match (function, &domain) {
                (TimeFunction::OfVersion7, _) => call.funcid,
                (TimeFunction::OfSeveral, Some(domain)) => domain.function,
                (TimeFunction::OfSeveral, None) => return None,
            };
            Some(TimeCall { time: expression, uuid, function, domain: domain.map(|domain| domain.oid) })
        }
    }

    /// The column of a UNION ALL, each part of which has a call there, with its UUID in one column of the UNION ALL.
    unsafe fn time_column(&self, column: *mut pg_sys::Var) -> Option<TimeCall> {
        // SAFETY: the planner's Var; a part's columns are expressions, or null for one that was dropped.
        unsafe {
            if (*column).vartype != pg_sys::TIMESTAMPTZOID || (*column).varlevelsup != 0 {
                return None;
            }
            let number = usize::try_from((*column).varattno).ok()?.checked_sub(1)?;
            let parent = pg_sys::Index::try_from((*column).varno).ok()?;
            if (*self.entry(parent)?).rtekind != pg_sys::RTEKind::RTE_SUBQUERY {
                return None;
            }
            let parts = cells::<pg_sys::AppendRelInfo>((*self.root).append_rel_list).iter();
            let parts: Vec<_> = parts.filter(|part| (***part).parent_relid == parent).collect();
            let mut calls = Vec::new();
            for part in &parts {
                let mut time = *cells::<pg_sys::Node>((***part).translated_vars).get(number)?;
                if time.is_null() {
                    return None;
                }
                // PostgreSQL marks what is computed in a part of a UNION ALL.
                if is_a(time, pg_sys::NodeTag::T_PlaceHolderVar) {
                    time = (*time.cast::<pg_sys::PlaceHolderVar>()).phexpr.cast();
                }
                calls.push(self.any_time_call(time)?);
            }
            let first = calls.first()?;
            let types = pg_sys::exprType(unrelabelled(first.uuid));
            let columns = cells::<pg_sys::Node>((***parts.first()?).translated_vars).len();
            let uuid = (0..columns).find(|uuid| {
                parts.iter().zip(&calls).all(|(part, call)| {
                    cells::<pg_sys::Node>((***part).translated_vars).get(*uuid).is_some_and(|column| {
                        !column.is_null()
                            && pg_sys::exprType(unrelabelled(call.uuid)) == types
                            && pg_sys::equal(column.cast_const().cast(), unrelabelled(call.uuid).cast())
                    })
                })
            })?;
            let uuid_column = pg_sys::copyObjectImpl(column.cast()).cast::<pg_sys::Var>();
            (*uuid_column).varattno = i16::try_from(uuid + 1).ok()?;
            (*uuid_column).varattnosyn = (*uuid_column).varattno;
            (*uuid_column).vartype = types;
            (*uuid_column).vartypmod = -1;
            let mut uuid = uuid_column.cast::<pg_sys::Node>();
            if types != pg_sys::UUIDOID {
                let form = pg_sys::CoercionForm::COERCE_IMPLICIT_CAST;
                uuid = pg_sys::makeRelabelType(uuid.cast(), pg_sys::UUIDOID, -1, pg_sys::InvalidOid, form).cast();
            }
            let domain = if calls.iter().all(|call| call.domain.is_some()) { first.domain } else { None };
            Some(TimeCall { time: column.cast(), uuid, function: first.function, domain })
        }
    }

    /// The one relation that an expression reads, if it is the one at hand, or one that no hook is called for.
    unsafe fn relation_of(&self, expression: *mut pg_sys::Node) -> Option<pg_sys::Index> {
        const INTO_PLACEHOLDERS: i32 = pg_sys::PVC_RECURSE_PLACEHOLDERS.cast_signed();
        // SAFETY: an expression without aggregates or window functions gives a list of Var.
        unsafe {
            let columns = PgList::<pg_sys::Var>::from_pg(pg_sys::pull_var_clause(expression, INTO_PLACEHOLDERS));
            let number = pg_sys::Index::try_from((*columns.head()?).varno).ok()?;
            let of_one = columns
                .iter_ptr()
                .all(|column| pg_sys::Index::try_from((*column).varno) == Ok(number) && (*column).varlevelsup == 0);
            let is_table = (*self.entry(number)?).rtekind == pg_sys::RTEKind::RTE_RELATION;
            (of_one && (!is_table || number == (*self.relation).relid)).then_some(number)
        }
    }

    /// Whether the table has an index or partitions by this very expression, which then serve it as they are.
    unsafe fn has_index_on(&self, relation: pg_sys::Index, expression: *mut pg_sys::Node) -> bool {
        // SAFETY: the planner's lists of expressions.
        unsafe {
            let own = &*self.relation;
            if own.relid != relation {
                return false;
            }
            let is_it = |other: &*mut pg_sys::Node| same_call(*other, expression);
            cells::<pg_sys::IndexOptInfo>(own.indexlist)
                .iter()
                .any(|index| cells::<pg_sys::Node>((**index).indexprs).iter().any(is_it))
                || own.part_scheme.as_ref().is_some_and(|scheme| {
                    let keys = usize::try_from(scheme.partnatts).unwrap_or(0);
                    (0..keys).any(|key| cells::<pg_sys::Node>(*own.partexprs.add(key)).iter().any(is_it))
                })
        }
    }
}

/// Whether two calls are of the same function and column, though an outer join may have changed one's.
///
/// # Safety
/// Both must be expressions.
#[allow(unsafe_code)]
unsafe fn same_call(one: *mut pg_sys::Node, other: *mut pg_sys::Node) -> bool {
    // SAFETY: a node is read as what its tag says.
    unsafe {
        if !is_a(one, pg_sys::NodeTag::T_FuncExpr) || !is_a(other, pg_sys::NodeTag::T_FuncExpr) {
            return false;
        }
        let (one, other) = (&*one.cast::<pg_sys::FuncExpr>(), &*other.cast::<pg_sys::FuncExpr>());
        let (&[first], &[second]) = (cells::<pg_sys::Node>(one.args), cells::<pg_sys::Node>(other.args)) else {
            return false;
        };
        let (first, second) = (unrelabelled(first), unrelabelled(second));
        one.funcid == other.funcid
            && if is_a(first, pg_sys::NodeTag::T_Var) && is_a(second, pg_sys::NodeTag::T_Var) {
                let (first, second) = (&*first.cast::<pg_sys::Var>(), &*second.cast::<pg_sys::Var>());
                (first.varno, first.varattno) == (second.varno, second.varattno)
            } else {
                pg_sys::equal(first.cast(), second.cast())
            }
    }
}

/// The ranges of a constant array that are not null, as constants.
///
/// # Safety
/// The node must be an expression, an array of `tstzrange` or of a domain over it.
#[allow(unsafe_code)]
unsafe fn constant_ranges(array: *mut pg_sys::Node) -> Option<Vec<*mut pg_sys::Node>> {
    // SAFETY: the caller's contract. The elements are of variable length, aligned to 8 octets.
    unsafe {
        let array = unrelabelled(array);
        if !is_a(array, pg_sys::NodeTag::T_Const) || (*array.cast::<pg_sys::Const>()).constisnull {
            return None;
        }
        let array = pg_sys::pg_detoast_datum((*array.cast::<pg_sys::Const>()).constvalue.cast_mut_ptr())
            .cast::<pg_sys::ArrayType>();
        let (mut elements, mut nulls, mut count) = (std::ptr::null_mut(), std::ptr::null_mut(), 0);
        let alignment = pg_sys::TYPALIGN_DOUBLE.cast_signed();
        pg_sys::deconstruct_array(
            array,
            (*array).elemtype,
            -1,
            false,
            alignment,
            &mut elements,
            &mut nulls,
            &mut count,
        );
        let count = usize::try_from(count).unwrap_or(0);
        let ranges = (0..count).filter(|number| !*nulls.add(*number)).map(|number| {
            pg_sys::makeConst(pg_sys::TSTZRANGEOID, -1, pg_sys::InvalidOid, -1, *elements.add(number), false, false)
                .cast()
        });
        Some(ranges.collect())
    }
}

/// The test that a UUID has a time.
#[allow(unsafe_code)]
fn test_of(time: &TimeCall) -> *mut pg_sys::Node {
    // SAFETY: the planner's expression, of type timestamptz.
    unsafe { null_test(pg_sys::copyObjectImpl(time.time.cast()).cast(), pg_sys::NullTestType::IS_NOT_NULL) }
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
///
/// # Safety
/// The node must be the operator's other side.
#[allow(unsafe_code)]
unsafe fn compared(
    operator: pg_sys::Oid,
    is_first: bool,
    other: *mut pg_sys::Node,
    time: &TimeCall,
) -> Option<(Comparison, *mut pg_sys::Node)> {
    let found = catalog::comparison_of_times(operator)?;
    let comparison = match Comparison::of_strategy(found.strategy)? {
        Comparison::Side(side) if !is_first => Comparison::Side(side.mirrored()),
        comparison => comparison,
    };
    let (own, others) = if is_first { (found.left, found.right) } else { (found.right, found.left) };
    // SAFETY: the operator's types say what the node is.
    let other = unsafe {
        match others {
            _ if own != pg_sys::TIMESTAMPTZOID => return None,
            pg_sys::TIMESTAMPTZOID => unrelabelled(other),
            pg_sys::DATEOID => call_of(PlannerFunction::TIME_OF_DATE, time.function, other)?,
            pg_sys::TIMESTAMPOID => call_of(PlannerFunction::TIME_OF_TIMESTAMP, time.function, other)?,
            _ => return None,
        }
    };
    Some((comparison, other))
}

/// Whether an expression may be computed twice, at little cost and with one result.
///
/// # Safety
/// The node must be an expression of the planner's.
#[allow(unsafe_code)]
unsafe fn is_repeatable(expression: *mut pg_sys::Node) -> bool {
    // SAFETY: the caller's contract.
    unsafe { !pg_sys::contain_volatile_functions(expression) && !pg_sys::contain_subplans(expression) }
}

/// A condition of a relation in the place of another one.
///
/// # Safety
/// The root must be the planner's, the node an expression over the same relation as the condition.
#[allow(unsafe_code)]
unsafe fn restriction(
    root: *mut pg_sys::PlannerInfo,
    clause: *mut pg_sys::Node,
    before: &pg_sys::RestrictInfo,
) -> *mut pg_sys::RestrictInfo {
    let (clause, none) = (clause.cast(), std::ptr::null_mut());
    // SAFETY: the caller's contract.
    unsafe {
        #[cfg(any(feature = "pg14", feature = "pg15"))]
        return pg_sys::make_restrictinfo(
            root,
            clause,
            before.is_pushed_down,
            before.outerjoin_delayed,
            false,
            before.security_level,
            before.required_relids,
            none,
            none,
        );
        #[cfg(not(any(feature = "pg14", feature = "pg15")))]
        return pg_sys::make_restrictinfo(
            root,
            clause,
            before.is_pushed_down,
            before.has_clone,
            before.is_clone,
            false,
            before.security_level,
            before.required_relids,
            before.incompatible_relids,
            none,
        );
    }
}
