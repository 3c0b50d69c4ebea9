//! Random numbers that are the same on every machine: `SplitMix64` (Steele, Lea, Flood, *Fast splittable pseudorandom
//! number generators*, OOPSLA 2014), whose numbers can be computed in any order.

/// The difference of consecutive states.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sequence of a seed.
///
/// ```
/// use komabako_record::order::Random;
/// assert_eq!(Random::new(0).at(0), 0xe220_a839_7b1d_cdaf);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Random {
    start: u64,
}

impl Random {
    /// The sequence of a seed; the sequences of neighbouring seeds are unrelated.
    pub fn new(seed: u64) -> Random {
        // Unmixed, neighbouring seeds would give the same sequence, shifted by a few places.
        Random { start: mix(seed) }
    }

    /// The sequence of a key of any length; other keys give other sequences.
    pub fn keyed(key: &[u64]) -> Random {
        Random::new(fold(key))
    }

    /// The number at a place of the sequence: 64 random bits.
    #[inline]
    pub fn at(self, place: u64) -> u64 {
        mix(self.start.wrapping_add(STEP.wrapping_mul(place.wrapping_add(1))))
    }

    /// A number below a bound, which must not be 0. All numbers are equally likely: the method multiplies and rejects the
    /// products that would cause a bias (Lemire, *Fast random integer generation in an interval*, 2019).
    #[inline]
    pub fn below(self, bound: u64, place: u64) -> u64 {
        let mut random = self;
        let mut seed = self.start;
        loop {
            let product = u128::from(random.at(place)) * u128::from(bound);
            // The threshold is 2^64 modulo the bound: rejecting that many low halves leaves equally many numbers for
            // every result.
            let low = product as u64;
            // It is below the bound, so the division is needed for few numbers.
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
            // The start itself cannot be the next seed: the seed 0 has the start 0.
            seed = seed.wrapping_add(1);
            random = Random::new(seed);
        }
    }
}

/// The seed of a key.
pub(super) fn fold(key: &[u64]) -> u64 {
    key.iter().fold(0, |seed, part| mix(seed.wrapping_add(*part).wrapping_add(STEP)))
}

/// The output of a state.
#[inline]
pub(crate) fn mix(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the authors' program for the state 0; `mix` maps the seed 0 to that state.
    #[test]
    fn random_sequence_equals_the_published_one() {
        let numbers = [0, 1, 2].map(|place| Random::new(0).at(place));
        assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }

    #[test]
    fn numbers_below_a_bound_are_equally_frequent() {
        let mut counts = [0_u32; 7];
        for place in 0..70_000 {
            counts[Random::new(3).below(7, place) as usize] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!(Random::new(3).below(1, 5), 0);
    }

    /// With this bound half of all numbers are rejected.
    #[test]
    fn rejection_sampling_terminates_for_every_seed() {
        let bound = (1 << 63) + 1;
        for seed in [0, 1, u64::MAX] {
            assert!((0..1000).all(|place| Random::new(seed).below(bound, place) < bound), "{seed}");
        }
    }
}
