//! [`Shared`]: what the threads of a [`Loader`](crate::Loader) share, and their work.
//!
//! All work is in tasks: to decode a block and cut it into slices, to shuffle a tick, to choose the records of a batch in order, and to
//! copy them and make its arrays. A worker picks one under a lock, does it without, and brings back what came of it. Only one worker at
//! a time has the [`Sequencer`], which alone decides what comes into which batch; so no result depends on which worker is faster.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use komabako_dataset::Name;

use crate::LoaderError;
use crate::output::{self, Batch, Home, Unfinished};
use crate::plan::Prepared;
use crate::source::{Decoder, Sequence, word_fault};
use crate::window::{
    BadPlace, BlockTask, Chunk, Lane, LaneSource, Need, Picks, Pool, Sequencer, ShuffleTask, Supply,
    cut_block,
};

/// What the threads share.
pub(crate) struct Shared {
    pub(crate) prepared: Prepared,
    pub(crate) home: Arc<Home>,
    pub(crate) core: Mutex<Core>,
    pub(crate) news: Condvar,
}

/// What is to be done, and what is done.
pub(crate) struct Core {
    /// The number of the order that is being read: results of an older one are dropped.
    pub(crate) generation: u64,
    pub(crate) lanes: Vec<Lane>,
    /// `None` while a worker has it, and before the first batch.
    pub(crate) sequencer: Option<Box<Sequencer>>,
    /// The lane that it waits for.
    pub(crate) blocked: Option<usize>,
    pub(crate) pool: Pool,
    /// Batches that have no arrays yet, by number, and where their records are.
    pub(crate) cut: VecDeque<(u64, Batch, Picks)>,
    /// The batches from `returned` on; `None` while they are made.
    pub(crate) done: VecDeque<Option<Outcome>>,
    pub(crate) returned: u64,
    /// The most batches that may be made or wait to be returned; with 0 one is made when it is waited for.
    pub(crate) ahead: u64,
    pub(crate) is_waiting: bool,
    pub(crate) is_stopped: bool,
    pub(crate) has_panicked: bool,
}

pub(crate) enum Outcome {
    Batch(Batch),
    Failed(LoaderError),
    End,
}

pub(crate) enum Task {
    Decode(BlockTask, LaneSource),
    Shuffle(ShuffleTask),
    Sequence(Box<Sequencer>),
    Finish(u64, Batch, Picks),
}

/// The buffers of a thread.
pub(crate) struct Worker {
    pub(crate) decoder: Decoder,
    pub(crate) scratch: output::Scratch,
    pub(crate) chunks: Vec<Chunk>,
}

impl Worker {
    pub(crate) fn new(prepared: &Prepared) -> Worker {
        Worker {
            decoder: Decoder::new(prepared.backend),
            scratch: output::Scratch::default(),
            chunks: Vec::new(),
        }
    }
}

impl Core {
    /// What to do next: first what is nearest to a batch.
    pub(crate) fn pick(&mut self, worker: &mut Worker) -> Option<Task> {
        if let Some((number, batch, picks)) = self.cut.pop_front() {
            return Some(Task::Finish(number, batch, picks));
        }
        if self.wants_batch() && self.sequencer.is_some() {
            let has_news = match self.blocked {
                Some(lane) => self.lanes[lane].has_news(&mut self.pool),
                None => true,
            };
            if has_news {
                self.blocked = None;
                return self.sequencer.take().map(Task::Sequence);
            }
        }
        for lane in &mut self.lanes {
            if let Some(task) = lane.next_shuffle(&mut self.pool) {
                return Some(Task::Shuffle(task));
            }
        }
        // The lane that is waited for comes first, then those after it.
        let first = self.blocked.unwrap_or(0);
        for number in 0..self.lanes.len() {
            let number = (first + number) % self.lanes.len();
            let lane = &mut self.lanes[number];
            if let Some(task) = lane.next_block(&mut self.pool) {
                let count = (task.slices.end - task.slices.start) as usize;
                self.pool.supply(count, &mut worker.chunks);
                let source = lane.source.clone();
                return Some(Task::Decode(task, source));
            }
        }
        None
    }

    /// Whether one more batch may be made.
    pub(crate) fn wants_batch(&self) -> bool {
        (self.done.len() as u64) < self.ahead.max(u64::from(self.is_waiting))
    }

