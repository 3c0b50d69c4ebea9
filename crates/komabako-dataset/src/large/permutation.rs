//! The order of a shuffle: a bucket for every record, and a permutation of every bucket.

use std::hint::black_box;
use std::ops::Range;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use super::partition::BUCKETS;
use crate::DatasetError;
use crate::engine::temporary::Shape;
use crate::job::Limits;

/// The bytes that an entry takes beyond those of its record: its bucket.
pub(super) const BUCKET_BYTES: u64 = 2;

/// The bytes that ordering takes for an entry in memory: where it starts.
pub(super) const PLACE_BYTES: u64 = 8;

/// The memory that the counts of the buckets take, in bytes.
pub(super) const COUNTS_BYTES: u64 = 8 * BUCKETS as u64;

/// The generator of a seed: stream 0 is that of the buckets, each bucket has its own.
fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(stream);
    generator
}

/// The buckets of the records, in their order.
pub(super) struct Buckets {
    generator: ChaCha8Rng,
    /// The bucket drawn with the last one.
    spare: Option<u16>,
}

impl Buckets {
    pub fn new(seed: u64) -> Buckets {
        Buckets { generator: generator(seed, 0), spare: None }
    }

    /// The buckets of a seed after `drawn` have been drawn.
    pub fn after(seed: u64, drawn: u64) -> Buckets {
        let mut buckets = Buckets::new(seed);
        // Two come from a word of the generator.
        buckets.generator.set_word_pos(u128::from(drawn / 2));
        if drawn % 2 == 1 {
            buckets.draw();
        }
        buckets
    }

    /// The bucket of the next record.
    #[inline]
    pub fn draw(&mut self) -> u16 {
        self.spare.take().unwrap_or_else(|| {
            // Half a word is enough for a bucket: the stream is used up half as fast.
            let both = self.generator.next_u32();
            self.spare = Some((both >> 16) as u16);
            both as u16
        })
    }
}

/// The order of a shuffle, for those who hold the records elsewhere: on the nodes of a cluster, in a database.
///
/// ```
/// use komabako_dataset::large::ShuffleOrder;
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
    /// Writes the buckets, below 65,536, that the records from number `first` on draw. A nanosecond each.
    pub fn draw_buckets(self, first: u64, buckets: &mut [u16]) {
        let mut drawn = Buckets::after(self.seed, first);
        buckets.fill_with(|| drawn.draw());
    }

    /// The order in which the output has records that have drawn these buckets, by their indices. They are all records of their
    /// buckets, in ascending order of their numbers. The output has the buckets one after the other.
    pub fn order(self, buckets: &[u16]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..buckets.len()).collect();
        order.sort_by_key(|&index| buckets[index]);
        for same in order.chunk_by_mut(|&one, &other| buckets[one] == buckets[other]) {
            let bucket = buckets[same[0]];
            permute(same, || generator(self.seed, 1 + u64::from(bucket)));
        }
        order
    }
}

// Every segment of a whole output has a bucket.
const _: () = assert!(Limits::MOST_PARTS <= BUCKETS);

/// Appends an entry: a record and its bucket.
#[inline]
pub(super) fn push_entry(bucket: u16, shape: Shape, record: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&bucket.to_le_bytes());
    shape.append(record, out);
}

/// The bucket and the record at the start of some entries, and what follows.
#[inline]
fn split(shape: Shape, entries: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let (bucket, rest) = entries.split_first_chunk()?;
    let (record, rest) = shape.split(rest)?;
    Some((u16::from_le_bytes(*bucket), record, rest))
}

/// Gives the records of a part in their shuffled order. `entries`: all of the part's, in the order of the inputs.
pub(super) fn in_order(
    seed: u64,
    shape: Shape,
    entries: &[u8],
    mut each: impl FnMut(&[u8]) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    // A counting sort by bucket, then a permutation within each bucket:
    //
    //     for each entry: ends[bucket] += 1                    count
    //     ends[b] = sum of the counts before b                 where bucket b starts
    //     for each entry: places[ends[bucket]++] = its start   now ends[b] is where bucket b ends
    //     for each b: permute places of b by stream 1 + b of the generator
    //     give the records in the order of places
    //
    // Entries are walked twice: keeping (bucket, place) pairs would take 16 bytes an entry, places alone take 8.
    // Neither buckets nor permutations depend on the number of parts, so that a seed gives one order
    // whatever the memory.
    let mut ends = vec![0_u64; BUCKETS];
    let walk = |visit: &mut dyn FnMut(usize, u64)| {
        let mut rest = entries;
        while let Some((bucket, _, next)) = split(shape, rest) {
            visit(usize::from(bucket), (entries.len() - rest.len()) as u64);
            rest = next;
        }
    };
    walk(&mut |bucket, _| ends[bucket] += 1);
    let mut count = 0;
    for end in &mut ends {
        count += std::mem::replace(end, count);
    }
    let mut places = vec![0; count as usize];
    walk(&mut |bucket, place| {
        places[ends[bucket] as usize] = place;
        ends[bucket] += 1;
    });
    let mut start = 0;
    // Each bucket has a stream of its own, so that parts can be written in any order, or by a later run.
    for (bucket, &end) in ends.iter().enumerate() {
        let range: Range<usize> = start..end as usize;
        start = range.end;
        permute(&mut places[range], || generator(seed, 1 + bucket as u64));
    }
    for places in places.chunks(TOUCHED) {
        touch(entries, places);
        for &place in places {
            let (_, record, _) = split(shape, &entries[place as usize..]).expect("an entry starts there");
            each(record)?;
        }
    }
    Ok(())
}

