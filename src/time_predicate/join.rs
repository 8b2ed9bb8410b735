//! Plans joins on the time inside a UUID, or on a function of it, such as `uuidv7_time(id)::date = other.day`.
//!
//! The clause stays as it is, so hash and merge joins evaluate nothing else. For nested loops, PostgreSQL creates the paths of an
//! index on `id` as if the index were on the function's result. In these paths, the bounds that the clause implies then replace the
//! index condition, and PostgreSQL evaluates the clause itself as a filter:
//!
//! ```text
//! Index Cond: id >= uuid_time_bound('>=', 'date', other.day, ...) AND id < uuid_time_bound('<=', 'date', other.day, ...)
//! Filter: uuidv7_time(id)::date = other.day
//! ```
//!
//! The same is done for `uuidv7_time(id) = other.time`. Because few UUIDs share a millisecond, the times of unique UUIDs are
//! described as distinct, so that PostgreSQL estimates such joins from the number of rows instead of its default of 200
//! distinct times.

use pgrx::pg_sys;

use super::bounds::implied_bounds;
use super::clause::{Clause, Condition, Operand};
use super::parser::Parser;
use super::time_call::TimeCall;
use crate::planner::catalog::{UUID_FAMILY, btree_family};
use crate::planner::expression::{Column, Conjunction};
use crate::planner::planned::{Expression, Planned, collected, list_of, palloc_array};

/// Whether the query may join a relation on a function of a time, or on any other that is not PostgreSQL's own. This check runs for
/// each relation of each statement.
pub fn may_be_joined(parser: &Parser<'_>) -> bool {
    let of_classes = parser.root.classes().iter().map(|class| class.members()).filter(|members| members.len() > 1);
    let joined = of_classes.flatten().filter_map(|member| member.expression());
    let clauses = parser.relation.join_restrictions().iter().filter_map(|restriction| restriction.expression());
    joined.chain(clauses).any(|expression| parser.may_be_rewritten(expression))
}

/// Adds paths for joins of the relation, which must already have PostgreSQL's own paths.
pub fn add_join_paths(parser: &Parser<'_>) {
    let joined = joined_times(parser);
    for (operand, time) in joined.iter().filter(|(operand, time)| *operand == time.time) {
        if let Some(index) = unique_index(parser, time.uuid) {
            parser.relation.add_unique_index(described(index, 0, *operand));
        }
    }
    // A table with children has no index of its own, but from PostgreSQL 16 on, a list of partitioned indexes.
    if parser.root.entry(parser.relation.relid).is_some_and(|entry| entry.inh) {
        return;
    }
    for index in parser.relation.indexes() {
        let columns = index.families().iter().zip(index.column_numbers()).enumerate();
        // Columns of type `uuid` that are not expressions.
        for (at, _) in columns.filter(|(_, (family, column))| **family == UUID_FAMILY && **column > 0) {
            for (operand, _) in joined.iter().filter(|(_, time)| index.is_on(at, time.uuid)) {
                add_paths_of(parser, *index, at, *operand);
            }
        }
    }
}

/// Returns the operands of joins that are a time in the relation, or a function of one, with the time. Ignores functions whose
/// other argument is in the relation, as in `uuidv7_time(id) + duration`, because an index condition cannot read it.
fn joined_times<'plan>(parser: &Parser<'plan>) -> Vec<(Expression<'plan>, TimeCall<'plan>)> {
    let (root, relation) = (parser.root, parser.relation);
    let classes = root.classes().iter().filter(|class| class.members().len() > 1);
    let members = classes.flat_map(|class| root.members_of(*class, relation.relid));
    let clauses = relation.join_restrictions().iter().filter_map(|restriction| restriction.expression()?.operator());
    let operands = members.chain(clauses.flat_map(|call| call.arguments.iter().copied()));
    let is_own = |column: Column| column.table == relation.relid;
    let time_in = |operand| match parser.operand(operand)? {
        Operand::Time(time) => Some(time),
        Operand::Monotonic(call) => Some(call.time).filter(|_| !call.argument.columns().flatten().any(is_own)),
        Operand::Invertible(_) | Operand::Text(_) => None,
    };
    let mut found: Vec<(Expression<'_>, TimeCall<'_>)> = Vec::new();
    for operand in operands {
        if let Some(time) = time_in(operand)
            && !found.iter().any(|(known, _)| known.equals(operand))
        {
            found.push((operand, time));
        }
    }
    found
}

/// Returns a unique index on a UUID, of the relation or of one of its children.
fn unique_index<'plan>(
    parser: &Parser<'plan>,
    uuid: Expression<'plan>,
) -> Option<Planned<'plan, pg_sys::IndexOptInfo>> {
    let (root, relation) = (parser.root, parser.relation);
    let column = uuid.unrelabelled().column()?;
    let of_children = root.children(relation.relid).filter_map(|link| {
        let of_child = link.translated_columns().get(usize::try_from(column.number - 1).ok()?);
        Some((root.relation(link.child_relid)?, (*of_child?)?))
    });
    let mut all = std::iter::once((relation, uuid)).chain(of_children);
    all.find_map(|(relation, uuid)| {
        let is_unique =
            |index: &&Planned<'_, pg_sys::IndexOptInfo>| index.unique && index.nkeycolumns == 1 && index.finds(uuid);
        relation.indexes().iter().find(is_unique).copied()
    })
}

