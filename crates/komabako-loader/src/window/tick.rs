//! [`Tick`]: records that are shuffled together.

use std::hint::black_box;
use std::ops::Range;

use komabako_record::RecordFault;

use super::BlockTask;
use crate::order::Pass;
use crate::output::{Record, Visits};
use crate::select::mark;
use crate::source::Decoder;

/// A slice of a block.
#[derive(Default)]
pub(crate) struct Chunk {
    pub records: Vec<Record>,
    /// The mark of each; empty if all are kept.
    pub marks: Vec<u8>,
    pub faults: Vec<ChunkFault>,
    /// The candidates of each; empty unless they are asked for.
    pub visits: Visits,
}

/// A bad record of a chunk.
pub(crate) struct ChunkFault {
    pub index: u32,
    pub source: usize,
    /// Its number in the source.
    pub record: u64,
    pub fault: RecordFault,
}

impl Chunk {
    fn clear(&mut self) {
        self.records.clear();
        self.marks.clear();
        self.faults.clear();
        self.visits.clear();
    }
}

/// Cuts a block that was decoded into the slices of a task. `record_of`: the source and number of a record of the block.
pub(crate) fn cut_block(
    task: &BlockTask,
    decoder: &mut Decoder,
    chunks: &mut [Chunk],
    record_of: impl Fn(u64) -> (usize, u64),
) {
    let Decoder { block, is_in_block, records, marks, faults, visits, order, .. } = decoder;
    let records: &[Record] = if *is_in_block { block.bytes().as_chunks().0 } else { records };
    let pass = &task.pass;
    pass.write_inner_order(task.block, records.len() as u64, order);
    let are_marked = marks.iter().any(|&found| found != mark::KEPT);
    for (slice, chunk) in task.slices.clone().zip(chunks) {
        let range = pass.slice(slice, records.len() as u64);
        let numbers = &order[range.start as usize..range.end as usize];
        chunk.records.reserve(numbers.len());
        for &number in numbers {
            chunk.records.push(records[number as usize]);
        }
        if task.has_visits {
            for &number in numbers {
                chunk.visits.push(visits.get(number as usize));
            }
        }
        if !are_marked {
            continue;
        }
        for (place, &number) in (0..).zip(numbers) {
            let found = marks[number as usize];
            chunk.marks.push(found);
            if found == mark::BAD
                && let Some(&(_, fault)) = faults.iter().find(|(index, _)| *index == number)
            {
                let (source, record) = record_of(u64::from(number));
                chunk.faults.push(ChunkFault { index: place, source, record, fault });
            }
        }
    }
}

/// The records of a tick and their order.
pub(crate) struct Tick {
    pub chunks: Vec<Chunk>,
    /// The chunk and the index in it of each record, the index in the low bits; [`LEFT_OUT`] for one that is left out.
    pub order: Vec<u32>,
    /// The number of low bits.
    pub shift: u32,
    /// The epoch of the order.
    pub epoch: u64,
    /// Whether all its records that are not left out are kept without a rule and have no candidates.
    pub is_plain: bool,
}

/// The code of a record that is left out. An index is below the size of the largest chunk, so its low bits are never all set.
pub(crate) const LEFT_OUT: u32 = u32::MAX;

/// The records that are loaded together.
const GROUP: usize = 32;

impl Tick {
    /// Appends at most `most` records from some places of the order. Returns the number of places that it went through.
    pub fn gather(&self, places: Range<usize>, most: usize, records: &mut Vec<Record>) -> usize {
        let low = (1 << self.shift) - 1;
        let order = &self.order[places];
        let end = records.len() + most;
        let mut codes = [0; GROUP];
        let mut place = 0;
        while place < order.len() && records.len() < end {
            let wanted = GROUP.min(end - records.len());
            let mut count = 0;
            while place < order.len() && count < wanted {
                let code = order[place];
                codes[count] = code;
                count += usize::from(code != LEFT_OUT);
                place += 1;
            }
            let codes = &codes[..count];
            // They lie far apart. A loop that only loads has more loads under way at once than one that copies, so this one brings
            // them into the cache for the next.
            let mut touched = 0;
            for &code in codes {
                let record = &self.chunks[(code >> self.shift) as usize].records[(code & low) as usize];
                touched ^= record[0] ^ record[39];
            }
            black_box(touched);
            for &code in codes {
                records.push(self.chunks[(code >> self.shift) as usize].records[(code & low) as usize]);
            }
        }
        place
    }
}

/// A tick whose chunks are there.
pub(crate) struct ShuffleTask {
    pub lane: usize,
    /// The number of the tick in its lane.
    pub serial: u64,
    pub pass: Pass,
    /// The number of the tick in its pass.
    pub number: u64,
    pub tick: Tick,
}

impl ShuffleTask {
    /// Shuffles.
    pub fn run(&mut self) {
        let Tick { chunks, order, shift, is_plain, .. } = &mut self.tick;
        let most = chunks.iter().map(|chunk| chunk.records.len()).max().unwrap_or(0);
        *shift = usize::BITS - most.leading_zeros();
        order.clear();
        *is_plain = true;
        for (number, chunk) in (0..).zip(&*chunks) {
            let first: u32 = number << *shift;
            if chunk.marks.is_empty() {
                order.extend(first..first + chunk.records.len() as u32);
            }
            for (code, &found) in (first..).zip(&chunk.marks) {
                let is_left_out = found == mark::LEFT_OUT;
                order.push(if is_left_out { LEFT_OUT } else { code });
                *is_plain &= is_left_out || found == mark::KEPT;
            }
            *is_plain &= chunk.visits.is_empty();
        }
        self.pass.shuffle_tick(self.number, order);
    }
}

/// Buffers that are not in use.
#[derive(Default)]
pub(crate) struct Pool {
    chunks: Vec<Chunk>,
    ticks: Vec<(Vec<Chunk>, Vec<u32>)>,
    slots: Vec<Vec<Option<Chunk>>>,
}

impl Pool {
    /// Moves some chunks, empty ones, to a list.
    pub fn supply(&mut self, count: usize, chunks: &mut Vec<Chunk>) {
        for _ in 0..count {
            chunks.push(self.chunks.pop().unwrap_or_default());
        }
    }

    /// An empty tick of an epoch.
    pub fn tick(&mut self, epoch: u64) -> Tick {
        let (chunks, order) = self.ticks.pop().unwrap_or_default();
        Tick { chunks, order, shift: 0, epoch, is_plain: false }
    }

    /// A list of empty slots for chunks.
    pub fn slots(&mut self, count: usize) -> Vec<Option<Chunk>> {
        let mut slots = self.slots.pop().unwrap_or_default();
        slots.resize_with(count, || None);
        slots
    }

    /// Takes back the buffers of a tick.
    pub fn recycle(&mut self, tick: Tick) {
        let Tick { mut chunks, order, .. } = tick;
        for chunk in chunks.drain(..) {
            self.recycle_chunk(chunk);
        }
        self.ticks.push((chunks, order));
    }

    /// Takes back a chunk.
    pub fn recycle_chunk(&mut self, mut chunk: Chunk) {
        chunk.clear();
        self.chunks.push(chunk);
    }

    /// Takes back a list of slots, which are empty.
    pub fn recycle_slots(&mut self, mut slots: Vec<Option<Chunk>>) {
        slots.clear();
        self.slots.push(slots);
    }
}
