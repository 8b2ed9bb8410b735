//! Computes, from ANALYZE's histogram, the fraction of the rows in a span of keys.
//!
//! The bins of the histogram, each between two adjacent bounds, contain equal numbers of rows. As numbers, time-ordered UUIDs grow
//! linearly with time, and random UUIDs are evenly distributed, so fractions of a bin are interpolated linearly.
//!
//! If a column mixes version 7 with other versions, the keys in the bin between the last bound of version 7 and the first bound of
//! another version are not evenly distributed. Version 7 UUIDs are at the beginning of the bin, as close together as in the bin
//! before, and the rest of the bin is nearly empty. (The bin before the first bound of version 7 is the mirror image.) Such a bin
//! is split where, according to an index, version 7 ends and the other versions begin. The other versions may be spread over the
//! rest, like version 4, or be close together, like version 6.

use crate::planner::planned::collected;

/// A span of keys, including both ends. The key of a UUID is its bytes as a big-endian number, or its time.
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

    /// Whether the span is not empty and contains version 7 UUIDs of at most one millisecond.
    pub fn is_of_millisecond(self) -> bool {
        /// The last 80 bits of the smallest version 7 UUID of any millisecond: the version and the variant.
        const SMALLEST: u128 = 0x7000_8000_0000_0000_0000;

        let (from, to) = (self.first.saturating_sub(SMALLEST), self.last.saturating_sub(SMALLEST));
        !self.is_empty() && from >> 80 == to >> 80
    }

    pub fn contains(self, key: u128) -> bool {
        self.first <= key && key <= self.last
    }
}

/// Lookups in an index on the column. Without an index, they return `None`.
pub trait Index {
    /// Returns the greatest key below the given one.
    fn last_below(&self, key: u128) -> Option<u128>;
    /// Returns the smallest key above the given one.
    fn first_above(&self, key: u128) -> Option<u128>;
}

/// The number of keys in a second of version 7.
const SECOND: u128 = 1_000 << 80;

/// Keys in ascending order, with the same number of rows between any two adjacent ones.
#[derive(Debug)]
pub struct Histogram {
    bounds: Vec<u128>,
    /// Whether a key is dense, that is, close to its neighbors: a version 7 UUID, or any time.
    is_dense: fn(u128) -> bool,
    all_dense: bool,
    is_end_guessed: bool,
}

/// A run of evenly distributed keys, from `from` up to but not including `to`, with a fraction of the rows.
#[derive(Clone, Copy)]
struct Run {
    from: u128,
    to: u128,
    fraction: f64,
    is_dense: bool,
}

impl Run {
    /// Returns the fraction of the rows that are both in the run and in a span.
    fn within(&self, span: Span) -> f64 {
        let (from, to) = (span.first.max(self.from), span.last.saturating_add(1).min(self.to));
        match to.saturating_sub(from) {
            0 => 0.0,
            length if length == self.to - self.from => self.fraction,
            length => self.fraction * (length as f64 / (self.to - self.from) as f64),
        }
    }
}

impl Histogram {
    /// Builds a histogram from bounds in ascending order. Returns `None` if they form no bin.
    pub fn new(mut bounds: Vec<u128>, is_dense: fn(u128) -> bool) -> Option<Histogram> {
        bounds.dedup();
        let all_dense = bounds.iter().all(|key| is_dense(*key));
        (bounds.len() > 1).then_some(Histogram { bounds, is_dense, all_dense, is_end_guessed: false })
    }

    /// Returns the distance between the first and the last bound.
    pub fn span(&self) -> u128 {
        self.bounds[self.bounds.len() - 1] - self.bounds[0]
    }

    pub fn with_guessed_end(self) -> Histogram {
        Histogram { is_end_guessed: true, ..self }
    }