/// Returns a description of an index with the result of a function in place of a column. The column itself is described as an
/// included column, so that an index-only scan remains possible.
fn described<'plan>(
    index: Planned<'plan, pg_sys::IndexOptInfo>,
    at: usize,
    result: Expression<'plan>,
) -> Planned<'plan, pg_sys::IndexOptInfo> {
    let (mut families, mut types) = (index.families().to_vec(), index.key_types().to_vec());
    let (mut collations, type_oid) = (index.collations().to_vec(), result.type_oid());
    (families[at], types[at], collations[at]) = (btree_family(type_oid), type_oid, result.collation());
    let (mut columns, mut returned) = (index.column_numbers().to_vec(), index.returned().to_vec());
    columns.push(columns[at]);
    returned.push(returned[at]);
    (columns[at], returned[at]) = (0, false);
    let before = columns[..at].iter().filter(|column| **column == 0).count();
    let (before, after) = index.expressions().split_at(before);
    Planned::new(pg_sys::IndexOptInfo {
        ncolumns: index.ncolumns + 1,
        indexkeys: palloc_array(columns),
        canreturn: palloc_array(returned),
        opfamily: palloc_array(families),
        opcintype: palloc_array(types),
        indexcollations: palloc_array(collations),
        indexprs: list_of(before.iter().chain([&result]).chain(after).copied()),
        sortopfamily: std::ptr::null_mut(),
        unique: false,
        // A bitmap path would displace the index path, whose cost is overestimated as long as the correlation is unknown.
        amhasgetbitmap: false,
        ..*index
    })
}

/// Adds the paths of an index, described as being on a function of the time, whose conditions on this function can be replaced by
/// bounds on the UUID.
fn add_paths_of<'plan>(
    parser: &Parser<'plan>,
    index: Planned<'plan, pg_sys::IndexOptInfo>,
    at: usize,
    joined: Expression<'plan>,
) {
    for (path, is_partial) in parser.relation.index_paths(parser.root, described(index, at, joined)) {
        let Some(of_index) = path.node().read::<pg_sys::IndexPath>() else { continue };
        // PostgreSQL evaluates a clause without bounds as a filter.
        let is_joined = |clause: &pg_sys::IndexClause| usize::try_from(clause.indexcol) == Ok(at);
        let clauses = collected(of_index.clauses().iter().filter_map(|clause| {
            if is_joined(clause) { bounded_clause(parser, joined, *clause) } else { Some(*clause) }
        }));
        if clauses.iter().any(|clause| is_joined(clause)) {
            of_index.set_clauses(clauses);
            of_index.set_index(parser.root, index, is_partial);
            parser.relation.add_path((path, is_partial));
        }
    }
}

/// Returns an index clause with the bounds on the UUID that the restriction implies, as conditions of the index.
fn bounded_clause<'plan>(
    parser: &Parser<'plan>,
    joined: Expression<'plan>,
    clause: Planned<'plan, pg_sys::IndexClause>,
) -> Option<Planned<'plan, pg_sys::IndexClause>> {
    let restriction = clause.restriction()?;
    // The index condition would repeat a subquery of the filter, whose results may differ.
    let expression = restriction.expression().filter(|clause| clause.is_repeatable())?;
    let call = expression.operator()?;
    // The other side may be a function of a time, too.
    let is_mirrored = !call.arguments.first()?.unrelabelled().equals(joined.unrelabelled());
    let (time, predicates, window) = match parser.parse_comparison(call, is_mirrored)? {
        Clause::OfTime(time, Condition::Comparison(predicate, other)) => (time, vec![(predicate, other)], None),
        Clause::Monotonic(comparison) => {
            let (ends, window) = (comparison.ends()?, comparison.window_length());
            (comparison.call.time, ends, window)
        }
        _ => return None,
    };
    // PostgreSQL assumes 200 distinct results of a function, but the table may have fewer.
    let keys = window.map_or(0, |micros| u128::from(micros.unsigned_abs() / 1000) << 80);
    let least = parser.statistics(time.uuid).and_then(|known| known.fraction_of_span(keys));
    let mut selectivity = parser
        .root
        .clauselist_selectivity([restriction], parser.relation.relid.cast_signed())
        .max(least.unwrap_or(0.0));
    let Conjunction::All(bounds) = implied_bounds(parser.root, &time, &predicates)? else { return None };
    let bounds = bounds.into_iter().filter_map(|bound| {
        let bound = restriction.with_clause(parser.root, bound)?;
        // Together, the bounds select the rows that pass the restriction.
        bound.set_selectivity(parser.relation, std::mem::replace(&mut selectivity, 1.0));
        Some(bound)
    });
    let (rinfo, indexquals) = (restriction.as_ptr(), list_of(bounds));
    Some(Planned::new(pg_sys::IndexClause { rinfo, indexquals, lossy: true, ..*clause }))
}
