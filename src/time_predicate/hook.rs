//! When conditions on the time inside a UUID are rewritten.
//!
//! PostgreSQL asks no support function of `timestamptz >= timestamptz`, which is its own. But it has the support function of
//! `uuidv7_time` called while it simplifies the conditions, so the library is loaded by then. And before it hands the conditions out to
//! tables and joins, it asks for each table's indexes, and lets a hook have a look at them.
//!
//! Two kinds of conditions are handed out by then:
//!
//! - Those on a UNION ALL: for its parts the hook is called, but not for itself.
//! - Those of a statement that loads the library late. Nothing asks about `id <@ ANY (ranges)` before the hook is called, but PostgreSQL
//!   lets the operator's estimator count the rows before it looks for index scans.

use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting, PgList, PgMemoryContexts, pg_sys};

use super::catalog::depend_on_role;
use super::nodes::{Expression, cells};
use super::rewrite::is_recheck;
use super::sort::{add_ordered_paths, restore_partitions};
use super::time_calls::Scope;

static ENABLE_TIME_REWRITE: GucSetting<bool> = GucSetting::<bool>::new(true);

#[cfg(not(build_simple_rel_hook))]
static mut PREVIOUS_HOOK: pg_sys::get_relation_info_hook_type = None;
#[cfg(build_simple_rel_hook)]
static mut PREVIOUS_HOOK: pg_sys::build_simple_rel_hook_type = None;

static mut PREVIOUS_UPPER_PATHS_HOOK: pg_sys::create_upper_paths_hook_type = None;
static mut PREVIOUS_PATHS_HOOK: pg_sys::set_rel_pathlist_hook_type = None;

/// Whether the hook was called. From then on it is called in time.
static IS_HOOKED: AtomicBool = AtomicBool::new(false);

/// The query whose conditions have what follows beside them. Another query may get the same address, but by then the hook was called.
static LOOKED_AT: AtomicPtr<pg_sys::PlannerInfo> = AtomicPtr::new(std::ptr::null_mut());

/// A table of which PostgreSQL estimates a condition that was alone: it does not look for what follows.
static ALONE: AtomicPtr<pg_sys::RelOptInfo> = AtomicPtr::new(std::ptr::null_mut());

/// Defines the setting, and takes its place among those that look at each table.
#[allow(unsafe_code)]
pub fn initialize() {
    GucRegistry::define_bool_guc(
        c"uuidrfc.enable_time_rewrite",
        c"Lets conditions on the time inside a UUID use indexes, partitions and statistics of the UUID.",
        c"Off, uuidv7_time(id) is computed for each row. The rows that come are the same.",
        &ENABLE_TIME_REWRITE,
        GucContext::Suset,
        GucFlags::from_bits_retain(pg_sys::GUC_ALLOW_IN_PARALLEL.cast_signed()),
    );
    // SAFETY: called once, while the library is loaded, on the only thread.
    unsafe {
        #[cfg(not(build_simple_rel_hook))]
        {
            PREVIOUS_HOOK = pg_sys::get_relation_info_hook;
            pg_sys::get_relation_info_hook = Some(look_at_relation);
        }
        #[cfg(build_simple_rel_hook)]
        {
            PREVIOUS_HOOK = pg_sys::build_simple_rel_hook;
            pg_sys::build_simple_rel_hook = Some(look_at_relation);
        }
        PREVIOUS_UPPER_PATHS_HOOK = pg_sys::create_upper_paths_hook;
        pg_sys::create_upper_paths_hook = Some(look_at_upper_paths);
        PREVIOUS_PATHS_HOOK = pg_sys::set_rel_pathlist_hook;
        pg_sys::set_rel_pathlist_hook = Some(look_at_paths);
    }
}

#[cfg(not(build_simple_rel_hook))]
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

#[cfg(build_simple_rel_hook)]
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

#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn look_at_paths(
    root: *mut pg_sys::PlannerInfo,
    relation: *mut pg_sys::RelOptInfo,
    number: pg_sys::Index,
    entry: *mut pg_sys::RangeTblEntry,
) {
    // SAFETY: PostgreSQL calls the hook with its planner's own, when it has made the relation's paths; the one before is another
    // library's hook.
    unsafe {
        if let Some(previous) = PREVIOUS_PATHS_HOOK {
            previous(root, relation, number, entry);
        }
        if ENABLE_TIME_REWRITE.get() && !(*root).query_pathkeys.is_null() {
            add_ordered_paths(&Scope::new(root, relation));
        }
    }
}

#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn look_at_upper_paths(
    root: *mut pg_sys::PlannerInfo,
    stage: pg_sys::UpperRelationKind::Type,
    input: *mut pg_sys::RelOptInfo,
    output: *mut pg_sys::RelOptInfo,
    extra: *mut std::ffi::c_void,
) {
    // SAFETY: PostgreSQL calls the hook with its planner's own, when it has made the paths of a stage; the one before is another
    // library's hook.
    unsafe {
        if let Some(previous) = PREVIOUS_UPPER_PATHS_HOOK {
            previous(root, stage, input, output, extra);
        }
        if stage == pg_sys::UpperRelationKind::UPPERREL_FINAL && !(*root).query_pathkeys.is_null() {
            restore_partitions(&*root);
        }
    }
}

