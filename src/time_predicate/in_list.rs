//! Plans `uuidv7_time(id) IN (t, u, ...)` as a bitmap scan of the index on the UUID.
//!
//! PostgreSQL would use the same plan for `id >= t AND id < uuid_time_next(t) OR ...`, but would estimate each arm separately,
//! several times. Instead, the clause is kept as a recheck, [`recheck_selectivity`](super::selectivity::recheck_selectivity)
//! estimates its rows, and every arm of the path has the cost of the first one, because each selects one millisecond.

use pgrx::{Array, pg_sys};

use super::bounds::is_whole_millisecond;
use super::clause::{Clause, Condition};
use super::functions::without_recheck;
use super::operators::Predicate;
use super::parser::Parser;
use super::reader::{Reader, reader_of};
use crate::datum::Timestamptz;
use crate::planner::catalog::{PlannerFunction, UUID_FAMILY};
use crate::planner::expression::{call_of, comparison_of, time_constant};
use crate::planner::planned::{Expression, Planned, collected};

/// The number of constants above which one range that spans them all is scanned, instead of one range for each.
pub const MOST_ELEMENTS: usize = 100;

/// The UUID and the times of an `IN` list, and an index on the UUID.
struct InList<'plan> {
    uuid: Expression<'plan>,
    times: Vec<Timestamptz>,
    index: Planned<'plan, pg_sys::IndexOptInfo>,
}

impl<'plan> Parser<'plan> {
    /// Returns a recheck in place of a clause with a list of constants, for [`Parser::add_in_list_path`] to recognize.
    pub fn rechecked_in_list(&self, clause: Expression<'plan>, parsed: &Clause<'plan>) -> Option<Expression<'plan>> {
        self.in_list(parsed)?;
        call_of(PlannerFunction::RECHECK, &[clause])
    }

    fn in_list(&self, parsed: &Clause<'plan>) -> Option<InList<'plan>> {
        let Clause::OfTime(time, Condition::AnyTime(Predicate::Equal, array)) = parsed else { return None };
        let table = self.root.table(self.relation.relid)?;
        let is_plain = self.relation.reloptkind == pg_sys::RelOptKind::RELOPT_BASEREL
            && !table.inh
            && !time.has_micros
            && self.relation_of(time.uuid) == Some(self.relation.relid);
        if !is_plain || reader_of(Some(self.root), time.uuid) != Reader::Families {
            return None;
        }
        let times = milliseconds(*array).filter(|times| (2..=MOST_ELEMENTS).contains(&times.len()))?;
        let serves = |index: &&Planned<'_, pg_sys::IndexOptInfo>| {
            index.families().first() == Some(&UUID_FAMILY) && index.finds(time.uuid)
        };
        let index = self.relation.indexes().iter().filter(serves).min_by_key(|index| index.pages)?;
        Some(InList { uuid: time.uuid, times, index: *index })
    }

    /// Adds a path for the shortest list of times, if there is a list and the relation has no lateral references.
    pub fn add_in_list_path(&self) -> Option<()> {
        if !self.relation.lateral_relids.is_null() {
            return None;
        }
        let lists = self.relation.restrictions().iter().filter_map(|restriction| {
            let clause = restriction.expression()?;
            // Only lists in a recheck are used.
            let list = Some(without_recheck(clause)).filter(|list| *list != clause && list.any_element().is_some())?;
            // As in PostgreSQL's `restriction_is_securely_promotable`: an index may evaluate the clause before those of security
            // barriers.
            let is_promotable =
                restriction.leakproof || restriction.security_level <= self.relation.baserestrict_min_security;
            if is_promotable { Some((*restriction, self.in_list(&self.parse(list)?)?)) } else { None }
        });
        let (restriction, list) = lists.min_by_key(|(_, list)| list.times.len())?;
        let ends = |time: Timestamptz| {
            [(pg_sys::BTGreaterEqualStrategyNumber, time), (pg_sys::BTLessStrategyNumber, time.next())]
        };
        let mut first = Vec::with_capacity(2);
        for (number, (strategy, end)) in ends(*list.times.first()?).into_iter().enumerate() {
            let end = comparison_of(list.uuid, strategy, time_constant(end))?;
            let end = restriction.with_clause(self.root, end)?;
            // Together, the two clauses select one row. PostgreSQL would multiply separate estimates of them.
            let selectivity = if number == 0 { 1.0 / self.relation.tuples.max(1.0) } else { 1.0 };
            end.set_selectivity(self.relation, selectivity);
            first.push(end);
        }
        let arms = list.times.iter().map(|time| {
            pgrx::check_for_interrupts!();
            collected(first.iter().zip(ends(*time)).map(|(first, (_, end))| first.with_time(end)))
        });
        self.relation.add_bitmap_path(self.root, list.index, arms);
        Some(())
    }
}

/// Returns the whole milliseconds in a constant array of times, in ascending order and without duplicates, or `None` if the array
/// is not a constant or contains no times.
pub fn milliseconds(array: Expression<'_>) -> Option<Vec<Timestamptz>> {
    let array = array.value::<Array<'_, i64>>()?;
    let mut times = collected(array.iter().flatten().map(Timestamptz));
    if times.is_empty() {
        return None;
    }
    times.retain(|time| is_whole_millisecond(*time));
    times.sort_unstable_by_key(|time| time.0);
    times.dedup_by_key(|time| time.0);
    Some(times)
}
