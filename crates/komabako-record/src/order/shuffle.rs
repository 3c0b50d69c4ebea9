//! [`ShuffleOrder`]: the order of a shuffle for a seed: a bucket for every record, and a permutation of every bucket.
//!
//! Both come from streams of one counter-based generator, so any part of the order can be computed separately, on any
//! machine. All orders are equally likely, as far as the generator's numbers are random. A published order never changes.

use alloc::vec::Vec;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// The order of a shuffle.
///
/// ```
/// use komabako_record::order::ShuffleOrder;
/// let order = ShuffleOrder { seed: 7 };
/// let mut buckets = [0; 100];
/// order.draw_buckets(0, &mut buckets);
/// // Any record's bucket can be asked for alone.
/// let mut last = [0];
/// order.draw_buckets(99, &mut last);
/// assert_eq!(last, buckets[99..]);
/// // The numbers of the records in the order of the output.
/// let mut numbers = order.order(&buckets);
/// numbers.sort();
/// assert!(numbers.into_iter().eq(0..100));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShuffleOrder {
    /// The seed of the shuffle.
    pub seed: u64,
}

impl ShuffleOrder {
    /// Writes the buckets, below 65,536, of the records from number `first` on. A nanosecond each.
    pub fn draw_buckets(self, first: u64, buckets: &mut [u16]) {
        let mut drawn = Buckets::after(self.seed, first);
        buckets.fill_with(|| drawn.draw());
    }

    /// The output order of the records with these buckets, as indices of the slice. The slice must contain all records of
    /// its buckets, in ascending order of their numbers. The output contains the buckets one after another.
    pub fn order(self, buckets: &[u16]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        order.sort_by_key(|&index| buckets[index]);
        for same in order.chunk_by_mut(|&one, &other| buckets[one] == buckets[other]) {
            let bucket = buckets[same[0]];
            permute(same, self.seed, bucket);
        }
        order
    }

    /// Permutes the content of a bucket, given in the order of the inputs.
    pub fn permute_bucket(self, bucket: u16, places: &mut [u64]) {
        permute(places, self.seed, bucket);
    }
}

/// Draws the buckets of the records in order.
#[derive(Debug)]
pub struct Buckets {
    generator: ChaCha8Rng,
    /// A bucket that was drawn together with the last one.
    spare: Option<u16>,
}

impl Buckets {
    /// The buckets of a seed.
    pub fn new(seed: u64) -> Buckets {
        Buckets { generator: generator(seed, 0), spare: None }
    }

    /// The buckets of a seed after `drawn` have been drawn.
    pub fn after(seed: u64, drawn: u64) -> Buckets {
        let mut buckets = Buckets::new(seed);
        // Each word of the generator yields two buckets.
        buckets.generator.set_word_pos(u128::from(drawn / 2));
        if drawn % 2 == 1 {
            buckets.draw();
        }
        buckets
    }

    /// The bucket of the next record.
    #[inline]
    pub fn draw(&mut self) -> u16 {
        self.spare.take().unwrap_or_else(|| self.draw_two())
    }

    /// Draws a bucket and a spare one: half a word is enough for each, so the stream is consumed at half the rate.
    fn draw_two(&mut self) -> u16 {
        let both = self.generator.next_u32();
        self.spare = Some((both >> 16) as u16);
        both as u16
    }
}

/// The generator of a seed: stream 0 draws the buckets, and each bucket has its own stream for its permutation.
fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(stream);
    generator
}

/// Permutes with the Fisher–Yates algorithm.
fn permute<T>(items: &mut [T], seed: u64, bucket: u16) {
    if items.len() < 2 {
        return;
    }
    let mut generator = generator(seed, 1 + u64::from(bucket));
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, &mut generator) as usize);
    }
}

/// A uniformly distributed number below a bound: the high half of a product, made unbiased by Lemire's rejection
/// (<https://arxiv.org/abs/1805.10941>).
#[inline]
fn below(bound: u64, generator: &mut ChaCha8Rng) -> u64 {
    let mut draw = || u128::from(generator.next_u64()) * u128::from(bound);
    let mut product = draw();
    if (product as u64) < bound {
        let rejected = bound.wrapping_neg() % bound;
        while (product as u64) < rejected {
            product = draw();
        }
    }
    (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn buckets_resume_after_any_number() {
        let mut buckets = Buckets::new(7);
        let all: Vec<u16> = (0..1000).map(|_| buckets.draw()).collect();
        for drawn in [0, 1, 2, 31, 32, 33, 127, 128, 129, 500, 999] {
            let mut rest = Buckets::after(7, drawn);
            let rest: Vec<u16> = (drawn..1000).map(|_| rest.draw()).collect();
            assert_eq!(rest, all[drawn as usize..], "after {drawn}");
        }
    }

    /// The order of `count` records for a seed.
    fn order(seed: u64, count: usize) -> Vec<usize> {
        let order = ShuffleOrder { seed };
        let mut buckets = vec![0; count];
        order.draw_buckets(0, &mut buckets);
        order.order(&buckets)
    }

    /// A published order must not change, because users keep seeds.
    #[test]
    fn order_of_a_seed_is_stable() {
        assert_eq!(order(1, 12), [4, 2, 7, 6, 0, 3, 10, 9, 1, 11, 5, 8]);
    }

    /// Chi-square over all permutations of four records, and over the permutations of a bucket of four.
    #[test]
    fn permutations_are_equally_likely() {
        const SEEDS: u64 = 2_400;
        let code = |order: &[usize]| order.iter().fold(0, |code, &record| code * 4 + record);
        let chi_square = |draw: &dyn Fn(u64) -> Vec<usize>| {
            let mut counts = [0_u32; 256];
            (0..SEEDS).for_each(|seed| counts[code(&draw(seed))] += 1);
            let expected = SEEDS as f64 / 24.0;
            let seen = counts.iter().filter(|&&count| count > 0);
            assert_eq!(seen.clone().count(), 24);
            seen.map(|&count| (f64::from(count) - expected).powi(2) / expected).sum::<f64>()
        };
        let one_bucket = |seed| {
            let mut items = vec![0, 1, 2, 3];
            permute(&mut items, seed, 0);
            items
        };
        // 23 degrees of freedom: exceeds 49.7 once in a thousand.
        for statistic in [chi_square(&|seed| order(seed, 4)), chi_square(&one_bucket)] {
            assert!(statistic < 49.7, "{statistic}");
        }
    }

    /// The places of each of 20 records over many seeds: a chi-square of every record and every place.
    #[test]
    fn every_record_reaches_every_position() {
        const SEEDS: u64 = 2_000;
        let mut counts = [[0_u32; 20]; 20];
        for seed in 0..SEEDS {
            for (place, &record) in order(seed, 20).iter().enumerate() {
                counts[record][place] += 1;
            }
        }
        let expected = SEEDS as f64 / 20.0;
        let deviation = |count: u32| (f64::from(count) - expected).powi(2) / expected;
        let statistic: f64 = counts.iter().flatten().map(|&count| deviation(count)).sum();
        // 19 * 19 = 361 degrees of freedom: exceeds 449 once in a thousand.
        assert!(statistic < 449.0, "{statistic}");
    }
}