/// # Safety
/// The root must be the planner's, the relation one of its own that is just being made.
#[allow(unsafe_code)]
unsafe fn rewrite_conditions(root: *mut pg_sys::PlannerInfo, relation: *mut pg_sys::RelOptInfo) {
    // SAFETY: the root and the relation are the planner's, whose lists have members of the types that PostgreSQL gives them.
    unsafe {
        IS_HOOKED.store(true, Ordering::Relaxed);
        // Without conditions, the planner was asked for the cost of a CLUSTER or of a parallel CREATE INDEX.
        if !ENABLE_TIME_REWRITE.get() || (*(*root).parse).jointree.is_null() {
            return;
        }
        let scope = Scope::new(root, relation);
        for index in cells::<pg_sys::IndexOptInfo>((*relation).indexlist) {
            scope.rewrite_list(&mut (**index).indpred);
        }
        match (*relation).reloptkind {
            pg_sys::RelOptKind::RELOPT_BASEREL => {
                scope.rewrite_tree((*(*root).parse).jointree.cast());
                if let Some(entry) = scope.entry((*relation).relid) {
                    for number in 0..cells::<pg_sys::List>(entry.securityQuals).len() {
                        let cell = (*entry.securityQuals).elements.add(number).cast::<*mut pg_sys::List>();
                        scope.rewrite_list(&mut *cell);
                    }
                }
            }
            pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL => scope.rewrite_union_all(),
            _ => {}
        }
        depend_on_role(root);
    }
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
            // SAFETY: what the planner makes for a table lives in this context of the root's.
            let mut lasting = unsafe { PgMemoryContexts::For((*root).planner_cxt) };
            // SAFETY: nothing of another context is made here that must live on.
            unsafe { lasting.switch_to(|_| Scope::new(root, *relation).add_what_follows()) };
        }
    }
    // SAFETY: the root is the planner's.
    unsafe { depend_on_role(root) };
}

fn is_missed() -> bool {
    ENABLE_TIME_REWRITE.get() && !IS_HOOKED.load(Ordering::Relaxed)
}

/// Whether what follows from this condition of a table stands beside it, and is counted instead.
///
/// # Safety
/// The root must be the planner's, the table one of its own.
#[allow(unsafe_code)]
pub unsafe fn has_counted_company(
    root: *mut pg_sys::PlannerInfo,
    relation: &pg_sys::RelOptInfo,
    condition: Expression<'_>,
) -> bool {
    let relation = std::ptr::from_ref(relation).cast_mut();
    is_missed()
        && ALONE.load(Ordering::Relaxed) != relation
        // SAFETY: the caller's root and table; the planner waits for this answer.
        && unsafe { Scope::new(root, relation) }.what_follows(condition).is_some()
}

#[allow(unsafe_code)]
impl Scope {
    /// It is called for the first part of a UNION ALL, before that part gets a copy of the conditions on all.
    pub fn rewrite_union_all(&self) {
        // SAFETY: a part of an inheritance tree or a UNION ALL has an entry that tells its parent, which is there.
        unsafe {
            let (root, relation) = (self.root(), self.relation());
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
                    // What followed from another one stands there already, when this is called for the next part.
                    None if contains(written.as_ptr(), *condition) => {}
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
            let conditions = self.relation().baserestrictinfo;
            for condition in cells::<pg_sys::RestrictInfo>(conditions).to_vec() {
                for part in self.parts_of(&*condition).unwrap_or_default() {
                    // The condition itself stays.
                    let is_same = Expression::of((*part).clause.cast())
                        .and_then(Expression::function)
                        .is_some_and(|call| is_recheck(call.callee));
                    if !is_same && !contains(conditions, part) {
                        pg_sys::lappend(conditions, part.cast());
                    }
                }
            }
        }
    }

    /// What a condition is rewritten to, if it is and may be true.
    fn what_follows<'plan>(&self, condition: Expression<'plan>) -> Option<Vec<Expression<'plan>>> {
        self.condition(condition).filter(|parts| !parts.iter().any(|part| part.is_constant()))
    }

    /// As [`Scope::what_follows`], as conditions of the table.
    fn parts_of(&self, condition: &pg_sys::RestrictInfo) -> Option<Vec<*mut pg_sys::RestrictInfo>> {
        // SAFETY: a condition has a clause, which is an expression.
        let parts = self.what_follows(unsafe { Expression::of(condition.clause.cast())? })?;
        // SAFETY: the root is the planner's, the condition one of this query.
        Some(parts.into_iter().map(|part| unsafe { restriction(self.root_ptr(), part, condition) }).collect())
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
        #[cfg(not(outer_join_clones))]
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
        #[cfg(outer_join_clones)]
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
