//! [`Ratio`]: selects each record with the same probability.

use komabako_record::order::Random;

/// Selects each record with the same probability, by its number alone: the same records for any number of threads.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// A record is selected if its random number is less than this; 2^64 selects all.
    limit: u128,
    random: Random,
}

impl Ratio {
    /// The ratio for a probability from 0 to 1, and a seed; `None` if the probability is not in that range.
    pub fn new(probability: f64, seed: u64) -> Option<Ratio> {
        // 128 bits, because 1.0 is 2^64.
        let limit = (probability * 2_f64.powi(64)) as u128;
        (0.0..=1.0).contains(&probability).then_some(Ratio { limit, random: Random::new(seed) })
    }

    /// Whether the record with this number is selected.
    #[inline]
    pub(crate) fn selects(&self, ordinal: u64) -> bool {
        u128::from(self.random.at(ordinal)) < self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_selects_about_the_requested_share() {
        let taken = |probability| {
            let ratio = Ratio::new(probability, 1).unwrap();
            (0..100_000).filter(|&ordinal| ratio.selects(ordinal)).count()
        };
        assert_eq!((taken(0.0), taken(1.0)), (0, 100_000));
        assert!(taken(0.25).abs_diff(25_000) < 600);
        assert!(Ratio::new(1.5, 0).is_none() && Ratio::new(f64::NAN, 0).is_none());
    }
}
