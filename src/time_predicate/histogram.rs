//! The share of rows in a span of keys, from the histogram that ANALYZE keeps.
//!
//! Between two neighbouring bounds of the histogram, in a bin, lie equally many rows. A time-ordered UUID read as a number grows
//! evenly with its time, and a random one is even anyway, so a key is placed between its neighbours in proportion.
//!
//! Where a column mixes version 7 with others, the bin between the last version 7 and the first UUID of another version
//! is not even: version 7 UUIDs lie at its beginning, as close together as in the bin before, and the rest of it is nearly
//! empty. (And so at the other side.) Such a bin is cut in two where an index says that version 7 ends.

/// Keys from one to another, both included. A UUID's key is its octets as a number, or its time.
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

    pub fn contains(self, key: u128) -> bool {
        self.first <= key && key <= self.last
    }
}

/// What an index on the column can tell at once, if there is one.
pub trait Index {
    /// The greatest key below this one.
    fn last_below(&self, key: u128) -> Option<u128>;
    /// The least key above this one.
    fn first_above(&self, key: u128) -> Option<u128>;
}

/// The keys of a second of version 7.
const SECOND: u128 = 1_000 << 80;

/// Keys in ascending order between which lie equally many rows.
#[derive(Debug)]
pub struct Histogram {
    bounds: Vec<u128>,
    /// Whether a key is one of those that lie close together: of a version 7 UUID.
    is_dense: fn(u128) -> bool,
}

/// A place of the distribution: so many bins of rows are below this key.
struct Knot {
    key: u128,
    below: f64,
}

impl Histogram {
    /// Of bounds in ascending order; `None` if they make no bin.
    pub fn new(mut bounds: Vec<u128>, is_dense: fn(u128) -> bool) -> Option<Histogram> {
        bounds.dedup();
        (bounds.len() > 1).then_some(Histogram { bounds, is_dense })
    }

    /// The share of the rows in the span. An index is asked for the ends of the column if the span reaches there, as core does:
    /// there may be rows that are newer than the histogram.
    pub fn share(mut self, span: Span, index: &dyn Index) -> f64 {
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
        let knots = self.knots(span, index);
        let below_end = span.last.checked_add(1).map_or(1.0, |end| below(&knots, end));
        (below_end - below(&knots, span.first)).max(0.0)
    }

    /// Takes the greatest key there is as the last bound. One that is alone behind a dense end says nothing of the rows at that
    /// end; there the one before it counts.
    fn stretch_end(&mut self, index: &dyn Index) {
        let Some(last) = self.bounds.last_mut() else { return };
        let greatest = index.last_below(u128::MAX);
        let newest = match greatest {
            Some(key) if (self.is_dense)(*last) && !(self.is_dense)(key) => {
                index.last_below(key).filter(|key| (self.is_dense)(*key))
            }
            other => other,
        };
        if let Some(newest) = newest {
            *last = newest.max(*last);
        }
    }

    /// Takes the least key there is as the first bound, likewise.
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

    /// The distribution, with the bins at the edges of a dense run cut in two, where the span begins or ends in them.
    #[allow(clippy::cast_precision_loss)]
    fn knots(&self, span: Span, index: &dyn Index) -> Vec<Knot> {
        let share = 1.0 / self.bins();
        let mut knots = Vec::with_capacity(self.bounds.len() + 2);
        for (bin, pair) in self.bounds.windows(2).enumerate() {
            let (low, high) = (pair[0], pair[1]);
            let before = bin as f64 * share;
            knots.push(Knot { key: low, below: before });
            let is_asked = [span.first, span.last].iter().any(|key| low <= *key && *key < high);
            let is_dense = ((self.is_dense)(low), (self.is_dense)(high));
            if is_asked && is_dense.0 != is_dense.1 {
                let edge = self.edge(bin, is_dense.0, index);
                let dense = self.dense_share(bin, is_dense.0, edge);
                // The sparse keys are even in all of the bin.
                let sparse = (share - dense) * ((edge - low) as f64 / (high - low) as f64);
                let below = before + sparse + if is_dense.0 { dense } else { 0.0 };
                knots.push(Knot { key: edge, below });
            }
        }
        if let Some(last) = self.bounds.last() {
            knots.push(Knot { key: *last, below: 1.0 });
        }
        knots
    }

    /// The share of all rows that lie dense in a mixed bin, of which the dense part goes to this key: they lie as close as in the dense
    /// bin beside, or are those that are too many for the sparse bins beside.
    #[allow(clippy::cast_precision_loss)]
    fn dense_share(&self, bin: usize, dense_low: bool, edge: u128) -> f64 {
        let share = 1.0 / self.bins();
        let (low, high) = (self.bounds[bin], self.bounds[bin + 1]);
        let length = if dense_low { edge - low } else { high - edge };
        match self.density_beside(bin, dense_low, true) {
            Some(density) => (density * length as f64).min(share),
            None => {
                let sparse = self.density_beside(bin, !dense_low, false).unwrap_or(0.0);
                (share - sparse * (high - low) as f64).max(0.0)
            }
        }
    }

    /// Where the dense part of a mixed bin ends, or begins, as far as an index tells. There may be a sparse key between any two
    /// places, so it is approached by steps that double, and then by halves.
    fn edge(&self, bin: usize, dense_low: bool, index: &dyn Index) -> u128 {
        let (low, high) = (self.bounds[bin], self.bounds[bin + 1]);
        let start = if dense_low { low } else { high };
        // The dense key that is farthest from the start, but not farther than so many keys.
        let within = |step: u128| {
            let key = if dense_low {
                index.last_below(low.saturating_add(step).min(high))
            } else {
                index.first_above(high.saturating_sub(step).max(low))
            };
            key.filter(|key| (self.is_dense)(*key) && low <= *key && *key <= high)
        };
        if let Some(edge) = within(u128::MAX) {
            return edge;
        }
        let mut farthest = start;
        let (mut reached, mut missed) = (0, high - low);
        for step in (0..SECOND.leading_zeros()).map(|doubled| SECOND << doubled).take_while(|step| *step < high - low) {
            if let Some(key) = within(step) {
                (farthest, reached, missed) = (key, step, high - low);
            } else if missed == high - low {
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

    /// Rows per key, as shares, in the run of bins at the lower or the upper side of this one whose bounds are all dense, or all are
    /// not: of dense ones in the nearest bin, since they change from bin to bin; of others in all the run.
    #[allow(clippy::cast_precision_loss)]
    fn density_beside(&self, bin: usize, lower_side: bool, dense: bool) -> Option<f64> {
        let is_alike = |key: &&u128| (self.is_dense)(**key) == dense;
        let longest = if dense { 2 } else { usize::MAX };
        let run: Vec<_> = if lower_side {
            self.bounds[..=bin].iter().rev().take(longest).take_while(is_alike).collect()
        } else {
            self.bounds[bin + 1..].iter().take(longest).take_while(is_alike).collect()
        };
        match run[..] {
            [first, .., last] => Some((run.len() - 1) as f64 / self.bins() / first.abs_diff(*last) as f64),
            _ => None,
        }
    }

    /// How many bins there are.
    #[allow(clippy::cast_precision_loss)]
    pub fn bins(&self) -> f64 {
        (self.bounds.len() - 1) as f64
    }
}

/// The share of the rows below this key.
#[allow(clippy::cast_precision_loss)]
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
