//! Registers the planner's hooks, which rewrite clauses on functions of a UUID and the predicates of partial indexes, add paths,
//! and restore partition keys.
//!
//! The operator `timestamptz >= timestamptz` is PostgreSQL's own, and has no support function. However, while PostgreSQL simplifies
//! clauses, it calls the support function of `uuidv7_time`, and so loads the library. Later, before it distributes the clauses to
//! tables and joins, it looks up the indexes of each table, and calls a hook.
//!
//! For the parts of a UNION ALL, the hook is called after the clauses have been distributed. Before PostgreSQL 19, it is not called
//! for the UNION ALL itself.
//!
//! PostgreSQL calls no support function of the extension for `id <@ ANY (ranges)`, `id <= ANY (times)`, `id > ANY (times)`,
//! conditions on `id::text`, or conditions on PostgreSQL's own `uuid_extract_timestamp(id)`, so such clauses are rewritten only if
//! the library has already been loaded, for example by `session_preload_libraries`.

use pgrx::{GucContext, GucRegistry, GucSetting, pg_sys};

use super::join::{add_join_paths, may_be_joined};
use super::parser::Parser;
use super::sort::{add_ordered_paths, may_be_time_key, restore_partitions};
use crate::SETTING_FLAGS;
use crate::planner::catalog;
use crate::planner::planned::{Expression, Planned};
use crate::planner::structures::{depend_on_role, hooks};

static ENABLE_TIME_REWRITE: GucSetting<bool> = GucSetting::<bool>::new(true);

hooks! {
    #[cfg(not(build_simple_rel_hook))]
    get_relation_info_hook(
        root: *mut pg_sys::PlannerInfo, table: pg_sys::Oid, is_parent: bool, relation: *mut pg_sys::RelOptInfo
    ) with (root: pg_sys::PlannerInfo, relation: pg_sys::RelOptInfo) if { may_have_clauses(root, relation) } {
        rewrite_clauses(root, relation);
    }

    #[cfg(build_simple_rel_hook)]
    build_simple_rel_hook(
        root: *mut pg_sys::PlannerInfo, relation: *mut pg_sys::RelOptInfo, entry: *mut pg_sys::RangeTblEntry
    ) with (root: pg_sys::PlannerInfo, relation: pg_sys::RelOptInfo) if { may_have_clauses(root, relation) } {
        rewrite_clauses(root, relation);
    }

    set_rel_pathlist_hook(
        root: *mut pg_sys::PlannerInfo, relation: *mut pg_sys::RelOptInfo, number: pg_sys::Index, entry: *mut pg_sys::RangeTblEntry
    ) with (root: pg_sys::PlannerInfo, relation: pg_sys::RelOptInfo) if {
        let is_call = |clause: Expression<'_>| clause.function().is_some();
        let has_call = || relation.restrictions().iter().filter_map(|one| one.expression()).any(is_call);
        let has_key = || {
            let parser = Parser::new(root, relation);
            root.query_pathkeys().iter().any(|pathkey| may_be_time_key(&parser, *pathkey))
        };
        // The paths that the extension adds do not sample a table.
        let is_sampled = || root.entry(relation.relid).is_some_and(|entry| !entry.tablesample.is_null());
        (has_key() || has_call() || may_be_joined(&Parser::new(root, relation))) && ENABLE_TIME_REWRITE.get() && !is_sampled()
    } {
        if relation.is_empty() {
            return;
        }
        let parser = Parser::new(root, relation);
        add_ordered_paths(&parser);
        parser.add_in_list_path();
        add_join_paths(&parser);
        depend_on_role(Some(root));
    }

    create_upper_paths_hook(
        root: *mut pg_sys::PlannerInfo, stage: pg_sys::UpperRelationKind::Type, input: *mut pg_sys::RelOptInfo,
        output: *mut pg_sys::RelOptInfo, extra: *mut std::ffi::c_void
    ) with (root: pg_sys::PlannerInfo, output: pg_sys::RelOptInfo) if {
        stage == pg_sys::UpperRelationKind::UPPERREL_GROUP_AGG
            && output.paths().iter().any(|path| path.node().read::<pg_sys::MinMaxAggPath>().is_some())
            || stage == pg_sys::UpperRelationKind::UPPERREL_FINAL && !root.query_pathkeys().is_empty()
    } {
        restore_partitions(root, output);
    }
}

