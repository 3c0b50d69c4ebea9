//! [`Sequencer`]: chooses the records of the batches.

use std::sync::Arc;

use super::tick::{ChunkFault, LEFT_OUT};
use super::{Picks, Tick};
use crate::order::Rotation;
use crate::output::{Batch, Home, Progress};
use crate::select::mark;
use crate::source::Uniform;

/// Chooses the records of the batches of a rank: of each of its streams the same number, of the sources of a stream in rotation. They
/// are copied later, by several threads at once.
pub(crate) struct Sequencer {
    /// Which order it belongs to; it is dropped if there is a newer one.
    pub generation: u64,
    pub streams: Vec<StreamCursor>,
    /// The number of records of each stream in a batch.
    want: usize,
    /// By the number of a source and a mark: the weight.
    weights: Vec<Vec<f32>>,
    drop_last: bool,
    /// The number of steps, if it is known and steps that are not full are dropped.
    steps: Option<u64>,
    epoch: u64,
    step: u64,
    home: Arc<Home>,
    /// The batch that is being filled, and where its records are.
    batch: Option<Batch>,
    pub picks: Picks,
    /// The stream whose turn it is, and its records in the batch.
    stream: usize,
    taken: usize,
    fell_short: bool,
    pub counts: [u64; 2],
}

/// The place in a stream.
pub(crate) struct StreamCursor {
    pub lanes: Vec<Cursor>,
    pub rotation: Rotation,
    /// The lane of the next place, if it was chosen.
    chosen: Option<usize>,
    /// The number of places of the epoch, and of those that are left.
    total: u64,
    left: u64,
    /// The number of records that came before, in steps that were taken elsewhere.
    discard: u64,
}

/// The place in a lane.
pub(crate) struct Cursor {
    /// Its number among all lanes.
    pub lane: usize,
    /// The number of its source, for weights.
    pub source: usize,
    /// The order of single records of all sources, if their weights differ.
    pub uniform: Option<Box<Uniform>>,
    tick: Option<Arc<Tick>>,
    /// Its number among the ticks of the batch, once it has records there.
    number: Option<usize>,
    next: usize,
    /// The epoch of its order, and the places consumed in it.
    pub epoch: u64,
    pub consumed: u64,
    /// The number of places of the epoch, if it is known.
    end: u64,
    /// The places of the next ticks that were consumed before.
    skip: u64,
    is_over: bool,
}

/// A bad record that stops the loader.
pub(crate) struct BadPlace {
    pub source: usize,
    pub record: u64,
    pub fault: komabako_record::RecordFault,
}

/// What a sequencer needs or has.
pub(crate) enum Need {
    /// The next tick of a lane, and to take back the one that is used up.
    Tick {
        lane: usize,
        used: Option<Arc<Tick>>,
    },
    /// A batch without its records, which are where `picks` says.
    Batch(Batch),
    End,
    Bad(BadPlace),
}

impl StreamCursor {
    /// A stream with `total` places in the epoch, of which `used` were consumed. The first `discard` kept records are left out.
    pub fn new(lanes: Vec<Cursor>, rotation: Rotation, total: u64, used: u64, discard: u64) -> StreamCursor {
        StreamCursor { lanes, rotation, chosen: None, total, left: total.saturating_sub(used), discard }
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.lanes.iter().all(|lane| lane.is_over)
    }
}

impl Cursor {
    /// The place of a lane after `consumed` of `end` places of an epoch, of which the next ticks have `skip`.
    pub fn new(lane: usize, source: usize, (epoch, consumed): (u64, u64), end: u64, skip: u64) -> Cursor {
        let is_over = consumed >= end;
        Cursor {
            lane,
            source,
            uniform: None,
            tick: None,
            number: None,
            next: 0,
            epoch,
            consumed,
            end,
            skip,
            is_over,
        }
    }

    /// The tick that has its next record.
    fn current(&self) -> Option<&Arc<Tick>> {
        self.tick.as_ref().filter(|tick| self.next < tick.order.len())
    }
}

impl Sequencer {
    #[expect(clippy::too_many_arguments, reason = "what a sequencer is")]
    pub fn new(
        generation: u64,
        streams: Vec<StreamCursor>,
        want: usize,
        weights: Vec<Vec<f32>>,
        drop_last: bool,
        steps: Option<u64>,
        (epoch, step): (u64, u64),
        home: Arc<Home>,
    ) -> Sequencer {
        Sequencer {
            generation,
            streams,
            want,
            weights,
            drop_last,
            steps,
            epoch,
            step,
            home,
            batch: None,
            picks: Picks::default(),
            stream: 0,
            taken: 0,
            fell_short: false,
            counts: [0; 2],
        }
    }

    /// The lane whose next tick it waits for, given by [`Need::Tick`], has one.
    pub fn supply(&mut self, lane: usize, tick: Arc<Tick>) {
        let Some(cursor) = self.cursor(lane) else { return };
        if tick.epoch != cursor.epoch {
            cursor.epoch = tick.epoch;
            cursor.consumed = 0;
        }
        let skipped = cursor.skip.min(tick.order.len() as u64);
        cursor.skip -= skipped;
        cursor.next = skipped as usize;
        cursor.number = None;
        cursor.tick = Some(tick);
    }

