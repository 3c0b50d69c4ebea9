//! [`Spread`]: mean, standard deviation and range of integers.

use super::saved::Numbers;

/// The sums behind mean, standard deviation and range of integers. Sums are exact, so that neither order nor grouping of what is added changes anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    count: u64,
    sum: i128,
    squares: u128,
    range: Option<(i64, i64)>,
}

impl Spread {
    /// Takes a number into account.
    #[inline]
    pub fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += i128::from(value);
        self.squares += u128::from(value.unsigned_abs()).pow(2);
        self.widen(value, value);
    }

    /// Takes the numbers of another into account.
    pub fn merge(&mut self, other: &Spread) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
        if let Some((min, max)) = other.range {
            self.widen(min, max);
        }
    }

    pub(super) fn visit(&mut self, numbers: &mut dyn Numbers) {
        numbers.count(&mut self.count);
        numbers.sum(&mut self.sum);
        let mut squares = self.squares as i128;
        numbers.sum(&mut squares);
        self.squares = squares.unsigned_abs();
        let (low, high) = self.range.unwrap_or_default();
        let mut bounds = [low, high].map(i128::from);
        bounds.iter_mut().for_each(|bound| numbers.sum(bound));
        let [low, high] = bounds.map(|bound| bound as i64);
        self.range = (self.count > 0).then_some((low, high));
    }

    #[inline]
    fn widen(&mut self, min: i64, max: i64) {
        let (low, high) = self.range.unwrap_or((min, max));
        self.range = Some((low.min(min), high.max(max)));
    }

    /// How many numbers there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The least and the greatest number; `None` if nothing was added.
    pub const fn range(&self) -> Option<(i64, i64)> {
        self.range
    }

    /// The mean; `None` of no numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The standard deviation, of the numbers themselves rather than of what they are a sample of; `None` of no numbers.
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        // The difference may come out a little below zero where all numbers are equal.
        Some((self.squares as f64 / self.count as f64 - mean * mean).max(0.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_has_known_mean_deviation_and_range() {
        let mut spread = Spread::default();
        assert_eq!((spread.mean(), spread.deviation(), spread.range()), (None, None, None));
        for value in [2, 4, 4, 4, 5, 5, 7, 9] {
            spread.add(value);
        }
        assert_eq!((spread.mean(), spread.deviation(), spread.range()), (Some(5.0), Some(2.0), Some((2, 9))));
        let mut other = Spread::default();
        other.add(-3);
        other.merge(&spread);
        assert_eq!((other.count(), other.mean(), other.range()), (9, Some(37.0 / 9.0), Some((-3, 9))));
    }
}
