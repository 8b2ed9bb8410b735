//! Version 7 UUIDs sort in the order of their times, so an index on the UUID can return rows sorted by `uuidv7_time(id)`.
//!
//! ```text
//! ORDER BY uuidv7_time(id) DESC LIMIT 20                 Index Scan Backward using the primary key
//! ORDER BY uuidv7_time(id) DESC, id DESC                 Index Scan Backward using the primary key
//! ORDER BY tenant, uuidv7_time(id)                       Index Scan using an index on (tenant, id)
//! ORDER BY uuidv7_time(id) DESC, kind                    Incremental Sort, presorted by the time
//! ```
//!
//! PostgreSQL describes the order of a path by pathkeys. After PostgreSQL has created the paths of a table, those of an index on
//! `id` are created again, as if the index were on `uuidv7_time(id)`, so that the new paths have the pathkeys of the times.
//! Everything that uses sorted paths can use these: LIMIT, WITH TIES, window functions, DISTINCT, `min` and `max`, UNION ALL, and
//! partitions.
//!
//! The two orders are the same only if no selected row has a UUID of another version, because the time of such a UUID is null. The
//! column's domain, a CHECK constraint, or a condition on the table must prove that none has. If only a condition proves it, no
//! path is added if ANALYZE has found other versions.

use pgrx::pg_sys;

use super::functions::without_recheck;
use super::parser::Parser;
use super::version_7::tests_version_7;
use crate::planner::catalog::{TIME_FAMILY, UUID_FAMILY, is_not_null, lookup};
use crate::planner::expression::Column;
use crate::planner::planned::{Expression, Planned, list_of, palloc_array};
use crate::planner::structures::is_partitionwise;

/// A pathkey, requested by the query, on the time of a UUID of the relation. The UUIDs are known to sort like their times.
struct TimeKey<'plan> {
    pathkey: Planned<'plan, pg_sys::PathKey>,
    time: Expression<'plan>,
    uuid: Expression<'plan>,
    /// Whether the time is known to be null in no row.
    is_never_null: bool,
}

/// Adds paths over indexes on the UUIDs, or over partitions, that are sorted by time as the query requests. The planner must
/// already have created the relation's paths.
pub fn add_ordered_paths(parser: &Parser<'_>) {
    let pathkeys = parser.root.query_pathkeys().iter();
    let keys: Vec<_> = pathkeys.filter_map(|pathkey| time_key(parser, *pathkey)).collect();
    if keys.is_empty() {
        return;
    }
    for index in parser.relation.indexes() {
        add_index_paths(parser, *index, &keys);
    }
    add_partition_paths(parser, &keys);
}

pub fn may_be_time_key<'plan>(parser: &Parser<'plan>, pathkey: Planned<'plan, pg_sys::PathKey>) -> bool {
    let may_read = |expression: Expression<'plan>| parser.may_be_rewritten(expression.without_placeholder());
    pathkey.pk_opfamily == TIME_FAMILY
        && pathkey
            .class()
            .is_some_and(|class| class.members().iter().filter_map(|member| member.expression()).any(may_read))
}

fn time_key<'plan>(parser: &Parser<'plan>, pathkey: Planned<'plan, pg_sys::PathKey>) -> Option<TimeKey<'plan>> {
    if !may_be_time_key(parser, pathkey) {
        return None;
    }
    let (root, relation) = (parser.root, parser.relation);
    let (time, call) = root.members_of(pathkey.class()?, relation.relid).into_iter().find_map(|time| {
        let call = parser.time_call(time.without_placeholder())?;
        (parser.relation_of(call.uuid) == Some(relation.relid)).then_some((time, call))
    })?;
    let is_time = |other: Expression<'_>| {
        let other = other.without_placeholder();
        other.equals(call.time) || call.is_version_7 && other.equals(call.uuid)
    };
    let clauses = relation.restrictions().iter().filter_map(|restriction| restriction.expression());
    let is_never_null = clauses.into_iter().any(|clause| is_false_of_null(clause, &is_time, call.uuid));
    if !call.is_version_7
        && (!is_never_null || parser.statistics(call.uuid).is_some_and(|known| known.has_other_versions))
    {
        return None;
    }
    let column = call.uuid.unrelabelled().column();
    let is_not_null =
        |column: Column| root.entry(column.table).is_some_and(|entry| is_not_null(&relation, &entry, column.number));
    let is_never_null = is_never_null || column.is_some_and(is_not_null);
    Some(TimeKey { pathkey, time, uuid: call.uuid, is_never_null })
}

