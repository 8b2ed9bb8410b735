//! Determines when clauses on the time inside a UUID are rewritten.
//!
//! PostgreSQL consults no support function about `timestamptz >= timestamptz`, which is its own. But it calls the support
//! function of `uuidv7_time` while it simplifies the clauses, so the library is loaded by then. And before it distributes the
//! clauses to tables and joins, it looks up each table's indexes, and calls a hook for them.
//!
//! By then, the clauses on a UNION ALL have been distributed. The hook is called for its parts, but not for itself.
//!
//! If a statement loads the library late, because PostgreSQL consults no support function about `id <@ ANY (ranges)`, its clauses
//! are not rewritten. With `session_preload_libraries`, this cannot happen.

use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting, pg_sys};

use super::catalog::depend_on_role;
use super::expression::{Expression, list_of, list_of_pointers};
use super::planner::{JoinTree, Planned};
use super::rewriter::{Rewriter, Rewritten};
use super::sort::{add_ordered_paths, restore_partitions};

static ENABLE_TIME_REWRITE: GucSetting<bool> = GucSetting::<bool>::new(true);

#[cfg(not(build_simple_rel_hook))]
static mut PREVIOUS_HOOK: pg_sys::get_relation_info_hook_type = None;
#[cfg(build_simple_rel_hook)]
static mut PREVIOUS_HOOK: pg_sys::build_simple_rel_hook_type = None;

static mut PREVIOUS_UPPER_PATHS_HOOK: pg_sys::create_upper_paths_hook_type = None;
static mut PREVIOUS_PATHS_HOOK: pg_sys::set_rel_pathlist_hook_type = None;

/// Defines the setting, and registers the hooks.
#[allow(unsafe_code)]
pub fn initialize() {
    GucRegistry::define_bool_guc(
        c"uuidrfc.enable_time_rewrite",
        c"Enables conditions on the time inside a UUID to use indexes, partitions and statistics of the UUID.",
        c"If it is off, uuidv7_time(id) is computed for each row. The result is the same.",
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
        rewrite_clauses(rewriter(root, relation));
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
        rewrite_clauses(rewriter(root, relation));
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
        if let Some(rewriter) = rewriter(root, relation) {
            add_ordered_paths(&rewriter);
            rewriter.add_in_list_path();
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
        if stage == pg_sys::UpperRelationKind::UPPERREL_FINAL
            && let Some(root) = Planned::from_ptr(root)
        {
            restore_partitions(root);
        }
    }
}

/// Rewrites clauses, unless that is disabled.
///
/// # Safety
/// The root must be the planner's, the relation one of its own.
#[allow(unsafe_code)]
unsafe fn rewriter<'plan>(
    root: *mut pg_sys::PlannerInfo,
    relation: *mut pg_sys::RelOptInfo,
) -> Option<Rewriter<'plan>> {
    // SAFETY: the caller's.
    let (root, relation) = unsafe { (Planned::from_ptr(root)?, Planned::from_ptr(relation)?) };
    ENABLE_TIME_REWRITE.get().then(|| Rewriter::new(root, relation))
}

fn rewrite_clauses(rewriter: Option<Rewriter<'_>>) {
    let Some(rewriter) = rewriter else { return };
    let (root, relation) = (rewriter.root, rewriter.relation);
    // Without clauses, the planner was asked for the cost of a CLUSTER or of a parallel CREATE INDEX.
    let Some(tree) = root.query().and_then(|query| query.join_tree()) else { return };
    for index in relation.indexes() {
        if let Some(predicate) = rewriter.rewrite_all(index.predicate()) {
            let predicate = list_of(predicate);
            // SAFETY: a list of expressions replaces another.
            #[allow(unsafe_code)]
            unsafe {
                index.change(|index| index.indpred = predicate);
            }
        }
    }
    match relation.reloptkind {
        pg_sys::RelOptKind::RELOPT_BASEREL => {
            rewriter.rewrite_tree(&JoinTree::From(tree));
            if let Some(entry) = root.entry(relation.relid) {
                for (number, clauses) in entry.security_quals().into_iter().enumerate() {
                    if let Some(clauses) = rewriter.rewrite_all(clauses) {
                        entry.set_security_quals(number, list_of(clauses));
                    }
                }
            }
        }
        pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL => rewrite_union_all(&rewriter),
        _ => {}
    }
    depend_on_role(Some(root));
}

/// This function is called for the first part of a UNION ALL, before that part gets a copy of the clauses on the whole.
fn rewrite_union_all(rewriter: &Rewriter<'_>) {
    let root = rewriter.root;
    let parent = root.append_relation(rewriter.relation.relid).and_then(|link| root.relation(link.parent_relid));
    let Some(parent) = parent.filter(|parent| parent.rtekind == pg_sys::RTEKind::RTE_SUBQUERY) else { return };
    let mut all: Vec<Planned<'_, pg_sys::RestrictInfo>> = Vec::new();
    let mut is_changed = false;
    for restriction in parent.restrictions() {
        let Some(clause) = restriction.expression() else { continue };
        let parts = match rewriter.rewrite(clause) {
            Rewritten::Parts(parts) => {
                is_changed = true;
                parts.into_iter().filter_map(|part| restriction_like(root, *restriction, part)).collect()
            }
            _ => vec![*restriction],
        };
        for part in parts {
            // When this is called for the next part, implied clauses are already there.
            let is_it = |other: &Planned<'_, pg_sys::RestrictInfo>| {
                other.expression().zip(part.expression()).is_some_and(|(one, other)| one.equals(other))
            };
            if !all.iter().any(is_it) {
                all.push(part);
            }
        }
    }
    if is_changed {
        let restrictions = list_of_pointers(all.into_iter().map(Planned::as_ptr));
        // SAFETY: a list of restrictions replaces another.
        #[allow(unsafe_code)]
        unsafe {
            parent.change(|parent| parent.baserestrictinfo = restrictions);
        }
    }
}

/// A restriction of a relation that replaces another.
#[allow(unsafe_code)]
pub fn restriction_like<'plan>(
    root: Planned<'plan, pg_sys::PlannerInfo>,
    before: Planned<'plan, pg_sys::RestrictInfo>,
    clause: Expression<'plan>,
) -> Option<Planned<'plan, pg_sys::RestrictInfo>> {
    let (root, clause, none) = (root.as_ptr(), clause.as_ptr().cast(), std::ptr::null_mut());
    // SAFETY: the root and the restriction before are of this query, whose sets of tables may be shared.
    unsafe {
        #[cfg(not(outer_join_clones))]
        let made = pg_sys::make_restrictinfo(
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
        let made = pg_sys::make_restrictinfo(
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
        Planned::from_ptr(made)
    }
}
