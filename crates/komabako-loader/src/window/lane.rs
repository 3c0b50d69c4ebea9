//! [`Lane`]: a source in a stream.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::tick::own;
use super::{Chunk, Pool, ShuffleTask, Tick};
use crate::LoaderError;
use crate::order::{Kind, Mixing, Pass};
use crate::source::{Sequence, Uniform};

/// What a lane reads.
#[derive(Clone)]
pub(crate) enum LaneSource {
    /// The source with an index.
    One(usize),
    /// Single records of all sources.
    All(Box<Uniform>),
}

/// A source in a stream: the ticks that are being filled, and the blocks to be read for them.
///
/// A *feed* is the reading of a group of blocks. Feed f of a pass gives slices to the ticks f to f + L − 1 and completes tick f. The
/// feeds before 0 are those of the wrap. Ticks and feeds also have serial numbers over all passes, from where the lane starts.
pub(crate) struct Lane {
    index: usize,
    pub source: LaneSource,
    mixing: Mixing,
    /// The number of blocks of its pass; too large until a source that is read from its start has ended.
    blocks: u64,
    stream: u64,
    is_endless: bool,
    /// The source is read from its start.
    is_sequential: bool,
    /// The number of ticks that may be filled ahead of those that were taken.
    ahead: u64,
    pass: Pass,
    /// The first tick of the pass that is wanted, and its serial number.
    start: u64,
    serial: u64,
    /// The feed to begin next.
    feed: i64,
    reading: Option<Reading>,
    /// The ticks that were not taken, in order, and the serial number of the first.
    ticks: VecDeque<OpenTick>,
    taken: u64,
    /// The feeds that are not complete, in order, and the serial number of the first.
    feeds: VecDeque<Feed>,
    first_feed: u64,
    /// Blocks of this pass that were read from the start.
    blocks_read: u64,
    sequence: Option<Box<Sequence>>,
    is_in_use: bool,
    is_over: bool,
    /// Why a block cannot be read: the first one that cannot, by its feed and its place in it.
    failure: Option<((u64, usize), LoaderError)>,
}

/// A feed some of whose blocks are still to be read.
struct Reading {
    feed: i64,
    slots: Range<u64>,
    first_slot: u64,
}

struct Feed {
    /// The number of blocks that have not come.
    missing: u64,
    /// The serial number up to which ticks are complete after it.
    completes: u64,
}

struct OpenTick {
    pass: Pass,
    number: u64,
    slots: Vec<Option<Chunk>>,
    state: TickState,
}

enum TickState {
    Filling,
    Filled,
    Shuffling,
    Ready(Arc<Tick>),
}

/// A block to be read and cut into slices.
pub(crate) struct BlockTask {
    pub lane: usize,
    pub pass: Pass,
    pub block: u64,
    /// The slices that are wanted.
    pub slices: Range<u64>,
    /// For a source that is read from its start: what reads it, once it is open.
    pub sequence: Option<Box<Sequence>>,
    /// The candidates of the records are wanted.
    pub has_visits: bool,
    feed: u64,
    /// The serial number of the tick of slice 0, which may not be wanted.
    first_tick: i64,
    /// The number of the block in its group.
    place: usize,
}

/// What a lane has.
pub(crate) enum Supply {
    Tick(Arc<Tick>),
    /// Not yet.
    Later,
    /// No more ticks.
    Over,
    Failed(LoaderError),
}

impl Lane {
    /// A lane from a place of an epoch on. Also returns the places of its first tick that come before.
    #[expect(clippy::too_many_arguments, reason = "what a lane is")]
    pub fn new(
        index: usize,
        source: LaneSource,
        mixing: Mixing,
        blocks: u64,
        stream: u64,
        is_endless: bool,
        ahead: u64,
        (mut epoch, place): (u64, u64),
        records_of: Option<&dyn Fn(u64) -> u64>,
    ) -> (Lane, u64) {
        let mut number = 0;
        let mut start = 0;
        let mut rest = place;
        let mut is_over = blocks == 0;
        if place > 0
            && let Some(records_of) = records_of
        {
            // The pass of the place, then its tick.
            while !is_over {
                let records = mixing.pass(blocks, epoch, number, stream).records(records_of);
                if rest < records {
                    break;
                }
                rest -= records;
                number += 1;
                if number == mixing.passes {
                    number = 0;
                    epoch = epoch.saturating_add(1);
                    is_over = !is_endless || records == 0;
                }
            }
            let pass = mixing.pass(blocks, epoch, number, stream);
            while start < pass.ticks() {
                let records = pass.records_of_tick(start, records_of);
                if is_over || rest < records {
                    break;
                }
                rest -= records;
                start += 1;
            }
        }
        let pass = mixing.pass(blocks, epoch, number, stream);
        let lane = Lane {
            index,
            source,
            mixing,
            blocks,
            stream,
            is_endless,
            is_sequential: records_of.is_none(),
            ahead,
            pass,
            start,
            serial: 0,
            feed: first_feed(&pass, start),
            reading: None,
            ticks: VecDeque::new(),
            taken: 0,
            feeds: VecDeque::new(),
            first_feed: 0,
            blocks_read: 0,
            sequence: None,
            is_in_use: false,
            is_over,
            failure: None,
        };
        (lane, rest)
    }

