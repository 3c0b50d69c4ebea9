//! Entries of a shuffle, each a record and its bucket, and the [`ShuffleOrder`] of the entries of a segment.

use std::hint::black_box;
use std::mem;
use std::ops::Range;

use komabako_record::order::ShuffleOrder;

use super::partition::BUCKETS;
use crate::DatasetError;
use crate::engine::parallel::WAITING;
use crate::engine::temporary::{MemoryBudget, Shape};
use crate::job::Limits;

/// The bytes of a record's number.
pub(super) const NUMBER_BYTES: u64 = 8;

/// The bytes of an entry besides its record: its bucket.
pub(super) const BUCKET_BYTES: u64 = 2;

/// The bytes of memory that ordering takes per entry: the entry's start.
pub(super) const PLACE_BYTES: u64 = 8;

/// The memory that ordering takes besides, in bytes: for the counts of the buckets, and for the pieces of each thread, of which one is
/// made, some wait and one is received.
pub(super) fn memory(threads: usize) -> u64 {
    let pieces = threads.min(MemoryBudget::MAX_AT_ONCE) * (WAITING + 2);
    (8 * BUCKETS + pieces * Piece::BYTES) as u64
}

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

/// Neighbouring records of the output.
pub(super) struct Piece {
    /// The records, with what follows each in the output.
    pub bytes: Vec<u8>,
    pub records: u64,
}

impl Piece {
    /// The size at which a piece is sent; a longer record is a piece of its own.
    pub const BYTES: usize = 1 << 18;
}

/// The order of the records of segments.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub seed: u64,
    pub shape: Shape,
    /// What follows each record in the output.
    pub end: &'static [u8],
}

impl Order {
    /// Sends the records of a segment in their order. `entries`: all entries of its `buckets`, in the order of the inputs.
    pub fn send(
        self,
        buckets: Range<usize>,
        entries: &[u8],
        mut send: impl FnMut(Piece) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        // A counting sort by bucket, then a permutation within each bucket:
        //
        //     for each entry: ends[bucket] += 1                    count
        //     ends[b] = sum of the counts before b                 the start of bucket b
        //     for each entry: places[ends[bucket]++] = its start   now ends[b] is the end of bucket b
        //     for each b: permute places of b by stream 1 + b of the generator
        //     send the records in the order of places
        //
        // Entries are traversed twice: keeping (bucket, place) pairs would take 16 bytes per entry, places alone take 8.
        // Neither buckets nor permutations depend on the number of segments, so that a seed determines the order
        // independently of the memory.
        let mut ends = vec![0_u64; buckets.len()];
        let walk = |visit: &mut dyn FnMut(usize, u64)| {
            let mut rest = entries;
            while let Some((bucket, _, next)) = split(self.shape, rest) {
                visit(usize::from(bucket) - buckets.start, (entries.len() - rest.len()) as u64);
                rest = next;
            }
        };
        walk(&mut |bucket, _| ends[bucket] += 1);
        let mut count = 0;
        for end in &mut ends {
            count += mem::replace(end, count);
        }
        let mut places = vec![0; count as usize];
        walk(&mut |bucket, place| {
            places[ends[bucket] as usize] = place;
            ends[bucket] += 1;
        });
        let mut start = 0;
        // Each bucket has its own stream, so that segments can be put in order in any order, or by a later run.
        for (bucket, &end) in buckets.zip(&ends) {
            let range = start..end as usize;
            start = range.end;
            ShuffleOrder { seed: self.seed }.permute_bucket(bucket as u16, &mut places[range]);
        }
        let mut piece = Piece { bytes: Vec::new(), records: 0 };
        for places in places.chunks(PREFETCHED) {
            prefetch(entries, places);
            for &place in places {
                let (_, record, _) =
                    split(self.shape, &entries[place as usize..]).expect("an entry starts there");
                let length = record.len() + self.end.len();
                if piece.bytes.len() + length > piece.bytes.capacity() {
                    let bytes = Vec::with_capacity(length.max(Piece::BYTES));
                    let full = mem::replace(&mut piece, Piece { bytes, records: 0 });
                    if full.records > 0 {
                        send(full)?;
                    }
                }
                piece.bytes.extend_from_slice(record);
                piece.bytes.extend_from_slice(self.end);
                piece.records += 1;
            }
        }
        send(piece)
    }
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
                Order { seed, shape, end: b"\n" }
                    .send(0..BUCKETS, &entries, |piece| {
                        assert_eq!(piece.bytes.len() as u64, 2 * piece.records);
                        records.extend(piece.bytes);
                        Ok(())
                    })
                    .unwrap();
                let expected: Vec<u8> =
                    order.order(&buckets).into_iter().flat_map(|number| [number as u8, b'\n']).collect();
                assert_eq!(records, expected);
            }
        }
    }
}