    /// Returns the fraction of the rows in a span, and the fraction whose keys are also dense. If the span begins or ends in or
    /// beyond an outermost bin, that end of the column is read from an index, as in core, because rows may be newer than the
    /// histogram.
    pub fn fractions(&self, span: Span, index: &dyn Index) -> (f64, f64) {
        // `clone` would abort if there were no memory.
        let mut extended = Histogram { bounds: collected(self.bounds.iter().copied()), ..*self };
        let bins = extended.bounds.len() - 1;
        let reaches = |from: u128, to: u128| [span.first, span.last].iter().any(|key| (from..=to).contains(key));
        let (second, before_last) = (extended.bounds[1], extended.bounds[bins - 1]);
        let (at_end, at_start) = (reaches(before_last, u128::MAX - 1), reaches(1, second));
        if at_end && let Some(newest) = extended.outermost(extended.bounds[bins], true, index) {
            let least = if extended.is_end_guessed { before_last + 1 } else { extended.bounds[bins] };
            extended.bounds[bins] = newest.max(least);
        }
        if at_start && let Some(oldest) = extended.outermost(extended.bounds[0], false, index) {
            extended.bounds[0] = oldest.min(extended.bounds[0]);
        }
        // The bins with keys in the span are `first..end`. `first` is 0 if the span begins earlier.
        let first = extended.bounds[1..].partition_point(|high| *high <= span.first);
        let end = extended.bounds[..bins].partition_point(|low| *low <= span.last);
        let whole = if extended.all_dense { (first + 1)..end.saturating_sub(1) } else { 0..0 };
        let of_bin = extended.fraction_of_bin();
        let (mut all, mut dense) = (of_bin * whole.len() as f64, of_bin * whole.len() as f64);
        for bin in (first..end).filter(|bin| !whole.contains(bin)) {
            let (low, high) = (extended.bounds[bin], extended.bounds[bin + 1]);
            let is_dense = (extended.is_dense)(low);
            if span.first <= low && high <= span.last && is_dense == (extended.is_dense)(high) {
                all += of_bin;
                dense += if is_dense { of_bin } else { 0.0 };
                continue;
            }
            // The span begins or ends in this bin, or only one of the bin's bounds is dense.
            let key = [span.first, span.last].into_iter().find(|key| low <= *key && *key < high);
            for run in extended.runs(bin, key, index) {
                let within = run.within(span);
                all += within;
                dense += if run.is_dense { within } else { 0.0 };
            }
        }
        (all, dense)
    }

    /// Returns the greatest key of the column if `is_end`, and the smallest otherwise, to replace the last or the first bound. A
    /// sparse key beyond a dense bound does not represent the rows at that end, so the next key is used if it is dense.
    fn outermost(&self, bound: u128, is_end: bool, index: &dyn Index) -> Option<u128> {
        let next_to = |key| if is_end { index.last_below(key) } else { index.first_above(key) };
        let key = next_to(if is_end { u128::MAX } else { u128::MIN })?;
        let is_alone = (self.is_dense)(bound) && !(self.is_dense)(key);
        if is_alone { next_to(key).filter(|key| (self.is_dense)(*key)) } else { Some(key) }
    }

    /// Returns the runs of a bin: the dense keys, and the sparse keys before and after them.
    fn runs(&self, bin: usize, key: Option<u128>, index: &dyn Index) -> [Run; 3] {
        let (low, high, fraction) = (self.bounds[bin], self.bounds[bin + 1], self.fraction_of_bin());
        let Some((from, to)) = self.dense_run(bin, key, index) else {
            let none = Run { from: high, to: high, fraction: 0.0, is_dense: false };
            return [Run { from: low, to: high, fraction, is_dense: (self.is_dense)(low) }, none, none];
        };
        let last_before = index.last_below(from).filter(|key| from > low && *key >= low).unwrap_or(from);
        let first_behind = index.first_above(to).filter(|key| to < high && *key <= high).unwrap_or(to);
        let sparse = [(low, last_before), (first_behind, high)];
        let length = sparse.iter().map(|(from, to)| to - from).sum::<u128>().max(1) as f64;
        let dense = self.dense_fraction(bin, (to - from) as f64, length);
        let [before, behind] = sparse.map(|(from, to)| {
            let fraction = (fraction - dense) * ((to - from) as f64 / length);
            Run { from, to, fraction, is_dense: false }
        });
        [before, Run { from, to: to.saturating_add(1), fraction: dense, is_dense: true }, behind]
    }