    /// Begins the next feed, if it may be read.
    fn begin_feed(&mut self, pool: &mut Pool) {
        if self.reading.is_some() || self.is_over {
            return;
        }
        if self.feed >= self.pass.groups() as i64 {
            self.begin_pass();
            if self.is_over {
                return;
            }
        }
        let completed = (self.feed.max(self.start as i64) as u64).min(self.pass.ticks() - 1);
        if self.serial_of(completed) >= (self.taken + self.ahead) as i64 {
            return;
        }
        let lag = self.mixing.lag as i64;
        let last = (self.feed + lag).clamp(0, self.pass.ticks() as i64) as u64;
        let opened = self.taken + self.ticks.len() as u64;
        for number in self.start..last {
            if self.serial_of(number) >= opened as i64 {
                let slots = pool.slots((self.mixing.lag * self.mixing.per_tick.min(self.blocks)) as usize);
                let state = TickState::Filling;
                self.ticks.push_back(OpenTick { pass: self.pass, number, slots, state });
            }
        }
        let groups = self.pass.groups() as i64;
        let slots = self.pass.slots(self.feed.rem_euclid(groups) as u64);
        let end = if self.mixing.kind != Kind::Riffle && self.feed == groups - 1 {
            self.pass.ticks()
        } else {
            (self.feed + 1).max(0) as u64
        };
        let completes = self.serial_of(end).max(0) as u64;
        self.feeds.push_back(Feed { missing: slots.end - slots.start, completes });
        let first_slot = slots.start;
        self.reading = Some(Reading { feed: self.feed, slots, first_slot });
        self.feed += 1;
    }

    /// Begins the next pass or, of an endless lane, the next epoch.
    fn begin_pass(&mut self) {
        let mut epoch = self.pass.epoch();
        let mut number = self.pass.number() + 1;
        if number == self.mixing.passes {
            number = 0;
            // A caller may begin at the last one.
            epoch = epoch.saturating_add(1);
            if !self.is_endless || self.pass.ticks() == 0 {
                self.is_over = true;
                return;
            }
        }
        if self.is_sequential {
            self.blocks = u64::MAX >> 16;
            self.blocks_read = 0;
        }
        self.serial = self.serial_of(self.pass.ticks()) as u64;
        self.start = 0;
        self.pass = self.mixing.pass(self.blocks, epoch, number, self.stream);
        self.feed = first_feed(&self.pass, 0);
    }

    /// The serial number of a tick of the pass.
    fn serial_of(&self, number: u64) -> i64 {
        self.serial as i64 + number as i64 - self.start as i64
    }

    /// The next block to read, if there is one now.
    pub fn next_block(&mut self, pool: &mut Pool) -> Option<BlockTask> {
        if self.is_in_use || self.failure.is_some() {
            return None;
        }
        self.begin_feed(pool);
        let first_tick = self.serial_of(0);
        let reading = self.reading.as_mut()?;
        let slot = reading.slots.next()?;
        let feed = reading.feed;
        let place = (slot - reading.first_slot) as usize;
        if reading.slots.is_empty() {
            self.reading = None;
        }
        self.is_in_use = self.is_sequential;
        // Ticks before the start, and after the last, are not wanted.
        let from = (self.start as i64 - feed).max(0) as u64;
        let to = (self.pass.ticks() as i64 - feed).clamp(0, self.mixing.lag as i64) as u64;
        Some(BlockTask {
            lane: self.index,
            pass: self.pass,
            block: self.pass.block(slot),
            slices: from..to.max(from),
            sequence: self.sequence.take(),
            has_visits: false,
            feed: self.first_feed + self.feeds.len() as u64 - 1,
            first_tick: first_tick + feed,
            place,
        })
    }

