//! Which record of a source is at a place of the order; for errors.

use komabako_dataset::Block;

use super::{Order, Prepared};
use crate::output::Batch;
use crate::source::{Access, Uniform};

/// A record at a place: its block and its index there.
struct Located {
    place: u64,
    block: u64,
    row: u32,
}

impl Prepared {
    /// The source and number of a record of a batch, found by its bytes among those that the batch may have taken. This decodes
    /// blocks again.
    pub fn record_of(&self, batch: &mut Batch, index: usize) -> Option<(usize, u64)> {
        // Places of records that were left out lie between; how many, nobody has counted.
        let mut places = 4 * self.want() as u64;
        loop {
            let found = self.record_within(batch, index, places);
            let is_all = batch.after().lanes.iter().all(|&(_, consumed)| consumed <= places);
            if found.is_some() || is_all {
                return found;
            }
            places = places.saturating_mul(16);
        }
    }

    /// The same among the last places of each stream.
    fn record_within(&self, batch: &mut Batch, index: usize, last: u64) -> Option<(usize, u64)> {
        let wanted = *batch.records.get(index)?;
        let per_stream = self.lanes_per_stream();
        let numbers = self.lane_sources();
        let streams: Vec<u64> = self.own_streams().collect();
        let mut buffer = Vec::new();
        let mut block = Block::default();
        for (lane, &(epoch, consumed)) in batch.after().lanes.iter().enumerate() {
            let stream = streams[lane / per_stream];
            let places = consumed.saturating_sub(last)..consumed;
            if self.plan.order == Order::Uniform {
                let uniform = self.uniform(epoch, stream);
                for place in places {
                    let (source, record) = uniform.record(place);
                    buffer.clear();
                    let Access::Random(file) = &self.sources[source].access else { continue };
                    if file.read_record(record, &mut buffer).is_ok() && buffer == wanted {
                        return Some((source, record));
                    }
                }
                continue;
            }
            let source = numbers[lane % per_stream];
            let Access::Random(file) = &self.sources[source].access else { continue };
            let mut located = self.locate(source, stream, epoch, places);
            located.sort_unstable_by_key(|found| (found.block, found.row));
            let mut best: Option<(u64, u64)> = None;
            for of_block in located.chunk_by(|one, other| one.block == other.block) {
                let number = of_block[0].block;
                if file.read_block(number, &mut buffer, &mut block).is_err() {
                    continue;
                }
                for found in of_block {
                    let is_wanted = block.record(found.row as usize) == wanted;
                    if is_wanted && best.is_none_or(|(place, _)| found.place < place) {
                        best = Some((found.place, file.first_record(number) + u64::from(found.row)));
                    }
                }
            }
            if let Some((_, record)) = best {
                return Some((source, record));
            }
        }
        None
    }

    /// The records at some places of a source in a stream.
    fn locate(&self, source: usize, stream: u64, epoch: u64, places: std::ops::Range<u64>) -> Vec<Located> {
        let open = &self.sources[source];
        let mixing = self.mixings[source];
        let mut found = Vec::new();
        let mut inner = Vec::new();
        let mut start = 0;
        for number in 0..mixing.passes {
            let pass = mixing.pass(open.blocks(), epoch, number, stream);
            for tick in 0..pass.ticks() {
                let end = start + pass.records_of_tick(tick, |block| open.records_of(block));
                if end > places.start && start < places.end {
                    let mut list = Vec::new();
                    for slice in 0..mixing.lag {
                        for slot in pass.group(tick, slice).map_or(0..0, |group| pass.slots(group)) {
                            let block = pass.block(slot);
                            let range = pass.slice(slice, open.records_of(block));
                            list.extend(range.map(|place| (block, place)));
                        }
                    }
                    pass.shuffle_tick(tick, &mut list);
                    for (place, (block, inner_place)) in (start..).zip(list) {
                        if places.contains(&place) {
                            pass.write_inner_order(block, open.records_of(block), &mut inner);
                            found.push(Located { place, block, row: inner[inner_place as usize] });
                        }
                    }
                }
                start = end;
                if start >= places.end {
                    return found;
                }
            }
        }
        found
    }

    /// The order of single records of a stream.
    pub(super) fn uniform(&self, epoch: u64, stream: u64) -> Uniform {
        let mut end = 0;
        let mut ends = Vec::new();
        for source in &self.sources {
            end += source.records().unwrap_or(0);
            ends.push(end);
        }
        Uniform::new(ends, self.plan.seed, epoch, self.streams, stream)
    }
}
