//! [`Pass`]: one pass over the blocks of a source in the order *riffle*, which shuffles on the fly.
//!
//! 1. The records of a block are shuffled and cut into K·L slices.
//! 2. In each of K passes the blocks are permuted into slots. A stream has every V-th slot, in groups of n.
//! 3. A tick is n·B/K records: slice l of the group l places before it, for l = 0 … L − 1, all shuffled.
//!
//! So a group of blocks is read once a pass, and its slices go to L open ticks, of which the first is then complete. The first L − 1
//! ticks also have slices of the last groups of the pass ("wrap"), which are read twice: so all ticks are composed alike.

use std::ops::Range;

use komabako_record::order::Permutation;

use super::shuffle;

/// How the records of a source are mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Blocks in a random order, mixed.
    Riffle,
    /// Blocks in the order of the file, mixed with those a little before: without a wrap, and in one pass.
    Stream,
    /// Not at all.
    File,
}

/// What fixes the order of a source but for the sizes of its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mixing {
    /// How.
    pub kind: Kind,
    /// The seed.
    pub seed: u64,
    /// The number of the source.
    pub source: u64,
    /// The number of streams, V.
    pub streams: u64,
    /// The number of passes, K. Each yields one record of K.
    pub passes: u64,
    /// The blocks that are read for a tick, n.
    pub per_tick: u64,
    /// The ticks over which a block is spread, L.
    pub lag: u64,
}

impl Mixing {
    /// The same for a number of blocks, with at most as large a lag as every stream has ticks.
    ///
    /// ```
    /// use komabako_loader::order::{Kind, Mixing};
    /// let mixing = Mixing { kind: Kind::Riffle, seed: 0, source: 0, streams: 2, passes: 1, per_tick: 3, lag: 32 };
    /// assert_eq!(mixing.for_blocks(21).lag, 4); // 10 blocks in the second stream
    /// ```
    pub fn for_blocks(self, blocks: u64) -> Mixing {
        if self.kind != Kind::Riffle {
            return self;
        }
        // The last stream has the fewest slots.
        let least = slots(blocks, self.streams, self.streams - 1).div_ceil(self.per_tick);
        Mixing { lag: self.lag.min(least).max(1), ..self }
    }

    /// A pass of a stream over a number of blocks in an epoch.
    pub fn pass(self, blocks: u64, epoch: u64, pass: u64, stream: u64) -> Pass {
        let order = match self.kind {
            Kind::Riffle => Some(Permutation::new(blocks, &[self.seed, epoch, self.source, 0, pass])),
            Kind::Stream | Kind::File => None,
        };
        Pass { mixing: self, epoch, pass, stream, order, slots: slots(blocks, self.streams, stream) }
    }
}

/// The number of slots of a stream.
fn slots(blocks: u64, streams: u64, stream: u64) -> u64 {
    blocks.saturating_sub(stream).div_ceil(streams)
}

/// A pass of a stream over its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    mixing: Mixing,
    epoch: u64,
    pass: u64,
    stream: u64,
    order: Option<Permutation>,
    slots: u64,
}

impl Pass {
    /// The parameters.
    pub fn mixing(&self) -> &Mixing {
        &self.mixing
    }

    /// The epoch.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The number of the pass.
    pub fn number(&self) -> u64 {
        self.pass
    }

    /// The number of groups of slots.
    pub fn groups(&self) -> u64 {
        self.slots.div_ceil(self.mixing.per_tick)
    }

    /// The number of ticks.
    pub fn ticks(&self) -> u64 {
        match self.mixing.kind {
            Kind::Stream if self.slots > 0 => self.groups() + self.mixing.lag - 1,
            _ => self.groups(),
        }
    }

    /// The group whose slice number `slice` is part of a tick.
    pub fn group(&self, tick: u64, slice: u64) -> Option<u64> {
        match self.mixing.kind {
            Kind::Riffle => Some((tick + self.groups() - slice) % self.groups()),
            Kind::Stream | Kind::File => tick.checked_sub(slice).filter(|&group| group < self.groups()),
        }
    }

    /// The slots of a group.
    pub fn slots(&self, group: u64) -> Range<u64> {
        let start = group * self.mixing.per_tick;
        start..self.slots.min(start + self.mixing.per_tick)
    }

    /// The block in a slot.
    pub fn block(&self, slot: u64) -> u64 {
        let slot = slot * self.mixing.streams + self.stream;
        self.order.map_or(slot, |order| order.at(slot))
    }

    /// The places, in the inner order of a block of `records`, of a slice of this pass.
    pub fn slice(&self, slice: u64, records: u64) -> Range<u64> {
        let Mixing { passes, lag, .. } = self.mixing;
        let number = self.pass * lag + slice;
        records * number / (passes * lag)..records * (number + 1) / (passes * lag)
    }

    /// Fills a list with the numbers of a block's records in their inner order.
    ///
    /// # Panics
    /// If there are more than 2³².
    pub fn write_inner_order(&self, block: u64, records: u64, list: &mut Vec<u32>) {
        list.clear();
        list.extend(0..u32::try_from(records).expect("a block has fewer than 2^32 records"));
        let Mixing { kind, seed, source, .. } = self.mixing;
        if kind != Kind::File {
            shuffle(list, &[seed, self.epoch, source, 1, block]);
        }
    }

    /// Shuffles what a tick consists of: its slices, ascending, each with the slots of its group, ascending.
    pub fn shuffle_tick<T>(&self, tick: u64, list: &mut [T]) {
        let Mixing { kind, seed, source, .. } = self.mixing;
        if kind != Kind::File {
            shuffle(list, &[seed, self.epoch, source, 2, self.pass, self.stream, tick]);
        }
    }

    /// The number of records of a tick, where `records_of` is that of a block.
    pub fn records_of_tick(&self, tick: u64, records_of: impl Fn(u64) -> u64) -> u64 {
        let mut records = 0;
        for slice in 0..self.mixing.lag {
            let Some(group) = self.group(tick, slice) else { continue };
            for slot in self.slots(group) {
                let range = self.slice(slice, records_of(self.block(slot)));
                records += range.end - range.start;
            }
        }
        records
    }

    /// The number of records of all ticks, where `records_of` is that of a block.
    pub fn records(&self, records_of: impl Fn(u64) -> u64) -> u64 {
        let lag = self.mixing.lag;
        let of_slot = |slot| {
            let records = records_of(self.block(slot));
            self.slice(lag - 1, records).end - self.slice(0, records).start
        };
        (0..self.slots).map(of_slot).sum()
    }
}

/// The window W: two records of one block come in the same batch of b records with chance b / W.
pub fn quality_window(per_tick: u64, lag: u64, block: u64) -> u64 {
    per_tick * lag * block
}
