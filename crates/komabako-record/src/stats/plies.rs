//! [`Plies`]: how far the games of the records are.

use super::Spread;
use super::add_all;
use super::saved::Numbers;

/// The plies of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plies {
    /// The plies that are known.
    pub spread: Spread,
    /// How many are unknown.
    pub missing: u64,
    bins: [u64; Plies::BINS],
}

impl Plies {
    /// How many plies are counted together: 1 to 10, 11 to 20 and so on.
    pub const WIDTH: u32 = 10;

    /// The number of bins; the last one, from 501, is open.
    pub const BINS: usize = 51;

    #[inline]
    pub(super) fn add(&mut self, ply: Option<u32>) {
        let Some(ply) = ply else {
            self.missing += 1;
            return;
        };
        self.spread.add(i64::from(ply));
        // Plies count from 1; those that some programs count from 0 go to the first bin.
        let bin = ply.saturating_sub(1) / Plies::WIDTH;
        self.bins[(bin as usize).min(Plies::BINS - 1)] += 1;
    }

    pub(super) fn merge(&mut self, other: &Plies) {
        self.spread.merge(&other.spread);
        self.missing += other.missing;
        add_all(&mut self.bins, &other.bins);
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        self.spread.visit(numbers);
        numbers.count(&mut self.missing);
        numbers.counts(&mut self.bins);
    }

    /// The first ply of each bin up to the last that is not empty, and its count.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = (u32, u64)> + '_ {
        let used = self.bins.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        self.bins[..used].iter().enumerate().map(|(bin, &count)| (bin as u32 * Plies::WIDTH + 1, count))
    }
}

impl Default for Plies {
    fn default() -> Self {
        Plies { spread: Spread::default(), missing: 0, bins: [0; Plies::BINS] }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn first_bin_begins_at_one_and_the_last_is_open() {
        let mut plies = Plies::default();
        assert_eq!(plies.bins().len(), 0);
        for ply in [Some(1), Some(10), Some(11), None, Some(500), Some(501), Some(70_000)] {
            plies.add(ply);
        }
        let filled: Vec<_> = plies.bins().filter(|&(_, count)| count > 0).collect();
        assert_eq!(filled, [(1, 2), (11, 1), (491, 1), (501, 2)]);
        assert_eq!((plies.missing, plies.spread.count()), (1, 6));
    }
}
