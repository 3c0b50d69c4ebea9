//! [`Tick`]: records that are shuffled together.

use std::hint::black_box;
use std::sync::Arc;

use komabako_record::RecordFault;

use super::BlockTask;
use crate::order::Pass;
use crate::output::{Arrays, Record, Visits};
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
        chunk.records.extend(numbers.iter().map(|&number| records[number as usize]));
        if task.has_visits {
            for &number in numbers {
                chunk.visits.push(visits.get(number as usize));
            }
        }
        if !are_marked {
            continue;
        }
        chunk.marks.extend(numbers.iter().map(|&number| marks[number as usize]));
        if faults.is_empty() {
            continue;
        }
        for (place, &number) in (0..).zip(numbers) {
            if marks[number as usize] == mark::BAD
                && let Some(&(_, fault)) = faults.iter().find(|(index, _)| *index == number)
            {
                let (source, record) = record_of(u64::from(number));
                chunk.faults.push(ChunkFault { index: place, source, record, fault });
            }
        }
    }
}

/// The records of a tick and their order.
#[derive(Default)]
pub(crate) struct Tick {
    pub chunks: Vec<Chunk>,
    /// The chunk and the index in it of each record, the index in the low bits; [`LEFT_OUT`] for one that is left out.
    pub order: Vec<u32>,
    /// The number of low bits.
    pub shift: u32,
    /// The epoch of the order.
    pub epoch: u64,
    /// Whether all its records that are not left out are kept without a rule.
    pub is_plain: bool,
}

/// The code of a record that is left out. An index is below the size of the largest chunk, so its low bits are never all set.
pub(crate) const LEFT_OUT: u32 = u32::MAX;

/// The records that are loaded together.
const GROUP: usize = 128;

impl Tick {
    /// The chunk of a record and its index in it.
    #[inline]
    pub fn find(&self, code: u32) -> (&Chunk, usize) {
        (&self.chunks[(code >> self.shift) as usize], (code & ((1 << self.shift) - 1)) as usize)
    }

    /// Appends some records to a list.
    fn gather(&self, codes: &[u32], records: &mut Vec<Record>) {
        // They lie far apart. A loop that only loads has more loads under way at once than one that copies, so this one brings them
        // into the cache for the next.
        let mut touched = 0;
        for &code in codes {
            let (chunk, index) = self.find(code);
            touched ^= chunk.records[index][0] ^ chunk.records[index][39];
        }
        black_box(touched);
        records.extend(codes.iter().map(|&code| {
            let (chunk, index) = self.find(code);
            chunk.records[index]
        }));
    }
}

/// The records of a batch while they are in their ticks: the sequencer, of which there is one, only notes where they are.
#[derive(Default)]
pub(crate) struct Picks {
    ticks: Vec<Arc<Tick>>,
    /// The number of a tick, and that of the records that come from it.
    runs: Vec<(usize, usize)>,
    /// The codes of all records in their ticks.
    codes: Vec<u32>,
}

impl Picks {
    /// Adds a tick. Returns its number.
    pub fn add_tick(&mut self, tick: &Arc<Tick>) -> usize {
        self.ticks.push(Arc::clone(tick));
        self.ticks.len() - 1
    }

    /// Notes that the next records come from a tick.
    fn add_run(&mut self, tick: usize, records: usize) {
        match self.runs.last_mut() {
            Some((last, count)) if *last == tick => *count += records,
            _ => self.runs.push((tick, records)),
        }
    }

    /// Adds a record.
    pub fn push(&mut self, tick: usize, code: u32) {
        self.add_run(tick, 1);
        self.codes.push(code);
    }

    /// Adds at most `most` records of an order that are not left out. Returns the number of places that it went through, and that
    /// of records.
    pub fn extend(&mut self, tick: usize, order: &[u32], most: usize) -> (usize, usize) {
        let before = self.codes.len();
        let mut places = most.min(order.len());
        if order[..places].contains(&LEFT_OUT) {
            self.codes.resize(before + places, LEFT_OUT);
            places = 0;
            // One that is left out is overwritten by the next: a branch would often be mispredicted.
            let codes = &mut self.codes[before..];
            let mut records = 0;
            while places < order.len() && records < codes.len() {
                codes[records] = order[places];
                records += usize::from(order[places] != LEFT_OUT);
                places += 1;
            }
            self.codes.truncate(before + records);
        } else {
            self.codes.extend_from_slice(&order[..places]);
        }
        let records = self.codes.len() - before;
        self.add_run(tick, records);
        (places, records)
    }