    /// The lane has no more ticks.
    pub fn end_lane(&mut self, lane: usize) {
        for stream in &mut self.streams {
            let is_shared = stream.lanes.len() > 1;
            for (number, cursor) in stream.lanes.iter_mut().enumerate() {
                if cursor.lane == lane {
                    cursor.is_over = true;
                    // The place that it should have given is another's.
                    if stream.chosen.take().is_some() && is_shared {
                        stream.rotation.undo(number);
                    }
                    stream.rotation.remove(number);
                }
            }
        }
    }

    fn cursor(&mut self, lane: usize) -> Option<&mut Cursor> {
        self.streams.iter_mut().flat_map(|stream| &mut stream.lanes).find(|cursor| cursor.lane == lane)
    }

    /// Goes on until it needs something or has a batch.
    pub fn advance(&mut self) -> Need {
        loop {
            if self.steps.is_some_and(|steps| self.step >= steps) {
                return Need::End;
            }
            if self.stream == self.streams.len() {
                return self.end_step();
            }
            let is_over = self.streams[self.stream].is_over();
            if self.taken == self.want || is_over {
                self.fell_short |= self.taken < self.want;
                self.stream += 1;
                self.taken = 0;
                continue;
            }
            if let Some(need) = self.fill_batch() {
                return need;
            }
        }
    }

    /// Appends records of the stream whose turn it is to the batch, until something is needed.
    fn fill_batch(&mut self) -> Option<Need> {
        let Sequencer { streams, batch, picks, home, weights, .. } = self;
        let batch = batch.get_or_insert_with(|| Batch::new(home));
        let stream = &mut streams[self.stream];
        let is_alone = stream.lanes.len() == 1;
        while self.taken < self.want && stream.left > 0 {
            let number = match stream.chosen {
                _ if is_alone => 0,
                Some(number) => number,
                None => stream.rotation.next_source()?,
            };
            stream.chosen = Some(number);
            let cursor = &mut stream.lanes[number];
            if cursor.current().is_none() {
                return Some(Need::Tick { lane: cursor.lane, used: cursor.tick.take() });
            }
            let tick = cursor.tick.as_ref()?;
            let in_batch = *cursor.number.get_or_insert_with(|| picks.add_tick(tick));
            if is_alone && tick.is_plain && stream.discard == 0 && cursor.uniform.is_none() {
                let left = usize::try_from(stream.left).unwrap_or(usize::MAX);
                let end = tick.order.len().min(cursor.next.saturating_add(left));
                let order = &tick.order[cursor.next..end];
                let (places, records) = picks.extend(in_batch, order, self.want - self.taken);
                let weight = weights[cursor.source][usize::from(mark::KEPT)];
                let count = batch.weights.len() + records;
                batch.weights.resize(count, weight);
                self.taken += records;
                cursor.next += places;
                cursor.consumed += places as u64;
                stream.left -= places as u64;
            }
            // Alone, it has all places; in rotation, one.
            let end = if is_alone { tick.order.len() } else { cursor.next + 1 };
            while cursor.next < end && self.taken < self.want && stream.left > 0 {
                let code = tick.order[cursor.next];
                cursor.next += 1;
                cursor.consumed += 1;
                stream.left -= 1;
                if code == LEFT_OUT {
                    continue;
                }
                let (chunk, index) = tick.find(code);
                let found = chunk.marks.get(index).copied().unwrap_or(mark::KEPT);
                match found {
                    mark::KINGLESS => {
                        self.counts[0] += 1;
                        continue;
                    }
                    mark::SKIPPED => {
                        self.counts[1] += 1;
                        continue;
                    }
                    mark::BAD => {
                        let fault = chunk.faults.iter().find(|fault| fault.index as usize == index)?;
                        let ChunkFault { source, record, fault, .. } = *fault;
                        return Some(Need::Bad(BadPlace { source, record, fault }));
                    }
                    _ => {}
                }
                if stream.discard > 0 {
                    stream.discard -= 1;
                    continue;
                }
                picks.push(in_batch, code);
                let source = match &cursor.uniform {
                    Some(uniform) => uniform.record(cursor.consumed - 1).0,
                    None => cursor.source,
                };
                batch.weights.push(weights[source][usize::from(found)]);
                self.taken += 1;
            }
            stream.chosen = None;
            if cursor.consumed >= cursor.end {
                cursor.is_over = true;
                stream.rotation.remove(number);
            }
            if is_alone && cursor.is_over {
                return None;
            }
        }
        None
    }

    /// The batch that is complete.
    fn end_step(&mut self) -> Need {
        let is_full = !std::mem::take(&mut self.fell_short);
        self.stream = 0;
        let Some(mut batch) = self.batch.take() else { return Need::End };
        if batch.weights.is_empty() || (self.drop_last && !is_full) {
            return Need::End;
        }
        batch.epoch = self.epoch;
        batch.step = self.step;
        self.step += 1;
        for cursor in self.streams.iter_mut().flat_map(|stream| &mut stream.lanes) {
            cursor.number = None;
        }
        self.note_progress(batch.after());
        Need::Batch(batch)
    }

    /// Writes the place where it is.
    fn note_progress(&self, progress: &mut Progress) {
        progress.epoch = self.epoch;
        progress.step = self.step;
        progress.counts = self.counts;
        progress.lanes.clear();
        progress.credits.clear();
        progress.used.clear();
        progress.absent.clear();
        for stream in &self.streams {
            progress.lanes.extend(stream.lanes.iter().map(|lane| (lane.epoch, lane.consumed)));
            progress.credits.extend(stream.rotation.credits());
            progress.used.push(stream.total - stream.left);
        }
    }
}