/// How many entries are fetched at once: few enough that the first-level cache holds them.
const TOUCHED: usize = 32;
/// Where an entry may be in its second line of the cache: near the end of most formats' records.
const FURTHER: usize = 40;

/// Fetches entries into the cache, all at once. They lie anywhere: to wait for each when it is copied takes longer than to
/// copy it.
fn touch(entries: &[u8], places: &[u64]) {
    let byte = |place: usize| entries.get(place).copied().unwrap_or_default();
    let touched = places.iter().fold(0, |sum, &place| {
        let place = place as usize;
        sum ^ byte(place) ^ byte(place + FURTHER)
    });
    // Otherwise the compiler would see that the sum is not used, and leave the loads out.
    black_box(touched);
}

/// Permutes by the algorithm of Fisher and Yates.
fn permute<T>(items: &mut [T], generator: impl FnOnce() -> ChaCha8Rng) {
    if items.len() < 2 {
        return;
    }
    let mut generator = generator();
    for last in (1..items.len()).rev() {
        items.swap(last, below(last as u64 + 1, &mut generator) as usize);
    }
}

/// A number below a bound, each as likely as the others: the high half of a product, from which Lemire's rejection takes the
/// bias (<https://arxiv.org/abs/1805.10941>).
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
    use super::*;

    #[test]
    fn buckets_go_on_after_any_number() {
        let mut buckets = Buckets::new(7);
        let all: Vec<u16> = (0..1000).map(|_| buckets.draw()).collect();
        for drawn in [0, 1, 2, 31, 32, 33, 127, 128, 129, 500, 999] {
            let mut rest = Buckets::after(7, drawn);
            let rest: Vec<u16> = (drawn..1000).map(|_| rest.draw()).collect();
            assert_eq!(rest, all[drawn as usize..], "after {drawn}");
        }
    }

    #[test]
    fn the_order_of_others_is_that_of_the_job() {
        let given = ShuffleOrder { seed: 7 };
        let mut buckets = [0; 200];
        given.draw_buckets(0, &mut buckets);
        let numbers: Vec<u8> = given.order(&buckets).into_iter().map(|number| number as u8).collect();
        assert_eq!(numbers, order(7, 200));
        // So few records hardly ever meet in a bucket: the permutation within one is looked at too.
        let shape = Shape::Fixed(1);
        let mut entries = Vec::new();
        let buckets: Vec<u16> = (0..200).map(|number| number % 3).collect();
        for (number, &bucket) in (0..).zip(&buckets) {
            push_entry(bucket, shape, &[number], &mut entries);
        }
        let mut records = Vec::new();
        in_order(7, shape, &entries, |record| {
            records.push(usize::from(record[0]));
            Ok(())
        })
        .unwrap();
        assert_eq!(given.order(&buckets), records);
    }

    /// The order of `count` records by a seed.
    fn order(seed: u64, count: u8) -> Vec<u8> {
        let mut buckets = Buckets::new(seed);
        let shape = Shape::Fixed(1);
        let mut entries = Vec::new();
        for record in 0..count {
            push_entry(buckets.draw(), shape, &[record], &mut entries);
        }
        let mut order = Vec::new();
        in_order(seed, shape, &entries, |record| {
            order.push(record[0]);
            Ok(())
        })
        .unwrap();
        order
    }

    /// A published order never changes: users keep seeds.
    #[test]
    fn the_order_of_a_seed_is_known() {
        assert_eq!(order(1, 12), [4, 2, 7, 6, 0, 3, 10, 9, 1, 11, 5, 8]);
    }

    /// Chi-square over all permutations of four records, and over the buckets' own permutations of as many.
    #[test]
    fn every_permutation_is_as_likely_as_any_other() {
        const SEEDS: u64 = 2_400;
        let code = |order: &[u8]| order.iter().fold(0, |code, &record| code * 4 + usize::from(record));
        let chi_square = |draw: &dyn Fn(u64) -> Vec<u8>| {
            let mut counts = [0_u32; 256];
            (0..SEEDS).for_each(|seed| counts[code(&draw(seed))] += 1);
            let expected = SEEDS as f64 / 24.0;
            let seen = counts.iter().filter(|&&count| count > 0);
            assert_eq!(seen.clone().count(), 24);
            seen.map(|&count| (f64::from(count) - expected).powi(2) / expected).sum::<f64>()
        };
        let one_bucket = |seed| {
            let mut items = vec![0, 1, 2, 3];
            permute(&mut items, || generator(seed, 1));
            items
        };
        // 23 degrees of freedom: above 49.7 once in a thousand.
        for statistic in [chi_square(&|seed| order(seed, 4)), chi_square(&one_bucket)] {
            assert!(statistic < 49.7, "{statistic}");
        }
    }

    /// Where each of 20 records ends up, over many seeds: a chi-square of every record and of every place.
    #[test]
    fn every_record_gets_to_every_place() {
        const SEEDS: u64 = 2_000;
        let mut counts = [[0_u32; 20]; 20];
        for seed in 0..SEEDS {
            for (place, &record) in order(seed, 20).iter().enumerate() {
                counts[usize::from(record)][place] += 1;
            }
        }
        let expected = SEEDS as f64 / 20.0;
        let deviation = |count: u32| (f64::from(count) - expected).powi(2) / expected;
        let statistic: f64 = counts.iter().flatten().map(|&count| deviation(count)).sum();
        // 19 * 19 = 361 degrees of freedom: above 449 once in a thousand.
        assert!(statistic < 449.0, "{statistic}");
    }
}
