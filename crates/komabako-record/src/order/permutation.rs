//! [`Permutation`]: a shuffled order of numbers in constant memory.
//!
//! A Feistel network is a bijection of pairs of halves for any round function, and so of the numbers below the smallest
//! power of 4 that is at least the count. A result that is not below the count is mapped again until it is, which keeps
//! the map a bijection ("cycle walking": Black and Rogaway, *Ciphers with arbitrary finite domains*, CT-RSA 2002) and
//! takes fewer than four passes on average.

use super::random::{STEP, fold, mix};

/// Enough that no statistic of our tests distinguishes the order from a random one. Four rounds would suffice without an
/// adversary.
const ROUNDS: usize = 8;

/// An order of the numbers below a count, selected by a key.
///
/// ```
/// use komabako_record::order::Permutation;
/// let order = Permutation::new(10, &[7, 1]);
/// let mut numbers: Vec<u64> = (0..10).map(|place| order.at(place)).collect();
/// numbers.sort_unstable();
/// assert!(numbers.into_iter().eq(0..10));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permutation {
    count: u64,
    /// The number of bits of a half.
    half: u32,
    keys: [u64; ROUNDS],
}

impl Permutation {
    /// The order of `count` numbers for a key of any length; other keys give other orders.
    ///
    /// # Panics
    /// If `count` is above 2⁶³.
    pub fn new(count: u64, key: &[u64]) -> Permutation {
        assert!(count <= 1 << 63, "{count} numbers are too many to permute");
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        let seed = fold(key);
        let key_of = |round: usize| mix(seed.wrapping_add(STEP.wrapping_mul(round as u64 + 1)));
        Permutation { count, half: bits.div_ceil(2).max(1), keys: core::array::from_fn(key_of) }
    }

    /// The number at a place.
    ///
    /// # Panics
    /// If `place` is not below the count.
    #[inline]
    pub fn at(&self, place: u64) -> u64 {
        assert!(place < self.count, "place {place} of {}", self.count);
        let mut number = place;
        loop {
            number = self.apply_rounds(number);
            if number < self.count {
                return number;
            }
        }
    }

    #[inline]
    fn apply_rounds(&self, number: u64) -> u64 {
        let low = (1 << self.half) - 1;
        let mut left = number >> self.half;
        let mut right = number & low;
        for key in self.keys {
            (left, right) = (right, left ^ (mix(right.wrapping_add(key)) & low));
        }
        left << self.half | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn permutation_contains_every_number_once() {
        for count in [1, 2, 3, 15, 16, 17, 1_000, 65_537] {
            let order = Permutation::new(count, &[1, 2]);
            let mut seen = vec![false; count as usize];
            for place in 0..count {
                assert!(!core::mem::replace(&mut seen[order.at(place) as usize], true));
            }
        }
        Permutation::new(1 << 63, &[]).at((1 << 63) - 1);
    }

    /// Other programs may rely on the order, so it must not change.
    #[test]
    fn permutation_is_stable_across_releases() {
        let order = Permutation::new(1_003, &[1, 0]);
        let first: [u64; 5] = core::array::from_fn(|place| order.at(place as u64));
        assert_eq!(first, [898, 276, 598, 917, 551]);
    }
}