    /// Returns the part of a bin with dense keys, or `None` if the bin is treated as entirely dense or sparse. The part is at one
    /// end of the bin or, between two sparse bounds, near the key.
    fn dense_run(&self, bin: usize, key: Option<u128>, index: &dyn Index) -> Option<(u128, u128)> {
        let (low, high) = (self.bounds[bin], self.bounds[bin + 1]);
        match ((self.is_dense)(low), (self.is_dense)(high)) {
            (true, true) => None,
            (true, false) => Some((low, self.edge(low, high, index))),
            (false, true) => Some((self.edge(high, low, index), high)),
            (false, false) => {
                let within = |key: &u128| (self.is_dense)(*key) && low < *key && *key < high;
                let key = key?;
                let start = index.first_above(key).filter(within).or_else(|| index.last_below(key).filter(within))?;
                Some((self.edge(start, low, index), self.edge(start, high, index)))
            }
        }
    }

    /// Returns the fraction of all rows that have a dense key in a bin whose dense keys span the length `dense`, and whose sparse
    /// keys span the length `sparse`. The dense keys are assumed to be as close together as in the adjacent dense bin, and the
    /// sparse keys as in the adjacent sparse bins. If there are both, the bin is divided in proportion to the two estimates,
    /// because their sum may differ from the bin's rows, for example after inserts.
    fn dense_fraction(&self, bin: usize, dense: f64, sparse: f64) -> f64 {
        let of_bin = self.fraction_of_bin();
        let of_dense = self.density_beside(bin, true, true).or(self.density_beside(bin, false, true));
        let of_dense = of_dense.map(|density| (density * dense).min(of_bin));
        let densities = [true, false].into_iter().filter_map(|lower_side| self.density_beside(bin, lower_side, false));
        let of_sparse = densities.clone().sum::<f64>() / densities.count().max(1) as f64 * sparse;
        match of_dense {
            Some(of_dense) if of_sparse > 0.0 => of_bin * of_dense / (of_dense + of_sparse),
            Some(of_dense) => of_dense,
            None => (of_bin - of_sparse).max(0.0),
        }
    }

    /// Returns the key up to which, according to an index, dense keys extend from the dense key `start` toward `limit`. Because
    /// sparse keys may lie between dense ones, the search proceeds in doubling steps, followed by bisection.
    fn edge(&self, start: u128, limit: u128, index: &dyn Index) -> u128 {
        /// Leaves the position uncertain by a 64th of the last doubling step.
        const BISECTIONS: usize = 6;

        let length = start.abs_diff(limit);
        // The key farthest from the start within the distance `step`, if it is dense.
        let within = |step: u128| {
            let key = if limit > start {
                index.last_below(start.saturating_add(step).min(limit))
            } else {
                index.first_above(start.saturating_sub(step).max(limit))
            };
            // If the row of a bound has been deleted, the key found may lie beyond the start.
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
        for _ in 0..BISECTIONS {
            let middle = reached + (missed - reached) / 2;
            match within(middle) {
                Some(key) => (farthest, reached) = (key, middle),
                None => missed = middle,
            }
        }
        farthest
    }

    /// Returns the fraction of the rows per key in the bins adjacent to a bin: those below it if `lower_side` and above it
    /// otherwise, with dense bounds if `dense` and sparse bounds otherwise. Of dense bins, only the nearest is used, because
    /// density varies.
    fn density_beside(&self, bin: usize, lower_side: bool, dense: bool) -> Option<f64> {
        let is_alike = |key: &&u128| (self.is_dense)(**key) == dense;
        let longest = if dense { 2 } else { usize::MAX };
        let run = if lower_side {
            collected(self.bounds[..=bin].iter().rev().take(longest).take_while(is_alike))
        } else {
            collected(self.bounds[bin + 1..].iter().take(longest).take_while(is_alike))
        };
        match run[..] {
            [first, .., last] => Some((run.len() - 1) as f64 * self.fraction_of_bin() / first.abs_diff(*last) as f64),
            _ => None,
        }
    }

    /// Returns the fraction of the rows that each bin contains.
    pub fn fraction_of_bin(&self) -> f64 {
        1.0 / (self.bounds.len() - 1) as f64
    }
}
