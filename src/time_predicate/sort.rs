//! The order of version 7 UUIDs is the order of their times: an index on the UUID gives rows in the order of `uuidv7_time(id)`.
//!
//! ```text
//! ORDER BY uuidv7_time(id) DESC LIMIT 20                 Index Scan Backward using the primary key
//! ORDER BY uuidv7_time(id) DESC, id DESC                 the same
//! ORDER BY tenant, uuidv7_time(id)                       Index Scan using an index on (tenant, id)
//! ORDER BY uuidv7_time(id) DESC, kind                    Incremental Sort, presorted by the time
//! ```
//!
//! PostgreSQL describes the order of a path by pathkeys. When it has made the paths of a table, those of an index on `id` are
//! made once more, as if the index were on `uuidv7_time(id)`, which gives them the pathkeys of the times. So whatever can use an
//! order can use this one: LIMIT, WITH TIES, windows, DISTINCT, `min` and `max`, the parts of a UNION ALL, and partitions.
//!
//! It is the same order if no row has a UUID of another version, whose time is null: because of the column's domain, a CHECK
//! constraint, or a condition on the table.

use pgrx::{is_a, pg_sys};

use super::catalog::{is_not_null, timestamptz_family, uuid_family};
use super::nodes::{Combination, Expression, cells, expressions};
use super::time_calls::{Scope, without_recheck};
use super::version_7::is_version_7;

/// A pathkey that the query wants, of the time of a UUID of the relation, whose order is that of the UUIDs.
struct TimeKey<'plan> {
    pathkey: *mut pg_sys::PathKey,
    time: Expression<'plan>,
    uuid: Expression<'plan>,
    /// No row of the relation has a null there.
    is_never_null: bool,
}

/// Adds paths in the order of times that the query wants, by indexes on the UUIDs, or by partitions.
///
/// # Safety
/// The scope's relation must be one for which the planner has just made the paths.
#[allow(unsafe_code)]
pub unsafe fn add_ordered_paths(scope: &Scope) {
    // SAFETY: the lists of the planner's root and relation have members of the types that PostgreSQL gives them.
    unsafe {
        let keys: Vec<_> = cells::<pg_sys::PathKey>(scope.root().query_pathkeys)
            .iter()
            .filter_map(|pathkey| time_key(scope, *pathkey))
            .collect();
        if keys.is_empty() {
            return;
        }
        for index in cells::<pg_sys::IndexOptInfo>(scope.relation().indexlist) {
            add_paths_of_index(scope, *index, &keys);
        }
        if !scope.relation().part_scheme.is_null() {
            add_paths_of_partitions(scope, &keys);
        }
    }
}

/// Reads a pathkey.
///
/// # Safety
/// It must be one of the query's.
#[allow(unsafe_code)]
unsafe fn time_key<'plan>(scope: &Scope, pathkey: *mut pg_sys::PathKey) -> Option<TimeKey<'plan>> {
    // SAFETY: the pathkey has its equivalence class, whose members have expressions.
    unsafe {
        if (*pathkey).pk_opfamily != timestamptz_family() {
            return None;
        }
        let relation = scope.relation();
        let (time, call) = scope.members_of((*pathkey).pk_eclass, relation.relid).into_iter().find_map(|time| {
            let call = scope.time_call(time.without_placeholder())?;
            (scope.relation_of(call.uuid) == Some(relation.relid)).then_some((time, call))
        })?;
        let is_time = |other: Expression<'_>| {
            let other = other.without_placeholder();
            other.equals(call.time) || call.is_version_7() && other.equals(call.uuid)
        };
        let is_never_null = cells::<pg_sys::RestrictInfo>(relation.baserestrictinfo)
            .iter()
            .filter_map(|restriction| Expression::of((**restriction).clause.cast()))
            .any(|clause| is_false_of_null(clause, &is_time, call.uuid));
        if !call.is_version_7() && (!is_never_null || scope.others(call.uuid).versions) {
            return None;
        }
        let is_never_null = is_never_null
            || call.uuid.unrelabelled().column().is_some_and(|column| {
                scope.entry(column.table).is_some_and(|entry| is_not_null(relation, entry, column.number))
            });
        Some(TimeKey { pathkey, time, uuid: call.uuid, is_never_null })
    }
}

