//! When conditions on the time inside a UUID are rewritten.
//!
//! PostgreSQL asks no support function of `timestamptz >= timestamptz`, which is its own. But it has the support function of
//! `uuidv7_time` called while it simplifies the conditions, so the library is loaded by then. And before it hands the conditions out to
//! tables and joins, it asks for each table's indexes, and lets a hook have a look at them.
//!
//! The conditions on a UNION ALL are handed out by then. For its parts the hook is called, but not for itself.
//!
//! A statement that loads the library late, since nothing asks about `id <@ ANY (ranges)` before, is planned without all this. With
//! `session_preload_libraries` there is none.

use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting, PgList, pg_sys};

use super::catalog::depend_on_role;
use super::nodes::{Expression, cells};
use super::sort::{add_ordered_paths, restore_partitions};
use super::time_calls::Scope;

static ENABLE_TIME_REWRITE: GucSetting<bool> = GucSetting::<bool>::new(true);

#[cfg(not(build_simple_rel_hook))]
static mut PREVIOUS_HOOK: pg_sys::get_relation_info_hook_type = None;
#[cfg(build_simple_rel_hook)]
static mut PREVIOUS_HOOK: pg_sys::build_simple_rel_hook_type = None;

static mut PREVIOUS_UPPER_PATHS_HOOK: pg_sys::create_upper_paths_hook_type = None;
static mut PREVIOUS_PATHS_HOOK: pg_sys::set_rel_pathlist_hook_type = None;

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