fn add_index_paths<'plan>(
    parser: &Parser<'plan>,
    index: Planned<'plan, pg_sys::IndexOptInfo>,
    keys: &[TimeKey<'plan>],
) {
    let Some(by_time) = index_by_time(index, keys) else { return };
    let (root, relation) = (parser.root, parser.relation);
    for (path, is_partial) in relation.index_paths(root, by_time) {
        let of_index = path.node().read::<pg_sys::IndexPath>();
        let Some(of_index) = of_index.filter(|_| !path.pathkeys().is_empty() && path.param_info.is_null()) else {
            continue;
        };
        path.set_pathkeys(pathkeys_with_uuid(parser, path, keys));
        of_index.set_index(root, index, is_partial);
        relation.add_path((path, is_partial));
    }
}

/// Returns a description of the index with times in place of the UUID columns to which `keys` belong, or `None` if the index has no
/// such column.
fn index_by_time<'plan>(
    index: Planned<'plan, pg_sys::IndexOptInfo>,
    keys: &[TimeKey<'plan>],
) -> Option<Planned<'plan, pg_sys::IndexOptInfo>> {
    let by_uuid = index.families().iter().enumerate().filter(|(_, family)| **family == UUID_FAMILY);
    let key_of = |at: usize| keys.iter().find(|key| index.is_on(at, key.uuid));
    let columns: Vec<_> = by_uuid.filter_map(|(at, _)| Some((at, key_of(at)?))).collect();
    if index.sortopfamily.is_null() || columns.is_empty() {
        return None;
    }
    let (mut families, mut types) = (index.sort_families().to_vec(), index.key_types().to_vec());
    let (mut nulls_first, mut targets) = (index.with_nulls_first().to_vec(), index.targets().to_vec());
    for (at, key) in columns {
        targets[at] = Planned::new(pg_sys::TargetEntry { expr: key.time.as_ptr().cast(), ..*targets[at] });
        (families[at], types[at]) = (TIME_FAMILY, pg_sys::TIMESTAMPTZOID);
        if key.is_never_null {
            // Because no time is null, nulls can be described as sorting where the query requests, even in a backward scan.
            let is_forward = index.descending()[at] == is_descending(key.pathkey);
            nulls_first[at] = key.pathkey.pk_nulls_first == is_forward;
        }
    }
    Some(Planned::new(pg_sys::IndexOptInfo {
        sortopfamily: palloc_array(families),
        opcintype: palloc_array(types),
        nulls_first: palloc_array(nulls_first),
        indextlist: list_of(targets),
        ..*index
    }))
}

/// Returns the pathkeys of an index path, up to the first time. If the query sorts by the UUID right after its time, the UUID's
/// pathkey is appended, because rows with the same time are sorted by UUID.
fn pathkeys_with_uuid<'plan>(
    parser: &Parser<'plan>,
    path: Planned<'plan, pg_sys::Path>,
    keys: &[TimeKey<'plan>],
) -> &'plan [Planned<'plan, pg_sys::PathKey>] {
    // Rows with the same time are not sorted by the index columns after the UUID.
    let is_time = |pathkey: &Planned<'plan, pg_sys::PathKey>| keys.iter().any(|key| key.pathkey == *pathkey);
    let end = path.pathkeys().iter().position(is_time).map_or(path.pathkeys().len(), |at| at + 1);
    let (own, wanted) = (&path.pathkeys()[..end], parser.root.query_pathkeys());
    let (Some(last), Some(next)) = (own.last(), wanted.get(own.len())) else { return own };
    let Some(key) = keys.iter().find(|key| key.pathkey == *last && wanted.starts_with(own)) else { return own };
    let members = || next.class().map(|class| parser.root.members_of(class, parser.relation.relid));
    let is_uuid = next.pk_opfamily == UUID_FAMILY
        && is_descending(*next) == is_descending(*last)
        && (key.is_never_null || next.pk_nulls_first == last.pk_nulls_first)
        && members().is_some_and(|members| {
            let uuid = key.uuid.unrelabelled();
            members.iter().any(|member| member.without_placeholder().unrelabelled().equals(uuid))
        });
    if is_uuid { &wanted[..=own.len()] } else { own }
}

