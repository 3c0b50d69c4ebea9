//! [`Scores`]: the scores of records by the outcome of their games.

use alloc::boxed::Box;
use alloc::vec;

use super::saved::Numbers;
use super::{Fit, Outcome, Spread};

/// The least score with which the side to move mates; evaluations are smaller.
const MATE: i16 = Scores::MATE;

/// The greatest score with which the side to move is mated.
const MATED: i16 = -MATE;

/// YaneuraOu's `VALUE_NONE`.
const NONE: i16 = 32_002;

/// The width of a bin of the fit. It is negligible against a scale of several hundred.
const FINE: usize = 10;

/// The number of fine bins: from −30000 to 29999.
const FINE_BINS: usize = 2 * MATE as usize / FINE;

/// The scores of records, from the side to move's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scores {
    /// The evaluations: all scores except mates.
    pub spread: Spread,
    /// The number of scores of 30000 and more: the side to move mates.
    pub mating: u64,
    /// The number of scores of −30000 and less: the side to move is mated.
    pub mated: u64,
    /// The number of unknown scores: missing, or −32768 or 32002, which mean "no score".
    pub missing: u64,
    /// Evaluations in bins of ten, by outcome in the order of [`Outcome`].
    fine: Box<[[u64; 4]]>,
}

/// A bin of evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreBin {
    /// The least score; `None` in the bin that is open below.
    pub from: Option<i16>,
    /// The greatest score; `None` in the bin that is open above.
    pub to: Option<i16>,
    /// The number of evaluations with which the side to move won.
    pub wins: u64,
    /// The number of draws.
    pub draws: u64,
    /// The number of evaluations with which it lost.
    pub losses: u64,
    /// The number of unknown results.
    pub unknown: u64,
}

impl Scores {
    /// The least score of a mate.
    pub const MATE: i16 = 30_000;

    /// The width of a [`ScoreBin`]: −100 to −1, 0 to 99 and so on.
    pub const WIDTH: usize = 100;

    /// The closed bins extend from minus this to this; the first and the last bin are open.
    pub const REACH: i16 = 3000;

    #[inline]
    pub(super) fn add(&mut self, score: Option<i16>, outcome: Outcome) {
        match score {
            // Must precede the mates: both values are beyond their limits.
            None | Some(i16::MIN | NONE) => self.missing += 1,
            Some(MATE..) => self.mating += 1,
            Some(..=MATED) => self.mated += 1,
            Some(score) => {
                self.spread.add(i64::from(score));
                self.fine[fine_bin(score)][outcome as usize] += 1;
            }
        }
    }

    pub(super) fn merge(&mut self, other: &Scores) {
        self.spread.merge(&other.spread);
        self.mating += other.mating;
        self.mated += other.mated;
        self.missing += other.missing;
        for (bin, others) in self.fine.iter_mut().zip(&other.fine) {
            super::add_all(bin, others);
        }
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        self.spread.visit(numbers);
        for count in [&mut self.mating, &mut self.mated, &mut self.missing] {
            numbers.count(count);
        }
        numbers.counts(self.fine.as_flattened_mut());
    }

    /// The number of known scores, including mates.
    pub const fn known(&self) -> u64 {
        self.spread.count() + self.mating + self.mated
    }

