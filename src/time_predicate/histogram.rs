//! The share of rows in a span of keys, from the histogram that ANALYZE keeps.
//!
//! Between two neighbouring bounds of the histogram, in a bin, lie equally many rows. A time-ordered UUID read as a number grows
//! evenly with its time, and a random one is even anyway, so a key is placed between its neighbours in proportion.
//!
//! Where a column mixes version 7 with others, the bin between the last version 7 and the first UUID of another version
//! is not even: version 7 UUIDs lie at its beginning, as close together as in the bin before, and the rest of it is nearly
//! empty. (And so at the other side.) Such a bin is cut in two.

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
        let knots = self.knots(index);
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

    /// The distribution, with the bins at the edges of a dense run cut in two.
    #[allow(clippy::cast_precision_loss)]
    fn knots(&self, index: &dyn Index) -> Vec<Knot> {
        let bins = self.bounds.len() - 1;
        let share = 1.0 / bins as f64;
        let mut knots = Vec::with_capacity(self.bounds.len() + 2);
        for (bin, pair) in self.bounds.windows(2).enumerate() {
            let (low, high) = (pair[0], pair[1]);
            let before = bin as f64 * share;
            knots.push(Knot { key: low, below: before });
            let (dense_low, dense_high) = ((self.is_dense)(low), (self.is_dense)(high));
            if dense_low != dense_high {
                let sparse = (self.density_beside(bin, !dense_low, false) * (high - low) as f64).min(share);
                let dense = share - sparse;
                let edge = self.edge(bin, dense, dense_low, index);
                let at = |key: u128| sparse * ((key - low) as f64 / (high - low) as f64);
                if let Some(edge) = edge.filter(|edge| low < *edge && *edge < high) {
                    let below = before + at(edge) + if dense_low { dense } else { 0.0 };
                    knots.push(Knot { key: edge, below });
                }
            }
        }
        if let Some(last) = self.bounds.last() {
            knots.push(Knot { key: *last, below: 1.0 });
        }
        knots
    }

    /// Where the dense part of a mixed bin ends, or begins: by the index, or so far as its rows reach if they lie as close as those
    /// in the bin beside.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn edge(&self, bin: usize, dense: f64, dense_low: bool, index: &dyn Index) -> Option<u128> {
        let (low, high) = (self.bounds[bin], self.bounds[bin + 1]);
        let told = if dense_low { index.last_below(high) } else { index.first_above(low) };
        if let Some(key) = told.filter(|key| (self.is_dense)(*key) && low < *key && *key < high) {
            return Some(key);
        }
        let density = self.density_beside(bin, dense_low, true);
        if density > 0.0 {
            // Saturates, as conversions from floats do.
            let length = (dense / density) as u128;
            return Some(if dense_low { low.saturating_add(length) } else { high.saturating_sub(length) });
        }
        // The only dense bound: steps that double find how far dense keys reach, within a factor of two.
        let mut reached = None;
        for exponent in (80..=120).step_by(2) {
            let step = 1_u128 << exponent;
            let key = if dense_low {
                index.last_below(low.saturating_add(step).min(high))
            } else {
                index.first_above(high.saturating_sub(step).max(low))
            };
            if let Some(key) = key.filter(|key| (self.is_dense)(*key) && low < *key && *key < high) {
                reached = Some(key);
            }
        }
        reached
    }

    /// Bins of rows per key in the neighbour of this bin at its lower or its upper side, if both bounds of that are dense, or both
    /// are not; else 0.
    #[allow(clippy::cast_precision_loss)]
    fn density_beside(&self, bin: usize, lower_side: bool, dense: bool) -> f64 {
        let neighbour = if lower_side { bin.checked_sub(1) } else { bin.checked_add(1) };
        let bounds = neighbour.and_then(|bin| self.bounds.get(bin..bin + 2));
        match bounds {
            Some([low, high]) if (self.is_dense)(*low) == dense && (self.is_dense)(*high) == dense => {
                1.0 / (self.bounds.len() - 1) as f64 / (high - low) as f64
            }
            _ => 0.0,
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