fn is_descending(pathkey: Planned<'_, pg_sys::PathKey>) -> bool {
    #[cfg(not(compare_types))]
    return pathkey.pk_strategy.cast_unsigned() == pg_sys::BTGreaterStrategyNumber;
    #[cfg(compare_types)]
    return pathkey.pk_cmptype == pg_sys::CompareType::COMPARE_GT;
}

/// Adds Append paths over partitions by ranges of the UUID, which are also in the order of the times. PostgreSQL creates ordered
/// Append paths again after it has the query's target list, so until then, the relation is described as partitioned by time.
fn add_partition_paths<'plan>(parser: &Parser<'plan>, keys: &[TimeKey<'plan>]) {
    let (root, relation) = (parser.root, parser.relation);
    let Some(scheme) = relation.partition_scheme() else { return };
    let has_order = relation.paths().iter().any(|path| !path.pathkeys.is_null());
    // Partitions that are ordered by a UUID are ordered by its time and then by the UUID.
    let mut key = Vec::new();
    for (at, &family) in scheme.families().iter().enumerate() {
        let Some(&column) = relation.partition_expressions(at).first() else { return };
        let is_it = |key: &&TimeKey<'plan>| column.unrelabelled().equals(key.uuid.unrelabelled());
        if let Some(TimeKey { time, .. }) = keys.iter().find(is_it).filter(|_| family == UUID_FAMILY) {
            key.push((TIME_FAMILY, pg_sys::TIMESTAMPTZOID, pg_sys::InvalidOid, *time));
        }
        key.push((family, scheme.key_types()[at], scheme.collations()[at], column));
    }
    if !has_order || is_partitionwise() || key.len() == scheme.families().len() {
        return;
    }
    relation.describe_partitions(&key);
    for (path, is_partial) in relation.append_paths(root) {
        let is_append = path.node().read::<pg_sys::AppendPath>().is_some();
        if is_append && !is_partial && !path.pathkeys().is_empty() {
            relation.add_path((path, is_partial));
        }
    }
}

/// Restores the partition keys of all relations, because pruning needs them. `min` and `max` are planned apart, as subqueries whose
/// results are in paths of `output`.
pub fn restore_partitions<'plan>(
    root: Planned<'plan, pg_sys::PlannerInfo>,
    output: Planned<'plan, pg_sys::RelOptInfo>,
) {
    let of_extremes = output.paths().iter().filter_map(|path| path.node().read::<pg_sys::MinMaxAggPath>());
    let roots = of_extremes.flat_map(|path| path.aggregates()).filter_map(|aggregate| aggregate.root());
    for root in roots.chain([root]) {
        root.relations().iter().flatten().for_each(|relation| relation.restore_partitions());
    }
}

/// Whether a clause cannot be true if the time of a UUID is null.
fn is_false_of_null(clause: Expression<'_>, is_time: &dyn Fn(Expression<'_>) -> bool, uuid: Expression<'_>) -> bool {
    if let Some((combination, parts)) = clause.combination() {
        let mut parts = parts.iter().map(|part| is_false_of_null(*part, is_time, uuid));
        return match combination {
            pg_sys::BoolExprType::AND_EXPR => parts.any(|is_false| is_false),
            pg_sys::BoolExprType::OR_EXPR => parts.all(|is_false| is_false),
            _ => false,
        };
    }
    let clause = without_recheck(clause);
    if let Some((tested, test)) = clause.null_test() {
        test == pg_sys::NullTestType::IS_NOT_NULL && is_time(tested)
    } else if let Some(call) = clause.operator() {
        lookup::op_strict(call.callee) && call.arguments.iter().any(|argument| is_time(*argument))
            || tests_version_7(clause, uuid)
    } else if let Some(call) = clause.any_element() {
        lookup::op_strict(call.callee) && is_time(call.arguments[0])
    } else {
        // A row comparison is null if the first column of either row is null.
        clause.first_of_rows().is_some_and(|(_, left, right)| is_time(left) || is_time(right))
    }
}