    /// The evaluations in bins of [`Scores::WIDTH`] and two open bins, in ascending order; 62 bins.
    pub fn bins(&self) -> impl Iterator<Item = ScoreBin> + '_ {
        let inner = (-Scores::REACH..Scores::REACH).step_by(Scores::WIDTH);
        let last = |from: i16| from + Scores::WIDTH as i16 - 1;
        [self.bin(None, Some(-Scores::REACH - 1))]
            .into_iter()
            .chain(inner.map(move |from| self.bin(Some(from), Some(last(from)))))
            .chain([self.bin(Some(Scores::REACH), None)])
    }

    fn bin(&self, from: Option<i16>, to: Option<i16>) -> ScoreBin {
        let first = from.map_or(0, fine_bin);
        let last = to.map_or(FINE_BINS - 1, fine_bin);
        let mut sums = [0; 4];
        for bin in &self.fine[first..=last] {
            super::add_all(&mut sums, bin);
        }
        let [wins, draws, losses, unknown] = sums;
        ScoreBin { from, to, wins, draws, losses, unknown }
    }

    /// The median of the evaluations, to the nearest ten; `None` without evaluations.
    pub fn median(&self) -> Option<i16> {
        let half = self.spread.count().div_ceil(2);
        let mut seen = 0;
        let bin = self.fine.iter().position(|bin| {
            seen += bin.iter().sum::<u64>();
            seen >= half && seen > 0
        })?;
        Some((bin * FINE) as i16 - MATE + FINE as i16 / 2)
    }

    /// The relation of scores and win rates; `None` if the records do not determine it. Mates are left out.
    pub fn fit(&self) -> Option<Fit> {
        Fit::from_counts(self.fine.iter().enumerate().map(|(bin, &[wins, draws, losses, _])| {
            let middle = (bin * FINE) as f64 - f64::from(MATE) + (FINE - 1) as f64 / 2.0;
            (middle, [wins, draws, losses])
        }))
    }
}

impl Default for Scores {
    fn default() -> Self {
        Scores {
            spread: Spread::default(),
            mating: 0,
            mated: 0,
            missing: 0,
            fine: vec![[0; 4]; FINE_BINS].into(),
        }
    }
}

impl ScoreBin {
    /// The number of evaluations.
    pub const fn count(&self) -> u64 {
        self.known() + self.unknown
    }

    /// The number of evaluations with a known result.
    pub const fn known(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of won games among the known results; a draw counts as half a win.
    pub fn win_rate(&self) -> Option<f64> {
        (self.known() > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / self.known() as f64)
    }

    /// The score in the middle of the bin; `None` if it is open.
    pub fn middle(&self) -> Option<f64> {
        Some((f64::from(self.from?) + f64::from(self.to?)) / 2.0)
    }
}

/// The fine bin of an evaluation.
#[inline]
fn fine_bin(score: i16) -> usize {
    (i32::from(score) + i32::from(MATE)) as usize / FINE
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn every_evaluation_is_in_one_bin() {
        let mut scores = Scores::default();
        for score in i16::MIN..=i16::MAX {
            scores.add(Some(score), Outcome::Win);
        }
        scores.add(None, Outcome::Win);
        assert_eq!((scores.missing, scores.mating, scores.mated), (3, 2767, 2768));
        assert_eq!(scores.spread.range(), Some((-29_999, 29_999)));
        assert_eq!(scores.known() + scores.missing, 65_537);
        let bins: Vec<_> = scores.bins().collect();
        assert_eq!((bins.len(), bins.iter().map(ScoreBin::count).sum()), (62, scores.spread.count()));
        assert_eq!((bins[0].from, bins[0].to, bins[0].count()), (None, Some(-3001), 26_999));
        assert_eq!((bins[31].from, bins[31].to, bins[31].count()), (Some(0), Some(99), 100));
        assert_eq!((bins[61].from, bins[61].to, bins[61].count()), (Some(3000), None, 27_000));
        assert_eq!(scores.median(), Some(5));
    }

    #[test]
    fn draws_count_as_half_a_win() {
        let mut scores = Scores::default();
        assert_eq!((scores.median(), scores.fit()), (None, None));
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss, Outcome::Draw, Outcome::Unknown] {
            scores.add(Some(250), outcome);
        }
        let bin = scores.bins().find(|bin| bin.count() > 0).unwrap();
        assert_eq!((bin.from, bin.middle(), bin.win_rate()), (Some(200), Some(249.5), Some(0.5)));
        assert_eq!((bin.count(), bin.known()), (5, 4));
        assert_eq!(scores.median(), Some(255));
    }
}
