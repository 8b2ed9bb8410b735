//! Conditions that PostgreSQL has handed out to a table before anybody could look at them.
//!
//! - The conditions on a UNION ALL: for its parts the hook is called, but not for itself.
//! - The conditions of a statement that loads the library late. Nothing asks about `id <@ ANY (ranges)` before the hook is called, but
//!   PostgreSQL lets the operator's estimator count the rows before it looks for index scans.

use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use pgrx::{PgList, pg_sys};

use super::nodes::{Expression, cells};
use super::time_calls::{Scope, is_on};

/// Whether the hook was called. From then on it is called in time.
static IS_HOOKED: AtomicBool = AtomicBool::new(false);

/// The query whose conditions have got company.
static LOOKED_AT: AtomicPtr<pg_sys::PlannerInfo> = AtomicPtr::new(std::ptr::null_mut());

/// A table of which PostgreSQL estimates a condition that was alone: it does not look for company.
static ALONE: AtomicPtr<pg_sys::RelOptInfo> = AtomicPtr::new(std::ptr::null_mut());

/// The hook is called.
pub fn note_hook() {
    IS_HOOKED.store(true, Ordering::Relaxed);
}

/// An estimator is called for a table. If no hook was, the conditions of the query's tables get company: what follows from each is
/// added to it, as PostgreSQL itself adds what follows from an OR.
///
/// # Safety
/// The root must be the planner's, the table one of its own.
#[allow(unsafe_code)]
pub unsafe fn look_if_missed(root: *mut pg_sys::PlannerInfo, estimated: &pg_sys::RelOptInfo) {
    if !is_missed() || LOOKED_AT.swap(root, Ordering::Relaxed) == root {
        return;
    }
    // SAFETY: the planner's array has a member for each of the query's tables; the first, and those of joins, may be null. A table
    // has a list of its conditions.
    let relations = unsafe {
        let is_alone = cells::<pg_sys::RestrictInfo>(estimated.baserestrictinfo).len() == 1;
        let alone = if is_alone { std::ptr::from_ref(estimated).cast_mut() } else { std::ptr::null_mut() };
        ALONE.store(alone, Ordering::Relaxed);
        let size = usize::try_from((*root).simple_rel_array_size).unwrap_or(0);
        std::slice::from_raw_parts((*root).simple_rel_array, size)
    };
    for relation in relations {
        // SAFETY: a relation of the planner's, or null.
        if unsafe { relation.as_ref() }.is_some_and(|relation| relation.rtekind == pg_sys::RTEKind::RTE_RELATION) {
            Scope { root, relation: *relation }.add_what_follows();
        }
    }
}

fn is_missed() -> bool {
    is_on() && !IS_HOOKED.load(Ordering::Relaxed)
}

/// Whether the conditions of this table stand beside what follows from them, and that is counted instead.
pub fn has_counted_company(relation: &pg_sys::RelOptInfo) -> bool {
    is_missed() && !std::ptr::eq(ALONE.load(Ordering::Relaxed), relation)
}

#[allow(unsafe_code)]
impl Scope {
    /// It is called for the first part of a UNION ALL, before that part gets a copy of the conditions on all.
    pub fn rewrite_union_all(&self) {
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
                match self.parts_of(&**condition) {
                    Some(parts) => {
                        changed = true;
                        for part in parts {
                            if !contains(written.as_ptr(), part) {
                                written.push(part);
                            }
                        }
                    }
                    None => written.push(*condition),
                }
            }
            if changed {
                parent.baserestrictinfo = written.into_pg();
            }
        }
    }

    /// Adds to a table's conditions what they are rewritten to.
    fn add_what_follows(&self) {
        // SAFETY: a relation of the planner's with its list of conditions. New ones come to its end, in place: the planner may be reading
        // it, and has it under other names.
        unsafe {
            let conditions = (*self.relation).baserestrictinfo;
            for condition in cells::<pg_sys::RestrictInfo>(conditions).to_vec() {
                for part in self.parts_of(&*condition).unwrap_or_default() {
                    if !contains(conditions, part) {
                        pg_sys::lappend(conditions, part.cast());
                    }
                }
            }
        }
    }

    /// What a condition is rewritten to, if it is and may be true.
    fn parts_of(&self, condition: &pg_sys::RestrictInfo) -> Option<Vec<*mut pg_sys::RestrictInfo>> {
        // SAFETY: a condition has a clause, which is an expression.
        let clause = unsafe { Expression::of(condition.clause.cast())? };
        let parts = self.condition(clause)?;
        if parts.iter().any(|part| part.is_constant()) {
            return None;
        }
        // SAFETY: the root is the planner's, the condition one of this query.
        Some(parts.into_iter().map(|part| unsafe { restriction(self.root, part, condition) }).collect())
    }
}

/// Whether a list of conditions has this one.
///
/// # Safety
/// The list must be the planner's, of conditions.
#[allow(unsafe_code)]
unsafe fn contains(conditions: *mut pg_sys::List, condition: *mut pg_sys::RestrictInfo) -> bool {
    // SAFETY: conditions have clauses, which are only read.
    unsafe {
        let clause = (*condition).clause.cast();
        cells::<pg_sys::RestrictInfo>(conditions).iter().any(|other| pg_sys::equal((**other).clause.cast(), clause))
    }
}

/// A condition of a relation in the place of another one.
///
/// # Safety
/// The root must be the planner's, and the condition one of this query.
#[allow(unsafe_code)]
unsafe fn restriction(
    root: *mut pg_sys::PlannerInfo,
    clause: Expression<'_>,
    before: &pg_sys::RestrictInfo,
) -> *mut pg_sys::RestrictInfo {
    let (clause, none) = (clause.as_ptr().cast(), std::ptr::null_mut());
    // SAFETY: the root and the condition before are of this query, whose sets of tables may be shared.
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