/// # Safety
/// The index must be one of the relation's.
#[allow(unsafe_code)]
unsafe fn add_paths_of_index(scope: &Scope, index: *mut pg_sys::IndexOptInfo, keys: &[TimeKey<'_>]) {
    // SAFETY: the index has arrays with a member for each of its key columns, and a list of targets with as many at least. The
    // planner has all paths of a relation in its list, and makes them from its list of indexes.
    unsafe {
        let Some(of_times) = index_on_times(&*index, keys) else { return };
        let (root, relation) = (scope.root_ptr(), scope.relation_ptr());
        let lists = ((*relation).indexlist, (*relation).pathlist, (*relation).partial_pathlist);
        (*relation).indexlist = pg_sys::lappend(std::ptr::null_mut(), of_times.cast());
        (*relation).pathlist = std::ptr::null_mut();
        (*relation).partial_pathlist = std::ptr::null_mut();
        pg_sys::create_index_paths(root, relation);
        let (paths, partial_paths) = ((*relation).pathlist, (*relation).partial_pathlist);
        ((*relation).indexlist, (*relation).pathlist, (*relation).partial_pathlist) = lists;
        for (list, is_partial) in [(paths, false), (partial_paths, true)] {
            for path in cells::<pg_sys::Path>(list) {
                let has_order = !(**path).pathkeys.is_null() && (**path).param_info.is_null();
                if !has_order || !is_a(path.cast(), pg_sys::NodeTag::T_IndexPath) {
                    continue;
                }
                (**path).pathkeys = with_order_of_uuids(scope, (**path).pathkeys, keys);
                let path = path.cast::<pg_sys::IndexPath>();
                (*path).indexinfo = index;
                pg_sys::cost_index(path, root, 1.0, is_partial);
                if is_partial {
                    pg_sys::add_partial_path(relation, path.cast());
                } else {
                    pg_sys::add_path(relation, path.cast());
                }
            }
        }
    }
}

/// An index as if it were on the times of its UUIDs, if it has some. In all else but the description of its order it is the same.
///
/// # Safety
/// The index must be the planner's.
#[allow(unsafe_code)]
unsafe fn index_on_times(index: &pg_sys::IndexOptInfo, keys: &[TimeKey<'_>]) -> Option<*mut pg_sys::IndexOptInfo> {
    // SAFETY: an index has arrays with a member for each of its key columns, and a list of targets with as many at least. The copy
    // has arrays and a list of its own where it differs.
    unsafe {
        if index.sortopfamily.is_null() {
            return None;
        }
        let count = index.nkeycolumns;
        let columns = || {
            (0..count).filter_map(|column| {
                let at = usize::try_from(column).ok()?;
                let is_it = |key: &&TimeKey<'_>| {
                    pg_sys::match_index_to_operand(key.uuid.as_ptr(), column, std::ptr::from_ref(index).cast_mut())
                };
                (*index.opfamily.add(at) == uuid_family())
                    .then(|| keys.iter().find(is_it))
                    .flatten()
                    .map(|key| (at, key))
            })
        };
        columns().next()?;
        let size = usize::try_from(count).unwrap_or(0);
        let of_times = copied(index, 1);
        (*of_times).sortopfamily = copied(index.sortopfamily, size);
        (*of_times).opcintype = copied(index.opcintype, size);
        (*of_times).nulls_first = copied(index.nulls_first, size);
        (*of_times).indextlist = pg_sys::list_copy(index.indextlist);
        for (at, key) in columns() {
            let target = (*(*of_times).indextlist).elements.add(at).cast::<*mut pg_sys::TargetEntry>();
            *target = pg_sys::flatCopyTargetEntry(*target);
            (**target).expr = key.time.as_ptr().cast();
            *(*of_times).sortopfamily.add(at) = timestamptz_family();
            *(*of_times).opcintype.add(at) = pg_sys::TIMESTAMPTZOID;
            if key.is_never_null {
                // As the query wants them.
                let is_forward = *index.reverse_sort.add(at) == is_descending(key.pathkey);
                *(*of_times).nulls_first.add(at) = (*key.pathkey).pk_nulls_first == is_forward;
            }
        }
        Some(of_times)
    }
}

/// # Safety
/// The values must be there.
#[allow(unsafe_code)]
unsafe fn copied<T: Copy>(values: *const T, count: usize) -> *mut T {
    // SAFETY: PostgreSQL's memory, as large as the values, which are there.
    unsafe {
        let copy = pg_sys::palloc(size_of::<T>() * count).cast::<T>();
        std::ptr::copy_nonoverlapping(values, copy, count);
        copy
    }
}

/// The pathkeys of an index, with that of the UUID behind that of its time, where the query wants both: rows of one time are in
/// the order of their UUIDs.
///
/// # Safety
/// The pathkeys must be the planner's.
#[allow(unsafe_code)]
unsafe fn with_order_of_uuids(scope: &Scope, pathkeys: *mut pg_sys::List, keys: &[TimeKey<'_>]) -> *mut pg_sys::List {
    // SAFETY: lists of pathkeys, which have equivalence classes.
    unsafe {
        let own = cells::<pg_sys::PathKey>(pathkeys);
        let wanted = cells::<pg_sys::PathKey>(scope.root().query_pathkeys);
        let (Some(last), Some(next)) = (own.last(), wanted.get(own.len())) else { return pathkeys };
        let Some(key) = keys.iter().find(|key| key.pathkey == *last && wanted.starts_with(own)) else {
            return pathkeys;
        };
        let is_uuid = (**next).pk_opfamily == uuid_family()
            && is_descending(*next) == is_descending(*last)
            && (key.is_never_null || (**next).pk_nulls_first == (**last).pk_nulls_first)
            && scope
                .members_of((**next).pk_eclass, scope.relation().relid)
                .into_iter()
                .any(|member| member.without_placeholder().unrelabelled().equals(key.uuid.unrelabelled()));
        if is_uuid { pg_sys::lappend(pg_sys::list_copy(pathkeys), next.cast()) } else { pathkeys }
    }
}

/// # Safety
/// The pathkey must be the planner's.
#[allow(unsafe_code)]
unsafe fn is_descending(pathkey: *mut pg_sys::PathKey) -> bool {
    // SAFETY: the caller's.
    unsafe {
        #[cfg(not(compare_types))]
        return (*pathkey).pk_strategy.cast_unsigned() == pg_sys::BTGreaterStrategyNumber;
        #[cfg(compare_types)]
        return (*pathkey).pk_cmptype == pg_sys::CompareType::COMPARE_GT;
    }
}

/// Partitions by ranges of the UUID follow each other by time, too. PostgreSQL appends the paths of partitions that it knows to be
/// in order: once here, and again when it has the query's targets. Until then, the partitions are described as by the time.
///
/// # Safety
/// The relation must be the parent of partitions whose paths the planner has made.
#[allow(unsafe_code)]
unsafe fn add_paths_of_partitions(scope: &Scope, keys: &[TimeKey<'_>]) {
    // SAFETY: a relation with a partition scheme has a list of expressions for each of its key columns. The scheme is shared by
    // relations, so this one gets its own.
    unsafe {
        let (root, relation) = (scope.root_ptr(), &mut *scope.relation_ptr());
        let count = usize::try_from((*relation.part_scheme).partnatts).unwrap_or(0);
        let key_of = |at: usize| {
            let column = first_expression(*relation.partexprs.add(at))?;
            keys.iter().find(|key| column.unrelabelled().equals(key.uuid.unrelabelled()))
        };
        let is_by_uuid =
            |at: usize| *(*relation.part_scheme).partopfamily.add(at) == uuid_family() && key_of(at).is_some();
        let has_order = cells::<pg_sys::Path>(relation.pathlist).iter().any(|path| !(**path).pathkeys.is_null());
        // Joins and groups by partitions need the partitions as they are.
        let is_needed = pg_sys::enable_partitionwise_join || pg_sys::enable_partitionwise_aggregate;
        if !has_order || is_needed || !(0..count).any(is_by_uuid) {
            return;
        }
        let scheme = copied(relation.part_scheme, 1);
        (*scheme).partopfamily = copied((*scheme).partopfamily, count);
        (*scheme).partopcintype = copied((*scheme).partopcintype, count);
        let expressions = copied(relation.partexprs, count);
        for at in (0..count).filter(|at| is_by_uuid(*at)) {
            let time = key_of(at).map_or(std::ptr::null_mut(), |key| key.time.as_ptr());
            *(*scheme).partopfamily.add(at) = timestamptz_family();
            *(*scheme).partopcintype.add(at) = pg_sys::TIMESTAMPTZOID;
            *expressions.add(at) = pg_sys::lappend(std::ptr::null_mut(), time.cast());
        }
        (relation.part_scheme, relation.partexprs) = (scheme, expressions);
        let mut live = std::ptr::null_mut();
        for link in cells::<pg_sys::AppendRelInfo>(scope.root().append_rel_list) {
            let child = *scope.root().simple_rel_array.add((**link).child_relid as usize);
            if (**link).parent_relid == relation.relid && !pg_sys::is_dummy_rel(child) {
                live = pg_sys::lappend(live, child.cast());
            }
        }
        let lists = (relation.pathlist, relation.partial_pathlist);
        (relation.pathlist, relation.partial_pathlist) = (std::ptr::null_mut(), std::ptr::null_mut());
        pg_sys::add_paths_to_append_rel(root, relation, live);
        let paths = relation.pathlist;
        (relation.pathlist, relation.partial_pathlist) = lists;
        for path in cells::<pg_sys::Path>(paths) {
            if is_a(path.cast(), pg_sys::NodeTag::T_AppendPath) && !(**path).pathkeys.is_null() {
                pg_sys::add_path(relation, *path);
            }
        }
    }
}

/// Describes partitions as by the UUID again, by which those are left out that a query does not need.
///
/// # Safety
/// The root must be the planner's, which has made the paths of the query.
#[allow(unsafe_code)]
pub unsafe fn restore_partitions(root: &pg_sys::PlannerInfo) {
    // SAFETY: the planner's array of relations, some of which are null. A scheme with the length of a UUID and the type of a time
    // was made above.
    unsafe {
        for number in 0..usize::try_from(root.simple_rel_array_size).unwrap_or(0) {
            let Some(relation) = (*root.simple_rel_array.add(number)).as_ref() else { continue };
            let Some(scheme) = relation.part_scheme.as_ref() else { continue };
            for at in 0..usize::try_from(scheme.partnatts).unwrap_or(0) {
                if *scheme.partopcintype.add(at) == pg_sys::TIMESTAMPTZOID && *scheme.parttyplen.add(at) == 16 {
                    let call = first_expression(*relation.partexprs.add(at)).and_then(Expression::function);
                    let Some(uuid) = call.and_then(|call| call.arguments.first().copied()) else { continue };
                    *scheme.partopfamily.add(at) = uuid_family();
                    *scheme.partopcintype.add(at) = pg_sys::UUIDOID;
                    *relation.partexprs.add(at) =
                        pg_sys::lappend(std::ptr::null_mut(), uuid.unrelabelled().as_ptr().cast());
                }
            }
        }
    }
}

/// # Safety
/// The list must be one of expressions.
#[allow(unsafe_code)]
unsafe fn first_expression<'plan>(list: *mut pg_sys::List) -> Option<Expression<'plan>> {
    // SAFETY: the caller's.
    unsafe { expressions(list) }.first().copied()
}

/// Whether a condition is not true if the time of a UUID is null.
#[allow(unsafe_code)]
fn is_false_of_null(condition: Expression<'_>, is_time: &dyn Fn(Expression<'_>) -> bool, uuid: Expression<'_>) -> bool {
    if let Some((combination, parts)) = condition.combination() {
        let mut parts = parts.iter().map(|part| is_false_of_null(*part, is_time, uuid));
        return match combination {
            Combination::And => parts.any(|is_false| is_false),
            Combination::Or => parts.all(|is_false| is_false),
            Combination::Not => false,
        };
    }
    let condition = without_recheck(condition);
    if let Some((tested, test)) = condition.null_test() {
        test == pg_sys::NullTestType::IS_NOT_NULL && is_time(tested)
    } else if let Some(call) = condition.operator() {
        // SAFETY: a lookup by OID.
        let is_strict = unsafe { pg_sys::op_strict(call.callee) };
        is_strict && call.arguments.iter().any(|argument| is_time(*argument)) || is_version_7(condition, uuid)
    } else {
        // Null if the first columns are not comparable.
        condition.first_of_rows().is_some_and(|(_, left, right)| is_time(left) || is_time(right))
    }
}