pub fn initialize() {
    GucRegistry::define_bool_guc(
        c"uuidrfc.enable_time_rewrite",
        c"Enables conditions on the time, the text or the sealed form of a UUID to use indexes, partitions and statistics of the UUID.",
        c"If it is off, the function is evaluated for each row.",
        &ENABLE_TIME_REWRITE,
        GucContext::Suset,
        SETTING_FLAGS,
    );
    catalog::initialize();
    register_hooks();
}

/// Whether rewriting is enabled, and the relation may have clauses or index predicates that can be rewritten.
fn may_have_clauses(root: Planned<'_, pg_sys::PlannerInfo>, relation: Planned<'_, pg_sys::RelOptInfo>) -> bool {
    // There is no join tree when the planner estimates the cost of a CLUSTER or of a parallel CREATE INDEX.
    let Some(tree) = root.query().and_then(|query| query.join_tree()) else { return false };
    let has_clauses = if relation.reloptkind == pg_sys::RelOptKind::RELOPT_BASEREL {
        let parser = Parser::new(root, relation);
        tree.any_tree_clause(&mut |clause| parser.may_be_rewritten(clause))
            || root.entry(relation.relid).is_some_and(|entry| !entry.securityQuals.is_null())
    } else {
        union_all_of(root, relation).is_some()
    };
    (has_clauses || relation.indexes().iter().any(|index| !index.indpred.is_null())) && ENABLE_TIME_REWRITE.get()
}

/// Rewrites the clauses on a relation and the predicates of its partial indexes.
fn rewrite_clauses(root: Planned<'_, pg_sys::PlannerInfo>, relation: Planned<'_, pg_sys::RelOptInfo>) {
    let parser = Parser::new(root, relation);
    for index in relation.indexes() {
        if let Some(predicate) = parser.rewrite_all(index.predicate()) {
            index.set_predicate(predicate);
        }
    }
    if relation.reloptkind == pg_sys::RelOptKind::RELOPT_BASEREL {
        if let Some(tree) = root.query().and_then(|query| query.join_tree())
            && tree.any_tree_clause(&mut |clause| parser.may_be_rewritten(clause))
        {
            parser.rewrite_tree(tree);
        }
        if let Some(entry) = root.entry(relation.relid) {
            for (number, clauses) in entry.security_quals().into_iter().enumerate() {
                if let Some(clauses) = parser.rewrite_all(clauses) {
                    entry.set_security_quals(number, clauses);
                }
            }
        }
    } else if let Some(whole) = union_all_of(root, relation) {
        rewrite_union_all(&parser, whole);
    }
    depend_on_role(Some(root));
}

fn union_all_of<'plan>(
    root: Planned<'plan, pg_sys::PlannerInfo>,
    relation: Planned<'plan, pg_sys::RelOptInfo>,
) -> Option<Planned<'plan, pg_sys::RelOptInfo>> {
    if relation.reloptkind != pg_sys::RelOptKind::RELOPT_OTHER_MEMBER_REL {
        return None;
    }
    let whole = root.relation(root.append_relation(relation.relid)?.parent_relid)?;
    (whole.rtekind == pg_sys::RTEKind::RTE_SUBQUERY).then_some(whole)
}

/// Rewrites the clauses on a UNION ALL before its first part gets a copy of the clauses.
fn rewrite_union_all<'plan>(parser: &Parser<'plan>, whole: Planned<'plan, pg_sys::RelOptInfo>) {
    let root = parser.root;
    let mut all: Vec<Planned<'_, pg_sys::RestrictInfo>> = Vec::new();
    let mut is_changed = false;
    for restriction in whole.restrictions() {
        let Some(clause) = restriction.expression() else { continue };
        let parts = match parser.rewrite(clause) {
            None => vec![*restriction],
            Some(rewritten) => {
                is_changed = true;
                let parts = rewritten.into_clauses();
                parts.into_iter().filter_map(|part| restriction.with_clause(root, part)).collect()
            }
        };
        for part in parts {
            // When this function is called again for the next part, the implied clauses already exist.
            let is_it = |other: &Planned<'_, pg_sys::RestrictInfo>| {
                other.expression().zip(part.expression()).is_some_and(|(one, other)| one.equals(other))
            };
            if !all.iter().any(is_it) {
                all.push(part);
            }
        }
    }
    if is_changed {
        whole.set_restrictions(all);
    }
}
