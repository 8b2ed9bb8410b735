//! The order of times is the order of UUIDs: ORDER BY the time inside a UUID becomes ORDER BY the UUID, which an index gives.
//!
//! ```text
//! ORDER BY uuidv7_time(id) DESC LIMIT 20                 ORDER BY id DESC LIMIT 20
//! ORDER BY tenant, uuidv7_time(id)                       ORDER BY tenant, id
//! ORDER BY uuidv7_time(id), id, n                        ORDER BY id, n
//! min(uuidv7_time(id))                                   of the first row, ORDER BY id LIMIT 1
//! ```
//!
//! Of two version 7 UUIDs the less has no later time. So what is sorted by UUIDs is sorted by their times, too; rows of one
//! millisecond may come in any order, and then come in the UUIDs' order. That is so if nothing is sorted by after the time, or the
//! UUID itself, and if nobody asks which rows are peers (WITH TIES, DISTINCT, groups, windows).
//!
//! PostgreSQL asks for `min` and `max` as for the first row of an ORDER BY among those that are not null.

use pgrx::{PgList, is_a, pg_sys};

use super::catalog::{comparison_of_times, uuid_operator};
use super::nodes::{Expression, cells, expressions};

/// A UUID by which rows can be sorted instead of by its time.
pub struct Stand<'plan> {
    pub uuid: Expression<'plan>,
    /// No row that is sorted has a null there.
    pub is_never_null: bool,
}

/// Sorts the query's result by UUIDs where it is sorted by their times. `stand_of` finds the UUID of an expression that is a
/// time, if the order of one is that of the other.
///
/// # Safety
/// The root must be the planner's, before it has read the order that the query wants.
#[allow(unsafe_code)]
pub unsafe fn sort_by_uuid<'plan>(
    root: *mut pg_sys::PlannerInfo,
    stand_of: impl Fn(Expression<'plan>) -> Option<Stand<'plan>>,
) {
    // SAFETY: the planner's query, whose clauses have an entry in the list of targets each.
    unsafe {
        let query = (*root).parse;
        if (*query).sortClause.is_null() || asks_for_peers(&*query) {
            return;
        }
        let clauses = cells::<pg_sys::SortGroupClause>((*query).sortClause);
        let expression = |clause: *mut pg_sys::SortGroupClause| {
            let target = pg_sys::get_sortgroupref_tle((*clause).tleSortGroupRef, (*root).processed_tlist);
            Expression::of((*target).expr.cast())
        };
        let found = clauses.iter().enumerate().find_map(|(place, clause)| {
            let stand = stand_of(expression(*clause)?)?;
            let times = comparison_of_times((**clause).sortop)?;
            let of_times = (times.left, times.right) == (pg_sys::TIMESTAMPTZOID, pg_sys::TIMESTAMPTZOID);
            of_times.then(|| (place, stand, uuid_operator(times.strategy)))
        });
        let Some((place, stand, sort_operator)) = found else { return };
        let is_stand = |other: Option<Expression<'_>>| {
            other.is_some_and(|other| other.unrelabelled().equals(stand.uuid.unrelabelled()))
        };
        let mut written = clauses.to_vec();
        match clauses.get(place + 1) {
            None => {
                let Some(target) = target_of(root, stand.uuid) else { return };
                let clause = pg_sys::copyObjectImpl(clauses[place].cast()).cast::<pg_sys::SortGroupClause>();
                (*clause).tleSortGroupRef = target;
                (*clause).sortop = sort_operator;
                (*clause).eqop = uuid_operator(pg_sys::BTEqualStrategyNumber);
                if stand.is_never_null {
                    // As an index has them by default.
                    (*clause).nulls_first = sort_operator == uuid_operator(pg_sys::BTGreaterStrategyNumber);
                }
                written[place] = clause;
            }
            // The order of the UUID that comes next is the order of both.
            Some(next)
                if (**next).sortop == sort_operator
                    && (stand.is_never_null || (**next).nulls_first == (*clauses[place]).nulls_first)
                    && is_stand(expression(*next)) =>
            {
                written.remove(place);
            }
            Some(_) => return,
        }
        let mut list = PgList::new();
        for clause in written {
            list.push(clause);
        }
        (*query).sortClause = list.into_pg();
    }
}

