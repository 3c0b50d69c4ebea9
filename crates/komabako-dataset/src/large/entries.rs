//! Entries of a shuffle, each a record and its bucket, and the [`ShuffleOrder`] of the entries of a part.

use std::hint::black_box;
use std::ops::Range;

use komabako_record::order::ShuffleOrder;

use super::partition::BUCKETS;
use crate::DatasetError;
use crate::engine::temporary::Shape;
use crate::job::Limits;

/// The bytes of a record's number.
pub(super) const NUMBER_BYTES: u64 = 8;

/// The bytes of an entry besides its record: its bucket.
pub(super) const BUCKET_BYTES: u64 = 2;

/// The bytes of memory that ordering takes per entry: the entry's start.
pub(super) const PLACE_BYTES: u64 = 8;

/// The memory for the counts of the buckets, in bytes.
pub(super) const COUNTS_BYTES: u64 = 8 * BUCKETS as u64;

// Every segment of a whole output has a bucket.
const _: () = assert!(Limits::MAX_PARTS <= BUCKETS);

/// Appends an entry: a record and its bucket.
#[inline]
pub(super) fn push_entry(bucket: u16, shape: Shape, record: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&bucket.to_le_bytes());
    shape.append(record, out);
}

/// The bucket and the record at the start of `entries`, and the rest.
#[inline]
fn split(shape: Shape, entries: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let (bucket, rest) = entries.split_first_chunk()?;
    let (record, rest) = shape.split(rest)?;
    Some((u16::from_le_bytes(*bucket), record, rest))
}

/// Passes the records of a part to `each` in their shuffled order. `entries`: all entries of the part, in the order of the inputs.
pub(super) fn in_order(
    seed: u64,
    shape: Shape,
    entries: &[u8],
    mut each: impl FnMut(&[u8]) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    // A counting sort by bucket, then a permutation within each bucket:
    //
    //     for each entry: ends[bucket] += 1                    count
    //     ends[b] = sum of the counts before b                 the start of bucket b
    //     for each entry: places[ends[bucket]++] = its start   now ends[b] is the end of bucket b
    //     for each b: permute places of b by stream 1 + b of the generator
    //     pass the records in the order of places
    //
    // Entries are traversed twice: keeping (bucket, place) pairs would take 16 bytes per entry, places alone take 8.
    // Neither buckets nor permutations depend on the number of parts, so that a seed determines the order
    // independently of the memory.
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
    // Each bucket has its own stream, so that parts can be written in any order, or by a later run.
    for (bucket, &end) in (0_u16..=u16::MAX).zip(&ends) {
        let range: Range<usize> = start..end as usize;
        start = range.end;
        ShuffleOrder { seed }.permute_bucket(bucket, &mut places[range]);
    }
    for places in places.chunks(PREFETCHED) {
        prefetch(entries, places);
        for &place in places {
            let (_, record, _) = split(shape, &entries[place as usize..]).expect("an entry starts there");
            each(record)?;
        }
    }
    Ok(())
}

/// The number of entries to fetch at once: few enough for the first-level cache.
const PREFETCHED: usize = 32;
/// The offset at which an entry may be in its second cache line: near the end of most formats' records.
const SECOND_LINE: usize = 40;

/// Fetches entries into the cache, all at once. They are at random places: waiting for each one when it is copied takes
/// longer than copying it.
fn prefetch(entries: &[u8], places: &[u64]) {
    let byte = |place: usize| entries.get(place).copied().unwrap_or_default();
    let sum_of_bytes = places.iter().fold(0, |sum, &place| {
        let place = place as usize;
        sum ^ byte(place) ^ byte(place + SECOND_LINE)
    });
    // Otherwise the compiler would find the sum unused, and remove the loads.
    black_box(sum_of_bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_determines_the_order() {
        for seed in 0..5 {
            let order = ShuffleOrder { seed };
            let mut drawn = [0; 200];
            order.draw_buckets(0, &mut drawn);
            // So few records hardly ever share a bucket: three buckets for all test the permutation within one too.
            let crowded = std::array::from_fn(|number| number as u16 % 3);
            for buckets in [drawn, crowded] {
                let shape = Shape::Fixed(1);
                let mut entries = Vec::new();
                for (number, &bucket) in (0..).zip(&buckets) {
                    push_entry(bucket, shape, &[number], &mut entries);
                }
                let mut records = Vec::new();
                in_order(seed, shape, &entries, |record| {
                    records.push(usize::from(record[0]));
                    Ok(())
                })
                .unwrap();
                assert_eq!(order.order(&buckets), records);
            }
        }
    }
}