    /// Copies the records, and their candidates if they are wanted.
    pub fn gather(&self, has_visits: bool, arrays: &mut Arrays) {
        arrays.records.reserve(self.codes.len());
        let mut codes = &self.codes[..];
        for &(tick, records) in &self.runs {
            let (run, rest) = codes.split_at(records);
            codes = rest;
            let tick = &self.ticks[tick];
            for group in run.chunks(GROUP) {
                tick.gather(group, &mut arrays.records);
            }
            if has_visits {
                for &code in run {
                    let (chunk, index) = tick.find(code);
                    arrays.visits.push(chunk.visits.get(index));
                }
            }
        }
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
    pub tick: Arc<Tick>,
}

impl ShuffleTask {
    /// Shuffles.
    pub fn run(&mut self) {
        let Tick { chunks, order, shift, is_plain, .. } = own(&mut self.tick);
        let most = chunks.iter().map(|chunk| chunk.records.len()).max().unwrap_or(0);
        *shift = usize::BITS - most.leading_zeros();
        order.clear();
        *is_plain = true;
        for (number, chunk) in (0..).zip(&*chunks) {
            let first: u32 = number << *shift;
            if chunk.marks.is_empty() {
                order.extend(first..first + chunk.records.len() as u32);
            }
            *is_plain &= chunk.marks.iter().all(|&found| matches!(found, mark::LEFT_OUT | mark::KEPT));
            let code = |(code, &found)| if found == mark::LEFT_OUT { LEFT_OUT } else { code };
            order.extend((first..first + chunk.marks.len() as u32).zip(&chunk.marks).map(code));
        }
        self.pass.shuffle_tick(self.number, order);
    }
}

/// A tick that no batch has yet.
pub(super) fn own(tick: &mut Arc<Tick>) -> &mut Tick {
    Arc::get_mut(tick).expect("a tick is shared once it is shuffled")
}

/// Buffers of one kind that are not in use.
#[derive(Default)]
struct Idle<T> {
    /// There is room for all that were made, so that none is allocated to take one back.
    buffers: Vec<T>,
    made: usize,
}

impl<T: Default> Idle<T> {
    fn pop(&mut self) -> T {
        self.buffers.pop().unwrap_or_else(|| {
            self.made += 1;
            self.buffers.reserve(self.made);
            T::default()
        })
    }

    fn push(&mut self, buffer: T) {
        self.buffers.push(buffer);
    }
}

/// Buffers that are not in use.
#[derive(Default)]
pub(crate) struct Pool {
    chunks: Idle<Chunk>,
    ticks: Idle<Arc<Tick>>,
    slots: Idle<Vec<Option<Chunk>>>,
    picks: Idle<Picks>,
}

impl Pool {
    /// Moves some chunks, empty ones, to a list.
    pub fn supply(&mut self, count: usize, chunks: &mut Vec<Chunk>) {
        for _ in 0..count {
            chunks.push(self.chunks.pop());
        }
    }

    /// An empty tick of an epoch.
    pub fn tick(&mut self, epoch: u64) -> Arc<Tick> {
        let mut tick = self.ticks.pop();
        own(&mut tick).epoch = epoch;
        tick
    }

    /// An empty list of picks.
    pub fn picks(&mut self) -> Picks {
        self.picks.pop()
    }

    /// A list of empty slots for chunks.
    pub fn slots(&mut self, count: usize) -> Vec<Option<Chunk>> {
        let mut slots = self.slots.pop();
        slots.resize_with(count, || None);
        slots
    }

    /// Takes back a tick from one of those that have it. Its buffers are free after the last.
    pub fn recycle(&mut self, mut tick: Arc<Tick>) {
        let Some(unused) = Arc::get_mut(&mut tick) else { return };
        for mut chunk in unused.chunks.drain(..) {
            chunk.clear();
            self.chunks.push(chunk);
        }
        self.ticks.push(tick);
    }

    /// Takes back a list of picks, and its ticks.
    pub fn recycle_picks(&mut self, mut picks: Picks) {
        for tick in picks.ticks.drain(..) {
            self.recycle(tick);
        }
        picks.runs.clear();
        picks.codes.clear();
        self.picks.push(picks);
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