    /// Sets the outcome with a number.
    fn set_outcome(&mut self, number: u64, outcome: Outcome) {
        if let Some(place) = self.done.get_mut((number - self.returned) as usize) {
            *place = Some(outcome);
        }
    }
}

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until the loader is dropped.
    pub(crate) fn work(&self) {
        let mut worker = Worker::new(&self.prepared);
        let mut generation = 0;
        loop {
            let next = AssertUnwindSafe(|| self.work_once(&mut worker, &mut generation));
            match catch_unwind(next) {
                Ok(true) => {}
                Ok(false) => return,
                Err(_) => {
                    let mut core = self.lock();
                    core.has_panicked |= core.generation == generation;
                }
            }
            self.news.notify_all();
        }
    }

    /// Waits for a task and does it; `generation` is then that of its order. Returns `false` when the loader is dropped.
    fn work_once(&self, worker: &mut Worker, generation: &mut u64) -> bool {
        let mut core = self.lock();
        let task = loop {
            if core.is_stopped {
                return false;
            }
            *generation = core.generation;
            match core.pick(worker) {
                Some(task) => break task,
                None => core = self.news.wait(core).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(core);
        self.run(task, *generation, worker);
        true
    }

    /// Does a task of an order and brings back what came of it.
    pub(crate) fn run(&self, task: Task, generation: u64, worker: &mut Worker) {
        match task {
            Task::Decode(task, source) => self.decode(task, &source, generation, worker),
            Task::Shuffle(mut task) => {
                task.run();
                let mut core = self.lock();
                if core.generation == generation {
                    core.lanes[task.lane].receive_tick(task);
                } else {
                    core.pool.recycle(task.tick);
                }
            }
            Task::Sequence(sequencer) => self.sequence(sequencer),
            Task::Finish(number, mut batch, picks) => {
                picks.gather(self.prepared.treatment.has_visits, &mut batch);
                let outcome = match self.prepared.finisher.finish(&mut worker.scratch, &mut batch) {
                    Ok(()) => Outcome::Batch(batch),
                    Err(Unfinished::Word(index)) => Outcome::Failed(self.word_error(&mut batch, index)),
                    Err(Unfinished::Targets(conflict)) => Outcome::Failed(conflict.into()),
                    Err(Unfinished::Policy(fault)) => Outcome::Failed(LoaderError::Policy(fault)),
                };
                let mut core = self.lock();
                core.pool.recycle_picks(picks);
                if core.generation == generation {
                    core.set_outcome(number, outcome);
                }
            }
        }
    }

    /// Decodes a block and cuts it into slices.
    fn decode(&self, mut task: BlockTask, source: &LaneSource, generation: u64, worker: &mut Worker) {
        let Worker { decoder, chunks, .. } = worker;
        let prepared = &self.prepared;
        let result = match source {
            LaneSource::One(number) => {
                let source = &prepared.sources[*number];
                let judge = prepared.judge(task.pass.epoch(), source.number);
                if source.records().is_some() {
                    source.decode_block(task.block, decoder, judge)
                } else {
                    let sequence = match task.sequence.take() {
                        Some(sequence) => Ok(sequence),
                        None => Sequence::open(source).map(Box::new),
                    };
                    sequence.and_then(|mut sequence| {
                        sequence.decode_next(source, decoder, judge)?;
                        task.sequence = Some(sequence);
                        Ok(())
                    })
                }
            }
            LaneSource::All(uniform) => {
                let places = prepared.uniform_places(uniform, task.block);
                let judge_of = |source| prepared.judge(task.pass.epoch(), source);
                uniform.decode(&prepared.sources, places, decoder, judge_of)
            }
        };
        task.has_visits = prepared.treatment.has_visits;
        if result.is_ok() {
            let first = decoder.first;
            let record_of = |place: u64| match source {
                LaneSource::One(number) => (*number, first + place),
                LaneSource::All(uniform) => {
                    uniform.record(prepared.uniform_places(uniform, task.block).start + place)
                }
            };
            cut_block(&task, decoder, chunks, record_of);
        }
        let records = decoder.marks.len();
        let is_last = match source {
            LaneSource::One(number) => (records as u64) < prepared.sources[*number].block,
            LaneSource::All(_) => false,
        };
        let mut core = self.lock();
        let core = &mut *core;
        if core.generation == generation {
            match result {
                Ok(()) => core.lanes[task.lane].receive(task, chunks, records, is_last, &mut core.pool),
                Err(error) => core.lanes[task.lane].fail(&task, error.into()),
            }
        }
        for chunk in chunks.drain(..) {
            core.pool.recycle_chunk(chunk);
        }
    }

    /// Chooses records for batches as far as their ticks are there.
    fn sequence(&self, mut sequencer: Box<Sequencer>) {
        loop {
            let need = sequencer.advance();
            let mut core = self.lock();
            let core = &mut *core;
            if core.generation != sequencer.generation {
                return;
            }
            let outcome = match need {
                Need::Tick { lane, used } => {
                    if let Some(used) = used {
                        core.pool.recycle(used);
                    }
                    match core.lanes[lane].next_tick() {
                        Supply::Tick(tick) => {
                            sequencer.supply(lane, tick);
                            continue;
                        }
                        Supply::Over => {
                            sequencer.end_lane(lane);
                            continue;
                        }
                        Supply::Later => {
                            core.blocked = Some(lane);
                            core.sequencer = Some(sequencer);
                            return;
                        }
                        Supply::Failed(error) => Outcome::Failed(error),
                    }
                }
                Need::Batch(batch) => {
                    let number = core.returned + core.done.len() as u64;
                    core.done.push_back(None);
                    let picks = std::mem::replace(&mut sequencer.picks, core.pool.picks());
                    core.cut.push_back((number, batch, picks));
                    self.news.notify_all();
                    if core.wants_batch() {
                        continue;
                    }
                    core.sequencer = Some(sequencer);
                    return;
                }
                Need::End => match self.prepared.check_unchanged() {
                    Ok(()) => Outcome::End,
                    Err(error) => Outcome::Failed(error),
                },
                Need::Bad(BadPlace { source, record, fault }) => {
                    let error = self.prepared.sources[source].record_error(record, fault);
                    Outcome::Failed(LoaderError::BadRecord(Box::new(error)))
                }
            };
            // The sequencer is at its end.
            core.done.push_back(Some(outcome));
            return;
        }
    }

    /// The error of a record of a batch whose word cannot be read. Its number is that of its place in the order.
    fn word_error(&self, batch: &mut Batch, index: usize) -> LoaderError {
        let fault = word_fault(&batch.records[index]);
        let found = self.prepared.record_of(batch, index);
        let error = match found {
            Some((source, record)) => self.prepared.sources[source].record_error(record, fault),
            None => komabako_dataset::RecordError {
                input: Name::default(),
                format: None,
                record: batch.step * batch.len() as u64 + index as u64,
                offset: 0,
                line: None,
                fault,
            },
        };
        LoaderError::BadRecord(Box::new(error))
    }
}