/// Whether it matters which rows have the same time.
fn asks_for_peers(query: &pg_sys::Query) -> bool {
    query.limitOption == pg_sys::LimitOption::LIMIT_OPTION_WITH_TIES
        || query.hasAggs
        || query.hasWindowFuncs
        || !query.groupClause.is_null()
        || !query.groupingSets.is_null()
        || !query.havingQual.is_null()
        || !query.distinctClause.is_null()
        || !query.setOperations.is_null()
}

/// The number by which clauses refer to this expression. It is computed for each row, but is no column of the result unless it
/// is one already. None if no more columns fit.
///
/// # Safety
/// The root must be the planner's, and the expression one over its relations.
#[allow(unsafe_code)]
unsafe fn target_of(root: *mut pg_sys::PlannerInfo, expression: Expression<'_>) -> Option<pg_sys::Index> {
    let expression = expression.unrelabelled();
    // SAFETY: the planner's list of targets, each with an expression.
    unsafe {
        let targets = cells::<pg_sys::TargetEntry>((*root).processed_tlist);
        let is_it = |target: &&*mut pg_sys::TargetEntry| {
            Expression::of((***target).expr.cast()).is_some_and(|target| target.unrelabelled().equals(expression))
        };
        if let Some(target) = targets.iter().find(is_it) {
            return Some(pg_sys::assignSortGroupRef(*target, (*root).processed_tlist));
        }
        let number =
            u32::try_from(targets.len() + 1).ok().filter(|number| *number <= pg_sys::MaxTupleAttributeNumber)?;
        let number = i16::try_from(number).ok()?;
        let expression = expression.copied().as_ptr().cast();
        let target = pg_sys::makeTargetEntry(expression, number, std::ptr::null_mut(), true);
        // In place, since the planner may have the list under two names.
        (*root).processed_tlist = pg_sys::lappend((*root).processed_tlist, target.cast());
        Some(pg_sys::assignSortGroupRef(target, (*root).processed_tlist))
    }
}

/// Whether conditions in WHERE, or on inner joins, are true only of rows where this expression is not null.
///
/// # Safety
/// The node must be a join tree of the planner's, whose conditions are lists.
#[allow(unsafe_code)]
pub unsafe fn is_never_null(tree: *mut pg_sys::Node, expression: Expression<'_>) -> bool {
    // SAFETY: a part of the tree is read as what its tag says.
    unsafe {
        let (parts, conditions): (Vec<*mut pg_sys::Node>, _) = if is_a(tree, pg_sys::NodeTag::T_FromExpr) {
            let from = &*tree.cast::<pg_sys::FromExpr>();
            (cells(from.fromlist).to_vec(), from.quals)
        } else if is_a(tree, pg_sys::NodeTag::T_JoinExpr)
            && (*tree.cast::<pg_sys::JoinExpr>()).jointype == pg_sys::JoinType::JOIN_INNER
        {
            let join = &*tree.cast::<pg_sys::JoinExpr>();
            (vec![join.larg, join.rarg], join.quals)
        } else {
            return false;
        };
        let has_list = is_a(conditions, pg_sys::NodeTag::T_List);
        has_list && expressions(conditions.cast()).iter().any(|condition| is_false_of_null(*condition, expression))
            || parts.iter().any(|part| is_never_null(*part, expression))
    }
}

/// Whether a condition is not true if this expression is null.
#[allow(unsafe_code)]
fn is_false_of_null(condition: Expression<'_>, expression: Expression<'_>) -> bool {
    let is_it = |other: &Expression<'_>| other.equals(expression);
    if let Some((tested, test)) = condition.null_test() {
        test == pg_sys::NullTestType::IS_NOT_NULL && is_it(&tested)
    } else if let Some(call) = condition.operator() {
        // SAFETY: a lookup by OID.
        let is_strict = unsafe { pg_sys::op_strict(call.callee) };
        is_strict && call.arguments.iter().any(is_it)
    } else {
        // Null if the first columns are not comparable.
        condition.first_of_rows().is_some_and(|(_, left, right)| is_it(&left) || is_it(&right))
    }
}
