//! The fraction of rows in a span of keys, from the histogram of ANALYZE.
//!
//! Every bin of the histogram, between two adjacent bounds, has equally many rows. Time-ordered UUIDs as numbers grow evenly with
//! time, and random ones are evenly distributed anyway, so the position of a key between its neighbors is interpolated.
//!
//! If a column mixes version 7 with others, the bin between the last version 7 and the first UUID of another version is not even.
//! Version 7 UUIDs are at its beginning, as close together as in the bin before, and the rest is nearly empty. (The same is true
//! at the other side.) Such a bin is split where, according to an index, version 7 ends and the other versions begin: those may
//! be spread over the rest, like version 4, or be close together, like version 6.

use super::expression::collected;
use crate::error::OrRaise;

/// A span of keys, including both ends. The key of a UUID is its bytes as a number, or its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub first: u128,
    pub last: u128,
}

impl Span {
    pub const ALL: Span = Span { first: u128::MIN, last: u128::MAX };

    pub fn intersection(self, other: Span) -> Span {
        Span { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    pub fn is_empty(self) -> bool {
        self.first > self.last
    }

    /// Whether the span is within one millisecond of version 7, and not empty.
    pub fn is_of_millisecond(self) -> bool {
        !self.is_empty() && self.first >> 80 == self.last >> 80
    }

    pub fn contains(self, key: u128) -> bool {
        self.first <= key && key <= self.last
    }
}

/// Quick answers from an index on the column, if there is one.
pub trait Index {
    /// The greatest key below this one.
    fn last_below(&self, key: u128) -> Option<u128>;
    /// The smallest key above this one.
    fn first_above(&self, key: u128) -> Option<u128>;
}

/// The keys of a second of version 7.
const SECOND: u128 = 1_000 << 80;

/// Keys in ascending order, with equally many rows between adjacent ones.
#[derive(Debug)]
pub struct Histogram {
    bounds: Vec<u128>,
    /// Whether a key is dense, that is, one of those that are close together: a version 7 UUID.
    is_dense: fn(u128) -> bool,
    /// Whether the last bound is a guess.
    is_end_guessed: bool,
}

/// A point of the distribution: the fraction of the rows below this key.
struct Knot {
    key: u128,
    below: f64,
}

impl Histogram {
    /// Made from bounds in ascending order; `None` if they form no bin.
    pub fn new(mut bounds: Vec<u128>, is_dense: fn(u128) -> bool) -> Option<Histogram> {
        bounds.dedup();
        (bounds.len() > 1).then_some(Histogram { bounds, is_dense, is_end_guessed: false })
    }

    /// The same, with a guess as the last bound.
    pub fn with_guessed_end(self) -> Histogram {
        Histogram { is_end_guessed: true, ..self }
    }

    /// The fraction of the rows in the span, and that of dense keys among them. The column has `rows` rows. If the span reaches
    /// the ends of the column, an index provides these, as in core, because there may be rows that are newer than the histogram.
    pub fn share(mut self, span: Span, index: &dyn Index, rows: f64) -> (f64, f64) {
        let bins = self.bounds.len() - 1;
        let reaches = |key: u128, from: u128, to: u128| from <= key && key <= to;
        let (second, before_last) = (self.bounds[1], self.bounds[bins - 1]);
        let at_end = [span.first, span.last].iter().any(|key| reaches(*key, before_last, u128::MAX - 1));
        let at_start = [span.first, span.last].iter().any(|key| reaches(*key, 1, second));
        if at_end {
            self.stretch_end(index);
        }
        if at_start {
            self.stretch_start(index);
        }
        let knots = self.knots(span, index, rows);
        let below_end = span.last.checked_add(1).map_or(1.0, |end| below(&knots, end));
        let all = (below_end - below(&knots, span.first)).max(0.0);
        (all, self.share_of_dense(span, index, rows).min(all))
    }

    /// The fraction of the dense keys in the span, relative to all rows.
    fn share_of_dense(&self, span: Span, index: &dyn Index, rows: f64) -> f64 {
        let share = 1.0 / self.bins();
        let bins = self.bounds.windows(2).enumerate().filter(|(_, pair)| span.first < pair[1] && span.last >= pair[0]);
        let of_bin = |(bin, pair): (usize, &[u128])| {
            let (from, to, dense) = match ((self.is_dense)(pair[0]), (self.is_dense)(pair[1])) {
                (true, true) => (pair[0], pair[1], share),
                (false, false) => return 0.0,
                _ => match self.dense_run(bin, pair[0], index) {
                    Some((from, to)) => (from, to, self.parts(bin, from, to, index, rows).2),
                    None => return 0.0,
                },
            };
            let within = span.last.min(to).saturating_sub(span.first.max(from));
            dense * (within as f64 / (to - from).max(1) as f64)
        };
        bins.map(of_bin).sum()
    }

    /// Uses the greatest key as the last bound. If that key is alone after a dense end, it says nothing about the rows at that
    /// end, so the previous key is used.
    fn stretch_end(&mut self, index: &dyn Index) {
        let Some(last) = self.bounds.last() else { return };
        let greatest = index.last_below(u128::MAX);
        let newest = match greatest {
            Some(key) if (self.is_dense)(*last) && !(self.is_dense)(key) => {
                index.last_below(key).filter(|key| (self.is_dense)(*key))
            }
            other => other,
        };
        if let Some(newest) = newest {
            let least = if self.is_end_guessed { self.bounds[self.bounds.len() - 2] + 1 } else { *last };
            if let Some(last) = self.bounds.last_mut() {
                *last = newest.max(least);
            }
        }
    }

    /// Uses the smallest key as the first bound, in the same way.
    fn stretch_start(&mut self, index: &dyn Index) {
        let Some(first) = self.bounds.first_mut() else { return };
        let least = index.first_above(u128::MIN);
        let oldest = match least {
            Some(key) if (self.is_dense)(*first) && !(self.is_dense)(key) => {
                index.first_above(key).filter(|key| (self.is_dense)(*key))
            }
            other => other,
        };
        if let Some(oldest) = oldest {
            *first = oldest.min(*first);
        }
    }

    /// The distribution. If the span begins or ends in a bin, the bin is split where, according to an index, dense keys begin or
    /// end.
    fn knots(&self, span: Span, index: &dyn Index, rows: f64) -> Vec<Knot> {
        let share = 1.0 / self.bins();
        let mut knots = Vec::new();
        // A bound for each bin, and four more where the span begins and ends.
        knots.try_reserve_exact(self.bounds.len() + 8).or_raise();
        for (bin, pair) in self.bounds.windows(2).enumerate() {
            let (low, high) = (pair[0], pair[1]);
            let before = bin as f64 * share;
            knots.push(Knot { key: low, below: before });
            let asked = [span.first, span.last].into_iter().find(|key| low <= *key && *key < high);
            if let Some(key) = asked
                && let Some((from, to)) = self.dense_run(bin, key, index)
            {
                let (last_before, first_behind, dense) = self.parts(bin, from, to, index, rows);
                let (lower, upper) = (last_before - low, high - first_behind);
                let sparse = |length: u128| (share - dense) * (length as f64 / (lower + upper).max(1) as f64);
                if from > low {
                    knots.push(Knot { key: last_before, below: before + sparse(lower) });
                    knots.push(Knot { key: from, below: before + sparse(lower) });
                }
                if to < high {
                    knots.push(Knot { key: to, below: before + sparse(lower) + dense });
                    knots.push(Knot { key: first_behind, below: before + sparse(lower) + dense });
                }
            }
        }
        if let Some(last) = self.bounds.last() {
            knots.push(Knot { key: *last, below: 1.0 });
        }
        knots
    }

    /// For a bin with a run of dense keys: the last sparse key before the run, the first one after it, and the fraction of all
    /// rows that are dense there. The sparse keys are evenly distributed over their part of the bin.
    fn parts(&self, bin: usize, from: u128, to: u128, index: &dyn Index, rows: f64) -> (u128, u128, f64) {
        let (low, high) = (self.bounds[bin], self.bounds[bin + 1]);
        let last_before = index.last_below(from).filter(|key| from > low && *key >= low).unwrap_or(from);
        let first_behind = index.first_above(to).filter(|key| to < high && *key <= high).unwrap_or(to);
        let sparse = [(low, last_before), (first_behind, high)];
        (last_before, first_behind, self.dense_share(bin, sparse, to - from, index, rows))
    }

    /// The part of a bin with dense keys, unless it is the whole bin or empty: at one of its ends, or around a key between two
    /// sparse ones.
    fn dense_run(&self, bin: usize, key: u128, index: &dyn Index) -> Option<(u128, u128)> {
        let (low, high) = (self.bounds[bin], self.bounds[bin + 1]);
        match ((self.is_dense)(low), (self.is_dense)(high)) {
            (true, true) => None,
            (true, false) => Some((low, self.edge(low, high, index))),
            (false, true) => Some((self.edge(high, low, index), high)),
            (false, false) => {
                let within = |key: &u128| (self.is_dense)(*key) && low < *key && *key < high;
                let start = index.first_above(key).filter(within).or_else(|| index.last_below(key).filter(within))?;
                Some((self.edge(start, low, index), self.edge(start, high, index)))
            }
        }
    }

    /// The fraction of all rows that are dense in a bin, if its dense keys have this length in total, and its sparse keys are in
    /// these parts. The dense keys are as close as in the adjacent dense bin. The sparse keys are as close as in the adjacent
    /// sparse bins, or are counted. Since the last ANALYZE, there may be more of both than one bin holds, in which case they
    /// share it.
    fn dense_share(&self, bin: usize, sparse: [(u128, u128); 2], length: u128, index: &dyn Index, rows: f64) -> f64 {
        let share = 1.0 / self.bins();
        let sparse = match (self.density_beside(bin, true, false), self.density_beside(bin, false, false)) {
            (None, None) if rows > 0.0 => {
                sparse.iter().map(|(from, to)| self.sparse_rows(*from, *to, index)).sum::<f64>() / rows
            }
            (None, None) => 0.0,
            (one, other) => {
                let densities = [one, other].into_iter().flatten();
                let density = densities.clone().sum::<f64>() / densities.count() as f64;
                density * sparse.iter().map(|(from, to)| (to - from) as f64).sum::<f64>()
            }
        };
        match self.density_beside(bin, true, true).or(self.density_beside(bin, false, true)) {
            Some(density) => {
                let dense = (density * length as f64).min(share);
                share * dense / (dense + sparse).max(f64::MIN_POSITIVE)
            }
            None => (share - sparse).max(0.0),
        }
    }

    /// The number of sparse keys from one key to a bound, extrapolated from the distances of the first of them.
    fn sparse_rows(&self, from: u128, bound: u128, index: &dyn Index) -> f64 {
        const LOOKS: usize = 8;
        let keys: Vec<_> = std::iter::successors(index.first_above(from), |key| index.first_above(*key))
            .take_while(|key| *key <= bound)
            .take(LOOKS)
            .collect();
        match keys[..] {
            [first, .., last] if keys.len() == LOOKS => {
                let distance = (last - first) as f64 / (LOOKS - 1) as f64;
                1.0 + (bound - first) as f64 / distance.max(1.0)
            }
            _ => keys.len() as f64,
        }
    }

    /// How far dense keys extend from a dense key towards a limit, according to an index. There may be a sparse key between any
    /// two positions, so the search proceeds in steps that double, and then in halves.
    fn edge(&self, start: u128, limit: u128, index: &dyn Index) -> u128 {
        let length = start.abs_diff(limit);
        // The dense key that is farthest from the start, within this distance.
        let within = |step: u128| {
            let key = if limit > start {
                index.last_below(start.saturating_add(step).min(limit))
            } else {
                index.first_above(start.saturating_sub(step).max(limit))
            };
            // A bound's own row may be gone, so that the result lies beyond the start.
            key.filter(|key| (self.is_dense)(*key) && (start.min(limit)..=start.max(limit)).contains(key))
        };
        if let Some(edge) = within(length) {
            return edge;
        }
        let (mut farthest, mut reached, mut missed) = (start, 0, length);
        for step in (0..SECOND.leading_zeros()).map(|doubled| SECOND << doubled).take_while(|step| *step < length) {
            if let Some(key) = within(step) {
                (farthest, reached, missed) = (key, step, length);
            } else if missed == length {
                missed = step;
            }
        }
        for _ in 0..6 {
            let middle = reached + (missed - reached) / 2;
            match within(middle) {
                Some(key) => (farthest, reached) = (key, middle),
                None => missed = middle,
            }
        }
        farthest
    }

    /// Rows per key, as fractions, in the run of bins below or above this one with only dense bounds, or with only sparse ones.
    /// For dense keys, the nearest bin is used, because they vary from bin to bin; for sparse keys, the whole run.
    fn density_beside(&self, bin: usize, lower_side: bool, dense: bool) -> Option<f64> {
        let is_alike = |key: &&u128| (self.is_dense)(**key) == dense;
        let longest = if dense { 2 } else { usize::MAX };
        let run = if lower_side {
            collected(self.bounds[..=bin].iter().rev().take(longest).take_while(is_alike))
        } else {
            collected(self.bounds[bin + 1..].iter().take(longest).take_while(is_alike))
        };
        match run[..] {
            [first, .., last] => Some((run.len() - 1) as f64 / self.bins() / first.abs_diff(*last) as f64),
            _ => None,
        }
    }

    /// The number of bins.
    pub fn bins(&self) -> f64 {
        (self.bounds.len() - 1) as f64
    }
}

/// The fraction of the rows below this key.
fn below(knots: &[Knot], key: u128) -> f64 {
    let after = knots.partition_point(|knot| knot.key < key);
    match (after.checked_sub(1).and_then(|before| knots.get(before)), knots.get(after)) {
        (None, _) => 0.0,
        (_, None) => 1.0,
        // The key is above `low` and not above `high`, so they differ.
        (Some(low), Some(high)) => {
            let within = (key - low.key) as f64 / (high.key - low.key) as f64;
            low.below + within * (high.below - low.below)
        }
    }
}