    /// Receives the slices of a block of `records`; `is_last` if a source that is read from its start has ended with it.
    pub fn receive(
        &mut self,
        task: BlockTask,
        chunks: &mut Vec<Chunk>,
        records: usize,
        is_last: bool,
        pool: &mut Pool,
    ) {
        let per_tick = self.slots_per_slice();
        for (slice, chunk) in task.slices.zip(chunks.drain(..)) {
            let tick = (task.first_tick + slice as i64) as u64 - self.taken;
            match self.ticks.get_mut(tick as usize) {
                Some(open) if !chunk.records.is_empty() => {
                    open.slots[slice as usize * per_tick + task.place] = Some(chunk);
                }
                _ => pool.recycle_chunk(chunk),
            }
        }
        self.feeds[(task.feed - self.first_feed) as usize].missing -= 1;
        if self.is_sequential {
            self.is_in_use = false;
            self.sequence = task.sequence;
            self.blocks_read += u64::from(records > 0);
            if is_last {
                self.end_sequence(pool);
            }
        }
        while self.feeds.front().is_some_and(|feed| feed.missing == 0) {
            let Some(feed) = self.feeds.pop_front() else { break };
            self.first_feed += 1;
            for (open, serial) in self.ticks.iter_mut().zip(self.taken..) {
                if serial < feed.completes && matches!(open.state, TickState::Filling) {
                    open.state = TickState::Filled;
                }
            }
        }
    }

    /// The number of slots of a tick for each slice.
    fn slots_per_slice(&self) -> usize {
        self.mixing.per_tick.min(if self.is_sequential { u64::MAX } else { self.blocks }) as usize
    }

    /// Notes that a source that is read from its start has ended.
    fn end_sequence(&mut self, pool: &mut Pool) {
        self.blocks = self.blocks_read;
        self.pass = self.mixing.pass(self.blocks, self.pass.epoch(), self.pass.number(), self.stream);
        self.reading = None;
        self.sequence = None;
        self.feed = self.pass.groups() as i64;
        let end = self.serial_of(self.pass.ticks()).max(0) as u64;
        while self.taken + self.ticks.len() as u64 > end {
            if let Some(open) = self.ticks.pop_back() {
                pool.recycle_slots(open.slots);
            }
        }
        if let Some(feed) = self.feeds.back_mut() {
            feed.missing = 0;
            feed.completes = end;
        }
    }

    /// Notes that a block cannot be read.
    pub fn fail(&mut self, task: &BlockTask, error: LoaderError) {
        let place = (task.feed, task.place);
        if self.failure.as_ref().is_none_or(|(first, _)| place < *first) {
            self.failure = Some((place, error));
        }
    }

    /// Whether the next tick needs a block that cannot be read, and no other is missing before it.
    fn has_failed(&self) -> bool {
        self.failure.as_ref().is_some_and(|((feed, _), _)| *feed == self.first_feed)
    }

    /// A tick to shuffle, if there is one.
    pub fn next_shuffle(&mut self, pool: &mut Pool) -> Option<ShuffleTask> {
        let taken = self.taken;
        for (open, serial) in self.ticks.iter_mut().zip(taken..) {
            match open.state {
                TickState::Filled => {}
                TickState::Filling => return None,
                TickState::Shuffling | TickState::Ready(_) => continue,
            }
            open.state = TickState::Shuffling;
            let mut tick = pool.tick(open.pass.epoch());
            own(&mut tick).chunks.extend(open.slots.drain(..).flatten());
            pool.recycle_slots(std::mem::take(&mut open.slots));
            return Some(ShuffleTask {
                lane: self.index,
                serial,
                pass: open.pass,
                number: open.number,
                tick,
            });
        }
        None
    }

    /// Receives a shuffled tick.
    pub fn receive_tick(&mut self, task: ShuffleTask) {
        if let Some(open) = self.ticks.get_mut((task.serial - self.taken) as usize) {
            open.state = TickState::Ready(task.tick);
        }
    }

    /// Whether [`next_tick`](Self::next_tick) has something else than [`Supply::Later`].
    pub fn has_news(&mut self, pool: &mut Pool) -> bool {
        if !self.is_in_use {
            self.begin_feed(pool);
        }
        match self.ticks.front().map(|open| &open.state) {
            Some(TickState::Ready(_)) => true,
            Some(TickState::Filled | TickState::Shuffling) => false,
            Some(TickState::Filling) => self.has_failed(),
            None => self.is_over || self.has_failed(),
        }
    }

    /// The next tick.
    pub fn next_tick(&mut self) -> Supply {
        match self.ticks.pop_front() {
            Some(OpenTick { state: TickState::Ready(tick), .. }) => {
                self.taken += 1;
                return Supply::Tick(tick);
            }
            Some(open) => {
                let is_filling = matches!(open.state, TickState::Filling);
                self.ticks.push_front(open);
                if !is_filling {
                    return Supply::Later;
                }
            }
            None if self.is_over => return Supply::Over,
            None => {}
        }
        if self.has_failed()
            && let Some((_, error)) = self.failure.take()
        {
            return Supply::Failed(error);
        }
        Supply::Later
    }
}

/// The first feed that a tick needs.
fn first_feed(pass: &Pass, tick: u64) -> i64 {
    let feed = tick as i64 - (pass.mixing().lag as i64 - 1);
    if pass.mixing().kind == Kind::Riffle { feed } else { feed.max(0) }
}
